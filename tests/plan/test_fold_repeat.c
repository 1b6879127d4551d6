/*
 * test_fold_repeat.c: folds whose input repeats along kept axes: each term is read once, and a fill
 * copies the results to all of their positions, if that is worth a launch. Random ones are run, and
 * have the bits of the fold without the axes that repeat.
 */
#include <stdlib.h>

#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/oracle/oracle.h"
#include "support/plans/sample.h"
#include "support/simulation/case.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_fill(const tally_step *step) {
    return tally_schedule_find(step->spec.schedule)->kind == TALLY_KIND_FILL;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static uint64_t product(const tally_step *step, bool repeated) {
    const tally_fill_args *args = &step->args.fill;
    uint64_t elements = 1;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        elements *= (args->kept_in[k] == 0) == repeated ? args->kept_size[k] : 1;
    return elements;
}

/* Axes are bits, the outermost the lowest: those that are swept, and those that repeat. */
typedef struct repeat_case {
    shape sizes;
    uint32_t axes, repeated;
    uint64_t once, repeats; /* outputs that differ, and positions of each */
} repeat_case;

static tally_reduce desc_of(tally_function function, tally_dtype type, const repeat_case *it) {
    tally_reduce desc = shape_reduce(function, type, it->sizes, it->axes);
    shape_repeat(&desc.input, it->repeated);
    return desc;
}

static void check_plan(const tally_plan *plan, const repeat_case *it, uint64_t terms) {
    const tally_step *fill = &plan->step[plan->count - 1];
    const tally_fold_args *first = &plan->step[0].args.fold;
    ck_assert_uint_ge(plan->count, 2);
    ck_assert(is_fill(fill) && !plan->closing && plan->out_of_place_steps == 0);
    ck_assert_int_eq(fill->source, TALLY_IN_SCRATCH);
    ck_assert_int_eq(fill->target, TALLY_IN_OUTPUT);
    ck_assert_uint_eq(product(fill, false), it->once);
    ck_assert_uint_eq(product(fill, true), it->repeats);
    ck_assert_uint_eq(first->outputs * first->terms, it->once * terms);
    for (uint32_t i = 0; i + 1 < plan->count; i++)
        ck_assert(!is_fill(&plan->step[i]));
    ck_assert_int_eq(plan->step[plan->count - 2].spec.last, 1);
}

/* Outermost, in the middle, innermost, two of them, all that are kept, between swept axes. */
START_TEST(what_repeats_is_folded_once) {
    static const repeat_case cases[] = {
        {{3, {5, 3, 4000000}}, 4, 1, 3, 5},   {{4, {30, 1280, 16, 31}}, 2, 4, 930, 16},
        {{3, {300, 20000, 7}}, 2, 4, 300, 7}, {{4, {6, 40, 70, 50000}}, 8, 5, 40, 420},
        {{2, {9, 9000000}}, 2, 1, 1, 9},      {{4, {2000, 9, 50, 300}}, 5, 2, 300, 9}};
    static const tally_function functions[] = {TALLY_SUM, TALLY_ARGMAX, TALLY_LOG_SUM_EXP};
    const tally_limits *const families[] = {&plan_sample_gpu, &plan_sample_cpu, &plan_sample_large};
    for (size_t i = 0; i < COUNT(cases) * COUNT(functions) * COUNT(families); i++) {
        const repeat_case *it = &cases[i % COUNT(cases)];
        const tally_limits *limits = families[i / COUNT(cases) % COUNT(families)];
        const tally_reduce desc =
            desc_of(functions[i / COUNT(cases) / COUNT(families)], TALLY_F32, it);
        uint64_t terms = 1;
        for (uint32_t k = 0; k < it->sizes.rank; k++)
            terms *= (it->axes >> k & 1) != 0 ? it->sizes.size[k] : 1;
        const tally_plan plan = plan_sample_reduce(&desc, limits);
        check_plan(&plan, it, terms);
    }
}
END_TEST

