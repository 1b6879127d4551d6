/*
 * main.c: the text of tally verify --bits without a device: the program's own set and text, solved
 * by plain C.
 *
 *   verify_reference [--only PATTERN] [--every N] [--each] [--without-f64]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verify/set/report.h"
#include "support/numbers/number.h"
#include "support/oracle/oracle.h"
#include "support/reference/reference.h"
#include "support/reference/reference_scan.h"
#include "cli/tables/types.h"

/* ---- Inputs -------------------------------------------------------------------------------- */

typedef struct inputs {
    tally_dtype dtype; /* of those that are there */
    uint64_t elements[VERIFY_CLASSES];
    unsigned char *bytes[VERIFY_CLASSES];
} inputs;

static void *allocate(uint64_t bytes) {
    void *memory = malloc((size_t)bytes + 1);
    if (memory == NULL) {
        fprintf(stderr, "verify_reference: no memory for %llu bytes\n", (unsigned long long)bytes);
        exit(1);
    }
    return memory;
}

static void forget(inputs *all) {
    for (size_t i = 0; i < VERIFY_CLASSES; i++)
        free(all->bytes[i]);
    memset(all, 0, sizeof *all);
}

/* The class's elements, as many as the problem reaches. */
static const unsigned char *input_of(inputs *all, const verify_problem *problem) {
    const tally_dtype dtype = problem->input.dtype;
    const verify_class values = problem->values;
    if (all->dtype != dtype)
        forget(all);
    all->dtype = dtype;
    if (all->bytes[values] == NULL || all->elements[values] < problem->input_elements) {
        free(all->bytes[values]);
        all->elements[values] = problem->input_elements;
        all->bytes[values] = allocate(problem->input_elements * cli_type_bytes(dtype));
        verify_fill(dtype, values, problem->input_elements, all->bytes[values]);
    }
    return all->bytes[values] + problem->skip * cli_type_bytes(dtype);
}

/* ---- Terms --------------------------------------------------------------------------------- */

/* Some axes of input and output, to be walked row-major. */
typedef struct walk {
    uint32_t rank;
    uint64_t size[TALLY_MAX_RANK], at[TALLY_MAX_RANK];
    uint64_t in[TALLY_MAX_RANK], out[TALLY_MAX_RANK]; /* steps in elements */
    uint64_t in_offset, out_offset;
} walk;

static walk walk_over(const verify_problem *problem, uint32_t axes) {
    walk path = {0};
    for (uint32_t k = 0; k < problem->input.rank; k++) {
        if ((axes >> k & 1) == 0)
            continue;
        path.size[path.rank] = problem->input.size[k];
        path.in[path.rank] = oracle_stride(&problem->input, k);
        path.out[path.rank++] = oracle_stride(&problem->output, k);
    }
    return path;
}

static uint64_t length_of(const walk *path) {
    uint64_t length = 1;
    for (uint32_t k = 0; k < path->rank; k++)
        length *= path->size[k];
    return length;
}

/* On to the next position, from the last one to the first. */
static void advance(walk *path) {
    for (uint32_t k = path->rank; k-- > 0;) {
        path->in_offset += path->in[k];
        path->out_offset += path->out[k];
        if (++path->at[k] < path->size[k])
            return;
        path->at[k] = 0;
        path->in_offset -= path->in[k] * path->size[k];
        path->out_offset -= path->out[k] * path->size[k];
    }
}

/* ---- Kinds of problems --------------------------------------------------------------------- */

