/*
 * The sizes of a random problem: log-uniform ones for all axes but one, which takes what is left of
 * the bytes. Part of what a seed means, as random.c is.
 */
#include "cli/bench/layouts/draw/parts.h"
#include "cli/tables/functions.h"

#define ATTEMPTS 1000

/* ---- Sizes --------------------------------------------------------------------------------- */

static uint64_t keep(uint64_t n) {
    return n;
}

static uint64_t make_odd(uint64_t n) {
    return n | 1;
}

/* A size as it was drawn is then, in equal parts, one of these. */
typedef uint64_t shaper(uint64_t n);
static shaper *const shapers[] = {keep, make_odd, layouts_prime_below, layouts_power_of_two,
                                  layouts_network_size};
#define SHAPERS (sizeof shapers / sizeof shapers[0])

/* The sizes of drawn axes go up to this many octaves, those of a repeated one up to fewer. */
#define OCTAVES_MAX 12u
#define OCTAVES_REPEATED 4u

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* The upper end of a drawn size: 3/2 of the axis's share of what there is to share. */
static uint32_t highest(const layouts_problem *problem, uint32_t element_bytes) {
    const uint32_t all = (uint32_t)problem->from.log2 * LAYOUTS_OCTAVE -
                         layouts_sixteenths(element_bytes) / LAYOUTS_OCTAVE * LAYOUTS_OCTAVE;
    const uint32_t others = problem->input.rank > 1 ? problem->input.rank - 1 : 1;
    const uint32_t left = all - LAYOUTS_OCTAVE;
    return least(least(left, left * 3 / (2 * others)), OCTAVES_MAX * LAYOUTS_OCTAVE);
}

/* Bytes of the elements, without gaps. */
static uint64_t input_bytes(const layouts_problem *problem) {
    uint64_t bytes = cli_type_bytes(problem->input.dtype);
    for (uint32_t k = 0; k < problem->input.rank; k++)
        bytes *= problem->input.size[k];
    return bytes;
}

static uint64_t output_bytes(const layouts_problem *problem) {
    uint64_t bytes = cli_type_bytes(problem->output.dtype);
    for (uint32_t k = 0; k < problem->input.rank; k++)
        bytes *= layouts_is_reduced(problem, k) ? 1 : problem->input.size[k];
    return bytes;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static bool is_in_bounds(const layouts_problem *problem) {
    const uint32_t middle = (uint32_t)problem->from.log2 * LAYOUTS_OCTAVE;
    const uint64_t bytes = larger(input_bytes(problem), output_bytes(problem));
    return bytes >= layouts_power(middle - LAYOUTS_OCTAVE / 2) &&
           bytes <= layouts_power(middle + LAYOUTS_OCTAVE / 2);
}

/* Give the remaining axis what the others leave of the bytes; false if that is less than 2. */
static bool set_remaining(layouts_problem *problem, uint32_t remaining, uint64_t bytes,
                          layouts_random *random) {
    uint64_t *size = &problem->input.size[remaining];
    const uint64_t rounding = layouts_random_below(random, 100);
    *size = 1;
    const uint64_t in = input_bytes(problem), out = output_bytes(problem);
    const uint64_t unit = layouts_is_reduced(problem, remaining) ? in : larger(in, out);
    const uint64_t exact = (bytes + unit / 2) / unit;
    if (exact < 2)
        return false;
    *size = rounding < LAYOUTS_REMAINING_ODD ? make_odd(exact)
            : rounding < LAYOUTS_REMAINING_ODD + LAYOUTS_REMAINING_PRIME
                ? layouts_prime_below(exact)
                : exact;
    if (!is_in_bounds(problem))
        *size = exact;
    return is_in_bounds(problem);
}

static bool draw_sizes(layouts_problem *problem, uint32_t remaining, layouts_random random) {
    const uint32_t in = cli_type_bytes(problem->input.dtype);
    const uint32_t out = cli_type_bytes(problem->output.dtype);
    const uint32_t high = highest(problem, problem->axes == 0 && out > in ? out : in);
    /* A little less than half an octave to either side, since the last axis is rounded. */
    const uint32_t aim = (uint32_t)problem->from.log2 * LAYOUTS_OCTAVE - 6 +
                         (uint32_t)layouts_random_below(&random, 13);
    const uint64_t bytes = layouts_power(aim);
    uint64_t product = in;
    for (uint32_t k = 0; k < problem->input.rank; k++) {
        if (k == remaining)
            continue;
        const uint32_t top = k == problem->input_placement.repeated
                                 ? least(high, OCTAVES_REPEATED * LAYOUTS_OCTAVE)
                                 : high;
        const uint64_t size = layouts_random_size(&random, LAYOUTS_OCTAVE, top);
        problem->input.size[k] = shapers[layouts_random_below(&random, SHAPERS)](size);
        product *= problem->input.size[k];
        if (product > bytes)
            return false;
    }
    return set_remaining(problem, remaining, bytes, &random);
}

/* 2 along each axis but the remaining one, which always fits. */
static void set_least_sizes(layouts_problem *problem, uint32_t remaining) {
    layouts_random random = layouts_stream(problem, LAYOUTS_STREAM_SIZES);
    for (uint32_t k = 0; k < problem->input.rank; k++)
        problem->input.size[k] = 2;
    set_remaining(problem, remaining, layouts_power((uint32_t)problem->from.log2 * LAYOUTS_OCTAVE),
                  &random);
}

/* An index that does not fit the type that was drawn for it is 64 bits wide. */
static void widen_index(layouts_problem *problem) {
    uint64_t terms = 1;
    for (uint32_t k = 0; k < problem->input.rank; k++)
        terms *= (problem->axes >> k & 1) != 0 ? problem->input.size[k] : 1;
    if (cli_function_is_index(problem->function) && terms > UINT64_C(1) << 31)
        problem->output.dtype = TALLY_I64;
}

void layouts_set_sizes(layouts_problem *problem, uint32_t remaining) {
    uint64_t attempt = 0;
    while (attempt < ATTEMPTS &&
           !draw_sizes(problem, remaining, layouts_stream(problem, LAYOUTS_STREAM_SIZES + attempt)))
        attempt++;
    if (attempt == ATTEMPTS)
        set_least_sizes(problem, remaining);
    for (uint32_t k = 0; k < problem->input.rank; k++)
        problem->output.size[k] = layouts_is_reduced(problem, k) ? 1 : problem->input.size[k];
    widen_index(problem);
}
