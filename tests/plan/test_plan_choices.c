/*
 * Which schedule is chosen where. The choices are the planners' to change; a test here says that
 * they were made on purpose.
 */
#include "plan/plan.h"

#include <stdlib.h>

#include <check.h>

#include "support/shape.h"

static const tally_limits gpu = {.group_max = 256,
                                 .local_bytes = 32768,
                                 .units = 16,
                                 .address_bits = 64,
                                 .family = TALLY_FAMILY_GPU,
                                 .word_bytes = 8,
                                 .has_f64 = true};
static const tally_limits cpu = {.group_max = 4096,
                                 .local_bytes = 32768,
                                 .units = 8,
                                 .address_bits = 64,
                                 .family = TALLY_FAMILY_CPU,
                                 .has_f64 = true};

/* Too small for the groups that move 16 bytes for each work-item. */
static const tally_limits narrow = {.group_max = 128,
                                    .local_bytes = 32768,
                                    .units = 16,
                                    .address_bits = 64,
                                    .family = TALLY_FAMILY_GPU,
                                    .word_bytes = 8,
                                    .has_f64 = true};

static tally_plan plan_reduce(const tally_reduce *desc, const tally_limits *limits) {
    tally_plan plan;
    tally_problem problem;
    ck_assert_int_eq(tally_problem_reduce(desc, &problem, NULL), TALLY_OK);
    ck_assert_int_eq(tally_plan_make(&problem, limits, &plan, NULL), TALLY_OK);
    return plan;
}

static tally_plan plan_scan(const tally_cumulative *desc, const tally_limits *limits) {
    tally_plan plan;
    tally_problem problem;
    ck_assert_int_eq(tally_problem_cumulative(desc, &problem, NULL), TALLY_OK);
    ck_assert_int_eq(tally_plan_make(&problem, limits, &plan, NULL), TALLY_OK);
    return plan;
}

static tally_schedule first_schedule(const tally_reduce *desc, const tally_limits *limits) {
    return (tally_schedule)plan_reduce(desc, limits).step[0].spec.schedule;
}

/* Neighbours side by side need no team, if there are enough of them. */
START_TEST(columns_are_folded_by_items_where_there_are_enough) {
    const uint64_t enough = 16 * 1024;
    for (uint64_t columns = enough - 1; columns <= enough; columns++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(100, columns), 1);
        ck_assert_int_eq(first_schedule(&desc, &narrow),
                         columns < enough ? TALLY_FOLD_TEAM : TALLY_FOLD_ITEM);
        ck_assert_int_eq(first_schedule(&desc, &gpu), TALLY_FOLD_COLUMNS);
        ck_assert_int_eq(first_schedule(&desc, &cpu), TALLY_FOLD_CPU_COLUMNS);
    }
}
END_TEST

START_TEST(short_rows_are_folded_by_items) {
    for (uint64_t terms = 63; terms <= 64; terms++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(1000000, terms), 2);
        ck_assert_int_eq(first_schedule(&desc, &narrow),
                         terms < 64 ? TALLY_FOLD_ITEM : TALLY_FOLD_TEAM);
    }
}
END_TEST

/* Up to a lane for each term, if there is nothing between the rows. */
START_TEST(short_rows_are_folded_by_tiles) {
    for (uint64_t terms = 2; terms <= 129; terms++) {
        tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(1000, terms), 2);
        ck_assert_int_eq(first_schedule(&desc, &gpu),
                         terms <= 128 ? TALLY_FOLD_TILE : TALLY_FOLD_ROWS);
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = terms + 1;
        desc.input.stride[1] = 1;
        ck_assert_int_eq(first_schedule(&desc, &gpu), terms < 64    ? TALLY_FOLD_ITEM
                                                      : terms < 128 ? TALLY_FOLD_TEAM
                                                                    : TALLY_FOLD_ROWS);
    }
}
END_TEST

/* Columns side by side, but elements between a row of them and the next. */
static void space_rows(tally_tensor *tensor, uint64_t gap) {
    tensor->flags |= TALLY_STRIDED;
    tensor->stride[2] = 1;
    tensor->stride[1] = tensor->size[2] + gap;
    tensor->stride[0] = tensor->size[1] * tensor->stride[1];
}

