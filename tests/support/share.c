/*
 * share.c: the environment is asked each time; it costs nothing beside a case.
 */
#include "share.h"

#include <stdlib.h>

bool share_is_asked_for(void) {
    return getenv("TALLY_TEST_SHARE") != NULL;
}

bool share_has(uint64_t index, uint64_t one_in) {
    return !share_is_asked_for() || index % one_in == 0;
}

void share_add_loop(TCase *tests, const TTest *test, int count, uint64_t one_in) {
    for (int i = 0; i < count; i++)
        if (share_has((uint64_t)i, one_in))
            tcase_add_loop_test(tests, test, i, i + 1);
}
