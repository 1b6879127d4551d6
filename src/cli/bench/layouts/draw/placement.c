/*
 * The strides of a tensor from how it lies in memory. Knows no operator.
 */
#include "cli/bench/layouts/draw/placement.h"

#include "cli/tables/types.h"

/* Paddings that are drawn before the position does without. */
#define TRIES 32

#define PADDING_MAX 17
#define PITCH_UNIT 32
#define GAP_MAX 4

uint64_t layouts_extent(const tally_tensor *tensor) {
    uint64_t last = 0;
    for (uint32_t k = 0; k < tensor->rank; k++)
        last += (tensor->size[k] - 1) * tensor->stride[k];
    return last + 1;
}

layouts_placement layouts_placement_packed(uint32_t rank) {
    layouts_placement placement = {
        .repeated = LAYOUTS_NO_AXIS, .gap = 1, .padded = LAYOUTS_NO_AXIS};
    for (uint32_t k = 0; k < rank; k++)
        placement.order[k] = k;
    return placement;
}

/* Whether the axis takes part in the layout: it has several elements, and they are apart. */
static bool counts(const layouts_placement *placement, const tally_tensor *tensor, uint32_t axis) {
    return tensor->size[axis] > 1 && axis != placement->repeated;
}

/* The strides with the position's gap and padding, from the innermost axis to the outermost. */
static void set_strides(const layouts_placement *placement, tally_tensor *tensor) {
    uint64_t pitch = placement->gap;
    for (uint32_t i = tensor->rank; i-- > 0;) {
        const uint32_t axis = placement->order[i];
        pitch += axis == placement->padded ? placement->padding : 0;
        tensor->stride[axis] = axis == placement->repeated ? 0 : pitch;
        if (counts(placement, tensor, axis))
            pitch *= tensor->size[axis];
    }
    tensor->flags = TALLY_STRIDED;
}

/* The axes that count, innermost first. */
static uint32_t list_axes(const layouts_placement *placement, const tally_tensor *tensor,
                          uint32_t axes[TALLY_MAX_RANK]) {
    uint32_t count = 0;
    for (uint32_t i = tensor->rank; i-- > 0;)
        if (counts(placement, tensor, placement->order[i]))
            axes[count++] = placement->order[i];
    return count;
}

/* Enlarge the pitch of one axis outside the innermost, if there is one. */
static void draw_padding(layouts_placement *placement, layouts_random *random,
                         tally_tensor *tensor) {
    uint32_t axes[TALLY_MAX_RANK];
    const uint32_t count = list_axes(placement, tensor, axes);
    const uint64_t axis = layouts_random_next(random), amount = layouts_random_next(random);
    const bool to_unit = layouts_random_percent(random, 50);
    placement->padded = LAYOUTS_NO_AXIS;
    if (count < 2)
        return;
    set_strides(placement, tensor);
    placement->padded = axes[1 + axis % (count - 1)];
    placement->padding = to_unit ? PITCH_UNIT - tensor->stride[placement->padded] % PITCH_UNIT
                                 : 1 + amount % PADDING_MAX;
}

void layouts_placement_strides(layouts_placement *placement, layouts_random random,
                               uint64_t bytes_max, tally_tensor *tensor) {
    const uint64_t most = bytes_max / cli_type_bytes(tensor->dtype);
    uint32_t axes[TALLY_MAX_RANK];
    const bool wants = placement->wants_padding || placement->wants_gaps;
    const bool can = list_axes(placement, tensor, axes) > 0;
    for (uint32_t i = 0; i < TRIES && wants && can; i++) {
        const uint64_t gap = 2 + layouts_random_below(&random, GAP_MAX - 1);
        placement->gap = placement->wants_gaps ? (uint32_t)gap : 1;
        if (placement->wants_padding)
            draw_padding(placement, &random, tensor);
        set_strides(placement, tensor);
        if (layouts_extent(tensor) <= most)
            return;
    }
    placement->gap = 1;
    placement->padded = LAYOUTS_NO_AXIS;
    set_strides(placement, tensor);
}
