/*
 * test_errors_parts.c: cuts and parts that no operator is made of: the status, the whole sentence
 * with its value and its limit, no operator, nothing compiled and nothing held.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/parts/parts.h"
#include "support/refusal.h"

Suite *suite_errors_parts(void);

#define STRETCH UINT64_C(262144)
#define OTHER_KEY                                                                                  \
    INVALID("the cut has key 0x", ", but this description has 0x",                                 \
            ": it is of another problem, or of another version")

/* A problem of each kind of cut: two parts of it can be made. */
typedef struct problems {
    tally_reduce reduce; /* 20000 x 6 float32 to 6 */
    tally_cumulative scan;
    tally_diagonal fill;
    tally_desc sums, scans, fills;
    tally_cut states, totals, results, rows; /* rows: of the reduction, and results */
    uint64_t built;
    cl_uint references;
} problems;

static problems it;

static uint64_t programs_built(void) {
    return fixture_stats(fixture_get()->runtime).programs_built;
}

static void open_problems(void) {
    uint64_t bounds[6];
    it = (problems){.reduce = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(20000, 6), 1),
                    .scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3 * STRETCH), 0),
                    .fill = shape_fill(SHAPE(10, 20)),
                    .sums = TALLY_DESC_INIT,
                    .scans = TALLY_DESC_INIT,
                    .fills = TALLY_DESC_INIT};
    it.sums.reduce = &it.reduce;
    it.scans.cumulative = &it.scan;
    it.fills.diagonal = &it.fill;
    it.states = parts_cut(&it.sums, 0, 5, bounds);
    it.rows = parts_cut(&it.sums, 1, 2, bounds);
    it.totals = parts_cut(&it.scans, 0, 3, bounds);
    it.results = parts_cut(&it.fills, 1, 2, bounds);
    it.built = programs_built();
    it.references = fixture_references(fixture_get()->context);
}

static void close_problems(void) {
    ck_assert_uint_eq(programs_built(), it.built);
    fixture_check_references(fixture_get()->context, it.references);
}

/* ---- The three calls ------------------------------------------------------------------------ */

typedef struct request {
    enum { PART, COMBINE, SCAN } call;
    const tally_desc *desc;
    const tally_cut *cut;
    const tally_part *part;
    uint64_t states;
} request;

static tally_status make(tally_runtime *runtime, const request *what, tally_op **op,
                         tally_error *error) {
    if (what->call == COMBINE)
        return tally_combine_create(runtime, what->desc, what->cut, what->states, op, error);
    return what->call == PART
               ? tally_part_create(runtime, what->desc, what->cut, what->part, op, error)
               : tally_part_scan_create(runtime, what->desc, what->cut, what->part, op, error);
}

/* With an error struct and without. */
static void refuse_on(tally_runtime *runtime, request what, refusal expected) {
    tally_error error;
    int position = 0;
    tally_op *op = (tally_op *)(void *)&position; /* anything that is not NULL */
    memset(&error, 0x55, sizeof error);
    refusal_check(expected, make(runtime, &what, &op, &error), &error);
    ck_assert_ptr_null(op);
    op = (tally_op *)(void *)&position;
    ck_assert_int_eq(make(runtime, &what, &op, NULL), expected.status);
    ck_assert_ptr_null(op);
}

static void refuse(request what, refusal expected) {
    refuse_on(fixture_get()->runtime, what, expected);
}

static tally_part range(uint64_t begin, uint64_t end) {
    tally_part part = TALLY_PART_INIT;
    part.begin = begin;
    part.end = end;
    return part;
}

/* All three refuse a cut like this. */
static void refuse_cut(const tally_desc *desc, const tally_cut *cut, refusal expected) {
    const tally_part part = range(0, 0);
    refuse((request){PART, desc, cut, &part, 0}, expected);
    refuse((request){COMBINE, desc, cut, NULL, 1}, expected);
    refuse((request){SCAN, desc, cut, &part, 0}, expected);
}

/* A part of the reduction's states, and a part of the running sums by both calls. */
static void refuse_part(tally_part part, refusal expected) {
    refuse((request){PART, &it.sums, &it.states, &part, 0}, expected);
}

static void refuse_scan_part(tally_part part, refusal expected) {
    refuse((request){PART, &it.scans, &it.totals, &part, 0}, expected);
    refuse((request){SCAN, &it.scans, &it.totals, &part, 0}, expected);
}

