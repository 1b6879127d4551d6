#include "parts.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/describe.h"
#include "support/descriptions/shape.h"
#include "support/fail.h"
#include "support/fixtures/fixture.h"

#define MOST_PARTS 64

/* A problem with its memory: what is read, and two outputs, of the whole and of its parts. */
typedef struct job {
    const tally_desc *desc;
    parts_how how;
    tally_tensor input, output; /* of a fill without an input both are the output */
    bool reads;
    cl_mem in, out[2];
    uint64_t in_bytes, out_bytes;
    unsigned char *elements; /* the input's */
    tally_cut cut;
    uint64_t bounds[MOST_PARTS + 1];
    cl_mem states; /* of all parts, one behind the other */
} job;

static void ok(tally_status status, const tally_error *error, const char *what) {
    fixture_ok(status, error, what);
}

/* ---- Memory --------------------------------------------------------------------------------- */

static tally_view view_at(cl_mem buffer, uint64_t offset) {
    tally_view view = TALLY_VIEW_INIT;
    view.buffer = buffer;
    view.offset = (size_t)offset;
    return view;
}

static void fill_elements(job *of) {
    of->in_bytes = oracle_extent(&of->input);
    of->elements = fixture_make_memory(of->in_bytes, 0x5A);
    values_fill(of->how.values, of->input.dtype, of->how.seed,
                of->in_bytes / tally_dtype_size(of->input.dtype), of->elements);
    of->in = fixture_make_buffer(of->elements, of->in_bytes > 0 ? of->in_bytes : 1);
}

static void make_outputs(job *of) {
    of->out_bytes = oracle_extent(&of->output);
    unsigned char *old = fixture_make_memory(of->out_bytes, 0xC3);
    for (int i = 0; i < 2; i++)
        of->out[i] = fixture_make_buffer(old, of->out_bytes + 1);
    free(old);
}

static tally_runtime *runtime_of(const job *of, uint32_t turn) {
    tally_runtime *const *all = of->how.runtimes;
    tally_runtime *own = all[turn % PARTS_RUNTIMES] != NULL ? all[turn % PARTS_RUNTIMES] : all[0];
    return own != NULL ? own : fixture_get()->runtime;
}

/* ---- Running -------------------------------------------------------------------------------- */

/* Run an operator once and release it. */
static void run(tally_op *op, tally_view input, tally_view output, const tally_view *carry) {
    tally_part_binding binding = TALLY_PART_BINDING_INIT;
    tally_error error;
    const uint64_t bytes = tally_op_scratch_size(op);
    cl_mem scratch = bytes > 0 ? fixture_make_buffer(NULL, bytes) : NULL;
    binding.binding.input = input;
    binding.binding.output = output;
    binding.binding.scratch = view_at(scratch, 0);
    if (carry != NULL)
        binding.carry = *carry;
    const cl_command_queue queue = fixture_get()->queue;
    ok(carry != NULL ? tally_part_enqueue(op, queue, &binding, 0, NULL, NULL, &error)
                     : tally_op_enqueue(op, queue, &binding.binding, 0, NULL, NULL, &error),
       &error, "the enqueue");
    fixture_check(clFinish(queue));
    if (scratch != NULL)
        clReleaseMemObject(scratch);
    tally_op_release(op);
}

static void run_whole(const job *of) {
    tally_op *op = NULL;
    tally_error error;
    ok(tally_op_create(runtime_of(of, 0), of->desc, &op, &error), &error, "the whole's create");
    run(op, view_at(of->reads ? of->in : NULL, 0), view_at(of->out[0], 0), NULL);
}

/* A part with its memory: of the whole's, or packed copies. */
typedef struct piece {
    tally_part part;
    tally_tensor input;
    tally_view in;
    cl_mem own; /* a packed copy of the input */
} piece;

