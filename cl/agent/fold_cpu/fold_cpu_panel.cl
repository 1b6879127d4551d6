/*
 * A fold of any strides on a CPU. A unit is a box: a block of the terms of a.box_outputs outputs.
 * It is brought into a panel in private memory, a row for each term with the outputs side by side,
 * and the rows are folded by the vector. Where a.box_outputs is 1 a box is a.box_blocks blocks of
 * an output, whose terms are brought one after the other (fold_cpu_line.cl), and a row is a vector
 * of those. Nothing is read outside of the input.
 */
#define TALLY_VECTORS_MAX (TALLY_PANEL_BYTES / 32)

/* The i-th vector of the panel. */
TALLY_INLINE tally_computes TALLY_FN(get)(const TALLY_FN(box) *box, uint i) {
    return tally_computes_of(TALLY_STAGED(box->rows + i * TALLY_WIDTH));
}

#if TALLY_STATE_IS_SHIFTED
/* The i-th vector of states' next run: from count rows of the panel. */
static tally_states TALLY_FN(run)(const TALLY_FN(box) *box, uint i, uint size, uint left) {
    const uint flat = box->lanes * box->vectors;
    const uint terms = min((size - i + flat - 1) / flat, (uint)TALLY_LANE_RUN);
    const uint behind = left - (i + (terms - 1) * flat) * TALLY_WIDTH;
    const uint there = box->columns > 1 ? TALLY_WIDTH : min(behind, (uint)TALLY_WIDTH);
    tally_computes x[TALLY_LANE_RUN];
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++) {
        const tally_masks present = TALLY_FIRST_LANES(k + 1 < terms ? TALLY_WIDTH : there);
        x[k] = (tally_computes)(LOWEST);
        if (k < terms)
            x[k] = present ? tally_map_all(TALLY_FN(get)(box, i + k * flat)) : x[k];
    }
    return tally_run_of(x, terms, there);
}

/* Rows of the panel, size vectors of left terms, as the lanes' next runs. */
static void TALLY_FN(take)(TALLY_FN(box) *box, uint first, uint size, uint left) {
    const uint flat = box->lanes * box->vectors;
    tally_states run[TALLY_SIDES];
    for (uint i = 0; i < flat; i += TALLY_SIDES) {
        const uint count = min(flat - i, (uint)TALLY_SIDES);
        if (box->columns > 1 && size <= flat) /* a term each */
            for (uint v = 0; v < count; v++)
                run[v] = i + v < size ? tally_single_all(TALLY_FN(get)(box, i + v), TALLY_IOTA)
                                      : tally_identity_all();
        else
#pragma unroll 1
            for (uint v = 0; v < count; v++)
                run[v] = i + v < size ? TALLY_FN(run)(box, i + v, size, left)
                                      : tally_identity_all();
        if (first == 0)
            for (uint v = 0; v < count; v++)
                box->state[i + v] = run[v];
        else
            TALLY_FN(combine_rows)(box->state + i, run, count);
    }
}
#else
/* Count vectors from the begin-th on as the next terms of states, the first of them or not. */
TALLY_INLINE void TALLY_FN(take_row)(TALLY_FN(box) *box, tally_states *state, uint begin,
                                     uint count, tally_positions position, uint step,
                                     const bool is_first) {
    for (uint v = 0; v < count; v++, position += step) {
        const tally_states one = tally_single_all(TALLY_FN(get)(box, begin + v), position);
        state[v] = is_first ? one : tally_combine_all(state[v], one);
    }
}

