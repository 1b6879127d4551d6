/*
 * The sources of all programs, as texts: whole, every macro there where it is used, every kernel
 * once. That they compile is for the tests on a device to say.
 */
#include "plan/program/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/program/embedded.h"
#include "plan/program/variants.h"
#include "support/plans/all_specs.h"
#include "support/plans/source_scan.h"
#include "support/share.h"

static tally_text write_source(const tally_spec *program) {
    tally_text source = TALLY_TEXT_INIT;
    tally_source_write(program, &source);
    if (source.failed || source.data == NULL || strlen(source.data) != source.length)
        ck_abort_msg("a source that is not whole");
    return source;
}

static bool has(const char *source, const char *part) {
    return strstr(source, part) != NULL;
}

/* Fail with the program's name; Check takes no message as long as a source. */
static void fail_source(const tally_spec *program, const char *what) {
    char name[TALLY_NAME_BYTES];
    tally_spec_name(program, name);
    ck_abort_msg("the source of %s: %s", name, what);
}

/* Every so-many-th program, another one each time: of one function and type all are alike. */
typedef struct sample {
    void (*check)(const tally_spec *program, const char *source);
    int step, seen, checked;
} sample;

static void visit(const tally_spec *program, void *user) {
    sample *it = user;
    if (it->seen++ % it->step != 0)
        return;
    tally_text source = write_source(program);
    it->check(program, source.data);
    tally_text_free(&source);
    it->checked++;
}

static void check_programs(int step, void (*check)(const tally_spec *, const char *)) {
    const int share = share_is_asked_for() ? 5 : 1;
    sample it = {check, step * share, 0, 0};
    all_specs_each_program(true, visit, &it);
    ck_assert_int_gt(it.checked, 150 / share);
}

static void check_macros(const tally_spec *program, const char *source) {
    char name[128];
    const char *wrong = source_scan_wrong_macro(source, name);
    if (wrong != NULL)
        fail_source(program, wrong);
    if (!source_scan_balanced(source))
        fail_source(program, "brackets or conditions are not balanced");
    if (has(source, "(null)") || has(source, "not embedded") || has(source, "%s") ||
        has(source, "%u"))
        fail_source(program, "something was not filled in");
}

START_TEST(every_macro_is_defined_where_it_is_used) {
    check_programs(13, check_macros);
}
END_TEST

/* ---- Kernels ------------------------------------------------------------------------------- */

typedef struct kernels {
    const char *source;
    size_t count;
} kernels;

static void check_kernel(const tally_spec *variant, void *user) {
    kernels *all = user;
    char name[TALLY_NAME_BYTES];
    tally_spec_name(variant, name);
    if (source_scan_count(all->source, name) != 1)
        ck_abort_msg("%s stands in its source %zu times", name,
                     source_scan_count(all->source, name));
    all->count++;
}

static void check_kernels(const tally_spec *program, const char *source) {
    kernels all = {source, 0};
    /* PASS and APPLY are one text, the other phases have their own, and so have whole rows, the
     * spine of columns and what hands on states of parts; all are pasted each time. */
    const uint16_t carry = program->schedule == TALLY_SCAN_ROWS ? tally_spec_carry(program) : 0;
    const bool columns = program->schedule == TALLY_SCAN_COLUMNS;
    const bool two = program->schedule == TALLY_FOLD_ROWS ||
                     (columns && tally_spec_carry(program) == TALLY_CARRY_TWO_PASSES);
    const bool spread = carry == TALLY_CARRY_TWO_PASSES || carry == TALLY_CARRY_LOOK_BACK;
    const bool items = program->schedule == TALLY_SCAN_ANY && program->group == 0;
    const bool states =
        items ||
        (tally_spec_carry(program) == TALLY_CARRY_TWO_PASSES &&
         (program->schedule == TALLY_SCAN_ROWS || program->schedule == TALLY_SCAN_CPU_ROWS));
    const size_t texts = (spread ? 4u : two || items ? 2u : 1u) + (states ? 1u : 0u);
    tally_source_each_variant(program, check_kernel, &all);
    if (source_scan_count(source, "__kernel") != texts * all.count)
        fail_source(program, "not as many kernels as variants");
    if (source_scan_count(source, "TALLY_KERNEL") != (2 + texts) * all.count)
        fail_source(program, "a kernel's name is defined, used and undefined");
}

