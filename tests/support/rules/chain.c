/*
 * chain.c: scans along long rows by units: what a unit is, and of those in several
 * launches which launches there are, what each does, and where their words lie.
 */
#include "model/dtype.h"
#include "parts.h"
#include "support/numbers/number.h"

static uint64_t state_bytes(const tally_spec *spec) {
    return tally_dtype_find((tally_dtype)spec->input)->compute_bytes;
}

static uint64_t followed_stretches(const tally_spec *spec) {
    return TALLY_FOLLOWED_BYTES / (TILES * state_bytes(spec) * spec->policy.scan_rows.merged);
}

/* ---- Units --------------------------------------------------------------------------------- */

static const char *broken_columns(const tally_step *step) {
    const tally_scan_args *args = &step->args.scan;
    const tally_spec *spec = &step->spec;
    const uint64_t columns = spec->policy.scan_rows.merged, last = spec->kept_rank - 1;
    const uint64_t walk = args->axis_in >> 63 != 0 ? 0 - args->axis_in : args->axis_in;
    const uint64_t walk_out = args->axis_out >> 63 != 0 ? 0 - args->axis_out : args->axis_out;
    if (walk != columns || walk_out != columns)
        return "a unit's terms lie one after the other";
    if (columns == 0)
        return "a unit has a column";
    return columns > 1 && (args->kept_size[last] != columns || args->kept_in[last] != 1 ||
                           args->kept_out[last] != 1)
               ? "a unit's columns lie side by side"
               : NULL;
}

/* What holds of units, whether a group walks along a row's or they are spread. */
static const char *broken_unit(const tally_step *step) {
    const tally_spec *spec = &step->spec;
    const uint64_t unit = tally_unit_terms(spec);
    if (unit == 0 || TILE % unit != 0 || unit % SPAN != 0 ||
        spec->group < spec->policy.scan_rows.merged)
        return "a tile is whole units, a unit whole spans, and each column has a work-item";
    return broken_columns(step);
}

static const char *broken_walk(const tally_step *step, uint64_t rows) {
    const char *broken = broken_unit(step);
    if (broken == NULL &&
        (step->args.head.units != rows / step->spec.policy.scan_rows.merged || step->slots > 1))
        broken = "each row of columns is a unit";
    return broken != NULL || (step->spec.word == 0 && step->spec.phase == 0 &&
                              step->spec.policy.scan_rows.carry == TALLY_CARRY_WALK)
               ? broken
               : "groups that walk a row publish nothing";
}

/* ---- Recompute ----------------------------------------------------------------------------- */

static const char *broken_recompute(const tally_step *step) {
    const tally_scan_args *args = &step->args.scan;
    const tally_spec *spec = &step->spec;
    if (args->terms > TALLY_RECOMPUTE_BYTES / state_bytes(spec) / spec->policy.scan_rows.merged)
        return "what is before a unit has room";
    if (spec->policy.scan_rows.runs_per_item != 1)
        return "a work-item that reads again has a run of its unit";
    if (args->head.units != args->rows * plan_rules_parts(args->terms, tally_unit_terms(spec)) ||
        step->slots > 1 || args->terms <= tally_unit_terms(spec))
        return "each unit of each row is a unit of work, and there are several";
    return spec->word == 0 && spec->phase == 0 ? broken_columns(step)
                                               : "groups that recompute publish nothing";
}

/* ---- Words --------------------------------------------------------------------------------- */

typedef struct words {
    uint64_t begin, count;
} words;

/* Of the scratch, or of a board, which begins with counters and a mark for each unit. */
const char *plan_rules_chain_words(const tally_plan *plan, uint64_t chains, uint64_t columns,
                                   uint64_t unit) {
    const tally_scan_chain_args *args = &plan->step[0].args.scan_chain;
    const tally_spec *spec = &plan->step[0].spec;
    const bool once = tally_spec_carry(spec) == TALLY_CARRY_LOOK_BACK;
    const uint64_t jobs = chains * plan_rules_parts(args->terms, unit);
    const uint64_t part = columns * (state_bytes(spec) * 2 / spec->word);
    const uint64_t tiles = chains * args->tiles_per_row * part;
    const uint64_t stretches = chains * args->stretches_per_row * part;
    const words all[] = {
        {0, once ? TALLY_BOARD_COUNTERS + plan_rules_parts(jobs * 4, spec->word) : 0},
        {args->spans, unit < TILE ? tiles * RUN : 0},
        {args->tiles, tiles},
        {args->stretches, stretches},
        {args->prefixes, stretches}};
    const uint64_t bytes = once ? plan->board : plan->scratch, room = bytes / spec->word;
    uint64_t used = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (size_t k = 0; k < i; k++)
            if (all[i].count > 0 && all[k].count > 0 &&
                all[i].begin < all[k].begin + all[k].count &&
                all[k].begin < all[i].begin + all[i].count)
                return "no two parts have one word";
        if (all[i].begin > room || all[i].count > room - all[i].begin)
            return "words lie in the scratch, or in a board";
        if (all[i].count > 0 && all[i].begin + all[i].count > used)
            used = all[i].begin + all[i].count;
    }
    if (args->tiles_per_row * TILE < args->terms ||
        args->stretches_per_row * STRETCH < args->terms ||
        (unit < TILE && args->tiles_per_row * TILE < plan_rules_parts(args->terms, unit) * unit))
        return "each part of a row has a word";
    if ((once ? plan->scratch : plan->board) != 0 || args->tag == 0)
        return "words lie in one memory, and have a tag";
    return bytes % TALLY_SCRATCH_ALIGNMENT != 0 ||
                   bytes - used * spec->word >= TALLY_SCRATCH_ALIGNMENT
               ? "the words take no more than they need"
               : NULL;
}

