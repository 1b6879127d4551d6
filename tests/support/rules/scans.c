/*
 * scans.c: what the schedules of scans make of their units.
 */
#include "parts.h"
#include "support/numbers/number.h"

/* Where columns or boxes are scanned and combining is exact, all levels before a run are one. */
bool plan_rules_has_levels(const tally_step *step) {
    static const uint64_t ends[] = {16, 256, 4096, 262144};
    const bool columns = step->spec.schedule == TALLY_SCAN_COLUMNS ||
                         step->spec.schedule == TALLY_SCAN_TRANSPOSE ||
                         plan_rules_is_staged(&step->spec);
    const bool units = step->spec.schedule == TALLY_SCAN_ROWS;
    uint32_t levels = 1;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        levels += step->args.scan.terms > ends[i];
    if (columns && levels > 2 && tally_spec_is_exact(&step->spec))
        levels = 2;
    return step->spec.levels == (columns || units ? levels : 0);
}

static uint64_t team_of(const tally_step *step) {
    return step->args.scan_columns.team_width * step->args.scan_columns.slices;
}

/* Whether a work-item of a strip loads so many bytes of columns at once: a power of two of them. */
static bool is_strip_pack(const tally_spec *spec, uint64_t bytes) {
    const uint64_t pack = spec->policy.scan_columns.pack;
    return pack >= bytes && pack <= 16 && (pack & (pack - 1)) == 0;
}

/* Runs that a team has at a time: one, a span's at most, or those of several spans of a tile. */
static bool is_share(const tally_spec *spec, uint64_t slices, uint64_t runs) {
    if (spec->policy.scan_columns.spans_at_once == 0)
        return slices == (spec->policy.scan_columns.whole_spans ? 1 : runs < RUN ? runs : RUN);
    return !spec->policy.scan_columns.whole_spans && spec->policy.scan_columns.results == 0 &&
           RUN % spec->policy.scan_columns.spans_at_once == 0 && slices % RUN == 0 &&
           slices <= spec->policy.scan_columns.spans_at_once * (uint64_t)RUN &&
           (slices == spec->policy.scan_columns.spans_at_once * (uint64_t)RUN || slices >= runs);
}

/* Results of columns that are not side by side may leave by way of local memory, along the axis. */
static bool are_results_known(const tally_step *step) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    const bool stride = args->kept_out[step->spec.kept_rank - 1] != 1;
    const bool along = args->axis_out == 1 || args->axis_out == UINT64_MAX;
    return step->spec.policy.scan_columns.results == TALLY_RESULTS_STAGED
               ? stride && along && args->slices == RUN
               : step->spec.policy.scan_columns.results == stride;
}

static const char *broken_columns(const tally_step *step, uint64_t rows) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    const tally_spec *spec = &step->spec;
    const uint64_t bytes = number_bytes((tally_dtype)spec->input);
    const uint64_t width = args->team_width * spec->policy.scan_columns.pack / bytes;
    const uint64_t runs = args->terms / RUN + (args->terms % RUN != 0);
    if (tally_spec_carry(spec) != TALLY_CARRY_WALK)
        return "a group goes down its columns";
    if (args->kept_in[spec->kept_rank - 1] != 1 ||
        args->kept_size[spec->kept_rank - 1] != args->columns || rows % args->columns != 0)
        return "columns lie side by side";
    if (!is_strip_pack(spec, bytes))
        return "so many bytes of columns are loaded at once";
    if (!are_results_known(step))
        return "a kernel knows whether results lie side by side";
    if (team_of(step) == 0 || step->slots != tally_group_slots(step))
        return "a strip of columns fits a group";
    if (args->head.units != rows / args->columns * ((args->columns - 1) / width + 1))
        return "each strip of columns is a unit";
    if (!is_share(spec, args->slices, runs))
        return "those that share a span have a run each";
    return NULL;
}

/* Spans that a group has at a time. */
static uint64_t spans_of(const tally_spec *spec) {
    const uint64_t spans = spec->policy.scan_columns.spans_at_once;
    return spans > 1 ? spans : 1;
}

/* Rows of columns that what comes before a piece takes in local memory, at most. */
static uint64_t past_rows(const tally_step *step) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    return args->tiles_per_row + (step->spec.policy.scan_columns.tile_parts ? RUN : 0);
}

