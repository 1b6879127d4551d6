/*
 * tally/devices.h: one operator on several devices of a host at the same time.
 *
 * The problem is cut into parts (tally/part.h), one for each device, as large as the device is
 * fast. Each device computes its part of a tensor that lies in the memory of all of them. The
 * result has the bits of the operator that computes the whole on one device, whatever the devices
 * are: several of one vendor, of different vendors, a GPU and a CPU. docs/scaling.md says how fast
 * that is.
 *
 * A program calls in this order:
 *
 *   1. tally_runtime_create(), for each device. A context of its own for each device is the rule: a
 *      context that several devices share may take memory on all of them for each buffer.
 *   2. tally_devices_create(), once. It measures the devices' speeds unless it is given them.
 *   3. tally_devices_op_create(), once for each operator and shape.
 *   4. tally_devices_op_part(), for each device: which range of the tensors it has. The program
 *      makes these tensors on the devices.
 *   5. tally_devices_op_run(), as often as wanted.
 *
 * Between devices only states go, through pinned memory of the host: see tally_cut. What a part
 * gives decides what is done:
 *
 *   TALLY_CUT_RESULTS   Each device writes its range of the output. Nothing goes between devices.
 *
 *   TALLY_CUT_STATES    The first device gets the states of all devices and writes the output. The
 *                       others have none.
 *
 *   TALLY_CUT_TOTALS    Each device computes the totals of its part, and gets those of all parts
 *                       before it. Then it scans its part. So it reads its input twice, where a
 *                       device that has the whole reads it once. The part that is visited first
 *                       waits for nothing, and of the part that is visited last no totals are
 *                       computed.
 */
#ifndef TALLY_DEVICES_H
#define TALLY_DEVICES_H

#include <tally/part.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Devices ------------------------------------------------------------------------------- */

/* Some devices with a queue of each. */
typedef struct tally_devices tally_devices;

/* The most devices that tally_devices_create() takes. */
#define TALLY_DEVICES_MAX 64

/* What tally_devices are made of. Each list has count entries. */
typedef struct tally_devices_config {
    uint32_t struct_size;           /* sizeof(tally_devices_config); the initialiser fills it */
    uint32_t count;                 /* 1 to TALLY_DEVICES_MAX */
    tally_runtime *const *runtimes; /* of each device */
    const cl_command_queue *queues; /* in-order, of the runtime's context and device */
    /*
     * How fast each device is, in any unit, such as the bytes that it reads in a second: parts are
     * as large as these say. 0: the device gets nothing. NULL: they are measured.
     */
    const double *speeds;
} tally_devices_config;

/* A tally_devices_config without devices. */
#define TALLY_DEVICES_CONFIG_INIT                                                                  \
    { sizeof(tally_devices_config), 0, NULL, NULL, NULL }

/*
 * Make a list of devices. It holds the runtimes and the queues. Entries may be of one device or of
 * one context, if each has a queue of its own. The caller releases it. On failure *devices is NULL.
 *
 * Measuring takes some tenths of a second for each device and may compile: the device sums memory
 * of its own several times, on a queue of its own, and the best time counts. The first is ignored.
 * Devices are measured one after the other, so those that share one memory seem faster than they
 * are together; as all of them do, parts are right.
 *
 *   TALLY_INVALID       a list or an entry is NULL, a count out of range, an out-of-order queue, a
 *                       speed that is negative or not finite, speeds that are all 0
 *
 *   TALLY_UNSUPPORTED   a device does not tell times, so its speed cannot be measured
 *
 *   TALLY_BUILD_FAILED, TALLY_OUT_OF_MEMORY, TALLY_DEVICE_ERROR
 *
 * A failure of one device has its number before the sentence, counted from 1: "device 2 of 3: ...".
 */
TALLY_API tally_status tally_devices_create(const tally_devices_config *config,
                                            tally_devices **devices, tally_error *error);

/*
 * Release the list. Operators of it stay usable. NULL is a no-op.
 */
TALLY_API void tally_devices_release(tally_devices *devices);

