/*
 * reference_scan.c: what is visited, in which order, and what is written of it.
 */
#include "reference_scan.h"

#include <stdio.h>
#include <stdlib.h>

#include "reference.h"
#include "support/numbers/number.h"

static void *allocate(uint64_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL) {
        fprintf(stderr, "a scan by reference has no memory for %llu terms\n",
                (unsigned long long)count);
        abort();
    }
    return memory;
}

/* Sums and products of floats: in the order, rounded once when they are written. */
static void scan_rounding(const tally_cumulative *desc, uint64_t count, const uint64_t *visited,
                          uint64_t *inclusive) {
    const tally_dtype dtype = desc->input.dtype;
    const order_combine combines[2][2] = {{order_add_f32, order_multiply_f32},
                                          {order_add_f64, order_multiply_f64}};
    double *terms = allocate(count, sizeof *terms), *results = allocate(count, sizeof *results);
    for (uint64_t i = 0; i < count; i++)
        terms[i] = reference_decode(dtype, visited[i]);
    order_scan(terms, count, combines[dtype == TALLY_F64][desc->function == TALLY_MULTIPLY],
               results);
    for (uint64_t i = 0; i < count; i++)
        inclusive[i] = reference_encode(dtype, results[i]);
    free(results);
    free(terms);
}

/* The function of at most two terms. */
static uint64_t reduce(const tally_cumulative *desc, uint64_t *bits, uint64_t count) {
    double values[2];
    const tally_reduce pair = {
        .function = desc->function, .input = desc->input, .output = desc->output, .nan = desc->nan};
    const reference_terms terms = {
        .count = count, .groups = 1, .length = {count}, .bits = bits, .values = values};
    return reference_reduce(&pair, &terms);
}

/* Where no order bears on the bits: what is there so far with the next one. */
static void scan_exact(const tally_cumulative *desc, uint64_t count, const uint64_t *visited,
                       uint64_t *inclusive) {
    uint64_t pair[2];
    for (uint64_t i = 0; i < count; i++) {
        pair[i == 0 ? 0 : 1] = visited[i];
        pair[0] = reduce(desc, pair, i == 0 ? 1 : 2);
        inclusive[i] = pair[0];
    }
}

/* The index along the axis of the position that is visited after i others. */
static uint64_t position(const tally_cumulative *desc, uint64_t count, uint64_t i) {
    return desc->descending ? count - 1 - i : i;
}

void reference_scan(const tally_cumulative *desc, uint64_t count, const uint64_t *terms,
                    uint64_t *results) {
    const bool combines_round = number_is_float(desc->input.dtype) &&
                                (desc->function == TALLY_SUM || desc->function == TALLY_MULTIPLY);
    uint64_t *visited = allocate(count, sizeof *visited);
    uint64_t *inclusive = allocate(count, sizeof *inclusive);
    for (uint64_t i = 0; i < count; i++)
        visited[i] = terms[position(desc, count, i)];
    if (combines_round)
        scan_rounding(desc, count, visited, inclusive);
    else
        scan_exact(desc, count, visited, inclusive);
    for (uint64_t i = 0; i < count; i++)
        results[position(desc, count, i)] = !desc->exclusive ? inclusive[i]
                                            : i > 0          ? inclusive[i - 1]
                                                             : reduce(desc, NULL, 0);
    free(inclusive);
    free(visited);
}

bool reference_is_filled(const tally_diagonal *desc, uint64_t y, uint64_t x) {
    const int64_t t = (int64_t)x - (int64_t)y;
    if (desc->begin <= desc->end)
        return desc->begin <= t && t < desc->end;
    return !(desc->end <= t && t < desc->begin);
}
