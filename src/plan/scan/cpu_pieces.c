/*
 * Units of long lines that are too few for the cores of a CPU are cut into pieces; see
 * cl/agent/scan_cpu/scan_cpu_pieces.cl. It decides no bits.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

uint64_t tally_plan_scan_cpu_pieces(const tally_limits *limits, uint64_t units, uint64_t bytes) {
    const uint64_t pieces = limits->units / units, most = bytes / TALLY_SCAN_PIECE_BYTES;
    return tally_plan_least(pieces, most);
}

void tally_plan_scan_cpu_cut(const tally_limits *limits, uint64_t bytes, uint64_t lines,
                             tally_plan *plan) {
    tally_step base = plan->step[0];
    tally_scan_cpu_pieces_args *args = &base.args.scan_cpu_pieces;
    const uint64_t width = 32 / tally_dtype_find(base.spec.input)->compute_bytes;
    const uint64_t units = args->head.units, tiles = tally_plan_parts(args->terms, TALLY_TILE);
    const uint64_t pieces =
        tally_plan_least(tally_plan_scan_cpu_pieces(limits, units, bytes), tiles);
    if (pieces < 2)
        return;
    base.spec.policy.scan_cpu_pieces.carry = TALLY_CARRY_TWO_PASSES;
    base.spec.word = (uint8_t)tally_spec_state_bytes(&base.spec);
    base.spec.group = 1;
    args->grain = 1;
    args->unit_pieces = pieces;
    args->tiles_per_row = tiles;
    args->tile_terms = tally_plan_parts(lines, width) * width;
    plan->scratch = tally_plan_scratch(units * tiles * args->tile_terms * base.spec.word);
    const uint64_t launch[TALLY_PHASES] = {
        [TALLY_TOTALS] = units * pieces, [TALLY_APPLY] = units * pieces};
    tally_plan_launches(base, 1u << TALLY_TOTALS | 1u << TALLY_APPLY, launch, plan);
}
