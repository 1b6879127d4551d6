/*
 * Specs: names, keys and sizes, over every spec that a planner may ask for.
 */
#include "plan/spec.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "cl/core/sizes.h"
#include "plan/program/variants.h"
#include "support/descriptions/legal.h"
#include "support/numbers/number.h"
#include "support/plans/all_specs.h"

/* ---- Names --------------------------------------------------------------------------------- */

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
    const tally_spec filled_rows = {.schedule = TALLY_FILL_ROWS,
                                    .input = TALLY_U8,
                                    .kept_rank = 2,
                                    .index_bits = 64,
                                    .group = 256,
                                    .policy.fill_rows.packs_per_item = 2,
                                    .policy.fill_rows.rows_at_once = 2};
    tally_spec_name(&filled_rows, name);
    ck_assert_str_eq(name, "tally_fill_rows_u8_k2_i64_g256_rowsatonce2_packs2");
}
END_TEST

/* ---- Keys ---------------------------------------------------------------------------------- */

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
        {TALLY_FOLD_SHORT_ROWS, "fold_short_rows", TALLY_KIND_FOLD, FOLD_BYTES(3)},
        {TALLY_FOLD_SETS, "fold_sets", TALLY_KIND_FOLD, FOLD_BYTES(3)},
        {TALLY_FOLD_CPU_MAP, "fold_cpu_map", TALLY_KIND_FOLD, FOLD_BYTES(2)},
        {TALLY_FOLD_CPU_ROWS, "fold_cpu_rows", TALLY_KIND_FOLD, FOLD_BYTES(1)},
        {TALLY_FOLD_CPU_SHORT_ROWS, "fold_cpu_short_rows", TALLY_KIND_FOLD, FOLD_BYTES(1)},
        {TALLY_FOLD_CPU_PACKED, "fold_cpu_packed", TALLY_KIND_FOLD, FOLD_BYTES(1)},
        {TALLY_FOLD_CPU_COLUMNS, "fold_cpu_columns", TALLY_KIND_FOLD, FOLD_BYTES(4)},
        {TALLY_FOLD_CPU_SPACED, "fold_cpu_spaced", TALLY_KIND_FOLD, FOLD_BYTES(4)},
        {TALLY_FOLD_CPU_PANEL, "fold_cpu_panel", TALLY_KIND_FOLD, FOLD_BYTES(4)},
        {TALLY_SCAN_ANY, "scan_any", TALLY_KIND_SCAN, SCAN_BYTES(0)},
        {TALLY_SCAN_CARRY, "scan_carry", TALLY_KIND_SCAN, SCAN_BYTES(0)},
        {TALLY_SCAN_SHORT_ROWS, "scan_short_rows", TALLY_KIND_SCAN, SCAN_BYTES(2)},
        {TALLY_SCAN_COLUMNS, "scan_columns", TALLY_KIND_SCAN, SCAN_BYTES(6)},
        {TALLY_SCAN_ROWS, "scan_rows", TALLY_KIND_SCAN, SCAN_BYTES(12)},
        {TALLY_SCAN_CPU_ROWS, "scan_cpu_rows", TALLY_KIND_SCAN, SCAN_BYTES(3)},
        {TALLY_SCAN_CPU_SHORT_ROWS, "scan_cpu_short_rows", TALLY_KIND_SCAN, SCAN_BYTES(1)},
        {TALLY_SCAN_CPU_COLUMNS, "scan_cpu_columns", TALLY_KIND_SCAN, SCAN_BYTES(6)},
        {TALLY_SCAN_STAGED, "scan_staged", TALLY_KIND_SCAN, SCAN_BYTES(5 + 11 * 4)},
        {TALLY_FILL, "fill", TALLY_KIND_FILL, FILL_BYTES(0)},
        {TALLY_FILL_ROWS, "fill_rows", TALLY_KIND_FILL, FILL_BYTES(3)},
        {TALLY_SCAN_CPU_PANEL, "scan_cpu_panel", TALLY_KIND_SCAN, SCAN_BYTES(7 + 8)},
        {TALLY_FILL_PACKS, "fill_packs", TALLY_KIND_FILL, FILL_BYTES(2 * 8 + 6)},
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
    tcase_add_test(tests, each_spec_has_a_name_of_its_own);
    tcase_add_test(tests, a_name_says_every_field);
    tcase_add_test(tests, each_variant_is_of_its_program);
    tcase_add_test(tests, every_byte_of_a_spec_counts);
    tcase_add_test(tests, each_program_has_its_variants);
    tcase_add_test(tests, each_state_has_its_size);
    tcase_add_loop_test(tests, each_schedule_has_its_arguments, 0, TALLY_SCHEDULES);
    tcase_add_test(tests, no_other_number_is_a_schedule);
    suite_add_tcase(suite, tests);
    return suite;
}
