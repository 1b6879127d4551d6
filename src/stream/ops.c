/*
 * Operators of pieces: found by a key of all that they depend on, or made.
 */
#include "stream/ops.h"

#include <string.h>

void tally_ops_init(tally_ops *ops, tally_runtime *runtime, const tally_pieces *pieces) {
    memset(ops, 0, sizeof *ops);
    ops->runtime = runtime;
    ops->pieces = pieces;
}

void tally_ops_release(tally_ops *ops) {
    for (uint32_t i = 0; i < ops->count; i++)
        tally_op_release(ops->kept[i]);
    ops->count = 0;
}

/* ---- Keys ----------------------------------------------------------------------------------- */

/* The box with all of the swept axis: the problem that a part is of. */
static tally_flat_box whole_of(const tally_ops *ops, const tally_flat_box *part) {
    const tally_flat *flat = ops->pieces->flat;
    tally_flat_box box = *part;
    if (flat->swept < flat->rank) {
        box.begin[flat->swept] = 0;
        box.size[flat->swept] = flat->axes[flat->swept].size;
    }
    return box;
}

static bool is_indexed(const tally_flat *flat) {
    return flat->kind == TALLY_FLAT_REDUCE &&
           (flat->reduce.function == TALLY_ARGMAX || flat->reduce.function == TALLY_ARGMIN);
}

/* Whether no part of a scan is visited before this one. */
static bool is_first(const tally_ops *ops, const tally_flat_box *part) {
    const uint32_t axis = ops->pieces->flat->swept;
    return ops->pieces->descending
               ? part->begin[axis] + part->size[axis] == ops->pieces->flat->axes[axis].size
               : part->begin[axis] == 0;
}

static tally_ops_key key_of(const tally_ops *ops, tally_ops_task task, const tally_flat_box *part) {
    const tally_flat *flat = ops->pieces->flat;
    tally_ops_key key;
    memset(&key, 0, sizeof key);
    memcpy(key.size, part->size, flat->rank * sizeof key.size[0]);
    key.task = task;
    if (task == TALLY_OPS_COMBINE) /* of all parts together */
        key.size[flat->swept] = 0;
    if (task == TALLY_OPS_STATES && is_indexed(flat))
        key.begin = part->begin[flat->swept];
    if (task == TALLY_OPS_SCAN)
        key.begin = is_first(ops, part);
    if (flat->kind == TALLY_FLAT_FILL) {
        tally_flat_desc piece;
        tally_flat_piece(flat, part, &piece);
        key.band[0] = piece.diagonal.begin;
        key.band[1] = piece.diagonal.end;
    }
    return key;
}

/* ---- Making --------------------------------------------------------------------------------- */

/* The cut of a box; the one of the last box is kept. */
static tally_status find_cut(tally_ops *ops, const tally_flat_box *box, tally_error *error) {
    if (ops->cut.struct_size != 0 &&
        memcmp(ops->cut_box.size, box->size, sizeof ops->cut_box.size) == 0)
        return TALLY_OK;
    tally_status status = tally_pieces_cut(ops->pieces, box, &ops->cut, error);
    if (status != TALLY_OK)
        ops->cut.struct_size = 0;
    ops->cut_box = *box;
    return status;
}

static uint64_t states_of(const tally_ops *ops, const tally_flat_box *part) {
    const uint32_t axis = ops->pieces->flat->swept;
    return tally_cut_states(&ops->cut, part->begin[axis], part->begin[axis] + part->size[axis]);
}

static uint64_t all_states(const tally_ops *ops) {
    uint64_t states = 0;
    for (uint32_t p = 0; p < ops->pieces->parts; p++)
        states += tally_cut_states(&ops->cut, ops->pieces->bounds[p], ops->pieces->bounds[p + 1]);
    return states;
}

static tally_status make_results(tally_ops *ops, const tally_flat_box *box, tally_op **op,
                                 tally_error *error) {
    tally_flat_desc piece;
    tally_flat_piece(ops->pieces->flat, box, &piece);
    return tally_op_create(ops->runtime, &piece.desc, op, error);
}

static tally_status make_part(tally_ops *ops, tally_ops_task task, const tally_flat_box *box,
                              tally_op **op, tally_error *error) {
    tally_flat_desc whole;
    const tally_flat *flat = ops->pieces->flat;
    const tally_flat_box all = whole_of(ops, box);
    tally_status status = find_cut(ops, &all, error);
    if (status != TALLY_OK)
        return status;
    tally_flat_piece(flat, &all, &whole);
    const tally_tensor packed = tally_tensor_packed(flat->input.dtype, flat->rank, box->size);
    tally_part part = TALLY_PART_INIT;
    part.begin = box->begin[flat->swept];
    part.end = part.begin + box->size[flat->swept];
    part.input = &packed;
    part.output = task == TALLY_OPS_SCAN ? &packed : NULL;
    if (task == TALLY_OPS_STATES)
        return tally_part_create(ops->runtime, &whole.desc, &ops->cut, &part, op, error);
    if (task == TALLY_OPS_SCAN)
        return tally_part_scan_create(ops->runtime, &whole.desc, &ops->cut, &part, op, error);
    const uint64_t states = task == TALLY_OPS_COMBINE
                                ? all_states(ops)
                                : states_of(ops, box) + (task == TALLY_OPS_CARRY ? 1 : 0);
    return tally_combine_create(ops->runtime, &whole.desc, &ops->cut, states, op, error);
}

