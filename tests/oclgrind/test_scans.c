/*
 * test_scans.c: all kernels of scans, on small problems, for a simulator that watches every access.
 * Each family scans every function of every type, both ways, inclusive and exclusive, and uses
 * every schedule that it has of its own. That the bits are right is checked too.
 */
#include <check.h>
#include <string.h>

#include "api/runtime.h"
#include "schedules.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/reference/order_check.h"

static tally_cumulative make_desc(legal_pair pair, shape sizes, uint32_t axis, uint32_t turn) {
    tally_cumulative desc = shape_scan(pair.function, pair.dtype, sizes, axis);
    desc.descending = turn % 2 != 0;
    desc.exclusive = turn / 2 % 2 != 0;
    return desc;
}

/* ---- Small problems -------------------------------------------------------------------------- */

/*
 * Short rows of one run and of several, longer rows with gaps, columns of a strip and more, columns
 * so few that they lie as one row, and axes that are nested the other way round.
 */
#define LAYOUTS 6
static tally_cumulative make_layout(int layout, legal_pair pair, uint32_t turn) {
    const struct {
        shape sizes;
        uint32_t axis;
    } layouts[LAYOUTS] = {{SHAPE(40, 9), 1},     {SHAPE(3, 300), 1}, {SHAPE(2, 290), 1},
                          {SHAPE(2, 40, 37), 1}, {SHAPE(300, 3), 0}, {SHAPE(45, 40), 0}};
    tally_cumulative desc = make_desc(pair, layouts[layout].sizes, layouts[layout].axis, turn);
    if (layout == 2) {
        shape_pad(&desc.input, 1);
        shape_pad(&desc.output, 2);
    }
    if (layout == 5)
        shape_transpose(&desc.input);
    return desc;
}

/* Two layouts for each pair in turns, all of them for float32's. */
static void check_pairs(tally_runtime *runtime, schedules_used *used) {
    char plan[ORDER_CHECK_PLAN];
    for (int i = 0; i < LEGAL_SCAN_PAIRS; i++) {
        const legal_pair pair = legal_scan_pair(i);
        if (!fixture_has(pair.dtype))
            continue;
        for (int k = 0; k < (pair.dtype == TALLY_F32 ? LAYOUTS : 2); k++) {
            const tally_cumulative desc =
                make_layout((5 * i + k) % LAYOUTS, pair, (uint32_t)(i + k));
            order_check_scan(runtime, &desc, plan);
            schedules_note(used, plan);
        }
    }
}

/* With the part of a plan's words that shows what is meant. */
static void check_one(tally_runtime *runtime, const tally_cumulative *desc, const char *words,
                      schedules_used *used) {
    char plan[ORDER_CHECK_PLAN];
    order_check_scan(runtime, desc, plan);
    ck_assert_msg(strstr(plan, words) != NULL, "not by %s:\n%s", words, plan);
    schedules_note(used, plan);
}

START_TEST(generic_kernels) {
    schedules_used used = SCHEDULES_NONE;
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GENERIC);
    check_pairs(runtime, &used);
    schedules_check(&used, TALLY_KIND_SCAN, TALLY_FAMILY_GENERIC);
    tally_runtime_release(runtime);
}
END_TEST

/* A row that is worth cutting, for a device of several cores. */
static void check_pieces(tally_runtime *runtime, schedules_used *used) {
    const legal_pair pair = {TALLY_SUM, TALLY_I64};
    const uint32_t units = runtime->device.limits.units;
    const tally_cumulative desc = make_desc(pair, SHAPE(1, (1 << 17) + 5000), 1, 0);
    runtime->device.limits.units = 4;
    check_one(runtime, &desc, "pass", used);
    runtime->device.limits.units = units;
}

START_TEST(cpu_kernels) {
    schedules_used used = SCHEDULES_NONE;
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_CPU);
    check_pairs(runtime, &used);
    check_pieces(runtime, &used);
    schedules_check(&used, TALLY_KIND_SCAN, TALLY_FAMILY_CPU);
    tally_runtime_release(runtime);
}
END_TEST

/* ---- For GPUs -------------------------------------------------------------------------------- */

static const legal_pair several[] = {{TALLY_SUM, TALLY_F32}, {TALLY_MULTIPLY, TALLY_F64},
                                     {TALLY_MIN, TALLY_I8},  {TALLY_SUM, TALLY_F16},
                                     {TALLY_MAX, TALLY_U16}, {TALLY_SUM, TALLY_I64}};