static void reduce(const verify_problem *problem, const unsigned char *input,
                   unsigned char *output) {
    const tally_reduce *desc = &problem->reduce;
    const size_t in_bytes = number_bytes(desc->input.dtype);
    const size_t out_bytes = number_bytes(desc->output.dtype);
    walk kept = walk_over(problem, ~desc->axes), swept = walk_over(problem, desc->axes);
    const uint64_t outputs = length_of(&kept);
    reference_terms terms = {.count = length_of(&swept)};
    terms.groups = order_groups(desc->input.rank, desc->input.size, desc->axes, terms.length);
    terms.bits = allocate(terms.count * sizeof *terms.bits);
    terms.values = allocate(terms.count * sizeof *terms.values);
    for (uint64_t o = 0; o < outputs; o++, advance(&kept)) {
        for (uint64_t i = 0; i < terms.count; i++, advance(&swept))
            terms.bits[i] = number_load(desc->input.dtype,
                                        input + (kept.in_offset + swept.in_offset) * in_bytes);
        number_store(desc->output.dtype, output + kept.out_offset * out_bytes,
                     reference_reduce(desc, &terms));
    }
    free(terms.bits);
    free(terms.values);
}

static void scan(const verify_problem *problem, const unsigned char *input, unsigned char *output) {
    const tally_cumulative *desc = &problem->scan;
    const tally_dtype dtype = desc->input.dtype;
    const size_t bytes = number_bytes(dtype);
    const uint32_t axes = UINT32_C(1) << desc->axis;
    walk kept = walk_over(problem, ~axes), along = walk_over(problem, axes);
    const uint64_t sequences = length_of(&kept), count = length_of(&along);
    uint64_t *terms = allocate(count * sizeof *terms), *results = allocate(count * sizeof *results);
    for (uint64_t o = 0; o < sequences; o++, advance(&kept)) {
        for (uint64_t i = 0; i < count; i++, advance(&along))
            terms[i] = number_load(dtype, input + (kept.in_offset + along.in_offset) * bytes);
        reference_scan(desc, count, terms, results);
        for (uint64_t i = 0; i < count; i++, advance(&along))
            number_store(dtype, output + (kept.out_offset + along.out_offset) * bytes, results[i]);
    }
    free(results);
    free(terms);
}

/* input is NULL where there is none. */
static void fill(const verify_problem *problem, const unsigned char *input, unsigned char *output) {
    const tally_diagonal *desc = &problem->fill;
    const tally_dtype dtype = desc->output.dtype;
    const size_t bytes = number_bytes(dtype);
    walk all = walk_over(problem, UINT32_MAX);
    const uint64_t elements = length_of(&all), *y = &all.at[all.rank - 2], *x = y + 1;
    for (uint64_t i = 0; i < elements; i++, advance(&all)) {
        const uint64_t left = input != NULL ? number_load(dtype, input + all.in_offset * bytes) : 0;
        number_store(dtype, output + all.out_offset * bytes,
                     reference_is_filled(desc, *y, *x) ? desc->value.u64 : left);
    }
}

/* ---- Problems ------------------------------------------------------------------------------ */

static int solve(void *user, const verify_problem *problem, unsigned char *output, size_t bytes) {
    static void (*const solvers[VERIFY_KINDS])(const verify_problem *, const unsigned char *,
                                               unsigned char *) = {
        [VERIFY_REDUCE] = reduce, [VERIFY_SCAN] = scan, [VERIFY_FILL] = fill};
    unsigned char *own = NULL;
    const unsigned char *input = NULL;
    if (problem->in_place)
        input = own = memcpy(allocate(bytes), output, bytes);
    else if (problem->has_input)
        input = input_of(user, problem);
    solvers[problem->kind](problem, input, output);
    free(own);
    return 0;
}

/* ---- The command line ---------------------------------------------------------------------- */

static void misuse(const char *argument) {
    fprintf(stderr, "verify_reference: what is %s?\n", argument);
    exit(2);
}

int main(int argc, char **argv) {
    inputs all = {0};
    verify_request request = {.order = ORDER_REFERENCE_VERSION, .solve = solve, .user = &all};
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--each") == 0)
            request.each = true;
        else if (strcmp(argv[i], "--without-f64") == 0)
            request.without_f64 = true;
        else if (more && strcmp(argv[i], "--only") == 0)
            request.only = argv[++i];
        else if (more && strcmp(argv[i], "--every") == 0)
            request.every = (uint32_t)strtoul(argv[++i], NULL, 10);
        else
            misuse(argv[i]);
    }
    const int status = verify_report(&request);
    forget(&all);
    return status == 0 ? 0 : 1;
}
