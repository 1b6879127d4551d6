/*
 * Where the elements of a scan's box lie in local memory, and how they come and go: by packs where
 * they lie side by side.
 */
#include "plan/scan/staged.h"

#include "cl/core/order.h"
#include "plan/tuning.h"

uint64_t tally_staged_run_terms(const tally_staged *it) {
    uint64_t terms = it->wish.axis[0].size;
    return terms < TALLY_RUN ? terms : TALLY_RUN;
}

uint64_t tally_staged_room(uint32_t bytes) {
    return bytes < 4 ? 4 / bytes : 1;
}

uint64_t tally_staged_magic(uint64_t size) {
    return (UINT32_MAX / size + 1) & UINT32_MAX;
}

/* Elements from line to line: dwords odd in number, or no whole dwords. */
static uint64_t pitch_of(uint64_t terms, uint32_t bytes) {
    uint64_t word = bytes < 4 ? 4 : bytes;
    bool even = terms * bytes % (2 * word) == 0;
    return terms + (even ? tally_staged_room(bytes) : 0);
}

/* The k-th axis of a box in an order of them. */
static uint32_t axis_of(uint16_t order, uint32_t k) {
    return order >> 2 * k & 3;
}

/* Lines one after the other, and those that lie close in the input next to each other. */
static void set_lines(const tally_staged *it, const tally_scan_staged_policy *policy,
                      tally_scan_staged_args *args) {
    uint64_t terms = it->size[0], whole = tally_plan_parts(terms, TALLY_RUN) * TALLY_RUN;
    uint64_t step = policy->skewed ? whole : pitch_of(terms, it->wish.bytes);
    args->box_local[0] = 1;
    for (uint32_t k = 0; k < it->rank; k++) {
        uint32_t axis = axis_of(policy->read_order, k);
        if (axis == 0)
            continue;
        args->box_local[axis] = step;
        step *= args->box_size[axis];
    }
}

/* Elements behind so many that make them an odd number of so many bytes. */
static uint64_t room_behind(uint64_t elements, uint64_t bytes, uint64_t unit) {
    uint64_t room = 0;
    while ((elements + room) * bytes % (2 * unit) != unit && room * bytes < 2 * unit)
        room++;
    return room;
}

/*
 * Bytes of which an axis of the image has an odd number, so that work-items meet different banks:
 * dwords, where what is written goes along it; as much as lies inside the terms, where it is the
 * next one outside; 0: it does not matter.
 */
static uint64_t unit_of(const tally_staged *it, const tally_scan_staged_policy *policy, uint32_t k,
                        uint64_t inside) {
    uint32_t axis = axis_of(policy->read_order, k);
    bool leads = axis == axis_of(policy->write_order, 0);
    bool after_terms = k > 0 && axis_of(policy->read_order, k - 1) == 0;
    if (k > 0 && leads)
        return 4;
    uint64_t unit = tally_plan_power(tally_plan_parts(inside * it->wish.bytes, 4), 64) * 4;
    return after_terms && unit <= 64 ? unit : 0;
}

/*
 * Bytes behind so many that make them as many past whole dwords as a step in memory is: packs that
 * begin with a dword there do so in the image.
 */
static uint64_t room_of_words(uint64_t elements, uint64_t stride) {
    return (stride - elements) % tally_staged_room(1);
}

/* As in the input's memory, with room behind some axes; false if the image is too small. */
static bool set_image(const tally_staged *it, const tally_scan_staged_policy *policy,
                      tally_scan_staged_args *args) {
    uint64_t step = 1, inside = 1, last = 0, bytes = it->wish.bytes;
    uint64_t all = it->group * it->runs_per_item *
                   (tally_staged_run_terms(it) + tally_staged_room((uint32_t)bytes));
    for (uint32_t k = 0; k < it->rank; k++) {
        uint32_t axis = axis_of(policy->read_order, k);
        uint64_t unit = unit_of(it, policy, k, inside);
        uint64_t room = unit > 0 ? room_behind(step, bytes, unit) : 0;
        for (; unit > 4 && room > step / 16; unit /= 2)
            room = room_behind(step, bytes, unit / 2);
        if (k > 0 && bytes == 1 &&
            axis_of(policy->write_order, 0) == axis_of(policy->read_order, 0))
            room = room_of_words(step, it->wish.axis[it->axis[axis]].in);
        inside = axis == 0 ? step : inside;
        args->box_local[axis] = step + room;
        last += (step + room) * (args->box_size[axis] - 1);
        step = (step + room) * args->box_size[axis];
    }
    return last < all;
}

/* A memory: the box's axes as they lie there, and which one it is. */
typedef struct side {
    uint16_t order;
    bool output, direct;
} side;

static uint64_t stride_of(const tally_staged *it, const side *at, uint32_t axis) {
    const tally_box_axis *own = &it->wish.axis[it->axis[axis]];
    return at->output ? own->out : own->in;
}

