/*
 * outcome.h: what became of a case of ONNX's node tests, and the sentence that says why.
 */
#ifndef TESTS_CONFORMANCE_OUTCOME_H
#define TESTS_CONFORMANCE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

typedef enum verdict {
    PASSED,
    FAILED,       /* the answer is wrong, or something that should work did not */
    INEXPRESSIBLE /* the case asks for what Tally's API has no words for */
} verdict;

typedef struct outcome {
    verdict verdict;
    uint64_t ulps;    /* the largest difference of a float from the expected one */
    char reason[512]; /* empty if passed */
} outcome;

/* Both give false, for functions that give true when the case may go on. */
bool outcome_fail(outcome *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool outcome_decline(outcome *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
