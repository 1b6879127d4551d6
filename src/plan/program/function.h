/*
 * The function of a spec as OpenCL C: its row of the table of functions, as small functions over
 * terms. Knows nothing of schedules.
 */
#ifndef TALLY_PLAN_PROGRAM_FUNCTION_H
#define TALLY_PLAN_PROGRAM_FUNCTION_H

#include "base/text.h"
#include "plan/spec.h"

/* The function's row: its expressions as functions over terms. */
void tally_program_write_function(const tally_spec *spec, tally_text *source);

/* The expressions once more, over vectors. */
void tally_program_write_function_all(const tally_spec *spec, tally_text *source);

#endif
