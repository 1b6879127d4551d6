/*
 * The source and the sink of a tensor in the host's memory: a box is copied in runs that lie side
 * by side in it.
 */
#include "stream/host.h"

#include <string.h>

typedef struct copy {
    uint32_t rank;
    uint64_t size[TALLY_MAX_RANK];
    uint64_t stride[TALLY_MAX_RANK]; /* in bytes */
    uint64_t run;                    /* bytes that lie side by side */
    bool to_tensor;
    char *tensor; /* the box's first element */
    char *packed;
} copy;

/* The strides of a tensor in bytes; returns the bytes of an element. */
static uint64_t strides_of(const tally_tensor *tensor, uint64_t stride[TALLY_MAX_RANK]) {
    const uint64_t bytes = tally_dtype_size(tensor->dtype);
    uint64_t packed = bytes;
    for (uint32_t k = tensor->rank; k-- > 0; packed *= tensor->size[k])
        stride[k] = (tensor->flags & TALLY_STRIDED) != 0 ? tensor->stride[k] * bytes : packed;
    return bytes;
}

/* Leave out the inner axes that are one run, and those of one coordinate. */
static void set_box(const tally_host_tensor *of, const uint64_t *begin, const uint64_t *size,
                    copy *work) {
    uint64_t stride[TALLY_MAX_RANK];
    const uint32_t rank = of->tensor.rank;
    uint32_t inner = rank;
    work->run = strides_of(&of->tensor, stride);
    work->tensor = of->elements;
    for (uint32_t k = 0; k < rank; k++)
        work->tensor += begin[k] * stride[k];
    while (inner > 0 && (size[inner - 1] == 1 || stride[inner - 1] == work->run))
        work->run *= size[--inner];
    work->rank = 0;
    for (uint32_t k = 0; k < inner; k++)
        if (size[k] != 1) {
            work->size[work->rank] = size[k];
            work->stride[work->rank++] = stride[k];
        }
}

/* A line of elements of `bytes`, which the compiler knows: a copy is then a load and a store. */
static inline void copy_line(const copy *work, char *tensor, char *packed, uint64_t count,
                             uint64_t stride, size_t bytes) {
    for (uint64_t i = 0; i < count; i++)
        if (work->to_tensor)
            memcpy(tensor + i * stride, packed + i * bytes, bytes);
        else
            memcpy(packed + i * bytes, tensor + i * stride, bytes);
}

static void copy_runs(const copy *work, char *tensor, char *packed, uint64_t count,
                      uint64_t stride) {
    if (work->run == 1)
        copy_line(work, tensor, packed, count, stride, 1);
    else if (work->run == 2)
        copy_line(work, tensor, packed, count, stride, 2);
    else if (work->run == 4)
        copy_line(work, tensor, packed, count, stride, 4);
    else if (work->run == 8)
        copy_line(work, tensor, packed, count, stride, 8);
    else
        copy_line(work, tensor, packed, count, stride, (size_t)work->run);
}

static void copy_box(const copy *work) {
    const uint32_t outer = work->rank > 0 ? work->rank - 1 : 0;
    const uint64_t count = work->rank > 0 ? work->size[outer] : 1;
    const uint64_t stride = work->rank > 0 ? work->stride[outer] : work->run;
    uint64_t index[TALLY_MAX_RANK] = {0}, lines = 1;
    char *tensor = work->tensor, *packed = work->packed;
    for (uint32_t k = 0; k < outer; k++)
        lines *= work->size[k];
    for (uint64_t i = 0; i < lines; i++, packed += count * work->run) {
        copy_runs(work, tensor, packed, count, stride);
        for (uint32_t k = outer; k-- > 0;) { /* the next line */
            tensor += work->stride[k];
            if (++index[k] < work->size[k])
                break;
            tensor -= work->size[k] * work->stride[k];
            index[k] = 0;
        }
    }
}

static tally_status read_memory(void *user, const uint64_t *begin, const uint64_t *size,
                                void *elements, tally_error *error) {
    copy work = {.to_tensor = false, .packed = elements};
    (void)error;
    set_box(user, begin, size, &work);
    copy_box(&work);
    return TALLY_OK;
}

static tally_status write_memory(void *user, const uint64_t *begin, const uint64_t *size,
                                 const void *elements, tally_error *error) {
    copy work = {.to_tensor = true};
    (void)error;
    memcpy(&work.packed, &elements, sizeof elements); /* it is only read */
    set_box(user, begin, size, &work);
    copy_box(&work);
    return TALLY_OK;
}

tally_source tally_source_memory(const tally_host_tensor *tensor) {
    tally_source source = TALLY_SOURCE_INIT;
    source.flags = TALLY_STREAM_ANY_THREAD;
    source.read = read_memory;
    memcpy(&source.user, &tensor, sizeof tensor); /* it is only read */
    return source;
}

tally_sink tally_sink_memory(tally_host_tensor *tensor) {
    tally_sink sink = TALLY_SINK_INIT;
    sink.flags = TALLY_STREAM_ANY_THREAD;
    sink.write = write_memory;
    sink.user = tensor;
    return sink;
}

/* ---- Computed where it lies ----------------------------------------------------------------- */

const tally_host_tensor *tally_host_source(const tally_source *source) {
    return source->read == read_memory ? source->user : NULL;
}

const tally_host_tensor *tally_host_sink(const tally_sink *sink) {
    return sink->write == write_memory ? sink->user : NULL;
}

void *tally_host_run(const tally_host_tensor *tensor, const uint64_t *begin, const uint64_t *size) {
    copy work;
    set_box(tensor, begin, size, &work);
    return work.rank == 0 ? work.tensor : NULL;
}

bool tally_host_touch(const tally_host_tensor *a, const tally_host_tensor *b) {
    const uintptr_t from_a = (uintptr_t)a->elements, from_b = (uintptr_t)b->elements;
    uint64_t of_a = 0, of_b = 0;
    if (tally_tensor_bytes(&a->tensor, &of_a, NULL) != TALLY_OK ||
        tally_tensor_bytes(&b->tensor, &of_b, NULL) != TALLY_OK)
        return true;
    return from_a < from_b + of_b + TALLY_HOST_BEFORE && from_b < from_a + of_a + TALLY_HOST_BEFORE;
}
