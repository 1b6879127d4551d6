/*
 * plan_rules_scan_cpu.c: what the scans on CPUs make of their units.
 */
#include "number.h"
#include "plan_rules_parts.h"

/* Numbers of the kernels, written once more. */
#define SHORT_TERMS 128
#define STRIP_BYTES 4096
#define ACROSS 64

static bool is_row(const tally_scan_args *args) {
    return (args->axis_in == 1 || args->axis_in == UINT64_MAX) && args->axis_in == args->axis_out;
}

static const char *broken_columns(const tally_step *step, uint64_t rows) {
    const tally_scan_args *args = &step->args.scan;
    const uint32_t inner = step->spec.kept_rank - 1u;
    const uint64_t bytes = number_bytes((tally_dtype)step->spec.input);
    const bool apart = args->kept_out[inner] != 1;
    if (step->spec.stack != apart || (apart && args->axis_out != 1 && args->axis_out != UINT64_MAX))
        return "results lie side by side, or along the axis, as the kernel knows";
    if (args->kept_in[inner] != 1 || args->kept_size[inner] != args->columns ||
        rows % args->columns != 0)
        return "columns lie side by side";
    if (args->across == 0 ||
        args->across > (apart ? ACROSS : STRIP_BYTES / (bytes < 4 ? 4 : bytes)) ||
        args->across * (bytes < 4 ? 4 : bytes) < 32)
        return "a strip's levels fit, and it is no narrower than a vector";
    const uint64_t strips = args->columns / args->across > 0 ? args->columns / args->across : 1;
    if (args->head.units != rows / args->columns * strips)
        return "each strip of columns is a unit";
    const bool packed = args->axis_in == args->columns || args->axis_in == 0 - args->columns;
    return args->columns < 32 / (bytes < 4 ? 4 : bytes) &&
                   (!packed || args->axis_out != args->axis_in)
               ? "columns that are fewer than a vector follow each other"
               : NULL;
}

const char *plan_rules_scan_cpu(const tally_step *step, uint64_t rows) {
    const tally_scan_args *args = &step->args.scan;
    const uint8_t schedule = step->spec.schedule;
    if (args->slices == 0 || step->slots != args->slices)
        return "a step knows how many units a work-item takes in one go";
    if (schedule == TALLY_SCAN_CPU_COLUMNS)
        return broken_columns(step, rows);
    if (!is_row(args) || args->head.units != rows || args->columns != 0 || args->across != 0)
        return "each row is a unit, and its terms lie side by side";
    return schedule == TALLY_SCAN_CPU_TILE && args->terms > SHORT_TERMS ? "a short row is short"
                                                                        : NULL;
}
