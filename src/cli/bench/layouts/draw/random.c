/*
 * Random numbers and sizes for tally bench layouts. Part of what a seed means: a change here
 * changes the problems of every seed, and the tests' hashes say so. Knows no problem.
 */
#include "cli/bench/layouts/draw/random.h"

/* ---- Streams ------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

layouts_random layouts_random_stream(uint64_t seed, uint64_t index, uint64_t number) {
    return (layouts_random){mix(mix(mix(seed + GOLDEN) + index + GOLDEN) + number + GOLDEN)};
}

uint64_t layouts_random_next(layouts_random *random) {
    random->state += GOLDEN;
    return mix(random->state);
}

/* Limits are below 2^40: the remainder's bias is below 2^-24. */
uint64_t layouts_random_below(layouts_random *random, uint64_t limit) {
    const uint64_t draw = layouts_random_next(random);
    return limit > 0 ? draw % limit : 0;
}

bool layouts_random_percent(layouts_random *random, uint32_t percent) {
    return layouts_random_below(random, 100) < percent;
}

size_t layouts_random_pick(layouts_random *random, const uint32_t *weights, size_t count) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += weights[i];
    uint64_t placement = layouts_random_below(random, total);
    size_t i = 0;
    while (placement >= weights[i])
        placement -= weights[i++];
    return i;
}

/* ---- Logarithms ---------------------------------------------------------------------------- */

uint64_t layouts_power(uint32_t sixteenths) {
    /* 2^(31 + k/16), rounded down */
    static const uint32_t fraction[LAYOUTS_OCTAVE] = {
        2147483648u, 2242560871u, 2341847523u, 2445529971u, 2553802833u, 2666869344u,
        2784941737u, 2908241642u, 3037000499u, 3171459999u, 3311872529u, 3458501653u,
        3611622602u, 3771522796u, 3938502375u, 4112874773u};
    const uint64_t part = fraction[sixteenths % LAYOUTS_OCTAVE];
    const uint32_t octaves = sixteenths / LAYOUTS_OCTAVE;
    return octaves < 31 ? part >> (31 - octaves) : part << (octaves - 31);
}

uint32_t layouts_sixteenths(uint64_t number) {
    uint32_t octaves = 0;
    while (octaves < 63 && number >> octaves > 1)
        octaves++;
    uint32_t sixteenths = octaves * LAYOUTS_OCTAVE;
    while (sixteenths < 63 * LAYOUTS_OCTAVE && layouts_power(sixteenths + 1) <= number)
        sixteenths++;
    return sixteenths;
}

uint64_t layouts_random_size(layouts_random *random, uint32_t low, uint32_t high) {
    const uint32_t step = low + (uint32_t)layouts_random_below(random, high - low);
    const uint64_t first = layouts_power(step), end = layouts_power(step + 1);
    const uint64_t draw = layouts_random_next(random);
    return end > first ? first + draw % (end - first) : first;
}

/* ---- Sizes that are special ---------------------------------------------------------------- */

static bool is_prime(uint64_t n) {
    for (uint64_t k = 2; k * k <= n; k++)
        if (n % k == 0)
            return false;
    return true;
}

uint64_t layouts_prime_below(uint64_t n) {
    while (!is_prime(n))
        n--;
    return n;
}

uint64_t layouts_power_of_two(uint64_t n) {
    uint64_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return n - power <= 2 * power - n ? power : 2 * power;
}

uint64_t layouts_network_size(uint64_t n) {
    static const uint16_t sizes[] = {3,   5,   7,   10,   12,   14,   16,   24,   28,   32,   48,
                                     49,  50,  56,  64,   77,   80,   96,   100,  112,  128,  160,
                                     192, 196, 197, 224,  256,  257,  320,  384,  500,  512,  513,
                                     576, 640, 768, 1000, 1024, 1025, 1280, 1536, 2048, 3072, 4096};
    uint64_t nearest = sizes[0];
    for (size_t i = 1; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint64_t size = sizes[i];
        const uint64_t own = size > n ? size - n : n - size;
        const uint64_t best = nearest > n ? nearest - n : n - nearest;
        nearest = own < best ? size : nearest;
    }
    return nearest;
}