/* Packed, whole packs of them, 64 bytes at most, and short. */
START_TEST(low_columns_are_folded_by_tiles) {
    static const struct {
        tally_dtype type;
        uint64_t terms, columns;
        bool low;
    } cases[] = {{TALLY_F32, 2, 4, true},   {TALLY_F32, 128, 8, true}, {TALLY_F32, 129, 4, false},
                 {TALLY_F32, 20, 3, false}, {TALLY_F32, 20, 6, false}, {TALLY_F32, 20, 20, false},
                 {TALLY_F16, 20, 8, true},  {TALLY_F16, 20, 16, true}, {TALLY_F16, 20, 4, false},
                 {TALLY_I8, 20, 32, true},  {TALLY_I8, 20, 8, false},  {TALLY_F64, 20, 2, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_reduce desc =
            shape_reduce(TALLY_MAX, cases[i].type, SHAPE(50, cases[i].terms, cases[i].columns), 2);
        ck_assert_int_eq(first_schedule(&desc, &gpu),
                         cases[i].low ? TALLY_FOLD_LOW : TALLY_FOLD_COLUMNS);
        space_rows(&desc.input, 3);
        ck_assert_int_eq(first_schedule(&desc, &gpu), TALLY_FOLD_COLUMNS);
    }
}
END_TEST

/* Rows of so few columns that a pack holds several are loaded together, if it holds nothing else.
 */
START_TEST(few_columns_are_folded_several_rows_at_a_time) {
    static const struct {
        tally_dtype type;
        uint64_t columns;
        uint32_t stack;
    } cases[] = {{TALLY_F32, 2, 2}, {TALLY_F32, 3, 1}, {TALLY_F16, 2, 2}, {TALLY_I8, 2, 4},
                 {TALLY_I8, 4, 2},  {TALLY_I8, 5, 1},  {TALLY_I16, 3, 1}, {TALLY_F64, 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_reduce desc =
            shape_reduce(TALLY_MAX, cases[i].type, SHAPE(50, 200, cases[i].columns), 2);
        ck_assert_int_eq(first_schedule(&desc, &gpu), TALLY_FOLD_COLUMNS);
        ck_assert_uint_eq(plan_reduce(&desc, &gpu).step[0].spec.stack, cases[i].stack);
        space_rows(&desc.input, 1);
        ck_assert_uint_eq(plan_reduce(&desc, &gpu).step[0].spec.stack, 1);
    }
}
END_TEST

/* Rows, tiles and columns, and what takes their place where a device is too small for them. */
START_TEST(wide_groups_need_room) {
    static const struct {
        shape sizes;
        uint32_t axes;
        tally_schedule wide, other, cpu;
    } cases[] = {
        {{1, {10000}}, 1, TALLY_FOLD_ROWS, TALLY_FOLD_TEAM, TALLY_FOLD_CPU_ROWS},
        {{2, {1000, 20}}, 2, TALLY_FOLD_TILE, TALLY_FOLD_ITEM, TALLY_FOLD_CPU_TILE},
        {{2, {1000, 20}}, 1, TALLY_FOLD_COLUMNS, TALLY_FOLD_TEAM, TALLY_FOLD_CPU_SLAB},
        {{3, {5, 20, 20}}, 2, TALLY_FOLD_COLUMNS, TALLY_FOLD_ITEM, TALLY_FOLD_CPU_SLAB},
        {{2, {1000, 100}}, 1, TALLY_FOLD_COLUMNS, TALLY_FOLD_TEAM, TALLY_FOLD_CPU_COLUMNS},
        /* one group of two */
        {{4, {300, 3, 300, 3}}, 5, TALLY_FOLD_COLUMNS, TALLY_FOLD_TEAM, TALLY_FOLD_CPU_SLAB},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, cases[i].sizes, cases[i].axes);
        const tally_limits few_items = {.group_max = 255,
                                        .local_bytes = 32768,
                                        .units = 16,
                                        .address_bits = 64,
                                        .family = TALLY_FAMILY_GPU,
                                        .word_bytes = 8,
                                        .has_f64 = true};
        const tally_limits little_memory = {.group_max = 256,
                                            .local_bytes = 32767,
                                            .units = 16,
                                            .address_bits = 64,
                                            .family = TALLY_FAMILY_GPU,
                                            .word_bytes = 8,
                                            .has_f64 = true};
        ck_assert_int_eq(first_schedule(&desc, &gpu), cases[i].wide);
        ck_assert_int_eq(first_schedule(&desc, &few_items), cases[i].other);
        ck_assert_int_eq(first_schedule(&desc, &little_memory), cases[i].other);
        ck_assert_int_eq(first_schedule(&desc, &cpu), cases[i].cpu);
    }
}
END_TEST

/* What each family makes of a device that has room for all of them. */
START_TEST(a_family_is_kept_to) {
    static const struct {
        shape sizes;
        uint32_t axes;
        tally_schedule generic, gpu, cpu;
    } cases[] = {
        {{1, {10000}}, 1, TALLY_FOLD_TEAM, TALLY_FOLD_ROWS, TALLY_FOLD_CPU_ROWS},
        {{2, {1000, 20}}, 2, TALLY_FOLD_ITEM, TALLY_FOLD_TILE, TALLY_FOLD_CPU_TILE},
        {{2, {1000, 20}}, 1, TALLY_FOLD_TEAM, TALLY_FOLD_COLUMNS, TALLY_FOLD_CPU_SLAB},
        {{3, {5, 20, 20}}, 2, TALLY_FOLD_ITEM, TALLY_FOLD_COLUMNS, TALLY_FOLD_CPU_SLAB},
    };
    tally_limits limits = gpu;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, cases[i].sizes, cases[i].axes);
        limits.family = TALLY_FAMILY_GENERIC;
        ck_assert_int_eq(first_schedule(&desc, &limits), cases[i].generic);
        limits.family = TALLY_FAMILY_GPU;
        ck_assert_int_eq(first_schedule(&desc, &limits), cases[i].gpu);
        limits.family = TALLY_FAMILY_CPU;
        ck_assert_int_eq(first_schedule(&desc, &limits), cases[i].cpu);
    }
}
END_TEST

