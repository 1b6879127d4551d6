/*
 * fold.h: what the simulated folds share. Each finds what a unit covers and where its elements
 * lie as its kernel does.
 */
#ifndef TESTS_SUPPORT_SIMULATION_FOLD_H
#define TESTS_SUPPORT_SIMULATION_FOLD_H

#include "cl/core/order.h"
#include "launch.h"

/* A block of one output's terms: the i-th of them lies i strides from the origin, or by the axes.
 */
typedef struct sim_terms {
    uint64_t output, number, origin, begin, end;
    uint64_t stride; /* 0: the swept axes say where */
} sim_terms;

uint64_t sim_least(uint64_t a, uint64_t b);

/* The number-th block of an output, its origin still unknown; where the output's terms begin. */
sim_terms sim_terms_of(const sim_launch *launch, uint64_t output, uint64_t number);
uint64_t sim_origin(const sim_launch *launch, uint64_t output);

/* Work-items that share a block of rows. */
uint64_t sim_row_mates(const sim_launch *launch);

/* The elements i, i + lanes and so on of a block; a lane of elements or states, of all the lanes.
 */
sim_state sim_fold_elements(const sim_launch *launch, const sim_terms *it, uint64_t i,
                            uint64_t lanes);
sim_state sim_fold_lane(const sim_launch *launch, const sim_terms *it, uint64_t lane);

/* So many lanes combined by halving; lanes without a term are the identity or not there. */
sim_state sim_halve(const sim_launch *launch, sim_state *sums, uint64_t count);

/* A block of elements or states, in as many lanes as it needs; of elements, in that many. */
sim_state sim_fold_lanes(const sim_launch *launch, const sim_terms *it);
sim_state sim_fold_block(const sim_launch *launch, const sim_terms *it, uint64_t lanes);

/* Lines of so many terms, those of a piece of one, and lines that a unit has; a unit of them. */
typedef struct sim_lines {
    uint64_t terms, lines, piece, at_once;
} sim_lines;

void sim_fold_lines(const sim_launch *launch, uint64_t unit, const sim_lines *it);

/* Write a block's state: on for the next launch, or as its output's result. */
void sim_put_result(const sim_launch *launch, const sim_terms *it, sim_state state);

/* Each of a launch's units once: groups go on to the next ones they have room for, slots each. */
void sim_each_unit(const sim_launch *launch, uint64_t slots,
                   void (*visit)(const sim_launch *launch, uint64_t unit));

#endif
