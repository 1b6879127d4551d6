/*
 * transpose.c: boxes of positions, of fills and of scans; and what the kernel of scans by such
 * boxes takes for granted, worked out from what is said at its head: each line is one work-item's,
 * and its image and its tables have room.
 */
#include "parts.h"

/* The positions of one kind are numbered without gaps, and only the outermost axis is cut. */
static bool are_numbered(const tally_box_args *args, uint32_t rank, const tally_u64 *box,
                         const tally_u64 *pitch, uint64_t positions) {
    uint64_t count = 1;
    for (bool found = true; found;) {
        found = false;
        for (uint32_t k = 0; k < rank && !found; k++)
            if (box[k] > 1 && pitch[k] == count) {
                count *= box[k];
                found = true;
                if (args->boxes[k] > 1 && count != positions)
                    return false;
            }
    }
    return count == positions;
}

const char *plan_rules_positions(const tally_box_args *args, uint32_t rank, const tally_u64 *size,
                                 uint64_t units) {
    uint64_t boxes = 1;
    for (uint32_t k = 0; k < rank; k++) {
        const uint64_t box = args->read_box[k] * args->write_box[k];
        if (args->read_box[k] > 1 && args->write_box[k] > 1)
            return "an axis has positions of one kind";
        if (args->boxes[k] != plan_rules_parts(size[k], box))
            return "an axis is cut into boxes";
        boxes *= args->boxes[k];
    }
    if (!are_numbered(args, rank, args->read_box, args->read_pitch, args->reads) ||
        !are_numbered(args, rank, args->write_box, args->write_pitch, args->writes))
        return "positions are numbered one after the other, of an axis that is cut last";
    return units != boxes ? "each box is a unit" : NULL;
}

bool plan_rules_is_odd_row(uint64_t row, uint64_t bytes) {
    return bytes > 4 || (row % 4 == 0 && row / 4 % 2 != 0);
}

/* Blocks of work-items that have so many columns side by side. */
static uint64_t blocks_of(const tally_spec *spec, uint64_t columns) {
    return spec->group / columns;
}

static uint64_t whole_fours(uint64_t n) {
    return plan_rules_parts(n, 4) * 4;
}

const char *plan_rules_of_scan_transpose(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_spec *spec = &step->spec;
    const tally_scan_transpose_args *args = &step->args.scan_transpose;
    const tally_scan_transpose_policy *policy = &spec->policy.scan_transpose;
    const uint64_t bytes = plan_rules_element_bytes(step);
    if (args->box.reads - 1 >= spec->group || args->box.writes - 1 >= spec->group)
        return "a group has a work-item for each position of either kind, and there are some";
    if (!plan_rules_is_power_of_two(policy->lines_per_item) ||
        !plan_rules_is_power_of_two(policy->terms_at_once))
        return "tables are read 16 bytes at a time, and a run ends with terms that come together";
    if (it->problem->in_place)
        return "results do not lie where terms do that other groups read";
    const uint64_t own = blocks_of(spec, args->box.reads);
    const uint64_t taken = blocks_of(spec, args->box.writes);
    const uint64_t image = args->box.reads * args->box.local_pitch * policy->terms_at_once * bytes;
    const uint64_t entries = own * whole_fours(policy->lines_per_item) +
                             taken * whole_fours(plan_rules_parts(args->box.reads, taken));
    if (own * policy->lines_per_item < args->box.writes)
        return "each line of a box is one work-item's";
    if (policy->terms_at_once > RUN)
        return "no more than a run comes together";
    if (args->box.local_pitch < args->box.writes)
        return "an image's rows have room for the write positions";
    if (!plan_rules_is_odd_row(args->box.local_pitch * bytes, bytes))
        return "an image's rows are an odd number of dwords";
    if (plan_rules_parts(image, 16) * 16 + entries * (spec->index_bits / 8u) > policy->box_bytes ||
        policy->box_bytes % 16 != 0)
        return "an image and its tables fit local memory";
    return plan_rules_positions(&args->box, spec->kept_rank, args->kept_size, args->head.units);
}
