/*
 * A fold of any strides on a CPU. A unit is a box: a block of the terms of a.across outputs. It is
 * brought into a panel in private memory, a row for each term with the outputs side by side, and
 * the rows are folded by the vector. Where a.across is 1 the panel is the output's terms, one after
 * the other, and a row is a vector of those. Nothing is read outside of the input.
 */
#define TALLY_VECTORS_MAX (TALLY_PANEL_BYTES / 32)

/* A box: where its outputs and terms lie, its panel, and its states so far. */
typedef struct {
    uint columns; /* whole vectors, or 1 */
    uint present; /* outputs */
    uint vectors; /* of a row */
    uint lanes;   /* rows of states */
    uint runs;    /* of columns that lie side by side in the input; 0: none do */
    uint terms;   /* of the block */
    uint near;    /* terms from one to the nearest in memory */
    bool by_rows; /* outputs lie nearer to each other than terms */
    tally_index reach; /* elements behind a row's start that its vectors may touch */
    tally_index in[TALLY_PANEL_COLUMNS];
    tally_index at[TALLY_BLOCK];
    ushort run[TALLY_PANEL_COLUMNS + 1]; /* where each begins */
    tally_computes panel[TALLY_VECTORS_MAX]; /* elements as they are stored, so in part of it */
    tally_states state[TALLY_PANEL_STATES];
} TALLY_FN(box);

/* Which columns lie side by side, if those of the innermost axis do. */
static void TALLY_FN(find_runs)(const tally_fold_args *a, TALLY_FN(box) *box) {
    box->runs = 0;
    if (a->kept_in[TALLY_KEPT_RANK - 1] != 1)
        return;
    box->reach = 0;
    for (uint c = 0; c < box->present; c++) {
        if (c == 0 || box->in[c] != box->in[c - 1] + 1)
            box->run[box->runs++] = (ushort)c;
        box->reach = max(box->reach, box->in[c] + TALLY_WIDTH);
    }
    box->run[box->runs] = (ushort)box->present;
}

/* Bring count elements nearer that come after that one: the next box's. */
TALLY_INLINE void TALLY_FN(ask)(__global const tally_stored *in, uint count) {
    for (uint i = 0; i < count; i += TALLY_LINE / TALLY_BYTES)
        TALLY_PREFETCH(in + i + TALLY_LINE / TALLY_BYTES);
}

/* A row of the panel, from the row-th term of the box. */
static void TALLY_FN(bring_row)(__global const tally_stored *row,
                                __global const tally_stored *end, tally_stored *to,
                                const TALLY_FN(box) *box) {
    TALLY_FN(ask)(row + box->in[box->present - 1], box->present);
    if (box->runs > 0 && end - row >= (long)box->reach) {
        /* A vector may go beyond its run, where the next one will be. */
        for (uint s = 0; s < box->runs; s++) {
            const uint begin = box->run[s], behind = box->run[s + 1];
            __global const tally_stored *run = row + box->in[begin];
            uint c = begin;
            for (; c < behind && c + TALLY_WIDTH <= box->columns; c += TALLY_WIDTH)
                TALLY_VSTORE(TALLY_VLOAD(0, run + c - begin), 0, to + c);
            for (; c < behind; c++)
                to[c] = run[c - begin];
        }
    } else {
        TALLY_ONE_BY_ONE
        for (uint c = 0; c < box->present; c++)
            to[c] = row[box->in[c]];
    }
}

/* Count terms from the first-th on of a column; those near apart are the nearest in memory. */
static void TALLY_FN(bring_column)(__global const tally_stored *in, const tally_index *at,
                                   uint count, uint near, uint columns, tally_stored *panel) {
    for (uint begin = 0; begin < min(near, count); begin++) {
        TALLY_ONE_BY_ONE
        for (uint r = begin; r < count; r += near)
            panel[r * columns] = in[at[r]];
        if (near > 1)
            TALLY_FN(ask)(in + at[begin + (count - 1 - begin) / near * near], count / near);
    }
}

