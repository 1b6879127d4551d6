/*
 * scan_cpu.c: what the scans on CPUs make of their units.
 */
#include "parts.h"
#include "support/numbers/number.h"

static bool is_row(const tally_scan_args *args) {
    return (args->axis_in == 1 || args->axis_in == UINT64_MAX) && args->axis_in == args->axis_out;
}

static uint64_t rows_of(const plan_rules_case *it) {
    return tally_dims_elements(&it->problem->kept);
}

static const char *broken_grain(const tally_step *step) {
    return step->args.scan_cpu.grain == 0 || step->slots != step->args.scan_cpu.grain
               ? "a step knows how many units a work-item takes in one go"
               : NULL;
}

/*
 * Units whose pieces two launches have: a vector of terms of the scratch for each tile, and no
 * others; of so many units, and lines of one at most.
 */
static const char *broken_cut(const tally_plan *plan, uint64_t units, uint64_t lines) {
    static const uint8_t phases[] = {TALLY_TOTALS, TALLY_APPLY};
    const uint64_t width = number_bytes((tally_dtype)plan->step[0].spec.input) == 8 ? 4 : 8;
    if (plan->count != sizeof phases)
        return "pieces of units take two launches";
    for (uint32_t i = 0; i < plan->count; i++) {
        const tally_scan_cpu_pieces_args *args = &plan->step[i].args.scan_cpu_pieces;
        const tally_spec *spec = &plan->step[i].spec;
        if (spec->schedule != plan->step[0].spec.schedule || spec->phase != phases[i] ||
            spec->policy.scan_cpu_pieces.carry != TALLY_CARRY_TWO_PASSES)
            return "totals come first, then the pieces";
        if (args->unit_pieces < 2 || args->head.units != units * args->unit_pieces ||
            args->grain != 1)
            return "each piece of a unit is one, and there are several";
        if (args->tiles_per_row != (args->terms - 1) / TILE + 1 ||
            args->tiles_per_row < args->unit_pieces)
            return "each piece of a unit has a tile";
        if (spec->word != tally_spec_state_bytes(spec))
            return "a word is a term";
        if (args->tile_terms < lines || args->tile_terms % width != 0 ||
            args->tile_terms >= lines + width)
            return "a tile has a word for each line, in whole vectors";
        const uint64_t bytes = units * args->tiles_per_row * args->tile_terms * spec->word;
        if (plan->scratch % TALLY_SCRATCH_ALIGNMENT != 0 ||
            plan->scratch - bytes >= TALLY_SCRATCH_ALIGNMENT)
            return "the tiles' words fill the scratch";
    }
    return NULL;
}

/* So many units, of so many lines at most, cut or not. */
static const char *broken_units(const plan_rules_case *it, uint64_t units, uint64_t lines) {
    if (plan_rules_is_spread(&it->step->spec))
        return broken_cut(it->plan, units, lines);
    return it->step->args.head.units != units ? "each strip, or box of lines, is a unit" : NULL;
}

const char *plan_rules_of_scan_cpu_columns(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const uint64_t rows = rows_of(it);
    const tally_scan_cpu_columns_args *args = &step->args.scan_cpu_columns;
    const uint32_t inner = step->spec.kept_rank - 1u;
    const uint64_t bytes = number_bytes((tally_dtype)step->spec.input);
    if (args->kept_in[inner] != 1 || args->kept_out[inner] != 1 ||
        args->kept_size[inner] != args->columns || rows % args->columns != 0)
        return "columns lie side by side";
    if (args->strip_columns == 0 ||
        args->strip_columns > TALLY_SCAN_CPU_STRIP_BYTES / (bytes < 4 ? 4 : bytes) ||
        args->strip_columns * (bytes < 4 ? 4 : bytes) < 32)
        return "a strip's levels fit, and it is no narrower than a vector";
    const uint64_t strips =
        args->columns / args->strip_columns > 0 ? args->columns / args->strip_columns : 1;
    const char *broken = broken_units(it, rows / args->columns * strips, 2 * args->strip_columns);
    if (broken != NULL)
        return broken;
    if (args->unit_pieces != 0 && 4 * args->strip_columns * bytes > TALLY_SCAN_CPU_STAGE_BYTES)
        return "rows of a strip that is cut go through the stage";
    const bool packed = args->axis_in == args->columns || args->axis_in == 0 - args->columns;
    return args->columns < 32 / (bytes < 4 ? 4 : bytes) &&
                   (!packed || args->axis_out != args->axis_in)
               ? "columns that are fewer than a vector follow each other"
               : broken_grain(step);
}

/* A row, or so few columns that a vector has room for each as often as for the others. */
static const char *broken_line(const tally_step *step) {
    const tally_scan_args *args = &step->args.scan;
    const uint64_t columns = step->spec.policy.scan_cpu_line.merged,
                   last = step->spec.kept_rank - 1u;
    const uint64_t bytes = number_bytes((tally_dtype)step->spec.input);
    if (columns == 0 || 32 / (bytes < 4 ? 4 : bytes) % columns != 0)
        return "a vector holds a line's columns a whole number of times";
    if (step->spec.policy.scan_cpu_line.strided != 0)
        return columns == 1 ? NULL : "rows whose elements lie apart are walked one by one";
    if ((args->axis_in != columns && args->axis_in != 0 - columns) ||
        args->axis_in != args->axis_out)
        return "a line's terms lie one after the other";
    return columns > 1 && (args->kept_size[last] != columns || args->kept_in[last] != 1 ||
                           args->kept_out[last] != 1)
               ? "a line's columns lie side by side"
               : NULL;
}

