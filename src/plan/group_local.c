/*
 * The local memory of a group, from its spec alone: a row for each schedule that has some. What is
 * counted are the arrays of the kernels' files.
 */
#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "plan/group.h"

static uint64_t elements_of(const tally_spec *spec, uint64_t bytes) {
    return bytes / tally_dtype_find(spec->input)->bytes;
}

static uint64_t compute_bytes(const tally_spec *spec) {
    return tally_dtype_find(spec->input)->compute_bytes;
}

/* ---- Folds --------------------------------------------------------------------------------- */

/*
 * Of a group that goes along lines, twice, the states of each work-item of each line of a pack, and
 * those of the shares of each line; and numbers of blocks of each line.
 */
static uint64_t lines(const tally_spec *spec) {
    const tally_fold_any_policy *policy = &spec->policy.fold_any;
    const uint64_t states = spec->group * elements_of(spec, policy->pack) +
                            policy->lines_at_once * (uint64_t)TALLY_SHARES;
    return 2 * states * tally_spec_state_bytes(spec) +
           (uint64_t)TALLY_TOLD_STEPS * policy->lines_at_once * (spec->index_bits / 8u);
}

/* A state of each lane of a group's outputs or blocks, and blocks with positions left out. */
uint64_t tally_local_fold_any(const tally_spec *spec) {
    const tally_fold_any_policy *policy = &spec->policy.fold_any;
    uint64_t together = policy->outputs_at_once > 1  ? policy->outputs_at_once
                        : policy->blocks_at_once > 1 ? policy->blocks_at_once
                                                     : 1;
    uint64_t staged = together * (TALLY_BLOCK + TALLY_BLOCK / (uint64_t)TALLY_STAGE_GAP) *
                      tally_dtype_find(spec->input)->bytes;
    if (spec->group == 0)
        return 0;
    if (policy->lines_at_once > 0)
        return lines(spec);
    return together * TALLY_LANES * tally_spec_state_bytes(spec) +
           (policy->lines_beside > 0 ? staged : 0);
}

/* Of each block at a time its parts, and eight between it and the next. */
static uint64_t blocks(const tally_spec *spec) {
    uint64_t mates = tally_row_mates(spec);
    uint64_t parts = tally_spec_is_exact(spec) ? mates : TALLY_LANES;
    return spec->group / mates * (parts + 8) * tally_spec_state_bytes(spec);
}

uint64_t tally_local_rows(const tally_spec *spec) {
    const tally_fold_rows_policy *policy = &spec->policy.fold_rows;
    return policy->whole_rows
               ? blocks(spec) + (uint64_t)TALLY_WHOLE_BLOCKS * tally_spec_state_bytes(spec)
               : blocks(spec) * policy->blocks_per_item;
}

/* What each work-item shares, unless it has all lanes of a block. */
uint64_t tally_local_columns(const tally_spec *spec) {
    const tally_fold_columns_policy *policy = &spec->policy.fold_columns;
    uint64_t pack = elements_of(spec, policy->pack);
    return policy->whole_block ? 0 : spec->group * pack * tally_spec_state_bytes(spec);
}

/*
 * Of outputs in two orders: their results, in rows with a gap between them, and positions of both.
 */
static uint64_t crossed(const tally_spec *spec) {
    uint64_t team_width = spec->policy.fold_outputs.crossed, along = spec->group / team_width;
    return along * (team_width + 1) * tally_spec_state_bytes(spec) +
           2 * (team_width + along) * (spec->index_bits / 8u);
}

/* A table of positions and of indices, and a state of each output for each who shares a block. */
uint64_t tally_local_outputs(const tally_spec *spec) {
    const tally_fold_outputs_policy *policy = &spec->policy.fold_outputs;
    uint64_t shared = spec->group * elements_of(spec, policy->pack) * tally_spec_state_bytes(spec);
    return policy->table * (1u + policy->indices) * (spec->index_bits / 8u) +
           (policy->crossed         ? crossed(spec)
            : policy->whole_outputs ? 0
                                    : shared);
}

/* The image; where work-items share a row, a leaf's states for each. */
uint64_t tally_local_short_rows(const tally_spec *spec) {
    const tally_fold_short_rows_policy *policy = &spec->policy.fold_short_rows;
    uint64_t states = tally_spec_is_exact(spec) ? 1 : policy->leaf_elements;
    uint64_t shared = policy->sharers > 1 ? states * spec->group * tally_spec_state_bytes(spec) : 0;
    return policy->of_columns ? TALLY_SHORT_COLUMNS_BYTES : TALLY_SHORT_ROWS_BYTES + shared;
}

/* ---- Scans --------------------------------------------------------------------------------- */

/* Totals of a span's runs for each slice, and of its spans. */
uint64_t tally_local_scan_any(const tally_spec *spec) {
    return spec->group > 0 ? (TALLY_SPAN + TALLY_RUN + 1) * compute_bytes(spec) : 0;
}

uint64_t tally_local_scan_carry(const tally_spec *spec) {
    return (uint64_t)spec->group * TALLY_CARRY_STATES * compute_bytes(spec);
}

/*
 * Runs with room behind them, and one more; of rows of several runs the totals of runs and of
 * spans.
 */
uint64_t tally_local_scan_short_rows(const tally_spec *spec) {
    const tally_scan_short_rows_policy *policy = &spec->policy.scan_short_rows;
    uint64_t bytes = tally_dtype_find(spec->input)->bytes, word = bytes < 4 ? 4 : bytes;
    uint64_t runs = spec->group * tally_short_rows_runs(spec);
    bool one_run = policy->row_terms > 0;
    uint64_t room = policy->pack_elements > 1 ? (bytes > 1 ? 16 : 0) : one_run ? 0 : word;
    uint64_t totals = one_run ? 0 : runs + runs / TALLY_RUN + 1;
    return ((runs + 1) * (TALLY_RUN * bytes + room) + 15) / 16 * 16 + totals * compute_bytes(spec);
}

