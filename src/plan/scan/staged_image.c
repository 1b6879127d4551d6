/*
 * Where the elements of a scan's box lie in local memory: lines one after the other, or as they lie
 * in a memory.
 */
#include "plan/scan/staged.h"

#include "cl/core/order.h"
#include "plan/scan/tuning.h"

/* Banks of local memory, a dword wide, and work-items that use them at a time, on GPUs. */
enum { BANKS = 32 };

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

uint32_t tally_staged_axis(uint16_t order, uint32_t k) {
    return order >> 2 * k & 3;
}

uint64_t tally_staged_stride(const tally_staged *it, const tally_staged_side *at, uint32_t axis) {
    const tally_box_axis *own = &it->wish.axis[it->axis[axis]];
    return at->output ? own->out : own->in;
}

/* Lines one after the other, and those that lie close in the input next to each other. */
static void set_lines(const tally_staged *it, const tally_scan_staged_policy *policy,
                      tally_scan_staged_args *args) {
    uint64_t terms = it->size[0], whole = tally_plan_parts(terms, TALLY_RUN) * TALLY_RUN;
    uint64_t step = policy->skewed ? whole : pitch_of(terms, it->wish.bytes);
    args->box_local[0] = 1;
    for (uint32_t k = 0; k < it->rank; k++) {
        uint32_t axis = tally_staged_axis(policy->read_order, k);
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
    uint32_t axis = tally_staged_axis(policy->read_order, k);
    bool leads = axis == tally_staged_axis(policy->write_order, 0);
    bool after_terms = k > 0 && tally_staged_axis(policy->read_order, k - 1) == 0;
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

/* Elements that an image has room for. */
static uint64_t image_room(const tally_staged *it) {
    return it->group * it->runs_per_item *
           (tally_staged_run_terms(it) + tally_staged_room(it->wish.bytes));
}

/* As in the input's memory, with room behind some axes; false if the image is too small. */
static bool set_image(const tally_staged *it, const tally_scan_staged_policy *policy,
                      tally_scan_staged_args *args) {
    uint64_t step = 1, inside = 1, last = 0, bytes = it->wish.bytes;
    for (uint32_t k = 0; k < it->rank; k++) {
        uint32_t axis = tally_staged_axis(policy->read_order, k);
        uint64_t unit = unit_of(it, policy, k, inside);
        uint64_t room = unit > 0 ? room_behind(step, bytes, unit) : 0;
        for (; unit > 4 && room > step / 16; unit /= 2)
            room = room_behind(step, bytes, unit / 2);
        if (k > 0 && bytes == 1 &&
            tally_staged_axis(policy->write_order, 0) == tally_staged_axis(policy->read_order, 0))
            room = room_of_words(step, it->wish.axis[it->axis[axis]].in);
        inside = axis == 0 ? step : inside;
        args->box_local[axis] = step + room;
        last += (step + room) * (args->box_size[axis] - 1);
        step = (step + room) * args->box_size[axis];
    }
    return last < image_room(it);
}

/* Work-items side by side, which have neighbouring runs of a box, that meet at one bank at most. */
static uint32_t meeting(const tally_staged *it, uint16_t order,
                        const tally_scan_staged_args *args) {
    uint64_t seen[BANKS];
    uint32_t at_bank[BANKS] = {0}, bytes = it->wish.bytes, most = 0;
    uint32_t unit = bytes < 4 ? 4 : bytes, banks = BANKS * 4 / unit;
    for (uint32_t item = 0; item < banks; item++) {
        uint64_t line = item, position = 0;
        for (uint32_t k = 0; k < it->rank; k++) {
            uint32_t axis = tally_staged_axis(order, k);
            if (axis == 0)
                continue;
            position += line % args->box_size[axis] * args->box_local[axis];
            line /= args->box_size[axis];
        }
        bool again = false;
        position += line * TALLY_RUN * args->box_local[0]; /* another run */
        seen[item] = position * bytes / unit;
        for (uint32_t before = 0; before < item; before++)
            again = again || seen[before] == seen[item];
        uint32_t found = again ? 0 : ++at_bank[seen[item] % banks];
        most = found > most ? found : most;
    }
    return most;
}

bool tally_staged_lay_whole(const tally_staged *it, const tally_staged_side *at, uint16_t order,
                            tally_scan_staged_args *args) {
    uint64_t step = 1, last = 0, pack = TALLY_SCAN_STAGED_PACK / it->wish.bytes;
    for (uint32_t k = 0; k < it->rank; k++) {
        uint32_t axis = tally_staged_axis(at->order, k);
        step += k == 0 ? 0 : (tally_staged_stride(it, at, axis) - step) % pack;
        args->box_local[axis] = step;
        last += step * (args->box_size[axis] - 1);
        step *= args->box_size[axis];
    }
    return last + pack <= image_room(it) && meeting(it, order, args) <= TALLY_SCAN_STAGED_MEET;
}

bool tally_staged_is_whole(const tally_staged *it, const tally_staged_side *at,
                           const tally_scan_staged_args *args) {
    uint64_t pack = TALLY_SCAN_STAGED_PACK / it->wish.bytes;
    uint32_t closest = tally_staged_axis(at->order, 0);
    for (uint32_t k = 0; k < it->rank; k++)
        if ((tally_staged_stride(it, at, k) - args->box_local[k]) % pack != 0)
            return false;
    return tally_staged_stride(it, at, closest) == 1 && args->box_local[closest] == 1;
}

void tally_staged_lay_out(const tally_staged *it, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    const tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    bool lines = policy->skewed || tally_staged_axis(policy->read_order, 0) == 0 ||
                 tally_staged_axis(policy->write_order, 0) == 0;
    if (lines || !set_image(it, policy, args))
        set_lines(it, policy, args);
}
