/*
 * Plans for devices that nobody has and for tensors beyond all memory: whatever the limits and the
 * sizes, a plan keeps the rules of support/rules/rules.h, and its decisions about the bits are the
 * same for all devices.
 */
#include "plan/plan.h"

#include <string.h>

#include <check.h>

#include "support/descriptions/describe.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/numbers/values.h"
#include "support/plans/check.h"
#include "support/plans/devices.h"
#include "support/rules/parts.h"
#include "support/share.h"

/*
 * One problem on every so-many-th device, from one of the first on. A share has a quarter of the
 * problems, by the high bits of a product, which follows no loop of the callers.
 */
static void sweep(const text *desc, const tally_problem *problem, uint32_t first, uint32_t step) {
    static tally_plan plan;
    static uint32_t turn;
    if (!share_has(turn++ * 2654435761u >> 30, 4))
        return;
    for (uint32_t i = first; i < plan_devices_count(); i += step) {
        const tally_limits limits = plan_devices_at(i);
        plan_check(desc, problem, &limits, &plan);
    }
}

/* ---- Random problems ----------------------------------------------------------------------- */

static const random_kind large = {UINT64_C(1) << 40, 5, true};

static bool random_fold_problem(uint64_t *state, tally_problem *problem, text *out) {
    tally_reduce desc;
    random_reduce(&large, state, &desc);
    describe_reduce(out, &desc);
    return tally_problem_reduce(&desc, problem, NULL) == TALLY_OK;
}

static bool random_scan_problem(uint64_t *state, tally_problem *problem, text *out) {
    tally_cumulative desc;
    random_cumulative(&large, state, &desc);
    describe_cumulative(out, &desc);
    return tally_problem_cumulative(&desc, problem, NULL) == TALLY_OK;
}

static bool random_fill_problem(uint64_t *state, tally_problem *problem, text *out) {
    tally_tensor input;
    tally_diagonal desc;
    random_diagonal(&large, state, &desc, &input);
    describe_diagonal(out, &desc);
    return tally_problem_diagonal(&desc, problem, NULL) == TALLY_OK;
}

typedef bool (*random_problem)(uint64_t *state, tally_problem *problem, text *out);
static const random_problem kinds[] = {random_fold_problem, random_scan_problem,
                                       random_fill_problem};

START_TEST(any_plan_keeps_the_rules_on_any_device) {
    static text out;
    uint64_t state = 51 + (uint64_t)_i;
    int planned = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        tally_problem problem;
        out.length = 0;
        if (!kinds[_i](&state, &problem, &out))
            continue; /* strides that reach beyond 2^63 bytes */
        sweep(&out, &problem, i % 11, i % 64 == 0 ? 1 : 11);
        planned++;
    }
    ck_assert_int_gt(planned, 2900);
}
END_TEST

/* ---- Sizes around the edges ---------------------------------------------------------------- */

static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 63,
                                 64,
                                 65,
                                 127,
                                 128,
                                 129,
                                 4095,
                                 4096,
                                 4097,
                                 65521,
                                 16777215,
                                 16777216,
                                 16777217,
                                 UINT64_C(68719476735),
                                 UINT64_C(68719476736),
                                 UINT64_C(68719476737),
                                 INT32_MAX,
                                 UINT64_C(1) << 31,
                                 UINT32_MAX,
                                 UINT64_C(1) << 32,
                                 UINT64_C(4294967311)};
#define EDGES (sizeof edges / sizeof edges[0])

static const legal_pair pairs[] = {
    {TALLY_SUM, TALLY_F32},         {TALLY_AVERAGE, TALLY_F16}, {TALLY_ARGMAX, TALLY_I8},
    {TALLY_LOG_SUM_EXP, TALLY_F64}, {TALLY_MIN, TALLY_U16},     {TALLY_SUM_SQUARE, TALLY_I64},
};
#define PAIRS ((int)(sizeof pairs / sizeof pairs[0]))

