/*
 * A fold down narrow packed columns on a CPU: a row of columns follows the other without a gap, so
 * that a block is contiguous, and so is each lane's row. A unit is a block of all columns of its
 * outputs. Positions are offsets from the block's start: in one column they order as its terms do.
 * Blocks that are too short for vectors along them go side by side (fold_cpu_sets.cl), and of few
 * rows of more columns a vector of these is combined in registers (fold_cpu_few_rows.cl).
 */
#define TALLY_PACKED_VECTORS                                                                       \
    (TALLY_PACKED_BYTES / (TALLY_BYTES == 8 ? 8 : 4) / TALLY_WIDTH + 2)

/* States lane by lane, a row of columns each; what a vector reads beyond is the identity. */
typedef struct {
#if TALLY_STATE_IS_INDEXED
    tally_keys key[TALLY_PACKED_VECTORS];
    tally_positions position[TALLY_PACKED_VECTORS];
#elif TALLY_STATE_IS_SHIFTED
    tally_computes top[TALLY_PACKED_VECTORS];
    tally_computes sum[TALLY_PACKED_VECTORS];
#else
    tally_terms term[TALLY_PACKED_VECTORS];
#endif
} TALLY_FN(packed);

/* The states from the i-th on, a multiple of TALLY_WIDTH. */
TALLY_INLINE tally_states TALLY_FN(get)(const TALLY_FN(packed) *packed, uint i) {
#if TALLY_STATE_IS_INDEXED
    const tally_states states = {packed->key[i / TALLY_WIDTH], packed->position[i / TALLY_WIDTH]};
#elif TALLY_STATE_IS_SHIFTED
    const tally_states states = {packed->top[i / TALLY_WIDTH], packed->sum[i / TALLY_WIDTH]};
#else
    const tally_states states = packed->term[i / TALLY_WIDTH];
#endif
    return states;
}

TALLY_INLINE void TALLY_FN(set)(TALLY_FN(packed) *packed, uint i, tally_states states) {
#if TALLY_STATE_IS_INDEXED
    packed->key[i / TALLY_WIDTH] = states.key;
    packed->position[i / TALLY_WIDTH] = states.position;
#elif TALLY_STATE_IS_SHIFTED
    packed->top[i / TALLY_WIDTH] = states.top;
    packed->sum[i / TALLY_WIDTH] = states.sum;
#else
    packed->term[i / TALLY_WIDTH] = states;
#endif
}

/* The same from anywhere. */
TALLY_INLINE tally_states TALLY_FN(get_unaligned)(const TALLY_FN(packed) *packed, uint i) {
#if TALLY_STATE_IS_INDEXED
    const tally_states states = {TALLY_VLOAD(0, (const tally_key *)packed->key + i),
                                 TALLY_VLOAD(0, (const tally_position *)packed->position + i)};
#elif TALLY_STATE_IS_SHIFTED
    const tally_states states = {TALLY_VLOAD(0, (const tally_compute *)packed->top + i),
                                 TALLY_VLOAD(0, (const tally_compute *)packed->sum + i)};
#else
    const tally_states states = TALLY_VLOAD(0, (const tally_term *)packed->term + i);
#endif
    return states;
}

/* Up to a vector of single terms, of size - i that are left. */
TALLY_INLINE tally_states TALLY_FN(single)(__global const TALLY_STORAGE *in, uint i, uint size) {
    const tally_computes x = i + TALLY_WIDTH <= size ? tally_load_all(in + i)
                                                     : tally_load_some(in + i, size - i);
    return tally_single_all(x, TALLY_IOTA + i);
}

/* Lanes of one term each: size elements, in the order in which memory holds them. */
static void TALLY_FN(fill)(__global const TALLY_STORAGE *in, uint size, uint flat,
                           TALLY_FN(packed) *packed) {
    uint i = 0;
    for (; i + TALLY_WIDTH <= size; i += TALLY_WIDTH) {
        tally_foresee(in + i, TALLY_WIDTH);
        TALLY_FN(set)(packed, i, tally_single_all(tally_load_all(in + i), TALLY_IOTA + i));
    }
    for (; i < flat + TALLY_WIDTH; i += TALLY_WIDTH) {
        tally_states states = tally_identity_all();
        if (i < size)
            states = tally_either(TALLY_FIRST_LANES(size - i), TALLY_FN(single)(in, i, size),
                                  states);
        TALLY_FN(set)(packed, i, states);
    }
}

