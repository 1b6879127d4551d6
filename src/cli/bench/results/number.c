/*
 * Numbers of results, as tables show them.
 */
#include "cli/bench/results/number.h"

#include <stdio.h>

double bench_ratio(double a, double b) {
    return a >= 0 && b > 0 ? a / b : -1;
}

void bench_number_write(double number, int digits, char text[BENCH_NUMBER_BYTES]) {
    if (number < 0)
        snprintf(text, BENCH_NUMBER_BYTES, "-");
    else
        snprintf(text, BENCH_NUMBER_BYTES, "%.*f", digits, number);
}
