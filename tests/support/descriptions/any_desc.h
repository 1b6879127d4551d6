/*
 * any_desc.h: a description of any operator, with what its operator must come to and its C text.
 */
#ifndef TESTS_SUPPORT_DESCRIPTIONS_ANY_DESC_H
#define TESTS_SUPPORT_DESCRIPTIONS_ANY_DESC_H

#include "describe.h"

typedef struct any_desc {
    const void *desc;
    const tally_tensor *input; /* NULL: none is read */
    const tally_tensor *output;
    void (*expect)(const void *desc, const void *input, oracle_value *expected);
    void (*describe)(text *out, const void *desc);
} any_desc;

any_desc any_reduce(const tally_reduce *desc);
any_desc any_cumulative(const tally_cumulative *desc);
any_desc any_diagonal(const tally_diagonal *desc);

#endif