#define SEVERAL (sizeof several / sizeof several[0])

/*
 * Rows in several units, of a device of small groups, whose units are small; those of the smallest
 * ones take three launches.
 */
static void check_chains(tally_runtime *runtime, schedules_used *used) {
    const uint64_t group_max = runtime->device.limits.group_max;
    for (uint32_t i = 0; i < SEVERAL; i++) {
        runtime->device.limits.group_max = i % 2 == 0 ? 4 : 16;
        const tally_cumulative desc = make_desc(several[i], SHAPE(2, 2600), 1, i);
        if (fixture_has(several[i].dtype))
            check_one(runtime, &desc, "_two_passes_", used);
    }
    runtime->device.limits.group_max = group_max;
}

/* All pairs, for a device that has more units than boxes: rows of a span and more have groups. */
static void check_pairs_of_many_units(tally_runtime *runtime, schedules_used *used) {
    const uint32_t units = runtime->device.limits.units;
    runtime->device.limits.units = 64;
    check_pairs(runtime, used);
    runtime->device.limits.units = units;
}

/* Rows whose groups read again what is before their units, and columns. */
static void check_single(tally_runtime *runtime, schedules_used *used) {
    static const struct {
        legal_pair pair;
        shape sizes;
    } cases[] = {{{TALLY_SUM, TALLY_F32}, {3, {1, 12320, 1}}},
                 {{TALLY_SUM, TALLY_F16}, {3, {2, 8208, 1}}},
                 {{TALLY_MAX, TALLY_U16}, {3, {1, 8200, 3}}},
                 {{TALLY_SUM, TALLY_I64}, {3, {1, 8208, 1}}}};
    const tally_limits limits = runtime->device.limits;
    runtime->device.limits.units = 64;
    runtime->device.limits.group_max = 256;
    runtime->device.limits.local_bytes = 49152;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = make_desc(cases[i].pair, cases[i].sizes, 1, i);
        check_one(runtime, &desc, "_recompute_", used);
    }
    runtime->device.limits = limits;
}

/* Columns of one run, and so many that they fill the device: work-items go down them alone. */
static void check_whole_spans(tally_runtime *runtime, schedules_used *used) {
    for (uint32_t i = 0; i < SEVERAL; i++) {
        const tally_cumulative desc = make_desc(several[i], SHAPE(2, 12, 80), 1, i);
        if (fixture_has(several[i].dtype))
            check_one(runtime, &desc, "_wholespans", used);
    }
    const legal_pair pair = {TALLY_SUM, TALLY_I64};
    const uint64_t columns =
        UINT64_C(32768) * runtime->device.limits.units; /* two of them in a pack */
    const tally_cumulative many = make_desc(pair, SHAPE(18, columns), 0, 1);
    check_one(runtime, &many, "_wholespans", used);
}

/* Columns that become long rows, by way of local memory, for a device that has enough. */
static void check_staged(tally_runtime *runtime, schedules_used *used) {
    const size_t local_bytes = runtime->device.limits.local_bytes;
    runtime->device.limits.local_bytes = 49152;
    for (uint32_t i = 0; i < SEVERAL; i++) {
        const uint64_t bytes = tally_dtype_size(several[i].dtype);
        const uint64_t columns = bytes < 4 ? 136 / bytes : 35 + i % 2;
        tally_cumulative desc = make_desc(several[i], SHAPE(columns, 1040), 1, i);
        shape_transpose(&desc.input);
        if (fixture_has(several[i].dtype))
            check_one(runtime, &desc, "_results2_", used);
    }
    runtime->device.limits.local_bytes = local_bytes;
}

/* Columns of one run whose terms stay in registers: of 13 terms, which are taken 4 at a time. */
static void check_registers(tally_runtime *runtime, schedules_used *used) {
    const tally_cumulative desc = make_desc(several[1], SHAPE(2, 13, 80), 1, 1);
    if (fixture_has(several[1].dtype))
        check_one(runtime, &desc, "_inregisters1", used);
}

/* Boxes of columns that become rows, of short ones with gaps, and of steps. */
static void check_boxes(tally_runtime *runtime, schedules_used *used) {
    static const struct {
        shape sizes;
        uint32_t axis;
    } layouts[] = {{{2, {50, 40}}, 1}, {{3, {6, 20, 7}}, 1}, {{2, {3, 300}}, 1}};
    for (uint32_t i = 0; i < SEVERAL; i++) {
        tally_cumulative desc = make_desc(several[i], layouts[i % 3].sizes, layouts[i % 3].axis, i);
        if (i % 3 == 0)
            shape_transpose(&desc.output);
        else
            shape_pad(&desc.input, 1);
        if (fixture_has(several[i].dtype))
            check_one(runtime, &desc, "scan_staged", used);
    }
}