/* A scan has its own planner: few long rows go to groups, but not in the family for CPUs. */
START_TEST(a_scan_keeps_to_its_family) {
    static const tally_schedule wanted[] = {[TALLY_FAMILY_GENERIC] = TALLY_SCAN_TEAM,
                                            [TALLY_FAMILY_GPU] = TALLY_SCAN_ROWS,
                                            [TALLY_FAMILY_CPU] = TALLY_SCAN_CPU_ROWS};
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3, 5000), 1);
    for (int family = TALLY_FAMILY_GENERIC; family <= TALLY_FAMILY_CPU; family++) {
        tally_limits limits = gpu;
        limits.family = (tally_family)family;
        ck_assert_int_eq(plan_scan(&desc, &limits).step[0].spec.schedule, wanted[family]);
    }
}
END_TEST

static tally_step scan_step(const tally_cumulative *desc, const tally_limits *limits) {
    return plan_scan(desc, limits).step[0];
}

/* As long as a tile has room for two, on a device that has room for the group. */
START_TEST(short_packed_rows_are_scanned_by_tiles) {
    static const struct {
        tally_dtype type;
        uint64_t terms;
        bool tile;
    } cases[] = {{TALLY_F32, 1, false},   {TALLY_F32, 2, true},    {TALLY_F32, 16, true},
                 {TALLY_F32, 100, true},  {TALLY_F32, 2048, true}, {TALLY_F32, 2049, false},
                 {TALLY_F16, 2048, true}, {TALLY_I8, 2049, false}, {TALLY_F64, 1024, true},
                 {TALLY_F64, 1025, false}};
    const tally_limits little_memory = {.group_max = 256,
                                        .local_bytes = 32767,
                                        .units = 16,
                                        .address_bits = 64,
                                        .family = TALLY_FAMILY_GPU,
                                        .word_bytes = 8,
                                        .has_f64 = true};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc =
            shape_scan(TALLY_MAX, cases[i].type, SHAPE(2000, cases[i].terms), 1);
        ck_assert_int_eq(scan_step(&desc, &gpu).spec.schedule == TALLY_SCAN_TILE, cases[i].tile);
        ck_assert_int_ne(scan_step(&desc, &narrow).spec.schedule, TALLY_SCAN_TILE);
        ck_assert_int_ne(scan_step(&desc, &little_memory).spec.schedule, TALLY_SCAN_TILE);
        ck_assert_int_ne(scan_step(&desc, &cpu).spec.schedule, TALLY_SCAN_TILE);
        shape_pad(&desc.output, 1);
        ck_assert_int_ne(scan_step(&desc, &gpu).spec.schedule, TALLY_SCAN_TILE);
        desc = shape_scan(TALLY_MAX, cases[i].type, SHAPE(2000, cases[i].terms), 1);
        shape_pad(&desc.input, 1);
        ck_assert_int_ne(scan_step(&desc, &gpu).spec.schedule, TALLY_SCAN_TILE);
    }
}
END_TEST

