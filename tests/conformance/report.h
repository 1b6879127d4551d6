/*
 * report.h: counting the cases of each operator and saying, by name, what did not pass and why.
 */
#ifndef TESTS_CONFORMANCE_REPORT_H
#define TESTS_CONFORMANCE_REPORT_H

#include "model.h"

typedef struct score {
    unsigned found, passed;
    uint64_t ulps;
} score;

typedef struct report {
    score of[OPERATOR_COUNT]; /* by the operators' place in operator_rows */
    unsigned models, unreadable, failed, inexpressible, mixed;
} report;

/* Count a model, and print a line if it is no case that passed though it uses an operator here. */
void report_add(report *it, const char *name, const survey *found, const outcome *out);

/*
 * Print the table and the closing line. True if cases were found, none failed, every model could be
 * read, and, unless expected is 0, that many passed.
 */
bool report_close(const report *it, const char *version, unsigned expected);

#endif
