/*
 * test_schedules.c: who folds what changes no bit. The same reductions are planned with each family
 * of kernels, and for invented GPUs of small groups, and run here (families.h). And which family a
 * runtime has. Scans: test_scan_schedules.c; terms in another order than memory's:
 * test_transposed_schedules.c.
 */
#include <check.h>
#include <string.h>

#include "api/runtime.h"
#include "cases/families.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/share.h"

START_TEST(test_folds_agree) {
    static const tally_function functions[] = {TALLY_SUM, TALLY_LOG_SUM_EXP, TALLY_ARGMAX,
                                               TALLY_MIN};
    int teams = 0;
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        for (size_t i = 0; i < FAMILIES_LENGTHS; i++) {
            if (!share_has(f + i, 6))
                continue;
            uint64_t rows = FAMILIES_ELEMENTS / families_lengths[i] < 5
                                ? FAMILIES_ELEMENTS / families_lengths[i]
                                : 5;
            uint64_t size[2] = {rows, families_lengths[i]};
            tally_reduce desc = TALLY_REDUCE_INIT;
            desc.function = functions[f];
            desc.input = tally_tensor_packed(TALLY_F32, 2, size);
            desc.axes = 2;
            tally_dtype type = desc.function == TALLY_ARGMAX ? TALLY_I64 : TALLY_F32;
            desc.output = tally_tensor_reduced(&desc.input, desc.axes, type);
            teams += families_reduce(&desc, 0, rows * tally_dtype_size(type));
        }
    }
    ck_assert_int_gt(teams, 0);
}
END_TEST

/* Two swept groups with a kept axis between them, longer than a block each. */
START_TEST(test_groups_of_axes_agree) {
    uint64_t size[3] = {33, 3, 5000};
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_F32, 3, size);
    desc.axes = 5;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    ck_assert_int_gt(families_reduce(&desc, 0, 3 * sizeof(float)), 0);
    desc.function = TALLY_ARGMAX;
    desc.output.dtype = TALLY_I64;
    ck_assert_int_gt(families_reduce(&desc, 0, 3 * sizeof(int64_t)), 0);
}
END_TEST

/* Terms a fixed stride apart, inside outputs of every width: of each function every other pair. */
START_TEST(test_columns_agree) {
    static const uint64_t inner[] = {2, 3, 4, 16, 31, 64, 100, 1000};
    static const uint64_t terms[] = {1, 2, 16, 17, 127, 129, 1024, 4097};
    static const tally_function functions[] = {TALLY_SUM, TALLY_LOG_SUM_EXP, TALLY_ARGMAX};
    int teams = 0;
    for (size_t f = 0; f < 3; f++) {
        for (size_t i = 0; i < 8 * 8; i++) {
            uint64_t rest = FAMILIES_ELEMENTS / (inner[i % 8] * terms[i / 8]);
            uint64_t size[3] = {rest < 70 ? rest : 70, terms[i / 8], inner[i % 8]};
            if (rest == 0 || (f + i / 8 + i % 8) % 2 != 0 || !share_has(f + i / 2, 7))
                continue;
            tally_reduce desc = TALLY_REDUCE_INIT;
            desc.function = functions[f];
            desc.input = tally_tensor_packed(TALLY_F32, 3, size);
            desc.axes = 2;
            tally_dtype type = desc.function == TALLY_ARGMAX ? TALLY_I64 : TALLY_F32;
            desc.output = tally_tensor_reduced(&desc.input, desc.axes, type);
            teams += families_reduce(&desc, 0, size[0] * size[2] * tally_dtype_size(type));
        }
    }
    ck_assert_int_gt(teams, 0);
}
END_TEST

/*
 * Few columns without a gap, which sets take, from the second element on: of numbers that fill no
 * pack, with fewer terms than lanes, and with more than a block.
 */
