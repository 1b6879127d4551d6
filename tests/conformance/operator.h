/*
 * operator.h: ONNX's operators in Tally's words. Each has a row that says what it may have and how
 * a node of it becomes a description for the public API.
 */
#ifndef TESTS_CONFORMANCE_OPERATOR_H
#define TESTS_CONFORMANCE_OPERATOR_H

#include <CL/cl.h>
#include <tally/tally.h>

#include "node.h"

/* What to run, and where the answer belongs. */
typedef struct task {
    union {
        tally_reduce reduce;
        tally_cumulative cumulative;
        tally_diagonal diagonal;
    } desc;
    tally_status (*create)(tally_runtime *runtime, const struct task *task, tally_op **op,
                           tally_error *error);
    const array *input; /* NULL: none is read */
    tally_tensor input_tensor;
    array
        result; /* ONNX's type and shape of the output, not yet its elements; freed by the caller */
} task;

typedef struct operator_row {
    const char *name;
    tally_function function;
    const char *const *attributes; /* the names it may have, up to a NULL */
    size_t inputs;                 /* the most it may have; the first is always needed */
    bool (*map)(const struct operator_row *row, const node *it, task *to, outcome *out);
} operator_row;

enum { OPERATOR_COUNT = 16 };
extern const operator_row operator_rows[OPERATOR_COUNT];

/* The row of an operator of ONNX's own domain, or NULL. */
const operator_row *operator_find(const char *domain, const char *name);

#endif
