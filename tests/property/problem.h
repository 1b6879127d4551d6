/*
 * problem.h: one random problem of any of the three operators: its description, its elements and
 * where they lie. Every problem is legal. Knows nothing of how the library solves it.
 */
#ifndef TESTS_PROPERTY_PROBLEM_H
#define TESTS_PROPERTY_PROBLEM_H

#include "support/fixtures/run.h"

typedef enum problem_kind {
    PROBLEM_REDUCE,
    PROBLEM_CUMULATIVE,
    PROBLEM_DIAGONAL,
    PROBLEM_KINDS
} problem_kind;

/* What an operator does to which type of input. */
typedef struct problem_pair {
    problem_kind kind;
    tally_function function; /* none of a diagonal */
    tally_dtype dtype;
} problem_pair;

/* All that there are: 84 reductions, 36 scans, 11 fills. */
#define PROBLEM_PAIRS 131
problem_pair problem_pair_at(uint32_t index);

typedef struct problem {
    problem_kind kind;
    tally_reduce reduce; /* of the three descriptions the one of the kind counts */
    tally_cumulative cumulative;
    tally_diagonal diagonal; /* its input is not set here, but has_input and input below are */
    bool has_input;
    tally_tensor input;
    run_how how;
} problem;

void problem_draw(problem_pair pair, uint64_t *state, problem *it);

/* Run it against the oracle; a problem that is answered wrongly fails the running test. */
void problem_run(const problem *it);

/* The tensors, to be looked at or changed. The input is NULL if none is read. */
tally_tensor *problem_input(problem *it);
tally_tensor *problem_output(problem *it);

/* The description with its input set. */
tally_diagonal problem_diagonal(const problem *it);

/* Input and output have equal strides, as in place asks for; not so for a reduction. */
bool problem_may_be_in_place(const problem *it);

/* "TALLY_SUM of TALLY_F16", for messages; it stands until the next call. */
const char *problem_pair_name(problem_pair pair);

#endif
