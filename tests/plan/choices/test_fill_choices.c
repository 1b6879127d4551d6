/*
 * Which schedule fills what. As in test_plan_choices.c, a test says that a choice was made on
 * purpose.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

static tally_step fill_step(const tally_diagonal *desc, const tally_limits *limits) {
    return plan_sample_fill(desc, limits).step[0];
}

static void expect(const tally_diagonal *desc, tally_schedule gpu, tally_schedule cpu) {
    const tally_limits small_groups = {64, 32768, 16, 64, TALLY_FAMILY_GPU, 8, false, true};
    const tally_limits tiny_groups = {63, 32768, 16, 64, TALLY_FAMILY_GPU, 8, false, true};
    const tally_limits generic = {256, 32768, 16, 64, TALLY_FAMILY_GENERIC, 8, false, true};
    ck_assert_int_eq(fill_step(desc, &plan_sample_gpu).spec.schedule, gpu);
    ck_assert_int_eq(fill_step(desc, &small_groups).spec.schedule, gpu);
    ck_assert_int_eq(fill_step(desc, &tiny_groups).spec.schedule, TALLY_FILL);
    ck_assert_int_eq(fill_step(desc, &generic).spec.schedule, TALLY_FILL);
    ck_assert_int_eq(fill_step(desc, &plan_sample_cpu).spec.schedule, cpu);
}

static tally_diagonal make_desc(tally_dtype dtype, shape sizes) {
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = shape_tensor(dtype, sizes);
    desc.end = 2;
    return desc;
}

/* Elements side by side, over as many axes as may be: by packs, and by chunks. */
START_TEST(runs_are_filled_by_packs_and_chunks) {
    tally_diagonal desc = make_desc(TALLY_F32, SHAPE(7, 100, 3));
    const tally_tensor input = desc.output;
    expect(&desc, TALLY_FILL_PACKS, TALLY_FILL_CPU_CHUNKS);
    desc.input = &input;
    expect(&desc, TALLY_FILL_PACKS, TALLY_FILL_CPU_CHUNKS);
    desc.input = NULL;
    shape_transpose(&desc.output);
    expect(&desc, TALLY_FILL_PACKS, TALLY_FILL_CPU_CHUNKS);
}
END_TEST

/* Rows of 1024 bytes are lines of CPUs; GPUs fill them by packs too. */
START_TEST(long_rows_are_lines_of_cpus) {
    tally_diagonal desc = make_desc(TALLY_F32, SHAPE(7, 100, 255));
    expect(&desc, TALLY_FILL_PACKS, TALLY_FILL_CPU_CHUNKS);
    desc = make_desc(TALLY_F32, SHAPE(7, 3, 4001));
    expect(&desc, TALLY_FILL_PACKS, TALLY_FILL_CPU_LINES);
    desc = make_desc(TALLY_F16, SHAPE(7, 100, 512));
    const tally_tensor input = desc.output;
    desc.input = &input;
    expect(&desc, TALLY_FILL_PACKS, TALLY_FILL_CPU_LINES);
}
END_TEST

/*
 * Where elements lie side by side in the output alone, GPUs pick them by packs, as long as a group
 * has pieces of the input; wide matrices are transposed through local memory. Gaps in the output
 * leave no run.
 */
START_TEST(other_layouts_are_picked_or_filled_by_boxes_and_lines) {
    tally_diagonal desc = make_desc(TALLY_F32, SHAPE(100, 50));
    tally_tensor input = desc.output;
    desc.input = &input;
    shape_transpose(&input);
    expect(&desc, TALLY_FILL_PACKS, TALLY_FILL_CPU_BOX);
    ck_assert_uint_eq(fill_step(&desc, &plan_sample_gpu).spec.policy.fill_packs.picks, 1);
    input = desc.output;
    input.stride[1] = 3;
    input.stride[0] = 150;
    input.flags = TALLY_STRIDED;
    expect(&desc, TALLY_FILL_PACKS, TALLY_FILL_CPU_CHUNKS);
    desc.output = input;
    expect(&desc, TALLY_FILL_BOX, TALLY_FILL_CPU_CHUNKS);
    desc = make_desc(TALLY_F32, SHAPE(100, 5000));
    input = desc.output;
    desc.input = &input;
    shape_transpose(&input);
    expect(&desc, TALLY_FILL_TRANSPOSE, TALLY_FILL_CPU_BOX);
    ck_assert_uint_eq(fill_step(&desc, &plan_sample_gpu).spec.policy.fill_transpose.square, 1);
    desc = make_desc(TALLY_U8, SHAPE(100, 5000));
    input = desc.output;
    desc.input = &input;
    shape_transpose(&input);
    expect(&desc, TALLY_FILL_TRANSPOSE, TALLY_FILL_CPU_BOX);
    ck_assert_uint_eq(fill_step(&desc, &plan_sample_gpu).spec.policy.fill_transpose.square, 4);
}
END_TEST

