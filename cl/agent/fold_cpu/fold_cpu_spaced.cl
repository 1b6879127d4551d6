/*
 * A fold of spaced columns on a CPU: outputs lie a step of up to four elements apart, nearer to
 * each other than terms, which may be of several axes. A unit is one block of a strip of columns.
 * Its rows are read by the vector as they come, straight from the input; the states of all lanes
 * are in private memory. Nothing is read outside of the input.
 */

/* A block, its terms' offsets, and the states of a strip: rows of vectors, one for each lane. */
typedef struct {
    tally_index block;
    uint terms, lanes;
    tally_index furthest; /* of the offsets */
    tally_index at[TALLY_BLOCK];
    tally_states state[TALLY_SPACED_ROOM];
} TALLY_FN(strip);

/* A strip's columns, and where the rows begin that are brought nearer meanwhile, soon ones. */
typedef struct {
    __global const tally_stored *in, *then;
    tally_index step;
    uint width, vectors, soon;
} TALLY_FN(columns);

#define TALLY_SPACED_AHEAD 16384 /* bytes */

/* Bring what a vector of a later row reads nearer. */
TALLY_INLINE void TALLY_FN(ask)(__global const tally_stored *later, const uint step) {
#pragma unroll
    for (uint i = 0; i < TALLY_WIDTH * step; i += TALLY_CACHE_LINE / TALLY_BYTES)
        TALLY_PREFETCH(later + i);
}

/* The state of a vector of single terms. */
TALLY_INLINE tally_states TALLY_FN(one)(__global const tally_stored *in, tally_positions position,
                                        const uint step) {
    return tally_single_all(tally_computes_of(tally_every(in, step)), position);
}

/* A row's vectors as the next terms of a lane, its first or not; a later row is brought nearer. */
TALLY_INLINE void TALLY_FN(take_row)(__global const tally_stored *in,
                                     __global const tally_stored *later, uint vectors,
                                     tally_positions position, const uint step, bool is_first,
                                     tally_states *state) {
    const uint stride = TALLY_WIDTH * step;
    if (is_first)
        for (uint v = 0; v < vectors; v++) {
            TALLY_FN(ask)(later + v * stride, step);
            state[v] = TALLY_FN(one)(in + v * stride, position, step);
        }
    else
        for (uint v = 0; v < vectors; v++) {
            TALLY_FN(ask)(later + v * stride, step);
            state[v] = tally_combine_all(state[v], TALLY_FN(one)(in + v * stride, position, step));
        }
}

/* All rows of a block, whose vectors lie in the input. */
TALLY_INLINE void TALLY_FN(take_rows)(const TALLY_FN(columns) *columns, const uint step,
                                      TALLY_FN(strip) *strip) {
    const uint vectors = columns->vectors, terms = strip->terms, lanes = strip->lanes;
    for (uint begin = 0; begin < terms; begin += lanes)
        for (uint lane = 0; lane < min(lanes, terms - begin); lane++) {
            const uint row = begin + lane, later = row + columns->soon;
            TALLY_FN(take_row)(columns->in + strip->at[row],
                               later < terms ? columns->in + strip->at[later]
                                             : columns->then + strip->at[later - terms],
                               vectors, (tally_positions)(row), step, begin == 0,
                               strip->state + lane * vectors);
        }
}

/* The same element by element, where a vector might be beyond the input's end. */
static void TALLY_FN(take_careful)(const TALLY_FN(columns) *columns, TALLY_FN(strip) *strip) {
    const uint lanes = strip->lanes;
    for (uint row = 0; row < strip->terms; row++) {
        __global const tally_stored *in = columns->in + strip->at[row];
        tally_states *state = strip->state + row % lanes * columns->vectors;
        for (uint v = 0; v < columns->vectors; v++) {
            tally_stored x[TALLY_WIDTH];
            for (uint k = 0; k < TALLY_WIDTH; k++)
                x[k] = in[min(v * TALLY_WIDTH + k, columns->width - 1) * columns->step];
            const tally_states one = tally_single_all(tally_computes_of(TALLY_STAGED(x)),
                                                      (tally_positions)(row));
            state[v] = row < lanes ? one : tally_combine_all(state[v], one);
        }
    }
}

