/*
 * order_reference.c: the orders, without a thought for speed.
 */
#include "order_reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

double order_add_f32(double a, double b) {
    return (float)(a + b);
}

double order_multiply_f32(double a, double b) {
    return (float)(a * b);
}

double order_add_f64(double a, double b) {
    return a + b;
}

double order_multiply_f64(double a, double b) {
    return a * b;
}

static void *allocate(uint64_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL) {
        fprintf(stderr, "the order reference has no memory for %llu terms\n",
                (unsigned long long)count);
        abort();
    }
    return memory;
}

static double fold_block(const double *terms, uint64_t count, order_combine combine) {
    double lane[128];
    for (uint64_t i = 0; i < count; i++)
        lane[i % 128] = i < 128 ? terms[i] : combine(lane[i % 128], terms[i]);
    for (uint64_t half = 64; half > 0; half /= 2)
        for (uint64_t k = 0; k < half; k++)
            if (k + half < count) /* that lane has had a term */
                lane[k] = combine(lane[k], lane[k + half]);
    return lane[0];
}

double order_fold(const double *terms, uint64_t count, order_combine combine) {
    if (count <= 4096)
        return fold_block(terms, count, combine);
    const uint64_t blocks = (count + 4095) / 4096;
    double *results = allocate(blocks, sizeof *results);
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t left = count - b * 4096;
        results[b] = fold_block(terms + b * 4096, left < 4096 ? left : 4096, combine);
    }
    const double result = order_fold(results, blocks, combine);
    free(results);
    return result;
}

double order_fold_groups(const double *terms, uint32_t groups, const uint64_t *length,
                         order_combine combine) {
    if (groups == 0)
        return terms[0];
    uint64_t outer = 1, inner = length[0];
    for (uint32_t g = 1; g < groups; g++)
        outer *= length[g];
    double *results = allocate(outer, sizeof *results);
    for (uint64_t i = 0; i < outer; i++)
        results[i] = order_fold(terms + i * inner, inner, combine);
    const double result = order_fold_groups(results, groups - 1, length + 1, combine);
    free(results);
    return result;
}

uint32_t order_groups(uint32_t rank, const uint64_t *size, uint32_t axes, uint64_t *length) {
    uint32_t groups = 0;
    bool swept_before = false;
    for (uint32_t k = rank; k-- > 0;) {
        const bool swept = (axes >> k & 1) != 0;
        if (size[k] == 1)
            continue;
        if (swept && !swept_before)
            length[groups++] = 1;
        if (swept)
            length[groups - 1] *= size[k];
        swept_before = swept;
    }
    return groups;
}

/* Relative to the larger top, NaN the largest of all. */
static order_pair combine_pairs(order_pair a, order_pair b, const order_arithmetic *arithmetic) {
    const bool a_leads = a.top != a.top || a.top > b.top;
    const order_pair high = a_leads ? a : b, low = a_leads ? b : a;
    const double weighed =
        arithmetic->multiply(low.sum, arithmetic->exp_of_difference(low.top, high.top));
    const order_pair combined = {high.top, arithmetic->add(high.sum, weighed)};
    return combined;
}

static order_pair halve_pairs(order_pair *lane, uint64_t count,
                              const order_arithmetic *arithmetic) {
    for (uint64_t half = 64; half > 0; half /= 2)
        for (uint64_t k = 0; k < half; k++)
            if (k + half < count)
                lane[k] = combine_pairs(lane[k], lane[k + half], arithmetic);
    return lane[0];
}

static order_pair fold_block_of_pairs(const order_pair *terms, uint64_t count,
                                      const order_arithmetic *arithmetic) {
    order_pair lane[128];
    for (uint64_t i = 0; i < count; i++)
        lane[i % 128] = i < 128 ? terms[i] : combine_pairs(lane[i % 128], terms[i], arithmetic);
    return halve_pairs(lane, count, arithmetic);
}

