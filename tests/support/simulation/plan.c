/*
 * plan.c: the launches one after the other, and what all kernels share.
 */
#include "plan.h"

#include "launch.h"

static uint64_t first_element(const sim_launch *launch, tally_role position, uint64_t offset,
                              uint32_t bytes) {
    const uint64_t at = launch->memory->offset[position] + offset;
    if (bytes == 0 || at % bytes != 0)
        sim_fault(launch->memory, "step %u begins at byte %llu, between elements of %u",
                  launch->memory->step, (unsigned long long)at, bytes);
    return bytes == 0 ? 0 : at / bytes;
}

static void run_step(const tally_step *step, uint64_t groups_max, sim_memory *memory) {
#define TALLY_SCHEDULE(enumerator, name, ...) [TALLY_##enumerator] = sim_##name,
    static void (*const kernels[TALLY_SCHEDULES])(sim_launch *) = {
#include "plan/schedule.def"
    };
#undef TALLY_SCHEDULE
    sim_launch launch = {.step = step, .memory = memory};
    const bool capped = groups_max > 0 && groups_max < step->groups;
    launch.groups = capped ? groups_max : step->groups;
    launch.mask = step->spec.index_bits == 32 ? UINT32_MAX : UINT64_MAX;
    if (step->spec.function != 0)
        launch.math = sim_math_of(&step->spec);
    launch.in = first_element(&launch, step->source, step->source_offset, step->source_bytes);
    launch.out = first_element(&launch, step->target, step->target_offset, step->target_bytes);
    kernels[step->spec.schedule](&launch);
}

void sim_plan_run(const tally_plan *plan, uint64_t groups_max, sim_memory *memory) {
    uint32_t first = 0;
    const uint32_t count = tally_plan_steps(plan, memory->in_place, &first);
    for (uint32_t i = first; i < first + count && memory->fault[0] == '\0'; i++) {
        memory->step = (unsigned char)(i + 1);
        run_step(&plan->step[i], groups_max, memory);
    }
}

uint64_t sim_offset(const sim_launch *launch, uint32_t rank, const tally_u64 *size,
                    const tally_u64 *stride, uint64_t i) {
    uint64_t offset = 0;
    for (uint32_t k = rank - 1; k > 0; k--) {
        const uint64_t axis = size[k] & launch->mask;
        const uint64_t outer = i / axis;
        offset += (i - outer * axis) * stride[k];
        i = outer;
    }
    return (offset + i * stride[0]) & launch->mask;
}

/* An index of 32 bits wraps where the kernel's does; a buffer's bytes are counted in 64. */
static uint64_t byte_of(uint64_t first, uint64_t index, uint32_t bytes) {
    return (first + index) * bytes;
}

uint64_t sim_load_element(const sim_launch *launch, uint64_t index) {
    const tally_step *step = launch->step;
    const unsigned char *at =
        sim_read(launch->memory, step->source,
                 byte_of(launch->in, index & launch->mask, step->source_bytes), step->source_bytes);
    return at != NULL ? sim_get(at, step->source_bytes) : 0;
}

sim_state sim_load_state(const sim_launch *launch, uint64_t index) {
    const tally_step *step = launch->step;
    const sim_state none = {0, 0, 0};
    const unsigned char *at =
        sim_read(launch->memory, step->source,
                 byte_of(launch->in, index & launch->mask, step->source_bytes), step->source_bytes);
    return at != NULL ? sim_get_state(&launch->math, at) : none;
}

void sim_store_element(const sim_launch *launch, uint64_t index, uint64_t bits) {
    const tally_step *step = launch->step;
    const tally_dtype type =
        (tally_dtype)(step->spec.output != 0 ? step->spec.output : step->spec.input);
    unsigned char *at = sim_write(launch->memory, step->target,
                                  byte_of(launch->out, index & launch->mask, step->target_bytes),
                                  step->target_bytes);
    if (number_bytes(type) != step->target_bytes)
        sim_fault(launch->memory, "step %u stores %zu bytes where an element has %u",
                  launch->memory->step, number_bytes(type), step->target_bytes);
    else if (at != NULL)
        sim_put(at, step->target_bytes, bits);
}

void sim_store_state(const sim_launch *launch, uint64_t index, sim_state state) {
    const tally_step *step = launch->step;
    unsigned char *at = sim_write(launch->memory, step->target,
                                  byte_of(launch->out, index & launch->mask, step->target_bytes),
                                  step->target_bytes);
    if (at != NULL)
        sim_put_state(&launch->math, state, at);
}

uint64_t sim_items(const sim_launch *launch) {
    return launch->groups * launch->step->group;
}
