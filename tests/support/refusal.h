/*
 * refusal.h: how a call must fail: with the right status, a sentence that has the words it must,
 * no OpenCL error, and the same without an error struct.
 */
#ifndef TESTS_SUPPORT_REFUSAL_H
#define TESTS_SUPPORT_REFUSAL_H

#include <tally/types.h>

/* What a refusal must say: its status, and up to three pieces of its message. NULL: nothing. */
typedef struct refusal {
    tally_status status;
    const char *words[3];
} refusal;

#define REFUSAL(status, ...) ((refusal){status, {__VA_ARGS__}})
#define INVALID(...) REFUSAL(TALLY_INVALID, __VA_ARGS__)
#define UNSUPPORTED(...) REFUSAL(TALLY_UNSUPPORTED, __VA_ARGS__)

/* Fail the running test unless this is how it went. */
void refusal_check(refusal expected, tally_status status, const tally_error *error);

/*
 * Create, with an error struct and without: the status and the words must be these, *op must be
 * NULL, and nothing may have been compiled. The check without a device must say the same.
 */
void refuse_reduce(const tally_reduce *desc, refusal expected);
void refuse_cumulative(const tally_cumulative *desc, refusal expected);
void refuse_diagonal(const tally_diagonal *desc, refusal expected);

#endif
