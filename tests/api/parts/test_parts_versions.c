/*
 * test_parts_versions.c: the structs of part.h from callers that were built with an older or a
 * newer header: shorter, and longer with and without something in what the library does not know.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/parts/parts.h"
#include "support/refusal.h"

Suite *suite_parts_versions(void);

/* A struct of tomorrow, with something behind the members of today. */
#define TOMORROW(type)                                                                             \
    struct {                                                                                       \
        type today;                                                                                \
        uint32_t more[2];                                                                          \
    }

#define TERMS 100

/* Running sums of integers, cut in the middle. */
static const uint64_t halves[] = {0, TERMS / 2, TERMS};
static tally_cumulative scan;
static tally_desc desc;

static void open_scan(void) {
    scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(TERMS), 0);
    desc = (tally_desc)TALLY_DESC_INIT;
    desc.cumulative = &scan;
}

static tally_cut cut_halves(void) {
    tally_cut cut = TALLY_CUT_INIT;
    tally_error error;
    fixture_ok(tally_cut_at(&desc, 0, 2, halves, &cut, &error), &error, "tally_cut_at");
    return cut;
}

/* The operator of the second half, from its carry on. */
static tally_status make(const tally_cut *cut, const tally_part *part, tally_op **op,
                         tally_error *error) {
    return tally_part_scan_create(fixture_get()->runtime, &desc, cut, part, op, error);
}

static tally_part second_half(void) {
    tally_part part = TALLY_PART_INIT;
    part.begin = halves[1];
    part.end = halves[2];
    return part;
}

/* A longer cut is filled with zeros behind what is known, a shorter one as far as it goes. */
START_TEST(cuts_as_answers) {
    TOMORROW(tally_cut) cut;
    const tally_cut wanted = cut_halves();
    tally_error error;
    for (int call = 0; call < 2; call++) {
        uint64_t bounds[3] = {0, TERMS / 2, TERMS};
        memset(&cut, 0x55, sizeof cut);
        cut.today.struct_size = sizeof cut;
        fixture_ok(call == 0 ? tally_cut_at(&desc, 0, 2, bounds, &cut.today, &error)
                             : tally_cut_even(&desc, 0, 2, bounds, &cut.today, &error),
                   &error, "longer");
        ck_assert_uint_eq(cut.more[0] | cut.more[1], 0);
        ck_assert_uint_eq(cut.today.struct_size, sizeof cut);
        ck_assert_uint_eq(cut.today.key, wanted.key);
        cut.today.key = 77;
        cut.today.struct_size = offsetof(tally_cut, key);
        fixture_ok(call == 0 ? tally_cut_at(&desc, 0, 2, bounds, &cut.today, &error)
                             : tally_cut_even(&desc, 0, 2, bounds, &cut.today, &error),
                   &error, "shorter");
        ck_assert_uint_eq(cut.today.key, 77);
        ck_assert_uint_eq(cut.today.size, TERMS);
    }
}
END_TEST

START_TEST(cuts_and_parts) {
    TOMORROW(tally_cut) cut = {cut_halves(), {0, 0}};
    TOMORROW(tally_part) part = {second_half(), {0, 0}};
    tally_op *op = NULL;
    tally_error error;
    cut.today.struct_size = sizeof cut;
    part.today.struct_size = sizeof part;
    fixture_ok(make(&cut.today, &part.today, &op, &error), &error, "longer");
    tally_op_release(op);
    cut.more[1] = 1;
    refusal_check(UNSUPPORTED("tally_cut is not 0"), make(&cut.today, &part.today, &op, &error),
                  &error);
    cut.more[1] = 0;
    part.more[0] = 1;
    refusal_check(UNSUPPORTED("tally_part is not 0"), make(&cut.today, &part.today, &op, &error),
                  &error);
    part.today.struct_size = offsetof(tally_part, output);
    part.today.output = (const tally_tensor *)(const void *)&error; /* not there */
    fixture_ok(make(&cut.today, &part.today, &op, &error), &error, "shorter");
    tally_op_release(op);
}
END_TEST

/* A binding without a carry is one of a part that needs none. */
START_TEST(bindings) {
    TOMORROW(tally_part_binding) binding = {TALLY_PART_BINDING_INIT, {0, 0}};
    const tally_cut cut = cut_halves();
    const tally_part second = second_half();
    tally_part first = TALLY_PART_INIT;
    const cl_command_queue queue = fixture_get()->queue;
    tally_op *without = NULL, *with = NULL;
    tally_error error;
    first.end = TERMS / 2;
    fixture_ok(make(&cut, &first, &without, &error), &error, "the first part");
    fixture_ok(make(&cut, &second, &with, &error), &error, "the second part");
    tally_view *views[] = {&binding.today.binding.input, &binding.today.binding.output,
                           &binding.today.carry};
    for (int i = 0; i < 3; i++)
        views[i]->buffer = fixture_make_buffer(NULL, TERMS * 4);
    binding.today.struct_size = sizeof binding;
    fixture_ok(tally_part_enqueue(with, queue, &binding.today, 0, NULL, NULL, &error), &error,
               "longer");
    binding.more[0] = 1;
    refusal_check(UNSUPPORTED("tally_part_binding is not 0"),
                  tally_part_enqueue(with, queue, &binding.today, 0, NULL, NULL, &error), &error);
    binding.today.struct_size = offsetof(tally_part_binding, carry);
    fixture_ok(tally_part_enqueue(without, queue, &binding.today, 0, NULL, NULL, &error), &error,
               "shorter");
    refusal_check(INVALID("the carry's buffer and pointer are NULL"),
                  tally_part_enqueue(with, queue, &binding.today, 0, NULL, NULL, &error), &error);
    fixture_check(clFinish(queue));
    for (int i = 0; i < 3; i++)
        clReleaseMemObject(views[i]->buffer);
    tally_op_release(without);
    tally_op_release(with);
}
END_TEST

Suite *suite_parts_versions(void) {
    Suite *suite = suite_create("parts_versions");
    TCase *tests = tcase_create("versions");
    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, open_scan, NULL);
    tcase_add_test(tests, cuts_as_answers);
    tcase_add_test(tests, cuts_and_parts);
    tcase_add_test(tests, bindings);
    suite_add_tcase(suite, tests);
    return suite;
}
