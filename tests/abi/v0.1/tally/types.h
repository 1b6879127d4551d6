/*
 * tally/types.h: the vocabulary of Tally: data types, functions, tensors and operator descriptions.
 *
 * Plain data only. This header knows nothing of OpenCL, so that descriptions can be built, stored
 * and checked by code that never sees a device. tally/tally.h includes it and adds the calls.
 *
 * Here is the version, and how structs grow. Its parts, which may be included alone:
 *
 *   tally/types/errors.h         how a call ended, and why it failed
 *   tally/types/elements.h       elements and tensors
 *   tally/types/descriptions.h   functions, and the descriptions of the operators
 *   tally/types/settings.h       limits of a device, families of kernels, an allocator
 */
#ifndef TALLY_TYPES_H
#define TALLY_TYPES_H

#include <tally/types/descriptions.h>
#include <tally/types/elements.h>
#include <tally/types/errors.h>
#include <tally/types/settings.h>

/* ---- Versions ------------------------------------------------------------------------------ */

/*
 * These macros are the version of the header. tally_version() gives the library's. From 1.0.0 on a
 * version may change the following. While the major version is 0, a minor version may change
 * everything.
 *
 *   patch   Nothing that a program sees, except that faults are mended.
 *   minor   Calls, enumerators and members at the end of structs with a struct_size are added, and
 *           reserved members get a meaning. A program that was built with an older header of the
 *           same major version runs with the newer library unchanged.
 *   major   Everything.
 *
 * The bits of results have a version of their own, tally_order_version(). A minor version may
 * raise it.
 *
 * How structs grow:
 *
 *   * A struct that begins with struct_size may get members at its end. 0 in such a member means
 *     what the older version did. struct_size must be set. The struct has no padding at its end,
 *     and added members leave none.
 *   * The library takes a smaller struct. The members that are not there count as 0.
 *   * The library takes a larger struct if all bytes that it does not know are 0. Otherwise the
 *     call gives TALLY_UNSUPPORTED.
 *   * Of an answer the library fills the members that are there. It sets bytes that it does not
 *     know to 0.
 *   * A struct_size of 0, above 4096 or that is no multiple of 4 gives TALLY_INVALID.
 *   * tally_tensor, tally_scalar, tally_error, tally_view and tally_binding are frozen: they never
 *     grow. Their reserved members must be 0, and bits of tally_tensor.flags without a name are
 *     refused. A later version may give them a meaning.
 *   * tally_cache_file comes from the library alone and may get members at its end.
 *   * Enumerations are 32 bits wide with every compiler. The last enumerator of each, which ends in
 *     _32_BITS, makes them so. It is not a value. New values are added before it.
 */

/* A part of the version of this header. */
#define TALLY_VERSION_MAJOR 0
#define TALLY_VERSION_MINOR 1
#define TALLY_VERSION_PATCH 0
/* The whole version of this header as one number, which tally_version() is compared with. */
#define TALLY_VERSION                                                                              \
    (TALLY_VERSION_MAJOR * 10000 + TALLY_VERSION_MINOR * 100 + TALLY_VERSION_PATCH)

#endif
