/*
 * exhaustive.c: the functions of cl/core/math.cl, compiled as C, over all float32 inputs, and over
 * as many random ones of float64 and of quotients as one likes. Built with the tests, run by hand:
 *
 *   exhaustive FUNCTION [COUNT [THREADS]]
 *
 * FUNCTION is log or sqrt, for all 2^32 inputs, exp, for the 2^31 with a sign, or divide, exp64 or
 * log64, for random ones, by default 10^8, 10^7 and 10^7. COUNT 0 is the default; THREADS are 2.
 * Prints the worst error and its input, and fails if that is above 2 ULP, or above 0 for sqrt and
 * divide.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/numbers/math_check.h"

enum { THREADS_MOST = 256 };

typedef struct part {
    pthread_t thread;
    math_function function;
    uint64_t first, count;
    math_worst worst;
} part;

static void *check_part(void *user) {
    part *it = user;
    it->worst = math_check(it->function, it->first, it->count, 1);
    return NULL;
}

static math_worst check_all(math_function function, uint64_t count, unsigned threads) {
    static part parts[THREADS_MOST];
    math_worst worst = {-1, 0, 0};
    for (unsigned k = 0; k < threads; k++) {
        const uint64_t first = count / threads * k;
        const uint64_t end = k + 1 == threads ? count : first + count / threads;
        parts[k] = (part){.function = function, .first = first, .count = end - first};
        if (pthread_create(&parts[k].thread, NULL, check_part, &parts[k]) != 0) {
            fprintf(stderr, "exhaustive: thread %u of %u cannot be started\n", k + 1, threads);
            exit(2);
        }
    }
    for (unsigned k = 0; k < threads; k++) {
        pthread_join(parts[k].thread, NULL);
        if (parts[k].worst.ulp > worst.ulp)
            worst = parts[k].worst;
    }
    return worst;
}

/* The number, or 0 if that is no number or not there. */
static uint64_t number(int argc, char **argv, int position) {
    return argc > position ? strtoull(argv[position], NULL, 10) : 0;
}

int main(int argc, char **argv) {
    static const uint64_t counts[MATH_FUNCTIONS] = {
        (uint64_t)1 << 31, (uint64_t)1 << 32, (uint64_t)1 << 32, 100000000, 10000000, 10000000};
    math_function function = MATH_EXP_F32;
    while (argc > 1 && function < MATH_FUNCTIONS && strcmp(argv[1], math_name(function)) != 0)
        function++;
    if (argc < 2 || argc > 4 || function == MATH_FUNCTIONS) {
        fprintf(stderr, "exhaustive exp|log|sqrt|divide|exp64|log64 [COUNT [THREADS]]\n");
        return 2;
    }
    const uint64_t asked = number(argc, argv, 2), threads = number(argc, argv, 3);
    const uint64_t count = asked == 0 ? counts[function] : asked;
    const unsigned used = threads == 0             ? 2
                          : threads > THREADS_MOST ? THREADS_MOST
                                                   : (unsigned)threads;
    const math_worst worst = check_all(function, count, used);
    printf("%s: %llu inputs, worst %.4f ULP at 0x%llX", argv[1], (unsigned long long)count,
           worst.ulp, (unsigned long long)worst.bits);
    if (function == MATH_DIVIDE_F32)
        printf(" / 0x%llX", (unsigned long long)worst.other);
    printf("\n");
    return worst.ulp <= (function == MATH_SQRT_F32 || function == MATH_DIVIDE_F32 ? 0 : 2) ? 0 : 1;
}
