/*
 * The names of specs: each spec has one of its own, an identifier that is not cut off and that says
 * every field.
 */
#include "plan/spec.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "cl/core/sizes.h"
#include "plan/program/source.h"
#include "plan/program/variants.h"
#include "support/plans/all_specs.h"

typedef struct names {
    uint64_t *hashes;
    size_t count, room;
    size_t longest;
    char example[TALLY_NAME_BYTES];
} names;

static bool is_identifier(const char *name) {
    for (const char *c = name; *c != '\0'; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || *c == '_';
        if (!letter && !(*c >= '0' && *c <= '9' && c > name))
            return false;
    }
    return *name != '\0';
}

/* FNV-1a, 64 bits: names that differ and hash alike would be a rare bad luck, and a false alarm. */
static uint64_t hash(const char *name) {
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++)
        value = (value ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return value;
}

static void take_name(const tally_spec *spec, void *user) {
    names *all = user;
    char padded[TALLY_NAME_BYTES + 8];
    memset(padded, '#', sizeof padded);
    tally_spec_name(spec, padded);
    const size_t length = strlen(padded);
    if (length >= TALLY_NAME_BYTES || padded[TALLY_NAME_BYTES] != '#' || !is_identifier(padded) ||
        strncmp(padded, "tally_", 6) != 0)
        ck_abort_msg("a name is \"%.100s\"", padded);
    if (length > all->longest) {
        all->longest = length;
        memcpy(all->example, padded, length + 1);
    }
    if (all->count == all->room) {
        all->room = all->room > 0 ? 2 * all->room : 4096;
        all->hashes = realloc(all->hashes, all->room * sizeof *all->hashes);
        ck_assert_ptr_nonnull(all->hashes);
    }
    all->hashes[all->count++] = hash(padded);
}

