/*
 * What the planners share, and the checks against a device that come before them.
 */
#include "plan/plan.h"

#include <inttypes.h>
#include <string.h>

#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/group.h"
#include "plan/tuning.h"

/* Work-items of a group that shares its work, at most; a power of two. */
#define TALLY_TEAM_GROUP 128

/* Groups of one launch, at most: kernels loop over what is left. */
#define TALLY_GROUPS_MAX (UINT64_C(1) << 22)

static tally_status check_address_space(const tally_problem *problem, const tally_limits *limits,
                                        tally_error *error) {
    const struct {
        const char *role;
        uint64_t bytes;
    } tensors[] = {
        {"input", problem->input_extent * tally_problem_input_bytes(problem)},
        {"output", problem->output_extent * tally_problem_output_bytes(problem)},
    };
    uint64_t limit = UINT64_MAX >> (64 - limits->address_bits);
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++)
        if (tensors[i].bytes > limit)
            return tally_fail(error, TALLY_UNSUPPORTED,
                              "the %s reaches over %" PRIu64 " bytes, but the device's %" PRIu32
                              " address bits end at %" PRIu64,
                              tensors[i].role, tensors[i].bytes, limits->address_bits, limit);
    return TALLY_OK;
}

static tally_status check_scratch(const tally_plan *plan, const tally_limits *limits,
                                  tally_error *error) {
    uint64_t limit = UINT64_MAX >> (64 - limits->address_bits);
    limit = limit < TALLY_SCRATCH_MAX ? limit : TALLY_SCRATCH_MAX - 1;
    if (plan->scratch > limit)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the scratch reaches over %" PRIu64 " bytes%s, but the device's %" PRIu32
                          " address bits end at %" PRIu64,
                          plan->scratch, plan->scratch > TALLY_SCRATCH_MAX ? " or more" : "",
                          limits->address_bits, limit);
    return TALLY_OK;
}

tally_status tally_plan_make(const tally_problem *problem, const tally_limits *limits,
                             tally_plan *plan, tally_error *error) {
    static void (*const planners[])(const tally_problem *, const tally_limits *, tally_plan *) = {
        [TALLY_KIND_FOLD] = tally_plan_fold,
        [TALLY_KIND_SCAN] = tally_plan_scan,
        [TALLY_KIND_FILL] = tally_plan_fill,
    };
    memset(plan, 0, sizeof *plan);
    if (problem->output_extent == 0)
        return TALLY_OK;
    if (problem->kind != TALLY_KIND_FILL && problem->input == TALLY_F64 && !limits->has_f64)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the device has no fp64, which arithmetic on f64 needs");
    tally_status status = check_address_space(problem, limits, error);
    if (status != TALLY_OK)
        return status;
    planners[problem->kind](problem, limits, plan);
    return check_scratch(plan, limits, error);
}

bool tally_plan_is_indexed(const tally_problem *problem) {
    return tally_monoid_find(problem->function)->state == TALLY_STATE_INDEXED;
}

uint32_t tally_plan_launch_count(const tally_plan *plan) {
    return plan->count - plan->closing;
}

uint32_t tally_plan_steps(const tally_plan *plan, bool in_place, uint32_t *first) {
    *first = in_place ? plan->out_of_place_steps : 0;
    return in_place || plan->out_of_place_steps == 0 ? plan->count - *first
                                                     : plan->out_of_place_steps;
}

uint32_t tally_plan_most_launches(const tally_plan *plan) {
    uint32_t first = 0, out_of_place = tally_plan_steps(plan, false, &first);
    const uint32_t in_place = tally_plan_steps(plan, true, &first);
    const uint32_t most = (out_of_place > in_place ? out_of_place : in_place) - plan->closing;
    return most > 0 ? most : 1;
}

uint64_t tally_plan_parts(uint64_t whole, uint64_t part) {
    return whole / part + (whole % part != 0);
}

uint64_t tally_plan_power(uint64_t n, uint64_t most) {
    uint64_t power = 1;
    while (power < n && power < most)
        power *= 2;
    return power;
}

uint64_t tally_plan_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint64_t tally_plan_scratch(uint64_t bytes) {
    return bytes + (0 - bytes) % TALLY_SCRATCH_ALIGNMENT;
}

uint64_t tally_plan_scratch_of(uint64_t count, uint32_t bytes) {
    return tally_plan_scratch(count < TALLY_SCRATCH_MAX / bytes ? count * bytes
                                                                : TALLY_SCRATCH_MAX);
}

