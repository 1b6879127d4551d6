/*
 * tally/stream.h: operators on tensors that are larger than the device's memory or its largest
 * buffer. The caller hands the input over in pieces and takes the output in pieces; the result has
 * the bits of the operator that computes the whole at once.
 *
 * Pieces are boxes of the tensor. Transfers and kernels overlap, and the source is asked for the
 * next piece while the device works on the ones before. Each element of the input is asked for
 * once, also by scans: what a scan comes to goes from piece to piece on the device.
 *
 * How a tensor is cut. Neighbouring axes that are swept together, or kept together, count as one
 * axis, and axes of size 1 do not count. Of what is left there are cut:
 *
 *   reductions   the axes that are kept, and the outermost axis that is swept
 *   scans        all axes; pieces along the scanned axis come in the direction of the scan
 *   fills        all axes
 *
 * The outermost axis is cut first, so that a file in row-major order is read from its begin to its
 * end, unless a piece of it would be too large. Where rounding depends on the order of terms, swept
 * axes are cut where blocks of the order end, and scanned axes where stretches do, so a piece has
 * at least 4096 terms, or 262144, or all. What cannot be cut:
 *
 *   * swept axes inside of the outermost one that is swept. Example: [2, 5, 10^9] over axes 0 and 2
 *     needs memory for 2 * 10^9 elements.
 *
 *   * an axis that is kept between two swept ones is cut into pieces of at least two coordinates.
 *
 * docs/scaling.md says how fast it is.
 */
#ifndef TALLY_STREAM_H
#define TALLY_STREAM_H

#include <tally/part.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In tally_source.flags and tally_sink.flags.
 *
 * TALLY_STREAM_ANY_THREAD: several threads may call it at the same time.
 *
 * TALLY_STREAM_PINNED, added to the flags of tally_source_memory() and tally_sink_memory(): the
 * tensor lies in memory that the driver of the stream's device has pinned. Example: a buffer that
 * was made with CL_MEM_ALLOC_HOST_PTR and is mapped. Then a piece whose elements lie side by side
 * in row-major order is transferred from where it lies. With other sources and sinks it says
 * nothing.
 */
#define TALLY_STREAM_ANY_THREAD 1u
#define TALLY_STREAM_PINNED 2u

/*
 * Where the input comes from. read is asked for a box of the tensor: size[k] coordinates along axis
 * k, the first of which is begin[k]. Both have as many entries as the tensor has axes. It writes
 * the box's elements to the memory, packed and row-major.
 *
 * A call of read that fails returns another status than TALLY_OK, for example TALLY_STOPPED, and
 * writes a sentence into error->message. The stream stops, and its call returns both.
 *
 * Without TALLY_STREAM_ANY_THREAD all calls of the source and the sink come from the thread that
 * called tally_stream_run(), one after the other. With it several threads of the library's may call
 * it at once, for boxes that do not overlap; that is how a fast device is kept busy. A function of
 * a source or sink must not call Tally for the same stream.
 */
typedef struct tally_source {
    uint32_t struct_size; /* sizeof(tally_source); the initialiser fills it */
    uint32_t flags;       /* TALLY_STREAM_ flags, or 0 */
    /* Write a box, packed, to elements: size[k] elements from begin[k] on along axis k. */
    tally_status (*read)(void *user, const uint64_t *begin, const uint64_t *size, void *elements,
                         tally_error *error);
    void *user; /* handed to read */
} tally_source;

/*
 * Where the output goes. write takes a box of the output, as read gives one. Each element of the
 * output is written once. Boxes come in no order that a later version would keep; where the
 * outermost axis alone is cut, and the scan is not descending, they come in row-major order.
 */
typedef struct tally_sink {
    uint32_t struct_size; /* sizeof(tally_sink); the initialiser fills it */
    uint32_t flags;       /* TALLY_STREAM_ flags, or 0 */
    /* Take a box, packed, from elements. */
    tally_status (*write)(void *user, const uint64_t *begin, const uint64_t *size,
                          const void *elements, tally_error *error);
    void *user; /* handed to write */
} tally_sink;

/* Ones without a function. */
#define TALLY_SOURCE_INIT                                                                          \
    { sizeof(tally_source), 0, NULL, NULL }
#define TALLY_SINK_INIT                                                                            \
    { sizeof(tally_sink), 0, NULL, NULL }

/* A tensor in memory of the host, for example a mapped file. Its strides count. */
typedef struct tally_host_tensor {
    tally_tensor tensor; /* type, sizes and strides */
    void *elements;      /* the first one; of an input it is only read */
} tally_host_tensor;

