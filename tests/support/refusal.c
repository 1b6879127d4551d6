/*
 * refusal.c: calls that must fail, and what they leave behind.
 */
#include "refusal.h"

#include <string.h>

#include <check.h>

#include "support/fixtures/fixture.h"

void refusal_check(refusal expected, tally_status status, const tally_error *error) {
    const size_t length = strlen(error->message);
    ck_assert_msg(status == expected.status, "status is %s, not %s: %s", tally_status_name(status),
                  tally_status_name(expected.status), error->message);
    ck_assert_msg(error->status == status, "the error struct has status %s, the call returned %s",
                  tally_status_name(error->status), tally_status_name(status));
    ck_assert_msg(error->cl_code == 0, "cl_code is %d: %s", (int)error->cl_code, error->message);
    ck_assert_msg(length > 10 && length < sizeof error->message, "the message is '%s'",
                  error->message);
    ck_assert_msg(strchr(error->message, '\n') == NULL, "more than a sentence: %s", error->message);
    for (size_t k = 0; k < 3 && expected.words[k] != NULL; k++) {
        ck_assert_msg(strstr(error->message, expected.words[k]) != NULL, "no '%s' in: %s",
                      expected.words[k], error->message);
    }
}

static uint64_t programs_built(void) {
    tally_stats stats = TALLY_STATS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_stats(fixture_get()->runtime, &stats, &error), &error, "stats");
    return stats.programs_built;
}

/* The calls that make an operator, and that say whether it could be made. */
typedef struct calls {
    tally_status (*create)(const void *desc, tally_op **op, tally_error *error);
    tally_status (*check)(const void *desc, const tally_device_limits *limits, tally_error *error);
} calls;

#define CALLS(name)                                                                                \
    static tally_status create_##name(const void *desc, tally_op **op, tally_error *error) {       \
        return tally_##name##_create(fixture_get()->runtime, desc, op, error);                     \
    }                                                                                              \
    static tally_status check_##name(const void *desc, const tally_device_limits *limits,          \
                                     tally_error *error) {                                         \
        return tally_##name##_check(desc, limits, error);                                          \
    }                                                                                              \
    static const calls name = {create_##name, check_##name};
CALLS(reduce)
CALLS(cumulative)
CALLS(diagonal)

/* What is asked without a device has the same answer, word for word. */
static void check_question(const calls *of, const void *desc, const tally_error *created) {
    tally_device_limits limits = TALLY_DEVICE_LIMITS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_limits(fixture_get()->runtime, &limits, &error), &error, "limits");
    memset(&error, 0x55, sizeof error);
    ck_assert_int_eq(of->check(desc, &limits, &error), created->status);
    ck_assert_str_eq(error.message, created->message);
    ck_assert_int_eq(of->check(desc, &limits, NULL), created->status);
}

static void refuse(const calls *of, const void *desc, refusal expected) {
    const uint64_t built = programs_built();
    tally_error error;
    int position = 0;
    tally_op *op = (tally_op *)(void *)&position; /* anything that is not NULL */
    memset(&error, 0x55, sizeof error);
    const tally_status status = of->create(desc, &op, &error);
    refusal_check(expected, status, &error);
    ck_assert_ptr_null(op);
    op = (tally_op *)(void *)&position;
    ck_assert_int_eq(of->create(desc, &op, NULL), expected.status);
    ck_assert_ptr_null(op);
    check_question(of, desc, &error);
    ck_assert_uint_eq(programs_built(), built);
}

void refuse_reduce(const tally_reduce *desc, refusal expected) {
    refuse(&reduce, desc, expected);
}

void refuse_cumulative(const tally_cumulative *desc, refusal expected) {
    refuse(&cumulative, desc, expected);
}

void refuse_diagonal(const tally_diagonal *desc, refusal expected) {
    refuse(&diagonal, desc, expected);
}
