/*
 * How the elements of a scan's box come and go: by packs where they lie side by side, one by one,
 * or each work-item's own beside those of its neighbours' lines.
 */
#include "cl/core/order.h"
#include "plan/scan/staged.h"
#include "plan/scan/tuning.h"

/* Axes along which a box's elements lie side by side in a memory, and in the image likewise. */
static uint32_t segment_axes(const tally_staged *it, const tally_staged_side *at,
                             const tally_scan_staged_args *args) {
    uint32_t axes = 1, closest = tally_staged_axis(at->order, 0);
    uint64_t length = args->box_size[closest];
    for (; axes < it->rank && tally_staged_stride(it, at, closest) == 1; axes++) {
        uint32_t inner = tally_staged_axis(at->order, axes - 1),
                 axis = tally_staged_axis(at->order, axes);
        bool whole = args->box_size[inner] == it->wish.axis[it->axis[inner]].size;
        if (!whole || tally_staged_stride(it, at, axis) != length ||
            args->box_local[axis] != length * args->box_local[closest])
            break;
        length *= args->box_size[axis];
    }
    return axes;
}

/* Elements of a segment, the last of its axes' as far as a box has them. */
static uint64_t segment_length(uint16_t order, uint32_t axes, const tally_scan_staged_args *args) {
    uint64_t length = 1;
    for (uint32_t k = 0; k < axes; k++)
        length *= args->box_size[tally_staged_axis(order, k)];
    return length;
}

/* Whether all segments are whole packs if one is: so is every step from one to another. */
static bool is_even(const tally_staged *it, const tally_staged_side *at, uint32_t axes,
                    uint64_t length, uint64_t pack) {
    uint64_t steps = length;
    uint32_t inside = 0;
    for (uint32_t k = 0; k < axes; k++)
        inside |= 1u << it->axis[tally_staged_axis(at->order, k)];
    for (uint32_t k = 0; k < it->wish.axes; k++)
        if ((inside >> k & 1) == 0)
            steps |= at->output ? it->wish.axis[k].out : it->wish.axis[k].in;
    return steps % pack == 0;
}

/*
 * Bytes that come at once, where elements lie side by side: what is around the packs of a segment
 * comes after them, so segments must be long, or have nothing around them; of narrow elements packs
 * save more.
 */
static uint16_t pack_bytes(const tally_staged *it, const tally_staged_side *at, uint32_t axes,
                           uint64_t length) {
    uint64_t bytes = it->wish.bytes, most = TALLY_SCAN_STAGED_PACK;
    bool narrow = bytes < 4, even = is_even(it, at, axes, length, most / bytes);
    if (tally_staged_stride(it, at, tally_staged_axis(at->order, 0)) != 1)
        return (uint16_t)bytes;
    if (narrow && !even && length * bytes < 4 * most)
        most /= 2;
    return (uint16_t)(length * bytes >= (even ? 2 : narrow ? 4 : 8) * most ? most : bytes);
}

/* What a segment's packs and the elements around them are divided by; see find_way. */
static void set_magics(const tally_staged *it, uint16_t order, uint32_t axes, uint32_t pack,
                       tally_scan_staged_args *args, tally_u64 *packs_magic,
                       tally_u64 *around_magic) {
    uint32_t outermost = tally_staged_axis(order, axes - 1);
    uint64_t length = segment_length(order, axes, args);
    uint64_t last = length / args->box_size[outermost] * args->last_size[outermost];
    for (uint32_t v = 0; v < TALLY_BOX_MAGICS && axes < it->rank; v++) {
        uint64_t elements = v % 2 == 1 ? last : length, before = v < 2 ? pack - 1 : 0;
        uint64_t packs = elements > before ? (elements - before) / pack : 0;
        uint64_t around = elements - packs * pack;
        packs_magic[v] = packs > 0 ? tally_staged_magic(packs) : 0;
        around_magic[v] = around > 0 ? tally_staged_magic(around) : 0;
    }
}

/* Lines of a box that lie side by side in a memory, or nearly so. */
static uint64_t near_lines(const tally_staged *it, const tally_staged_side *at,
                           const tally_scan_staged_args *args) {
    uint64_t lines = 1, span = 0;
    for (uint32_t k = 0; k < it->rank; k++) {
        uint32_t axis = tally_staged_axis(at->order, k);
        uint64_t stride = tally_staged_stride(it, at, axis);
        if (axis == 0 || (k > 0 && stride > 2 * span))
            break;
        span += args->box_size[axis] * stride;
        lines *= args->box_size[axis];
    }
    return lines;
}

/* Whether lines that are neighbours in a memory are enough there for whole sectors. */
static tally_staged_side side_of(const tally_staged *it, const tally_scan_staged_policy *policy,
                                 bool output, const tally_scan_staged_args *args) {
    tally_staged_side at = {.order = output ? policy->write_order : policy->read_order,
                            .output = output};
    at.direct = !policy->skewed && near_lines(it, &at, args) >= TALLY_SCAN_STAGED_SIDE;
    return at;
}

/* Bytes that come at once where no work-item moves elements of its own, and axes of segments. */
static uint16_t find_packs(const tally_staged *it, const tally_staged_side *at,
                           const tally_scan_staged_args *args, uint16_t *axes) {
    uint32_t along = segment_axes(it, at, args);
    uint16_t bytes = pack_bytes(it, at, along, segment_length(at->order, along, args));
    *axes = (uint16_t)(bytes == it->wish.bytes ? 1 : along);
    return bytes;
}

