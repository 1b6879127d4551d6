/*
 * Flattening a description, and what it is of a box. The bits do not change: which terms are
 * combined in which order follows from the groups of swept axes, and from their row-major order.
 */
#include "stream/flat.h"

#include <string.h>

#include "base/struct.h"

/* ---- Reading a description ------------------------------------------------------------------ */

/* The caller's tensor without its strides, which no stream has. */
static tally_tensor pack(const tally_tensor *tensor) {
    tally_tensor packed = *tensor;
    packed.flags = 0;
    return packed;
}

static tally_status read_reduce(const tally_reduce *given, const tally_device_limits *limits,
                                tally_flat *flat, tally_error *error) {
    tally_reduce *desc = &flat->reduce;
    tally_status status = tally_struct_take(given, desc, sizeof *desc, "tally_reduce", error);
    if (status != TALLY_OK)
        return status;
    desc->struct_size = sizeof *desc;
    desc->input = pack(&desc->input);
    desc->output = pack(&desc->output);
    flat->kind = TALLY_FLAT_REDUCE;
    flat->reads = true;
    flat->input = desc->input;
    flat->output = desc->output;
    return tally_reduce_check(desc, limits, error);
}

static tally_status read_cumulative(const tally_cumulative *given,
                                    const tally_device_limits *limits, tally_flat *flat,
                                    tally_error *error) {
    tally_cumulative *desc = &flat->cumulative;
    tally_status status = tally_struct_take(given, desc, sizeof *desc, "tally_cumulative", error);
    if (status != TALLY_OK)
        return status;
    desc->struct_size = sizeof *desc;
    desc->input = pack(&desc->input);
    desc->output = pack(&desc->output);
    flat->kind = TALLY_FLAT_SCAN;
    flat->reads = true;
    flat->input = desc->input;
    flat->output = desc->output;
    return tally_cumulative_check(desc, limits, error);
}

static tally_status read_diagonal(const tally_diagonal *given, const tally_device_limits *limits,
                                  tally_flat *flat, tally_error *error) {
    tally_diagonal *desc = &flat->diagonal;
    tally_status status = tally_struct_take(given, desc, sizeof *desc, "tally_diagonal", error);
    if (status != TALLY_OK)
        return status;
    desc->struct_size = sizeof *desc;
    desc->output = pack(&desc->output);
    flat->kind = TALLY_FLAT_FILL;
    flat->reads = desc->input != NULL;
    flat->input = flat->reads ? pack(desc->input) : desc->output;
    flat->output = desc->output;
    desc->input = flat->reads ? &flat->input : NULL;
    return tally_diagonal_check(desc, limits, error);
}

static tally_status read_any(const tally_desc *whole, const tally_device_limits *limits,
                             tally_flat *flat, tally_error *error) {
    tally_desc desc;
    tally_status status = tally_struct_take_desc(whole, &desc, error);
    if (status != TALLY_OK)
        return status;
    return desc.reduce != NULL       ? read_reduce(desc.reduce, limits, flat, error)
           : desc.cumulative != NULL ? read_cumulative(desc.cumulative, limits, flat, error)
                                     : read_diagonal(desc.diagonal, limits, flat, error);
}

/* ---- Flattening ----------------------------------------------------------------------------- */

static tally_flat_role role_of(const tally_flat *flat, uint32_t axis) {
    if (flat->kind == TALLY_FLAT_FILL)
        return axis + 2 < flat->input.rank    ? TALLY_FLAT_KEPT
               : axis + 2 == flat->input.rank ? TALLY_FLAT_ROWS
                                              : TALLY_FLAT_COLUMNS;
    const bool swept = flat->kind == TALLY_FLAT_REDUCE ? (flat->reduce.axes >> axis & 1u) != 0
                                                       : axis == flat->cumulative.axis;
    return swept ? TALLY_FLAT_SWEPT : TALLY_FLAT_KEPT;
}

/* Axes that an operator has to have, whatever their size. */
static bool is_needed(const tally_flat *flat, tally_flat_role role) {
    return role != TALLY_FLAT_KEPT && flat->kind != TALLY_FLAT_REDUCE;
}

static void merge_axes(tally_flat *flat) {
    for (uint32_t k = 0; k < flat->input.rank; k++) {
        const uint64_t size = flat->input.size[k];
        const tally_flat_role role = role_of(flat, k);
        tally_flat_axis *last = &flat->axes[flat->rank > 0 ? flat->rank - 1 : 0];
        if (size == 1 && !is_needed(flat, role))
            continue;
        if (flat->rank > 0 && last->role == role) {
            last->size *= size; /* the product of all sizes does not overflow */
            last->end = k + 1;
        } else {
            flat->axes[flat->rank++] = (tally_flat_axis){size, k, k + 1, role, 1};
        }
    }
    if (flat->rank == 0)
        flat->axes[flat->rank++] = (tally_flat_axis){1, 0, 0, TALLY_FLAT_KEPT, 1};
}