/* Columns of a sector at least; a work-item is alone with a run, or where there are very many. */
START_TEST(columns_are_scanned_by_strips) {
    static const struct {
        shape sizes;
        tally_dtype type;
        tally_schedule schedule;
        uint32_t lone, across, slices, group, slots;
    } cases[] = {
        {{2, {1000, 7}}, TALLY_F32, TALLY_SCAN_ROWS, 0, 0, 0, 32, 0},
        {{2, {1000, 8}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 2, 16, 64, 2},
        {{2, {1000, 15}}, TALLY_F16, TALLY_SCAN_ROWS, 0, 0, 0, 32, 0},
        {{2, {1000, 16}}, TALLY_F16, TALLY_SCAN_COLUMNS, 0, 4, 16, 64, 1},
        {{2, {1000, 4096}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 16, 16, 256, 1},
        {{2, {1000, 1024}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 16, 16, 256, 1},
        {{2, {1000, 1000}}, TALLY_F64, TALLY_SCAN_COLUMNS, 0, 16, 16, 256, 1},
        {{2, {40, 4096}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 16, 3, 128, 2},
        {{2, {16, 4096}}, TALLY_F32, TALLY_SCAN_COLUMNS, 1, 16, 1, 64, 4},
        {{2, {64, 300000}}, TALLY_F32, TALLY_SCAN_COLUMNS, 1, 16, 1, 128, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, cases[i].type, cases[i].sizes, 0);
        const tally_plan plan = plan_scan(&desc, &gpu);
        const tally_scan_args *args = &plan.step[0].args.scan;
        ck_assert_int_eq(plan.step[0].spec.schedule, cases[i].schedule);
        ck_assert_uint_eq(plan.step[0].spec.lone, cases[i].lone);
        ck_assert_uint_eq(args->across, cases[i].across);
        ck_assert_uint_eq(args->slices, cases[i].slices);
        ck_assert_uint_eq(plan.step[0].spec.group, cases[i].group);
        ck_assert_uint_eq(plan.step[0].slots, cases[i].slots);
        ck_assert_int_ne(plan_scan(&desc, &narrow).step[0].spec.schedule, TALLY_SCAN_COLUMNS);
        ck_assert_int_ne(plan_scan(&desc, &cpu).step[0].spec.schedule, TALLY_SCAN_COLUMNS);
    }
}
END_TEST

/* Rows, short rows and columns; fewer columns than a vector if nothing lies between their rows. */
START_TEST(scans_on_cpus_are_chosen_by_layout) {
    static const struct {
        shape sizes;
        uint32_t axis;
        tally_dtype type;
        uint64_t gap;
        tally_schedule wanted;
    } cases[] = {
        {{3, {3, 2, 5000}}, 2, TALLY_F32, 0, TALLY_SCAN_CPU_ROWS},
        {{3, {3, 2, 129}}, 2, TALLY_F32, 3, TALLY_SCAN_CPU_ROWS},
        {{3, {3, 2, 128}}, 2, TALLY_F64, 3, TALLY_SCAN_CPU_TILE},
        {{3, {3, 50, 1}}, 2, TALLY_F32, 0, TALLY_SCAN_CPU_TILE},
        {{3, {3, 50, 40}}, 1, TALLY_F32, 0, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 50, 8}}, 1, TALLY_F16, 1, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 50, 7}}, 1, TALLY_F16, 1, TALLY_SCAN_ITEM},
        {{3, {3, 50, 7}}, 1, TALLY_F16, 0, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 50, 4}}, 1, TALLY_F64, 1, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 50, 3}}, 1, TALLY_F64, 1, TALLY_SCAN_ITEM},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc =
            shape_scan(TALLY_SUM, cases[i / 2].type, cases[i / 2].sizes, cases[i / 2].axis);
        space_rows(&desc.input, cases[i / 2].gap);
        desc.descending = i % 2 != 0;
        ck_assert_int_eq(scan_step(&desc, &cpu).spec.schedule, cases[i / 2].wanted);
        desc.input.stride[2] = 2;
        desc.input.stride[1] *= 2;
        ck_assert_int_eq(scan_step(&desc, &cpu).spec.schedule, TALLY_SCAN_ITEM);
    }
}
END_TEST