/* Rows of the panel, size vectors of left terms, the first of which is the first-th. */
static void TALLY_FN(take)(TALLY_FN(box) *box, uint first, uint size, uint left) {
    const uint flat = box->lanes * box->vectors;
    const bool stride = box->columns > 1;
    /* A single column's lanes are one row. */
    const uint vectors = stride ? box->vectors : flat, step = stride ? 0 : TALLY_WIDTH;
    const uint whole = stride ? size : left / TALLY_WIDTH;
    for (uint begin = 0; begin < size; begin += flat) {
        const uint n = min(flat, whole - min(begin, whole));
        for (uint i = 0; i < n; i += vectors) {
            const uint row = first + (stride ? (begin + i) / vectors : begin * TALLY_WIDTH);
            const tally_positions position =
                stride ? (tally_positions)(row) : (tally_positions)(row) + TALLY_IOTA;
            if (first + begin > 0)
                TALLY_FN(take_row)(box, box->state + i, begin + i, min(vectors, n - i), position,
                                   step, false);
            else
                TALLY_FN(take_row)(box, box->state + i, begin + i, min(vectors, n - i), position,
                                   step, true);
        }
        if (begin <= whole && whole < min(begin + flat, size)) { /* part of a vector */
            const tally_states one =
                tally_either(TALLY_FIRST_LANES(left - whole * TALLY_WIDTH),
                             tally_single_all(TALLY_FN(get)(box, whole),
                                              TALLY_IOTA + (first + whole * TALLY_WIDTH)),
                             tally_identity_all());
            box->state[whole - begin] =
                first + begin > 0 ? tally_combine_all(box->state[whole - begin], one) : one;
        }
    }
    if (first == 0)
        for (uint i = size; i < flat; i++)
            box->state[i] = tally_identity_all();
}
#endif

/* Lanes combined by halving: the first vectors of states are the results. */
static void TALLY_FN(combine_lanes)(TALLY_FN(box) *box) {
    const uint each = box->columns > 1 ? 1 : TALLY_WIDTH; /* terms of a row */
    TALLY_FN(halve_rows)(box->state, box->lanes, min(box->lanes, (box->terms + each - 1) / each),
                         box->vectors);
    if (box->columns == 1)
        box->state[0] = tally_merge_one(box->state[0]);
}

/* A box's terms, of several outputs. */
static void TALLY_FN(fold)(__global const tally_stored *in, __global const tally_stored *end,
                           tally_index step, tally_index begin, TALLY_FN(box) *box) {
    /* LOG_SUM_EXP takes a run of each lane at a time. */
    const uint share = box->lanes * (TALLY_STATE_IS_SHIFTED ? TALLY_LANE_RUN : 1);
    const uint most = TALLY_STATE_IS_SHIFTED ? share : TALLY_VECTORS_MAX / box->vectors;
    const uint each = box->terms <= most ? box->terms : most - most % share;
    box->rows = (const tally_stored *)box->panel;
    for (uint first = 0; first < box->terms; first += each) {
        const uint count = min(each, box->terms - first);
        TALLY_FN(bring)(in, end, step, first, count, begin + first, box);
        TALLY_FN(take)(box, first, count * box->vectors, count);
    }
    TALLY_FN(combine_lanes)(box);
}

/*
 * A unit of a single output: blocks of its terms, each of which is folded where it was brought to.
 */
static void TALLY_FN(fold_line)(const tally_fold_cpu_panel_args *a,
                                __global const tally_stored *in,
                                __global const tally_stored *end, tally_index output,
                                tally_index block, TALLY_FN(out_row) *row,
                                __global TALLY_TARGET *out, TALLY_FN(box) *box) {
    const tally_index begin = block * TALLY_BLOCK;
    const uint share = TALLY_STATE_IS_SHIFTED ? TALLY_LANE_RUN * TALLY_LANES : TALLY_BLOCK;
    uint left = (uint)min((tally_index)a->box_blocks * TALLY_BLOCK, (tally_index)a->terms - begin);
    const tally_stored *terms =
        TALLY_FN(bring_line)(a, in + TALLY_ORIGIN(*a, output), end, begin, left, box->at,
                             (tally_stored *)box->panel);
    for (; left > 0; left -= box->terms, terms += box->terms, block++) {
        box->terms = min(left, (uint)TALLY_BLOCK);
        box->lanes = max(TALLY_FN(lanes_for)(box->terms) / TALLY_WIDTH, 1u);
        for (uint first = 0; first < box->terms; first += share) {
            const uint count = min(share, box->terms - first);
            box->rows = terms + first;
            TALLY_FN(take)(box, first, (count + TALLY_WIDTH - 1) / TALLY_WIDTH, count);
        }
        TALLY_FN(combine_lanes)(box);
        TALLY_FN(put_outputs)(a, row, out, block, output, box->state[0], 1);
    }
}

