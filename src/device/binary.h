/*
 * Programs as the driver's binaries. Knows bytes, not where they are kept; whoever brings some must
 * know that they are unaltered, as drivers trust them.
 */
#ifndef TALLY_DEVICE_BINARY_H
#define TALLY_DEVICE_BINARY_H

#include "device/device.h"

/*
 * The binary of a program built for the device, to be given back to its allocator; NULL if the
 * driver has none to give.
 */
unsigned char *tally_binary_get(const tally_device *device, cl_program program, size_t *size);

/* The program, built; NULL if the driver refuses the binary in whatever way. */
cl_program tally_binary_load(const tally_device *device, const unsigned char *bytes, size_t size);

#endif