static cl_mem pack(const job *of, const tally_tensor *range, uint64_t offset) {
    const size_t bytes = tally_dtype_size(of->input.dtype);
    const uint64_t count = oracle_count(range);
    unsigned char *packed = fixture_make_memory(count * bytes, 0);
    for (uint64_t i = 0; i < count; i++)
        memcpy(packed + i * bytes, of->elements + (offset + oracle_offset(range, i)) * bytes,
               bytes);
    cl_mem buffer = fixture_make_buffer(packed, count * bytes + 1);
    free(packed);
    return buffer;
}

/* Part p; what is bound begins with its first element. */
static piece make_piece(const job *of, uint32_t p) {
    piece made = {.part = TALLY_PART_INIT};
    const uint32_t axis = of->cut.axis;
    made.part.begin = of->bounds[p];
    made.part.end = of->bounds[p + 1];
    if (!of->reads)
        return made;
    const uint64_t offset = made.part.begin * oracle_stride(&of->input, axis);
    made.in = view_at(of->in, offset * tally_dtype_size(of->input.dtype));
    if ((p + of->how.seed) % 2 != 0 || made.part.begin == made.part.end)
        return made;
    const tally_tensor range = shape_range(&of->input, axis, made.part.begin, made.part.end);
    made.own = pack(of, &range, offset);
    made.in = view_at(made.own, 0);
    made.input = tally_tensor_range(&of->input, axis, made.part.begin, made.part.end);
    return made;
}

static void drop_piece(piece *of) {
    if (of->own != NULL)
        clReleaseMemObject(of->own);
}

/* The tensor of a packed copy must not move with the struct that has it. */
static tally_part part_of(const piece *of) {
    tally_part part = of->part;
    part.input = of->own != NULL ? &of->input : NULL;
    return part;
}

static tally_view output_of(const job *of, const piece *part) {
    return view_at(of->out[1], part->part.begin * oracle_stride(&of->output, of->cut.axis) *
                                   tally_dtype_size(of->output.dtype));
}

/* The n-th part in the order in which states follow each other. */
static uint32_t in_order(const job *of, uint32_t n) {
    const bool descending = of->desc->cumulative != NULL && of->desc->cumulative->descending &&
                            of->cut.kind == TALLY_CUT_TOTALS;
    return descending ? of->how.parts - 1 - n : n;
}

static uint64_t states_of(const job *of, uint32_t p) {
    return tally_cut_states(&of->cut, of->bounds[p], of->bounds[p + 1]);
}

/* Run all parts: their results, or their states into the memory for these. */
static void run_parts(const job *of) {
    uint64_t done = 0;
    for (uint32_t n = 0; n < of->how.parts; n++) {
        const uint32_t p = in_order(of, n);
        piece own = make_piece(of, p);
        const tally_part part = part_of(&own);
        tally_op *op = NULL;
        tally_error error;
        ok(tally_part_create(runtime_of(of, n), of->desc, &of->cut, &part, &op, &error), &error,
           "tally_part_create");
        run(op, own.in,
            of->states != NULL ? view_at(of->states, done * of->cut.lines * of->cut.state_bytes)
                               : output_of(of, &own),
            NULL);
        done += states_of(of, p);
        drop_piece(&own);
    }
}

static void combine_states(const job *of) {
    uint64_t states = 0;
    tally_op *op = NULL;
    tally_error error;
    for (uint32_t p = 0; p < of->how.parts; p++)
        states += states_of(of, p);
    ok(tally_combine_create(runtime_of(of, 1), of->desc, &of->cut, states, &op, &error), &error,
       "tally_combine_create");
    run(op, view_at(of->states, 0), view_at(of->out[1], 0), NULL);
}

/* Scan each part from its carry on, which is combined from all states before it. */
static void scan_parts(const job *of) {
    uint64_t before = 0;
    cl_mem carry = fixture_make_buffer(NULL, of->cut.lines * of->cut.state_bytes + 1);
    const tally_view at = view_at(carry, 0);
    for (uint32_t n = 0; n < of->how.parts; n++) {
        const uint32_t p = in_order(of, n);
        piece own = make_piece(of, p);
        const tally_part part = part_of(&own);
        tally_op *op = NULL;
        tally_error error;
        if (before > 0 && of->cut.lines > 0) {
            ok(tally_combine_create(runtime_of(of, n), of->desc, &of->cut, before, &op, &error),
               &error, "tally_combine_create");
            run(op, view_at(of->states, 0), at, NULL);
        }
        ok(tally_part_scan_create(runtime_of(of, n + 1), of->desc, &of->cut, &part, &op, &error),
           &error, "tally_part_scan_create");
        run(op, own.in, output_of(of, &own), &at);
        before += states_of(of, p);
        drop_piece(&own);
    }
    clReleaseMemObject(carry);
}