/*
 * Two buffers of totals; or one, and for each column a span of results and a pack more, or totals
 * of spans. What comes before a piece that follows has room of its own; a spine has a total for
 * each work-item.
 */
uint64_t tally_local_scan_columns(const tally_spec *spec) {
    const tally_scan_columns_policy *policy = &spec->policy.scan_columns;
    uint64_t bytes = tally_dtype_find(spec->input)->bytes;
    uint64_t pack = elements_of(spec, policy->pack);
    uint64_t totals = spec->group * pack * compute_bytes(spec);
    uint64_t stage = spec->group / TALLY_RUN * pack * (TALLY_SPAN + pack) * bytes;
    uint64_t past = spec->phase == TALLY_FOLLOW ? TALLY_FOLLOWED_BYTES : 0;
    if (policy->whole_spans)
        return 0;
    if (spec->phase == TALLY_SPINE)
        return spec->group * compute_bytes(spec);
    if (policy->spans_at_once > 1)
        return past + totals + totals / TALLY_RUN;
    if (policy->results != TALLY_RESULTS_STAGED || spec->phase == TALLY_TOTALS)
        return past + 2 * totals;
    return past + totals + stage;
}

/* Totals of a column that a group which looks back by levels keeps; bytes that say of its unit. */
#define LOOKED (TALLY_RUN + TALLY_TILES + TALLY_WINDOW + 2)
#define UNIT_BYTES 16

/* The unit in packs, an odd number for each work-item; totals of runs, an odd number apart. */
static uint64_t unit_with(const tally_spec *spec, uint64_t past) {
    const tally_scan_rows_policy *policy = &spec->policy.scan_rows;
    uint64_t packs =
        (uint64_t)policy->runs_per_item * policy->merged * tally_dtype_find(spec->input)->bytes;
    uint64_t runs = (uint64_t)spec->group * policy->runs_per_item;
    return spec->group * (packs | 1) * 16 +
           (runs + 2 * (runs / TALLY_RUN) + 2 + past) * policy->merged * compute_bytes(spec);
}

/* The totals before the unit that a group looks back at; what it says of itself. */
static uint64_t spread_rows(const tally_spec *spec) {
    uint64_t stretches =
        TALLY_FOLLOWED_STRETCHES(compute_bytes(spec), (uint64_t)spec->policy.scan_rows.merged);
    uint64_t past =
        spec->phase == TALLY_FOLLOW ? TALLY_RUN + stretches * (TALLY_TILES + 2) : LOOKED;
    return unit_with(spec, past) + UNIT_BYTES;
}

/* The totals of runs, spans and tiles before the unit, of a row of as many as there may be. */
static uint64_t recomputed_rows(const tally_spec *spec) {
    uint64_t runs =
        TALLY_RECOMPUTE_BYTES / TALLY_RUN / compute_bytes(spec) / spec->policy.scan_rows.merged;
    return unit_with(spec, runs + 2 * (runs / TALLY_RUN) + 1 + TALLY_RUN);
}

uint64_t tally_local_scan_rows(const tally_spec *spec) {
    uint16_t carry = spec->policy.scan_rows.carry;
    return carry == TALLY_CARRY_WALK        ? unit_with(spec, 0)
           : carry == TALLY_CARRY_RECOMPUTE ? recomputed_rows(spec)
                                            : spread_rows(spec);
}

/*
 * The image; of lines that are no run, a total for each run, and lines' levels. A spine has a total
 * for each work-item.
 */
uint64_t tally_local_scan_staged(const tally_spec *spec) {
    const tally_scan_staged_policy *policy = &spec->policy.scan_staged;
    uint64_t bytes = tally_dtype_find(spec->input)->bytes, room = bytes < 4 ? 4 / bytes : 1;
    uint64_t slots = (uint64_t)spec->group * policy->runs_per_item;
    uint64_t totals = spec->levels == 1 ? TALLY_RUN : slots;
    bool writes = spec->phase != TALLY_TOTALS && !policy->direct_stores;
    bool image = !policy->in_registers || writes;
    if (spec->phase == TALLY_SPINE)
        return spec->group * compute_bytes(spec);
    uint64_t past = (uint64_t)policy->chain_lines * (LOOKED + 2 + policy->chain_spans);
    uint64_t unit = policy->chain_lines > 0 ? UNIT_BYTES : 0;
    return (image ? slots * (policy->run_terms + room) : 1) * bytes +
           (3 * totals + past) * compute_bytes(spec) + 2 * (spec->index_bits / 8u) + unit +
           16; /* where the box lies */
}

/* ---- Fills --------------------------------------------------------------------------------- */

uint64_t tally_local_fill_box(const tally_spec *spec) {
    return 3ull * spec->group * (spec->index_bits / 8u);
}

uint64_t tally_local_none(const tally_spec *spec) {
    (void)spec;
    return 0;
}

uint64_t tally_group_local_bytes(const tally_spec *spec) {
#define TALLY_SCHEDULE(enumerator, name, kind, args, policy, slots, local, ...)                    \
    [TALLY_##enumerator] = tally_local_##local,
    static uint64_t (*const local_of[TALLY_SCHEDULES])(const tally_spec *) = {
#include "plan/schedule.def"
    };
#undef TALLY_SCHEDULE
    uint64_t closing = spec->closing ? spec->group * tally_spec_state_bytes(spec) + 8u : 0;
    return closing + local_of[spec->schedule](spec);
}
