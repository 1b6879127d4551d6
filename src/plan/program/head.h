/*
 * The head of a program: all that its kernels share. Knows nothing of variants.
 */
#ifndef TALLY_PLAN_PROGRAM_HEAD_H
#define TALLY_PLAN_PROGRAM_HEAD_H

#include "base/text.h"
#include "plan/spec.h"

/* What stands before the kernels: types, numbers and, where there is one, the function. */
void tally_program_write_head(const tally_spec *spec, tally_text *source);

#endif
