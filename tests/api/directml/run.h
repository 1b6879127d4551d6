/*
 * run.h: running what was described for DirectML on the fixture's device.
 */
#ifndef TESTS_API_DIRECTML_RUN_H
#define TESTS_API_DIRECTML_RUN_H

#include "sample.h"

typedef struct dml_memory {
    const void *input; /* NULL: none is bound */
    size_t input_bytes;
    void *output; /* in: what the memory holds before; out: after */
    size_t output_bytes;
    bool in_place; /* output memory is input memory too; input is not looked at */
} dml_memory;

/* Create, enqueue once, wait, release. The running test fails where anything fails. */
void dml_run(const char *name, const DML_OPERATOR_DESC *desc, DML_FEATURE_LEVEL level,
             const dml_memory *memory);

/* The same, out of place, at the sample's level. */
void dml_run_sample(const char *name, const sample *made, const void *input, size_t input_bytes,
                    void *output, size_t output_bytes);

#endif
