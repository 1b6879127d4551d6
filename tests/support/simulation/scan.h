/*
 * scan.h: what the simulated scans share: where a row begins, its terms and results, and the
 * walk along it, by the order's levels.
 */
#ifndef TESTS_SUPPORT_SIMULATION_SCAN_H
#define TESTS_SUPPORT_SIMULATION_SCAN_H

#include "cl/core/order.h"
#include "fold.h"

typedef struct sim_row {
    uint64_t from, to; /* where the walk begins */
} sim_row;

/* The five levels of the order, outermost first: what is complete at each before a position. */
enum { STRETCHES, TILES, SPANS, RUNS, TERMS, LEVELS };

sim_row sim_find_row(const sim_launch *launch, uint64_t unit);

/*
 * The column-th of the rows of a unit that lie side by side as one, as many as are merged;
 * a fault if they don't.
 */
sim_row sim_find_column(const sim_launch *launch, uint64_t merged, uint64_t unit, uint64_t column);

sim_state sim_load_term(const sim_launch *launch, const sim_row *it, uint64_t i);

/* Where the run ends that begins there, at most at the row's end. */
uint64_t sim_run_end(const sim_launch *launch, uint64_t begin);

/* What the levels come to; the i-th result of a row, of what its terms came to. */
sim_state sim_total_of(const sim_launch *launch, const sim_state *levels);
void sim_put_scanned(const sim_launch *launch, const sim_row *it, uint64_t i, sim_state total);

/* Scan a row from end to end. */
void sim_scan_row(const sim_launch *launch, sim_row it);

/* Results of the terms from begin to end, from these levels on. */
void sim_walk(const sim_launch *launch, const sim_row *it, uint64_t begin, uint64_t end,
              sim_state *levels);

#endif
