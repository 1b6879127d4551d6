/*
 * Specs: which of their bytes make a program's key, and the sizes of states and argument structs,
 * over every spec that a planner may ask for. Their names are test_spec_names.c's, and the kernels
 * of a program test_spec_variants.c's.
 */
#include "plan/spec.h"

#include <check.h>

#include "cl/core/sizes.h"
#include "support/descriptions/legal.h"
#include "support/numbers/number.h"
#include "support/plans/all_specs.h"

/* ---- Keys ---------------------------------------------------------------------------------- */

/* The fields from phase on tell kernels of one program apart; the others tell programs apart. */
START_TEST(every_byte_of_a_spec_counts) {
    const tally_spec none = {0};
    for (size_t i = 0; i < sizeof none; i++) {
        tally_spec changed = none;
        ((unsigned char *)&changed)[i] = 1;
        const tally_spec program = tally_spec_program(&changed);
        ck_assert(!tally_spec_equal(&changed, &none));
        ck_assert_int_eq(tally_spec_equal(&program, &none), i >= offsetof(tally_spec, phase));
        ck_assert_int_eq(tally_spec_equal(&program, &changed), i < offsetof(tally_spec, phase));
    }
}
END_TEST

/* ---- Sizes --------------------------------------------------------------------------------- */

/* A value in the type of arithmetic; two of them; or a key and an index, each as large as the other
 * at least. What has less than 32 bits is computed with in 32. */
static void check_state(const tally_spec *program, void *user) {
    const uint32_t size = (uint32_t)number_bytes(program->input), bytes = size < 4 ? 4 : size;
    const uint32_t index = program->index_bits / 8;
    uint32_t wanted = bytes;
    (void)user;
    if (tally_schedule_find(program->schedule)->kind != TALLY_KIND_FOLD)
        return;
    if (legal_is_index((tally_function)program->function))
        wanted = 2 * (bytes > index ? bytes : index);
    else if (program->function == TALLY_LOG_SUM_EXP)
        wanted = 2 * bytes;
    if (tally_spec_state_bytes(program) != wanted)
        ck_abort_msg("function %d of type %d: a state of %u bytes, should be %u", program->function,
                     program->input, tally_spec_state_bytes(program), wanted);
}

START_TEST(each_state_has_its_size) {
    all_specs_each_program(true, check_state, NULL);
}
END_TEST

/* Of the argument structs: members of 64 bits that all of a kind have, and an agent's own. */
#define FOLD_BYTES(own) (8 * (13 + 5 * 8 + (own)))
#define SCAN_BYTES(own) (8 * (11 + 3 * 8 + (own)))
#define FILL_BYTES(own) (8 * (9 + 4 * 8 + (own)))

