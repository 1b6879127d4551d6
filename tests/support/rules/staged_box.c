/*
 * staged_box.c: boxes of scans: they cover each line once and each term, a box fits local memory,
 * and comes and goes by packs of elements that lie side by side.
 */
#include <string.h>

#include "model/dtype.h"
#include "parts.h"
#include "support/numbers/number.h"

/* Elements behind a run: a dword, or an element that is more. */
static uint64_t room_of(const tally_spec *spec) {
    const uint64_t bytes = number_bytes((tally_dtype)spec->input);
    return bytes < 4 ? 4 / bytes : 1;
}

/* Runs that a box has room for. */
static uint64_t slots_of(const tally_spec *spec) {
    return (uint64_t)spec->group * spec->policy.scan_staged.runs_per_item;
}

/* ---- Axes ---------------------------------------------------------------------------------- */

/* A number's inverse as the kernel divides by: 2^32 / size rounded up; none for 1. */
static bool is_magic(uint64_t magic, uint64_t size) {
    const uint64_t product = magic * size;
    return size == 1 ? magic == 0 : product >> 32 == 1 && (product & UINT32_MAX) < size;
}

static bool is_size(const tally_scan_staged_args *args, uint32_t axis) {
    return args->box_size[axis] > 0 && args->last_size[axis] > 0 &&
           args->last_size[axis] <= args->box_size[axis] &&
           is_magic(args->box_magic[axis], args->box_size[axis]) &&
           is_magic(args->last_magic[axis], args->last_size[axis]);
}

/* Boxes cover the kept axes: each axis that they cut, and those that they take one at a time. */
static const char *broken_cover(const tally_problem *problem, const tally_step *step) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const uint32_t rank = step->spec.kept_rank;
    uint64_t all = 1;
    for (uint32_t k = 0; k < rank; k++) {
        const uint32_t axis = rank - k;
        const bool cut = axis < step->spec.policy.scan_staged.box_rank;
        const uint64_t size = cut ? args->box_size[axis] : 1;
        if (cut && (!is_size(args, axis) || args->kept_in[k] != size * args->box_in[axis] ||
                    args->kept_out[k] != size * args->box_out[axis]))
            return "boxes of an axis lie one after the other";
        const uint64_t lines =
            cut ? (args->kept_size[k] - 1) * size + args->last_size[axis] : args->kept_size[k];
        all = plan_rules_reach_both(
            all, plan_rules_reach_of(lines, cut ? args->box_in[axis] : args->kept_in[k],
                                     cut ? args->box_out[axis] : args->kept_out[k]));
    }
    const tally_dims *kept = &problem->kept;
    return all == plan_rules_reach(kept->count, kept->size, kept->in, kept->out)
               ? NULL
               : "each line is in one box";
}

static bool is_order(const tally_spec *spec, uint16_t order) {
    uint32_t found = 0;
    for (uint32_t k = 0; k < spec->policy.scan_staged.box_rank; k++)
        found |= 1u << (order >> 2 * k & 3);
    return found == (1u << spec->policy.scan_staged.box_rank) - 1 &&
           order >> 2 * spec->policy.scan_staged.box_rank == 0;
}

/* ---- A box --------------------------------------------------------------------------------- */

uint64_t plan_rules_box_lines(const tally_step *step) {
    uint64_t lines = 1;
    for (uint32_t axis = 1; axis < step->spec.policy.scan_staged.box_rank; axis++)
        lines *= step->args.scan_staged.box_size[axis];
    return lines;
}

static const char *broken_terms(const tally_step *step) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const uint64_t some = args->box_size[0];
    if (!is_size(args, 0) ||
        (plan_rules_parts(args->terms, some) - 1) * some + args->last_size[0] != args->terms)
        return "a line's boxes have all of its terms";
    if (some < args->terms && SPAN % some != 0 && (some % SPAN != 0 || TILE % some != 0))
        return "where lines are cut spans are whole boxes, or boxes whole spans of a tile";
    if (some < args->terms && some % RUN != 0)
        return "a box that has others behind it has whole runs";
    if (step->spec.policy.scan_staged.run_terms != (args->terms < RUN ? args->terms : RUN) ||
        (step->spec.levels == 1) != (args->terms <= RUN))
        return "a kernel knows lines of one run, and how long those are that are shorter";
    return NULL;
}

