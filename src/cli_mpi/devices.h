/*
 * Which device this rank uses.
 */
#ifndef TALLY_CLI_MPI_DEVICES_H
#define TALLY_CLI_MPI_DEVICES_H

#include "cli/device.h"

/*
 * Collective. The device that the request names, the same one for all ranks of a host; or, if it
 * names none, one of the host's devices of the best type, the ranks of a host in turn.
 */
int devices_open(const device_request *request, device *opened, cli_error *error);

#endif
