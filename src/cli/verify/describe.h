/*
 * The description that a problem of the fixed set is computed by. Knows the public API, no device.
 */
#ifndef TALLY_CLI_VERIFY_DESCRIBE_H
#define TALLY_CLI_VERIFY_DESCRIBE_H

#include <tally/tally.h>

#include "cli/verify/set/problem.h"

/* It points into the problem, whose fill gets its input. */
tally_desc verify_describe(verify_problem *problem);

#endif