START_TEST(each_schedule_has_its_arguments) {
    static const struct {
        tally_schedule schedule;
        const char *name;
        tally_kind kind;
        size_t bytes;
    } rows[] = {
        {TALLY_FOLD_ANY, "fold_any", TALLY_KIND_FOLD, FOLD_BYTES(8 + 4)},
        {TALLY_FOLD_ROWS, "fold_rows", TALLY_KIND_FOLD, FOLD_BYTES(1)},
        {TALLY_FOLD_COLUMNS, "fold_columns", TALLY_KIND_FOLD, FOLD_BYTES(8 + 3)},
        {TALLY_FOLD_SHORT_ROWS, "fold_short_rows", TALLY_KIND_FOLD, FOLD_BYTES(4)},
        {TALLY_FOLD_SETS, "fold_sets", TALLY_KIND_FOLD, FOLD_BYTES(3)},
        {TALLY_FOLD_CPU_MAP, "fold_cpu_map", TALLY_KIND_FOLD, FOLD_BYTES(2)},
        {TALLY_FOLD_CPU_ROWS, "fold_cpu_rows", TALLY_KIND_FOLD, FOLD_BYTES(1)},
        {TALLY_FOLD_CPU_SHORT_ROWS, "fold_cpu_short_rows", TALLY_KIND_FOLD, FOLD_BYTES(1)},
        {TALLY_FOLD_CPU_PACKED, "fold_cpu_packed", TALLY_KIND_FOLD, FOLD_BYTES(1)},
        {TALLY_FOLD_CPU_COLUMNS, "fold_cpu_columns", TALLY_KIND_FOLD, FOLD_BYTES(4)},
        {TALLY_FOLD_CPU_SPACED, "fold_cpu_spaced", TALLY_KIND_FOLD, FOLD_BYTES(4)},
        {TALLY_FOLD_CPU_PANEL, "fold_cpu_panel", TALLY_KIND_FOLD, FOLD_BYTES(4)},
        {TALLY_FOLD_CPU_LINES, "fold_cpu_lines", TALLY_KIND_FOLD, FOLD_BYTES(4)},
        {TALLY_SCAN_ANY, "scan_any", TALLY_KIND_SCAN, SCAN_BYTES(0)},
        {TALLY_SCAN_CARRY, "scan_carry", TALLY_KIND_SCAN, SCAN_BYTES(0)},
        {TALLY_SCAN_SHORT_ROWS, "scan_short_rows", TALLY_KIND_SCAN, SCAN_BYTES(2)},
        {TALLY_SCAN_COLUMNS, "scan_columns", TALLY_KIND_SCAN, SCAN_BYTES(6)},
        {TALLY_SCAN_ROWS, "scan_rows", TALLY_KIND_SCAN, SCAN_BYTES(12)},
        {TALLY_SCAN_CPU_ROWS, "scan_cpu_rows", TALLY_KIND_SCAN, SCAN_BYTES(3)},
        {TALLY_SCAN_CPU_SHORT_ROWS, "scan_cpu_short_rows", TALLY_KIND_SCAN, SCAN_BYTES(1)},
        {TALLY_SCAN_CPU_COLUMNS, "scan_cpu_columns", TALLY_KIND_SCAN, SCAN_BYTES(6)},
        {TALLY_SCAN_STAGED, "scan_staged", TALLY_KIND_SCAN, SCAN_BYTES(11 + 2 + 11 * 4)},
        {TALLY_SCAN_TRANSPOSE, "scan_transpose", TALLY_KIND_SCAN, SCAN_BYTES(3 + 5 * 8)},
        {TALLY_FILL, "fill", TALLY_KIND_FILL, FILL_BYTES(0)},
        {TALLY_SCAN_CPU_PANEL, "scan_cpu_panel", TALLY_KIND_SCAN, SCAN_BYTES(7 + 8)},
        {TALLY_FILL_PACKS, "fill_packs", TALLY_KIND_FILL, FILL_BYTES(2 * 8 + 16)},
        {TALLY_FILL_BOX, "fill_box", TALLY_KIND_FILL, FILL_BYTES(3 + 5 * 8)},
        {TALLY_FILL_TRANSPOSE, "fill_transpose", TALLY_KIND_FILL, FILL_BYTES(3 + 5 * 8)},
        {TALLY_FILL_CPU_CHUNKS, "fill_cpu_chunks", TALLY_KIND_FILL, FILL_BYTES(2 * 8 + 8)},
        {TALLY_FILL_CPU_LINES, "fill_cpu_lines", TALLY_KIND_FILL, FILL_BYTES(2 * 8 + 4)},
        {TALLY_FILL_CPU_BOX, "fill_cpu_box", TALLY_KIND_FILL, FILL_BYTES(7 + 6 * 8)},
        {TALLY_FOLD_OUTPUTS, "fold_outputs", TALLY_KIND_FOLD, FOLD_BYTES(8 + 3)},
    };
    ck_assert_uint_eq(sizeof rows / sizeof rows[0], TALLY_SCHEDULES);
    const tally_spec spec = {.schedule = (uint8_t)rows[_i].schedule};
    const tally_schedule_row *row = tally_schedule_find(spec.schedule);
    ck_assert_str_eq(row->name, rows[_i].name);
    ck_assert_int_eq(row->kind, rows[_i].kind);
    ck_assert_uint_eq(tally_spec_args_bytes(&spec), rows[_i].bytes);
    /* The least that a device must take is 1 KB: a struct, another one for a closing group, and
     * pointers to the input, the output, the count of groups and the result. */
    const size_t close = (row->variants & TALLY_VARIANT_CLOSING) != 0 ? FOLD_BYTES(0) : 0;
    ck_assert_uint_le(rows[_i].bytes + close + 4 * 8, 1024);
}
END_TEST

START_TEST(no_other_number_is_a_schedule) {
    ck_assert_ptr_null(tally_schedule_find(TALLY_SCHEDULES));
    ck_assert_ptr_null(tally_schedule_find(255));
}
END_TEST

Suite *suite_spec(void) {
    Suite *suite = suite_create("spec");
    TCase *tests = tcase_create("spec");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, every_byte_of_a_spec_counts);
    tcase_add_test(tests, each_state_has_its_size);
    tcase_add_loop_test(tests, each_schedule_has_its_arguments, 0, TALLY_SCHEDULES);
    tcase_add_test(tests, no_other_number_is_a_schedule);
    suite_add_tcase(suite, tests);
    return suite;
}
