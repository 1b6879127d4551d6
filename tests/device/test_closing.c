/*
 * test_closing.c: reductions whose last groups fold what all groups left, in one launch, and scans
 * whose groups look back. What groups count their ends by, and publish to each other in, belongs to
 * the operator: launches of one operator that are under way at the same time, on queues of both
 * kinds and on more queues than have a position to themselves, must not disturb each other.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/operator.h"
#include "device/endings.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/image.h"
#include "support/fixtures/work.h"
#include "support/numbers/number.h"

enum { LENGTH = 70000, ROUNDS = 3 };

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_with(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON);
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

static tally_op *make_op(const tally_reduce *desc) {
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_reduce_create(runtime, desc, &op, &error), &error, "tally_reduce_create");
    ck_assert_msg(strstr(tally_op_describe(op), "_closing") != NULL, "no closing group:\n%s",
                  tally_op_describe(op));
    return op;
}

static tally_op *make_reduce(void) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(LENGTH), 1);
    return make_op(&desc);
}

static tally_op *make_scan(void) {
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_U32, SHAPE(LENGTH), 0);
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_cumulative_create(runtime, &desc, &op, &error), &error,
               "tally_cumulative_create");
    ck_assert_msg(strstr(tally_op_describe(op), "_look_back") != NULL, "nobody looks back:\n%s",
                  tally_op_describe(op));
    return op;
}

/* Operators whose launches have an ending, and how many results they have, of which the last is the
 * sum of all. */
static const struct {
    tally_op *(*make)(void);
    uint32_t results, positions, queues;
} operators[] = {{make_reduce, 1, TALLY_ENDINGS, TALLY_ENDINGS_QUEUES},
                 {make_scan, LENGTH, TALLY_BOARDS, TALLY_BOARD_QUEUES}};

/* One enqueue, with memory of its own: a sum of as many equal numbers. */
typedef struct job {
    image in, out, scratch;
    cl_event done;
    uint32_t value, results;
} job;

static job start(tally_op *op, cl_command_queue queue, uint32_t value, uint32_t results,
                 cl_event gate) {
    job it = {work_line(LENGTH, value),
              work_line(results, 0xDEAD),
              work_scratch(op),
              NULL,
              value,
              results};
    it.done = work_enqueue(op, queue, &it.in, &it.out, &it.scratch, gate != NULL ? 1 : 0,
                           gate != NULL ? &gate : NULL);
    fixture_check(clFlush(queue));
    return it;
}

static void finish(job *it) {
    fixture_check(clWaitForEvents(1, &it->done));
    ck_assert_uint_eq(work_element(&it->out, it->results - 1), LENGTH * it->value);
    clReleaseEvent(it->done);
    image_free(&it->in);
    image_free(&it->out);
    image_free(&it->scratch);
}

/* More launches under way than there are endings, all let go at once. */
START_TEST(launches_of_one_operator_do_not_meet) {
    static const cl_command_queue_properties orders[] = {CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    enum { MORE = 3 };
    tally_op *op = operators[_i / 2].make();
    const uint32_t count = operators[_i / 2].positions + MORE;
    cl_command_queue queue = fixture_make_queue(orders[_i % 2]);
    job jobs[TALLY_ENDINGS + MORE];
    for (int round = 0; round < ROUNDS; round++) {
        cl_event gate = work_gate();
        for (uint32_t k = 0; k < count; k++)
            jobs[k] = start(op, queue, k + 1, operators[_i / 2].results, gate);
        fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
        for (uint32_t k = 0; k < count; k++)
            finish(&jobs[k]);
        clReleaseEvent(gate);
    }
    clReleaseCommandQueue(queue);
    tally_op_release(op);
}
END_TEST

/* More queues than have an ending to themselves, and than there are boards, in turns. */
START_TEST(queues_of_one_operator_do_not_meet) {
    enum { MORE = 4 };
    tally_op *op = operators[_i].make();
    const uint32_t count = operators[_i].queues + MORE;
    cl_command_queue queues[TALLY_ENDINGS_QUEUES + MORE];
    job jobs[TALLY_ENDINGS_QUEUES + MORE];
    for (uint32_t k = 0; k < count; k++)
        queues[k] = fixture_make_queue(0);
    for (int round = 0; round < ROUNDS; round++) {
        cl_event gate = work_gate();
        for (uint32_t k = 0; k < count; k++)
            jobs[k] = start(op, queues[k], k + 1, operators[_i].results, gate);
        fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
        for (uint32_t k = 0; k < count; k++)
            finish(&jobs[k]);
        clReleaseEvent(gate);
    }
    for (uint32_t k = 0; k < count; k++)
        clReleaseCommandQueue(queues[k]);
    tally_op_release(op);
}
END_TEST

/* The counts of groups, of all endings, are 0 between launches. */
static void check_counts(tally_op *op, cl_command_queue queue) {
    const cl_mem memory = op->executable.endings.memory;
    uint32_t counts[1024];
    size_t bytes = 0;
    fixture_check(clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    ck_assert_uint_le(bytes, sizeof counts);
    fixture_check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, counts, 0, NULL, NULL));
    for (size_t i = 0; i < bytes / sizeof counts[0]; i++)
        ck_assert_uint_eq(counts[i], 0);
}

