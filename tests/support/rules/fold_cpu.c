/*
 * fold_cpu.c: what the folds on CPUs, and maps, make of their units, worked out from what is said
 * at the head of each file of cl/: each block is one work-item's, and its states fit.
 */
#include "model/dtype.h"

#include "parts.h"
#include "support/numbers/number.h"

/* Bytes of a vector of a CPU. */
#define VECTOR_BYTES 32

/* Of a number of those that a state is made of. */
static uint64_t part_bytes(const tally_spec *spec) {
    return tally_dtype_find((tally_dtype)spec->input)->compute_bytes;
}

const char *plan_rules_of_fold_cpu_rows(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_args *args = &step->args.fold;
    const uint64_t parts = args->terms == 0 ? 1 : (args->terms - 1) / BLOCK + 1;
    if (step->spec.first && args->swept_in[step->spec.swept_rank - 1] != 1)
        return "a row's terms lie side by side";
    if (args->terms == 0 || (args->blocks == 1 && parts > LANES))
        return "a whole row has terms, and a lane for each block";
    return args->head.units != args->outputs * args->blocks
               ? "each block of each row, or the row, is a unit"
               : NULL;
}

const char *plan_rules_of_fold_cpu_short_rows(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_args *args = &step->args.fold;
    if (args->terms > LANES || args->blocks != 1)
        return "a short row has a lane for each term";
    return plan_rules_of_fold_cpu_rows(it);
}

const char *plan_rules_of_fold_cpu_packed(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_args *args = &step->args.fold;
    const tally_spec *spec = &step->spec;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1];
    uint64_t lanes = 1;
    while (lanes < args->terms && lanes < LANES)
        lanes *= 2;
    if (args->kept_in[spec->kept_rank - 1] != 1 || args->outputs % columns != 0 ||
        args->swept_in[spec->swept_rank - 1] != columns)
        return "packed columns lie side by side, and so do their rows";
    if (args->terms == 0 || lanes * columns * part_bytes(spec) > TALLY_PACKED_BYTES)
        return "the states of packed columns fit";
    return args->head.units != args->outputs / columns * args->blocks
               ? "each block of packed columns is a unit"
               : NULL;
}

/* Whether a set's columns are those of whole axes, innermost ones, so far apart in the input. */
static bool is_set(const tally_step *step, uint64_t stride) {
    const tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    uint64_t columns = 1;
    for (uint32_t k = step->spec.kept_rank; k-- > 0 && columns < args->columns;) {
        if (args->kept_in[k] != columns * stride)
            return false;
        columns *= args->kept_size[k];
    }
    return columns > 1 && columns == args->columns;
}

const char *plan_rules_of_fold_cpu_columns(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    const tally_spec *spec = &step->spec;
    const uint64_t columns = args->columns;
    if (!is_set(step, 1))
        return "columns lie side by side";
    if (args->terms == 0 || args->strip_columns == 0 || columns < VECTOR_BYTES / part_bytes(spec) ||
        args->strip_columns < VECTOR_BYTES / part_bytes(spec))
        return "a strip is no narrower than a vector";
    const uint64_t strips = columns / args->strip_columns > 0 ? columns / args->strip_columns : 1;
    if ((columns - (strips - 1) * args->strip_columns) * part_bytes(spec) > TALLY_STRIP_BYTES)
        return "a strip's states fit";
    return args->head.units != args->outputs / columns * strips * args->blocks
               ? "each block of each strip of columns is a unit"
               : NULL;
}

const char *plan_rules_of_fold_cpu_spaced(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    const tally_spec *spec = &step->spec;
    const uint64_t stride = args->kept_in[spec->kept_rank - 1];
    const uint64_t width = VECTOR_BYTES / part_bytes(spec);
    const uint64_t columns = args->columns;
    uint64_t lanes = 1;
    while (lanes < args->terms && lanes < (tally_spec_is_exact(spec) ? TALLY_SPACED_LANES : LANES))
        lanes *= 2;
    if (stride < 1 || !is_set(step, stride))
        return "spaced columns lie as far apart, each from the next";
    if (args->terms == 0 || args->sets_first != 0 || args->strip_columns == 0 ||
        args->strip_columns > columns)
        return "a strip of spaced columns has elements";
    const uint64_t strips = columns / args->strip_columns;
    const uint64_t widest = columns - (strips - 1) * args->strip_columns;
    if (lanes * ((widest - 1) / width + 1) > TALLY_SPACED_ROOM)
        return "the states of spaced columns fit";
    return args->head.units != args->outputs / columns * strips * args->blocks
               ? "each block of each strip of spaced columns is a unit"
               : NULL;
}