/* ---- What all three are given --------------------------------------------------------------- */

START_TEST(null_arguments) {
    const tally_part part = range(0, 0);
    request what = {PART, &it.scans, &it.totals, &part, 1};
    tally_error error;
    for (; what.call <= SCAN; what.call++) {
        refuse_on(NULL, what, INVALID("the runtime is NULL"));
        refusal_check(INVALID("the place for the operator is NULL"),
                      make(fixture_get()->runtime, &what, NULL, &error), &error);
    }
    refuse_cut(NULL, &it.totals, INVALID("the tally_desc is NULL"));
    refuse_cut(&it.scans, NULL, INVALID("the tally_cut is NULL"));
    refuse((request){PART, &it.scans, &it.totals, NULL, 0}, INVALID("the tally_part is NULL"));
    refuse((request){SCAN, &it.scans, &it.totals, NULL, 0}, INVALID("the tally_part is NULL"));
}
END_TEST

/* Of another problem: other sizes, options, functions, of another kind. */
START_TEST(cuts_of_other_descriptions) {
    static tally_reduce other;
    static tally_cumulative scan;
    tally_desc desc = it.sums;
    other = it.reduce;
    scan = it.scan;
    desc.reduce = &other;
    other.function = TALLY_L1;
    refuse_cut(&desc, &it.states, OTHER_KEY);
    other = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(20001, 6), 1);
    refuse_cut(&desc, &it.states, OTHER_KEY);
    other = shape_reduce(TALLY_SUM, TALLY_F16, SHAPE(20000, 6), 1);
    refuse_cut(&desc, &it.states, OTHER_KEY);
    desc.reduce = NULL;
    desc.cumulative = &scan;
    scan.exclusive = true;
    refuse_cut(&desc, &it.totals, OTHER_KEY);
    scan.exclusive = false;
    scan.descending = true;
    refuse_cut(&desc, &it.totals, OTHER_KEY);
    refuse_cut(&it.scans, &it.states, OTHER_KEY);
    refuse_cut(&it.scans, &it.results, INVALID("axis 1 is not below the rank 1"));
    it.fill.value.f32 = 2;
    refuse_cut(&it.fills, &it.results, OTHER_KEY);
    it.reduce.axes = 0x10;
    refuse_cut(&it.sums, &it.states, INVALID("axes", "0x10"));
}
END_TEST

START_TEST(changed_cuts) {
    tally_cut cut = it.states;
    cut.grain *= 4096;
    refuse_cut(&it.sums, &cut, OTHER_KEY);
    cut.grain = 0;
    refuse_cut(&it.sums, &cut, OTHER_KEY);
    cut = it.states;
    cut.axis = 1;
    refuse_cut(&it.sums, &cut, OTHER_KEY);
    cut.axis = 2;
    refuse_cut(&it.sums, &cut, INVALID("axis 2 is not below the rank 2"));
    cut = it.states;
    cut.key ^= 1;
    refuse_cut(&it.sums, &cut, OTHER_KEY);
    cut = (tally_cut)TALLY_CUT_INIT;
    refuse_cut(&it.sums, &cut, OTHER_KEY);
    cut.struct_size = 0;
    refuse_cut(&it.sums, &cut, INVALID("struct_size of the tally_cut is 0"));
}
END_TEST

/* ---- Parts ---------------------------------------------------------------------------------- */

START_TEST(ranges) {
    refuse_part(range(1, 20000), INVALID("axis 0 cannot be cut at 1: cuts are 4096 coordinates "
                                         "apart, the nearest is 0"));
    refuse_part(range(0, 19000), INVALID("axis 0 cannot be cut at 19000: cuts are 4096 coordinates "
                                         "apart, the nearest is 20000"));
    refuse_part(range(8192, 4096), INVALID("the part ends at 4096, before it begins at 8192"));
    refuse_part(range(0, 20001), INVALID("bound 20001 is beyond the size 20000 of axis 0"));
    refuse_part(range(UINT64_MAX, UINT64_MAX),
                INVALID("bound 18446744073709551615 is beyond the size 20000 of axis 0"));
    refuse_scan_part(range(0, STRETCH + 1), INVALID("axis 0 cannot be cut at 262145: cuts are "
                                                    "262144 coordinates apart, the nearest is "
                                                    "262144"));
    refuse_scan_part(range(2 * STRETCH, STRETCH), INVALID("the part ends at 262144, before it "
                                                          "begins at 524288"));
    const tally_part wide = range(0, 21);
    refuse((request){PART, &it.fills, &it.results, &wide, 0},
           INVALID("bound 21 is beyond the size 20 of axis 1"));
}
END_TEST