/*
 * Outputs in several rounds, which the groups that end last share; those that wait in vain leave
 * theirs to the last. Either way the count of groups is as before, for the next launch.
 */
START_TEST(closing_groups_share_outputs) {
    enum { ROWS = 600, TERMS = 5000, LAUNCHES = 20 };
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(ROWS, TERMS), 1u << 1);
    tally_op *op = make_op(&desc);
    cl_command_queue queue = fixture_make_queue(0);
    image in = work_line(ROWS * TERMS, 3), scratch = work_scratch(op);
    for (uint32_t row = 0; row < ROWS; row++) /* another sum in each */
        memcpy(in.bytes + (size_t)row * TERMS * sizeof row, &row, sizeof row);
    image_upload(&in);
    for (uint32_t k = 0; k < LAUNCHES; k++) {
        image out = work_line(ROWS, 0xDEAD);
        cl_event done = work_enqueue(op, queue, &in, &out, &scratch, 0, NULL);
        fixture_check(clWaitForEvents(1, &done));
        for (uint32_t row = 0; row < ROWS; row++)
            ck_assert_uint_eq(work_element(&out, row), (TERMS - 1) * 3 + row);
        check_counts(op, queue);
        clReleaseEvent(done);
        image_free(&out);
    }
    image_free(&in);
    image_free(&scratch);
    clReleaseCommandQueue(queue);
    tally_op_release(op);
}
END_TEST

/*
 * An operator keeps its queues no longer than itself. Each would keep the context; a few references
 * come and go, as a program is kept and as PoCL lets go of commands some time after their end.
 */
START_TEST(queues_are_let_go) {
    enum { OPERATORS = 16, FEW = 8 };
    const cl_context context = fixture_get()->context;
    const cl_uint before = fixture_references(context);
    for (uint32_t i = 0; i < OPERATORS; i++) {
        tally_op *op = make_reduce();
        cl_command_queue queue = fixture_make_queue(0);
        job it = start(op, queue, i, 1, NULL);
        finish(&it);
        clReleaseCommandQueue(queue);
        tally_op_release(op);
    }
    ck_assert_uint_lt(fixture_references(context), before + FEW);
}
END_TEST

Suite *suite_closing(void);

Suite *suite_closing(void) {
    Suite *suite = suite_create("closing");
    TCase *queues = tcase_create("queues");
    tcase_add_unchecked_fixture(queues, open_runtime, close_runtime);
    tcase_set_timeout(queues, 300);
    tcase_add_loop_test(queues, launches_of_one_operator_do_not_meet, 0, 4);
    tcase_add_loop_test(queues, queues_of_one_operator_do_not_meet, 0, 2);
    tcase_add_test(queues, closing_groups_share_outputs);
    tcase_add_test(queues, queues_are_let_go);
    suite_add_tcase(suite, queues);
    return suite;
}