/* One block of a strip: the first row of states is the results. */
static void TALLY_FN(fold)(const TALLY_FN(columns) *columns, bool is_inside,
                           TALLY_FN(strip) *strip) {
    if (!is_inside)
        TALLY_FN(take_careful)(columns, strip);
    else if (columns->step == 1)
        TALLY_FN(take_rows)(columns, 1, strip);
    else if (columns->step == 2)
        TALLY_FN(take_rows)(columns, 2, strip);
    else if (columns->step == 3)
        TALLY_FN(take_rows)(columns, 3, strip);
    else
        TALLY_FN(take_rows)(columns, 4, strip);
    TALLY_FN(halve_rows)(strip->state, strip->lanes, min(strip->lanes, strip->terms),
                         columns->vectors);
}

/* Where the terms of a block lie. */
static void TALLY_FN(find_terms)(const tally_fold_cpu_columns_args *a, tally_index block,
                                 TALLY_FN(strip) *strip) {
    const tally_index begin = block * TALLY_BLOCK;
    strip->block = block;
    strip->terms = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a->terms - begin);
    strip->lanes = TALLY_FN(lanes_for)(
        TALLY_EXACT ? min(strip->terms, (uint)TALLY_SPACED_LANES) : strip->terms);
    strip->furthest = 0;
    TALLY_FN(walk)(strip->at, strip->terms, begin, TALLY_SWEPT_RANK, a->swept_size, a->swept_in);
    for (uint i = 0; i < strip->terms; i++)
        strip->furthest = max(strip->furthest, strip->at[i]);
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_columns_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index step = (tally_index)a.kept_in[TALLY_KEPT_RANK - 1];
    const tally_index strips = max((tally_index)(a.columns / a.strip_columns), (tally_index)1);
    TALLY_FN(out_row) row = TALLY_NO_ROW;
    TALLY_FN(strip) strip;
    strip.block = ~(tally_index)0;
    in += a.head.in_offset;
    out += a.head.out_offset;
    __global const tally_stored *elements = (__global const tally_stored *)in;
    __global const tally_stored *end =
        elements + (1 + TALLY_FN(reach)(TALLY_KEPT_RANK, a.kept_size, a.kept_in) +
                    TALLY_FN(reach)(TALLY_SWEPT_RANK, a.swept_size, a.swept_in));
    TALLY_FOR_UNITS(unit, first, units, grain) {
        const TALLY_FN(position) here = TALLY_FN(position_of)(&a, strips, unit);
        const TALLY_FN(position) then =
            TALLY_FN(position_of)(&a, strips, min(unit + 1, units - 1));
        if (here.block != strip.block)
            TALLY_FN(find_terms)(&a, here.block, &strip);
        const uint vectors = (here.width + TALLY_WIDTH - 1) / TALLY_WIDTH;
        const uint soon = max(
            (uint)(TALLY_SPACED_AHEAD / TALLY_BYTES / (here.width * (uint)step)), 1u);
        const TALLY_FN(columns) set = {elements + TALLY_ORIGIN(a, here.output),
                                       elements + TALLY_ORIGIN(a, then.output), step,
                                       here.width, vectors, min(soon, strip.terms)};
        TALLY_FN(fold)(&set,
                       end - set.in >=
                           (long)(strip.furthest + vectors * TALLY_WIDTH * step),
                       &strip);
        for (uint c = 0; c < here.width; c += TALLY_WIDTH)
            TALLY_FN(put_outputs)(&a, &row, out, here.block, here.output + c,
                                  strip.state[c / TALLY_WIDTH],
                                  min(here.width - c, (uint)TALLY_WIDTH));
    }
}
