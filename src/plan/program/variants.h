/*
 * Which kernels a program holds: the variants of a spec. Knows nothing of their text.
 */
#ifndef TALLY_PLAN_PROGRAM_VARIANTS_H
#define TALLY_PLAN_PROGRAM_VARIANTS_H

#include "plan/spec.h"

/* Call visit with each spec whose kernel the program of spec holds. */
void tally_source_each_variant(const tally_spec *spec,
                               void (*visit)(const tally_spec *variant, void *user), void *user);

#endif