tally_status tally_ops_find(tally_ops *ops, tally_ops_task task, const tally_flat_box *part,
                            tally_op **op, tally_error *error) {
    const tally_ops_key key = key_of(ops, task, part);
    for (uint32_t i = 0; i < ops->count; i++)
        if (memcmp(&ops->keys[i], &key, sizeof key) == 0) {
            *op = ops->kept[i];
            return TALLY_OK;
        }
    tally_status status = task == TALLY_OPS_RESULTS ? make_results(ops, part, op, error)
                                                    : make_part(ops, task, part, op, error);
    if (status != TALLY_OK)
        return status;
    const uint32_t i = ops->count < TALLY_OPS_MOST ? ops->count++ : ops->next++ % TALLY_OPS_MOST;
    tally_op_release(ops->kept[i]); /* its work may still run */
    ops->kept[i] = *op;
    ops->keys[i] = key;
    if (tally_op_scratch_size(*op) > ops->scratch)
        ops->scratch = tally_op_scratch_size(*op);
    return TALLY_OK;
}

/* ---- Preparing ------------------------------------------------------------------------------ */

/* The operators of the number-th part of a box, as parts are visited. */
static tally_status prepare_part(tally_ops *ops, const tally_flat_box *box, uint32_t number,
                                 tally_error *error) {
    const tally_flat_box part = tally_pieces_part(ops->pieces, box, number);
    const bool scan = ops->pieces->flat->kind == TALLY_FLAT_SCAN;
    const bool last = number + 1 == ops->pieces->parts;
    tally_op *op = NULL;
    tally_status status = TALLY_OK;
    const bool carries = scan && !last && !ops->pieces->chained;
    if (!scan || carries)
        status = tally_ops_find(ops, TALLY_OPS_STATES, &part, &op, error);
    if (status == TALLY_OK && !scan && last)
        status = tally_ops_find(ops, TALLY_OPS_COMBINE, &part, &op, error);
    if (status == TALLY_OK && carries)
        status = tally_ops_find(ops, number == 0 ? TALLY_OPS_CARRY_FIRST : TALLY_OPS_CARRY, &part,
                                &op, error);
    if (status == TALLY_OK && scan)
        status = tally_ops_find(ops, TALLY_OPS_SCAN, &part, &op, error);
    return status;
}

/* The parts of a box that differ in length from the one before, and the first and last ones. */
static tally_status prepare_box(tally_ops *ops, const tally_flat_box *box, tally_error *error) {
    const uint32_t parts = ops->pieces->parts, axis = ops->pieces->flat->swept;
    tally_op *op = NULL;
    tally_status status = TALLY_OK;
    uint64_t length = 0;
    if (parts == 1)
        return tally_ops_find(ops, TALLY_OPS_RESULTS, box, &op, error);
    for (uint32_t i = 0; i < parts && status == TALLY_OK; i++) {
        const tally_flat_box part = tally_pieces_part(ops->pieces, box, i);
        if (i < 2 || i + 2 >= parts || part.size[axis] != length)
            status = prepare_part(ops, box, i, error);
        length = part.size[axis];
    }
    return status;
}

tally_status tally_ops_prepare(tally_ops *ops, tally_error *error) {
    const tally_pieces *pieces = ops->pieces;
    const uint32_t rank = pieces->flat->rank;
    tally_status status = TALLY_OK;
    /* The first and the last range of each axis: of all lengths that there are. */
    for (uint32_t ends = 0; ends < 1u << rank && status == TALLY_OK; ends++) {
        uint64_t number = 0;
        bool other = true;
        for (uint32_t k = 0; k < rank; k++) {
            const bool last = (ends >> k & 1u) != 0;
            other = other && (!last || pieces->count[k] > 1);
            number = number * pieces->count[k] + (last ? pieces->count[k] - 1 : 0);
        }
        const tally_flat_box box = tally_pieces_box(pieces, number);
        if (other)
            status = prepare_box(ops, &box, error);
    }
    return status;
}

tally_status tally_ops_states(tally_ops *ops, const tally_flat_box *part, uint64_t *states,
                              uint64_t *bytes, tally_error *error) {
    const tally_flat_box all = whole_of(ops, part);
    tally_status status = find_cut(ops, &all, error);
    *states = status == TALLY_OK ? states_of(ops, part) : 0;
    *bytes = status == TALLY_OK ? ops->cut.lines * ops->cut.state_bytes : 0;
    return status;
}