/*
 * Lines for a device with so many units that they are cut: one in steps, of five tiles; columns of
 * four; and such whose tiles are enough for the first pass to go over them.
 */
static void check_cut_lines(tally_runtime *runtime, schedules_used *used) {
    static const struct {
        legal_pair pair;
        uint64_t terms, columns, pad;
        uint32_t units, round;
        const char *name;
    } cases[] = {{{TALLY_SUM, TALLY_F32}, 4 * 4096 + 700, 1, 1, 64, 3, "_two_passes_"},
                 {{TALLY_MAX, TALLY_I64}, 3 * 4096 + 20, 8, 0, 64, 2, "scan_columns"},
                 {{TALLY_SUM, TALLY_F32}, 8 * 4096 + 20, 9, 0, 1, 2, "_tiletotals1_"}};
    const uint32_t units = runtime->device.limits.units;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc =
            make_desc(cases[i].pair, SHAPE(cases[i].terms, cases[i].columns), 0, cases[i].round);
        shape_pad(&desc.input, cases[i].pad);
        runtime->device.limits.units = cases[i].units;
        check_one(runtime, &desc, cases[i].name, used);
    }
    runtime->device.limits.units = units;
}

/* Without a single pass, whose trial takes a simulator long, and which races on purpose. */
START_TEST(gpu_kernels) {
    schedules_used used = SCHEDULES_NONE;
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtime->trial.wish = TALLY_SINGLE_PASS_OFF;
    check_pairs_of_many_units(runtime, &used);
    check_chains(runtime, &used);
    check_single(runtime, &used);
    check_whole_spans(runtime, &used);
    check_staged(runtime, &used);
    check_registers(runtime, &used);
    check_boxes(runtime, &used);
    check_cut_lines(runtime, &used);
    schedules_check(&used, TALLY_KIND_SCAN, TALLY_FAMILY_GPU);
    tally_runtime_release(runtime);
}
END_TEST

/* Past a stretch, or not. In a single pass groups read what others write, and are meant to. */
static void check_long(tally_single_pass wish, uint64_t terms, uint64_t wide, const char *words) {
    schedules_used used = SCHEDULES_NONE;
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtime->trial.wish = wish;
    runtime->device.limits.units = wide > 1 ? 64 : runtime->device.limits.units;
    const tally_cumulative desc = make_desc(several[0], SHAPE(1, terms, wide), 1, 0);
    check_one(runtime, &desc, words, &used);
    tally_runtime_release(runtime);
}

START_TEST(two_passes) {
    check_long(TALLY_SINGLE_PASS_OFF, 262144 + 5000, 1, "_spine");
}
END_TEST

START_TEST(single_pass) {
    check_long(TALLY_SINGLE_PASS_ON, 262144 + 5000, 1, "_look_back_runs4_merged1_l5_w8_pass");
    check_long(TALLY_SINGLE_PASS_ON, 30000, 1, "_follow");
    check_long(TALLY_SINGLE_PASS_ON, 5000, 13, "_cs1_l4_w8_pass");
}
END_TEST

/*
 * Few long columns that become rows, of a device whose groups have no room for what all tiles
 * before their own came to: a spine folds what spans come to.
 */
START_TEST(staged_tiles) {
    schedules_used used = SCHEDULES_NONE;
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    tally_cumulative desc = make_desc((legal_pair){TALLY_SUM, TALLY_I64}, SHAPE(16, 4104), 1, 0);
    shape_transpose(&desc.input);
    runtime->trial.wish = TALLY_SINGLE_PASS_OFF;
    runtime->device.limits.units = 64;
    runtime->device.limits.local_bytes = 35000;
    check_one(runtime, &desc, "_results2_p8_tileparts1_l2_w8_apply", &used);
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_scans(void);
Suite *suite_scans(void) {
    Suite *suite = suite_create("scans");
    schedules_add_case(suite, "generic", generic_kernels);
    schedules_add_case(suite, "gpu", gpu_kernels);
    schedules_add_case(suite, "cpu", cpu_kernels);
    schedules_add_case(suite, "staged_tiles", staged_tiles);
    schedules_add_case(suite, "two_passes", two_passes);
    schedules_add_case(suite, "single_pass", single_pass);
    return suite;
}