/*
 * Blocks of a single output, in whole rows of the axes inside the one that they are brought along.
 */
static const char *broken_cpu_line(const tally_step *step) {
    const tally_fold_cpu_panel_args *args = &step->args.fold_cpu_panel;
    const tally_spec *spec = &step->spec;
    const uint64_t room = TALLY_LINE_BYTES / number_bytes((tally_dtype)spec->input);
    uint64_t inside = 0;
    if (args->box_blocks == 0 || args->transposed_axis > spec->swept_rank)
        return "a line has blocks, and an axis along which it is brought";
    for (uint64_t k = args->transposed_axis + 1; k < spec->swept_rank; k++)
        inside = (inside > 0 ? inside : 1) * args->swept_size[k];
    if (args->transposed_axis < spec->swept_rank &&
        (inside < VECTOR_BYTES / part_bytes(spec) || args->swept_in[args->transposed_axis] != 1))
        return "squares of a line are whole ones";
    return args->box_blocks * BLOCK + 2 * inside + VECTOR_BYTES / part_bytes(spec) > room
               ? "a line's blocks fit"
               : NULL;
}

const char *plan_rules_of_fold_cpu_panel(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_panel_args *args = &step->args.fold_cpu_panel;
    const tally_spec *spec = &step->spec;
    const uint64_t width = VECTOR_BYTES / part_bytes(spec), vectors = args->box_outputs / width;
    uint64_t lanes = 1;
    while (lanes < args->terms && lanes < LANES)
        lanes *= 2;
    if (!spec->first || args->terms == 0 || args->box_outputs == 0)
        return "a box has elements";
    if (args->box_outputs == 1 ? broken_cpu_line(step) != NULL : args->box_blocks != 1)
        return args->box_outputs == 1 ? broken_cpu_line(step) : "several outputs have a block";
    if (args->box_outputs == 1
            ? args->terms < width
            : vectors * width != args->box_outputs || args->box_outputs > TALLY_PANEL_COLUMNS)
        return "a box's outputs are whole vectors and not too many, or its terms are";
    /* Of pairs a lane's run is there at once; where combining is exact there is one lane. */
    lanes = tally_spec_is_exact(spec) ? 1 : lanes;
    const uint64_t rows = spec->function == TALLY_LOG_SUM_EXP ? 8 * lanes : lanes;
    if (lanes * vectors > TALLY_PANEL_STATES ||
        (rows < args->terms ? rows : args->terms) * vectors > TALLY_PANEL_BYTES / VECTOR_BYTES)
        return "a box's states and its lanes' next runs fit";
    return args->head.units != ((args->outputs - 1) / args->box_outputs + 1) *
                                   ((args->blocks - 1) / args->box_blocks + 1)
               ? "each part of each box is a unit"
               : NULL;
}

/* ---- Maps ---------------------------------------------------------------------------------- */

const char *plan_rules_of_fold_cpu_map(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_map_args *args = &step->args.fold_cpu_map;
    const uint32_t rank = step->spec.kept_rank;
    const uint64_t columns = args->kept_size[rank - 1], piece = args->piece_elements;
    const uint64_t rows = rank > 1 ? args->kept_size[rank - 2] : 1, lines = TALLY_MAP_ROWS;
    if (it->problem->groups != 0 || args->terms != 1 || !step->spec.first || !step->spec.last)
        return "a map has one term for each output, and one launch";
    if (piece == 0)
        return "a map has pieces of lines";
    return args->head.units != args->outputs / (columns * rows) * ((columns - 1) / piece + 1) *
                                   ((rows - 1) / lines + 1)
               ? "each piece of lines is a unit of a map"
               : NULL;
}

/* Lines whose vectors are whole, and blocks that end in the next line. */
const char *plan_rules_of_fold_cpu_lines(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_lines_args *args = &step->args.fold_cpu_lines;
    const uint64_t at_once = step->spec.policy.fold_cpu_lines.lines_at_once;
    if (tally_spec_is_exact(&step->spec) || step->spec.function == TALLY_LOG_SUM_EXP)
        return "lanes are rotated where terms are combined one after the other, and symmetrically";
    if (at_once == 0 || at_once % (VECTOR_BYTES / part_bytes(&step->spec)) != 0)
        return "lines beside each other are whole vectors";
    if (args->line_terms < BLOCK)
        return "a block ends before the next line does";
    return plan_rules_lines(step, args->line_terms, args->lines, args->piece_terms, at_once);
}
