/*
 * The programs of a runtime, by spec: built at first need, kept until the runtime ends.
 */
#ifndef TALLY_DEVICE_KERNELS_H
#define TALLY_DEVICE_KERNELS_H

#include "base/lock.h"
#include "device/device.h"
#include "plan/spec.h"

typedef struct tally_cached_program {
    tally_spec key;
    cl_program program; /* NULL while some thread builds it */
} tally_cached_program;

typedef struct tally_kernels {
    tally_lock lock; /* of all that follows; not held during a build */
    tally_cached_program *entry;
    uint32_t count, capacity;
    uint64_t built, requests;
} tally_kernels;

bool tally_kernels_init(tally_kernels *kernels);
void tally_kernels_free(tally_kernels *kernels);

/*
 * Make the kernel of a spec, the caller's own. Builds the program if no one has; a second thread
 * that needs it meanwhile waits rather than building it too.
 */
tally_status tally_kernels_make(tally_kernels *kernels, tally_device *device,
                                const tally_spec *spec, cl_kernel *kernel, tally_error *error);

#endif