/* How many devices there are. 0 for NULL. */
TALLY_API uint32_t tally_devices_count(const tally_devices *devices);

/* The speed of a device, counted from 0: as given, or the bytes that it reads in a second. */
TALLY_API double tally_devices_speed(const tally_devices *devices, uint32_t device);

/* ---- Operators ----------------------------------------------------------------------------- */

/* An operator on tensors that lie on several devices. Keeps the devices. */
typedef struct tally_devices_op tally_devices_op;

/*
 * Make an operator of a description. axis is the axis to cut, or TALLY_ANY_AXIS: then it is the one
 * that fits the speeds best, and of several about as good one that gives results.
 *
 * Bounds are aligned as tally_cut says, and otherwise in proportion to the speeds; but not as
 * exactly as they could be where that makes more states than it is worth. A slow device, or one
 * of more devices than there are places to cut, gets nothing.
 *
 * The call makes all operators and all memory that runs need, so it may compile. The caller
 * releases it. On failure *op is NULL and nothing is kept. TALLY_INVALID: the description is
 * refused by its create call, or the axis cannot be cut, as tally_cut_even() says; a tensor of rank
 * 0 has none. Otherwise as tally_part_create().
 */
TALLY_API tally_status tally_devices_op_create(tally_devices *devices, const tally_desc *whole,
                                               uint32_t axis, tally_devices_op **op,
                                               tally_error *error);

/* Release an operator. NULL is a no-op. No run of it may be under way. */
TALLY_API void tally_devices_op_release(tally_devices_op *op);

/*
 * What a device has of the tensors: the coordinates [begin, end) of the cut's axis.
 *
 * Where the whole's tensor is packed, the device's is the packed tensor of that range. Where the
 * whole's has strides, the device's has the same, and its view begins with the range's first
 * element: so it may be a copy of a stretch of memory.
 */
typedef struct tally_devices_part {
    uint32_t struct_size;  /* in: sizeof(tally_devices_part) */
    uint32_t axis;         /* of the cut */
    uint64_t begin;        /* the first coordinate */
    uint64_t end;          /* the coordinate behind the last one; begin: the device has nothing */
    uint64_t input_bytes;  /* of memory for the input, as tally_tensor_bytes(); 0: none is read */
    uint64_t output_bytes; /* the same for the output; 0: none is written */
    tally_tensor input;    /* of a fill without an input as the output */
    tally_tensor output;   /* of a cut of states the whole's */
} tally_devices_part;

/* A tally_devices_part to be filled. */
#define TALLY_DEVICES_PART_INIT                                                                    \
    { sizeof(tally_devices_part), 0, 0, 0, 0, 0, TALLY_TENSOR_INIT, TALLY_TENSOR_INIT }

/* Fill *part for a device, counted from 0. TALLY_INVALID: an argument is NULL, or no such device.
 */
TALLY_API tally_status tally_devices_op_part(const tally_devices_op *op, uint32_t device,
                                             tally_devices_part *part, tally_error *error);

/* How the operator is cut. TALLY_INVALID: an argument is NULL. */
TALLY_API tally_status tally_devices_op_cut(const tally_devices_op *op, tally_cut *cut,
                                            tally_error *error);

/*
 * Run the operator on all devices at once. The call blocks until all have ended, as what one device
 * computes may be needed by another one, and OpenCL's events end at a context.
 *
 * bindings has an entry for each device. Each view is as tally_op_enqueue() takes it. Scratch is
 * ignored: the operator has its own. Views are ignored of a device whose part has no bytes. Scans
 * and fills may run in place. What was enqueued on the devices' queues before comes before. Nothing
 * is compiled, and no device memory is allocated.
 *
 * Runs of one operator from several threads come one after the other.
 *
 * On failure the output is undefined. The other devices have ended their work, and the sentence has
 * the number of the first that failed, counted from 1: "device 2 of 3: ...".
 */
TALLY_API tally_status tally_devices_op_run(tally_devices_op *op, const tally_binding *bindings,
                                            tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
