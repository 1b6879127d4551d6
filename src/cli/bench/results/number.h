/*
 * Numbers of results, as tables show them. Knows nothing of what they count.
 */
#ifndef TALLY_CLI_BENCH_RESULTS_NUMBER_H
#define TALLY_CLI_BENCH_RESULTS_NUMBER_H

#define BENCH_NUMBER_BYTES 64

/* a / b; negative, which stands for not known, if either is not known. */
double bench_ratio(double a, double b);

/* The number with so many digits behind the point; "-" if it is not known. */
void bench_number_write(double number, int digits, char text[BENCH_NUMBER_BYTES]);

#endif
