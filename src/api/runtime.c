/*
 * Making, asking and releasing runtimes.
 */
#include "api/runtime.h"

#include "base/struct.h"

tally_status tally_check_single_pass(tally_single_pass single_pass, tally_error *error) {
    if ((uint32_t)single_pass > TALLY_SINGLE_PASS_OFF)
        return tally_fail(error, TALLY_INVALID,
                          "single_pass %d is no tally_single_pass; the highest is %d",
                          (int)single_pass, TALLY_SINGLE_PASS_OFF);
    return TALLY_OK;
}

static tally_status take_overrides(const tally_overrides *given, tally_overrides *overrides,
                                   tally_error *error) {
    *overrides = (tally_overrides)TALLY_OVERRIDES_INIT;
    if (given == NULL)
        return TALLY_OK;
    tally_status status =
        tally_struct_take(given, overrides, sizeof *overrides, "tally_overrides", error);
    if (status != TALLY_OK)
        return status;
    if ((uint32_t)overrides->family > TALLY_FAMILY_CPU)
        return tally_fail(error, TALLY_INVALID, "family %d is no tally_family; the highest is %d",
                          (int)overrides->family, TALLY_FAMILY_CPU);
    return tally_check_single_pass(overrides->single_pass, error);
}

/* All zeros without one. */
static tally_status take_allocator(const tally_allocator *given, tally_allocator *allocator,
                                   tally_error *error) {
    *allocator = (tally_allocator){0};
    if (given == NULL)
        return TALLY_OK;
    tally_status status =
        tally_struct_take(given, allocator, sizeof *allocator, "tally_allocator", error);
    if (status != TALLY_OK)
        return status;
    if (allocator->allocate == NULL || allocator->release == NULL)
        return tally_fail(error, TALLY_INVALID, "the allocator's %s is NULL",
                          allocator->allocate == NULL ? "allocate" : "release");
    return TALLY_OK;
}

static tally_status take_config(const tally_config *given, tally_config *config,
                                tally_allocator *allocator, tally_overrides *overrides,
                                tally_error *error) {
    tally_status status = tally_struct_take(given, config, sizeof *config, "tally_config", error);
    if (status != TALLY_OK)
        return status;
    if (config->context == NULL)
        return tally_fail(error, TALLY_INVALID, "the config's context is NULL");
    status = take_allocator(config->allocator, allocator, error);
    config->allocator = allocator;
    return status == TALLY_OK ? take_overrides(config->overrides, overrides, error) : status;
}

tally_status tally_runtime_create(const tally_config *given, tally_runtime **runtime,
                                  tally_error *error) {
    tally_config config = TALLY_CONFIG_INIT;
    tally_allocator allocator = TALLY_ALLOCATOR_INIT;
    tally_overrides overrides = TALLY_OVERRIDES_INIT;
    tally_error_clear(error);
    if (runtime == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for the runtime is NULL");
    *runtime = NULL;
    tally_status status = take_config(given, &config, &allocator, &overrides, error);
    if (status != TALLY_OK)
        return status;
    tally_runtime *made = tally_host_take_zeros(&allocator, 1, sizeof *made);
    if (made == NULL)
        return tally_fail_memory(error, "a runtime");
    tally_count_init(&made->count);
    status = tally_device_open(&config, overrides.family, &made->device, error);
    if (status != TALLY_OK)
        goto failed;
    if (!tally_kernels_init(&made->kernels, &made->device.allocator))
        goto no_kernels;
    if (!tally_verdict_init(&made->verdict))
        goto no_verdict;
    if (!tally_trial_init(&made->trial, overrides.single_pass))
        goto no_trial;
    if (!tally_commands_init(&made->commands))
        goto no_commands;
    *runtime = made;
    return TALLY_OK;
no_commands:
    tally_trial_free(&made->trial);
no_trial:
    tally_verdict_free(&made->verdict);
no_verdict:
    tally_kernels_free(&made->kernels);
no_kernels:
    tally_device_close(&made->device);
    status = tally_fail_memory(error, "a lock");
failed:
    tally_host_give(&allocator, made);
    return status;
}

void tally_runtime_retain(tally_runtime *runtime) {
    if (runtime != NULL)
        tally_count_retain(&runtime->count);
}

void tally_runtime_release(tally_runtime *runtime) {
    if (runtime == NULL || !tally_count_release(&runtime->count))
        return;
    tally_commands_free(&runtime->commands);
    tally_trial_free(&runtime->trial);
    tally_verdict_free(&runtime->verdict);
    tally_kernels_free(&runtime->kernels);
    const tally_allocator allocator = runtime->device.allocator;
    tally_device_close(&runtime->device);
    tally_host_give(&allocator, runtime);
}

tally_status tally_check_question(const tally_runtime *runtime, const void *answer,
                                  const char *name, tally_error *error) {
    tally_error_clear(error);
    if (runtime == NULL)
        return tally_fail(error, TALLY_INVALID, "the runtime is NULL");
    return tally_struct_check(answer, name, error);
}

tally_status tally_runtime_device(tally_runtime *runtime, cl_context *context, cl_device_id *device,
                                  tally_error *error) {
    tally_error_clear(error);
    if (runtime == NULL)
        return tally_fail(error, TALLY_INVALID, "the runtime is NULL");
    if (context != NULL)
        *context = runtime->device.context;
    if (device != NULL)
        *device = runtime->device.id;
    return TALLY_OK;
}

tally_status tally_runtime_stats(tally_runtime *runtime, tally_stats *stats, tally_error *error) {
    tally_stats known = TALLY_STATS_INIT;
    tally_status status = tally_check_question(runtime, stats, "tally_stats", error);
    if (status != TALLY_OK)
        return status;
    tally_lock_acquire(&runtime->kernels.lock);
    known.programs = runtime->kernels.count;
    known.programs_built = runtime->kernels.built;
    known.programs_loaded = runtime->kernels.loaded;
    known.program_requests = runtime->kernels.requests;
    tally_lock_release(&runtime->kernels.lock);
    known.cache_hits = runtime->device.recall.store.hits;
    known.cache_misses = runtime->device.recall.store.misses;
    known.cache_writes = runtime->device.recall.store.writes;
    tally_struct_give(&known, sizeof known, stats);
    return TALLY_OK;
}