/* The same of runs of inner terms that lie side by side, where the first has that place in one. */
static void TALLY_FN(bring_line)(__global const tally_stored *in, const tally_index *at,
                                 uint count, tally_index inner, tally_index place,
                                 tally_stored *panel) {
    for (uint r = 0; r < count; place = 0) {
        const uint n = (uint)min((tally_index)(count - r), inner - place);
        uint i = 0;
        for (; i + TALLY_WIDTH <= n; i += TALLY_WIDTH)
            TALLY_VSTORE(TALLY_VLOAD(0, in + at[r] + i), 0, panel + r + i);
        TALLY_ONE_BY_ONE
        for (; i < n; i++)
            panel[r + i] = in[at[r] + i];
        r += n;
    }
}

/* Count terms of all columns from the first-th on, which is the begin-th of its output. */
static void TALLY_FN(bring)(const tally_fold_args *a, __global const tally_stored *in,
                            __global const tally_stored *end, uint first, uint count,
                            tally_index begin, TALLY_FN(box) *box) {
    const tally_index inner = (tally_index)a->swept_size[TALLY_SWEPT_RANK - 1];
    const tally_index *at = box->at + first;
    tally_stored *panel = (tally_stored *)box->panel;
    if (box->by_rows) {
        for (uint i = 0; i < min(box->near, count); i++)
            for (uint r = i; r < count; r += box->near)
                TALLY_FN(bring_row)(in + at[r], end, panel + r * box->columns, box);
    } else if (box->columns == 1 && a->swept_in[TALLY_SWEPT_RANK - 1] == 1) {
        TALLY_FN(bring_line)(in + box->in[0], at, count, inner, begin % inner, panel);
    } else {
        for (uint c = 0; c < box->present; c++)
            TALLY_FN(bring_column)(in + box->in[c], at, count, box->near, box->columns, panel + c);
    }
}

/* The i-th vector of the panel. */
TALLY_INLINE tally_computes TALLY_FN(get)(const TALLY_FN(box) *box, uint i) {
    const tally_stored *at = (const tally_stored *)box->panel + i * TALLY_WIDTH;
#if TALLY_FLOATING && TALLY_BYTES == 2 && TALLY_HALVES
    return __builtin_convertvector(*(const tally_elements *)at, tally_computes);
#elif TALLY_FLOATING && TALLY_BYTES == 2
    return vload_half8(0, (const half *)at);
#else
    return TALLY_CONVERT(TALLY_VECTOR_OF(TALLY_COMPUTE))(TALLY_VLOAD(0, (const TALLY_STORAGE *)at));
#endif
}

/* Vectors of states joined to as many others. */
static void TALLY_FN(join_rows)(tally_states *a, const tally_states *b, uint count) {
    uint i = 0;
#if TALLY_STATE_IS_SHIFTED
#pragma unroll 1
    for (; i + TALLY_SIDES <= count; i += TALLY_SIDES)
        tally_join_sides(a + i, b + i);
#endif
    for (; i < count; i++)
        a[i] = tally_join_all(a[i], b[i]);
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
#pragma unroll 1
        for (uint v = 0; v < count; v++)
            run[v] = i + v < size ? TALLY_FN(run)(box, i + v, size, left) : tally_neutral_all();
        if (first == 0)
            for (uint v = 0; v < count; v++)
                box->state[i + v] = run[v];
        else
            TALLY_FN(join_rows)(box->state + i, run, count);
    }
}
#else
/* Rows of the panel, size vectors of left terms, the first of which is the first-th. */
static void TALLY_FN(take)(TALLY_FN(box) *box, uint first, uint size, uint left) {
    const uint flat = box->lanes * box->vectors, vectors = box->vectors;
    const bool apart = box->columns > 1;
    uint row = 0;
    for (uint begin = 0; begin < size; begin += flat)
        for (uint i = 0; i < min(flat, size - begin); i += vectors, row++) {
            const tally_places place = apart ? (tally_places)(first + row)
                                             : TALLY_IOTA + first + row * TALLY_WIDTH;
            const tally_masks present =
                TALLY_FIRST_LANES(apart ? TALLY_WIDTH : left - row * TALLY_WIDTH);
            for (uint v = i; v < i + vectors; v++) {
                tally_states one = tally_single_all(TALLY_FN(get)(box, begin + v), place);
                one = tally_either(present, one, tally_neutral_all());
                box->state[v] = first + begin > 0 ? tally_join_all(box->state[v], one) : one;
            }
        }
    if (first == 0)
        for (uint i = size; i < flat; i++)
            box->state[i] = tally_neutral_all();
}
#endif

