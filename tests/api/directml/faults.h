/*
 * faults.h: what may be wrong with a description, and what must be said then.
 */
#ifndef TESTS_API_DIRECTML_FAULTS_H
#define TESTS_API_DIRECTML_FAULTS_H

#include "break.h"

/* Sets of tensors: a case for each; none: one case that is no tensor's own. */
enum { NEITHER = 0, IN = 1 << SAMPLE_INPUT, OUT = 1 << SAMPLE_OUTPUT, BOTH = IN | OUT };

typedef struct fault {
    const char *name;
    int operators; /* bit k: sample_operators[k] */
    int tensors;
    breaker *apply;
    int64_t value;
    tally_status status;
    const char *says; /* parts of the sentence, parted by '|' */
} fault;

extern const fault faults[];
extern const size_t fault_count;

#endif