START_TEST(test_sets_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } kinds[] = {{TALLY_SUM, TALLY_F16},   {TALLY_L2, TALLY_F32},  {TALLY_MULTIPLY, TALLY_F64},
                 {TALLY_ARGMIN, TALLY_U8}, {TALLY_MAX, TALLY_F16}, {TALLY_SUM, TALLY_I64}};
    static const uint64_t sizes[][3] = {{300, 9, 7},   {70, 130, 3}, {9, 4097, 5},
                                        {40, 200, 16}, {50, 17, 2},  {6, 500, 31}};
    for (size_t i = 0; i < 6 * 6; i++) {
        const size_t k = i / 6;
        const bool indexed = kinds[k].function == TALLY_ARGMIN;
        if ((k + i) % 2 != 0 || !share_has(k, 5))
            continue;
        tally_reduce desc = TALLY_REDUCE_INIT;
        desc.function = kinds[k].function;
        desc.tie = indexed ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
        desc.input = tally_tensor_packed(kinds[k].dtype, 3, sizes[i % 6]);
        desc.axes = 2;
        const tally_dtype type = indexed ? TALLY_I64 : kinds[k].dtype;
        desc.output = tally_tensor_reduced(&desc.input, desc.axes, type);
        families_reduce(&desc, tally_dtype_size(kinds[k].dtype),
                        sizes[i % 6][0] * sizes[i % 6][2] * tally_dtype_size(type));
    }
}
END_TEST

/* Sets of few terms, with and without gaps on either side, of numbers that fill no vector. */
START_TEST(test_short_sets_agree) {
    static const legal_pair kinds[] = {{TALLY_SUM, TALLY_F16},
                                       {TALLY_ARGMAX, TALLY_F32},
                                       {TALLY_MAX, TALLY_I8},
                                       {TALLY_LOG_SUM_EXP, TALLY_F32},
                                       {TALLY_L2, TALLY_F64}};
    static const struct {
        uint64_t size[3], in, out[3];
    } layouts[] = {{{999, 2, 2}, 4, {2, 0, 1}},  {{83, 3, 5}, 15, {5, 0, 1}},
                   {{60, 7, 3}, 25, {3, 0, 1}},  {{41, 40, 3}, 120, {7, 0, 2}},
                   {{77, 5, 7}, 35, {1, 0, 77}}, {{30, 33, 9}, 300, {12, 0, 1}}};
    for (size_t i = 0; i < 5 * 6; i++) {
        const legal_pair kind = kinds[i / 6];
        const uint64_t *size = layouts[i % 6].size, *to = layouts[i % 6].out;
        if ((i / 6 + i) % 2 != 0 || !share_has(i / 6, 5))
            continue;
        tally_reduce desc =
            shape_reduce(kind.function, kind.dtype, SHAPE(size[0], size[1], size[2]), 2);
        desc.input.flags = desc.output.flags |= TALLY_STRIDED;
        memcpy(desc.input.stride, (uint64_t[]){layouts[i % 6].in, size[2], 1}, 24);
        memcpy(desc.output.stride, to, sizeof layouts[0].out);
        families_reduce(&desc, tally_dtype_size(kind.dtype),
                        8 * ((size[0] - 1) * to[0] + (size[2] - 1) * to[2] + 1));
    }
}
END_TEST

