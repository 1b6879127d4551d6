/*
 * The files that sources are made of: each is embedded whole, and a message of the compiler's in a
 * program points into the file and the line that it is about.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "cl/core/sizes.h"
#include "plan/program/embedded.h"
#include "plan/program/source.h"
#include "support/plans/source_scan.h"

START_TEST(messages_point_into_the_files) {
    static const char *const files[] = {
        "order.h",
        "sizes.h",
        "args.h",
        "fold_args.h",
        "scan_args.h",
        "fill_args.h",
        "units.h",
        "number.cl",
        "pack.cl",
        "offset.cl",
        "math.cl",
        "state.cl",
        "fold.cl",
        "scan.cl",
        "fill.cl",
        "fold_any_item.cl",
        "fold_any_team.cl",
        "fold_any_lines.cl",
        "fold_staged.cl",
        "fold_rows.cl",
        "fold_columns_rows.cl",
        "fold_columns.cl",
        "fold_image.cl",
        "fold_short_rows.cl",
        "scan_any_item.cl",
        "scan_any_team.cl",
        "exp.cl",
        "rows.cl",
        "rows_stripes.cl",
        "rows_combine.cl",
        "number_vector.cl",
        "cache_line.cl",
        "transpose_vector.cl",
        "weave.cl",
        "math_vector.cl",
        "state_vector.cl",
        "take_vector.cl",
        "merge_vector.cl",
        "fold_cpu.cl",
        "fill_map.cl",
        "fold_cpu_map.cl",
        "fold_cpu_rows.cl",
        "fold_cpu_short_rows.cl",
        "fold_cpu_sets.cl",
        "fold_cpu_few_rows.cl",
        "fold_cpu_packed.cl",
        "fold_cpu_strips.cl",
        "fold_cpu_visits.cl",
        "fold_cpu_columns.cl",
        "fold_cpu_spaced.cl",
        "fold_cpu_line.cl",
        "fold_cpu_box.cl",
        "fold_cpu_panel.cl",
        "fold_cpu_lines.cl",
        "scan_image.cl",
        "scan_short_rows.cl",
        "scan_columns_walk.cl",
        "scan_rows_tile.cl",
        "scan_rows.cl",
        "scan_rows_walk.cl",
        "scan_rows_recompute.cl",
        "scan_spans.cl",
        "scan_chain_words.cl",
        "scan_chain_left.cl",
        "scan_rows_passes.cl",
        "scan_rows_follow.cl",
        "math_wide.cl",
        "extreme_vector.cl",
        "fill_memory.cl",
        "scan_vector.cl",
        "scan_cpu.cl",
        "scan_cpu_rows.cl",
        "scan_cpu_batch.cl",
        "scan_cpu_line.cl",
        "scan_cpu_pieces.cl",
        "scan_cpu_short_rows.cl",
        "scan_cpu_strip.cl",
        "scan_cpu_wide.cl",
        "scan_cpu_columns.cl",
        "scan_columns_rows.cl",
        "scan_columns.cl",
        "scan_columns_whole.cl",
        "scan_columns_passes.cl",
        "scan_levels.cl",
        "scan_staged_box.cl",
        "scan_staged_moves.cl",
        "scan_staged_runs.cl",
        "scan_spine.cl",
        "scan_staged_words.cl",
        "scan_staged_chain.cl",
        "scan_staged.cl",
        "scan_transpose.cl",
        "scan_cpu_box.cl",
        "scan_cpu_bring.cl",
        "scan_cpu_send.cl",
        "scan_cpu_panel.cl",
        "fill_axes.cl",
        "fill_packs.cl",
        "box_positions.cl",
        "box_share.cl",
        "fill_squares.cl",
        "fill_elements.cl",
        "fill_box.cl",
        "fill_transpose.cl",
        "fill_cpu_pattern.cl",
        "fill_cpu_chunks.cl",
        "fill_cpu_lines.cl",
        "fill_cpu_lanes.cl",
        "fill_cpu_transpose.cl",
        "fill_cpu_box.cl",
    };
    tally_text all = TALLY_TEXT_INIT;
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++) {
        const bool fill = tally_schedule_find(schedule)->kind == TALLY_KIND_FILL;
        tally_spec program = {.schedule = schedule,
                              .function = (uint8_t)(fill ? 0 : TALLY_SUM),
                              .input = TALLY_F32,
                              .kept_rank = 2,
                              .swept_rank = 1,
                              .index_bits = 32};
        tally_source_write(&program, &all);
        program.group = 64;
        for (uint16_t carry = 0; carry <= TALLY_CARRY_LOOK_BACK; carry++) {
            program.policy.field[0] = carry; /* where it is a carry, and the first */
            if (tally_spec_carry(&program) == carry)
                tally_source_write(&program, &all);
        }
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char line[96];
        const tally_embedded *file = tally_embedded_files;
        while (file->name != NULL && strcmp(file->name, files[i]) != 0)
            file++;
        ck_assert_msg(file->name != NULL, "there is no %s", files[i]);
        snprintf(line, sizeof line, "\n#line 1 \"%s\"\n", file->path);
        if (strstr(all.data, line) == NULL)
            ck_abort_msg("no program has %s", file->path);
    }
    tally_text_free(&all);
}
END_TEST

START_TEST(the_files_are_embedded_whole) {
    int files = 0;
    for (const tally_embedded *file = tally_embedded_files; file->name != NULL; file++, files++) {
        const size_t length = strlen(file->text);
        ck_assert_uint_gt(length, 100);
        ck_assert_int_eq(file->text[length - 1], '\n');
        for (size_t i = 0; i < length; i++)
            if ((file->text[i] < ' ' && file->text[i] != '\n') || file->text[i] == 127)
                ck_abort_msg("%s has the byte %d", file->path, file->text[i]);
        ck_assert(source_scan_balanced(file->text));
    }
    ck_assert_int_ge(files, 24);
}
END_TEST

Suite *suite_source_files(void);

Suite *suite_source_files(void) {
    Suite *suite = suite_create("source_files");
    TCase *tests = tcase_create("source_files");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, messages_point_into_the_files);
    tcase_add_test(tests, the_files_are_embedded_whole);
    suite_add_tcase(suite, tests);
    return suite;
}
