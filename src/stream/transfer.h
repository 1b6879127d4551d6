/*
 * Memory that pieces go through, on the device and on the host, and the queues that move them. One
 * interface for devices with memory of their own, to which pieces are copied, and for those that
 * compute in the host's. Knows bytes and OpenCL, no operators and no pieces.
 *
 * Where a piece is on the host:
 *
 *   copies   lent   the host's side                        the device's side
 *   yes      no     the slot's pinned memory               the slot's buffer
 *   yes      yes    the caller's pinned memory             the slot's buffer
 *   no       no     the slot's buffer, mapped              the same
 *   no       yes    the caller's memory                    a buffer in it
 */
#ifndef TALLY_STREAM_TRANSFER_H
#define TALLY_STREAM_TRANSFER_H

#include <CL/cl.h>
#include <tally/tally.h>

typedef struct tally_transfer {
    cl_context context;
    bool copies;
    uint32_t alignment; /* bytes that the begin of a buffer is a multiple of */
    cl_command_queue up, compute, down;
} tally_transfer;

/* Memory of one piece of the input or of the output. */
typedef struct tally_slot {
    cl_mem own;     /* the slot's memory on the device; NULL: none was needed */
    cl_mem buffer;  /* what operators read or write: own, or one in memory that is lent */
    size_t offset;  /* of the piece in the buffer */
    cl_mem pinned;  /* NULL: none, or there is none to be had */
    void *host;     /* the slot's memory on the host; without copies only while it is mapped */
    void *lent;     /* the caller's memory in the place of host; NULL: nothing is lent */
    cl_event moved; /* the last transfer; NULL: none is under way */
    cl_event used;  /* the last thing that the next transfer, or operator, has to wait for */
    bool mapped;    /* buffer or pinned is */
} tally_slot;

tally_status tally_transfer_open(tally_transfer *transfer, cl_context context, cl_device_id device,
                                 bool copies, tally_error *error);

/* Wait for all that was enqueued; a no-op on queues that were not made. */
tally_status tally_transfer_finish(tally_transfer *transfer, tally_error *error);
void tally_transfer_close(tally_transfer *transfer);

/* A buffer of the device; the caller releases it. */
tally_status tally_transfer_buffer(tally_transfer *transfer, uint64_t bytes, cl_mem *buffer,
                                   tally_error *error);

/*
 * Lend a piece's memory to the slot, until it is taken back; once what the slot was used for before
 * is over. Nothing is lent to a device that computes in the host's memory if OpenCL does not take
 * it.
 */
tally_status tally_slot_lend(tally_transfer *transfer, tally_slot *slot, void *memory,
                             uint64_t bytes, bool output, tally_error *error);
/* What was enqueued has what was lent until it ends. */
void tally_slot_take_back(tally_slot *slot);

/*
 * Make what the slot still needs for pieces of so many bytes; nothing on a side that is lent. The
 * caller closes it, also after a failure, when all queues are finished.
 */
tally_status tally_slot_open(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                             tally_error *error);
void tally_slot_close(tally_transfer *transfer, tally_slot *slot);

/* Input that is not lent: wait until the host may write slot->host. */
tally_status tally_slot_begin(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                              tally_error *error);
/* Hand it to the device: operators wait for slot->moved. */
tally_status tally_slot_send(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                             tally_error *error);

/* Output: bring it to the host after slot->used, which is an operator's event. */
tally_status tally_slot_fetch(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                              tally_error *error);
/* Wait until the host may read slot->host. */
tally_status tally_slot_wait(tally_slot *slot, tally_error *error);
/* The host has read it: the next operator waits for slot->used, if that is not NULL. */
tally_status tally_slot_end(tally_transfer *transfer, tally_slot *slot, tally_error *error);

/* Keep another event in the place of one, which is released. */
void tally_slot_keep(cl_event *kept, cl_event event);

#endif
