/*
 * coverage.c: counters.
 */
#include "coverage.h"

#include <inttypes.h>
#include <stdio.h>

#include "programs.h"
#include "sample.h"
#include "support/fixtures/fixture.h"
#include "support/oracle/oracle.h"

/* Terms of a block of a fold or a tile of a scan: beyond them there is more than one. */
#define BLOCK 4096

#define FORMS_MOST 256
static struct {
    uint64_t kinds[PROBLEM_KINDS];
    uint64_t pairs[PROBLEM_PAIRS];
    uint64_t ranks[TALLY_MAX_RANK + 1];
    uint64_t values[VALUES_CLASSES];
    uint64_t packed, repeated, in_place, empty, large;
    uint32_t forms; /* of programs: schedule, ranks, index width; without functions and types */
    tally_spec form[FORMS_MOST];
} seen;

static bool is_empty(const tally_tensor *tensor) {
    return oracle_count(tensor) == 0;
}

static bool repeats(const tally_tensor *tensor) {
    for (uint32_t k = 0; k < tensor->rank; k++)
        if ((tensor->flags & TALLY_STRIDED) != 0 && tensor->size[k] > 1 && tensor->stride[k] == 0)
            return true;
    return false;
}

static void note_forms(const problem *it) {
    programs needed;
    programs_of(it, &needed);
    for (uint32_t i = 0; i < needed.count && seen.forms < FORMS_MOST; i++) {
        const tally_spec *key = &needed.key[i];
        const tally_spec form = {.schedule = key->schedule,
                                 .kept_rank = key->kept_rank,
                                 .swept_rank = key->swept_rank,
                                 .index_bits = key->index_bits};
        programs_add(seen.form, &seen.forms, &form);
    }
}

void coverage_note(uint32_t pair, const problem *it) {
    problem copy = *it;
    const tally_tensor *input = problem_input(&copy), *output = problem_output(&copy);
    seen.kinds[it->kind]++;
    seen.pairs[pair]++;
    seen.ranks[output->rank]++;
    seen.values[it->how.values]++;
    seen.in_place += it->how.in_place;
    seen.packed += output->flags == 0 && (input == NULL || input->flags == 0);
    seen.repeated += input != NULL && repeats(input);
    seen.empty += is_empty(output) || (input != NULL && is_empty(input));
    seen.large += oracle_count(input != NULL ? input : output) > BLOCK;
    note_forms(it);
}

uint64_t coverage_problems(void) {
    return seen.kinds[PROBLEM_REDUCE] + seen.kinds[PROBLEM_CUMULATIVE] +
           seen.kinds[PROBLEM_DIAGONAL];
}

static uint32_t count_used(const uint64_t *counts, uint32_t count) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        used += counts[i] > 0;
    return used;
}

static bool has_each_pair(uint64_t seed) {
    for (uint32_t pair = 0; pair < PROBLEM_PAIRS; pair++)
        if (seen.pairs[pair] == 0 && sample_has_pair(seed, pair))
            return false;
    return true;
}

bool coverage_is_complete(uint64_t seed) {
    return has_each_pair(seed) &&
           count_used(seen.ranks, TALLY_MAX_RANK + 1) == TALLY_MAX_RANK + 1 &&
           count_used(seen.values, VALUES_CLASSES) == VALUES_CLASSES;
}

void coverage_print(uint64_t seed) {
    tally_stats stats = {.struct_size = sizeof stats};
    tally_error error;
    if (tally_runtime_stats(fixture_get()->runtime, &stats, &error) != TALLY_OK)
        printf("tally_runtime_stats: %s\n", error.message);
    printf("covered: %u of %d pairs of function and type, %u of %d ranks, %u of %d classes of "
           "values, %u forms of kernels\n",
           count_used(seen.pairs, PROBLEM_PAIRS), PROBLEM_PAIRS,
           count_used(seen.ranks, TALLY_MAX_RANK + 1), TALLY_MAX_RANK + 1,
           count_used(seen.values, VALUES_CLASSES), VALUES_CLASSES, seen.forms);
    printf("of the problems: %" PRIu64 " all packed, %" PRIu64 " with a stride of 0, %" PRIu64
           " in place, %" PRIu64 " with an empty tensor, %" PRIu64 " of more than %d elements\n",
           seen.packed, seen.repeated, seen.in_place, seen.empty, seen.large, BLOCK);
    printf("seed %" PRIu64 ": %" PRIu64 " problems ran: %" PRIu64 " reduce, %" PRIu64
           " cumulative, %" PRIu64 " diagonal; %" PRIu64 " programs built\n",
           seed, coverage_problems(), seen.kinds[PROBLEM_REDUCE], seen.kinds[PROBLEM_CUMULATIVE],
           seen.kinds[PROBLEM_DIAGONAL], stats.programs_built);
}
