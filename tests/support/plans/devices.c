/*
 * devices.c: lists of limits and their combinations.
 */
#include "devices.h"

#include "support/numbers/number.h"

static const uint64_t group_maxes[] = {1, 2, 7, 64, 100, 128, 256, 443, 1024, 4096};
static const uint64_t local_memories[] = {16384, 32767, 32768, 33246, 49152};
static const uint32_t unit_counts[] = {1, 2, 132};
static const tally_family families[] = {TALLY_FAMILY_GPU, TALLY_FAMILY_CPU, TALLY_FAMILY_GENERIC};
#define LENGTH(array) (uint32_t)(sizeof array / sizeof array[0])

uint32_t plan_devices_count(void) {
    return LENGTH(group_maxes) * LENGTH(local_memories) * LENGTH(unit_counts) * LENGTH(families) *
           4 * 3;
}

/* The digits of index in a number system of as many bases as there are limits. */
tally_limits plan_devices_at(uint32_t index) {
    tally_limits limits;
    limits.group_max = group_maxes[index % LENGTH(group_maxes)];
    index /= LENGTH(group_maxes);
    limits.family = families[index % LENGTH(families)];
    index /= LENGTH(families);
    limits.units = unit_counts[index % LENGTH(unit_counts)];
    index /= LENGTH(unit_counts);
    limits.address_bits = index % 2 != 0 ? 32 : 64;
    index /= 2;
    limits.has_f64 = index % 2 == 0;
    index /= 2;
    limits.local_bytes = local_memories[index % LENGTH(local_memories)];
    index /= LENGTH(local_memories);
    limits.single_pass = index % 3 != 0;
    limits.word_bytes = index % 3 == 1 ? 4 : 8;
    return limits;
}

bool plan_devices_can_run(const tally_problem *problem, const tally_limits *limits) {
    const uint64_t most = limits->address_bits == 32 ? UINT32_MAX : UINT64_MAX;
    const bool arithmetic = problem->kind != TALLY_KIND_FILL;
    return problem->output_extent == 0 ||
           ((!arithmetic || problem->input != TALLY_F64 || limits->has_f64) &&
            problem->input_extent * number_bytes(problem->input) <= most &&
            problem->output_extent * number_bytes(problem->output) <= most);
}
