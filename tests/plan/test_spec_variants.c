/*
 * The variants of programs, which are their kernels: each is of the program that lists it, and each
 * program has those that its schedule and its carry ask for.
 */
#include "plan/spec.h"

#include <check.h>

#include "cl/core/sizes.h"
#include "plan/program/source.h"
#include "plan/program/variants.h"
#include "support/descriptions/legal.h"
#include "support/plans/all_specs.h"

static void check_variant(const tally_spec *variant, void *user) {
    const tally_spec *program = user;
    const tally_spec found = tally_spec_program(variant);
    if (!tally_spec_equal(&found, program))
        ck_abort_msg("a variant is of another program than the one that lists it");
    if (tally_schedule_find(variant->schedule) == NULL ||
        (variant->output != 0 &&
         !((variant->last || variant->closing) && legal_is_index(variant->function))))
        ck_abort_msg("a variant has an output type, but writes no index");
}

static void check_program(const tally_spec *program, void *user) {
    tally_spec copy = *program;
    int *count = user;
    tally_source_each_variant(program, check_variant, &copy);
    ++*count;
}

START_TEST(each_variant_is_of_its_program) {
    int count = 0;
    all_specs_each_program(false, check_program, &count);
    ck_assert_int_gt(count, 10000);
}
END_TEST

typedef struct count {
    int all, indexed, first, last, closing, exclusive, input, phase[TALLY_PHASES];
} count;

static void count_variant(const tally_spec *variant, void *user) {
    count *it = user;
    it->all++;
    it->indexed += variant->output != 0;
    it->first += variant->first;
    it->last += variant->last;
    it->closing += variant->closing;
    it->exclusive += variant->exclusive;
    it->input += variant->has_input;
    it->phase[variant->phase]++;
}

static count count_of(tally_spec program) {
    count it = {0};
    program.input = TALLY_F32;
    tally_source_each_variant(&program, count_variant, &it);
    return it;
}

static count count_variants(tally_schedule schedule, tally_function function) {
    return count_of((tally_spec){.schedule = (uint8_t)schedule, .function = (uint8_t)function});
}

