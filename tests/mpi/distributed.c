#include "mpi/distributed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/describe.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"

/* A problem with the memory of the whole and of this rank. */
typedef struct job {
    const tally_desc *desc;
    distributed_how how;
    tally_tensor input, output; /* the whole's */
    bool reads;
    unsigned char *elements, *expected; /* of the whole */
    tally_mpi_layout layout;
    tally_tensor in, out; /* this rank's */
    cl_mem in_buffer, out_buffer;
} job;

/* Where the index-th element of a range lies in the whole, in bytes. */
static uint64_t position_in_whole(const tally_tensor *whole, const tally_tensor *own, uint32_t axis,
                                  uint64_t begin, uint64_t index) {
    const tally_tensor range = shape_range(whole, axis, begin, begin + own->size[axis]);
    return (begin * oracle_stride(whole, axis) + oracle_offset(&range, index)) *
           tally_dtype_size(whole->dtype);
}

/* ---- The whole ------------------------------------------------------------------------------ */

static void fill_elements(job *of) {
    const uint64_t bytes = oracle_extent(&of->input);
    of->elements = fixture_make_memory(bytes, 0);
    values_fill(of->how.values, of->input.dtype, of->how.seed,
                bytes / tally_dtype_size(of->input.dtype), of->elements);
}

static void read_buffer(cl_mem buffer, uint64_t bytes, void *into) {
    if (bytes > 0)
        fixture_check(clEnqueueReadBuffer(fixture_get()->queue, buffer, CL_TRUE, 0, bytes, into, 0,
                                          NULL, NULL));
}

static void expect(job *of) {
    const uint64_t bytes = oracle_extent(&of->output);
    of->expected = fixture_make_memory(bytes, 0);
    if (world_get()->rank == 0)
        call_any(of->desc, of->elements, of->expected);
    MPI_Bcast(of->expected, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* ---- This rank ------------------------------------------------------------------------------ */

static void lay_out(job *of) {
    const world *all = world_get();
    tally_error error;
    of->layout = (tally_mpi_layout)TALLY_MPI_LAYOUT_INIT;
    of->layout.root = of->how.root;
    if (of->how.bounds != NULL) {
        of->layout.axis = of->how.axis;
        of->layout.begin = of->how.bounds[all->rank];
        of->layout.end = of->how.bounds[all->rank + 1];
    } else {
        world_ok(tally_mpi_even(all->mpi, of->desc, of->how.axis, &of->layout, &error), &error,
                 "tally_mpi_even");
    }
}

/* What this rank has of the tensors; of an output that is not distributed all. */
static void make_tensors(job *of, bool distributed) {
    const tally_mpi_layout *own = &of->layout;
    of->in = tally_tensor_range(&of->input, own->axis, own->begin, own->end);
    of->out =
        distributed ? tally_tensor_range(&of->output, own->axis, own->begin, own->end) : of->output;
    if (!of->how.padded)
        return;
    shape_pad(&of->in, 2);
    of->layout.input = of->reads ? &of->in : NULL;
    if (!distributed)
        return;
    shape_pad(&of->out, of->how.in_place ? 2 : 3);
    of->layout.output = &of->out;
}

static void make_buffers(job *of) {
    const uint64_t bytes = oracle_extent(&of->in), count = oracle_count(&of->in);
    const size_t size = tally_dtype_size(of->in.dtype);
    unsigned char *own = fixture_make_memory(bytes, 0x5A);
    for (uint64_t i = 0; i < count; i++)
        memcpy(own + oracle_offset(&of->in, i) * size,
               of->elements +
                   position_in_whole(&of->input, &of->in, of->layout.axis, of->layout.begin, i),
               size);
    of->in_buffer = fixture_make_buffer(own, bytes + 1);
    free(own);
    of->out_buffer =
        of->how.in_place ? of->in_buffer : fixture_make_buffer(NULL, oracle_extent(&of->out) + 1);
}

/* The index of the first element that is not as expected; the number of elements: none. */
static uint64_t find_difference(const job *of, bool distributed) {
    const uint64_t count = oracle_count(&of->out), bytes = oracle_extent(&of->out);
    const size_t size = tally_dtype_size(of->out.dtype);
    unsigned char *own = fixture_make_memory(bytes, 0);
    uint64_t at = 0;
    read_buffer(of->out_buffer, bytes, own);
    while (at < count &&
           memcmp(own + oracle_offset(&of->out, at) * size,
                  of->expected + position_in_whole(&of->output, &of->out, of->layout.axis,
                                                   distributed ? of->layout.begin : 0, at),
                  size) == 0)
        at++;
    free(own);
    return at;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static const char *describe(const job *of) {
    static text out;
    out.length = 0;
    describe_any(&out, of->desc);
    return out.chars;
}

static void judge(const job *of, const tally_mpi_op *op) {
    const world *all = world_get();
    tally_mpi_traffic traffic = TALLY_MPI_TRAFFIC_INIT;
    tally_error error;
    world_ok(tally_mpi_op_traffic(op, &traffic, &error), &error, "tally_mpi_op_traffic");
    const bool distributed = traffic.kind != TALLY_CUT_STATES;
    const bool gets = distributed || of->how.root == TALLY_MPI_ALL || of->how.root == all->rank;
    const uint64_t at = gets ? find_difference(of, distributed) : oracle_count(&of->out);
    world_check(at == oracle_count(&of->out),
                "%s\naxis %" PRIu32 ", rank %d of %d, from %" PRIu64 " to %" PRIu64
                ", root %d, seed %" PRIu64 ", %s: element %" PRIu64 " has other bits",
                describe(of), of->layout.axis, all->rank, all->ranks, of->layout.begin,
                of->layout.end, of->how.root, of->how.seed, values_name(of->how.values), at);
}

static bool is_distributed(const job *of) {
    return of->desc->reduce == NULL || (of->desc->reduce->axes >> of->layout.axis & 1) == 0;
}

static void run(job *of) {
    tally_mpi_op *op = NULL;
    tally_error error;
    tally_view input = TALLY_VIEW_INIT, output = TALLY_VIEW_INIT;
    tally_status status = tally_mpi_op_create(world_get()->mpi, of->desc, &of->layout, &op, &error);
    world_ok(status, &error, "tally_mpi_op_create");
    input.buffer = of->reads ? of->in_buffer : NULL;
    output.buffer = of->out_buffer;
    for (int i = 0; i < (of->how.in_place ? 1 : 2); i++) {
        status = tally_mpi_run(op, &input, &output, 0, NULL, &error);
        world_ok(status, &error, "tally_mpi_run");
        judge(of, op);
    }
    tally_mpi_op_release(op);
}

void distributed_check(const tally_desc *whole, distributed_how how) {
    const tally_tensor *input = tally_desc_input(whole), *output = tally_desc_output(whole);
    job of = {.desc = whole, .how = how, .reads = input != NULL};
    of.output = *output;
    of.input = of.reads ? *input : *output;
    fill_elements(&of);
    expect(&of);
    lay_out(&of);
    make_tensors(&of, is_distributed(&of));
    make_buffers(&of);
    run(&of);
    if (!how.in_place)
        clReleaseMemObject(of.out_buffer);
    clReleaseMemObject(of.in_buffer);
    free(of.elements);
    free(of.expected);
}
