/*
 * Giving recorded kernels other arguments, those of several commands by one call of the driver's:
 * all of them are changed, or none. Knows no operators.
 */
#ifndef TALLY_DEVICE_RECORD_UPDATE_H
#define TALLY_DEVICE_RECORD_UPDATE_H

#include "device/arguments.h"
#include "device/record/commands.h"

/* Changes that are gathered, and the lists in which the driver gets them. */
typedef struct tally_update {
    const tally_allocator *allocator;
    size_t count;                       /* of commands so far */
    struct tally_update_one *list;      /* what is to be said of each, */
    struct tally_update_config *config; /* and in the extension's form; */
    cl_uint *types;                     /* the same, as later versions want it */
    const void **configs;
} tally_update;

/* Room for so many commands. To be closed, also if that fails. */
tally_status tally_update_open(tally_update *update, const tally_allocator *allocator, size_t room,
                               tally_error *error);
void tally_update_close(tally_update *update);

/* Add a command by its handle. The caller fills its arguments before the next call. */
tally_arguments *tally_update_add(tally_update *update, void *handle);

/* Change them all, of this command buffer; without any nothing is called. */
tally_status tally_update_send(tally_update *update, const tally_commands *by,
                               cl_command_buffer_khr commands, tally_error *error);

#endif
