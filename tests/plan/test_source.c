/*
 * The sources of all programs, as texts: whole, every macro there where it is used, every kernel
 * once. What stands in front is test_source_head.c's, and the files are test_source_files.c's. That
 * they compile is for the tests on a device to say.
 */
#include "plan/program/source.h"
#include "plan/program/variants.h"

#include <string.h>

#include <check.h>

#include "cl/core/sizes.h"
#include "support/plans/source_scan.h"
#include "support/plans/sources.h"

static bool has(const char *source, const char *part) {
    return strstr(source, part) != NULL;
}

static void check_macros(const tally_spec *program, const char *source) {
    char name[128];
    const char *wrong = source_scan_wrong_macro(source, name);
    if (wrong != NULL)
        sources_fail(program, wrong);
    if (!source_scan_balanced(source))
        sources_fail(program, "brackets or conditions are not balanced");
    if (has(source, "(null)") || has(source, "not embedded") || has(source, "%s") ||
        has(source, "%u"))
        sources_fail(program, "something was not filled in");
}

START_TEST(every_macro_is_defined_where_it_is_used) {
    sources_check(13, check_macros);
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
        sources_fail(program, "not as many kernels as variants");
    if (source_scan_count(source, "TALLY_KERNEL") != (2 + texts) * all.count)
        sources_fail(program, "a kernel's name is defined, used and undefined");
}

START_TEST(every_kernel_is_there_once) {
    sources_check(19, check_kernels);
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
        sources_fail(program, "all kernels are not the whole");
    tally_text_free(&all);
}

START_TEST(a_program_may_have_some_kernels_only) {
    tally_spec other = {.schedule = TALLY_FILL, .input = TALLY_U16, .kept_rank = 2};
    other.exclusive = 1;
    ck_assert_uint_eq(tally_source_kernel(&other), 0);
    sources_check(23, check_subsets);
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
    tally_text a = sources_write(&program), b = sources_write(&variant);
    ck_assert_str_eq(a.data, b.data);
    tally_text_free(&a);
    tally_text_free(&b);
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
    suite_add_tcase(suite, tests);
    return suite;
}
