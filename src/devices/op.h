/*
 * What is behind tally_devices_op: of each device its operators and the memory between them.
 */
#ifndef TALLY_DEVICES_OP_H
#define TALLY_DEVICES_OP_H

#include "devices/devices.h"
#include "platform/system.h"

/* Memory of the host that a device's transfers reach directly, mapped as long as it is there. */
typedef struct tally_devices_pinned {
    cl_mem buffer; /* NULL: none */
    unsigned char *bytes;
} tally_devices_pinned;

tally_status tally_devices_pin(const tally_devices_entry *entry, uint64_t bytes,
                               tally_devices_pinned *made, tally_error *error);
void tally_devices_unpin(const tally_devices_entry *entry, tally_devices_pinned *made);

/* What a device does in a run. What it does not do is NULL. */
typedef struct tally_devices_work {
    uint64_t begin, end;
    tally_tensor input, output;
    uint64_t input_bytes, output_bytes;
    tally_op *part;    /* gives results or states */
    tally_op *combine; /* makes the output or the carry of received states */
    tally_op *scan;    /* goes on from the carry */
    tally_scratch *scratch;
    cl_mem states;                       /* what part gives, unless it is results */
    cl_mem received;                     /* what combine reads */
    cl_mem carry;                        /* what combine makes, unless it is the output */
    tally_devices_pinned out, in;        /* the host's side of states and received */
    uint64_t sent_bytes, received_bytes; /* that go to the host, and come from it */
    uint64_t own_bytes; /* at the begin of received: what part writes there by itself */
} tally_devices_work;

struct tally_devices_op {
    tally_devices *devices;
    tally_lock lock; /* held by a run: runs share the memory of the works */
    tally_cut cut;
    bool has_input;
    uint32_t parts;                    /* that are not empty */
    uint32_t order[TALLY_DEVICES_MAX]; /* their devices, in the order in which states follow */
    tally_devices_work work[TALLY_DEVICES_MAX];
};

/* Cut a description so that bounds fit the speeds; bounds has room for one more than devices. */
tally_status tally_devices_cut(const tally_devices *devices, const tally_desc *whole, uint32_t axis,
                               uint64_t *bounds, tally_cut *cut, tally_error *error);

#endif