START_TEST(every_kernel_is_there_once) {
    check_programs(19, check_kernels);
}
END_TEST

/* A program with one kernel: those of its variants that are in it, and the bits seen so far. */
typedef struct single {
    const tally_spec *program;
    const char *source;
    const char *name; /* of the one that is to be there */
    uint64_t bits;
} single;

static void check_presence(const tally_spec *variant, void *user) {
    const single *one = user;
    char name[TALLY_NAME_BYTES];
    tally_spec_name(variant, name);
    const size_t wanted = strcmp(name, one->name) == 0;
    if (source_scan_count(one->source, name) != wanted)
        ck_abort_msg("%s in a source that is to have %s", name, one->name);
}

static void check_single(const tally_spec *variant, void *user) {
    single *one = user;
    char name[TALLY_NAME_BYTES];
    const uint64_t bit = tally_source_kernel(variant);
    tally_text source = TALLY_TEXT_INIT;
    tally_spec_name(variant, name);
    if (bit == 0 || (bit & (bit - 1)) != 0 || (bit & one->bits) != 0)
        ck_abort_msg("%s is not one kernel of its program", name);
    one->bits |= bit;
    tally_source_write_kernels(one->program, bit, &source);
    ck_assert(!source.failed);
    one->source = source.data;
    one->name = name;
    tally_source_each_variant(one->program, check_presence, one);
    tally_text_free(&source);
}

static void check_subsets(const tally_spec *program, const char *source) {
    single one = {.program = program};
    tally_text all = TALLY_TEXT_INIT;
    tally_source_each_variant(program, check_single, &one);
    tally_source_write_kernels(program, one.bits, &all);
    if (all.failed || strcmp(all.data, source) != 0)
        fail_source(program, "all kernels are not the whole");
    tally_text_free(&all);
}

START_TEST(a_program_may_have_some_kernels_only) {
    tally_spec other = {.schedule = TALLY_FILL, .input = TALLY_U16, .kept_rank = 2};
    other.exclusive = 1;
    ck_assert_uint_eq(tally_source_kernel(&other), 0);
    check_programs(23, check_subsets);
}
END_TEST

/* Variants share a program: which of them is asked for makes no difference to its source. */
START_TEST(all_variants_have_one_source) {
    const tally_spec program = {.schedule = TALLY_FOLD_ANY,
                                .function = TALLY_ARGMIN,
                                .input = TALLY_F64,
                                .kept_rank = 4,
                                .swept_rank = 2,
                                .index_bits = 64,
                                .group = 32};
    tally_spec variant = program;
    variant.first = variant.last = 1;
    variant.output = TALLY_U64;
    tally_text a = write_source(&program), b = write_source(&variant);
    ck_assert_str_eq(a.data, b.data);
    tally_text_free(&a);
    tally_text_free(&b);
}
END_TEST

/* ---- What is in front ---------------------------------------------------------------------- */

static void expect_line(const tally_spec *program, const char *source, const char *macro,
                        const char *value) {
    char line[400];
    snprintf(line, sizeof line, "\n#define TALLY_%s %s\n", macro, value);
    if (!has(source, line))
        fail_source(program, line);
}

static void expect_number(const tally_spec *program, const char *source, const char *macro,
                          unsigned value) {
    char digits[16];
    snprintf(digits, sizeof digits, "%u", value);
    expect_line(program, source, macro, digits);
}

