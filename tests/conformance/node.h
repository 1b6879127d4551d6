/*
 * node.h: one node of a graph, read: its attributes by name and its inputs as arrays. It knows
 * which attributes and inputs an operator may have only from the table of operator.c.
 */
#ifndef TESTS_CONFORMANCE_NODE_H
#define TESTS_CONFORMANCE_NODE_H

#include <stddef.h>

#include "array.h"

enum { NODE_INPUTS = 2 }; /* none of the operators here has more */

/* The attributes of all operators here; what a node does not say has ONNX's default. */
typedef struct attributes {
    int64_t axis;
    int64_t dtype; /* 0: that of the input */
    int64_t exclusive;
    int64_t k;
    int64_t keepdims;
    int64_t noop_with_empty_axes;
    int64_t reverse;
    int64_t select_last_index;
    int64_t upper;
    const int64_t *axes; /* NULL: not given */
    size_t axes_count;
} attributes;

typedef struct node {
    attributes attributes;
    array inputs[NODE_INPUTS]; /* type NULL: not given */
} node;

/*
 * `allowed` lists the names that the operator has, up to a NULL. A name beyond them, or a value of
 * another kind than expected, makes the case inexpressible. What is read lives as long as `proto`.
 */
struct Onnx__NodeProto;
bool node_attributes(attributes *it, const struct Onnx__NodeProto *proto,
                     const char *const *allowed, outcome *out);

#endif
