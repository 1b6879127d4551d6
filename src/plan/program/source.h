/*
 * From a spec to OpenCL C: macros and small functions from the tables, in front of the files of
 * cl/.
 */
#ifndef TALLY_PLAN_PROGRAM_SOURCE_H
#define TALLY_PLAN_PROGRAM_SOURCE_H

#include "base/text.h"
#include "plan/spec.h"

/* The source of the program that holds spec's kernel, with all kernels that may share it. */
void tally_source_write(const tally_spec *spec, tally_text *source);

/*
 * The same with some of those kernels: bit i stands for the i-th that tally_source_each_variant
 * visits. tally_source_kernel is the bit of spec's kernel, 0 if its program has no such kernel.
 */
#define TALLY_ALL_KERNELS UINT64_MAX
void tally_source_write_kernels(const tally_spec *spec, uint64_t kernels, tally_text *source);
uint64_t tally_source_kernel(const tally_spec *spec);

/*
 * The source of the program that computes the checks of the numerics probe of a floating type: the
 * head of a fold's program and then cl/kernel/probe.cl, so that both compute with the same text.
 * With vectors it is the head of a fold for CPUs, whose vectors then must agree.
 */
void tally_source_write_probe(tally_dtype dtype, bool vectors, tally_text *source);

#endif
