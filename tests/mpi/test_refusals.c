/*
 * test_refusals.c: what fails on one rank fails on all, with one status and one sentence, and no
 * rank waits. The next call on the same object works.
 */
#include <check.h>
#include <stdio.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"

#include "mpi/distributed.h"

Suite *suite_refusals(void);

#define SIZE 70000u

/* The rank that fails: the last one. */
static bool is_odd_one(void) {
    return world_get()->rank == world_get()->ranks - 1;
}

/* "rank 2 of 3: ", which a single rank does not say. */
static const char *label(void) {
    static char text[48];
    const int ranks = world_get()->ranks;
    text[0] = '\0';
    if (ranks > 1)
        snprintf(text, sizeof text, "rank %d of %d: ", ranks - 1, ranks);
    return text;
}

static tally_status create(const tally_reduce *reduce, const tally_mpi_layout *layout,
                           tally_error *error) {
    tally_desc desc = TALLY_DESC_INIT;
    tally_mpi_op *op = NULL;
    desc.reduce = reduce;
    const tally_status status =
        tally_mpi_op_create(world_get()->mpi, reduce != NULL ? &desc : NULL, layout, &op, error);
    world_check((op == NULL) == (status != TALLY_OK), "an operator of a call that failed");
    tally_mpi_op_release(op);
    return status;
}

static tally_mpi_layout even_of(const tally_reduce *reduce) {
    tally_desc desc = TALLY_DESC_INIT;
    tally_mpi_layout layout = TALLY_MPI_LAYOUT_INIT;
    tally_error error;
    desc.reduce = reduce;
    const tally_status status = tally_mpi_even(world_get()->mpi, &desc, 0, &layout, &error);
    world_ok(status, &error, "tally_mpi_even");
    layout.root = TALLY_MPI_ALL;
    return layout;
}

static void refuse(const tally_reduce *reduce, const tally_mpi_layout *layout, tally_status wanted,
                   const char *says) {
    tally_error error;
    const tally_status status = create(reduce, layout, &error);
    world_refused(wanted, says, status, &error);
    world_refused(wanted, label(), status, &error);
}

START_TEST(a_rank_that_fails_to_describe) {
    const tally_reduce good = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(SIZE), 1);
    const tally_mpi_layout layout = even_of(&good);
    tally_reduce bad = good;
    tally_mpi_layout other = layout;
    bad.axes = 2;
    refuse(is_odd_one() ? &bad : &good, &layout, TALLY_INVALID, "axes");
    refuse(is_odd_one() ? NULL : &good, &layout, TALLY_INVALID, "tally_desc is NULL");
    refuse(&good, is_odd_one() ? NULL : &layout, TALLY_INVALID, "tally_mpi_layout is NULL");
    other.axis = 1;
    refuse(&good, is_odd_one() ? &other : &layout, TALLY_INVALID, "axis");
    other.axis = TALLY_ANY_AXIS;
    refuse(&good, is_odd_one() ? &other : &layout, TALLY_INVALID, "TALLY_ANY_AXIS");
    other = layout;
    other.struct_size = 0;
    refuse(&good, is_odd_one() ? &other : &layout, TALLY_INVALID, "struct_size");
    other = layout;
    other.reserved = 1;
    refuse(&good, is_odd_one() ? &other : &layout, TALLY_UNSUPPORTED, "reserved");
    other = layout;
    other.root = world_get()->ranks;
    refuse(&good, is_odd_one() ? &other : &layout, TALLY_INVALID, "root");
    tally_error error;
    const tally_status status = create(&good, &layout, &error);
    world_ok(status, &error, "the call after those that failed");
}
END_TEST

/* A tensor that is not the range's, which the rank finds only when it makes its own operator. */
START_TEST(a_rank_that_fails_to_create) {
    const tally_reduce good = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(SIZE), 1);
    const tally_tensor wrong = shape_tensor(TALLY_F32, SHAPE(SIZE + 1));
    tally_mpi_layout layout = even_of(&good);
    layout.input = is_odd_one() ? &wrong : NULL;
    refuse(&good, &layout, TALLY_INVALID, "");
}
END_TEST

