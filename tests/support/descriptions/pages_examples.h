/*
 * pages_examples.h: the worked examples of Microsoft's pages as descriptions that DirectML would
 * take, with the tensors that the pages print.
 */
#ifndef TESTS_SUPPORT_DESCRIPTIONS_PAGES_EXAMPLES_H
#define TESTS_SUPPORT_DESCRIPTIONS_PAGES_EXAMPLES_H

#include <tally/directml.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pages_example {
    const char *name;
    DML_OPERATOR_DESC desc;
    DML_FEATURE_LEVEL level; /* the first that takes it */
    const FLOAT *input;      /* NULL: there is no InputTensor */
    UINT input_count;
    const void *output;
    UINT output_bytes;
} pages_example;

#define PAGES_EXAMPLES 21
extern const pages_example pages_examples[PAGES_EXAMPLES];

#ifdef __cplusplus
}
#endif

#endif