START_TEST(structs_of_parts) {
    tally_part part = range(0, 4096);
    const refusal reserved = UNSUPPORTED("the reserved member of the tally_part is 9, but this "
                                         "version wants 0; its initialiser has it");
    part.reserved = 9;
    refuse_part(part, reserved);
    refuse_scan_part(part, reserved);
    part.struct_size = 0;
    refuse_part(part, INVALID("struct_size of the tally_part is 0"));
    refuse_scan_part(part, INVALID("struct_size of the tally_part is 0"));
}
END_TEST

START_TEST(inputs) {
    static tally_tensor tensor;
    tally_part part = range(0, 4096);
    tensor = tally_tensor_range(&it.reduce.input, 0, 0, 4096);
    part.input = &tensor;
    tensor.dtype = TALLY_F16;
    refuse_part(part, INVALID("the part's input has type f16 and rank 2, but the whole's has type "
                              "f32 and rank 2"));
    tensor.dtype = (tally_dtype)77;
    refuse_part(part, INVALID("the part's input has type unknown and rank 2"));
    tensor.dtype = TALLY_F32;
    tensor.rank = 9;
    refuse_part(part, INVALID("the part's input has type f32 and rank 9, but the whole's", "2"));
    tensor = tally_tensor_range(&it.reduce.input, 0, 0, 4095);
    refuse_part(part, INVALID("axis 0 of the part's input has size 4095, but 4096 is due"));
    tensor = tally_tensor_range(&it.reduce.input, 0, 0, 4096);
    tensor.size[1] = 7;
    refuse_part(part, INVALID("axis 1 of the part's input has size 7, but 6 is due"));
    tensor = it.scan.input;
    refuse_scan_part((tally_part){sizeof part, 0, 0, STRETCH, &tensor, NULL},
                     INVALID("axis 0 of the part's input has size 786432, but 262144 is due"));
    tensor = tally_tensor_range(&it.scan.input, 0, 0, STRETCH);
    tensor.flags = 0x80;
    refuse_scan_part((tally_part){sizeof part, 0, 0, STRETCH, &tensor, NULL},
                     INVALID("flags", "0x80"));
}
END_TEST

/* An output is looked at where it is written. */
START_TEST(outputs) {
    static tally_tensor tensor;
    tally_part part = range(0, 3);
    const request rows = {PART, &it.sums, &it.rows, &part, 0};
    tensor = tally_tensor_range(&it.reduce.output, 1, 0, 3);
    part.output = &tensor;
    tensor.dtype = TALLY_F64;
    refuse(rows, INVALID("the part's output has type f64 and rank 2, but the whole's has type f32 "
                         "and rank 2"));
    tensor.dtype = TALLY_F32;
    tensor.size[1] = 6;
    refuse(rows, INVALID("axis 1 of the part's output has size 6, but 3 is due"));
    tensor = tally_tensor_range(&it.scan.output, 0, 0, STRETCH);
    part = (tally_part){sizeof part, 0, STRETCH, 2 * STRETCH, NULL, &tensor};
    tensor.flags = TALLY_STRIDED;
    refuse((request){SCAN, &it.scans, &it.totals, &part, 0},
           UNSUPPORTED("the output's stride 0 of axis 0"));
    tensor = tally_tensor_range(&it.fill.output, 1, 0, 11);
    part = (tally_part){sizeof part, 0, 0, 10, NULL, &tensor};
    refuse((request){PART, &it.fills, &it.results, &part, 0},
           INVALID("axis 1 of the part's output has size 11, but 10 is due"));
}
END_TEST

Suite *suite_errors_parts(void) {
    Suite *suite = suite_create("errors_parts");
    TCase *tests = tcase_create("errors_parts");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, open_problems, close_problems);
    tcase_add_test(tests, null_arguments);
    tcase_add_test(tests, cuts_of_other_descriptions);
    tcase_add_test(tests, changed_cuts);
    tcase_add_test(tests, ranges);
    tcase_add_test(tests, structs_of_parts);
    tcase_add_test(tests, inputs);
    tcase_add_test(tests, outputs);
    suite_add_tcase(suite, tests);
    return suite;
}
