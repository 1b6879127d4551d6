/*
 * The OpenCL devices of all platforms: listing, finding one by number or name, opening it for
 * Tally. Knows no operators.
 */
#ifndef TALLY_CLI_DEVICE_H
#define TALLY_CLI_DEVICE_H

#include <CL/cl.h>
#include <tally/tally.h>

#include "cli/error.h"

typedef struct device_entry {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
    char *name;
} device_entry;

/* In the order of the platforms and of their devices: an entry's index is its number. */
typedef struct device_list {
    device_entry *entries;
    size_t count;
} device_list;

/* A device with its context, an in-order queue and Tally's runtime on it. */
typedef struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    double opened; /* when the driver had made context and queue, on tally_clock */
    tally_runtime *runtime;
} device;

/* What a command asks of its device. */
typedef struct device_request {
    const char *text; /* its number or a part of its name; NULL: the default one */
    tally_family family;
    tally_single_pass single_pass;
    bool timed;            /* the queue keeps the times of what it runs */
    const char *cache_dir; /* NULL: the user's */
    bool no_cache;
} device_request;

/* Fails if there is no device at all, with a sentence that says what to install. */
int device_list_load(device_list *list, cli_error *error);
void device_list_free(device_list *list);

/* The entry whose number or part of whose name text is. The sentence lists what there is. */
int device_list_find(const device_list *list, const char *text, size_t *index, cli_error *error);

/*
 * Open that entry, whatever text the request has. Fails if OpenCL or Tally refuses the device, with
 * the sentence of who does.
 */
int device_open(const device_entry *entry, const device_request *request, device *opened,
                cli_error *error);

/*
 * The device that the request names, opened; if it names none the first that opens, GPUs before
 * accelerators before CPUs before the rest.
 */
int device_choose(const device_request *request, device *opened, cli_error *error);

/* A no-op on what did not open, and on {0}. */
void device_close(device *opened);

/*
 * Another runtime on the opened device's context, with the family, the single pass and the cache of
 * the request. The caller releases it, before it closes the device.
 */
int device_runtime(const device *opened, const device_request *request, tally_runtime **runtime,
                   cli_error *error);

bool device_is_cpu(cl_device_id id);

/* A text or number that the device tells about itself; "" or 0 if it does not. */
char *device_text(cl_device_id id, cl_device_info what);
cl_ulong device_number(cl_device_id id, cl_device_info what);

#endif