/* outer x swept x inner, the middle axis swept: rows, columns and all between. */
START_TEST(folds_of_edge_sizes_keep_the_rules) {
    static text out;
    const legal_pair it = pairs[_i];
    for (size_t i = 0; i < EDGES * EDGES * EDGES; i++) {
        const shape sizes =
            SHAPE(edges[i / EDGES / EDGES], edges[i / EDGES % EDGES], edges[i % EDGES]);
        tally_reduce desc = shape_reduce(it.function, it.dtype, sizes, 2);
        tally_problem problem;
        desc.output.dtype = it.function == TALLY_ARGMAX ? TALLY_U64 : it.dtype;
        if (tally_problem_reduce(&desc, &problem, NULL) != TALLY_OK)
            continue; /* beyond 2^63, or an index into nothing */
        out.length = 0;
        describe_reduce(&out, &desc);
        sweep(&out, &problem, (uint32_t)(i % 61), 61);
    }
}
END_TEST

START_TEST(scans_of_edge_sizes_keep_the_rules) {
    static text out;
    const legal_pair it = {_i == 0 ? TALLY_SUM : TALLY_MAX, _i == 0 ? TALLY_F32 : TALLY_U8};
    for (size_t i = 0; i < EDGES * EDGES * EDGES; i++) {
        const shape sizes =
            SHAPE(edges[i / EDGES / EDGES], edges[i / EDGES % EDGES], edges[i % EDGES]);
        tally_cumulative desc = shape_scan(it.function, it.dtype, sizes, 1);
        tally_problem problem;
        desc.descending = i % 2 == 0;
        if (tally_problem_cumulative(&desc, &problem, NULL) != TALLY_OK)
            continue;
        out.length = 0;
        describe_cumulative(&out, &desc);
        sweep(&out, &problem, (uint32_t)(i % 61), 61);
    }
}
END_TEST

/* The most launches there can be: terms just over powers of 4096, in one to four groups. */
START_TEST(the_longest_plans_have_room) {
    static const struct {
        shape sizes;
        uint32_t axes, steps;
    } cases[] = {
        {{1, {UINT64_C(1) << 62}}, 1, 6},
        {{1, {(UINT64_C(1) << 60) + 1}}, 1, 6},
        {{3, {(1 << 24) + 1, 2, (UINT64_C(1) << 36) + 1}}, 5, 7},
        {{5, {4097, 2, 4097, 2, (UINT64_C(1) << 36) + 1}}, 0x15, 8},
        {{7, {4097, 2, 4097, 2, 4097, 2, 4097}}, 0x55, 8},
        {{7, {2, 2, 2, 2, 2, 2, 2}}, 0x55, 4},
    };
    static tally_plan plan;
    tally_problem problem;
    text out = {"", 0};
    tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_I64, cases[_i].sizes, cases[_i].axes);
    shape_repeat(&desc.input, 0xFF);
    describe_reduce(&out, &desc);
    ck_assert_int_eq(tally_problem_reduce(&desc, &problem, NULL), TALLY_OK);
    sweep(&out, &problem, 0, 1);
    const tally_limits limits = plan_devices_at(0);
    ck_assert(plan_check(&out, &problem, &limits, &plan));
    ck_assert_uint_eq(plan.count, cases[_i].steps);
}
END_TEST

/* ---- The same on every device -------------------------------------------------------------- */

/*
 * A plan's folds without the fill that repeats their results, if it has one, as if it did not:
 * outputs are as many as they stand for.
 */
static void unroll_repeats(tally_plan *plan) {
    const tally_step fill = plan->step[plan->count - 1];
    uint64_t repeats = 1;
    if (tally_schedule_find(fill.spec.schedule)->kind != TALLY_KIND_FILL || plan->count == 1)
        return;
    for (uint32_t k = 0; k < fill.spec.kept_rank; k++)
        repeats *= fill.args.fill.kept_in[k] == 0 ? fill.args.fill.kept_size[k] : 1;
    plan->count--;
    for (uint32_t i = 0; i < plan->count; i++)
        plan->step[i].args.fold.outputs *= repeats;
}

/* What a step says of the order: which terms are combined. */
static bool same_terms(const tally_step *a, const tally_step *b) {
    const tally_fold_args *x = &a->args.fold, *y = &b->args.fold;
    return x->outputs == y->outputs && x->terms == y->terms && x->count == y->count &&
           x->index_scale == y->index_scale;
}