static void check_head(const tally_spec *program, const char *text) {
    const tally_dtype_row *type = tally_dtype_find((tally_dtype)program->input);
    const bool needs_f64 = program->input == TALLY_F64;
    if (strncmp(text, "#pragma OPENCL FP_CONTRACT OFF\n", 31) != 0)
        fail_source(program, "contraction is forbidden before all else");
    if (has(text, "cl_khr_fp64") != needs_f64 || has(text, "cl_khr_fp16"))
        fail_source(program, "fp64 is asked for exactly where it is computed with");
    expect_line(program, text, "STORAGE", type->storage);
    expect_line(program, text, "COMPUTE", type->compute);
    expect_line(program, text, "KEY", type->key);
    expect_line(program, text, "INDEX", program->index_bits == 32 ? "uint" : "ulong");
    expect_number(program, text, "BYTES", type->bytes);
    expect_number(program, text, "FLOATING", type->class == TALLY_FLOATING);
    expect_number(program, text, "SIGNED", type->class == TALLY_SIGNED);
    expect_number(program, text, "KEPT_RANK", program->kept_rank);
    expect_number(program, text, "SWEPT_RANK", program->swept_rank);
    expect_number(program, text, "GROUP", program->group);
    const tally_policy_row *policy = tally_spec_policy(program);
    bool has_pack = false;
    for (size_t i = 0; i < policy->count; i++) {
        expect_number(program, text, policy->fields[i].macro, program->policy.field[i]);
        has_pack = has_pack || strcmp(policy->fields[i].macro, "PACK_BYTES") == 0;
    }
    if (!has_pack)
        expect_number(program, text, "PACK_BYTES", 16);
}

START_TEST(every_field_is_compiled_in) {
    check_programs(11, check_head);
}
END_TEST

/* A fill carries no state, but the numbers that it shares with others ask for one. */
static void check_state(const tally_spec *program, const char *text) {
    const tally_monoid *monoid = tally_monoid_find((tally_function)program->function);
    const int state = monoid != NULL ? (int)monoid->state : -1;
    expect_number(program, text, "STATE_IS_KEY", state == TALLY_STATE_KEY);
    expect_number(program, text, "STATE_IS_INDEXED", state == TALLY_STATE_INDEXED);
    expect_number(program, text, "STATE_IS_SHIFTED", state == TALLY_STATE_SHIFTED);
}

START_TEST(every_state_is_known) {
    check_programs(11, check_state);
}
END_TEST

static void check_function(const tally_spec *program, const char *text) {
    const tally_monoid *monoid = tally_monoid_find((tally_function)program->function);
    char body[200];
    if (monoid == NULL)
        return;
    snprintf(body, sizeof body, "{ return %s; }\n", monoid->map);
    if (!has(text, body))
        fail_source(program, "the map is not there");
    snprintf(body, sizeof body, "tally_combine_terms(tally_term a, tally_term b) { return %s; }\n",
             monoid->combine);
    if (!has(text, body))
        fail_source(program, "the join is not there");
    snprintf(body, sizeof body, "{ return %s; }\n", monoid->finalize);
    if (!has(text, body) && monoid->state != TALLY_STATE_INDEXED)
        fail_source(program, "the finish is not there");
    snprintf(body, sizeof body, "(%s)", monoid->identity);
    expect_line(program, text, "IDENTITY", body);
    snprintf(body, sizeof body, "(%s)", monoid->empty);
    expect_line(program, text, "EMPTY", body);
    expect_number(program, text, "STATE_BYTES", tally_spec_state_bytes(program));
    expect_number(program, text, "NAN_IS_IGNORED", program->nan == TALLY_NAN_IGNORE);
    expect_number(program, text, "TIE_IS_LAST", program->tie == TALLY_TIE_LAST);
}

START_TEST(every_function_is_its_row) {
    check_programs(11, check_function);
}
END_TEST

/* ---- Files --------------------------------------------------------------------------------- */

