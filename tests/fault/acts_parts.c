/*
 * acts_parts.c: a scan in two parts: what the first one comes to, the carry of it, and the scans of
 * both, the second of which goes on from the carry.
 */
#include <check.h>

#include <tally/part.h>

#include "acts.h"

/* In the order in which they are enqueued. */
enum { TOTALS, CARRY, FIRST, SECOND, OPS };

static struct {
    tally_op *op[OPS];
    uint64_t bounds[3];
    cl_mem states, carry, scratch;
} parts;

/* ---- Making ---------------------------------------------------------------------------------- */

/* The subject is a scan along its innermost axis, of integers, which is cut anywhere. */
static tally_cumulative describe(const stage *at) {
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    ck_assert(at->what->kind == SUBJECT_SCAN && at->what->axes == 4);
    scan.function = at->what->function;
    scan.input = scan.output = tally_tensor_packed(TALLY_U32, SUBJECT_RANK, at->what->size);
    scan.axis = 2;
    return scan;
}

static void release_ops(void) {
    for (int i = 0; i < OPS; i++) {
        tally_op_release(parts.op[i]);
        parts.op[i] = NULL;
    }
}

static tally_status make_op(const stage *at, const tally_desc *whole, const tally_cut *cut,
                            int which, tally_error *error) {
    tally_part part = TALLY_PART_INIT;
    part.begin = parts.bounds[which == SECOND];
    part.end = parts.bounds[1 + (which == SECOND)];
    tally_op **op = &parts.op[which];
    static int position;
    *op = (tally_op *)(void *)&position; /* anything that is not NULL */
    const tally_status status =
        which == TOTALS  ? tally_part_create(at->runtime, whole, cut, &part, op, error)
        : which == CARRY ? tally_combine_create(at->runtime, whole, cut, 1, op, error)
                         : tally_part_scan_create(at->runtime, whole, cut, &part, op, error);
    ck_assert_int_eq(status == TALLY_OK, *op != NULL);
    return status;
}

static tally_status run_make(stage *at, tally_error *error) {
    const tally_cumulative scan = describe(at);
    tally_desc whole = TALLY_DESC_INIT;
    tally_cut cut = TALLY_CUT_INIT;
    whole.cumulative = &scan;
    parts.bounds[1] = at->what->size[2] / 3;
    parts.bounds[2] = at->what->size[2];
    tally_status status = tally_cut_at(&whole, 2, 2, parts.bounds, &cut, error);
    for (int i = 0; i < OPS && status == TALLY_OK; i++)
        status = make_op(at, &whole, &cut, i, error);
    if (status != TALLY_OK)
        release_ops();
    return status;
}

/* ---- Enqueueing ------------------------------------------------------------------------------ */

static void make_memory(const stage *at) {
    const uint64_t bytes = at->what->size[0] * at->what->size[1] * sizeof(uint32_t);
    size_t most = 1;
    for (int i = 0; i < OPS; i++)
        if (tally_op_scratch_size(parts.op[i]) > most)
            most = tally_op_scratch_size(parts.op[i]);
    parts.states = fixture_make_buffer(NULL, bytes);
    parts.carry = fixture_make_buffer(NULL, bytes);
    parts.scratch = fixture_make_buffer(NULL, most);
}

static void release_memory(void) {
    clReleaseMemObject(parts.states);
    clReleaseMemObject(parts.carry);
    clReleaseMemObject(parts.scratch);
}

/* The memory of an operator; the second part begins inside of the lines. */
static tally_part_binding make_binding(const stage *at, int which) {
    tally_part_binding made = TALLY_PART_BINDING_INIT;
    const size_t inside = (size_t)parts.bounds[1] * sizeof(uint32_t);
    made.binding.input = image_view(&at->input);
    made.binding.output = image_view(&at->output);
    made.binding.scratch.buffer = parts.scratch;
    made.carry.buffer = parts.carry;
    if (which == TOTALS)
        made.binding.output = (tally_view){.buffer = parts.states};
    if (which == CARRY) {
        made.binding.input = (tally_view){.buffer = parts.states};
        made.binding.output = made.carry;
    }
    if (which == SECOND) {
        made.binding.input.offset += inside;
        made.binding.output.offset += inside;
    }
    return made;
}

/* All four, one behind the other; `done` is the event of the last one. */
static tally_status enqueue_all(stage *at, tally_error *error) {
    static int position;
    tally_status status = TALLY_OK;
    for (int i = 0; i < OPS && status == TALLY_OK; i++) {
        const tally_part_binding memory = make_binding(at, i);
        at->done = (cl_event)(void *)&position; /* anything that is not NULL */
        status = tally_part_enqueue(parts.op[i], at->queue, &memory, 0, NULL,
                                    i == SECOND ? &at->done : NULL, error);
        if (i == SECOND)
            ck_assert_int_eq(status == TALLY_OK, at->done != NULL);
    }
    if (status != TALLY_OK)
        fixture_check(clFinish(at->queue)); /* what was enqueued ends before the next try */
    return status;
}

/* ---- The acts -------------------------------------------------------------------------------- */

static void open_make(stage *at) {
    tally_error error;
    fixture_ok(stage_make_runtime(at, &at->runtime, &error), &error, "tally_runtime_create");
    stage_spoil(at);
}

static void check_make(stage *at) {
    tally_error error;
    make_memory(at);
    fixture_ok(enqueue_all(at, &error), &error, "tally_part_enqueue");
    stage_check(at);
    release_memory();
}

static void close_make(stage *at) {
    release_ops();
    tally_runtime_release(at->runtime);
    at->runtime = NULL;
}

/* A dry launch that is refused for its groups makes the planner start again. */
static bool forgives_groups(layer_call call, cl_int code) {
    return call == LAYER_clEnqueueNDRangeKernel && code == CL_INVALID_WORK_GROUP_SIZE;
}

const act act_parts = {"making a scan in parts", open_make, run_make, check_make, close_make,
                       forgives_groups};

static void open_enqueue(stage *at) {
    tally_error error;
    open_make(at);
    fixture_ok(run_make(at, &error), &error, "the parts");
    make_memory(at);
}

static void close_enqueue(stage *at) {
    release_memory();
    close_make(at);
}

const act act_parts_enqueue = {
    "enqueueing a scan in parts", open_enqueue, enqueue_all, stage_check, close_enqueue, NULL};