/* A box's terms: its first vectors of states are the results. */
static void TALLY_FN(fold)(const tally_fold_args *a, __global const tally_stored *in,
                           __global const tally_stored *end, tally_index begin,
                           TALLY_FN(box) *box) {
    const uint each = box->columns > 1 ? 1 : TALLY_WIDTH; /* terms of a row */
    const uint share = box->lanes * each * (TALLY_STATE_IS_SHIFTED ? TALLY_LANE_RUN : 1);
    /* LOG_SUM_EXP takes a run of each lane at a time. */
    const uint most =
        TALLY_STATE_IS_SHIFTED ? share : TALLY_VECTORS_MAX / box->vectors * each;
    const uint step = box->terms <= most ? box->terms : most - most % share;
    for (uint first = 0; first < box->terms; first += step) {
        const uint count = min(step, box->terms - first);
        TALLY_FN(bring)(a, in, end, first, count, begin + first, box);
        TALLY_FN(take)(box, first, (count + each - 1) / each * box->vectors, count);
    }
    /* Of lanes without a term, which are in the upper half, nothing is joined. */
    uint there = min(box->lanes, (box->terms + each - 1) / each);
    for (uint half_rows = box->lanes / 2; half_rows > 0; half_rows /= 2) {
        TALLY_FN(join_rows)(box->state, box->state + half_rows * box->vectors,
                            (there - half_rows) * box->vectors);
        there = half_rows;
    }
    if (box->columns == 1)
        box->state[0] = tally_merge_one(box->state[0]);
}

/* In which order a box is brought: the nearest terms first, or else the nearest outputs. */
static void TALLY_FN(find_order)(const tally_fold_args *a, TALLY_FN(box) *box) {
    tally_u64 nearest = ~(tally_u64)0, inside = 1;
    for (uint k = TALLY_SWEPT_RANK; k-- > 0; inside *= a->swept_size[k])
        if (a->swept_size[k] > 1 && a->swept_in[k] < nearest) {
            nearest = a->swept_in[k];
            box->near = inside < TALLY_BLOCK ? (uint)inside : 1; /* a block has no two such */
        }
    box->by_rows = a->across > 1 && nearest >= a->kept_in[TALLY_KEPT_RANK - 1];
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out, const tally_fold_args a) {
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.slices;
    const tally_index boxes = units / (tally_index)a.blocks, across = (tally_index)a.across;
    tally_index known = ~(tally_index)0; /* the block whose terms' offsets are there */
    TALLY_FN(box) box;
    in += a.head.in_offset;
    out += a.head.out_offset;
    __global const tally_stored *elements = (__global const tally_stored *)in;
    __global const tally_stored *end = elements + 1;
    for (uint k = 0; k < TALLY_KEPT_RANK; k++)
        end += (a.kept_size[k] - 1) * a.kept_in[k];
    for (uint k = 0; k < TALLY_SWEPT_RANK; k++)
        end += (a.swept_size[k] - 1) * a.swept_in[k];
    box.near = 1;
    box.columns = (uint)across;
    box.vectors = max((uint)across / TALLY_WIDTH, 1u);
    TALLY_FN(find_order)(&a, &box);
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index unit = first; unit < min(first + turn, units); unit++) {
            const tally_index block = unit / boxes, output = (unit - block * boxes) * across;
            const tally_index begin = block * TALLY_BLOCK;
            if (block != known) {
                box.terms = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin);
                const uint lanes = TALLY_FN(lanes_for)(box.terms);
                box.lanes = across == 1 ? max(lanes / TALLY_WIDTH, 1u) : TALLY_EXACT ? 1 : lanes;
                TALLY_FN(walk)(box.at, box.terms, begin, TALLY_SWEPT_RANK, a.swept_size,
                               a.swept_in);
                known = block;
            }
            box.present = (uint)min(across, (tally_index)a.outputs - output);
            TALLY_FN(walk)(box.in, box.present, output, TALLY_KEPT_RANK, a.kept_size, a.kept_in);
            TALLY_FN(find_runs)(&a, &box);
            TALLY_FN(fold)(&a, elements, end, begin, &box);
            for (uint c = 0; c < box.present; c += TALLY_WIDTH)
                TALLY_FN(put_outputs)(&a, out, block, output + c, box.state[c / TALLY_WIDTH],
                                      min(box.present - c, (uint)TALLY_WIDTH));
        }
}