/*
 * All full runs of so many terms, a constant, of the lanes, from the begin-th element on: flat
 * states, each for the elements flat apart of those size. Returns where they end.
 */
TALLY_INLINE uint TALLY_FN(runs)(__global const TALLY_STORAGE *in, uint begin, uint size, uint flat,
                                 TALLY_FN(packed) *packed, const uint terms) {
    for (; begin + terms * flat <= size; begin += terms * flat)
        for (uint i = 0; i < flat; i += TALLY_WIDTH * TALLY_ABREAST) {
#if TALLY_STATE_IS_SHIFTED
            tally_states run[TALLY_ABREAST];
#pragma unroll 1
            for (uint v = 0; v < TALLY_ABREAST; v++)
                run[v] = tally_run_all(in + begin + i + v * TALLY_WIDTH, flat, terms, TALLY_WIDTH);
            if (begin > 0) {
                tally_states sum[TALLY_ABREAST];
#pragma unroll
                for (uint v = 0; v < TALLY_ABREAST; v++)
                    sum[v] = TALLY_FN(get)(packed, i + v * TALLY_WIDTH);
                tally_combine_sides(sum, run);
#pragma unroll
                for (uint v = 0; v < TALLY_ABREAST; v++)
                    TALLY_FN(set)(packed, i + v * TALLY_WIDTH, sum[v]);
            } else {
#pragma unroll
                for (uint v = 0; v < TALLY_ABREAST; v++)
                    TALLY_FN(set)(packed, i + v * TALLY_WIDTH, run[v]);
            }
#else
#pragma unroll
            for (uint v = 0; v < TALLY_ABREAST; v++) {
                const uint at = i + v * TALLY_WIDTH;
                TALLY_FN(set)(packed, at,
                              tally_take_all(begin == 0 ? tally_begin_all()
                                                        : TALLY_FN(get)(packed, at),
                                             in + begin + at, flat, terms, TALLY_WIDTH, begin,
                                             flat));
            }
#endif
        }
    return begin;
}

/* Lanes of several terms. */
static void TALLY_FN(gather)(__global const TALLY_STORAGE *in, uint size, uint flat,
                             TALLY_FN(packed) *packed) {
    uint begin = 0, i = 0;
    if (TALLY_STATE_IS_SHIFTED || flat > TALLY_PACKED_SMALL)
        begin = TALLY_FN(runs)(in, begin, size, flat, packed, TALLY_LANE_RUN);
#if !TALLY_STATE_IS_SHIFTED
    /* What is no full run goes a term of each lane at a time. */
    begin = TALLY_FN(runs)(in, begin, size, flat, packed, 1);
    for (; begin + i + TALLY_WIDTH <= size; i += TALLY_WIDTH)
        TALLY_FN(set)(packed, i,
                      tally_take_all(TALLY_FN(get)(packed, i), in + begin + i, flat, 1, TALLY_WIDTH,
                                     begin, flat));
#endif
    for (; i < flat && begin + i < size; i += TALLY_WIDTH) {
        const uint left = size - begin - i;
        const uint count = (left + flat - 1) / flat;
        const uint present = min(left - (count - 1) * flat, (uint)TALLY_WIDTH);
        TALLY_FN(set)(packed, i,
                      tally_take_all(begin == 0 ? tally_begin_all() : TALLY_FN(get)(packed, i),
                                     in + begin + i, flat, count, present, begin, flat));
    }
#if TALLY_STATE_IS_INDEXED
    for (uint i = 0; i < flat; i += TALLY_WIDTH)
        packed->position[i / TALLY_WIDTH] += TALLY_IOTA + i;
#endif
}

#if TALLY_STATE_IS_INDEXED
/* position / columns: both are small, so that the half more than outweighs what is rounded. */
TALLY_INLINE tally_positions TALLY_FN(row_of)(tally_positions position, uint columns) {
    return TALLY_TO_POSITIONS((TALLY_TO_FLOATS(position) + 0.5f) * (1.0f / (float)columns));
}
#endif

