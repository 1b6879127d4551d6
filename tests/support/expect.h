/*
 * expect.h: what a call of the library's inside must come back with, for tests that need no device.
 * It knows status codes, sentences and texts, nothing of what was called.
 */
#ifndef TESTS_SUPPORT_EXPECT_H
#define TESTS_SUPPORT_EXPECT_H

#include <tally/types.h>

/* A refusal: its status, and what its sentence must say; unused parts are NULL. */
#define EXPECT_PARTS 4
typedef struct expect {
    tally_status status;
    const char *parts[EXPECT_PARTS];
} expect;

/* The same as an initialiser. */
#define EXPECT(status, ...)                                                                        \
    {                                                                                              \
        status, {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* Fail the running test unless this is the refusal. what names the case in the failure. */
void expect_refusal(const char *what, const expect *wanted, tally_status status,
                    const tally_error *error);

/* Fail the running test, with the sentence, unless the call came back with TALLY_OK. */
void expect_ok(const char *what, tally_status status, const tally_error *error);

/* Fail the running test, with all of the text, unless it is there and has the part. */
void expect_part(const char *text, const char *part);

#endif
