/*
 * model.h: an ONNX model from its file, which of the operators of operator.h it uses, and where the
 * tensors that its nodes name come from.
 */
#ifndef TESTS_CONFORMANCE_MODEL_H
#define TESTS_CONFORMANCE_MODEL_H

#include "onnx-ml.pb-c.h"
#include "operator.h"

/* What a model consists of, the bodies of its control flow and its own functions included. */
typedef struct survey {
    size_t nodes;
    size_t known;             /* nodes of the operators that operator.h has */
    const operator_row *only; /* the operator of a graph that is one such node; else NULL */
    char others[1024]; /* "Div, Exp, Sub": the other operators, each once; cut off at worst */
} survey;

/* NULL on failure; freed with onnx__model_proto__free_unpacked. */
Onnx__ModelProto *model_load(const char *path, outcome *out);

void model_survey(const Onnx__ModelProto *model, survey *found);

/*
 * The array that a node names: from a data set's folder, where the graph's inputs lie in their
 * order, or from the model itself. An empty name gives none, as ONNX leaves out optional inputs.
 */
bool model_find_array(const Onnx__GraphProto *graph, const char *name, const char *data_set,
                      array *it, outcome *out);

#endif