/* A larger group where it holds more of them: 44 runs twice in 128 and five times in 256. */
START_TEST(a_scanned_tile_wastes_few_runs) {
    static const uint64_t cases[][3] = {{100, 128, 18}, {1000, 128, 2}, {700, 256, 5},
                                        {2048, 256, 2}, {16, 128, 128}, {2, 128, 1024}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(2000, cases[i][0]), 1);
        const tally_step step = scan_step(&desc, &gpu);
        ck_assert_uint_eq(step.spec.group, cases[i][1]);
        ck_assert_uint_eq(step.args.scan.across, cases[i][2]);
    }
}
END_TEST

/* Columns that become rows, where there are as many as a vector has. */
START_TEST(columns_of_scans_may_become_rows_on_cpus) {
    for (uint64_t columns = 7; columns <= 8; columns++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(columns, 50), 1);
        shape_transpose(&desc.input);
        const tally_step step = scan_step(&desc, &cpu);
        ck_assert_int_eq(step.spec.schedule,
                         columns == 8 ? TALLY_SCAN_CPU_COLUMNS : TALLY_SCAN_ITEM);
        ck_assert_uint_eq(step.spec.stack, columns == 8);
    }
}
END_TEST

/* Columns of the input, whatever becomes of them: the axis of stride 1 is moved inward. */
START_TEST(columns_are_found_among_the_axes) {
    tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(30, 20, 40), 2);
    ck_assert_int_ne(plan_scan(&desc, &gpu).step[0].spec.schedule, TALLY_SCAN_COLUMNS);
    shape_transpose(&desc.input);
    const tally_plan plan = plan_scan(&desc, &gpu);
    const tally_scan_args *args = &plan.step[0].args.scan;
    ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_SCAN_COLUMNS);
    ck_assert_uint_eq(plan.step[0].spec.stack, 1);
    ck_assert_uint_eq(args->columns, 30);
    ck_assert_uint_eq(args->kept_in[1], 1);
    ck_assert_uint_eq(args->kept_out[1], 800);
    ck_assert_uint_eq(args->kept_in[0], 30);
    ck_assert_uint_eq(args->kept_out[0], 40);
}
END_TEST

/* Strips are narrow where there would be too few for the cores. */
START_TEST(strips_of_scans_keep_the_cores_busy) {
    static const uint64_t wanted[][2] = {{100000, 1024}, {4000, 128}, {1000, 32}, {64, 32}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(500, wanted[i][0]), 0);
        const tally_step step = scan_step(&desc, &cpu);
        ck_assert_uint_eq(step.args.scan.across, wanted[i][1]);
        ck_assert_uint_eq(step.args.head.units, wanted[i][0] / wanted[i][1]);
    }
}
END_TEST

/*
 * 16 compute units are busy with 64 rows; fewer are spread if they have more than two units each,
 * in two launches as long as no stretch is before another.
 */