/*
 * The source that reads a tensor in host memory, and the sink that writes one. Several threads may
 * call both. The tensor is not copied: it stays until the stream has ended.
 *
 * A device that shares the host's memory computes a piece where it lies, if its elements are
 * aligned to their size and lie side by side in row-major order, and those of an output begin at a
 * multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN bits. The stream copies nothing then; a driver may.
 * Until the stream has ended nobody else writes to the memory of the source, nor to the 4096 bytes
 * before it. If source and sink are in the same memory, their elements are copied piece by piece.
 */
TALLY_API tally_source tally_source_memory(const tally_host_tensor *tensor);
TALLY_API tally_sink tally_sink_memory(tally_host_tensor *tensor);

/* How a stream runs. Begin with TALLY_STREAM_INIT and set the source and the sink. */
typedef struct tally_stream {
    uint32_t struct_size; /* sizeof(tally_stream); the initialiser fills it */
    uint32_t copies;      /* see tally_stream_copies */
    /*
     * Bytes of device memory, at most, that buffers of the stream have together: pieces of input
     * and output, states, scratch. 0: a quarter of the device's memory. On a device with memory of
     * its own the host has pinned memory of the size of the pieces besides, unless they lie in
     * pinned memory already. A tensor of the caller's that a device computes in does not count.
     */
    uint64_t memory;
    uint64_t piece; /* bytes of input and output of a piece, at most; 0: the library's choice */
    const tally_source *source; /* NULL only for a fill without an input */
    const tally_sink *sink;     /* where the output goes */
    /*
     * Called on the thread of the call with the bytes that were read and written, and those that
     * will have been in the end. If it returns false, the stream stops: TALLY_STOPPED. NULL: none.
     */
    bool (*progress)(void *user, uint64_t done, uint64_t all);
    void *user;        /* handed to progress */
    uint32_t threads;  /* of a source or sink that takes several; 0: the library's choice */
    uint32_t reserved; /* 0 */
} tally_stream;

/* Whether pieces are copied to the device and back, or computed in the host's memory. */
typedef enum tally_stream_copies {
    TALLY_STREAM_COPY_AUTO = 0, /* as CL_DEVICE_HOST_UNIFIED_MEMORY says */
    TALLY_STREAM_COPY_ON = 1,
    TALLY_STREAM_COPY_OFF = 2,
    TALLY_STREAM_COPY_32_BITS = 0x7FFFFFFF /* no value */
} tally_stream_copies;

/* A tally_stream with the library's choices. */
#define TALLY_STREAM_INIT                                                                          \
    { sizeof(tally_stream), 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0 }

/*
 * Compute the problem of a description from the source to the sink, and return when all is written.
 * Of its tensors the types, sizes and options count; strides do not. May compile. What the runtime
 * has compiled for a stream it has for the next one of the same pieces.
 *
 *   TALLY_INVALID        the description is refused by its create call, a member of stream breaks
 *                        its rule, or memory is too small: the sentence has the least that is
 *                        enough
 *
 *   TALLY_STOPPED        progress returned false
 *
 *   a status of the source's or the sink's
 *
 *   TALLY_UNSUPPORTED, TALLY_BUILD_FAILED, TALLY_OUT_OF_MEMORY, TALLY_DEVICE_ERROR
 *
 * On failure the sink may have a part of the output. The device has ended all work of the stream
 * and its memory is released when the call returns.
 */
TALLY_API tally_status tally_stream_run(tally_runtime *runtime, const tally_desc *whole,
                                        const tally_stream *stream, tally_error *error);

/* What a stream would do. */
typedef struct tally_stream_plan {
    uint32_t struct_size;  /* in: sizeof(tally_stream_plan) */
    uint32_t slots;        /* pieces that are under way at a time, 1 to 3 */
    uint64_t pieces;       /* that the source is asked for, or, without one, the sink gets */
    uint64_t input_bytes;  /* of the largest piece of the input */
    uint64_t output_bytes; /* of the largest piece of the output */
    uint64_t memory;       /* bytes of device memory that its buffers have together, at most */
    uint64_t least_memory; /* the least that tally_stream.memory may be */
} tally_stream_plan;

/* A tally_stream_plan to be filled. */
#define TALLY_STREAM_PLAN_INIT                                                                     \
    { sizeof(tally_stream_plan), 0, 0, 0, 0, 0, 0 }

/*
 * Fill *plan with what tally_stream_run() would do. Source and sink need not be there: then the
 * plan is that of functions of the caller's. The call compiles what the stream needs, and what the
 * one with the least memory would. Fails as that call does.
 */
TALLY_API tally_status tally_stream_query(tally_runtime *runtime, const tally_desc *whole,
                                          const tally_stream *stream, tally_stream_plan *plan,
                                          tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