/* By the distance of neighbours in local memory, the closest first. */
static void sort_axes(const tally_step *step, uint32_t *order) {
    const tally_u64 *local = step->args.scan_staged.box_local;
    for (uint32_t k = 0; k < step->spec.policy.scan_staged.box_rank; k++) {
        uint32_t at = k;
        for (; at > 0 && local[order[at - 1]] > local[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

/* No two elements of a box have one position, and all are in the image. */
static const char *broken_positions(const tally_step *step) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const tally_spec *spec = &step->spec;
    const tally_scan_staged_policy *policy = &spec->policy.scan_staged;
    uint64_t room = room_of(spec), last = 0;
    uint32_t order[TALLY_BOX_AXES] = {0};
    sort_axes(step, order);
    for (uint32_t k = 0; k < policy->box_rank; k++) {
        if (args->box_size[order[k]] > 1 && args->box_local[order[k]] <= last)
            return "elements of a box have positions of their own";
        last += (args->box_size[order[k]] - 1) * args->box_local[order[k]];
    }
    const bool lines =
        policy->skewed || (policy->read_order & 3) == 0 || (policy->write_order & 3) == 0;
    if (lines && args->box_local[0] != 1)
        return "terms of lines lie side by side";
    if (policy->skewed && policy->box_rank > 1 && args->box_local[1] % RUN != 0)
        return "runs that are skewed have room behind each";
    last += policy->skewed ? last / RUN * room : 0;
    if (policy->whole_packs != 0) /* and what is before the first one in its pack */
        last += 16 / number_bytes((tally_dtype)spec->input) - 1;
    return (policy->in_registers && policy->direct_stores) ||
                   last < slots_of(spec) * (policy->run_terms + room)
               ? NULL
               : "a box fits its image";
}

static const char *broken_image(const tally_step *step) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const tally_spec *spec = &step->spec;
    const uint64_t lines = plan_rules_box_lines(step),
                   runs = plan_rules_parts(args->box_size[0], RUN);
    const uint64_t slots = slots_of(spec);
    if (lines * runs > slots)
        return "each run has a total";
    if (args->box_size[0] < args->terms && lines > slots / 2)
        return "lines that go on have room for their levels";
    return broken_positions(step);
}

/* ---- Packs --------------------------------------------------------------------------------- */

/* Whether a box has all of an axis, so that what follows it follows its last element. */
static bool is_whole(const tally_step *step, uint32_t axis) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    return axis == 0 ? args->box_size[0] == args->terms
                     : args->kept_size[step->spec.kept_rank - axis] == 1;
}

/* How one memory's elements come or go. */
typedef struct way {
    uint16_t order, bytes, axes;
    tally_u64 stride[TALLY_BOX_AXES];
    const tally_u64 *packs, *around; /* what a segment's packs and the others are divided by */
} way;

/* Packs of one memory: elements side by side there, and evenly spaced in the image. */
static const char *broken_packs(const tally_step *step, const way *it) {
    const uint64_t element = number_bytes((tally_dtype)step->spec.input);
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const uint32_t closest = it->order & 3;
    if (it->bytes < element || it->bytes > 16 || (it->bytes & (it->bytes - 1)) != 0 ||
        it->axes < 1 || it->axes > step->spec.policy.scan_staged.box_rank)
        return "a pack has elements of a segment, up to 16 bytes";
    if (it->bytes > element && it->stride[closest] != 1)
        return "elements of a pack lie side by side";
    uint64_t length = args->box_size[closest];
    for (uint32_t k = 1; k < it->axes; k++) {
        const uint32_t axis = it->order >> 2 * k & 3, inner = it->order >> 2 * (k - 1) & 3;
        if (!is_whole(step, inner) || it->stride[closest] != 1 || it->stride[axis] != length ||
            args->box_local[axis] != length * args->box_local[closest])
            return "axes of a segment follow each other";
        length *= args->box_size[axis];
    }
    return NULL;
}

/* Of a segment of a box: of one that is the last along the segment's outermost axis, or another. */
static uint64_t segment_of(const tally_step *step, const way *it, bool last) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    uint64_t length = 1;
    for (uint32_t k = 0; k < it->axes; k++) {
        const uint32_t axis = it->order >> 2 * k & 3;
        length *= last && k + 1 == it->axes ? args->last_size[axis] : args->box_size[axis];
    }
    return length;
}

/*
 * Of several segments packs, and elements around them, are found by dividing by how many a segment
 * has: as many packs as fit wherever it begins (the first two numbers), or all if it begins with
 * one. Without packs the kernel divides by an axis.
 */
