/*
 * The text of tally verify: runs the fixed set through a solver, hashes what it computes and
 * prints a line for each group, each type and all. The same for every solver: the program's is a
 * device, the tests' is plain C. Knows neither.
 */
#ifndef TALLY_CLI_VERIFY_SET_REPORT_H
#define TALLY_CLI_VERIFY_SET_REPORT_H

#include "cli/verify/set/set.h"

/*
 * Every byte of an output before it is computed, gaps and the guard behind its end included; in
 * position the bytes of the input, with their gaps, and the guard.
 */
#define VERIFY_POISON 0xA5u
#define VERIFY_GUARD_BYTES 16u

/*
 * Compute a problem into bytes of output: problem->output_bytes and then the guard. Not 0: it
 * failed, which ends the run.
 */
typedef int verify_solver(void *user, const verify_problem *problem, unsigned char *output,
                          size_t bytes);

typedef struct verify_request {
    const char *only;     /* the groups with this in their names, such as "f32 sum"; NULL: all */
    uint32_t every;       /* of each group the first problem and every so-many-th; 0: all */
    bool each;            /* a line for each problem as well */
    bool without_f64;     /* leave the problems of float64 out, and say so */
    uint32_t order;       /* the order version, as the solver has it */
    verify_solver *solve; /* NULL: list the problems */
    void *user;
    char at[VERIFY_NAME_BYTES + 64]; /* out: the problem that failed, in words */
} verify_request;

/* Print the text on stdout. 0, what the solver failed with, or -1 if there is no memory. */
int verify_report(verify_request *request);

/* Whether any group has this in its name. */
bool verify_group_any(const char *only);

#endif
