/*
 * Running the numerics probe. Knows checks as operands, not what they should come to.
 */
#ifndef TALLY_DEVICE_TRIAL_NUMERICS_H
#define TALLY_DEVICE_TRIAL_NUMERICS_H

#include "device/device.h"
#include "plan/probe.h"

/*
 * What the device computes for each of the type's checks, in their order, by the source of the
 * type's probe. They are remembered if anything is; else the program is built and run, which the
 * call waits for, and not kept.
 */
tally_status tally_numerics_run(tally_device *device, tally_dtype dtype, const char *source,
                                uint64_t results[TALLY_PROBE_CHECKS_MAX], tally_error *error);

#endif
