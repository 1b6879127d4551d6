/*
 * test_record.c: operators recorded into command buffers. A replay gives the bits of an enqueue,
 * the first time and the third, whatever the input has become, in place too, on queues of both
 * orders, beside other recordings and beside enqueues of the same operator.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/image.h"
#include "support/fixtures/replay.h"
#include "support/fixtures/work.h"
#include "support/numbers/values.h"

enum { ROUNDS = 3, LENGTH = 70000 };

typedef enum kind { SUM, SCAN, FILL } kind;

/* Operators of float32 along one axis, by the way in which they are launched. */
static const struct subject {
    const char *plan; /* in the plan's words */
    tally_family family;
    tally_single_pass single_pass;
    kind kind;
    uint64_t rows, columns;
    bool in_place;
} subjects[] = {
    {"fold", TALLY_FAMILY_AUTO, TALLY_SINGLE_PASS_OFF, SUM, 3, 300, false},
    {"_closing", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, SUM, 1, LENGTH, false},
    {"_last", TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_OFF, SUM, 2, 9001, false},
    {"_look_back", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON, SCAN, 1, 20000, false},
    {"_pass,", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON, SCAN, 1, 270000, false},
    {"_pass,", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON, SCAN, 1, 270000, true},
    {"_two_passes", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, SCAN, 1, 270000, false},
    {"_recompute", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, SCAN, 1, 20000, false},
    {"_recompute", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, SCAN, 1, 20000, true},
    {"fill", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, FILL, 50, 70, false},
    {"fill", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, FILL, 50, 70, true},
};
#define SUBJECTS ((int)(sizeof subjects / sizeof subjects[0]))

static const cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

/* ---- An operator with its memory ------------------------------------------------------------- */

typedef struct recorded {
    tally_op *op;
    image in, out, scratch;
} recorded;

static tally_op *make_op(const struct subject *what) {
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
    fixture_ok(what->kind == SUM    ? tally_reduce_create(runtime, &sum, &op, &error)
               : what->kind == SCAN ? tally_cumulative_create(runtime, &scan, &op, &error)
                                    : tally_diagonal_create(runtime, &fill, &op, &error),
               &error, what->plan);
    tally_runtime_release(runtime); /* an operator keeps it */
    ck_assert_msg(strstr(tally_op_describe(op), what->plan) != NULL, "no %s in:\n%s", what->plan,
                  tally_op_describe(op));
    return op;
}

static uint64_t bytes_out(const struct subject *what) {
    return what->rows * (what->kind == SUM ? 1 : what->columns) * sizeof(float);
}

/* Memory for the operator. In place there is no input beside the output. */
static recorded open_recorded(const struct subject *what, tally_op *op) {
    recorded it = {.op = op, .scratch = work_scratch(op)};
    tally_op_retain(op);
    it.in = image_make(16, what->rows * what->columns * sizeof(float), 0);
    it.out = image_make(16, bytes_out(what), 0xA5);
    image_upload(&it.in);
    image_upload(&it.out);
    return it;
}

static void close_recorded(recorded *it) {
    tally_op_release(it->op);
    image_free(&it->in);
    image_free(&it->out);
    image_free(&it->scratch);
}

static tally_binding binding_of(const struct subject *what, const recorded *it) {
    const image *out = what->in_place ? &it->in : &it->out;
    const tally_binding binding = {image_view(&it->in), image_view(out), image_view(&it->scratch)};
    return binding;
}

/* Record it; its sync point. */
static cl_sync_point_khr record(const struct subject *what, const recorded *it,
                                cl_command_buffer_khr commands, cl_command_queue queue,
                                uint32_t count, const cl_sync_point_khr *list) {
    const tally_binding binding = binding_of(what, it);
    cl_sync_point_khr done = 0;
    tally_error error;
    fixture_ok(tally_op_record(it->op, commands, queue, &binding, count, list, &done, &error),
               &error, "tally_op_record");
    return done;
}