/* The family generic, and devices that have no other kernels. */
START_TEST(what_repeats_is_folded_each_time_by_generic_kernels) {
    const repeat_case it = {{3, {5, 3, 4000000}}, 4, 1, 3, 5};
    const tally_reduce desc = desc_of(TALLY_SUM, TALLY_F32, &it);
    tally_limits generic = plan_sample_gpu;
    generic.family = TALLY_FAMILY_GENERIC;
    const tally_plan plans[] = {plan_sample_reduce(&desc, &generic),
                                plan_sample_reduce(&desc, &plan_sample_narrow)};
    for (size_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < plans[i].count; k++)
            ck_assert(!is_fill(&plans[i].step[k]));
}
END_TEST

/* Little to read again; or on a GPU, which reads it as fast, results that cost as much. */
START_TEST(what_saves_little_is_folded_each_time) {
    static const repeat_case cases[] = {{{3, {5, 3, 100}}, 4, 1, 3, 5},
                                        {{3, {2, 4000000, 2}}, 4, 1, 4000000, 2}};
    const tally_limits *const families[] = {&plan_sample_gpu, &plan_sample_cpu};
    for (size_t i = 0; i < 4; i++) {
        const tally_reduce desc = desc_of(TALLY_SUM, TALLY_F32, &cases[i / 2]);
        const tally_plan plan = plan_sample_reduce(&desc, families[i % 2]);
        ck_assert_int_eq(is_fill(&plan.step[plan.count - 1]), i == 3);
    }
}
END_TEST

/* Results lie in the order of the output, so that its neighbours are neighbours. */
START_TEST(results_lie_as_they_are_copied) {
    const repeat_case it = {{4, {300, 9, 500, 700}}, 8, 2, 150000, 9};
    const tally_limits *const families[] = {&plan_sample_gpu, &plan_sample_cpu};
    for (size_t i = 0; i < 2; i++) {
        tally_reduce desc = desc_of(TALLY_SUM, TALLY_F32, &it);
        shape_transpose(&desc.output);
        const tally_plan plan = plan_sample_reduce(&desc, families[i]);
        const tally_step *fill = &plan.step[plan.count - 1];
        check_plan(&plan, &it, 700);
        ck_assert_uint_eq(fill->args.fill.kept_in[fill->spec.kept_rank - 1], 1);
        ck_assert_uint_eq(fill->args.fill.kept_size[fill->spec.kept_rank - 1], 300);
    }
}
END_TEST

/* Results of columns and rows of few terms in another order, of which a CPU's caches hold few. */
START_TEST(what_cpus_would_scatter_is_copied) {
    static const struct {
        shape sizes, strides; /* of the input; of the output, 0 where it is swept */
        bool copied;          /* on CPUs */
        bool rows;            /* the input is transposed */
    } cases[] = {
        {{3, {7, 1000, 3001}}, {3, {0, 1, 1000}}, true, false},
        {{3, {7, 1000, 3001}}, {3, {0, 3001, 1}}, true, true},
        {{3, {7, 1000, 3001}}, {3, {0, 1, 1000}}, false, true},
        {{4, {5, 2000, 3001, 2}}, {4, {0, 2, 4000, 1}}, true, false},
        {{3, {7, 1000, 3001}}, {3, {0, 3001, 1}}, false, false},    /* as they lie in the input */
        {{3, {7, 1000, 3001}}, {3, {0, 96032, 32}}, false, false},  /* likewise, with gaps */
        {{3, {7, 1000, 3001}}, {3, {0, 32, 32000}}, false, false},  /* no two are in a cache line */
        {{3, {7, 10, 31}}, {3, {0, 1, 10}}, false, false},          /* few */
        {{2, {7, 2}}, {2, {0, 1 << 20}}, false, false},             /* few, far apart */
        {{3, {4096, 1000, 3001}}, {3, {0, 1, 1000}}, false, false}, /* of many terms */
    };
    const tally_limits *const families[] = {&plan_sample_gpu, &plan_sample_cpu};
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, cases[i / 2].sizes, 1);
        if (cases[i / 2].rows)
            shape_transpose(&desc.input);
        desc.output.flags |= TALLY_STRIDED;
        for (uint32_t k = 0; k < desc.output.rank; k++)
            desc.output.stride[k] = cases[i / 2].strides.size[k];
        const tally_plan plan = plan_sample_reduce(&desc, families[i % 2]);
        ck_assert_int_eq(is_fill(&plan.step[plan.count - 1]), i % 2 == 1 && cases[i / 2].copied);
    }
}
END_TEST

