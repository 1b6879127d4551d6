/*
 * Several devices for one command: those that --device lists, opened. Knows no operators.
 */
#ifndef TALLY_CLI_SEVERAL_SEVERAL_H
#define TALLY_CLI_SEVERAL_SEVERAL_H

#include <tally/devices.h>

#include "cli/device.h"

/* Devices, each with a context of its own. */
typedef struct several {
    device device[TALLY_DEVICES_MAX];
    uint32_t count;
} several;

/* Whether the text of --device names several: "all", or names and numbers between commas. */
bool several_named(const char *text);

/* Their numbers. Texts that name one device give one. */
int several_find(const device_list *list, const char *text, size_t index[TALLY_DEVICES_MAX],
                 uint32_t *count, cli_error *error);

/*
 * Open all that the request names. Of "all" those that Tally does not accept are left out, unless
 * it accepts none.
 */
int several_open(const device_request *request, several *opened, cli_error *error);

/* A no-op on {0}. */
void several_close(several *opened);

/*
 * The library's list of the first devices, counted from the first. Speeds may be NULL: they are
 * measured. The caller releases it.
 */
int several_list(const several *opened, uint32_t count, const double *speeds,
                 tally_devices **devices, cli_error *error);

#endif
