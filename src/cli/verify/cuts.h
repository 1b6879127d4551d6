/*
 * A problem of the fixed set in parts, by tally/devices.h: the device counts as several, each with
 * a queue of its own. Knows problems and the public API, no memory of the set's.
 */
#ifndef TALLY_CLI_VERIFY_CUTS_H
#define TALLY_CLI_VERIFY_CUTS_H

#include <tally/devices.h>

#include "cli/device.h"
#include "cli/verify/set/problem.h"

/* Parts that a problem is cut into, at most. */
#define VERIFY_PARTS_MOST 16

typedef struct verify_cuts {
    tally_devices *devices;
    cl_command_queue queues[VERIFY_PARTS_MOST];
} verify_cuts;

int verify_cuts_open(verify_cuts *cuts, const device *on, uint32_t parts, cli_error *error);
/* A no-op on {0}. */
void verify_cuts_close(verify_cuts *cuts);

/*
 * The operator of a problem that is cut along an axis, and the views of its parts in the memory of
 * the whole. *op is NULL if the axis cannot be cut.
 */
int verify_cuts_create(const verify_cuts *cuts, const verify_problem *problem, uint32_t axis,
                       const tally_binding *whole, tally_devices_op **op,
                       tally_binding bindings[VERIFY_PARTS_MOST], cli_error *error);

#endif
