/*
 * Whether scans take a single pass: what the config says, else what a trial of the device found, in
 * this process or in one before.
 */
#include "device/trial/single_pass.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "plan/plan.h"
#include "plan/program/source.h"

bool tally_trial_init(tally_trial *trial, tally_single_pass wish) {
    *trial = (tally_trial){.wish = wish, .result.reason = "no scan has needed to know yet"};
    return tally_lock_init(&trial->lock);
}

void tally_trial_free(tally_trial *trial) {
    tally_lock_destroy(&trial->lock);
}

/* ---- Remembering --------------------------------------------------------------------------- */

/* The plan in words, and what is compiled for it. */
static void add_plan(const tally_problem *problem, const tally_limits *limits, tally_text *topic) {
    tally_plan plan;
    char digits[TALLY_HASH_DIGITS + 1];
    if (tally_plan_make(problem, limits, &plan, NULL) != TALLY_OK) {
        topic->failed = true;
        return;
    }
    tally_plan_describe(&plan, topic);
    for (uint32_t i = 0; i < plan.count; i++) {
        tally_text source = tally_text_from(topic->allocator);
        tally_source_write(&plan.step[i].spec, &source);
        topic->failed = topic->failed || source.failed;
        if (!source.failed)
            tally_hash_print(tally_hash_of(source.data, source.length), digits);
        tally_text_format(topic, "source: %s\n", source.failed ? "" : digits);
        tally_text_free(&source);
    }
}

static bool write_topic(const tally_device *device, tally_text *topic) {
    tally_limits limits = device->limits;
    tally_problem problem;
    uint64_t count = 0;
    if (!tally_recall_works(&device->recall) ||
        tally_trial_state(&limits, &problem, &count, NULL) != TALLY_OK)
        return false;
    tally_text_format(topic, "single pass: trial %d\noptions: %s\n", TRIAL_VERSION,
                      device->build_options);
    for (int single = 0; single < 2; single++) {
        limits.single_pass = single != 0;
        add_plan(&problem, &limits, topic);
    }
    return !topic->failed;
}

static bool recall(tally_device *device, const char *topic, tally_trial_result *trial) {
    tally_blob blob;
    char text[sizeof trial->reason + 64] = "";
    int passed = 0, reason = 0;
    bool found = tally_recall_get(&device->recall, topic, &blob) && blob.size < sizeof text;
    if (found)
        memcpy(text, blob.bytes, blob.size);
    tally_blob_free(&blob);
    const int numbers =
        /* NOLINTNEXTLINE(cert-err34-c): the text was put there by us, as its checksum says */
        found ? sscanf(text, "%d %" SCNu32 " %" SCNu32 ":%n", &passed, &trial->units, &trial->left,
                       &reason)
              : 0;
    if (numbers != 3 || reason == 0)
        return false;
    trial->passed = passed != 0;
    snprintf(trial->reason, sizeof trial->reason, "%s", text + reason);
    return true;
}

static void remember(tally_device *device, const char *topic, const tally_trial_result *trial) {
    char text[sizeof trial->reason + 64];
    int length = snprintf(text, sizeof text, "%d %" PRIu32 " %" PRIu32 ":%s", trial->passed ? 1 : 0,
                          trial->units, trial->left, trial->reason);
    tally_recall_put(&device->recall, topic, text, (size_t)length);
}

/* ---- The verdict --------------------------------------------------------------------------- */

/*
 * What failed counts as a no, but is not remembered; nor is a no for groups that waited in vain,
 * while something else may have kept the device busy. Returns whether the verdict stands: a trial
 * for which there was no memory is made again at the next question.
 */
static bool find_verdict(tally_device *device, tally_kernels *kernels, tally_trial_result *trial) {
    tally_text topic = tally_text_from(&device->allocator);
    tally_error error;
    tally_status status = TALLY_OK;
    const bool named = write_topic(device, &topic);
    if (!named || !recall(device, topic.data, trial)) {
        status = tally_trial_run(device, kernels, trial, &error);
        if (status == TALLY_OK) {
            if (named && trial->lasts)
                remember(device, topic.data, trial);
        } else {
            trial->passed = false;
            snprintf(trial->reason, sizeof trial->reason, "it could not be tried: %.200s",
                     error.message);
        }
    }
    tally_text_free(&topic);
    return status != TALLY_OUT_OF_MEMORY;
}

/*
 * A trial that is made again overwrites its result, so that callers get the first failure's reason,
 * which stays as it is.
 */
static void ask(tally_trial *trial, tally_device *device, tally_kernels *kernels,
                tally_scans *scans) {
    const tally_trial_result *result = &trial->result;
    tally_lock_acquire(&trial->lock);
    if (!trial->known)
        trial->known = find_verdict(device, kernels, &trial->result);
    if (!trial->known && trial->first_failure[0] == '\0')
        memcpy(trial->first_failure, result->reason, sizeof trial->first_failure);
    scans->single_pass = result->passed;
    scans->units = result->units;
    scans->left = result->left;
    scans->reason = trial->known ? result->reason : trial->first_failure;
    tally_lock_release(&trial->lock);
}

/* Whether the plan with a single pass has one. */
static bool would_pass(const tally_problem *problem, tally_limits limits) {
    tally_plan plan;
    limits.single_pass = true;
    if (tally_plan_make(problem, &limits, &plan, NULL) != TALLY_OK)
        return false;
    for (uint32_t i = 0; i < plan.count; i++)
        if (tally_spec_carry(&plan.step[i].spec) == TALLY_CARRY_LOOK_BACK)
            return true;
    return false;
}

tally_trial_outcomes tally_trial_possible(tally_trial *trial) {
    if (trial->wish != TALLY_SINGLE_PASS_AUTO)
        return (tally_trial_outcomes){trial->wish == TALLY_SINGLE_PASS_ON,
                                      trial->wish == TALLY_SINGLE_PASS_OFF};
    tally_lock_acquire(&trial->lock);
    const bool known = trial->known, passed = trial->result.passed;
    tally_lock_release(&trial->lock);
    return (tally_trial_outcomes){!known || passed, !known || !passed};
}

void tally_trial_expect(tally_trial *trial, const tally_problem *problem, tally_limits *limits) {
    if (problem->kind == TALLY_KIND_SCAN)
        limits->single_pass = tally_trial_possible(trial).with &&
                              (trial->wish == TALLY_SINGLE_PASS_ON || would_pass(problem, *limits));
}

void tally_trial_settle(tally_trial *trial, tally_device *device, tally_kernels *kernels,
                        const tally_problem *problem, tally_limits *limits) {
    limits->single_pass = trial->wish == TALLY_SINGLE_PASS_ON;
    if (trial->wish == TALLY_SINGLE_PASS_AUTO && would_pass(problem, *limits)) {
        tally_scans scans;
        ask(trial, device, kernels, &scans);
        limits->single_pass = scans.single_pass;
    }
}

void tally_trial_ask(tally_trial *trial, tally_device *device, tally_kernels *kernels,
                     tally_scans *scans) {
    const bool gpu = device->limits.family == TALLY_FAMILY_GPU;
    if (gpu && trial->wish == TALLY_SINGLE_PASS_AUTO) {
        ask(trial, device, kernels, scans);
        return;
    }
    scans->single_pass = gpu && trial->wish == TALLY_SINGLE_PASS_ON;
    scans->units = scans->left = 0;
    scans->reason = !gpu                 ? "only the kernels of GPUs have it"
                    : scans->single_pass ? "the overrides ask for it"
                                         : "the overrides forbid it";
}