START_TEST(few_long_rows_are_scanned_by_chains) {
    static const struct {
        uint64_t rows, terms;
        bool chain;
    } cases[] = {{1, 5000, false},   {63, 8192, false},  {63, 8193, true},      {63, 1 << 18, true},
                 {64, 65537, false}, {1, 1 << 24, true}, {1000, 1 << 20, false}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const uint64_t rows = cases[i / 2].rows, terms = cases[i / 2].terms;
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(rows, terms), 1);
        tally_limits limits = gpu;
        limits.single_pass = i % 2 != 0;
        const tally_plan plan = plan_scan(&desc, &limits);
        const tally_schedule wanted = cases[i / 2].chain ? TALLY_SCAN_CHAIN : TALLY_SCAN_ROWS;
        ck_assert_int_eq(plan.step[0].spec.schedule, wanted);
        ck_assert_uint_eq(plan.count, !cases[i / 2].chain  ? 1
                                      : terms <= 1 << 18   ? 2
                                      : limits.single_pass ? 4
                                                           : 3);
        ck_assert_uint_eq(plan.step[0].spec.group, 64);
        ck_assert_uint_eq(plan.step[0].spec.each, 4);
        ck_assert_int_ne(scan_step(&desc, &cpu).spec.schedule, wanted);
    }
}
END_TEST

/* Tickets have 32 bits: of more units than that a group walks the row. */
START_TEST(chains_have_no_more_units_than_tickets) {
    tally_limits small = gpu;
    small.group_max = 4; /* units of 256 terms */
    for (uint64_t bits = 36; bits <= 40; bits += 4) {
        const tally_cumulative desc =
            shape_scan(TALLY_SUM, TALLY_F32, SHAPE(UINT64_C(1) << bits), 0);
        ck_assert_int_eq(scan_step(&desc, &gpu).spec.schedule, TALLY_SCAN_CHAIN);
        ck_assert_int_eq(scan_step(&desc, &small).spec.schedule,
                         bits == 36 ? TALLY_SCAN_CHAIN : TALLY_SCAN_ROWS);
    }
}
END_TEST

/* As if they were a row, if nothing is between them; rows with something between them as well. */
START_TEST(few_packed_columns_are_scanned_as_rows) {
    for (uint64_t columns = 2; columns <= 8; columns++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5, 300, columns), 1);
        const tally_step step = scan_step(&desc, &gpu);
        ck_assert_int_eq(step.spec.schedule, columns < 8 ? TALLY_SCAN_ROWS : TALLY_SCAN_COLUMNS);
        ck_assert_uint_eq(step.spec.stack, columns < 8 ? columns : 0);
        ck_assert_uint_eq(step.args.scan.rows, columns < 8 ? 5 : 5 * columns);
        space_rows(&desc.output, 1);
        ck_assert_int_ne(scan_step(&desc, &gpu).spec.schedule, TALLY_SCAN_ROWS);
    }
    for (uint64_t terms = 255; terms <= 256; terms++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5, terms), 1);
        shape_pad(&desc.input, 0);
        desc.input.stride[0] += 3;
        ck_assert_int_eq(scan_step(&desc, &gpu).spec.schedule,
                         terms < 256 ? TALLY_SCAN_TEAM : TALLY_SCAN_ROWS);
    }
}
END_TEST

/* A unit is as large as the device has room for, and never less than a span. */
START_TEST(scanned_units_need_room) {
    static const struct {
        uint64_t group_max, local_bytes;
        uint32_t columns, group; /* 0: a schedule that serves any device */
    } cases[] = {{64, 32768, 1, 64}, {63, 32768, 1, 32}, {4, 32768, 1, 4},
                 {3, 32768, 1, 0},   {64, 16384, 1, 32}, {64, 1024, 1, 0},
                 {64, 32768, 7, 32}, {16, 32768, 7, 16}, {15, 32768, 7, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t columns = cases[i].columns;
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(9000, columns), 0);
        tally_limits limits = gpu;
        limits.group_max = cases[i].group_max;
        limits.local_bytes = cases[i].local_bytes;
        const tally_step step = scan_step(&desc, &limits);
        const bool units =
            step.spec.schedule == TALLY_SCAN_ROWS || step.spec.schedule == TALLY_SCAN_CHAIN;
        ck_assert_int_eq(units, cases[i].group != 0);
        if (units)
            ck_assert_uint_eq(step.spec.group, cases[i].group);
    }
}
END_TEST