/* One block of n rows of columns, combined with a row of states. */
static void TALLY_FN(block)(__global const TALLY_STORAGE *in, uint n, uint columns,
                            TALLY_FN(packed) *packed) {
    const uint lanes = TALLY_FN(lanes_for)(n), flat = lanes * columns;
    uint half_flat = flat / 2, there = min(flat, n * columns); /* the others are the identity */
    if (n > TALLY_LANES) {
        TALLY_FN(gather)(in, n * columns, flat, packed);
    } else {
        TALLY_FN(fill)(in, n * columns, flat, packed);
    }
#if TALLY_STATE_IS_SHIFTED
    for (; half_flat >= columns && half_flat % (TALLY_WIDTH * TALLY_ABREAST) == 0;
         there = half_flat, half_flat /= 2)
        for (uint i = 0; i < there - half_flat; i += TALLY_WIDTH * TALLY_ABREAST) {
            tally_states sum[TALLY_ABREAST], other[TALLY_ABREAST];
#pragma unroll
            for (uint v = 0; v < TALLY_ABREAST; v++) {
                sum[v] = TALLY_FN(get)(packed, i + v * TALLY_WIDTH);
                other[v] = TALLY_FN(get)(packed, i + half_flat + v * TALLY_WIDTH);
            }
            tally_combine_sides(sum, other);
#pragma unroll
            for (uint v = 0; v < TALLY_ABREAST; v++)
                TALLY_FN(set)(packed, i + v * TALLY_WIDTH, sum[v]);
        }
#endif
    /* A vector may reach over the half, into states that were combined before. */
    for (; half_flat >= columns && half_flat % TALLY_WIDTH == 0; half_flat /= 2)
        for (uint i = 0; i < half_flat; i += TALLY_WIDTH)
            TALLY_FN(set)(packed, i,
                          tally_combine_all(TALLY_FN(get)(packed, i),
                                         TALLY_FN(get)(packed, i + half_flat)));
    for (; half_flat >= columns; half_flat /= 2)
        for (uint i = 0; i < half_flat; i += TALLY_WIDTH)
            TALLY_FN(set)(packed, i,
                          tally_combine_all(TALLY_FN(get)(packed, i),
                                         TALLY_FN(get_unaligned)(packed, i + half_flat)));
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index blocks = (tally_index)a.blocks;
    const uint columns = (uint)a.kept_size[TALLY_KEPT_RANK - 1];
    const tally_index stride_out = (tally_index)a.kept_out[TALLY_KEPT_RANK - 1];
    TALLY_FN(packed) packed;
    in += a.head.in_offset;
    out += a.head.out_offset;
    const bool by_sets = TALLY_FN(goes_by_sets)(&a);
    TALLY_FOR_UNITS(unit, first, units, grain) {
        if (by_sets) {
            unit += TALLY_FN(fold_sets)(&a, in, out, unit, min(first + grain, units));
            if (unit >= min(first + grain, units))
                break;
        }
        const tally_index output = unit / blocks * columns, block = unit % blocks;
        const tally_index begin = block * TALLY_BLOCK;
        const uint n = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin);
        const tally_index to =
            TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out, output);
        __global const TALLY_STORAGE *rows = in + TALLY_ORIGIN(a, output) + begin * columns;
#if !TALLY_STATE_IS_SHIFTED
#define TALLY_FEW_ROWS_BLOCK(many)                                                                 \
    TALLY_FN(few_rows_block)(rows, n, columns, many, out, to, stride_out, blocks, block, begin,    \
                             (tally_index)a.index_scale, a.count)
        if (n <= TALLY_PACKED_ROWS_FEW && columns >= TALLY_WIDTH) {
            TALLY_FEW_ROWS_BLOCK(false);
            continue;
        }
        if (n <= TALLY_PACKED_ROWS_MANY && columns >= TALLY_WIDTH) {
            TALLY_FEW_ROWS_BLOCK(true);
            continue;
        }
#endif
        TALLY_FN(block)(rows, n, columns, &packed);
        for (uint c = 0; c < columns; c += TALLY_WIDTH) {
            tally_states states = TALLY_FN(get)(&packed, c);
#if TALLY_STATE_IS_INDEXED
            states.position = TALLY_FN(row_of)(states.position, columns);
#endif
            TALLY_PUT_ALL(out, a, to + c * stride_out, stride_out, block, states, begin,
                          min((uint)TALLY_WIDTH, columns - c));
        }
    }
}
