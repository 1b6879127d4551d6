/*
 * tally/calls/overrides.h: what a caller may decide in place of a runtime. A part of tally/tally.h.
 * Knows no runtime.
 */
#ifndef TALLY_CALLS_OVERRIDES_H
#define TALLY_CALLS_OVERRIDES_H

#include <stdint.h>

#include <tally/types/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Unstable: choosing kernels ------------------------------------------------------------- */

/*
 * What a runtime uses instead of its own choice: for tests, for measurements, and for devices that
 * the caller knows better than their type and a trial tell. The bits are the same. This section may
 * change in any version. The struct is read while the runtime is made. TALLY_INVALID: a value that
 * its enumeration does not have.
 */
typedef struct tally_overrides {
    uint32_t struct_size;          /* sizeof(tally_overrides); the initialiser fills it */
    tally_family family;           /* the family of kernels; AUTO: by the type of the device */
    tally_single_pass single_pass; /* how scans of few long rows run; AUTO: by a trial */
} tally_overrides;

/* A tally_overrides that overrides nothing. */
#define TALLY_OVERRIDES_INIT                                                                       \
    { sizeof(tally_overrides), TALLY_FAMILY_AUTO, TALLY_SINGLE_PASS_AUTO }

#ifdef __cplusplus
}
#endif

#endif
