/*
 * A plan: the launches that solve a problem on a device, as plain data. Who computes what when is
 * decided here; the bits are not. Knows no OpenCL.
 */
#ifndef TALLY_PLAN_PLAN_H
#define TALLY_PLAN_PLAN_H

#include "base/text.h"
#include "plan/limits.h"
#include "plan/step.h"

/*
 * Folding 2^63 terms in blocks of 4096 takes 6 launches; each group of axes may add one, and so may
 * a copy of the results.
 */
#define TALLY_MAX_STEPS 14

/* More scratch than any device has: a plan that needs so much or more is refused. */
#define TALLY_SCRATCH_MAX (UINT64_C(1) << 62)

/* No steps: the output is empty, there is nothing to do. */
typedef struct tally_plan {
    uint32_t count;
    uint32_t out_of_place_steps; /* so many, from the first on, where input and output lie apart,
                       and the others in place; 0: all of them, either way */
    bool closing; /* the last step has no launch: closing groups of the one before do it */
    tally_step step[TALLY_MAX_STEPS];
    uint64_t scratch; /* bytes */
    uint64_t board; /* bytes of the operator's own that groups of a launch publish to each other in,
                       for each launch under way; 0: none */
} tally_plan;

/* Plan a problem. Unsupported if the device lacks what it needs: fp64, address space. */
tally_status tally_plan_make(const tally_problem *problem, const tally_limits *limits,
                             tally_plan *plan, tally_error *error);

/* The launches of a plan: its steps, but for a last one that closing groups do. */
uint32_t tally_plan_launch_count(const tally_plan *plan);

/* Launches of one enqueue, at most; a marker counts as one. */
uint32_t tally_plan_most_launches(const tally_plan *plan);

/* The steps of one enqueue: how many, from *first on. */
uint32_t tally_plan_steps(const tally_plan *plan, bool in_place, uint32_t *first);

/* Say the plan in words, a line for each step. */
void tally_plan_describe(const tally_plan *plan, tally_text *text);

/* ---- Shared by the planners ---------------------------------------------------------------- */

void tally_plan_fold(const tally_problem *problem, const tally_limits *limits, tally_plan *plan);
void tally_plan_scan(const tally_problem *problem, const tally_limits *limits, tally_plan *plan);
void tally_plan_fill(const tally_problem *problem, const tally_limits *limits, tally_plan *plan);

/*
 * The problem whose terms a fold's plan follows. Where combining does not round, swept axes need
 * not be folded in the order of their groups: on a GPU each is a group, the closest in memory
 * first, or all are one; on a CPU, unless an index is asked for, those that merge in the order of
 * memory are one. Where an index is asked for, swept axes have its steps in place of strides of the
 * output.
 */
tally_problem tally_plan_fold_problem(const tally_problem *problem, const tally_limits *limits);

/*
 * The terms of a block: TALLY_BLOCK, or more in a launch over elements in which the order does not
 * matter.
 */
uint64_t tally_plan_block(const tally_problem *problem, const tally_limits *limits, bool first,
                          uint64_t terms);

/*
 * Whether one launch should fold all blocks, of which there are several, of each of these rows, of
 * elements if first and else of states, and combine them as well.
 */
bool tally_plan_is_whole(const tally_problem *problem, const tally_limits *limits, bool first,
                         uint64_t outputs, uint64_t terms);

/* Choose the kernel of a fold's step whose arguments are set, with the sizes it asks for. */
void tally_plan_fold_schedule(const tally_problem *problem, const tally_limits *limits,
                              tally_step *step);

/*
 * Groups of swept axes, the innermost ones, that the first launch folds: more than one where a
 * work-item has so few terms of an output that it can fold them all.
 */
uint32_t tally_plan_nested(const tally_problem *problem, const tally_limits *limits);

/* Whether a fold sweeps nothing and the family has kernels for that: a map. */
bool tally_plan_is_map(const tally_problem *problem, const tally_limits *limits);

/*
 * A map as GPUs have it: a fill that covers nothing, and makes the function's result of what it
 * reads. Indices, which are all 0, are zeros, and nothing is read.
 */
tally_problem tally_plan_map_fill(const tally_problem *problem);

/* A fill that covers nothing: it copies elements of the output's type, which lie as the kept axes'
 * strides of the input say. */
tally_problem tally_plan_copy_fill(const tally_problem *problem);