START_TEST(messages_point_into_the_files) {
    static const char *const files[] = {
        "order.h",
        "sizes.h",
        "args.h",
        "fold_args.h",
        "scan_args.h",
        "fill_args.h",
        "units.h",
        "number.cl",
        "pack.cl",
        "offset.cl",
        "math.cl",
        "state.cl",
        "fold.cl",
        "scan.cl",
        "fill.cl",
        "fold_any_item.cl",
        "fold_any_team.cl",
        "fold_any_lines.cl",
        "fold_staged.cl",
        "fold_rows.cl",
        "fold_columns_rows.cl",
        "fold_columns.cl",
        "fold_short_rows.cl",
        "scan_any_item.cl",
        "scan_any_team.cl",
        "exp.cl",
        "rows.cl",
        "rows_stripes.cl",
        "rows_combine.cl",
        "number_vector.cl",
        "cache_line.cl",
        "transpose_vector.cl",
        "weave.cl",
        "math_vector.cl",
        "state_vector.cl",
        "take_vector.cl",
        "merge_vector.cl",
        "fold_cpu.cl",
        "fill_map.cl",
        "fold_cpu_map.cl",
        "fold_cpu_rows.cl",
        "fold_cpu_short_rows.cl",
        "fold_cpu_packed.cl",
        "fold_cpu_strips.cl",
        "fold_cpu_visits.cl",
        "fold_cpu_columns.cl",
        "fold_cpu_spaced.cl",
        "fold_cpu_line.cl",
        "fold_cpu_box.cl",
        "fold_cpu_panel.cl",
        "scan_image.cl",
        "scan_short_rows.cl",
        "scan_columns_walk.cl",
        "scan_rows.cl",
        "scan_rows_walk.cl",
        "scan_rows_recompute.cl",
        "scan_rows_words.cl",
        "scan_rows_passes.cl",
        "scan_rows_follow.cl",
        "math_wide.cl",
        "extreme_vector.cl",
        "matrix.cl",
        "fill_rows.cl",
        "fill_memory.cl",
        "scan_vector.cl",
        "scan_cpu.cl",
        "scan_cpu_rows.cl",
        "scan_cpu_batch.cl",
        "scan_cpu_line.cl",
        "scan_cpu_pieces.cl",
        "scan_cpu_short_rows.cl",
        "scan_cpu_strip.cl",
        "scan_cpu_wide.cl",
        "scan_cpu_columns.cl",
        "scan_columns.cl",
        "scan_columns_whole.cl",
        "scan_columns_passes.cl",
        "scan_staged_box.cl",
        "scan_staged_moves.cl",
        "scan_staged_runs.cl",
        "scan_spine.cl",
        "scan_staged_words.cl",
        "scan_staged.cl",
        "scan_cpu_box.cl",
        "scan_cpu_bring.cl",
        "scan_cpu_send.cl",
        "scan_cpu_panel.cl",
        "fill_axes.cl",
        "fill_packs.cl",
        "fill_positions.cl",
        "fill_box.cl",
        "fill_transpose.cl",
        "fill_cpu_pattern.cl",
        "fill_cpu_chunks.cl",
        "fill_cpu_lines.cl",
        "fill_cpu_lanes.cl",
        "fill_cpu_transpose.cl",
        "fill_cpu_box.cl",
    };
    tally_text all = TALLY_TEXT_INIT;
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++) {
        const bool fill = tally_schedule_find(schedule)->kind == TALLY_KIND_FILL;
        tally_spec program = {.schedule = schedule,
                              .function = (uint8_t)(fill ? 0 : TALLY_SUM),
                              .input = TALLY_F32,
                              .kept_rank = 2,
                              .swept_rank = 1,
                              .index_bits = 32};
        tally_source_write(&program, &all);
        program.group = 64;
        for (uint16_t carry = 0; carry <= TALLY_CARRY_LOOK_BACK; carry++) {
            program.policy.field[0] = carry; /* where it is a carry, and the first */
            if (tally_spec_carry(&program) == carry)
                tally_source_write(&program, &all);
        }
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char line[96];
        const tally_embedded *file = tally_embedded_files;
        while (file->name != NULL && strcmp(file->name, files[i]) != 0)
            file++;
        ck_assert_msg(file->name != NULL, "there is no %s", files[i]);
        snprintf(line, sizeof line, "\n#line 1 \"%s\"\n", file->path);
        if (!has(all.data, line))
            ck_abort_msg("no program has %s", file->path);
    }
    tally_text_free(&all);
}
END_TEST

