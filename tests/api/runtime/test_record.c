/*
 * test_record.c: operators recorded into command buffers. A replay gives the bits of an enqueue,
 * the first time and the third, whatever the input has become, in place too, on queues of both
 * orders, beside other recordings and beside enqueues of the same operator.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "recorded.h"
#include "support/fixtures/replay.h"
#include "support/fixtures/work.h"

enum { ROUNDS = 3, LENGTH = 70000 };

/* Operators of float32 along one axis, by the way in which they are launched. */
static const recorded_subject subjects[] = {
    {"fold", TALLY_FAMILY_AUTO, TALLY_SINGLE_PASS_OFF, RECORDED_SUM, 3, 300, false},
    {"_closing", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, RECORDED_SUM, 1, LENGTH, false},
    {"_last", TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_OFF, RECORDED_SUM, 2, 9001, false},
    {"_look_back", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON, RECORDED_SCAN, 1, 20000, false},
    {"_pass,", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON, RECORDED_SCAN, 1, 270000, false},
    {"_pass,", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON, RECORDED_SCAN, 1, 270000, true},
    {"_two_passes", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, RECORDED_SCAN, 1, 270000, false},
    {"_recompute", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, RECORDED_SCAN, 1, 20000, false},
    {"_recompute", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, RECORDED_SCAN, 1, 20000, true},
    {"fill", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, RECORDED_FILL, 50, 70, false},
    {"fill", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, RECORDED_FILL, 50, 70, true},
};
#define SUBJECTS ((int)(sizeof subjects / sizeof subjects[0]))

static const cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

/* ---- The bits of an enqueue ------------------------------------------------------------------ */

/* Record the operator, and replay it with one input after another. */
static void check_replays(const recorded_subject *what, cl_command_queue_properties order) {
    cl_command_queue queue = fixture_make_queue(order);
    tally_op *op = recorded_make_op(what);
    recorded it = recorded_open(what, op);
    cl_command_buffer_khr commands = replay_create(queue);
    recorded_record(what, &it, commands, queue, 0, NULL);
    replay_finalize(commands);
    for (int round = 0; round < ROUNDS; round++) {
        recorded_renew(&it, (uint64_t)(round + 1));
        replay_run(commands);
        recorded_check(what, &it);
    }
    replay_release(commands);
    recorded_close(&it);
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
    const recorded_subject *what = &subjects[_i];
    enum { COPIES = 3 };
    cl_command_queue queue = fixture_make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    tally_op *op = recorded_make_op(what);
    recorded all[COPIES];
    cl_command_buffer_khr commands = replay_create(queue);
    for (int k = 0; k < COPIES; k++) {
        all[k] = recorded_open(what, op);
        recorded_record(what, &all[k], commands, queue, 0, NULL);
    }
    replay_finalize(commands);
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < COPIES; k++)
            recorded_renew(&all[k], (uint64_t)(10 * round + k + 1));
        replay_run(commands);
        for (int k = 0; k < COPIES; k++)
            recorded_check(what, &all[k]);
    }
    replay_release(commands);
    for (int k = 0; k < COPIES; k++)
        recorded_close(&all[k]);
    tally_op_release(op);
    clReleaseCommandQueue(queue);
}
END_TEST

/* A replay and an enqueue of the operator that are let go at once, on queues of their own. */
START_TEST(replays_do_not_meet_enqueues) {
    if (!replay_offered())
        return;
    const recorded_subject *what = &subjects[_i];
    cl_command_queue queues[] = {fixture_make_queue(0), fixture_make_queue(0)};
    tally_op *op = recorded_make_op(what);
    recorded it = recorded_open(what, op), other = recorded_open(what, op);
    cl_command_buffer_khr commands = replay_create(queues[0]);
    recorded_record(what, &it, commands, queues[0], 0, NULL);
    replay_finalize(commands);
    for (int round = 0; round < ROUNDS; round++) {
        cl_event gate = work_gate();
        recorded_renew(&it, (uint64_t)(round + 1));
        recorded_renew(&other, (uint64_t)(round + 50));
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
        recorded_check(what, &it);
        recorded_check(what, &other);
    }
    replay_release(commands);
    recorded_close(&it);
    recorded_close(&other);
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
    const recorded_subject *scans = &subjects[6];
    const recorded_subject sums = {
        "_last", TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_OFF, RECORDED_SUM, 1, scans->columns,
        false};
    cl_command_queue queue = fixture_make_queue(orders[_i]);
    tally_op *scan = recorded_make_op(scans), *sum = recorded_make_op(&sums);
    recorded first = recorded_open(scans, scan), second = recorded_open(&sums, sum);
    recorded writer = first, reader = second;
    ck_assert_uint_gt(tally_op_scratch_size(scan), 0);
    ck_assert_uint_gt(tally_op_scratch_size(sum), 0);
    writer.scratch = reader.scratch =
        first.scratch.size > second.scratch.size ? first.scratch : second.scratch;
    reader.in = first.out;
    cl_command_buffer_khr commands = replay_create(queue);
    const cl_sync_point_khr done = recorded_record(scans, &writer, commands, queue, 0, NULL);
    recorded_record(&sums, &reader, commands, queue, _i > 0 ? 1 : 0, _i > 0 ? &done : NULL);
    replay_finalize(commands);
    for (int round = 0; round < ROUNDS; round++) {
        recorded_renew(&first, (uint64_t)(round + 1));
        replay_run(commands);
        recorded_check(scans, &first);
        unsigned char *scanned = image_download(&first.out);
        memcpy(first.out.bytes, scanned, first.out.size);
        reader.in = first.out;
        recorded_check(&sums, &reader);
        free(scanned);
    }
    replay_release(commands);
    recorded_close(&first);
    recorded_close(&second);
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
