/*
 * Random numbers and sizes for tally bench layouts. Integers only, so that a seed gives the same
 * numbers on every machine. Knows no problem.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_DRAW_RANDOM_H
#define TALLY_CLI_BENCH_LAYOUTS_DRAW_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stream of random numbers: splitmix64. */
typedef struct layouts_random {
    uint64_t state;
} layouts_random;

/* Streams of different seeds, indices and numbers have nothing to do with one another. */
layouts_random layouts_random_stream(uint64_t seed, uint64_t index, uint64_t number);

uint64_t layouts_random_next(layouts_random *random);

/* Uniform in [0, limit); 0 if the limit is 0. */
uint64_t layouts_random_below(layouts_random *random, uint64_t limit);

bool layouts_random_percent(layouts_random *random, uint32_t percent);

/* An index into the weights, with a probability proportional to its weight. */
size_t layouts_random_pick(layouts_random *random, const uint32_t *weights, size_t count);

/*
 * Logarithms are in sixteenths of an octave: 16 steps double a number. layouts_power(k) is
 * 2^(k/16), rounded down; k is at most 63 * 16. layouts_sixteenths(n) is the largest k with
 * layouts_power(k) <= n, for n of at least 1.
 */
#define LAYOUTS_OCTAVE 16u
uint64_t layouts_power(uint32_t sixteenths);
uint32_t layouts_sixteenths(uint64_t number);

/* Log-uniform from 2^(low/16) to 2^(high/16); low is below high. Takes two numbers of the stream.
 */
uint64_t layouts_random_size(layouts_random *random, uint32_t low, uint32_t high);

/* The largest prime that is at most n; n is at least 2. */
uint64_t layouts_prime_below(uint64_t n);

/* The nearest power of two, on a linear scale; n is at least 1. */
uint64_t layouts_power_of_two(uint64_t n);

/* The nearest of the sizes that networks use; of two equally near the smaller. */
uint64_t layouts_network_size(uint64_t n);

#endif
