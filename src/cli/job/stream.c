/*
 * A job as a stream of pieces. Arrays in C order are read with pread, so that their pages do not
 * stay in memory; others, and boxes of short runs, come from the mapped file.
 */
#include "cli/job/stream.h"

#include <inttypes.h>
#include <stdio.h>

#include <tally/stream.h>

/* Bytes of a run from which a read of its own is worth it. */
#define LEAST_RUN ((uint64_t)4096)

/* ---- Whether -------------------------------------------------------------------------------- */

static uint64_t input_bytes(const job *work) {
    return work->input != NULL ? work->input->array.data_bytes : 0;
}

static uint64_t output_bytes(const job *work) {
    uint64_t bytes = 0;
    (void)tally_tensor_bytes(job_output(work), &bytes, NULL);
    return bytes;
}

bool job_stream_is_needed(const job *work, const device *target) {
    const uint64_t in = input_bytes(work), out = output_bytes(work);
    const uint64_t largest = device_number(target->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const uint64_t all = device_number(target->id, CL_DEVICE_GLOBAL_MEM_SIZE);
    if (work->options->memory != 0)
        return in + out > work->options->memory;
    return in > largest || out > largest || in + out > all;
}

/* ---- Runs of a box -------------------------------------------------------------------------- */

/* A box of a packed tensor as runs of bytes. */
typedef struct run_list {
    uint32_t outer; /* axes whose coordinates begin a run */
    const uint64_t *begin, *size;
    uint64_t stride[TALLY_MAX_RANK]; /* in bytes */
    uint64_t run, runs;
} run_list;

static run_list list_runs(const tally_tensor *tensor, const uint64_t *begin, const uint64_t *size) {
    run_list of = {.outer = tensor->rank, .begin = begin, .size = size, .runs = 1};
    uint64_t stride = tally_dtype_size(tensor->dtype);
    for (uint32_t k = tensor->rank; k-- > 0; stride *= tensor->size[k])
        of.stride[k] = stride;
    of.run = tally_dtype_size(tensor->dtype);
    while (of.outer > 0 && (of.run == of.stride[of.outer - 1] || size[of.outer - 1] == 1))
        of.run *= size[--of.outer];
    for (uint32_t k = 0; k < of.outer; k++)
        of.runs *= size[k];
    return of;
}

/* Bytes from the tensor's first element to the index-th run. */
static uint64_t run_at(const run_list *of, uint32_t rank, uint64_t index) {
    uint64_t at = 0;
    for (uint32_t k = rank; k-- > of->outer;)
        at += of->begin[k] * of->stride[k];
    for (uint32_t k = of->outer; k-- > 0; index /= of->size[k])
        at += (of->begin[k] + index % of->size[k]) * of->stride[k];
    return at;
}

/* ---- The files as ends of the stream -------------------------------------------------------- */

typedef struct ends {
    const input_file *input;
    tally_host_tensor mapped; /* the input */
    tally_tensor packed;      /* likewise, if it is in C order */
    output_file *output;
    tally_tensor result; /* as the operator has it, which the file may have squeezed */
    uint64_t header;     /* bytes before its first element */
    progress *line;
    uint64_t done;
} ends;

/* A sentence of the program as one of the library. */
static tally_status stop(const cli_error *why, tally_error *error) {
    snprintf(error->message, sizeof error->message, "%.490s", why->text);
    return TALLY_STOPPED;
}

static tally_status read_box(void *user, const uint64_t *begin, const uint64_t *size,
                             void *elements, tally_error *error) {
    const ends *of = user;
    const run_list runs = list_runs(&of->packed, begin, size);
    char *next = elements;
    cli_error why;
    if (of->input->array.fortran || runs.run < LEAST_RUN) {
        const tally_source memory = tally_source_memory(&of->mapped);
        return memory.read(memory.user, begin, size, elements, error);
    }
    for (uint64_t i = 0; i < runs.runs; i++, next += runs.run) {
        const uint64_t at = of->input->array.data_offset + run_at(&runs, of->packed.rank, i);
        if (input_read(of->input, at, next, (size_t)runs.run, &why) != CLI_DONE) {
            cli_error_prefix(&why, of->input->path, CLI_FAILED);
            return stop(&why, error);
        }
    }
    return TALLY_OK;
}

static tally_status write_box(void *user, const uint64_t *begin, const uint64_t *size,
                              const void *elements, tally_error *error) {
    const ends *of = user;
    const run_list runs = list_runs(&of->result, begin, size);
    const char *next = elements;
    cli_error why;
    for (uint64_t i = 0; i < runs.runs; i++, next += runs.run) {
        const uint64_t at = of->header + run_at(&runs, of->result.rank, i);
        if (output_write_at(of->output, at, next, (size_t)runs.run, &why) != CLI_DONE)
            return stop(&why, error);
    }
    return TALLY_OK;
}

static bool note(void *user, uint64_t done, uint64_t all) {
    ends *of = user;
    (void)all;
    progress_advance(of->line, done - of->done);
    of->done = done;
    return true;
}

/* ---- The stream ----------------------------------------------------------------------------- */

static tally_stream stream_of(const job *work) {
    tally_stream stream = TALLY_STREAM_INIT;
    stream.memory = work->options->memory;
    return stream;
}

int job_stream_explain(const job *work, const device *target, cli_error *error) {
    const tally_stream stream = stream_of(work);
    tally_stream_plan plan = TALLY_STREAM_PLAN_INIT;
    tally_error refusal;
    if (tally_stream_query(target->runtime, job_desc(work), &stream, &plan, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    fprintf(stderr,
            "a stream of %" PRIu64 " pieces, %" PRIu32 " at a time: at most %" PRIu64
            " bytes of input and %" PRIu64 " of output in a piece, %" PRIu64
            " bytes of device memory\n",
            plan.pieces, plan.slots, plan.input_bytes, plan.output_bytes, plan.memory);
    return CLI_DONE;
}

static void set_input(const input_file *input, ends *of) {
    of->input = input;
    of->mapped.tensor = npy_tensor(&input->array);
    of->mapped.elements = (char *)input->map + input->array.data_offset;
    of->packed =
        tally_tensor_packed(input->array.dtype, of->mapped.tensor.rank, of->mapped.tensor.size);
}

int job_stream_run(const job *work, const device *target, progress *line, cli_error *error) {
    output_file *output = work->file;
    const tally_tensor *tensor = job_output(work);
    tally_source source = TALLY_SOURCE_INIT;
    tally_sink sink = TALLY_SINK_INIT;
    tally_stream stream = stream_of(work);
    tally_error refusal;
    char header[NPY_HEADER_MAX];
    ends of = {.output = output, .result = *tally_desc_output(job_desc(work)), .line = line};
    of.header = npy_format(tensor->dtype, tensor->rank, tensor->size, header);
    if (output_write_at(output, 0, header, (size_t)of.header, error) != CLI_DONE)
        return CLI_FAILED;
    if (work->input != NULL)
        set_input(work->input, &of);
    source.flags = TALLY_STREAM_ANY_THREAD;
    source.read = read_box;
    sink.write = write_box;
    sink.flags = output->temporary.path != NULL ? TALLY_STREAM_ANY_THREAD : 0;
    source.user = sink.user = stream.user = &of;
    stream.source = work->input != NULL ? &source : NULL;
    stream.sink = &sink;
    stream.progress = note;
    progress_phase(line, "streaming", input_bytes(work) + output_bytes(work));
    if (tally_stream_run(target->runtime, job_desc(work), &stream, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    return CLI_DONE;
}