/*
 * What a fold's plan folds, as tally_plan_fold_problem has it, if its results had better lie packed
 * and then be copied. That is so where kept axes repeat elements of the input: the packed problem
 * leaves these axes out. It is so where a CPU would scatter results. False if not, and *packed is
 * undefined.
 */
bool tally_plan_fold_packed(const tally_problem *problem, const tally_limits *limits,
                            tally_problem *packed);

/* The fill that copies such results, from the first one on, to all of their positions. */
tally_problem tally_plan_results_fill(const tally_problem *problem);

/* Have the last step of a plan of such a fold write to the scratch, and add the fill. */
void tally_plan_copy_results(const tally_problem *problem, const tally_limits *limits,
                             tally_plan *plan);

/* Whether a problem reads or writes states of parts. */
bool tally_plan_has_states(const tally_problem *problem);

/*
 * Have a plan of a part, whose last step leaves states of each line side by side, hand on states as
 * parts do: lines side by side, and indices those in the whole.
 */
void tally_plan_hand_on(const tally_problem *problem, const tally_limits *limits, tally_plan *plan);

/* Have the last step of a plan write to the scratch, and add the fill that copies what it wrote. */
void tally_plan_add_copy(const tally_problem *fill, const tally_limits *limits, tally_plan *plan);

/* The axes of a map's outputs in the order in which a CPU's kernel goes along them. */
void tally_plan_map_axes(tally_dims *axes);

/* A CPU's kernel for a map, whose axes are there. */
void tally_plan_map_cpu(const tally_problem *problem, const tally_limits *limits, tally_step *step);

/*
 * Whether the terms of a step, whose arguments are set, come in another order than their indices,
 * so that each one's is worked out.
 */
bool tally_plan_has_indices(const tally_problem *problem, const tally_step *step);

/* Plan columns as sets, if they are few and keep the device busy so; false if not. */
bool tally_plan_sets(const tally_problem *problem, const tally_limits *limits, tally_step *step);

/* Whether a step whose arguments are set may be folded by outputs, and the plan for that. */
bool tally_plan_has_outputs(const tally_problem *problem, const tally_limits *limits,
                            const tally_step *step);
void tally_plan_outputs(const tally_problem *problem, const tally_limits *limits, tally_step *step);

/*
 * Whether work-items of such a step should stand beside each other both as terms lie and as results
 * do, whose order is another one; then its outputs are dealt so, and its kept axes are in an order
 * for that.
 */
bool tally_plan_crossed(const tally_problem *problem, const tally_limits *limits, tally_step *step);

/* Whether outputs of such a step are side by side as it reads: its innermost kept axis has
 * stride 1.
 */
bool tally_plan_is_side_by_side(const tally_step *step);

/* Plan a fold over any strides, by work-items or groups. */
void tally_plan_any(const tally_problem *problem, const tally_limits *limits, tally_step *step);

/* How many groups should share each block of such a step, the plan's first, to fill the device. */
uint64_t tally_plan_split(const tally_problem *problem, const tally_limits *limits,
                          const tally_step *step);

/* Choose a CPU's kernel likewise; false if none of its schedules serves the step. */
bool tally_plan_fold_cpu(const tally_problem *problem, const tally_limits *limits,
                         tally_step *step);

/* What tally_plan_is_whole says of a CPU. */
bool tally_plan_cpu_is_whole(const tally_problem *problem, const tally_limits *limits, bool first,
                             uint64_t outputs, uint64_t terms);

/*
 * The planners of scans for some layouts, from a plan of one step whose arguments are set for
 * scan_any; false if theirs is another layout, and the plan as it was.
 */
bool tally_plan_scan_rows(const tally_problem *problem, const tally_limits *limits,
                          tally_plan *plan);
bool tally_plan_scan_short_rows(const tally_problem *problem, const tally_limits *limits,
                                tally_plan *plan);
bool tally_plan_scan_pieces(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan);
bool tally_plan_scan_columns(const tally_problem *problem, const tally_limits *limits,
                             tally_plan *plan);
bool tally_plan_scan_staged(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan);
bool tally_plan_scan_transpose(const tally_problem *problem, const tally_limits *limits,
                               tally_plan *plan);
bool tally_plan_scan_short(const tally_problem *problem, const tally_limits *limits,
                           tally_plan *plan);
bool tally_plan_scan_cpu(const tally_problem *problem, const tally_limits *limits,
                         tally_plan *plan);