/* A launch over pieces of strips, or between two of them; words for each piece's tile or spans. */
static const char *broken_strips(const tally_plan *plan, const tally_step *step, uint64_t rows) {
    const tally_spec *spec = &step->spec;
    const tally_scan_columns_args *args = &step->args.scan_columns;
    const bool parts = spec->policy.scan_columns.tile_parts;
    const uint64_t bytes = number_bytes((tally_dtype)spec->input), spans = spans_of(spec);
    const uint64_t width = args->team_width * spec->policy.scan_columns.pack / bytes;
    const uint64_t strips = (args->columns - 1) / width + 1, outer = rows / args->columns;
    const uint64_t tiles = (args->terms - 1) / TILE + 1, stretches = (tiles - 1) / 64 + 1;
    const uint64_t piece = parts ? spans * RUN * RUN : TILE;
    const uint64_t pieces = outer * ((args->terms - 1) / piece + 1);
    const uint64_t words = pieces * (parts ? spans : 1) * strips * width;
    const bool follows = plan->count == 2, spine = spec->phase == TALLY_SPINE;
    if (args->tiles_per_row != tiles || args->stretches_per_row != stretches ||
        args->slices != spans * RUN || RUN % spans != 0 || team_of(step) != spec->group)
        return "columns have tiles of 16 spans, and stretches";
    if (args->head.units != (spine ? outer * ((strips * width - 1) / 16 + 1) : pieces * strips))
        return "each piece of a strip is a unit, and each 16 columns";
    if (!is_strip_pack(spec, bytes) || !are_results_known(step))
        return "so many bytes of columns are loaded at once, and results known";
    if (spec->policy.scan_columns.whole_spans || (parts && !follows && tiles == 1))
        return "spans are shared, and parts of a single tile followed";
    if (follows && past_rows(step) * width * tally_spec_state_bytes(spec) > TALLY_FOLLOWED_BYTES)
        return "what is before a piece that follows has room";
    if (args->stretches < words ||
        plan->scratch <
            (args->stretches + (follows ? 0 : outer * stretches * strips * width)) * spec->word)
        return "words lie behind one another in the scratch";
    return spec->word != tally_spec_state_bytes(spec) ? "a word is a term" : NULL;
}

/* Three launches, or two. */
static const char *broken_launches(const tally_plan *plan, uint64_t rows) {
    static const uint8_t three[] = {TALLY_TOTALS, TALLY_SPINE, TALLY_APPLY};
    static const uint8_t two[] = {TALLY_TOTALS, TALLY_FOLLOW};
    const uint8_t *phases = plan->count == sizeof two ? two : three;
    const char *broken = NULL;
    if (plan->count != sizeof two && plan->count != sizeof three)
        return "long columns take two launches or three";
    for (uint32_t i = 0; i < plan->count && broken == NULL; i++) {
        const tally_spec *spec = &plan->step[i].spec;
        if (spec->phase != phases[i] || spec->schedule != TALLY_SCAN_COLUMNS ||
            tally_spec_carry(spec) != TALLY_CARRY_TWO_PASSES)
            return "the launches of long columns are in order";
        broken = broken_strips(plan, &plan->step[i], rows);
    }
    return broken;
}

bool plan_rules_is_spread(const tally_spec *spec) {
    const uint16_t carry = tally_spec_carry(spec);
    return carry == TALLY_CARRY_TWO_PASSES || carry == TALLY_CARRY_LOOK_BACK;
}

uint64_t plan_rules_scan_columns(const tally_spec *spec) {
    return spec->schedule == TALLY_SCAN_ROWS && spec->policy.scan_rows.merged > 0
               ? spec->policy.scan_rows.merged
               : 1;
}

const char *plan_rules_of_scan_columns(const plan_rules_case *it) {
    const uint64_t rows = tally_dims_elements(&it->problem->kept);
    return plan_rules_is_spread(&it->step->spec) ? broken_launches(it->plan, rows)
                                                 : broken_columns(it->step, rows);
}

const char *plan_rules_of_scan_any(const plan_rules_case *it) {
    return it->step->args.head.units != tally_dims_elements(&it->problem->kept)
               ? "each row is a unit"
               : NULL;
}

const char *plan_rules_of_scan_carry(const plan_rules_case *it) {
    return !it->problem->partial.from_states ? "only states of parts are combined to a carry"
           : it->step->args.head.units != tally_dims_elements(&it->problem->kept)
               ? "each line is a unit"
               : NULL;
}