bool tally_plan_has_wide_groups(const tally_limits *limits) {
    return limits->family == TALLY_FAMILY_GPU && limits->group_max >= TALLY_WIDE_GROUP &&
           limits->local_bytes >= 2 * TALLY_WIDE_LOCAL;
}

bool tally_plan_has_own_schedules(const tally_limits *limits) {
    return limits->family == TALLY_FAMILY_CPU || tally_plan_has_wide_groups(limits);
}

uint64_t tally_plan_grain(const tally_limits *limits, uint64_t unit_bytes, tally_step *step) {
    uint64_t units = step->args.head.units, grains = (uint64_t)limits->units * TALLY_CPU_GRAINS;
    uint64_t bytes = unit_bytes > 0 ? unit_bytes : 1;
    uint64_t most = TALLY_CPU_BYTES / bytes, least = TALLY_CPU_BYTES_MIN / bytes;
    uint64_t grain = units / grains < most ? units / grains : most;
    grain = grain > least ? grain : least;
    grain = grain < units ? grain : units;
    grain = grain > 0 ? grain : 1;
    step->spec.group = 1;
    return grain;
}

uint8_t tally_plan_rank(uint32_t count) {
    uint8_t rank = 1;
    while (rank < count)
        rank = (uint8_t)(rank * 2);
    return rank;
}

void tally_plan_axes(const tally_dims *dims, uint8_t rank, tally_u64 *size, tally_u64 *in,
                     tally_u64 *out) {
    uint32_t lead = rank - dims->count;
    for (uint32_t k = 0; k < TALLY_AXES; k++) {
        bool real = k >= lead && k < rank;
        size[k] = real ? dims->size[k - lead] : 1;
        in[k] = real ? dims->in[k - lead] : 0;
        if (out != NULL)
            out[k] = real ? dims->out[k - lead] : 0;
    }
}

uint8_t tally_plan_index_bits(const tally_problem *problem, uint64_t units) {
    const uint64_t limit = UINT64_C(1) << 31;
    return problem->input_extent < limit && problem->output_extent < limit &&
                   problem->terms < limit && units < limit
               ? 32
               : 64;
}

uint16_t tally_plan_team(const tally_limits *limits) {
    uint16_t group = TALLY_TEAM_GROUP;
    while (group > 1 && group > limits->group_max)
        group = (uint16_t)(group / 2);
    return group;
}

static uint32_t item_group(const tally_limits *limits) {
    uint32_t group = limits->family == TALLY_FAMILY_CPU ? TALLY_ITEM_GROUP_CPU : TALLY_ITEM_GROUP;
    return group < limits->group_max ? group : (uint32_t)limits->group_max;
}

void tally_plan_range(tally_step *step, const tally_limits *limits) {
    uint64_t units = step->args.head.units, share = tally_group_slots(step);
    bool shared = step->spec.group != 0;
    if (share > 0)
        step->slots = share;
    step->group = shared ? step->spec.group : item_group(limits);
    uint64_t slots = !shared ? step->group : step->slots > 0 ? step->slots : 1;
    step->groups = tally_plan_parts(units, slots);
    if (step->groups > TALLY_GROUPS_MAX)
        step->groups = TALLY_GROUPS_MAX;
}

static void describe_role(tally_text *text, tally_role role, uint64_t offset) {
    static const char *const names[] = {
        [TALLY_IN_INPUT] = "input", [TALLY_IN_OUTPUT] = "output", [TALLY_IN_NOTHING] = "nothing"};
    if (role == TALLY_IN_SCRATCH)
        tally_text_format(text, "scratch + %" PRIu64, offset);
    else
        tally_text_add(text, names[role]);
}

void tally_plan_describe(const tally_plan *plan, tally_text *text) {
    if (plan->count == 0)
        tally_text_add(text, "nothing to do: the output is empty\n");
    for (uint32_t i = 0; i < tally_plan_launch_count(plan); i++) {
        const tally_step *step = &plan->step[i];
        char name[TALLY_NAME_BYTES];
        tally_spec_name(&step->spec, name);
        tally_text_format(
            text, "%" PRIu32 ": %s, %" PRIu64 " groups of %" PRIu32 " for %" PRIu64 " units, ",
            i + 1, name, step->groups, step->group, step->args.head.units);
        describe_role(text, step->source, step->source_offset);
        tally_text_add(text, " -> ");
        describe_role(text, step->target, step->target_offset);
        if (step->spec.closing)
            tally_text_add(text, ", from there to the output by the groups that end last");
        if (plan->out_of_place_steps > 0)
            tally_text_add(text,
                           i < plan->out_of_place_steps ? ", where they lie apart" : ", in place");
        tally_text_add(text, "\n");
    }
}
