/*
 * A chain of units that are spread over groups which look back at each other: where their words
 * lie, and how groups take units and wait. See cl/group/scan_chain_words.cl.
 */
#ifndef TALLY_PLAN_SCAN_CHAIN_H
#define TALLY_PLAN_SCAN_CHAIN_H

#include "plan/plan.h"

/* Chains of so many units in all, and what each is. */
typedef struct tally_chain {
    uint64_t chains, units; /* and of all of them */
    uint64_t columns;       /* of a unit, side by side */
    uint64_t unit_terms, state_bytes;
    bool once; /* in one launch, whose words are in a board */
} tally_chain;

/*
 * Set the chain's arguments of a step whose terms are set. The words of each level lie behind one
 * another, of step->spec.word bytes. Returns the bytes of all.
 */
uint64_t tally_chain_set(const tally_limits *limits, const tally_chain *it, tally_step *step);

#endif
