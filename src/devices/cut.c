/*
 * Where a tensor is cut for devices of different speeds. Pure: it sees speeds, and no device.
 */
#include "base/host_memory.h"
#include "devices/op.h"

/* Bounds are chosen among those of an even cut into so many parts for each device, the fewest
 * first: fine bounds make more states. */
static const uint32_t parts_per_device[] = {1, 4, 16, 64, 256};
#define TRIES (sizeof parts_per_device / sizeof parts_per_device[0])

/* A cut is good if it takes longer than the best that speeds allow by one in so many. */
#define GOOD 64.0

/* How much longer a byte of a state takes between devices than a byte of the input on one. */
#define TRAVEL 256.0

/* A cut with what it costs: 1 is the time that all devices take if each has its exact share. */
typedef struct choice {
    tally_cut cut;
    double cost;
    uint64_t bounds[TALLY_DEVICES_MAX + 1];
} choice;

/* The bound nearest to a position, from the at-th on. */
static uint32_t nearest(const uint64_t *bounds, uint32_t last, uint32_t at, double position) {
    while (at < last && (double)bounds[at + 1] <= position)
        at++;
    return at < last && (double)bounds[at + 1] - position < position - (double)bounds[at] ? at + 1
                                                                                          : at;
}

/* Choose each device's bounds among those of an even cut. */
static void choose_bounds(const tally_devices *devices, const uint64_t *even, uint32_t parts,
                          uint64_t *bounds) {
    double all = 0, before = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < devices->entries; i++)
        all += devices->entry[i].speed;
    bounds[0] = 0;
    for (uint32_t i = 0; i < devices->entries; i++) {
        before += devices->entry[i].speed;
        at = nearest(even, parts, at, before / all * (double)even[parts]);
        bounds[i + 1] = even[at];
    }
    /* Rounding may leave the end to nobody: it is the last device's that gets anything at all. */
    for (uint32_t i = devices->entries; i > 0; i--) {
        bounds[i] = even[parts];
        if (devices->entry[i - 1].speed > 0)
            break;
    }
}

/* The largest part's time, as the speeds say. */
static double time_of(const tally_devices *devices, const uint64_t *bounds) {
    double all = 0, worst = 0;
    const double size = (double)bounds[devices->entries];
    for (uint32_t i = 0; i < devices->entries; i++)
        all += devices->entry[i].speed;
    for (uint32_t i = 0; i < devices->entries; i++) {
        const double part = (double)(bounds[i + 1] - bounds[i]);
        const double time = part > 0 ? part / size * all / devices->entry[i].speed : 0;
        worst = time > worst ? time : worst;
    }
    return worst;
}

/* The time for which states are under way. */
static double travel_of(const tally_devices *devices, const tally_desc *whole, const choice *of) {
    const tally_tensor *input = tally_desc_input(whole);
    double states = 0, bytes = 1;
    if (of->cut.kind == TALLY_CUT_RESULTS || input == NULL)
        return 0;
    for (uint32_t i = 0; i < devices->entries; i++)
        states += (double)tally_cut_states(&of->cut, of->bounds[i], of->bounds[i + 1]);
    for (uint32_t k = 0; k < input->rank; k++)
        bytes *= (double)input->size[k];
    bytes *= (double)tally_dtype_size(input->dtype);
    states *= (double)of->cut.lines * (double)of->cut.state_bytes;
    return bytes > 0 ? TRAVEL * states / bytes * devices->entries : 0;
}

/* Cut an axis, at bounds as far apart as is good. */
static tally_status cut_axis(const tally_devices *devices, const tally_desc *whole, uint32_t axis,
                             uint64_t *even, choice *best, tally_error *error) {
    choice next;
    best->cost = 0;
    for (size_t i = 0; i < TRIES && (i == 0 || best->cost > 1 + 1 / GOOD); i++) {
        const uint32_t parts = devices->entries * parts_per_device[i];
        next.cut = (tally_cut)TALLY_CUT_INIT;
        tally_status status = tally_cut_even(whole, axis, parts, even, &next.cut, error);
        if (status != TALLY_OK)
            return status;
        choose_bounds(devices, even, parts, next.bounds);
        /* Once more for the grain: the largest that has these bounds. */
        status = tally_cut_at(whole, axis, devices->entries, next.bounds, &next.cut, error);
        if (status != TALLY_OK)
            return status;
        next.cost = time_of(devices, next.bounds) + travel_of(devices, whole, &next);
        if (i == 0 || next.cost < best->cost)
            *best = next;
    }
    return TALLY_OK;
}

/* Whether a cut is better: it takes less time, or about as much and gives results. */
static bool is_better(const choice *than, const choice *best) {
    const bool results = than->cut.kind == TALLY_CUT_RESULTS;
    if (results == (best->cut.kind == TALLY_CUT_RESULTS))
        return than->cost < best->cost;
    return results ? than->cost <= best->cost * (1 + 2 / GOOD)
                   : than->cost * (1 + 2 / GOOD) < best->cost;
}

static tally_status cut_any(const tally_devices *devices, const tally_desc *whole, uint64_t *even,
                            choice *best, tally_error *error) {
    const tally_tensor *output = tally_desc_output(whole);
    bool found = false;
    choice next;
    for (uint32_t axis = 0; output != NULL && axis < output->rank && axis < TALLY_MAX_RANK;
         axis++) {
        if (cut_axis(devices, whole, axis, even, &next, NULL) != TALLY_OK)
            continue;
        if (!found || is_better(&next, best))
            *best = next;
        found = true;
    }
    if (found)
        return TALLY_OK;
    /* Its sentence says why there is no axis. */
    best->cut = (tally_cut)TALLY_CUT_INIT;
    tally_status status = tally_cut_even(whole, TALLY_ANY_AXIS, 1, even, &best->cut, error);
    return status != TALLY_OK ? status
                              : tally_fail(error, TALLY_INVALID, "the tensor has no axis to cut");
}

tally_status tally_devices_cut(const tally_devices *devices, const tally_desc *whole, uint32_t axis,
                               uint64_t *bounds, tally_cut *cut, tally_error *error) {
    const size_t most = (size_t)devices->entries * parts_per_device[TRIES - 1] + 1;
    uint64_t *even = tally_host_take_zeros(NULL, most, sizeof *even);
    choice best = {.cost = 0};
    if (even == NULL)
        return tally_fail_memory(error, "the bounds of parts");
    tally_status status = axis == TALLY_ANY_AXIS
                              ? cut_any(devices, whole, even, &best, error)
                              : cut_axis(devices, whole, axis, even, &best, error);
    if (status == TALLY_OK) {
        *cut = best.cut;
        for (uint32_t i = 0; i <= devices->entries; i++)
            bounds[i] = best.bounds[i];
    }
    tally_host_give(NULL, even);
    return status;
}
