/*
 * recorded.c: operators, their memory, and the comparison with an enqueue.
 */
#include "recorded.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/work.h"
#include "support/numbers/values.h"

tally_op *recorded_make_op(const recorded_subject *what) {
    tally_runtime *runtime = fixture_make_runtime_with(what->family, what->single_pass);
    tally_op *op = NULL;
    tally_error error;
    const shape sizes = SHAPE(what->rows, what->columns);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, sizes, 1u << 1);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, sizes, 1);
    tally_diagonal fill = shape_fill(sizes);
    fill.input = &scan.input;
    fill.value.f32 = 3;
    fill.end = 2;
    fixture_ok(what->kind == RECORDED_SUM    ? tally_reduce_create(runtime, &sum, &op, &error)
               : what->kind == RECORDED_SCAN ? tally_cumulative_create(runtime, &scan, &op, &error)
                                             : tally_diagonal_create(runtime, &fill, &op, &error),
               &error, what->plan);
    tally_runtime_release(runtime); /* an operator keeps it */
    ck_assert_msg(strstr(tally_op_describe(op), what->plan) != NULL, "no %s in:\n%s", what->plan,
                  tally_op_describe(op));
    return op;
}

static uint64_t bytes_out(const recorded_subject *what) {
    return what->rows * (what->kind == RECORDED_SUM ? 1 : what->columns) * sizeof(float);
}

recorded recorded_open(const recorded_subject *what, tally_op *op) {
    recorded it = {.op = op, .scratch = work_scratch(op)};
    tally_op_retain(op);
    it.in = image_make(16, what->rows * what->columns * sizeof(float), 0);
    it.out = image_make(16, bytes_out(what), 0xA5);
    image_upload(&it.in);
    image_upload(&it.out);
    return it;
}

void recorded_close(recorded *it) {
    tally_op_release(it->op);
    image_free(&it->in);
    image_free(&it->out);
    image_free(&it->scratch);
}

static tally_binding binding_of(const recorded_subject *what, const recorded *it) {
    const image *out = what->in_place ? &it->in : &it->out;
    const tally_binding binding = {image_view(&it->in), image_view(out), image_view(&it->scratch)};
    return binding;
}

cl_sync_point_khr recorded_record(const recorded_subject *what, const recorded *it,
                                  cl_command_buffer_khr commands, cl_command_queue queue,
                                  uint32_t count, const cl_sync_point_khr *list) {
    const tally_binding binding = binding_of(what, it);
    cl_sync_point_khr done = 0;
    tally_error error;
    fixture_ok(tally_op_record(it->op, commands, queue, &binding, count, list, &done, &error),
               &error, "tally_op_record");
    return done;
}

void recorded_renew(recorded *it, uint64_t seed) {
    float *x = fixture_make_memory(it->in.size, 0);
    for (size_t i = 0; i < it->in.size / sizeof *x; i++)
        x[i] = (float)(values_random(&seed) >> 40) * 0x1p-20f - 7.0f;
    memcpy(it->in.bytes, x, it->in.size);
    image_restore(&it->in);
    free(x);
}

/* Enqueue the operator on memory of its own with the same input; all bytes of its output. */
static unsigned char *enqueue(const recorded_subject *what, const recorded *it) {
    recorded other = recorded_open(what, it->op);
    const tally_binding binding = binding_of(what, &other);
    cl_event done = NULL;
    tally_error error;
    memcpy(other.in.bytes, it->in.bytes, it->in.size);
    image_restore(&other.in);
    fixture_ok(tally_op_enqueue(it->op, fixture_get()->queue, &binding, 0, NULL, &done, &error),
               &error, "tally_op_enqueue");
    fixture_check(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    unsigned char *bytes = image_download(what->in_place ? &other.in : &other.out);
    recorded_close(&other);
    return bytes;
}

void recorded_check(const recorded_subject *what, const recorded *it) {
    const image *out = what->in_place ? &it->in : &it->out;
    unsigned char *wanted = enqueue(what, it), *now = image_download(out);
    ck_assert_msg(memcmp(now, wanted, out->size) == 0,
                  "a replay of %s has other bits than an "
                  "enqueue",
                  what->plan);
    free(wanted);
    free(now);
}
