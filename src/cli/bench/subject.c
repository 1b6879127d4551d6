/*
 * The names of what tally bench measures. Knows no device.
 */
#include "cli/bench/subject.h"

#include <stddef.h>

const char *bench_subject_name(bench_subject subject) {
    static const char *const names[BENCH_SUBJECTS] = {
        [BENCH_REDUCE] = "reduce", [BENCH_SCAN] = "scan", [BENCH_DIAGONAL] = "diagonal"};
    return subject < BENCH_SUBJECTS ? names[subject] : NULL;
}
