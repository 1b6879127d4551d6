/*
 * share.h: how much of a long sweep runs. Compiling is most of it, and ci/test has to be done in
 * minutes: there, TALLY_TEST_SHARE is set in the environment, and a sweep takes one case in so
 * many. ci/test --all runs all of the cases, as does who starts a test by hand.
 */
#ifndef TESTS_SUPPORT_SHARE_H
#define TESTS_SUPPORT_SHARE_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether shares run, not all. */
bool share_is_asked_for(void);

/* Whether a sweep runs this case: each one, or one in so many, the one of index 0 among them. */
bool share_has(uint64_t index, uint64_t one_in);

/* Add those of a loop test's indices, from 0 on, that share_has has. */
void share_add_loop(TCase *tests, const TTest *test, int count, uint64_t one_in);

#endif