/* The same of single elements, where neighbours in the output are far apart in the input. */
START_TEST(maps_that_cpus_would_scatter_are_copied) {
    static const struct {
        legal_pair pair;
        shape sizes;
        bool transposed, copied; /* the output; on CPUs */
    } cases[] = {
        {{TALLY_MAX, TALLY_F32}, {2, {1000, 30000}}, true, true},
        {{TALLY_SUM, TALLY_F16}, {2, {30000, 1000}}, true, true},
        {{TALLY_MIN, TALLY_I8}, {3, {30000, 1000, 2}}, true, true},
        {{TALLY_MAX, TALLY_F32}, {2, {30000, 100}}, true, false},    /* near: read along */
        {{TALLY_MAX, TALLY_F32}, {2, {1000, 30000}}, false, false},  /* as they lie */
        {{TALLY_MAX, TALLY_F32}, {2, {30000, 60000}}, true, false},  /* too large a scratch */
        {{TALLY_ARGMAX, TALLY_I8}, {2, {2000, 30000}}, true, false}, /* nothing is read */
    };
    const tally_limits *const families[] = {&plan_sample_gpu, &plan_sample_cpu};
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        tally_reduce desc = shape_reduce(cases[i / 2].pair.function, cases[i / 2].pair.dtype,
                                         cases[i / 2].sizes, 0);
        if (cases[i / 2].transposed)
            shape_transpose(&desc.output);
        const tally_plan plan = plan_sample_reduce(&desc, families[i % 2]);
        ck_assert_uint_eq(plan.count, i % 2 == 1 && cases[i / 2].copied ? 2 : 1);
    }
}
END_TEST

/* ---- Random ones, run ------------------------------------------------------------------------ */

enum { RANDOM = 400, REPEATS = 3600, OUTPUTS_MOST = 12 };

static void insert(tally_tensor *tensor, uint32_t position, uint64_t size, uint64_t stride) {
    for (uint32_t k = tensor->rank++; k > position; k--) {
        tensor->size[k] = tensor->size[k - 1];
        tensor->stride[k] = tensor->stride[k - 1];
    }
    tensor->size[position] = size;
    tensor->stride[position] = stride;
}

/* An axis of an output so far apart that none meets another, or closer than all others. */
static void insert_output(tally_tensor *output, uint32_t position, uint64_t size, bool outermost) {
    uint64_t reach = 1;
    for (uint32_t k = 0; k < output->rank; k++) {
        reach += output->size[k] > 1 ? (output->size[k] - 1) * output->stride[k] : 0;
        output->stride[k] *= outermost ? 1 : size;
    }
    insert(output, position, size, outermost ? reach : 1);
}

/* A position where another kept axis does not part a group of swept ones, which would be their
 * order.
 */
static uint32_t draw_position(const tally_reduce *desc, uint64_t *state) {
    for (;;) {
        const uint32_t position = (uint32_t)(values_random(state) % (desc->input.rank + 1));
        if (position == 0 || position == desc->input.rank)
            return position;
        for (uint32_t k = position - 1; k <= position; k++)
            if ((desc->axes >> k & 1) == 0 && desc->input.size[k] > 1)
                return position;
    }
}

