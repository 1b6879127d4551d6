/*
 * test_scan_recompute.c: scans of few rows in one launch, whose groups read again what is before
 * their units: in units of both sizes, up to the longest rows that are scanned so and one term past
 * them, to and fro; and in place, which other launches of the same operator see to. Every element
 * has the bits of the plain reference of the order, and nothing beside the output is written.
 */
#include <check.h>
#include <string.h>

#include "api/operator.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/reference/scan_memory.h"
#include "support/refusal.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtime->trial.wish = TALLY_SINGLE_PASS_OFF; /* which is preferred */
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

/* Planned for a device of many compute units, whose groups may be so large. */
static tally_op *make_op(const tally_cumulative *desc, uint64_t group_max) {
    const tally_limits limits = runtime->device.limits;
    tally_op *op = NULL;
    tally_error error;
    runtime->device.limits.units = 64;
    runtime->device.limits.group_max = group_max;
    runtime->device.limits.local_bytes = 49152;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    runtime->device.limits = limits;
    return op;
}

static bool is_recomputed(const tally_op *op) {
    return tally_spec_carry(&op->executable.plan.step[0].spec) == TALLY_CARRY_RECOMPUTE;
}

/* ---- Whole scans ----------------------------------------------------------------------------- */

/*
 * Rows, and columns so few that they lie as one. Rows that do not all begin at packs, as they are
 * walked, are not read again. The memory of a single one may begin at none.
 */
static const struct {
    tally_function function;
    tally_dtype dtype;
    uint64_t rows, terms, columns;
    bool recomputed;
} problems[] = {
    {TALLY_SUM, TALLY_F32, 1, 8193, 1, true},      {TALLY_SUM, TALLY_F32, 2, 12288, 1, true},
    {TALLY_SUM, TALLY_F32, 3, 12289, 1, false},    {TALLY_SUM, TALLY_F32, 1, 65536, 1, true},
    {TALLY_SUM, TALLY_F32, 1, 65537, 1, false},    {TALLY_SUM, TALLY_F32, 2, 32768, 2, true},
    {TALLY_SUM, TALLY_F32, 1, 32769, 2, false},    {TALLY_SUM, TALLY_F16, 1, 65535, 1, true},
    {TALLY_SUM, TALLY_F16, 2, 10000, 3, true},     {TALLY_SUM, TALLY_F64, 1, 32768, 1, true},
    {TALLY_SUM, TALLY_F64, 2, 20012, 1, true},     {TALLY_MULTIPLY, TALLY_F32, 1, 50001, 1, true},
    {TALLY_MULTIPLY, TALLY_F64, 1, 9001, 1, true}, {TALLY_MAX, TALLY_F32, 1, 40961, 1, true},
    {TALLY_MIN, TALLY_F16, 2, 16384, 2, true},     {TALLY_MAX, TALLY_I8, 1, 65536, 1, true},
    {TALLY_MIN, TALLY_U16, 1, 21845, 3, true},     {TALLY_SUM, TALLY_I64, 1, 30000, 1, true},
    {TALLY_SUM, TALLY_U32, 1, 20481, 2, true},
};

static tally_cumulative make_desc(size_t problem, bool exclusive, bool descending) {
    tally_cumulative desc = shape_scan(
        problems[problem].function, problems[problem].dtype,
        SHAPE(problems[problem].rows, problems[problem].terms, problems[problem].columns), 1);
    desc.exclusive = exclusive;
    desc.descending = descending;
    if (problem % 2 != 0 && desc.function != TALLY_SUM)
        desc.nan = TALLY_NAN_IGNORE;
    return desc;
}

START_TEST(rows_have_the_bits_of_the_order) {
    for (size_t i = 0; i < COUNT(problems); i++) {
        const tally_cumulative desc = make_desc(i, (i + (size_t)_i) % 2 != 0, _i / 2 != 0);
        if (desc.input.dtype == TALLY_F64 && !fixture_get()->has_f64)
            continue;
        tally_op *op = make_op(&desc, (i + (size_t)_i) % 3 == 0 ? 128 : 256);
        const uint64_t row = problems[i].terms * problems[i].columns;
        const bool packed = !desc.descending || row * number_bytes(desc.input.dtype) % 16 == 0;
        ck_assert_msg(is_recomputed(op) == (problems[i].recomputed && packed), "%zu:\n%s", i,
                      tally_op_describe(op));
        scan_memory_check(&desc, op, (i + (size_t)_i) % 4 == 3);
    }
}
END_TEST

/* ---- One operator, by turns in place and not --------------------------------------------------
 */

START_TEST(an_operator_serves_both_ways) {
    for (uint64_t terms = 8193; terms <= 65536; terms += 57343) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1, terms, 1), 1);
        tally_op *op = make_op(&desc, 256);
        ck_assert(is_recomputed(op));
        ck_assert_uint_eq(op->executable.plan.out_of_place_steps, 1);
        ck_assert_uint_eq(op->executable.plan.count, 3);
        for (int round = 0; round < 4; round++) {
            scan_memory_run(&desc, op, round % 2 != 0, 0, 1);
        }
        tally_op_release(op);
    }
}
END_TEST

static void check_two_objects(const tally_op *op, const tally_binding *binding, bool apart) {
    tally_launch launch = {0};
    tally_error error;
    const tally_status status = tally_binding_check(op, binding, NULL, &launch, &error);
    if (apart)
        fixture_ok(status, &error, "parts that lie apart");
    else
        refusal_check(INVALID("two memory objects"), status, &error);
    ck_assert(!launch.in_place);
}

/*
 * Parts of a buffer side by side are apart; one part is in place with itself, and with nothing
 * else, as OpenCL does not say when groups would see what others wrote by another memory object.
 */
START_TEST(sub_buffers_are_apart_or_one) {
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1, 65536, 1), 1);
    tally_op *op = make_op(&desc, 256);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_launch launch = {0};
    tally_error error;
    cl_int code[2];
    cl_mem all = fixture_make_buffer(NULL, 3 * 262144), part[2];
    const cl_mem scratch = fixture_make_buffer(NULL, tally_op_scratch_size(op));
    for (size_t begin = 0; begin <= 262144; begin += 262144) {
        const cl_buffer_region region[] = {{262144, 262144}, {262144 + begin, 262144}};
        for (int i = 0; i < 2; i++) {
            part[i] = clCreateSubBuffer(all, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                        &region[i], &code[i]);
            fixture_check(code[i]);
        }
        binding.input = (tally_view){.buffer = part[0]};
        binding.output.buffer = part[1];
        binding.scratch.buffer = scratch;
        check_two_objects(op, &binding, begin != 0);
        binding.input = (tally_view){.buffer = all, .offset = 262144};
        check_two_objects(op, &binding, begin != 0);
        binding.input = binding.output;
        fixture_ok(tally_binding_check(op, &binding, NULL, &launch, &error), &error, "in place");
        ck_assert(launch.in_place);
        clReleaseMemObject(part[0]);
        clReleaseMemObject(part[1]);
    }
    clReleaseMemObject(scratch);
    clReleaseMemObject(all);
    tally_op_release(op);
}
END_TEST

Suite *suite_scan_recompute(void);

Suite *suite_scan_recompute(void) {
    Suite *suite = suite_create("scan_recompute");
    TCase *tests = tcase_create("scan_recompute");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, rows_have_the_bits_of_the_order, 0, 4);
    tcase_add_test(tests, an_operator_serves_both_ways);
    tcase_add_test(tests, sub_buffers_are_apart_or_one);
    suite_add_tcase(suite, tests);
    return suite;
}
