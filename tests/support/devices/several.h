/*
 * several.h: several "devices" made of the fixture's one: a context, a queue and a runtime each,
 * or sub-devices of it; and a problem computed by one runtime and by all of them. Every byte of
 * both results must be equal.
 */
#ifndef TESTS_SUPPORT_DEVICES_SEVERAL_H
#define TESTS_SUPPORT_DEVICES_SEVERAL_H

#include <CL/cl.h>
#include <tally/devices.h>

#include "support/numbers/values.h"

#define SEVERAL_MAX 4

typedef struct several {
    uint32_t count;
    cl_device_id device[SEVERAL_MAX];
    cl_context context[SEVERAL_MAX];
    cl_command_queue queue[SEVERAL_MAX];
    tally_runtime *runtime[SEVERAL_MAX];
    bool sub_devices; /* they are to be released */
} several;

/* Contexts of the one device; families has an entry for each, or is NULL: all are AUTO. */
several several_open(uint32_t count, const tally_family *families);

/* Sub-devices of equal size. Their number is count, or 0 if the device cannot be split so. */
several several_split(uint32_t count);

void several_close(several *of);

/* The list of them; speeds may be NULL: they are measured. The caller releases it. */
tally_devices *several_list(const several *of, const double *speeds);

/* How a problem is computed by them. */
typedef struct several_how {
    uint32_t axis; /* or TALLY_ANY_AXIS */
    const double *speeds;
    values_class values;
    uint64_t seed;
    bool in_place;
} several_how;

/* Fails the running test with the problem in words unless the bytes are equal. */
void several_check(const several *of, const tally_desc *whole, several_how how);

#endif