START_TEST(ranks_that_disagree) {
    tally_error error;
    tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(SIZE), 1);
    tally_mpi_layout layout = even_of(&desc);
    if (world_get()->ranks == 1)
        return;
    desc.function = is_odd_one() ? TALLY_L1 : TALLY_SUM;
    refuse(&desc, &layout, TALLY_INVALID, "another description");
    desc.function = TALLY_SUM;
    layout.root = is_odd_one() ? 0 : 1;
    refuse(&desc, &layout, TALLY_INVALID, "another root");
    layout = even_of(&desc);
    if (is_odd_one())
        layout.begin++;
    world_refused(TALLY_INVALID, "where the one before ends", create(&desc, &layout, &error),
                  &error);
    layout = even_of(&desc);
    if (is_odd_one())
        layout.end--;
    world_refused(TALLY_INVALID, "70000 coordinates", create(&desc, &layout, &error), &error);
}
END_TEST

START_TEST(bounds_that_are_not_aligned) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(SIZE), 1);
    tally_mpi_layout layout = TALLY_MPI_LAYOUT_INIT;
    tally_error error;
    if (world_get()->ranks == 1)
        return;
    layout.begin = world_get()->rank == 0 ? 0 : 4097;
    layout.end = is_odd_one() ? SIZE : 4097;
    layout.root = 0;
    world_refused(TALLY_INVALID, "4096", create(&desc, &layout, &error), &error);
}
END_TEST

/* Memory that a rank lacks, of each kind of cut. */
static void run_without_memory(const tally_desc *desc, tally_mpi_layout layout, bool input) {
    tally_mpi_op *op = NULL;
    tally_error error;
    tally_view in = TALLY_VIEW_INIT, out = TALLY_VIEW_INIT;
    cl_mem buffers[] = {fixture_make_buffer(NULL, 4 * SIZE), fixture_make_buffer(NULL, 4 * SIZE)};
    tally_status status = tally_mpi_op_create(world_get()->mpi, desc, &layout, &op, &error);
    world_ok(status, &error, "tally_mpi_op_create");
    in.buffer = input && layout.begin < layout.end && is_odd_one() ? NULL : buffers[0];
    out.buffer = !input && is_odd_one() ? NULL : buffers[1];
    status = tally_mpi_run(op, &in, &out, 0, NULL, &error);
    world_refused(TALLY_INVALID, label(), status, &error);
    in.buffer = buffers[0];
    out.buffer = buffers[1];
    status = tally_mpi_run(op, &in, &out, 0, NULL, &error);
    world_ok(status, &error, "the run after the one that failed");
    tally_mpi_op_release(op);
    clReleaseMemObject(buffers[0]);
    clReleaseMemObject(buffers[1]);
}

START_TEST(a_rank_that_fails_to_run) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(SIZE), 1);
    const tally_cumulative scan = shape_scan(TALLY_MAX, TALLY_F32, SHAPE(SIZE), 0);
    tally_desc desc = TALLY_DESC_INIT;
    desc.reduce = &sum;
    run_without_memory(&desc, even_of(&sum), true);
    run_without_memory(&desc, even_of(&sum), false);
    desc.reduce = NULL;
    desc.cumulative = &scan;
    tally_mpi_layout layout = TALLY_MPI_LAYOUT_INIT;
    tally_error error;
    world_ok(tally_mpi_even(world_get()->mpi, &desc, 0, &layout, &error), &error, "tally_mpi_even");
    run_without_memory(&desc, layout, false);
}
END_TEST

/* An event that is none. */
START_TEST(a_wait_list_that_is_missing) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(SIZE), 1);
    const tally_mpi_layout layout = even_of(&sum);
    tally_desc desc = TALLY_DESC_INIT;
    tally_mpi_op *op = NULL;
    tally_error error;
    desc.reduce = &sum;
    tally_status status = tally_mpi_op_create(world_get()->mpi, &desc, &layout, &op, &error);
    world_ok(status, &error, "tally_mpi_op_create");
    tally_view view = TALLY_VIEW_INIT;
    view.buffer = fixture_make_buffer(NULL, 4 * SIZE);
    status = tally_mpi_run(op, &view, &view, is_odd_one() ? 1 : 0, NULL, &error);
    world_check(status != TALLY_OK, "the run went well");
    tally_mpi_op_release(op);
    clReleaseMemObject(view.buffer);
}
END_TEST

