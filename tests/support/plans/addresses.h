/*
 * addresses.h: where elements lie, worked out from a description one coordinate at a time, and from
 * the collapsed lists of a problem, so that a test can hold one against the other.
 */
#ifndef TESTS_SUPPORT_PLANS_ADDRESSES_H
#define TESTS_SUPPORT_PLANS_ADDRESSES_H

#include "model/problem.h"

/* Coordinates of the tensor's axes that the mask names, and where the index-th of them lies. */
uint64_t addresses_count(const tally_tensor *tensor, uint32_t axes);
uint64_t addresses_of_axes(const tally_tensor *tensor, uint32_t axes, uint64_t index);

/* The same for a list; strides is the list's in or out. */
uint64_t addresses_of_dims(const tally_dims *dims, const uint64_t *strides, uint64_t index);

/* The index-th term of a fold, groups outermost first, from the position of the output's first. */
uint64_t addresses_of_groups(const tally_problem *problem, uint64_t index);

#endif
