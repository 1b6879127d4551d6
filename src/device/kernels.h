/*
 * The programs of a runtime, by spec: remembered from another process or built at first need, kept
 * until the runtime ends.
 */
#ifndef TALLY_DEVICE_KERNELS_H
#define TALLY_DEVICE_KERNELS_H

#include "base/hash.h"
#include "device/device.h"
#include "plan/spec.h"

/* Which program: the spec without its variants, and which of its kernels (tally_source_kernel). */
typedef struct tally_program_key {
    tally_spec spec;
    uint64_t kernels;
} tally_program_key;

typedef struct tally_cached_program {
    tally_program_key key;
    cl_program program; /* NULL while some thread makes it */
    tally_hash source;
    bool loaded; /* as a binary, from the store */
    bool kept;   /* there is nothing more to put into the store */
} tally_cached_program;

typedef struct tally_kernels {
    tally_lock lock; /* of all that follows; not held during a build */
    const tally_allocator *allocator;
    tally_cached_program *entry;
    uint32_t count, capacity;
    uint64_t built, loaded, requests;
} tally_kernels;

bool tally_kernels_init(tally_kernels *kernels, const tally_allocator *allocator);
void tally_kernels_free(tally_kernels *kernels);

/*
 * The program for a kernel of a plan that has these specs. Programs that are to be remembered have
 * the kernels that a plan launches and no others, as some drivers compile all of a program when
 * they give its binary, and write all of it when they take one; else they have all that share a
 * source.
 */
tally_program_key tally_kernels_key(const tally_device *device, const tally_spec *spec,
                                    const tally_spec *const *plan, uint32_t count);

/*
 * Make the kernel of a spec, the caller's own, from the program of that key. Builds the program if
 * no one has; a second thread that needs it meanwhile waits rather than building it too. *loaded
 * says whether the program was remembered, rather than built from source.
 */
tally_status tally_kernels_make(tally_kernels *kernels, tally_device *device,
                                const tally_program_key *key, const tally_spec *spec,
                                cl_kernel *kernel, bool *loaded, tally_error *error);

/*
 * Remember the program, now that its kernels were launched: by then also those drivers have
 * compiled it that do so late.
 */
void tally_kernels_keep(tally_kernels *kernels, tally_device *device, const tally_program_key *key);

/*
 * If the program was remembered, build it from source in its place: what the driver made of the
 * binary is no good. Another thread may have done so already. Where that fails there is none, and
 * who needs it next is told.
 */
void tally_kernels_renew(tally_kernels *kernels, tally_device *device,
                         const tally_program_key *key);

#endif