/* In which order a box is brought: the nearest terms first, or else the nearest outputs. */
static void TALLY_FN(find_order)(const tally_fold_cpu_panel_args *a, TALLY_FN(box) *box) {
    tally_u64 nearest = ~(tally_u64)0, inside = 1;
    box->near = box->along = 1;
    for (uint k = TALLY_SWEPT_RANK; k-- > 0; inside *= a->swept_size[k])
        if (a->swept_size[k] > 1 && a->swept_in[k] < nearest) {
            nearest = a->swept_in[k];
            box->near = inside < TALLY_BLOCK ? (uint)inside : 1; /* a block has no two such */
            box->along = nearest == 1 && inside < TALLY_BLOCK
                             ? (uint)min(a->swept_size[k], (tally_u64)TALLY_BLOCK * TALLY_BLOCK)
                             : 1;
        }
    box->by_rows = a->box_outputs > 1 && nearest >= a->kept_in[TALLY_KEPT_RANK - 1];
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_panel_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index boxes = units / (tally_index)a.blocks,
                      box_outputs = (tally_index)a.box_outputs;
    tally_index known = ~(tally_index)0; /* the block whose terms' offsets are there */
    TALLY_FN(columns) columns[2];
    TALLY_FN(out_row) row = TALLY_NO_ROW;
    TALLY_FN(box) box;
    in += a.head.in_offset;
    out += a.head.out_offset;
    __global const tally_stored *elements = (__global const tally_stored *)in;
    __global const tally_stored *end =
        elements + (1 + TALLY_FN(reach)(TALLY_KEPT_RANK, a.kept_size, a.kept_in) +
                    TALLY_FN(reach)(TALLY_SWEPT_RANK, a.swept_size, a.swept_in));
    box.columns = (uint)box_outputs;
    box.vectors = max((uint)box_outputs / TALLY_WIDTH, 1u);
    const tally_index parts =
        ((tally_index)a.blocks + (tally_index)a.box_blocks - 1) / (tally_index)a.box_blocks;
    TALLY_FN(find_order)(&a, &box);
    TALLY_FOR_UNITS(unit, first, units, grain) {
        if (box_outputs == 1) {
            TALLY_FN(fold_line)(&a, elements, end, unit / parts,
                                unit % parts * (tally_index)a.box_blocks, &row, out, &box);
            continue;
        }
        const tally_index block = unit / boxes, output = (unit - block * boxes) * box_outputs;
        const tally_index begin = block * TALLY_BLOCK;
        if (block != known) {
            box.terms = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin);
            const uint lanes = TALLY_FN(lanes_for)(box.terms);
            box.lanes = TALLY_EXACT ? 1 : lanes;
            box.ahead =
                min(box.terms, max(TALLY_PANEL_AHEAD / TALLY_BYTES / box.columns, 1u));
            TALLY_FN(walk)(box.at, box.terms, begin, TALLY_SWEPT_RANK, a.swept_size,
                           a.swept_in);
            known = block;
        }
        if (unit == first)
            TALLY_FN(find_columns)(&a, output, columns + unit % 2);
        TALLY_FN(find_columns)(&a, (unit + 1) % boxes * box_outputs, columns + (unit + 1) % 2);
        box.now = columns + unit % 2;
        box.then = columns + (unit + 1) % 2;
        TALLY_FN(fold)(elements, end, (tally_index)a.kept_in[TALLY_KEPT_RANK - 1], begin,
                       &box);
        for (uint c = 0; c < box.now->present; c += TALLY_WIDTH)
            TALLY_FN(put_outputs)(&a, &row, out, block, output + c,
                                  box.state[c / TALLY_WIDTH],
                                  min(box.now->present - c, (uint)TALLY_WIDTH));
    }
}
