/*
 * tally verify: the fixed set of problems on a device, as a text of hashes to be compared with
 * another device's. Knows the options; set, text and device are in the files of their names.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/options/numbers.h"
#include "cli/verify/run.h"
#include "platform/system.h"

typedef struct verify_options {
    common_options common;
    bool bits; /* cppcheck-suppress unusedStructMember; set by its position, read by nobody */
    bool each;
    bool list;
    const char *only; /* NULL: every group */
    uint32_t every;   /* 0: every problem */
    uint32_t repeat;  /* 0: one run */
    uint32_t parts;   /* 0: problems are not cut */
} verify_options;

#define COUNT_MAX 100000

static int parse_only(const char *text, void *into, cli_error *error) {
    *(const char **)into = text;
    if (verify_group_any(text))
        return CLI_DONE;
    return cli_misuse(error, "is in no group's name; names are such as 'f32 sum'");
}

static int parse_count(const char *text, const char *what, int64_t most, void *into,
                       cli_error *error) {
    int64_t value = 0;
    int status = number_signed(text, what, 1, most, &value, error);
    if (status == CLI_DONE && value < 1)
        return cli_misuse(error, "is below 1, the lowest %s", what);
    *(uint32_t *)into = (uint32_t)value;
    return status;
}

static int parse_every(const char *text, void *into, cli_error *error) {
    return parse_count(text, "step", COUNT_MAX, into, error);
}

static int parse_repeat(const char *text, void *into, cli_error *error) {
    return parse_count(text, "number of runs", COUNT_MAX, into, error);
}

static int parse_parts(const char *text, void *into, cli_error *error) {
    return parse_count(text, "number of parts", VERIFY_PARTS_MOST, into, error);
}

static const option options[] = {
    {"bits", NULL, "print the hashes of the results", value_flag, offsetof(verify_options, bits),
     true},
    {"only", "PATTERN", "the groups with this in their names, such as 'f32 sum';\ndefault: all",
     parse_only, offsetof(verify_options, only), false},
    {"every", "N", "of each group the first problem and every N-th; default: 1", parse_every,
     offsetof(verify_options, every), false},
    {"repeat", "N", "run each problem N times, and fail where runs differ; default: 1",
     parse_repeat, offsetof(verify_options, repeat), false},
    {"parts", "N", "compute each problem in N parts, along each axis in turn that can be cut",
     parse_parts, offsetof(verify_options, parts), false},
    {"each", NULL, "print a line for each problem as well", value_flag,
     offsetof(verify_options, each), false},
    {"list", NULL, "print the problems and compute nothing", value_flag,
     offsetof(verify_options, list), false},
};

/* On stderr: the text itself is the same on every device. */
static int print_device(const verify_session *session, cli_error *error) {
    char *name = device_text(session->device.id, CL_DEVICE_NAME);
    char *driver = device_text(session->device.id, CL_DRIVER_VERSION);
    int status = CLI_DONE;
    if (name == NULL || driver == NULL)
        status = cli_fail_memory(error, "the device's name");
    else
        fprintf(stderr, "%s, driver %s\n", name, driver);
    free(name);
    free(driver);
    return status;
}

static int open_device(const verify_options *given, verify_session *session,
                       verify_request *request, cli_error *error) {
    const device_request wanted = options_request(&given->common, false);
    int status = verify_session_open(session, &wanted, given->parts, error);
    if (status != CLI_DONE)
        return status;
    session->runs = given->repeat;
    request->without_f64 = device_number(session->device.id, CL_DEVICE_DOUBLE_FP_CONFIG) == 0;
    request->solve = verify_session_solve;
    request->user = session;
    return given->common.quiet ? CLI_DONE : print_device(session, error);
}

static void print_programs(const verify_session *session) {
    tally_stats stats = {.struct_size = sizeof stats};
    if (tally_runtime_stats(session->device.runtime, &stats, NULL) == TALLY_OK)
        fprintf(stderr, "%" PRIu64 " programs, ", stats.programs_built);
}

static int verify(const verify_options *given, verify_session *session, cli_error *error) {
    verify_request request = {.only = given->only,
                              .every = given->every,
                              .each = given->each || given->list,
                              .order = tally_order_version()};
    int status = given->list ? CLI_DONE : open_device(given, session, &request, error);
    if (status != CLI_DONE)
        return status;
    status = verify_report(&request);
    if (status == CLI_DONE && !given->list && given->parts > 0 && session->cut == 0)
        return cli_fail(error, "no axis of any of these problems can be cut");
    if (status < 0)
        return cli_fail_memory(error, "an output");
    if (status != CLI_DONE)
        cli_error_prefix(error, request.at, status);
    return status;
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    verify_options given = {.every = 0};
    verify_session session = {0};
    double began = tally_clock();
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = verify(&given, &session, error);
    if (status == CLI_DONE && given.common.time) {
        print_programs(&session);
        fprintf(stderr, "wall %.3f ms\n", (tally_clock() - began) * 1e3);
    }
    verify_session_close(&session);
    return status;
}

static const help_example examples[] = {
    {"tally verify --bits", "the hashes of all results, to compare with another device's"},
    {"tally verify --bits --only 'f32 sum' --each", "of one group, for each problem"},
    {NULL, NULL},
};

const command command_verify = {
    .name = "verify",
    .synopsis = "--bits",
    .summary = "Hash the results of a fixed set of problems, to compare devices",
    .notes =
        "The text on stdout is the same on every device that keeps the rules: a line for each\n"
        "function and type, a total for each type, and one of all. Compare two with diff. The\n"
        "device's name is printed on stderr, but for --quiet. Arithmetic of float64 is left out,\n"
        "and said to be, where the device has no fp64.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .kind = COMMAND_COMPUTES,
    .run = run,
};