/* Fill the input with numbers whose sums round. */
static void renew(recorded *it, uint64_t seed) {
    float *x = fixture_make_memory(it->in.size, 0);
    for (size_t i = 0; i < it->in.size / sizeof *x; i++)
        x[i] = (float)(values_random(&seed) >> 40) * 0x1p-20f - 7.0f;
    memcpy(it->in.bytes, x, it->in.size);
    image_restore(&it->in);
    free(x);
}

/* ---- The bits of an enqueue ------------------------------------------------------------------ */

/* Enqueue the operator on memory of its own with the same input; all bytes of its output. */
static unsigned char *enqueue(const struct subject *what, const recorded *it) {
    recorded other = open_recorded(what, it->op);
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
    close_recorded(&other);
    return bytes;
}

/* Every byte, those around the elements too, is as an enqueue leaves it. */
static void check_bits(const struct subject *what, const recorded *it) {
    const image *out = what->in_place ? &it->in : &it->out;
    unsigned char *wanted = enqueue(what, it), *now = image_download(out);
    ck_assert_msg(memcmp(now, wanted, out->size) == 0,
                  "a replay of %s has other bits than an "
                  "enqueue",
                  what->plan);
    free(wanted);
    free(now);
}

/* Record the operator, and replay it with one input after another. */
static void check_replays(const struct subject *what, cl_command_queue_properties order) {
    cl_command_queue queue = fixture_make_queue(order);
    tally_op *op = make_op(what);
    recorded it = open_recorded(what, op);
    cl_command_buffer_khr commands = replay_create(queue);
    record(what, &it, commands, queue, 0, NULL);
    replay_finalize(commands);
    for (int round = 0; round < ROUNDS; round++) {
        renew(&it, (uint64_t)(round + 1));
        replay_run(commands);
        check_bits(what, &it);
    }
    replay_release(commands);
    close_recorded(&it);
    tally_op_release(op);
    clReleaseCommandQueue(queue);
}

START_TEST(replays_have_the_bits_of_enqueues) {
    if (!replay_offered())
        return;
    check_replays(&subjects[_i / 2], orders[_i % 2]);
}
END_TEST

/* Input, output and scratch are shared virtual memory of both kinds in turns. */
START_TEST(recordings_take_pointers) {
    if (!replay_offered())
        return;
    static const memory_kind kinds[] = {MEMORY_SVM_COARSE, MEMORY_SVM_FINE};
    for (size_t k = 0; k < 2; k++)
        ck_assert(memory_has(kinds[k]) || !memory_must_have(kinds[k]));
    if (!memory_has(kinds[0]) || !memory_has(kinds[1]))
        return;
    image_choose(kinds, 2);
    check_replays(&subjects[_i], orders[_i % 2]);
    image_choose(NULL, 0);
}
END_TEST

/* ---- Several recordings ---------------------------------------------------------------------- */

/* Of each operator two, in one command buffer, which may run at the same time. */
START_TEST(recordings_of_one_operator_do_not_meet) {
    if (!replay_offered())
        return;
    const struct subject *what = &subjects[_i];
    enum { COPIES = 3 };
    cl_command_queue queue = fixture_make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    tally_op *op = make_op(what);
    recorded all[COPIES];
    cl_command_buffer_khr commands = replay_create(queue);
    for (int k = 0; k < COPIES; k++) {
        all[k] = open_recorded(what, op);
        record(what, &all[k], commands, queue, 0, NULL);
    }
    replay_finalize(commands);
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < COPIES; k++)
            renew(&all[k], (uint64_t)(10 * round + k + 1));
        replay_run(commands);
        for (int k = 0; k < COPIES; k++)
            check_bits(what, &all[k]);
    }
    replay_release(commands);
    for (int k = 0; k < COPIES; k++)
        close_recorded(&all[k]);
    tally_op_release(op);
    clReleaseCommandQueue(queue);
}
END_TEST

