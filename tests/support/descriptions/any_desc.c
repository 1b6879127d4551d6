/*
 * any_desc.c: the three operators.
 */
#include "any_desc.h"

static void expect_reduce(const void *desc, const void *input, oracle_value *expected) {
    oracle_reduce(desc, input, expected);
}

static void expect_cumulative(const void *desc, const void *input, oracle_value *expected) {
    oracle_cumulative(desc, input, expected);
}

static void expect_diagonal(const void *desc, const void *input, oracle_value *expected) {
    oracle_diagonal(desc, input, expected);
}

static void print_reduce(text *out, const void *desc) {
    describe_reduce(out, desc);
}

static void print_cumulative(text *out, const void *desc) {
    describe_cumulative(out, desc);
}

static void print_diagonal(text *out, const void *desc) {
    describe_diagonal(out, desc);
}

any_desc any_reduce(const tally_reduce *desc) {
    return (any_desc){desc, &desc->input, &desc->output, expect_reduce, print_reduce};
}

any_desc any_cumulative(const tally_cumulative *desc) {
    return (any_desc){desc, &desc->input, &desc->output, expect_cumulative, print_cumulative};
}

any_desc any_diagonal(const tally_diagonal *desc) {
    return (any_desc){desc, desc->input, &desc->output, expect_diagonal, print_diagonal};
}
