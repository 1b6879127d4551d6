/*
 * A fill as a walk over the output's memory: its axes by the output's strides, neighbours merged,
 * each with what a step along it adds to the diagonal. In place it covers little more than what
 * gets the value.
 */
#ifndef TALLY_PLAN_FILL_WALK_H
#define TALLY_PLAN_FILL_WALK_H

#include "model/problem.h"

typedef struct tally_walk {
    tally_dims dims; /* outermost in the output's memory first; sizes of 1 are left out */
    uint64_t diagonal[TALLY_MAX_RANK]; /* modulo 2^64, as strides are */
    uint64_t out_start;
    int64_t low, high; /* value where (low <= diagonal < high) differs from inverted */
    bool inverted;
    bool reads;   /* the input: some of it stays, and is not in its place */
    bool sheared; /* lines go along the band, and positions may be outside of the matrix */
    bool empty;   /* nothing is written */
} tally_walk;

/* near: elements of the output's memory that are moved together, so that none is left out; or 0. */
tally_walk tally_fill_walk(const tally_problem *problem, bool in_place, uint64_t near);

#endif