START_TEST(a_rank_without_a_device) {
    tally_mpi *mpi = NULL;
    tally_error error = TALLY_ERROR_INIT;
    uint32_t index = 7;
    const bool odd = is_odd_one();
    tally_status status = tally_mpi_create(MPI_COMM_WORLD, odd ? NULL : fixture_get()->runtime,
                                           fixture_get()->queue, &mpi, &error);
    world_refused(TALLY_INVALID, "the runtime is NULL", status, &error);
    status = tally_mpi_create(MPI_COMM_WORLD, fixture_get()->runtime,
                              odd ? NULL : fixture_get()->queue, &mpi, &error);
    world_refused(TALLY_INVALID, "the queue is NULL", status, &error);
    world_check(mpi == NULL, "an object of a call that failed");
    status = tally_mpi_create(MPI_COMM_WORLD, fixture_get()->runtime, fixture_get()->queue,
                              odd ? NULL : &mpi, &error);
    world_check(status == TALLY_INVALID || status == TALLY_OUT_OF_MEMORY, "status %d", status);
    world_check(mpi == NULL, "an object of a call that failed");
    status = tally_mpi_pick_device(MPI_COMM_WORLD, odd ? 0 : 1, &index, &error);
    world_refused(TALLY_INVALID, "no device", status, &error);
    world_check(index == 7, "an index of a call that failed");
    status = tally_mpi_pick_device(MPI_COMM_WORLD, 2, &index, &error);
    world_ok(status, &error, "tally_mpi_pick_device");
    world_check((int)index == world_get()->rank % 2, "index %u", (unsigned)index);
}
END_TEST

START_TEST(agreement) {
    tally_error error = TALLY_ERROR_INIT;
    world_ok(tally_mpi_agree(MPI_COMM_WORLD, &error), &error, "tally_mpi_agree");
    if (is_odd_one()) {
        error.status = TALLY_UNSUPPORTED;
        snprintf(error.message, sizeof error.message, "the disk is full");
    }
    tally_status status = tally_mpi_agree(MPI_COMM_WORLD, &error);
    world_refused(TALLY_UNSUPPORTED, "the disk is full", status, &error);
    tally_error none = TALLY_ERROR_INIT;
    status = tally_mpi_agree(MPI_COMM_WORLD, is_odd_one() ? NULL : &none);
    world_check(status == TALLY_INVALID, "status %d", status);
    world_check(tally_mpi_agree(MPI_COMM_NULL, &error) == TALLY_INVALID, "MPI_COMM_NULL is taken");
    tally_mpi_release(NULL);
    tally_mpi_op_release(NULL);
    world_check(tally_mpi_run(NULL, NULL, NULL, 0, NULL, NULL) == TALLY_INVALID, "NULL runs");
    world_check(tally_mpi_op_traffic(NULL, NULL, NULL) == TALLY_INVALID, "NULL has traffic");
    world_check(tally_mpi_even(NULL, NULL, 0, NULL, NULL) == TALLY_INVALID, "NULL is cut");
}
END_TEST

/* What travels, as docs/scaling-mpi.md has it: a state of three floats for each 4096 terms. */
START_TEST(traffic) {
    const uint64_t ranks = (uint64_t)world_get()->ranks, size = 15 * 4096 * ranks;
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(size, 3), 1);
    tally_desc desc = TALLY_DESC_INIT;
    tally_mpi_op *op = NULL;
    tally_mpi_traffic counted = TALLY_MPI_TRAFFIC_INIT;
    tally_error error;
    const tally_mpi_layout layout = even_of(&sum);
    const uint64_t given =
        ranks == 1 ? 12 : 12 * 15; /* a single rank has one state of all blocks */
    desc.reduce = &sum;
    const tally_status status = tally_mpi_op_create(world_get()->mpi, &desc, &layout, &op, &error);
    world_ok(status, &error, "tally_mpi_op_create");
    world_ok(tally_mpi_op_traffic(op, &counted, &error), &error, "tally_mpi_op_traffic");
    world_check(counted.state_bytes == 12 && counted.bytes_given == given &&
                    counted.bytes_gathered == given * ranks,
                "a state has %llu bytes, %llu are given, %llu gathered",
                (unsigned long long)counted.state_bytes, (unsigned long long)counted.bytes_given,
                (unsigned long long)counted.bytes_gathered);
    tally_mpi_op_release(op);
}
END_TEST

Suite *suite_refusals(void) {
    Suite *suite = suite_create("refusals");
    TCase *tests = tcase_create("refusals");
    tcase_add_test(tests, a_rank_that_fails_to_describe);
    tcase_add_test(tests, a_rank_that_fails_to_create);
    tcase_add_test(tests, ranks_that_disagree);
    tcase_add_test(tests, bounds_that_are_not_aligned);
    tcase_add_test(tests, a_rank_that_fails_to_run);
    tcase_add_test(tests, a_wait_list_that_is_missing);
    tcase_add_test(tests, a_rank_without_a_device);
    tcase_add_test(tests, agreement);
    tcase_add_test(tests, traffic);
    suite_add_tcase(suite, tests);
    return suite;
}