/* Later launches read states. */
START_TEST(only_the_first_launch_is_wide) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 4096 * 200), 2);
    const tally_plan plan = plan_reduce(&desc, &gpu);
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_ROWS);
    ck_assert_int_eq(plan.step[1].spec.schedule, TALLY_FOLD_TEAM);
}
END_TEST

START_TEST(a_team_is_as_large_as_the_device_allows) {
    static const uint32_t sizes[][2] = {{1, 1},    {2, 2},    {3, 2},     {7, 4},     {64, 64},
                                        {100, 64}, {127, 64}, {128, 128}, {129, 128}, {4096, 128}};
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(10000), 1);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tally_limits limits = gpu;
        limits.local_bytes = 16384; /* else wide groups do it */
        limits.group_max = sizes[i][0];
        ck_assert_uint_eq(plan_reduce(&desc, &limits).step[0].group, sizes[i][1]);
    }
}
END_TEST

/* Rows of which there are many are not: their blocks keep all groups busy, and then their states.
 */
START_TEST(only_few_rows_of_elements_are_folded_whole) {
    const tally_limits large = {.group_max = 1024,
                                .local_bytes = 49152,
                                .units = 16,
                                .address_bits = 64,
                                .family = TALLY_FAMILY_GPU,
                                .word_bytes = 8,
                                .has_f64 = true};
    for (uint64_t rows = 4; rows <= 5; rows++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(rows, 65536), 2);
        const tally_plan plan = plan_reduce(&desc, &large);
        ck_assert_int_eq(plan.step[0].spec.schedule,
                         rows == 4 ? TALLY_FOLD_WHOLE : TALLY_FOLD_ROWS);
    }
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 4096 * 5000), 2);
    const tally_plan plan = plan_reduce(&desc, &large);
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_int_eq(plan.step[1].spec.schedule, TALLY_FOLD_WHOLE);
    ck_assert_uint_eq(plan.step[1].args.fold.across, 2);
}
END_TEST

Suite *suite_plan_choices(void) {
    Suite *suite = suite_create("plan_choices");
    TCase *tests = tcase_create("plan_choices");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, columns_are_folded_by_items_where_there_are_enough);
    tcase_add_test(tests, short_rows_are_folded_by_items);
    tcase_add_test(tests, short_rows_are_folded_by_tiles);
    tcase_add_test(tests, low_columns_are_folded_by_tiles);
    tcase_add_test(tests, few_columns_are_folded_several_rows_at_a_time);
    tcase_add_test(tests, wide_groups_need_room);
    tcase_add_test(tests, a_family_is_kept_to);
    tcase_add_test(tests, a_scan_keeps_to_its_family);
    tcase_add_test(tests, short_packed_rows_are_scanned_by_tiles);
    tcase_add_test(tests, a_scanned_tile_wastes_few_runs);
    tcase_add_test(tests, columns_are_scanned_by_strips);
    tcase_add_test(tests, columns_are_found_among_the_axes);
    tcase_add_test(tests, scans_on_cpus_are_chosen_by_layout);
    tcase_add_test(tests, columns_of_scans_may_become_rows_on_cpus);
    tcase_add_test(tests, strips_of_scans_keep_the_cores_busy);
    tcase_add_test(tests, few_long_rows_are_scanned_by_chains);
    tcase_add_test(tests, chains_have_no_more_units_than_tickets);
    tcase_add_test(tests, few_packed_columns_are_scanned_as_rows);
    tcase_add_test(tests, scanned_units_need_room);
    tcase_add_test(tests, only_the_first_launch_is_wide);
    tcase_add_test(tests, a_team_is_as_large_as_the_device_allows);
    tcase_add_test(tests, only_few_rows_of_elements_are_folded_whole);
    suite_add_tcase(suite, tests);
    return suite;
}
