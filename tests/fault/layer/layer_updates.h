/*
 * layer_updates.h: cl_khr_command_buffer_mutable_dispatch, which the tests' platform does not have.
 * PoCL 3.1 reads the arguments that a recorded kernel has when it is replayed, and each recording
 * of the library's has kernels of its own; so changing a command is here setting the arguments of
 * its kernel.
 */
#ifndef TESTS_FAULT_LAYER_UPDATES_H
#define TESTS_FAULT_LAYER_UPDATES_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>
#include <tally/tally.h>

#include "layer_types.h"

#define LAYER_MUTABLE 2u      /* CL_COMMAND_BUFFER_MUTABLE_KHR */
#define LAYER_SIMULTANEOUS 1u /* CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR */
#define LAYER_ARGUMENTS 8u    /* CL_MUTABLE_DISPATCH_ARGUMENTS_KHR */

typedef struct layer_updates {
    bool listed;        /* among the extensions, */
    uint32_t version;   /* in this version, as OpenCL packs it: up to 0.9.1 by a chain of structs */
    cl_ulong able;      /* what of commands can be changed */
    cl_int able_code;   /* of the question for it, if it is no success */
    bool lacks_call;    /* the platform has no clUpdateMutableCommandsKHR */
    cl_ulong flags;     /* that all command buffers were created with */
    bool states_itself; /* the state of all of them is */
    cl_uint state;
    size_t refused; /* the change of an update's that is refused, from 1 on; 0: none */
} layer_updates;

/* From now on, for runtimes to come; all zeros: as it is. Forgets all commands. */
void layer_offer_updates(layer_updates what);

/* The same for those that are there: what command buffers say, and what is refused. */
void layer_change_updates(layer_updates what);

/* Updates so far that came as a chain, and as a list. */
uint64_t layer_chains(void);
uint64_t layer_lists(void);

/* The call of calls.def: later versions' form, in which those of a chain come too. */
cl_int layer_clUpdateMutableCommandsKHR(cl_command_buffer_khr commands, cl_uint count,
                                        const cl_uint *types, const void **configs);

/* ---- For the layer -----------------------------------------------------------------------------
 */

/* clGetDeviceInfo with the extension. */
cl_int layer_updates_info(cl_device_id device, cl_device_info what, size_t bytes, void *value,
                          size_t *needed);

/* The function of the extension that has this name; NULL if it has none, or is not there. */
void *layer_find_update(const char *name);

/* What the layer hands a call on to, in place of the platform's function. */
void *layer_updates_behind(layer_call call, void *function);

#endif