/* ---- Launches ------------------------------------------------------------------------------ */

static const char *broken_phase(const tally_step *step) {
    const tally_scan_rows_args *args = &step->args.scan_rows;
    const uint64_t jobs = args->rows * plan_rules_parts(args->terms, tally_unit_terms(&step->spec));
    const uint64_t units[] = {[TALLY_PASS] = jobs,
                              [TALLY_TOTALS] = args->rows * plan_rules_parts(args->terms, TILE),
                              [TALLY_SPINE] = args->rows,
                              [TALLY_APPLY] = jobs,
                              [TALLY_FOLLOW] = jobs};
    if (args->head.units != units[step->spec.phase])
        return "a launch of a chain has its phase's units";
    if (jobs >= UINT32_MAX / 2)
        return "tickets have 32 bits";
    return step->slots != 1 ? "a group has a unit at a time" : NULL;
}

/* All launches have one program's arguments, but for what is their own. */
static bool is_alike(tally_step a, const tally_step *b) {
    const tally_spec x = tally_spec_program(&a.spec), y = tally_spec_program(&b->spec);
    const tally_scan_rows_args *one = &a.args.scan_rows, *other = &b->args.scan_rows;
    return tally_spec_equal(&x, &y) && one->spans == other->spans && one->tiles == other->tiles &&
           one->stretches == other->stretches && one->prefixes == other->prefixes &&
           one->tiles_per_row == other->tiles_per_row &&
           one->stretches_per_row == other->stretches_per_row && one->tag == other->tag &&
           one->lead == other->lead && one->spin_limit == other->spin_limit;
}

static const char *broken_chain(const tally_plan *plan) {
    static const uint8_t passes[][4] = {{TALLY_TOTALS, TALLY_SPINE, TALLY_APPLY},
                                        {TALLY_TOTALS, TALLY_FOLLOW},
                                        {TALLY_PASS},
                                        {TALLY_FOLLOW}};
    const tally_scan_rows_args *args = &plan->step[0].args.scan_rows;
    const bool once = tally_spec_carry(&plan->step[0].spec) == TALLY_CARRY_LOOK_BACK;
    const bool follows = plan->step[plan->count - 1].spec.phase == TALLY_FOLLOW;
    const uint8_t *phases = passes[2 * once + follows];
    const char *broken = NULL;
    if (plan->count >= sizeof passes[0] || phases[plan->count] != 0)
        return "a chain has its launches";
    if (follows && plan_rules_parts(args->terms, STRETCH) > followed_stretches(&plan->step[0].spec))
        return "what is before a unit that follows has room";
    for (uint32_t i = 0; i < plan->count && broken == NULL; i++) {
        const tally_step *step = &plan->step[i];
        if (step->spec.schedule != TALLY_SCAN_ROWS || !is_alike(*step, &plan->step[0]) ||
            step->spec.phase != phases[i])
            return "a chain's launches are in order";
        broken = broken_unit(step);
        if (broken == NULL)
            broken = broken_phase(step);
    }
    const tally_spec *spec = &plan->step[0].spec;
    return broken == NULL ? plan_rules_chain_words(plan, args->rows, spec->policy.scan_rows.merged,
                                                   tally_unit_terms(spec))
                          : broken;
}

const char *plan_rules_of_scan_rows(const plan_rules_case *it) {
    const tally_spec *spec = &it->step->spec;
    if (plan_rules_is_spread(spec))
        return spec->word == 4 || spec->word == 8 ? broken_chain(it->plan)
                                                  : "a word has 4 or 8 bytes";
    return tally_spec_carry(spec) == TALLY_CARRY_RECOMPUTE
               ? broken_recompute(it->step)
               : broken_walk(it->step, tally_dims_elements(&it->problem->kept));
}

/* As docs/performance-notes.md has it. */
#define BOARD_MOST (UINT64_C(16) << 20)

const char *plan_rules_chain_limits(const tally_limits *limits, const tally_plan *plan) {
    const tally_step *last = &plan->step[plan->count - 1];
    const bool once = tally_spec_carry(&last->spec) == TALLY_CARRY_LOOK_BACK;
    if (!once && (last->spec.schedule != TALLY_SCAN_ROWS || !plan_rules_is_spread(&last->spec)))
        return plan->board == 0 ? NULL : "only groups that look back have a board";
    if (plan->board > BOARD_MOST)
        return "a board has at most 16 MB";
    if (last->spec.word != limits->word_bytes)
        return "words are those of the device";
    return once && !limits->single_pass
               ? "groups wait for one another where the device says so, and nowhere else"
               : NULL;
}