/* Axes along which a box's elements lie side by side in a memory, and in the image likewise. */
static uint32_t segment_axes(const tally_staged *it, const side *at,
                             const tally_scan_staged_args *args) {
    uint32_t axes = 1, closest = axis_of(at->order, 0);
    uint64_t length = args->box_size[closest];
    for (; axes < it->rank && stride_of(it, at, closest) == 1; axes++) {
        uint32_t inner = axis_of(at->order, axes - 1), axis = axis_of(at->order, axes);
        bool whole = args->box_size[inner] == it->wish.axis[it->axis[inner]].size;
        if (!whole || stride_of(it, at, axis) != length ||
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
        length *= args->box_size[axis_of(order, k)];
    return length;
}

/* Whether all segments are whole packs if one is: so is every step from one to another. */
static bool is_even(const tally_staged *it, const side *at, uint32_t axes, uint64_t length,
                    uint64_t pack) {
    uint64_t steps = length;
    uint32_t inside = 0;
    for (uint32_t k = 0; k < axes; k++)
        inside |= 1u << it->axis[axis_of(at->order, k)];
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
static uint16_t pack_bytes(const tally_staged *it, const side *at, uint32_t axes, uint64_t length) {
    uint64_t bytes = it->wish.bytes, most = TALLY_SCAN_STAGED_PACK;
    bool narrow = bytes < 4, even = is_even(it, at, axes, length, most / bytes);
    if (stride_of(it, at, axis_of(at->order, 0)) != 1)
        return (uint16_t)bytes;
    if (narrow && !even && length * bytes < 4 * most)
        most /= 2;
    return (uint16_t)(length * bytes >= (even ? 2 : narrow ? 4 : 8) * most ? most : bytes);
}

/* What a segment's packs and the elements around them are divided by; see find_way. */
static void set_magics(const tally_staged *it, uint16_t order, uint32_t axes, uint32_t pack,
                       tally_scan_staged_args *args, tally_u64 *packs_magic,
                       tally_u64 *around_magic) {
    uint32_t outermost = axis_of(order, axes - 1);
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
static uint64_t near_lines(const tally_staged *it, const side *at,
                           const tally_scan_staged_args *args) {
    uint64_t lines = 1, span = 0;
    for (uint32_t k = 0; k < it->rank; k++) {
        uint32_t axis = axis_of(at->order, k);
        uint64_t stride = stride_of(it, at, axis);
        if (axis == 0 || (k > 0 && stride > 2 * span))
            break;
        span += args->box_size[axis] * stride;
        lines *= args->box_size[axis];
    }
    return lines;
}

/* Whether lines that are neighbours in a memory are enough there for whole sectors. */
static side side_of(const tally_staged *it, const tally_scan_staged_policy *policy, bool output,
                    const tally_scan_staged_args *args) {
    side at = {.order = output ? policy->write_order : policy->read_order, .output = output};
    at.direct = !policy->skewed && near_lines(it, &at, args) >= TALLY_SCAN_STAGED_SIDE;
    return at;
}

/* Bytes that come at once where no work-item moves elements of its own, and axes of segments. */
static uint16_t find_packs(const tally_staged *it, const side *at,
                           const tally_scan_staged_args *args, uint16_t *axes) {
    uint32_t along = segment_axes(it, at, args);
    uint16_t bytes = pack_bytes(it, at, along, segment_length(at->order, along, args));
    *axes = (uint16_t)(bytes == it->wish.bytes ? 1 : along);
    return bytes;
}

/* How one memory's elements come and go: bytes of packs, axes of segments, and divisors. */
static void set_way(const tally_staged *it, const side *at, tally_scan_staged_args *args,
                    uint16_t *bytes, uint16_t *axes, tally_u64 *packs, tally_u64 *around) {
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
static void choose_direct(const tally_staged *it, const tally_scan_staged_args *args, side *in,
                          side *out) {
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
        if (axis_of(order, k) != 0)
            code |= axis_of(order, k) << 2 * at++;
    return code;
}

/* Whether work-items scan the runs that they load, and have the registers for them. */
static bool stays_in_registers(const tally_staged *it, const tally_scan_staged_policy *policy) {
    uint64_t words = tally_plan_parts(it->wish.bytes, 4) * it->runs_per_item * policy->run_terms;
    bool same = lines_order(it, policy->read_order) == lines_order(it, policy->write_order);
    return policy->direct_loads && (same || !policy->direct_stores) &&
           words <= TALLY_SCAN_STAGED_REGISTERS;
}

static void set_ways(const tally_staged *it, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    side in = side_of(it, policy, false, args), out = side_of(it, policy, true, args);
    choose_direct(it, args, &in, &out);
    policy->direct_loads = in.direct;
    policy->direct_stores = out.direct;
    policy->in_registers = stays_in_registers(it, policy);
    set_way(it, &in, args, &policy->read_bytes, &policy->read_axes, args->read_packs,
            args->read_around);
    set_way(it, &out, args, &policy->write_bytes, &policy->write_axes, args->write_packs,
            args->write_around);
}

void tally_staged_lay_out(const tally_staged *it, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    const tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    bool lines = policy->skewed || axis_of(policy->read_order, 0) == 0 ||
                 axis_of(policy->write_order, 0) == 0;
    if (lines || !set_image(it, policy, args))
        set_lines(it, policy, args);
    set_ways(it, step);
}