/*
 * Outer axes in another order around elements that are side by side in both tensors: by way of a
 * box as long as these are few. The output's side has their axis.
 */
START_TEST(short_runs_are_transposed_together) {
    tally_diagonal desc = make_desc(TALLY_F32, SHAPE(3000, 2000, 3));
    tally_tensor input = desc.output;
    const uint64_t transposed[] = {3, 9000, 1}, same[] = {6001, 3, 1};
    input.flags |= TALLY_STRIDED;
    memcpy(input.stride, transposed, sizeof transposed);
    desc.input = &input;
    const tally_step step = fill_step(&desc, &plan_sample_gpu);
    ck_assert_int_eq(step.spec.schedule, TALLY_FILL_TRANSPOSE);
    ck_assert_uint_eq(step.args.fill_box.box.write_box[step.spec.kept_rank - 1], 3);
    memcpy(input.stride, same, sizeof same);
    ck_assert_int_ne(fill_step(&desc, &plan_sample_gpu).spec.schedule, TALLY_FILL_TRANSPOSE);
}
END_TEST

/* Where everything gets the value, the input is not read. */
START_TEST(a_fill_of_everything_reads_nothing) {
    tally_diagonal desc = make_desc(TALLY_F32, SHAPE(7, 100, 50));
    tally_tensor input = desc.output;
    desc.input = &input;
    shape_transpose(&input);
    desc.begin = -100;
    desc.end = 50;
    const tally_step step = fill_step(&desc, &plan_sample_gpu);
    ck_assert_uint_eq(step.spec.schedule, TALLY_FILL_PACKS);
    ck_assert_uint_eq(step.source, TALLY_IN_NOTHING);
    ck_assert_uint_eq(step.spec.has_input, 0);
}
END_TEST

/* A call in place goes over the band alone, and over nothing where nothing gets the value. */
START_TEST(calls_in_place_go_over_the_band) {
    tally_diagonal desc = make_desc(TALLY_F32, SHAPE(3, 100000));
    desc.input = &desc.output;
    desc.begin = 5;
    desc.end = 9;
    tally_plan plan = plan_sample_fill(&desc, &plan_sample_gpu);
    ck_assert_uint_eq(plan.out_of_place_steps, 1);
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_uint_eq(plan.step[1].args.fill.in_place, 1);
    ck_assert_uint_eq(plan.step[1].source, TALLY_IN_NOTHING);
    uint64_t positions = 1;
    for (int k = 0; k < 2; k++)
        positions *= plan.step[1].args.fill.kept_size[k];
    ck_assert_uint_eq(positions, 3 * 4);
    desc.begin = desc.end = 7;
    plan = plan_sample_fill(&desc, &plan_sample_gpu);
    ck_assert_uint_eq(plan.out_of_place_steps, 1);
    ck_assert_uint_eq(plan.count, 1);
}
END_TEST

/* A CPU moves whole cache lines, so that it leaves nothing out of rows that lie within one. */
START_TEST(short_rows_in_place_are_gone_over_whole) {
    for (uint64_t columns = 16; columns <= 17; columns++) {
        tally_diagonal desc = make_desc(TALLY_F32, SHAPE(5000, 1000, columns));
        desc.input = &desc.output;
        desc.begin = -2;
        desc.end = 1;
        const tally_plan plan = plan_sample_fill(&desc, &plan_sample_cpu);
        ck_assert_uint_eq(plan.out_of_place_steps, 1);
        const uint32_t last = plan.step[1].spec.kept_rank - 1u;
        ck_assert_uint_eq(plan.step[1].args.fill.kept_size[last], columns == 16 ? 16 : 3);
        ck_assert_int_eq(plan.step[1].spec.schedule,
                         columns == 16 ? TALLY_FILL_CPU_CHUNKS : TALLY_FILL_CPU_LINES);
    }
}
END_TEST