/* Whether a folds one after the other, from its i-th launch on, the groups that the step folds. */
static bool same_groups(const tally_plan *a, const tally_step *step, uint32_t *i) {
    const tally_u64 *nest = step->args.fold.nest;
    for (uint32_t g = 0; g < TALLY_NEST && (g == 0 || nest[g] > 1); g++, ++*i)
        if (*i >= a->count || a->step[*i].args.fold.terms != nest[g] ||
            a->step[*i].args.fold.blocks != 1)
            return false;
    --*i;
    return a->step[*i].args.fold.outputs == step->args.fold.outputs;
}

/* The same terms in the same blocks; where b folds a whole output at once, or several groups of
 * axes, a may take several launches. */
static bool same_order(const tally_plan *a, const tally_plan *b) {
    uint32_t i = 0;
    for (uint32_t k = 0; k < b->count; k++, i++) {
        if (b->step[k].args.fold.nest[1] > 1 && a->step[0].args.fold.nest[1] == 1) {
            if (!same_groups(a, &b->step[k], &i))
                return false;
            continue;
        }
        if (i >= a->count || !same_terms(&a->step[i], &b->step[k]))
            return false;
        if (b->step[k].args.fold.blocks == 1)
            while (i + 1 < a->count && a->step[i].args.fold.blocks > 1)
                i++;
        if (a->step[i].args.fold.blocks != b->step[k].args.fold.blocks)
            return false;
    }
    return i == a->count;
}

/*
 * Only where combining rounds does it matter which terms they are of; of one term there are none.
 */
START_TEST(no_device_changes_what_is_combined) {
    static tally_plan plan, other;
    static text out;
    uint64_t state = 57;
    for (uint32_t i = 0; i < 500; i++) {
        tally_problem problem;
        const tally_limits limits = plan_devices_at(0);
        out.length = 0;
        if (!random_fold_problem(&state, &problem, &out) ||
            !plan_check(&out, &problem, &limits, &plan) || plan.count == 0 || problem.terms == 1 ||
            tally_spec_is_exact(&plan.step[0].spec))
            continue;
        for (uint32_t k = i % 7; k < plan_devices_count(); k += 7) {
            const tally_limits others = plan_devices_at(k);
            if (!plan_check(&out, &problem, &others, &other))
                continue;
            unroll_repeats(&other);
            if (!same_order(&plan, &other))
                plan_check_fail(&out, &others, &other, "the same blocks as on another device");
        }
    }
}
END_TEST

/* A plan is plain data and a function of its arguments: twice the same is the same, byte by byte.
 */
START_TEST(planning_twice_gives_the_same_plan) {
    static tally_plan once, again;
    static text out;
    uint64_t state = 58;
    for (uint32_t i = 0; i < 600; i++) {
        tally_problem problem;
        const tally_limits limits = plan_devices_at(i % plan_devices_count());
        out.length = 0;
        if (!kinds[i % 3](&state, &problem, &out) || !plan_check(&out, &problem, &limits, &once))
            continue;
        memset(&again, 0xCD, sizeof again);
        ck_assert_int_eq(tally_plan_make(&problem, &limits, &again, NULL), TALLY_OK);
        if (memcmp(&once, &again, sizeof once) != 0)
            plan_check_fail(&out, &limits, &again, "planning twice gives the same bytes");
    }
}
END_TEST

Suite *suite_plan(void) {
    Suite *suite = suite_create("plan");
    TCase *tests = tcase_create("plan");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, any_plan_keeps_the_rules_on_any_device, 0, 3);
    tcase_add_loop_test(tests, folds_of_edge_sizes_keep_the_rules, 0, PAIRS);
    tcase_add_loop_test(tests, scans_of_edge_sizes_keep_the_rules, 0, 2);
    tcase_add_loop_test(tests, the_longest_plans_have_room, 0, 6);
    tcase_add_test(tests, no_device_changes_what_is_combined);
    tcase_add_test(tests, planning_twice_gives_the_same_plan);
    suite_add_tcase(suite, tests);
    return suite;
}