/* Types of each width, rows and columns apart and not by turns, from the second element on. */
START_TEST(test_types_and_layouts_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } kinds[] = {{TALLY_SUM, TALLY_F16}, {TALLY_AVERAGE, TALLY_F64}, {TALLY_SUM, TALLY_I64},
                 {TALLY_MAX, TALLY_I8},  {TALLY_ARGMIN, TALLY_U32},  {TALLY_ARGMAX, TALLY_F64},
                 {TALLY_L2, TALLY_F32}};
    static const struct {
        uint64_t size[2], stride[2];
        uint32_t axes;
    } layouts[] = {{{40, 1000}, {1000, 1}, 2}, {{40, 1000}, {1001, 1}, 1}, {{999, 15}, {15, 1}, 2},
                   {{999, 15}, {17, 1}, 2},    {{300, 100}, {100, 1}, 2},  {{5000, 3}, {3, 1}, 1},
                   {{50, 7}, {7, 1}, 1},       {{99, 77}, {77, 1}, 1},     {{99, 77}, {1, 99}, 1},
                   {{1000, 40}, {1, 1000}, 2}, {{130, 70}, {150, 2}, 2}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t i = k % 2; i < sizeof layouts / sizeof layouts[0]; i += 2) {
            if (!share_has(k / 2 + i / 2, 5))
                continue;
            tally_reduce desc = TALLY_REDUCE_INIT;
            const bool indexed =
                kinds[k].function == TALLY_ARGMIN || kinds[k].function == TALLY_ARGMAX;
            desc.function = kinds[k].function;
            desc.tie = indexed ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
            desc.input = tally_tensor_packed(kinds[k].dtype, 2, layouts[i].size);
            desc.input.flags |= TALLY_STRIDED;
            memcpy(desc.input.stride, layouts[i].stride, sizeof layouts[i].stride);
            desc.axes = layouts[i].axes;
            const tally_dtype type = indexed ? TALLY_I64 : kinds[k].dtype;
            desc.output = tally_tensor_reduced(&desc.input, desc.axes, type);
            const uint64_t outputs = layouts[i].size[desc.axes == 1];
            families_reduce(&desc, tally_dtype_size(kinds[k].dtype),
                            outputs * tally_dtype_size(type));
        }
}
END_TEST

/*
 * Nothing is swept: each function by turns over elements side by side, with gaps, in another order
 * with rows of one element and of two, and apart on both sides.
 */
START_TEST(test_maps_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } kinds[] = {{TALLY_SUM_SQUARE, TALLY_F16},  {TALLY_LOG_SUM, TALLY_F32}, {TALLY_MAX, TALLY_I8},
                 {TALLY_LOG_SUM_EXP, TALLY_F64}, {TALLY_L1, TALLY_I32},      {TALLY_MIN, TALLY_F16},
                 {TALLY_AVERAGE, TALLY_F32},     {TALLY_ARGMAX, TALLY_I16}};
    static const struct {
        uint64_t size[3], in[3], out[3];
    } layouts[] = {
        {{1, 99, 101}, {0, 101, 1}, {0, 101, 1}},    {{7, 9, 30}, {300, 33, 1}, {270, 30, 1}},
        {{1, 99, 101}, {0, 1, 99}, {0, 101, 1}},     {{70, 80, 2}, {2, 140, 1}, {160, 2, 1}},
        {{9, 50, 11}, {1100, 22, 2}, {1650, 33, 3}}, {{1, 513, 514}, {0, 1, 513}, {0, 514, 1}},
        {{1, 513, 514}, {0, 1, 513}, {0, 514, 1}}};
    const size_t kinds_count = sizeof kinds / sizeof kinds[0];
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        for (size_t k = i % 2; k < kinds_count; k += 2) {
            if (!share_has(k / 2 + i / 2, 5))
                continue;
            tally_reduce desc = TALLY_REDUCE_INIT;
            const bool indexed = kinds[k].function == TALLY_ARGMAX;
            desc.function = kinds[k].function;
            desc.input = tally_tensor_packed(kinds[k].dtype, 3, layouts[i].size);
            desc.output =
                tally_tensor_packed(indexed ? TALLY_I64 : kinds[k].dtype, 3, layouts[i].size);
            desc.input.flags |= TALLY_STRIDED;
            desc.output.flags |= TALLY_STRIDED;
            memcpy(desc.input.stride, layouts[i].in, sizeof layouts[i].in);
            memcpy(desc.output.stride, layouts[i].out, sizeof layouts[i].out);
            uint64_t reach = 1;
            for (int axis = 0; axis < 3; axis++)
                reach += (layouts[i].size[axis] - 1) * layouts[i].out[axis];
            families_reduce(&desc, tally_dtype_size(kinds[k].dtype),
                            reach * tally_dtype_size(desc.output.dtype));
        }
}
END_TEST