/* Two launches; each of a line's pieces has tiles; a term of the scratch for each tile. */
static const char *broken_pieces(const tally_plan *plan, uint64_t rows) {
    static const uint8_t phases[] = {TALLY_PASS, TALLY_APPLY};
    if (plan->count != sizeof phases)
        return "pieces take two launches";
    for (uint32_t i = 0; i < plan->count; i++) {
        const tally_step *step = &plan->step[i];
        const tally_scan_cpu_rows_args *args = &step->args.scan_cpu_rows;
        const tally_spec *spec = &step->spec;
        const char *broken = broken_line(step);
        if (broken != NULL)
            return broken;
        if (spec->schedule != TALLY_SCAN_CPU_ROWS || !plan_rules_is_spread(spec) ||
            spec->phase != phases[i])
            return "the launches of pieces are in order";
        if (args->line_pieces < 2 ||
            args->head.units != rows / spec->policy.scan_cpu_line.merged * args->line_pieces ||
            args->grain != 1)
            return "each piece is a unit, two or more of each line";
        if (args->tiles_per_row != (args->terms - 1) / TILE + 1 ||
            args->tiles_per_row < 2 * args->line_pieces + 1)
            return "each piece has a tile";
        if (spec->word != tally_spec_state_bytes(spec))
            return "a word is a term";
        if (plan->scratch % TALLY_SCRATCH_ALIGNMENT != 0 ||
            plan->scratch - rows * args->tiles_per_row * spec->word >= TALLY_SCRATCH_ALIGNMENT)
            return "each tile has a word, and there are no others";
    }
    return NULL;
}

/* Boxes cover the kept axes; one that is not all terms has whole runs, and it fits its panel. */
const char *plan_rules_of_scan_cpu_panel(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_scan_cpu_panel_args *args = &step->args.scan_cpu_panel;
    const uint64_t bytes = number_bytes((tally_dtype)step->spec.input);
    const uint64_t width = bytes == 8 ? 4 : 8;
    uint64_t units = 1, lines = 1, named = UINT64_C(1) << TALLY_AXES;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++) {
        if (args->kept_box[k] == 0 || args->kept_box[k] > args->kept_size[k])
            return "a box has some coordinates of each axis";
        units *= (args->kept_size[k] - 1) / args->kept_box[k] + 1;
        lines *= args->kept_box[k];
        named |= UINT64_C(1) << k;
    }
    const char *broken = broken_units(it, units, lines);
    if (broken != NULL)
        return broken;
    if (args->columns != 1 && args->unit_pieces != 0)
        return "sets of columns are whole";
    if (args->box_terms == 0 || args->box_terms > args->terms ||
        (args->box_terms < args->terms && args->box_terms % RUN != 0))
        return "a box has all terms of its lines at a time, or whole runs";
    const uint32_t inner = step->spec.kept_rank - 1u;
    if (args->columns != 1 &&
        (args->columns != args->kept_size[inner] || args->columns != args->kept_box[inner] ||
         args->kept_in[inner] != 1 || args->kept_out[inner] != 1 ||
         (args->axis_in != args->columns && args->axis_in != 0 - args->columns)))
        return "columns that go with the terms are packed, and whole";
    /* A vector behind each row, and rows of whole pairs of vectors. */
    const uint64_t sets = lines / args->columns, row = sets + width - 1;
    if (lines > TALLY_SCAN_PANEL_LINES ||
        row * bytes * args->columns * args->box_terms > TALLY_SCAN_PANEL_BYTES)
        return "a box fits its panel";
    for (uint32_t j = 0; j <= step->spec.kept_rank; j++)
        named &= ~(UINT64_C(1) << (args->panel_order >> 4 * j & 15));
    return named != 0 || args->panel_order >> 4 * step->spec.kept_rank >> 4 != 0
               ? "the order of a panel's axes names each of them"
               : broken_grain(step);
}

const char *plan_rules_of_scan_cpu_rows(const plan_rules_case *it) {
    const uint64_t rows = rows_of(it), merged = it->step->spec.policy.scan_cpu_line.merged;
    if (plan_rules_is_spread(&it->step->spec))
        return broken_pieces(it->plan, rows);
    const char *broken = broken_line(it->step);
    if (broken == NULL && it->step->args.head.units != rows / merged)
        broken = "each line is a unit";
    return broken == NULL ? broken_grain(it->step) : broken;
}

const char *plan_rules_of_scan_cpu_short_rows(const plan_rules_case *it) {
    const tally_scan_args *args = &it->step->args.scan;
    if (!is_row(args) || args->head.units != rows_of(it))
        return "each row is a unit, and its terms lie side by side";
    return args->terms > TALLY_SHORT_TERMS ? "a short row is short" : broken_grain(it->step);
}
