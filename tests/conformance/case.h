/*
 * case.h: one folder of ONNX's node tests: a model, and data sets of inputs and expected outputs.
 */
#ifndef TESTS_CONFORMANCE_CASE_H
#define TESTS_CONFORMANCE_CASE_H

#include "device.h"
#include "model.h"

/*
 * Looks into FOLDER/NAME. A model whose graph is one node of an operator that operator.h has is a
 * case, and is run on all its data sets; found->only says which operator. Other models are only
 * surveyed. A model that cannot be read has failed.
 */
void case_run(const device *where, const char *folder, const char *name, survey *found,
              outcome *out);

#endif