/* Another kept axis, which repeats; results become those of the description that it makes. */
static void repeat(tally_reduce *desc, uint64_t size, uint64_t *state, uint64_t *results) {
    const uint32_t position = draw_position(desc, state), inside = (1u << position) - 1;
    uint64_t count = 1, inner = 1;
    for (uint32_t k = 0; k < desc->output.rank; k++) {
        count *= desc->output.size[k];
        inner *= k >= position ? desc->output.size[k] : 1;
    }
    insert(&desc->input, position, size, 0);
    insert_output(&desc->output, position, size, values_random(state) % 2 == 0);
    desc->axes = (desc->axes & inside) | (desc->axes & ~inside) << 1;
    for (uint64_t i = count * size; i-- > 0;) /* from behind: each comes from before its position */
        results[i] = results[i / inner / size * inner + i % inner];
}

static void set_strides(tally_tensor *tensor) {
    if ((tensor->flags & TALLY_STRIDED) == 0)
        shape_repeat(tensor, 0);
}

/* The problem on a device, and with axes that repeat; whether these are folded once. */
static bool check_random(tally_reduce desc, const sim_device *device, uint64_t *state) {
    static uint64_t wanted[OUTPUTS_MOST * REPEATS], found[OUTPUTS_MOST * REPEATS];
    const uint64_t second = 1 + values_random(state) % 2 * 59; /* one axis, or two */
    const values_class values = sim_case_values(desc.function, values_random(state));
    const uint64_t seed = values_random(state);
    set_strides(&desc.input);
    set_strides(&desc.output);
    const sim_case alone = sim_case_reduce(&desc, values, seed);
    unsigned char *input = sim_case_input(&alone);
    sim_case_run(&alone, input, device, wanted);
    repeat(&desc, REPEATS / second, state, wanted);
    if (second > 1)
        repeat(&desc, second, state, wanted);
    const sim_case it = sim_case_reduce(&desc, values, seed);
    sim_case_run(&it, input, device, found);
    for (uint64_t i = 0; i < oracle_count(&desc.output); i++)
        if (found[i] != wanted[i])
            sim_case_fail(&it, device, "element %llu has bits 0x%llx, alone 0x%llx",
                          (unsigned long long)i, (unsigned long long)found[i],
                          (unsigned long long)wanted[i]);
    free(input);
    const tally_plan plan = plan_sample_reduce(&desc, &device->limits);
    return plan.count > 1 && is_fill(&plan.step[plan.count - 1]);
}

START_TEST(random_repeats_have_the_bits_of_one) {
    static const uint32_t devices[] = {0, 1, 2, 5}; /* of groups that suffice */
    const random_kind kind = {2500, 5, false};
    uint64_t state = 71 + (uint64_t)_i;
    uint32_t once = 0;
    for (uint32_t i = 0; i < RANDOM; i++) {
        tally_reduce desc;
        random_reduce(&kind, &state, &desc);
        const uint64_t elements = oracle_count(&desc.input), outputs = oracle_count(&desc.output);
        if (desc.input.rank + 2 > TALLY_MAX_RANK || outputs > OUTPUTS_MOST || elements < 600)
            continue;
        once += check_random(desc, sim_device_at(devices[i % COUNT(devices)]), &state);
    }
    ck_assert_uint_gt(once, 10);
}
END_TEST

Suite *suite_fold_repeat(void);

Suite *suite_fold_repeat(void) {
    Suite *suite = suite_create("fold_repeat");
    TCase *tests = tcase_create("fold_repeat");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, what_repeats_is_folded_once);
    tcase_add_test(tests, what_repeats_is_folded_each_time_by_generic_kernels);
    tcase_add_test(tests, what_saves_little_is_folded_each_time);
    tcase_add_test(tests, results_lie_as_they_are_copied);
    tcase_add_test(tests, what_cpus_would_scatter_is_copied);
    tcase_add_test(tests, maps_that_cpus_would_scatter_are_copied);
    tcase_add_loop_test(tests, random_repeats_have_the_bits_of_one, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