/* Small matrices are written by whole packs where they are in place. */
START_TEST(packs_in_place_are_rewritten) {
    static const struct {
        tally_dtype dtype;
        uint64_t rows, columns;
        uint32_t rewrites;
    } cases[] = {{TALLY_I8, 50, 13, 1}, {TALLY_F32, 50, 13, 1}, {TALLY_F16, 13, 4000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_diagonal desc =
            make_desc(cases[i].dtype, SHAPE(500, cases[i].rows, cases[i].columns));
        desc.input = &desc.output;
        desc.begin = 10;
        desc.end = 3;
        const tally_plan plan = plan_sample_fill(&desc, &plan_sample_gpu);
        ck_assert_int_eq(plan.step[1].spec.schedule, TALLY_FILL_PACKS);
        ck_assert_uint_eq(plan.step[0].spec.policy.fill_packs.rewrites, 0);
        ck_assert_uint_eq(plan.step[1].spec.policy.fill_packs.rewrites, cases[i].rewrites);
    }
}
END_TEST

/*
 * Matrices of a batch have the band at the same elements: a work-item goes from one to the next. Of
 * a run it takes whole matrices and whole packs, of axes outside of the runs positions.
 */
START_TEST(a_band_that_repeats_is_looked_up_once) {
    tally_diagonal desc = make_desc(TALLY_F32, SHAPE(10000, 33, 65));
    const tally_step run = fill_step(&desc, &plan_sample_gpu);
    ck_assert_uint_eq(run.spec.policy.fill_packs.repeats, 1);
    ck_assert_uint_eq(run.args.fill_packs.repeat_axis, TALLY_AXES);
    ck_assert_uint_eq(run.args.fill_packs.repeat_step % (33 * 65), 0);
    ck_assert_uint_eq(run.args.fill_packs.repeat_step % 4, 0);
    desc.output.flags |= TALLY_STRIDED;
    desc.output.stride[2] = 1;
    desc.output.stride[1] = 67;
    desc.output.stride[0] = 67 * 33;
    const tally_step axis = fill_step(&desc, &plan_sample_gpu);
    ck_assert_uint_eq(axis.spec.policy.fill_packs.repeats, 1);
    ck_assert_uint_eq(axis.args.fill_packs.repeat_end, 10000);
    ck_assert_uint_eq(axis.args.fill_packs.repeat_step % 4, 0);
    desc = make_desc(TALLY_F32, SHAPE(10000, 3300));
    ck_assert_uint_eq(fill_step(&desc, &plan_sample_gpu).spec.policy.fill_packs.repeats, 0);
}
END_TEST

/* Of a tall matrix the band is known to begin and to end. */
START_TEST(a_tall_matrix_has_edges) {
    tally_diagonal desc = make_desc(TALLY_F32, SHAPE(1000000, 3));
    desc.begin = -5;
    desc.end = -1;
    const tally_step step = fill_step(&desc, &plan_sample_gpu);
    const tally_fill_packs_args *args = &step.args.fill_packs;
    ck_assert_uint_eq(step.spec.policy.fill_packs.repeats, 0);
    ck_assert_uint_eq(args->band_begin, 2 * 3);
    ck_assert_uint_eq(args->whole_begin, 4 * 3);
    ck_assert_uint_eq(args->whole_end, 6 * 3);
    ck_assert_uint_eq(args->band_end, 8 * 3);
}
END_TEST

/* Kernels count to the end of a unit, which has to be in an index. */
START_TEST(an_index_has_room_behind_the_last_element) {
    const tally_diagonal full = make_desc(TALLY_U8, SHAPE(53687091, 40));
    const tally_diagonal half = make_desc(TALLY_U8, SHAPE(53687091, 20));
    ck_assert_uint_eq(fill_step(&full, &plan_sample_gpu).spec.index_bits, 64);
    ck_assert_uint_eq(fill_step(&half, &plan_sample_gpu).spec.index_bits, 32);
}
END_TEST

/* Each core has some grains, of rows or of pieces; what fits the caches is written into them. */
START_TEST(a_fill_on_a_cpu_has_a_grain) {
    static const struct {
        uint64_t rows, columns, pieces, grain;
        bool stream;
    } cases[] = {
        {1, 1 << 24, 256, 1, true}, {1 << 12, 1 << 12, 1, 16, true}, {100, 256, 1, 32, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_diagonal desc = make_desc(TALLY_F32, SHAPE(cases[i].rows, cases[i].columns));
        const tally_step step = fill_step(&desc, &plan_sample_cpu);
        ck_assert_uint_eq(step.args.fill_cpu_lines.pieces, cases[i].pieces);
        ck_assert_uint_eq(step.args.fill_cpu_lines.grain, cases[i].grain);
        ck_assert_int_eq(step.args.fill_cpu_lines.stream != 0, cases[i].stream);
    }
}
END_TEST

Suite *suite_fill_choices(void) {
    Suite *suite = suite_create("fill_choices");
    TCase *tests = tcase_create("fill_choices");
    tcase_add_test(tests, runs_are_filled_by_packs_and_chunks);
    tcase_add_test(tests, long_rows_are_lines_of_cpus);
    tcase_add_test(tests, other_layouts_are_picked_or_filled_by_boxes_and_lines);
    tcase_add_test(tests, short_runs_are_transposed_together);
    tcase_add_test(tests, a_fill_of_everything_reads_nothing);
    tcase_add_test(tests, calls_in_place_go_over_the_band);
    tcase_add_test(tests, short_rows_in_place_are_gone_over_whole);
    tcase_add_test(tests, packs_in_place_are_rewritten);
    tcase_add_test(tests, a_band_that_repeats_is_looked_up_once);
    tcase_add_test(tests, a_tall_matrix_has_edges);
    tcase_add_test(tests, an_index_has_room_behind_the_last_element);
    tcase_add_test(tests, a_fill_on_a_cpu_has_a_grain);
    suite_add_tcase(suite, tests);
    return suite;
}
