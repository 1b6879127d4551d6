/*
 * test_scan_schedules.c: who scans what changes no bit. The same scans are planned with each family
 * of kernels, and for invented GPUs of small groups, and run here (families.h).
 */
#include <check.h>
#include <string.h>

#include "cases/families.h"
#include "support/share.h"

START_TEST(test_scans_agree) {
    int teams = 0;
    for (size_t i = 0; i < FAMILIES_LENGTHS; i++) {
        for (int option = 0; option < 4; option++) {
            if (!share_has(i + (size_t)option, 2))
                continue;
            uint64_t rows = FAMILIES_ELEMENTS / families_lengths[i] < 3
                                ? FAMILIES_ELEMENTS / families_lengths[i]
                                : 3;
            uint64_t size[2] = {rows, families_lengths[i]};
            tally_cumulative desc = TALLY_CUMULATIVE_INIT;
            desc.function = TALLY_SUM;
            desc.input = desc.output = tally_tensor_packed(TALLY_F32, 2, size);
            desc.axis = 1;
            desc.exclusive = (option & 1) != 0;
            desc.descending = (option & 2) != 0;
            teams += families_scan(&desc, 0, rows * families_lengths[i] * sizeof(float));
        }
    }
    ck_assert_int_gt(teams, 0);
}
END_TEST

START_TEST(test_scans_of_columns_agree) {
    static const uint64_t terms[] = {300, 4097, 14000};
    int teams = 0;
    for (int i = 0; i < 12; i++) {
        const uint64_t size[2] = {terms[i / 4], 41};
        tally_cumulative desc = TALLY_CUMULATIVE_INIT;
        desc.function = TALLY_SUM;
        desc.input = desc.output = tally_tensor_packed(TALLY_F32, 2, size);
        desc.axis = 0;
        desc.exclusive = (i & 1) != 0;
        desc.descending = (i & 2) != 0;
        teams += families_scan(&desc, 0, size[0] * size[1] * sizeof(float));
    }
    ck_assert_int_gt(teams, 0);
}
END_TEST

/* Rows and columns of each kind for CPUs, and columns that become rows, every way. */
START_TEST(test_layouts_of_scans_agree) {
    static const struct {
        uint64_t size[2], in[2], out[2];
        uint32_t axis;
    } layouts[] = {{{40, 1003}, {1003, 1}, {1003, 1}, 1}, {{40, 1003}, {1009, 1}, {1005, 1}, 1},
                   {{999, 15}, {15, 1}, {15, 1}, 1},      {{999, 37}, {39, 1}, {38, 1}, 1},
                   {{77, 128}, {128, 1}, {128, 1}, 1},    {{4500, 3}, {3, 1}, {3, 1}, 0},
                   {{300, 133}, {133, 1}, {133, 1}, 0},   {{300, 128}, {160, 1}, {128, 1}, 0},
                   {{99, 1100}, {1, 99}, {1100, 1}, 1},   {{9, 300}, {1, 12}, {304, 1}, 1},
                   {{3, 500}, {1, 3}, {500, 1}, 1}};
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } kinds[] = {{TALLY_SUM, TALLY_F32},
                 {TALLY_SUM, TALLY_F16},
                 {TALLY_MULTIPLY, TALLY_I64},
                 {TALLY_MIN, TALLY_U8}};
    const size_t count = sizeof layouts / sizeof layouts[0];
    for (size_t i = 0; i < count * 4; i++) {
        tally_cumulative desc = TALLY_CUMULATIVE_INIT;
        const size_t k = i % count, bytes = tally_dtype_size(kinds[i / count].dtype);
        if (!share_has(i / count + k / 2, 5))
            continue;
        desc.function = kinds[i / count].function;
        desc.input = tally_tensor_packed(kinds[i / count].dtype, 2, layouts[k].size);
        desc.input.flags |= TALLY_STRIDED;
        desc.output = desc.input;
        memcpy(desc.input.stride, layouts[k].in, sizeof layouts[k].in);
        memcpy(desc.output.stride, layouts[k].out, sizeof layouts[k].out);
        desc.axis = layouts[k].axis;
        desc.exclusive = i % 2 != 0;
        desc.descending = i / 2 % 2 != 0;
        const uint64_t *out = desc.output.stride, *size = desc.output.size;
        families_scan(&desc, bytes, ((size[0] - 1) * out[0] + (size[1] - 1) * out[1] + 1) * bytes);
    }
}
END_TEST

Suite *suite_scan_schedules(void);
Suite *suite_scan_schedules(void) {
    Suite *suite = suite_create("scan_schedules");
    TCase *cases = tcase_create("scan_schedules");
    tcase_set_timeout(cases, 0);
    tcase_add_unchecked_fixture(cases, families_open, families_close);
    tcase_add_test(cases, test_scans_agree);
    tcase_add_test(cases, test_scans_of_columns_agree);
    tcase_add_test(cases, test_layouts_of_scans_agree);
    suite_add_tcase(suite, cases);
    return suite;
}
