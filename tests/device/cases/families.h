/*
 * families.h: one operator planned by each family of kernels, and for invented GPUs of small
 * groups: all outputs must be equal byte for byte, also where a float's rounding depends on the
 * order of its terms. It knows no orders: what the bits are is for others to say.
 */
#ifndef TESTS_DEVICE_FAMILIES_H
#define TESTS_DEVICE_FAMILIES_H

#include <tally/tally.h>

/* Before and after the tests of a case. */
void families_open(void);
void families_close(void);

/* Elements of float32 that there is memory for. */
#define FAMILIES_ELEMENTS 600000u

/* Lengths of rows around all that kernels tell apart. */
#define FAMILIES_LENGTHS 12
extern const uint64_t families_lengths[FAMILIES_LENGTHS];

/*
 * A reduction, or a scan, that has so many bytes of output and reads a view that begins so many
 * bytes into the input. Returns how many of the devices planned a group with its size compiled in.
 */
int families_reduce(const tally_reduce *desc, size_t offset, size_t bytes);
int families_scan(const tally_cumulative *desc, size_t offset, size_t bytes);

#endif
