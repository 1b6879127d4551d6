/*
 * launch.h: one launch of a simulated plan, and what the kernels share: element offsets,
 * indices of the spec's width, loads and stores.
 */
#ifndef TESTS_SUPPORT_SIMULATION_LAUNCH_H
#define TESTS_SUPPORT_SIMULATION_LAUNCH_H

#include "arithmetic.h"
#include "memory.h"

typedef struct sim_launch {
    const tally_step *step;
    sim_memory *memory;
    sim_math math;
    uint64_t groups;  /* that run */
    uint64_t in, out; /* elements from the start of the blocks: what head's offsets become */
    uint64_t mask;    /* of an index */
} sim_launch;

/* The kernels: of each row of schedule.def, so that a schedule without one does not link. */
#define TALLY_SCHEDULE(enumerator, name, ...) void sim_##name(sim_launch *launch);
#include "plan/schedule.def"
#undef TALLY_SCHEDULE
void sim_scan_rows_spread(sim_launch *launch);

/* The offset of element i, row-major, in indices of the launch's width. */
uint64_t sim_offset(const sim_launch *launch, uint32_t rank, const tally_u64 *size,
                    const tally_u64 *stride, uint64_t i);

/* Boxes of positions: the coordinate along an axis of two positions. */
uint64_t sim_box_coordinate(const tally_box_args *box, uint32_t k, uint64_t read, uint64_t write);

/* Visit all pairs of positions of a unit's box, which begins at these coordinates. */
typedef void sim_position(const sim_launch *launch, const uint64_t *first, uint64_t read,
                          uint64_t write);
void sim_each_position(const sim_launch *launch, const tally_box_args *box, const tally_u64 *size,
                       uint64_t unit, sim_position *visit);

/* The element at an index of the source, as bits; the state there. */
uint64_t sim_load_element(const sim_launch *launch, uint64_t index);
sim_state sim_load_state(const sim_launch *launch, uint64_t index);
void sim_store_element(const sim_launch *launch, uint64_t index, uint64_t bits);
void sim_store_state(const sim_launch *launch, uint64_t index, sim_state state);

/* The first unit of a work-item, and from one to the next: for (unit...; unit < units; unit += ).
 */
uint64_t sim_items(const sim_launch *launch);

#endif
