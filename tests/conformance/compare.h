/*
 * compare.h: is an array what ONNX expects? Types and shapes must be equal; integers and bools too.
 * Floats may differ as in ONNX's own runner: |found - expected| <= 1e-7 + 1e-3 |expected|, NaN only
 * where NaN is expected, and infinities only where they are. Source: onnx/backend/test/runner and
 * loader, which hand these numbers to NumPy's assert_allclose.
 */
#ifndef TESTS_CONFORMANCE_COMPARE_H
#define TESTS_CONFORMANCE_COMPARE_H

#include "array.h"

/* Raises out->ulps to the largest difference seen, counted in floats of the type. */
bool compare_arrays(const array *found, const array *expected, outcome *out);

#endif