/*
 * Find the axis that can be cut into states. A piece has two coordinates of an axis between two
 * swept ones: with one, these would be neighbours, and their terms would be one sequence.
 */
static void find_swept(tally_flat *flat) {
    flat->swept = flat->rank;
    for (uint32_t k = flat->rank; k-- > 0;) {
        if (flat->axes[k].role != TALLY_FLAT_SWEPT)
            continue;
        flat->swept = k;
        for (uint32_t inner = k + 1; inner < flat->rank; inner++)
            if (flat->axes[inner].role == TALLY_FLAT_SWEPT) {
                flat->axes[k + 1].least = 2;
                break;
            }
    }
}

tally_status tally_flat_read(const tally_desc *whole, const tally_device_limits *limits,
                             tally_flat *flat, tally_error *error) {
    memset(flat, 0, sizeof *flat);
    tally_status status = read_any(whole, limits, flat, error);
    if (status != TALLY_OK)
        return status;
    flat->input_bytes = flat->reads ? tally_dtype_size(flat->input.dtype) : 0;
    flat->output_bytes = tally_dtype_size(flat->output.dtype);
    merge_axes(flat);
    find_swept(flat);
    return TALLY_OK;
}

/* ---- Boxes ---------------------------------------------------------------------------------- */

/* Whether the output has one coordinate along an axis. */
static bool is_reduced(const tally_flat *flat, uint32_t axis) {
    return flat->kind == TALLY_FLAT_REDUCE && flat->axes[axis].role == TALLY_FLAT_SWEPT;
}

uint64_t tally_flat_input_elements(const tally_flat *flat, const tally_flat_box *box) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < flat->rank; k++)
        elements *= box->size[k];
    return elements;
}

uint64_t tally_flat_output_elements(const tally_flat *flat, const tally_flat_box *box) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < flat->rank; k++)
        elements *= is_reduced(flat, k) ? 1 : box->size[k];
    return elements;
}

/* A bound of a band among the diagonals that there are, from -rows to columns. */
static int64_t limited(int64_t bound, int64_t low, int64_t high) {
    return bound < low ? low : bound > high ? high : bound;
}

/* The band as a box has it: it lies further right of later rows, further left of later columns. */
static void set_band(const tally_flat *flat, const tally_flat_box *box, tally_diagonal *desc) {
    const uint32_t rows = flat->rank - 2, columns = flat->rank - 1;
    const int64_t low = -(int64_t)flat->axes[rows].size, high = (int64_t)flat->axes[columns].size;
    const bool inverted = desc->begin > desc->end;
    int64_t begin = limited(desc->begin, low, high), end = limited(desc->end, low, high);
    if (inverted && begin == end) { /* no diagonal is left out; equal bounds would mean all are */
        begin = low;
        end = high;
    }
    const int64_t by = (int64_t)box->begin[rows] - (int64_t)box->begin[columns];
    desc->begin = begin + by;
    desc->end = end + by;
}

static uint32_t swept_axes(const tally_flat *flat) {
    uint32_t axes = 0;
    for (uint32_t k = 0; k < flat->rank; k++)
        axes |= flat->axes[k].role == TALLY_FLAT_SWEPT ? 1u << k : 0;
    return axes;
}

void tally_flat_piece(const tally_flat *flat, const tally_flat_box *box, tally_flat_desc *piece) {
    memset(piece, 0, sizeof *piece);
    piece->desc = (tally_desc)TALLY_DESC_INIT;
    piece->input = tally_tensor_packed(flat->input.dtype, flat->rank, box->size);
    if (flat->kind == TALLY_FLAT_REDUCE) {
        piece->reduce = flat->reduce;
        piece->reduce.axes = swept_axes(flat);
        piece->reduce.input = piece->input;
        piece->reduce.output =
            tally_tensor_reduced(&piece->input, piece->reduce.axes, flat->output.dtype);
        piece->desc.reduce = &piece->reduce;
    } else if (flat->kind == TALLY_FLAT_SCAN) {
        piece->cumulative = flat->cumulative;
        piece->cumulative.axis = flat->swept;
        piece->cumulative.input = piece->input;
        piece->cumulative.output = piece->input;
        piece->desc.cumulative = &piece->cumulative;
    } else {
        piece->diagonal = flat->diagonal;
        piece->diagonal.input = flat->reads ? &piece->input : NULL;
        piece->diagonal.output = piece->input;
        set_band(flat, box, &piece->diagonal);
        piece->desc.diagonal = &piece->diagonal;
    }
}