START_TEST(each_program_has_its_variants) {
    const count sum = count_variants(TALLY_FOLD_ANY, TALLY_SUM);
    ck_assert_int_eq(sum.all, 4);
    ck_assert_int_eq(sum.first, 2);
    ck_assert_int_eq(sum.last, 2);
    ck_assert_int_eq(sum.indexed, 0);
    const count argmax = count_variants(TALLY_FOLD_ANY, TALLY_ARGMAX);
    ck_assert_int_eq(argmax.all, 6); /* an index of 32 or 64 bits where it is last */
    ck_assert_int_eq(argmax.indexed, 4);
    const count whole = count_of((tally_spec){
        .schedule = TALLY_FOLD_ROWS, .function = TALLY_SUM, .policy.fold_rows.whole_rows = 1});
    ck_assert_int_eq(whole.all, 6);
    ck_assert_int_eq(whole.first, 3);
    ck_assert_int_eq(whole.closing, 2);
    static const tally_schedule wide[] = {
        TALLY_FOLD_ROWS,        TALLY_FOLD_COLUMNS,        TALLY_FOLD_SHORT_ROWS,
        TALLY_FOLD_SETS,        TALLY_FOLD_CPU_SHORT_ROWS, TALLY_FOLD_CPU_PACKED,
        TALLY_FOLD_CPU_COLUMNS, TALLY_FOLD_CPU_PANEL,      TALLY_FOLD_CPU_SPACED};
    for (int i = 0; i < 9; i++) { /* which read no states */
        const count wide_sum = count_variants(wide[i], TALLY_SUM);
        const int closing = i < 4; /* states that the groups which end last fold as well */
        ck_assert_int_eq(wide_sum.all, 2 + closing);
        ck_assert_int_eq(wide_sum.first, 2 + closing);
        ck_assert_int_eq(wide_sum.closing, closing);
        ck_assert_int_eq(wide_sum.last, 1);
        ck_assert_int_eq(wide_sum.indexed, 0);
        const count wide_argmax = count_variants(wide[i], TALLY_ARGMAX);
        ck_assert_int_eq(wide_argmax.all, 3 + 2 * closing);
        ck_assert_int_eq(wide_argmax.first, 3 + 2 * closing);
        ck_assert_int_eq(wide_argmax.last, 2);
        ck_assert_int_eq(wide_argmax.indexed, 2 + 2 * closing);
    }
    const count scan = count_variants(TALLY_SCAN_ANY, TALLY_SUM);
    ck_assert_int_eq(scan.all, 2);
    ck_assert_int_eq(scan.exclusive, 1);
    const count tile = count_variants(TALLY_SCAN_SHORT_ROWS, TALLY_SUM);
    ck_assert_int_eq(tile.all, 2);
    ck_assert_int_eq(tile.exclusive, 1);
    static const int kernels[][TALLY_PHASES] = {/* two of those that write */
                                                [TALLY_CARRY_WALK] = {2, 0, 0, 0, 0, 0},
                                                [TALLY_CARRY_RECOMPUTE] = {2, 0, 0, 0, 0, 0},
                                                [TALLY_CARRY_TWO_PASSES] = {0, 0, 1, 1, 2, 2},
                                                [TALLY_CARRY_LOOK_BACK] = {0, 2, 0, 0, 0, 2}};
    for (uint16_t carry = TALLY_CARRY_WALK; carry <= TALLY_CARRY_LOOK_BACK; carry++) {
        const count rows = count_of((tally_spec){
            .schedule = TALLY_SCAN_ROWS, .function = TALLY_SUM, .policy.scan_rows.carry = carry});
        for (int phase = 0; phase < TALLY_PHASES; phase++)
            ck_assert_int_eq(rows.phase[phase], kernels[carry][phase]);
    }
    const count boxes = count_variants(TALLY_SCAN_STAGED, TALLY_SUM);
    ck_assert_int_eq(boxes.all, 2);
    ck_assert_int_eq(boxes.phase[0], 2);
    const count box_tiles =
        count_of((tally_spec){.schedule = TALLY_SCAN_STAGED,
                              .function = TALLY_SUM,
                              .policy.scan_staged.carry = TALLY_CARRY_TWO_PASSES});
    ck_assert_int_eq(box_tiles.all, 6);
    ck_assert_int_eq(box_tiles.phase[TALLY_APPLY], 2);
    ck_assert_int_eq(box_tiles.phase[TALLY_FOLLOW], 2);
    const count box_chain =
        count_of((tally_spec){.schedule = TALLY_SCAN_STAGED,
                              .function = TALLY_SUM,
                              .policy.scan_staged.carry = TALLY_CARRY_LOOK_BACK});
    ck_assert_int_eq(box_chain.all, 2);
    ck_assert_int_eq(box_chain.phase[TALLY_PASS], 2);
    const count lines = count_variants(TALLY_SCAN_CPU_ROWS, TALLY_SUM);
    ck_assert_int_eq(lines.all, 2);
    ck_assert_int_eq(lines.phase[0], 2);
    const count pieces =
        count_of((tally_spec){.schedule = TALLY_SCAN_CPU_ROWS,
                              .function = TALLY_SUM,
                              .policy.scan_cpu_line.carry = TALLY_CARRY_TWO_PASSES});
    ck_assert_int_eq(pieces.all, 4);
    ck_assert_int_eq(pieces.exclusive, 2);
    ck_assert_int_eq(pieces.phase[TALLY_PASS], 2);
    ck_assert_int_eq(pieces.phase[TALLY_APPLY], 2);
    const count cut =
        count_of((tally_spec){.schedule = TALLY_SCAN_CPU_PANEL,
                              .function = TALLY_SUM,
                              .policy.scan_cpu_pieces.carry = TALLY_CARRY_TWO_PASSES});
    ck_assert_int_eq(cut.all, 3);
    ck_assert_int_eq(cut.exclusive, 1);
    ck_assert_int_eq(cut.phase[TALLY_TOTALS], 1);
    ck_assert_int_eq(cut.phase[TALLY_APPLY], 2);
    for (int schedule = TALLY_FILL; schedule < TALLY_SCHEDULES; schedule++) {
        const count fill = count_variants((tally_schedule)schedule, TALLY_FUNCTION_NONE);
        ck_assert_int_eq(fill.all, 2);
        ck_assert_int_eq(fill.input, 1);
    }
    const count map = count_variants(TALLY_FILL_PACKS, TALLY_SUM_SQUARE);
    ck_assert_int_eq(map.all, 1);
    ck_assert_int_eq(map.input, 1);
}
END_TEST

Suite *suite_spec_variants(void);

Suite *suite_spec_variants(void) {
    Suite *suite = suite_create("spec_variants");
    TCase *tests = tcase_create("spec_variants");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, each_variant_is_of_its_program);
    tcase_add_test(tests, each_program_has_its_variants);
    suite_add_tcase(suite, tests);
    return suite;
}
