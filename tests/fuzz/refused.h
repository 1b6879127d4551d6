/*
 * refused.h: what every refusal must be like, whatever was refused.
 */
#ifndef TESTS_FUZZ_REFUSED_H
#define TESTS_FUZZ_REFUSED_H

#include <stdbool.h>

#include <tally/types.h>

/*
 * True if the call came back with TALLY_OK, and then the error must be empty; else it must have the
 * status and one sentence.
 */
bool refused_check(tally_status status, const tally_error *error);

#endif