static const char *broken_divisors(const tally_step *step, const way *it) {
    const uint64_t pack = it->bytes / number_bytes((tally_dtype)step->spec.input);
    if (pack == 1 || it->axes == step->spec.policy.scan_staged.box_rank)
        return NULL;
    for (uint32_t v = 0; v < TALLY_BOX_MAGICS; v++) {
        const uint64_t length = segment_of(step, it, v % 2 == 1);
        const uint64_t whole = v >= 2 ? length : length < pack ? 0 : length - pack + 1;
        const uint64_t packs = whole / pack, others = length - packs * pack;
        if ((packs > 0 && !is_magic(it->packs[v], packs)) ||
            (others > 0 && !is_magic(it->around[v], others)))
            return "packs of segments, and elements around them, are divided by multiplying";
    }
    return NULL;
}

/* The kept axes of a box in an order of its axes. */
static uint32_t lines_in(const tally_spec *spec, uint16_t order) {
    uint32_t lines = 0;
    for (uint32_t k = 0; k < spec->policy.scan_staged.box_rank; k++)
        lines = (order >> 2 * k & 3) == 0 ? lines : lines << 2 | (order >> 2 * k & 3);
    return lines;
}

/* Work-items that move elements of their own lines. */
static const char *broken_direct(const tally_spec *spec) {
    const tally_scan_staged_policy *policy = &spec->policy.scan_staged;
    const uint64_t element = number_bytes((tally_dtype)spec->input);
    const bool loads = policy->direct_loads != 0, stores = policy->direct_stores != 0;
    if ((loads || stores) && policy->skewed)
        return "runs that are skewed go through local memory";
    if ((loads && ((policy->read_order & 3) == 0 || policy->read_bytes != element)) ||
        (stores && ((policy->write_order & 3) == 0 || policy->write_bytes != element)))
        return "work-items move elements of lines that lie side by side";
    if (policy->in_registers && (!loads || (stores && lines_in(spec, policy->read_order) !=
                                                          lines_in(spec, policy->write_order))))
        return "a work-item writes the lines that it has in registers";
    return NULL;
}

/* Packs of one memory that are packs of the image: steps are as many elements past whole packs. */
static const char *broken_whole(const tally_step *step, const way *it, bool direct) {
    const uint64_t pack = it->bytes / number_bytes((tally_dtype)step->spec.input);
    const tally_u64 *local = step->args.scan_staged.box_local;
    bool whole =
        pack > 1 && !direct && !step->spec.policy.scan_staged.skewed && local[it->order & 3] == 1;
    for (uint32_t k = 0; k < step->spec.policy.scan_staged.box_rank; k++)
        whole = whole && (it->stride[k] - local[k]) % pack == 0;
    return whole ? NULL : "whole packs are moved as packs, and begin with packs of the image";
}

static const char *broken_ways(const tally_step *step) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    way ways[] = {{policy->read_order,
                   policy->read_bytes,
                   policy->read_axes,
                   {0},
                   args->read_packs,
                   args->read_around},
                  {policy->write_order,
                   policy->write_bytes,
                   policy->write_axes,
                   {0},
                   args->write_packs,
                   args->write_around}};
    const char *broken = NULL;
    for (uint32_t w = 0; w < 2 && broken == NULL; w++) {
        const uint64_t along = w == 0 ? args->axis_in : args->axis_out;
        memcpy(ways[w].stride, w == 0 ? args->box_in : args->box_out, sizeof ways[w].stride);
        ways[w].stride[0] = policy->reversed_terms ? 0 - along : along;
        broken = broken_packs(step, &ways[w]);
        if (broken == NULL)
            broken = broken_divisors(step, &ways[w]);
        if (broken == NULL && (policy->whole_packs >> w & 1) != 0)
            broken =
                broken_whole(step, &ways[w], w == 0 ? policy->direct_loads : policy->direct_stores);
    }
    return broken == NULL ? broken_direct(&step->spec) : broken;
}

const char *plan_rules_box(const tally_problem *problem, const tally_step *step) {
    const tally_spec *spec = &step->spec;
    if (spec->policy.scan_staged.box_rank < 1 ||
        spec->policy.scan_staged.box_rank > TALLY_BOX_AXES ||
        spec->policy.scan_staged.box_rank > spec->kept_rank + 1)
        return "a box has terms, and kept axes of the problem";
    if (!is_order(spec, spec->policy.scan_staged.read_order) ||
        !is_order(spec, spec->policy.scan_staged.write_order))
        return "each axis of a box is read once, and written";
    if (spec->policy.scan_staged.runs_per_item == 0)
        return "a work-item has runs";
    if ((spec->policy.scan_staged.reversed_terms != 0) != problem->descending)
        return "terms that lie the last one first are reversed";
    const char *broken = broken_cover(problem, step);
    if (broken == NULL)
        broken = broken_terms(step);
    if (broken == NULL)
        broken = broken_image(step);
    return broken == NULL ? broken_ways(step) : broken;
}