/* Where nothing is better than a term that is not there, one that is there wins. */
START_TEST(test_positions_are_of_terms) {
    static const uint64_t sizes[][2] = {{100, 70}, {70, 100}, {4100, 5}, {5, 4100}, {33, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] * 4; i++) {
        if (!share_has(i / 4 + i % 4, 4))
            continue;
        tally_reduce desc = TALLY_REDUCE_INIT;
        desc.function = TALLY_ARGMIN;
        desc.tie = (i & 1) != 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
        desc.input = tally_tensor_packed(TALLY_U8, 2, sizes[i / 4]);
        desc.axes = (i & 2) != 0 ? 2 : 1;
        desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_I32);
        families_reduce(&desc, 1, sizes[i / 4][desc.axes == 1] * sizeof(int32_t));
        desc.function = TALLY_ARGMAX;
        desc.input.flags |= TALLY_STRIDED; /* one element over and over: all terms are tied */
        desc.input.stride[0] = desc.input.stride[1] = 0;
        families_reduce(&desc, 1, sizes[i / 4][desc.axes == 1] * sizeof(int32_t));
    }
}
END_TEST

/* ---- The family that a runtime has --------------------------------------------------------- */

START_TEST(test_auto_is_chosen_by_the_devices_type) {
    tally_runtime *runtime = fixture_make_runtime();
    cl_device_type type = 0;
    fixture_check(clGetDeviceInfo(fixture_get()->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    ck_assert_int_eq(runtime->device.limits.family,
                     (type & CL_DEVICE_TYPE_CPU) != 0 ? TALLY_FAMILY_CPU : TALLY_FAMILY_GPU);
    tally_runtime_release(runtime);
}
END_TEST

/* Rows, on a device that has room for wide groups: the kernels of groups are their families' own.
 */
START_TEST(test_a_forced_family_plans_its_kernels) {
    static const struct {
        tally_family family;
        bool team, rows;
    } cases[] = {{TALLY_FAMILY_GENERIC, true, false},
                 {TALLY_FAMILY_GPU, false, true},
                 {TALLY_FAMILY_CPU, false, false}};
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_F32, 2, (const uint64_t[]){5, 4000});
    desc.axes = 2;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_runtime *runtime = fixture_make_runtime_of(cases[i].family);
        ck_assert_int_eq(runtime->device.limits.family, cases[i].family);
        tally_op *op = NULL;
        tally_error error;
        fixture_ok(tally_reduce_create(runtime, &desc, &op, &error), &error, "tally_reduce_create");
        const char *plan = tally_op_describe(op);
        ck_assert_msg((strstr(plan, "1: tally_fold_any_sum") != NULL) == cases[i].team, "%s", plan);
        ck_assert_msg((strstr(plan, "1: tally_fold_rows_sum") != NULL) == cases[i].rows, "%s",
                      plan);
        tally_op_release(op);
        tally_runtime_release(runtime);
    }
}
END_TEST

Suite *suite_schedules(void);
Suite *suite_schedules(void) {
    Suite *suite = suite_create("schedules");
    TCase *cases = tcase_create("schedules");
    tcase_set_timeout(cases, 0);
    tcase_add_unchecked_fixture(cases, families_open, families_close);
    tcase_add_test(cases, test_auto_is_chosen_by_the_devices_type);
    tcase_add_test(cases, test_a_forced_family_plans_its_kernels);
    tcase_add_test(cases, test_folds_agree);
    tcase_add_test(cases, test_groups_of_axes_agree);
    tcase_add_test(cases, test_columns_agree);
    tcase_add_test(cases, test_sets_agree);
    tcase_add_test(cases, test_short_sets_agree);
    tcase_add_test(cases, test_types_and_layouts_agree);
    tcase_add_test(cases, test_maps_agree);
    tcase_add_test(cases, test_positions_are_of_terms);
    suite_add_tcase(suite, cases);
    return suite;
}