static void take_program(const tally_spec *program, void *user) {
    tally_source_each_variant(program, take_name, user);
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

START_TEST(each_spec_has_a_name_of_its_own) {
    names all = {0};
    all_specs_each_program(false, take_program, &all);
    ck_assert_uint_gt(all.count, 100000);
    qsort(all.hashes, all.count, sizeof *all.hashes, compare);
    for (size_t i = 1; i < all.count; i++)
        if (all.hashes[i] == all.hashes[i - 1])
            ck_abort_msg("of %zu specs two have one name", all.count);
    free(all.hashes);
    if (all.longest + 16 >
        TALLY_NAME_BYTES) /* add() cuts in silence: there must be room to spare */
        ck_abort_msg("%s comes close to %d bytes", all.example, TALLY_NAME_BYTES);
}
END_TEST

START_TEST(a_name_says_every_field) {
    char name[TALLY_NAME_BYTES];
    const tally_spec fold = {.schedule = TALLY_FOLD_ANY,
                             .function = TALLY_ARGMAX,
                             .input = TALLY_F16,
                             .kept_rank = 2,
                             .swept_rank = 4,
                             .index_bits = 64,
                             .nan = TALLY_NAN_IGNORE,
                             .tie = TALLY_TIE_LAST,
                             .group = 64,
                             .first = 1,
                             .last = 1,
                             .output = TALLY_U32};
    tally_spec_name(&fold, name);
    ck_assert_str_eq(name, "tally_fold_any_argmax_f16_u32_k2_s4_i64_g64_nonan_tielast_first_last");
    const tally_spec rows = {.schedule = TALLY_FOLD_ROWS,
                             .function = TALLY_MAX,
                             .input = TALLY_I8,
                             .kept_rank = 1,
                             .swept_rank = 1,
                             .index_bits = 32,
                             .group = 256,
                             .policy.fold_rows.blocks_per_item = 4,
                             .policy.fold_rows.lanes_per_item = 16,
                             .policy.fold_rows.one_block = 1,
                             .policy.fold_rows.stripes = 2,
                             .first = 1};
    tally_spec_name(&rows, name);
    ck_assert_str_eq(
        name, "tally_fold_rows_max_i8_k1_s1_i32_g256_lanes16_blocks4_oneblock1_stripes2_first");
    const tally_spec columns = {.schedule = TALLY_FOLD_COLUMNS,
                                .function = TALLY_SUM,
                                .input = TALLY_F16,
                                .kept_rank = 1,
                                .swept_rank = 1,
                                .index_bits = 32,
                                .group = 64,
                                .policy.fold_columns.lanes_per_item = 8,
                                .policy.fold_columns.pack = 8,
                                .policy.fold_columns.whole_block = 1,
                                .last = 1};
    tally_spec_name(&columns, name);
    ck_assert_str_eq(name, "tally_fold_columns_sum_f16_k1_s1_i32_g64_lanes8_p8_wholeblock1_last");
    const tally_spec scan = {.schedule = TALLY_SCAN_ANY,
                             .function = TALLY_SUM,
                             .input = TALLY_I32,
                             .kept_rank = 1,
                             .swept_rank = 1,
                             .index_bits = 32,
                             .exclusive = 1};
    tally_spec_name(&scan, name);
    ck_assert_str_eq(name, "tally_scan_any_sum_i32_k1_s1_i32_exclusive");
    const tally_spec chain = {.schedule = TALLY_SCAN_ROWS,
                              .function = TALLY_MAX,
                              .input = TALLY_F16,
                              .kept_rank = 2,
                              .swept_rank = 1,
                              .index_bits = 64,
                              .group = 128,
                              .policy.scan_rows.carry = TALLY_CARRY_LOOK_BACK,
                              .policy.scan_rows.merged = 3,
                              .levels = 5,
                              .policy.scan_rows.runs_per_item = 2,
                              .word = 8,
                              .phase = TALLY_PASS,
                              .exclusive = 1};
    tally_spec_name(&chain, name);
    ck_assert_str_eq(name,
                     "tally_scan_rows_max_f16_k2_s1_i64_g128_look_back_runs2_merged3_l5_w8_pass_"
                     "exclusive");
    const tally_spec boxes = {.schedule = TALLY_SCAN_STAGED,
                              .function = TALLY_SUM,
                              .input = TALLY_F32,
                              .kept_rank = 2,
                              .swept_rank = 1,
                              .index_bits = 32,
                              .group = 256,
                              .policy.scan_staged.carry = TALLY_CARRY_TWO_PASSES,
                              .policy.scan_staged.runs_per_item = 2,
                              .policy.scan_staged.run_terms = 16,
                              .word = 4,
                              .policy.scan_staged.box_rank = 3,
                              .policy.scan_staged.read_order = 6,
                              .policy.scan_staged.write_order = 36,
                              .policy.scan_staged.read_bytes = 8,
                              .policy.scan_staged.write_bytes = 4,
                              .policy.scan_staged.read_axes = 2,
                              .policy.scan_staged.write_axes = 1,
                              .policy.scan_staged.skewed = 1,
                              .policy.scan_staged.tile_parts = 1,
                              .phase = TALLY_FOLLOW};
    tally_spec_name(&boxes, name);
    ck_assert_str_eq(name,
                     "tally_scan_staged_sum_f32_k2_s1_i32_g256_two_passes_runs2_runterms16_b3_"
                     "r6_o36_rp8_wp4_ra2_wa1_skewed1_tileparts1_w4_follow");
    const tally_spec fill = {.schedule = TALLY_FILL,
                             .input = TALLY_U16,
                             .kept_rank = 8,
                             .index_bits = 32,
                             .has_input = 1};
    tally_spec_name(&fill, name);
    ck_assert_str_eq(name, "tally_fill_u16_k8_i32_input");
    const tally_spec filled_packs = {.schedule = TALLY_FILL_PACKS,
                                     .input = TALLY_U8,
                                     .kept_rank = 2,
                                     .index_bits = 64,
                                     .group = 256,
                                     .policy.fill_packs.packs_per_item = 2,
                                     .policy.fill_packs.repeats = 1};
    tally_spec_name(&filled_packs, name);
    ck_assert_str_eq(name, "tally_fill_packs_u8_k2_i64_g256_packs2_repeats1");
}
END_TEST

Suite *suite_spec_names(void);

Suite *suite_spec_names(void) {
    Suite *suite = suite_create("spec_names");
    TCase *tests = tcase_create("spec_names");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, each_spec_has_a_name_of_its_own);
    tcase_add_test(tests, a_name_says_every_field);
    suite_add_tcase(suite, tests);
    return suite;
}