/* How one memory's elements come and go: bytes of packs, axes of segments, and divisors. */
static void set_way(const tally_staged *it, const tally_staged_side *at,
                    tally_scan_staged_args *args, uint16_t *bytes, uint16_t *axes, tally_u64 *packs,
                    tally_u64 *around) {
    *bytes = find_packs(it, at, args, axes);
    if (at->direct) {
        *bytes = (uint16_t)it->wish.bytes;
        *axes = 1;
    }
    set_magics(it, at->order, *axes, *bytes / it->wish.bytes, args, packs, around);
}

/*
 * Let work-items move the elements of their own lines where these are neighbours. Packs serve bytes
 * better, and where there are many work-items segments of several axes, and dwords on both sides.
 */
static void choose_direct(const tally_staged *it, const tally_scan_staged_args *args,
                          tally_staged_side *in, tally_staged_side *out) {
    uint16_t along_in, along_out;
    uint32_t bytes = it->wish.bytes;
    bool loads = find_packs(it, in, args, &along_in) > bytes;
    bool stores = find_packs(it, out, args, &along_out) > bytes;
    bool always = bytes == 1 || (it->many && bytes == 4 && loads && stores);
    in->direct = in->direct && !(loads && (always || (it->many && along_in > 1)));
    out->direct = out->direct && !(stores && (always || (it->many && along_out > 1)));
}

/* Kept axes of a box in an order of its axes. */
static uint32_t lines_order(const tally_staged *it, uint16_t order) {
    uint32_t code = 0, at = 0;
    for (uint32_t k = 0; k < it->rank; k++)
        if (tally_staged_axis(order, k) != 0)
            code |= tally_staged_axis(order, k) << 2 * at++;
    return code;
}

/* Whether work-items scan the runs that they load, and have the registers for them. */
static bool stays_in_registers(const tally_staged *it, const tally_scan_staged_policy *policy) {
    uint64_t words = tally_plan_parts(it->wish.bytes, 4) * it->runs_per_item * policy->run_terms;
    bool same = lines_order(it, policy->read_order) == lines_order(it, policy->write_order);
    return policy->direct_loads && (same || !policy->direct_stores) &&
           words <= TALLY_SCAN_STAGED_REGISTERS;
}

/* Set how both memories' elements come and go. */
static void set_ways(const tally_staged *it, const tally_staged_side *in,
                     const tally_staged_side *out, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    policy->direct_loads = in->direct;
    policy->direct_stores = out->direct;
    policy->in_registers = stays_in_registers(it, policy);
    set_way(it, in, args, &policy->read_bytes, &policy->read_axes, args->read_packs,
            args->read_around);
    set_way(it, out, args, &policy->write_bytes, &policy->write_axes, args->write_packs,
            args->write_around);
}

/*
 * Whether packs should lie whole in local memory: those of the output, where many work-items load
 * their own terms, and results go by way of local memory or would be written in parts of sectors,
 * as rows of lines begin anywhere in one; else those of the input, if they have all bytes that come
 * at once, and what is written lies likewise.
 */
static bool wants_whole(const tally_staged *it, const tally_staged_side *in,
                        const tally_staged_side *out, const tally_step *step) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    uint32_t closest_in = tally_staged_axis(in->order, 0);
    uint32_t closest_out = tally_staged_axis(out->order, 0);
    if (policy->skewed || closest_in == 0 || closest_out == 0)
        return false; /* terms lie side by side in the image */
    if (!in->direct)
        return !out->direct && closest_in == closest_out &&
               policy->read_bytes == TALLY_SCAN_STAGED_PACK;
    return it->many && (!out->direct || !is_even(it, out, 1, args->box_size[closest_out],
                                                 TALLY_SECTOR / it->wish.bytes));
}

/* Let the box lie in local memory as in one of both, if its packs come or go whole then. */
static void choose_whole(const tally_staged *it, const tally_staged_side *in,
                         const tally_staged_side *out, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    tally_staged_side staged = *out;
    tally_step before = *step;
    staged.direct = false;
    if (!wants_whole(it, in, out, step))
        return;
    bool fits = tally_staged_lay_whole(it, in->direct ? &staged : in, in->order, args);
    set_ways(it, in, &staged, step);
    bool reads = policy->read_bytes == TALLY_SCAN_STAGED_PACK;
    bool writes =
        policy->write_bytes == TALLY_SCAN_STAGED_PACK && tally_staged_is_whole(it, &staged, args);
    policy->whole_packs = (uint16_t)(writes << 1 | reads);
    if (!fits || (in->direct ? !writes || !policy->in_registers : !reads))
        *step = before;
}

void tally_staged_set_moves(const tally_staged *it, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    const tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    tally_staged_side in = side_of(it, policy, false, args);
    tally_staged_side out = side_of(it, policy, true, args);
    choose_direct(it, args, &in, &out);
    step->spec.policy.scan_staged.whole_packs = 0;
    set_ways(it, &in, &out, step);
    choose_whole(it, &in, &out, step);
}

bool tally_staged_set_loads(const tally_staged *it, tally_step *step) {
    const tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    const tally_scan_staged_args *args = &step->args.scan_staged;
    tally_staged_side in = side_of(it, policy, false, args);
    tally_staged_side out = side_of(it, policy, true, args);
    out.direct = false;
    if (!in.direct || it->wish.bytes < 4)
        return false;
    step->spec.policy.scan_staged.whole_packs = 0;
    set_ways(it, &in, &out, step);
    return policy->in_registers;
}
