/*
 * From OpenCL C to a program. Knows sources, not specs.
 */
#ifndef TALLY_DEVICE_PROGRAM_H
#define TALLY_DEVICE_PROGRAM_H

#include "device/device.h"

/*
 * Compile source for the device. Where the compiler refuses it, the message has its first
 * complaint, which names the file of cl/ and the line, and the caller's log gets all of its words;
 * name says which program it was. On failure *program is NULL.
 */
tally_status tally_program_build(tally_device *device, const char *name, const char *source,
                                 cl_program *program, tally_error *error);

#endif
