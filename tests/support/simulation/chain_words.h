/*
 * chain_words.h: the words by which the launches of a simulated scan along a row, or the groups of
 * one, tell each other what parts of the row came to: each is told once, with the launch's tag, and
 * one that is needed and that nobody told is a fault, unless somebody gave up.
 */
#ifndef TESTS_SUPPORT_SIMULATION_CHAIN_WORDS_H
#define TESTS_SUPPORT_SIMULATION_CHAIN_WORDS_H

#include "launch.h"

/* What a launch's units have in common. */
typedef struct sim_chain {
    const sim_launch *launch;
    const tally_scan_rows_args *args;
    uint64_t unit; /* terms */
    uint32_t merged, word, parts, tag;
    bool publishes, excused; /* groups look back; somebody may have given up */
    bool repairs;            /* what was left */
} sim_chain;

/* Parts of a row, with a word or several each. */
typedef enum sim_level { SPAN, TILE, STRETCH, PREFIX } sim_level;

/* A unit's mark: they have 4 bytes each, behind the counters. */
unsigned char *sim_chain_mark(const sim_chain *it, uint64_t job);

/* Once for each word; in a repair what was published may be published again. */
void sim_chain_publish(const sim_chain *it, sim_level of, uint64_t row, uint64_t part,
                       uint32_t column, sim_state state);

/* Fold parts onto a state; false if one is not there, which nobody but who may give up expects. */
bool sim_chain_fold(const sim_chain *it, sim_level of, uint64_t row, uint64_t first, uint64_t count,
                    uint32_t column, sim_state *sum);

#endif