/* Of the 8 elements of a lane that begin with the first, or as many as there are. */
static order_pair pair_of_run(const double *x, uint64_t first, uint64_t count,
                              const order_arithmetic *arithmetic) {
    const uint64_t end = first + UINT64_C(8) * 128 < count ? first + UINT64_C(8) * 128 : count;
    order_pair pair = {x[first], 0};
    for (uint64_t i = first; i < end; i += 128)
        pair.top = x[i] > pair.top || x[i] != x[i] ? x[i] : pair.top;
    for (uint64_t i = first; i < end; i += 128) {
        const double weight = arithmetic->exp_of_difference(x[i], pair.top);
        pair.sum = i == first ? weight : arithmetic->add(pair.sum, weight);
    }
    return pair;
}

static order_pair fold_block_of_exponents(const double *x, uint64_t count,
                                          const order_arithmetic *arithmetic) {
    order_pair lane[128];
    for (uint64_t k = 0; k < 128 && k < count; k++) {
        lane[k] = pair_of_run(x, k, count, arithmetic);
        for (uint64_t i = k + UINT64_C(8) * 128; i < count; i += UINT64_C(8) * 128)
            lane[k] = combine_pairs(lane[k], pair_of_run(x, i, count, arithmetic), arithmetic);
    }
    return halve_pairs(lane, count, arithmetic);
}

order_pair order_fold_pairs(const order_pair *terms, uint64_t count,
                            const order_arithmetic *arithmetic) {
    if (count <= 4096)
        return fold_block_of_pairs(terms, count, arithmetic);
    const uint64_t blocks = (count + 4095) / 4096;
    order_pair *results = allocate(blocks, sizeof *results);
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t left = count - b * 4096;
        results[b] = fold_block_of_pairs(terms + b * 4096, left < 4096 ? left : 4096, arithmetic);
    }
    const order_pair result = order_fold_pairs(results, blocks, arithmetic);
    free(results);
    return result;
}

order_pair order_fold_exponents(const double *x, uint64_t count,
                                const order_arithmetic *arithmetic) {
    const uint64_t blocks = (count + 4095) / 4096;
    order_pair *results = allocate(blocks, sizeof *results);
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t left = count - b * 4096;
        results[b] = fold_block_of_exponents(x + b * 4096, left < 4096 ? left : 4096, arithmetic);
    }
    const order_pair result = order_fold_pairs(results, blocks, arithmetic);
    free(results);
    return result;
}

/* Units of a level and how many of them make one of the next. */
#define LEVELS 4
static const uint64_t unit_terms[LEVELS] = {16, 256, 4096, 262144};
static const uint64_t units_together[LEVELS] = {16, 16, 64, UINT64_MAX};

/* The total of each complete unit of a level: the left fold of what it is made of. */
static double *fold_units(const double *parts, uint64_t count, uint64_t together,
                          order_combine combine) {
    double *totals = allocate(count / together, sizeof *totals);
    for (uint64_t i = 0; i < count / together * together; i++) {
        double *total = &totals[i / together];
        *total = i % together == 0 ? parts[i] : combine(*total, parts[i]);
    }
    return totals;
}

/* The left fold of those units before a term that are in the same unit of the next level. */
typedef struct units_before {
    double value;
    bool empty;
} units_before;

/* Of the term after `done` complete units, from that of the term after one less. */
static void take_unit(units_before *before, const double *totals, uint64_t done, uint64_t together,
                      order_combine combine) {
    const uint64_t here = done % together;
    before->empty = here == 0;
    if (here == 1)
        before->value = totals[done - 1];
    else if (here > 1)
        before->value = combine(before->value, totals[done - 1]);
}

void order_scan(const double *terms, uint64_t count, order_combine combine, double *results) {
    double *totals[LEVELS], in_unit = 0;
    units_before before[LEVELS];
    totals[0] = fold_units(terms, count, unit_terms[0], combine);
    for (int level = 1; level < LEVELS; level++)
        totals[level] = fold_units(totals[level - 1], count / unit_terms[level - 1],
                                   units_together[level - 1], combine);
    for (uint64_t i = 0; i < count; i++) {
        in_unit = i % unit_terms[0] == 0 ? terms[i] : combine(in_unit, terms[i]);
        results[i] = in_unit;
        for (int level = 0; level < LEVELS; level++) {
            if (i % unit_terms[level] == 0)
                take_unit(&before[level], totals[level], i / unit_terms[level],
                          units_together[level], combine);
            if (!before[level].empty)
                results[i] = combine(before[level].value, results[i]);
        }
    }
    for (int level = 0; level < LEVELS; level++)
        free(totals[level]);
}
