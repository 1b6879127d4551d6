/*
 * call.h: one operator on memory of the host, as a function: for tests that know the numbers they
 * expect. input has the bytes from the input tensor's first element to its last, output gets those
 * of the output tensor; gaps in the output come back as they went in.
 */
#ifndef TESTS_SUPPORT_CALL_H
#define TESTS_SUPPORT_CALL_H

#include <tally/tally.h>

void call_reduce(const tally_reduce *desc, const void *input, void *output);
void call_cumulative(const tally_cumulative *desc, const void *input, void *output);
void call_diagonal(const tally_diagonal *desc, const void *input, void *output);

/* The same by an operator that the caller made, which is released. The input tensor is NULL if none
 * is read. */
void call_op(tally_op *op, const tally_tensor *in, const void *input, const tally_tensor *out,
             void *output);

#endif