bool tally_plan_scan_cpu_states(const tally_problem *problem, const tally_limits *limits,
                                tally_plan *plan);
bool tally_plan_scan_cpu_carried(const tally_problem *problem, const tally_limits *limits,
                                 tally_plan *plan);

/* Make the plan a copy of this step for each of these phases, a bit each, in their order; units[p]
 * is what the launch of the phase p has. */
void tally_plan_launches(tally_step base, uint32_t phases, const uint64_t units[TALLY_PHASES],
                         tally_plan *plan);

/* Whether a scan's layout is left to schedules that keep terms in registers. */
bool tally_plan_scan_is_direct(const tally_problem *problem, const tally_limits *limits);

/* Columns that lie side by side on both sides, some sectors of them, in rows that begin at packs:
 * cl/kernel/scan_columns_passes.cl serves few long ones. */
bool tally_plan_scan_has_columns(const tally_problem *problem);

/* A scan by boxes, on a CPU, of any layout; the step is set for scan_any before. */
void tally_plan_scan_panel(const tally_problem *problem, const tally_limits *limits,
                           tally_plan *plan);

/* Pieces that each of so many units of so many bytes is worth on a CPU: 0 or 1, it is not cut. */
uint64_t tally_plan_scan_cpu_pieces(const tally_limits *limits, uint64_t units, uint64_t bytes);

/* Cuts the units of a step whose arguments are scan_cpu_pieces, of so many bytes and lines each, if
 * that is worth it. */
void tally_plan_scan_cpu_cut(const tally_limits *limits, uint64_t bytes, uint64_t lines,
                             tally_plan *plan);

/* Columns of packed sets that are lines of such a scan, and their kept axis; 1: there are none. */
uint64_t tally_plan_scan_set(const tally_problem *problem, uint32_t *axis);

/* Levels of a scan's order that so many terms can fill: 1 of a run, 5 of more than a stretch. */
uint8_t tally_plan_levels(uint64_t terms);

/* The same of a scan: of a part with a carry all. */
uint8_t tally_plan_scan_levels(const tally_problem *problem);

/*
 * The same of kernels that have all before a run in one where combining is exact: then at most 2.
 */
uint8_t tally_plan_combined_levels(const tally_problem *problem);

/* Results are indices of terms. */
bool tally_plan_is_indexed(const tally_problem *problem);

/* Parts of a size that a whole has, the last of which may be smaller. */
uint64_t tally_plan_parts(uint64_t whole, uint64_t part);

/* The least power of two that is not below n, at most most, itself one. */
uint64_t tally_plan_power(uint64_t n, uint64_t most);

/* The less of two. */
uint64_t tally_plan_least(uint64_t a, uint64_t b);

/* Bytes of scratch, in whole alignments. */
uint64_t tally_plan_scratch(uint64_t bytes);

/* The same of so many elements or states; of too many TALLY_SCRATCH_MAX. */
uint64_t tally_plan_scratch_of(uint64_t count, uint32_t bytes);

/* Whether groups may be wide, with the local memory that the wide ones of GPUs count on. */
bool tally_plan_has_wide_groups(const tally_limits *limits);

/* Whether the family has schedules that are not the generic ones, and the device room for them. */
bool tally_plan_has_own_schedules(const tally_limits *limits);

/*
 * Make a work-item of a CPU a group of its own that takes several units of so many bytes in one go:
 * enough for its grain, but every core has some grains unless they would be too small. Returns how
 * many.
 */
uint64_t tally_plan_grain(const tally_limits *limits, uint64_t unit_bytes, tally_step *step);

/* The least rank that kernels are compiled for and that holds count axes: 1, 2, 4 or 8. */
uint8_t tally_plan_rank(uint32_t count);

/* Copy a list of axes to the end of an argument struct's lists of that rank. NULL lists are left.
 */
void tally_plan_axes(const tally_dims *dims, uint8_t rank, tally_u64 *size, tally_u64 *in,
                     tally_u64 *out);

/* 32 if every number below all of these counts can be an index of 32 bits, with room to step. */
uint8_t tally_plan_index_bits(const tally_problem *problem, uint64_t units);

/* Work-items of a sharing group: a power of two that the device allows. */
uint16_t tally_plan_team(const tally_limits *limits);

/* Set the ND-range: a work-item per unit, or a group per unit if the spec has a group compiled in.
 */
void tally_plan_range(tally_step *step, const tally_limits *limits);

#endif