/* A replay and an enqueue of the operator that are let go at once, on queues of their own. */
START_TEST(replays_do_not_meet_enqueues) {
    if (!replay_offered())
        return;
    const struct subject *what = &subjects[_i];
    cl_command_queue queues[] = {fixture_make_queue(0), fixture_make_queue(0)};
    tally_op *op = make_op(what);
    recorded it = open_recorded(what, op), other = open_recorded(what, op);
    cl_command_buffer_khr commands = replay_create(queues[0]);
    record(what, &it, commands, queues[0], 0, NULL);
    replay_finalize(commands);
    for (int round = 0; round < ROUNDS; round++) {
        cl_event gate = work_gate();
        renew(&it, (uint64_t)(round + 1));
        renew(&other, (uint64_t)(round + 50));
        cl_event replayed = replay_start(commands, 1, &gate);
        cl_event enqueued =
            work_enqueue(op, queues[1], &other.in, &other.out, &other.scratch, 1, &gate);
        fixture_check(clFlush(queues[0]));
        fixture_check(clFlush(queues[1]));
        fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
        replay_end(commands, replayed);
        fixture_check(clWaitForEvents(1, &enqueued));
        clReleaseEvent(enqueued);
        clReleaseEvent(gate);
        check_bits(what, &it);
        check_bits(what, &other);
    }
    replay_release(commands);
    close_recorded(&it);
    close_recorded(&other);
    tally_op_release(op);
    for (int k = 0; k < 2; k++)
        clReleaseCommandQueue(queues[k]);
}
END_TEST

/*
 * A scan, and the sum of its results, each of several launches, with one scratch: sync points alone
 * say what waits for what, or the order of the queue does.
 */
START_TEST(operators_are_chained_by_sync_points) {
    if (!replay_offered())
        return;
    const struct subject *scans = &subjects[6];
    const struct subject sums = {
        "_last", TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_OFF, SUM, 1, scans->columns, false};
    cl_command_queue queue = fixture_make_queue(orders[_i]);
    tally_op *scan = make_op(scans), *sum = make_op(&sums);
    recorded first = open_recorded(scans, scan), second = open_recorded(&sums, sum);
    recorded writer = first, reader = second;
    ck_assert_uint_gt(tally_op_scratch_size(scan), 0);
    ck_assert_uint_gt(tally_op_scratch_size(sum), 0);
    writer.scratch = reader.scratch =
        first.scratch.size > second.scratch.size ? first.scratch : second.scratch;
    reader.in = first.out;
    cl_command_buffer_khr commands = replay_create(queue);
    const cl_sync_point_khr done = record(scans, &writer, commands, queue, 0, NULL);
    record(&sums, &reader, commands, queue, _i > 0 ? 1 : 0, _i > 0 ? &done : NULL);
    replay_finalize(commands);
    for (int round = 0; round < ROUNDS; round++) {
        renew(&first, (uint64_t)(round + 1));
        replay_run(commands);
        check_bits(scans, &first);
        unsigned char *scanned = image_download(&first.out);
        memcpy(first.out.bytes, scanned, first.out.size);
        reader.in = first.out;
        check_bits(&sums, &reader);
        free(scanned);
    }
    replay_release(commands);
    close_recorded(&first);
    close_recorded(&second);
    tally_op_release(scan);
    tally_op_release(sum);
    clReleaseCommandQueue(queue);
}
END_TEST

Suite *suite_record(void);

Suite *suite_record(void) {
    Suite *suite = suite_create("record");
    TCase *bits = tcase_create("bits"), *beside = tcase_create("beside");
    tcase_set_timeout(bits, 300);
    tcase_set_timeout(beside, 300);
    tcase_add_loop_test(bits, replays_have_the_bits_of_enqueues, 0, 2 * SUBJECTS);
    tcase_add_loop_test(bits, recordings_take_pointers, 0, SUBJECTS);
    tcase_add_loop_test(beside, recordings_of_one_operator_do_not_meet, 1, 5);
    tcase_add_loop_test(beside, replays_do_not_meet_enqueues, 1, 5);
    tcase_add_loop_test(beside, operators_are_chained_by_sync_points, 0, 2);
    suite_add_tcase(suite, bits);
    suite_add_tcase(suite, beside);
    return suite;
}