static void run_in_parts(job *of) {
    uint64_t states = 0;
    for (uint32_t p = 0; p < of->how.parts; p++)
        states += states_of(of, p);
    if (of->cut.kind != TALLY_CUT_RESULTS)
        of->states = fixture_make_buffer(NULL, states * of->cut.lines * of->cut.state_bytes + 1);
    run_parts(of);
    if (of->cut.kind == TALLY_CUT_STATES)
        combine_states(of);
    if (of->cut.kind == TALLY_CUT_TOTALS)
        scan_parts(of);
    if (of->states != NULL)
        clReleaseMemObject(of->states);
}

/* ---- Judgement ------------------------------------------------------------------------------ */

static void describe(text *out, const job *of) {
    describe_any(out, of->desc);
    text_add(out,
             "\nin %" PRIu32 " parts along axis %" PRIu32 ", grain %" PRIu64 ", seed %" PRIu64
             ", %s, bounds",
             of->how.parts, of->cut.axis, of->cut.grain, of->how.seed, values_name(of->how.values));
    for (uint32_t p = 0; p <= of->how.parts; p++)
        text_add(out, " %" PRIu64, of->bounds[p]);
}

static void compare(const job *of) {
    unsigned char *both[2];
    for (int i = 0; i < 2; i++) {
        both[i] = fixture_make_memory(of->out_bytes, 0);
        fixture_check(clEnqueueReadBuffer(fixture_get()->queue, of->out[i], CL_TRUE, 0,
                                          of->out_bytes + 1, both[i], 0, NULL, NULL));
    }
    for (uint64_t i = 0; i <= of->out_bytes; i++)
        if (both[0][i] != both[1][i]) {
            static text out;
            out.length = 0;
            describe(&out, of);
            ck_abort_msg("%s\nbyte %" PRIu64 " of the output is 0x%02X of the whole, but 0x%02X",
                         out.chars, i, both[0][i], both[1][i]);
        }
    free(both[0]);
    free(both[1]);
}

tally_cut parts_cut(const tally_desc *whole, uint32_t axis, uint32_t parts, uint64_t *bounds) {
    tally_cut cut = TALLY_CUT_INIT;
    tally_error error;
    ok(tally_cut_even(whole, axis, parts, bounds, &cut, &error), &error, "tally_cut_even");
    return cut;
}

static void cut_whole(job *of) {
    tally_error error;
    of->cut = (tally_cut)TALLY_CUT_INIT;
    ck_assert_uint_le(of->how.parts, MOST_PARTS);
    if (of->how.bounds == NULL) {
        of->cut = parts_cut(of->desc, of->how.axis, of->how.parts, of->bounds);
        return;
    }
    memcpy(of->bounds, of->how.bounds, (of->how.parts + 1) * sizeof of->bounds[0]);
    ok(tally_cut_at(of->desc, of->how.axis, of->how.parts, of->bounds, &of->cut, &error), &error,
       "tally_cut_at");
}

void parts_check(const tally_desc *whole, parts_how how) {
    const tally_tensor *input = tally_desc_input(whole), *output = tally_desc_output(whole);
    job of = {.desc = whole, .how = how, .reads = input != NULL};
    of.output = *output;
    of.input = of.reads ? *input : *output;
    fill_elements(&of);
    make_outputs(&of);
    cut_whole(&of);
    run_whole(&of);
    run_in_parts(&of);
    compare(&of);
    free(of.elements);
    clReleaseMemObject(of.in);
    clReleaseMemObject(of.out[0]);
    clReleaseMemObject(of.out[1]);
}
