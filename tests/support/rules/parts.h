/*
 * parts.h: what rules.c puts together. Each gives a broken rule's sentence or NULL.
 */
#ifndef TESTS_SUPPORT_RULES_PARTS_H
#define TESTS_SUPPORT_RULES_PARTS_H

#include "plan/plan.h"
#include "plan/group.h"

/* Numbers of the order, written once more. What kernels have room for is in cl/core/sizes.h. */
#define LANES 128
#define LANE_RUN 8
#define BLOCK 4096
#define RUN 16
#define SPAN 256
#define TILE 4096
#define TILES 64
#define STRETCH 262144

/* Parts that something is cut into, the last of which may be shorter. */
uint64_t plan_rules_parts(uint64_t whole, uint64_t part);

/* A plan of a problem, and the step that is looked at: of a scan the first one. */
typedef struct plan_rules_case {
    const tally_problem *problem;
    const tally_plan *plan;
    const tally_step *step;
} plan_rules_case;

/* What holds of an agent's units: of each row of schedule.def, so that one without does not link.
 */
#define TALLY_SCHEDULE(enumerator, name, ...)                                                      \
    const char *plan_rules_of_##name(const plan_rules_case *it);
#include "plan/schedule.def"
#undef TALLY_SCHEDULE
const char *plan_rules_agent(const plan_rules_case *it);
const char *plan_rules_schedule(const plan_rules_case *it); /* with what holds of all folds */

/* Of all agents: see schedules.c. */
bool plan_rules_is_for_cpus(uint8_t schedule);
bool plan_rules_shares(const tally_spec *spec); /* else a group is as large as one likes */
bool plan_rules_is_wide(uint8_t schedule);      /* it moves 16 bytes per work-item */
uint64_t plan_rules_slots(const tally_step *step);
bool plan_rules_has_own_policy(const tally_spec *spec); /* and nothing of another agent's */
bool plan_rules_has_own_args(const tally_step *step);   /* likewise */
uint64_t plan_rules_block(const tally_spec *spec);      /* terms of a block */
uint64_t plan_rules_element_bytes(const tally_step *step);
uint64_t plan_rules_elements(const tally_spec *spec, uint64_t bytes); /* of the input's */
bool plan_rules_is_power_of_two(uint64_t n);

/* Launches over states, and those that fold them as elements: see states.c. */
bool plan_rules_reads_states(const tally_problem *problem, const tally_step *step);
bool plan_rules_needs_end(const tally_problem *problem); /* results take a launch of states */
const char *plan_rules_fold_of_states(const tally_problem *problem, const tally_step *step);

/* Of some. */
bool plan_rules_has_carry(const tally_spec *spec);
bool plan_rules_has_indices(const tally_spec *spec);      /* each term's index is worked out */
bool plan_rules_is_whole(const tally_spec *spec);         /* a group combines all blocks of a row */
bool plan_rules_is_staged(const tally_spec *spec);        /* boxes go through local memory */
bool plan_rules_is_spread(const tally_spec *spec);        /* units of a row over several groups */
uint64_t plan_rules_scan_columns(const tally_spec *spec); /* rows that lie as one */
bool plan_rules_has_levels(const tally_step *step);
/* Boxes of positions, of axes of these sizes: of the arguments, and each of them a unit. */
const char *plan_rules_positions(const tally_box_args *args, uint32_t rank, const tally_u64 *size,
                                 uint64_t units);
bool plan_rules_is_odd_row(uint64_t row, uint64_t bytes); /* of dwords, of narrower elements too */
/* Folds along lines: how many terms, lines, terms of a piece, and lines at once. */
const char *plan_rules_lines(const tally_step *step, uint64_t line_terms, uint64_t lines,
                             uint64_t piece_terms, uint64_t at_once);
/* The boxes of a scan; and the lines of one. */
const char *plan_rules_box(const tally_problem *problem, const tally_step *step);
uint64_t plan_rules_box_lines(const tally_step *step);
/* Words of so many chains, whose units have so many terms of columns side by side. */
const char *plan_rules_chain_words(const tally_plan *plan, uint64_t chains, uint64_t columns,
                                   uint64_t unit);
const char *plan_rules_chain_limits(const tally_limits *limits, const tally_plan *plan);

/*
 * Which positions axes with these strides reach, in one memory or, as pairs, in two, and how often;
 * the same of one axis, and of two lists of them together. NULL strides are 0. See cover.c.
 */
uint64_t plan_rules_reach_of(uint64_t size, uint64_t in, uint64_t out);
uint64_t plan_rules_reach_diagonal(uint64_t size, uint64_t out, int64_t diagonal);
uint64_t plan_rules_reach(uint32_t count, const uint64_t *size, const uint64_t *in,
                          const uint64_t *out);
uint64_t plan_rules_reach_both(uint64_t a, uint64_t b);

/* The same of a problem's outputs, in the input and in the output; what a launch of a fold reaches.
 */
uint64_t plan_rules_reach_outputs(const tally_problem *problem, bool reads, bool writes);
const char *plan_rules_fold_reach(const tally_problem *problem, const tally_step *step);

/* That a fill which is not in place gives the value to the elements of the diagonals: diagonals.c.
 */
const char *plan_rules_diagonals(const tally_problem *problem, const tally_step *step);
bool plan_rules_has_nothing_to_fill(const tally_problem *problem); /* in place */

const char *plan_rules_scratch(const tally_problem *problem, const tally_plan *plan);
const char *plan_rules_fold(const tally_problem *problem, const tally_plan *plan);
const char *plan_rules_scan(const tally_problem *problem, const tally_plan *plan);
const char *plan_rules_fill(const tally_problem *problem, const tally_plan *plan);

#endif