START_TEST(the_files_are_embedded_whole) {
    int files = 0;
    for (const tally_embedded *file = tally_embedded_files; file->name != NULL; file++, files++) {
        const size_t length = strlen(file->text);
        ck_assert_uint_gt(length, 100);
        ck_assert_int_eq(file->text[length - 1], '\n');
        for (size_t i = 0; i < length; i++)
            if ((file->text[i] < ' ' && file->text[i] != '\n') || file->text[i] == 127)
                ck_abort_msg("%s has the byte %d", file->path, file->text[i]);
        ck_assert(source_scan_balanced(file->text));
    }
    ck_assert_int_ge(files, 24);
}
END_TEST

/* The reader itself: it must find what is wrong. */
START_TEST(a_wrong_macro_is_found) {
    char name[128];
    ck_assert_ptr_null(source_scan_wrong_macro("#define TALLY_A 1\n#if TALLY_A\n#endif\n", name));
    ck_assert_str_eq(source_scan_wrong_macro("#if TALLY_B\n#endif\n", name), "TALLY_B");
    ck_assert_str_eq(source_scan_wrong_macro("int x = log_(1);\n", name), "log_");
    ck_assert_str_eq(source_scan_wrong_macro("#define TALLY_A TALLY_C\n", name), "TALLY_C");
    ck_assert_str_eq(source_scan_wrong_macro("#define TALLY_A\n#undef TALLY_A\nTALLY_A\n", name),
                     "TALLY_A");
    ck_assert_str_eq(source_scan_wrong_macro("#define M 1\n#define M 2\n", name), "M");
    ck_assert_str_eq(source_scan_wrong_macro("#if 1\n#define M 1\n#endif\n#define M 2\n", name),
                     "M");
    ck_assert_ptr_null(source_scan_wrong_macro(
        "#if 1\n#define M 1\n#else\n#define M 2\n#endif\n#undef M\n#define M 3\n", name));
    ck_assert_ptr_null(source_scan_wrong_macro("#define F(a) TALLY_A_##a\n", name));
    ck_assert_ptr_null(source_scan_wrong_macro("/* TALLY_A */ // TALLY_B\n", name));
    ck_assert_uint_eq(source_scan_count("ab abc ab_ab /* ab */ ab\n", "ab"), 2);
    ck_assert(!source_scan_balanced("f(]"));
    ck_assert(!source_scan_balanced("#if 1\n"));
    ck_assert(source_scan_balanced("#if 1\nf(a[0]) { }\n#endif\n"));
}
END_TEST

Suite *suite_source(void) {
    Suite *suite = suite_create("source");
    TCase *tests = tcase_create("source");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, every_macro_is_defined_where_it_is_used);
    tcase_add_test(tests, every_kernel_is_there_once);
    tcase_add_test(tests, a_program_may_have_some_kernels_only);
    tcase_add_test(tests, all_variants_have_one_source);
    tcase_add_test(tests, every_field_is_compiled_in);
    tcase_add_test(tests, every_state_is_known);
    tcase_add_test(tests, every_function_is_its_row);
    tcase_add_test(tests, messages_point_into_the_files);
    tcase_add_test(tests, the_files_are_embedded_whole);
    tcase_add_test(tests, a_wrong_macro_is_found);
    suite_add_tcase(suite, tests);
    return suite;
}
