/*
 * fail.h: the end of a test whose sentence says what is not so. What judges, and serves fuzzers as
 * well, ends with it: under Check the running test fails; a fuzzer has a fail_with of its own,
 * which ends the program, so that the input is kept.
 */
#ifndef TESTS_SUPPORT_FAIL_H
#define TESTS_SUPPORT_FAIL_H

#include <stdnoreturn.h>

noreturn void fail_with(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
