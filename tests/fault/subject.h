/*
 * subject.h: the operators that the fault tests make: one for each way of launching kernels, with
 * elements of 32 bits and what has to come out, by plain loops. It knows no OpenCL.
 */
#ifndef TESTS_FAULT_SUBJECT_H
#define TESTS_FAULT_SUBJECT_H

#include <CL/cl.h>
#include <tally/tally.h>

#define SUBJECT_RANK 3

typedef enum subject_kind {
    SUBJECT_REDUCE,
    SUBJECT_SCAN,
    SUBJECT_FILL,
    SUBJECT_ZEROS
} subject_kind;

typedef struct subject {
    const char *name;
    tally_family family;
    tally_single_pass single_pass;
    subject_kind kind;
    tally_function function; /* SUM, or ARGMIN of a reduction */
    uint64_t size[SUBJECT_RANK];
    uint32_t axes;     /* a mask, of one axis for a scan; none for fills */
    uint32_t launches; /* that its plan has, those in place beside those that are not */
} subject;

/* All of them; the number. */
extern const subject subjects[];
extern const int subjects_count;

/* A scan that has the device tried. */
extern const subject subject_of_trial, subject_of_stream;

tally_status subject_create(const subject *what, tally_runtime *runtime, tally_op **op,
                            tally_error *error);

/* Elements of the input, and of the output. */
uint64_t subject_inputs(const subject *what);
uint64_t subject_outputs(const subject *what);

/* The input's elements, and those of the output; room for them is the caller's. */
void subject_fill(const subject *what, uint32_t *input);
void subject_solve(const subject *what, const uint32_t *input, uint32_t *output);

#endif
