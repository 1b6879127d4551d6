/*
 * Where the words of a chain lie, for rows and for boxes.
 */
#include "plan/scan/chain.h"

#include "cl/core/order.h"
#include "plan/tuning.h"

uint64_t tally_chain_set(const tally_limits *limits, const tally_chain *it, tally_step *step) {
    tally_scan_chain_args *args = &step->args.scan_chain;
    uint64_t part = it->columns * 2 * it->state_bytes / step->spec.word;
    uint64_t marks = tally_plan_parts(it->units * sizeof(uint32_t), step->spec.word);
    bool parts = it->unit_terms < TALLY_TILE;
    args->tiles_per_row = args->terms / TALLY_TILE + 1;
    args->stretches_per_row = args->terms / TALLY_STRETCH + 1;
    uint64_t tiles = it->chains * args->tiles_per_row * part;
    uint64_t stretches = it->chains * args->stretches_per_row * part;
    args->spans = it->once ? TALLY_BOARD_COUNTERS + marks : 0;
    args->tiles = args->spans + (parts ? tiles * TALLY_RUN : 0);
    args->stretches = args->tiles + tiles;
    args->prefixes = args->stretches + stretches;
    args->spin_limit = TALLY_SCAN_SPIN_LIMIT;
    args->tickets = it->once && it->units > (uint64_t)limits->units * TALLY_SCAN_NUMBERED;
    args->tag = 1;
    return (args->prefixes + stretches) * step->spec.word;
}
