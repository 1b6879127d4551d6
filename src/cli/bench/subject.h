/*
 * The kinds of operators that tally bench measures, a benchmark for each. Plain names; no device
 * and no library.
 */
#ifndef TALLY_CLI_BENCH_SUBJECT_H
#define TALLY_CLI_BENCH_SUBJECT_H

typedef enum bench_subject {
    BENCH_REDUCE,
    BENCH_SCAN,
    BENCH_DIAGONAL,
    BENCH_SUBJECTS
} bench_subject;

/* "scan"; NULL for BENCH_SUBJECTS. */
const char *bench_subject_name(bench_subject subject);

#endif
