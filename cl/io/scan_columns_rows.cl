/*
 * The rows of a strip of columns that is scanned (scan_columns.cl): which columns of them a
 * work-item has, where their results go, whether either are packs, and how a run of rows is loaded.
 * Knows nothing of levels.
 */

/* The column of the strip that is the v-th of a work-item's. */
#define TALLY_COLUMN_OF(x, v, aligned)                                                             \
    ((aligned) ? (x)*TALLY_PACK + (v) : (x) + (v)*position->team_width)

/* Results of neighbours are not side by side. */
#define TALLY_STRIDED_RESULTS (TALLY_RESULTS_ARE != TALLY_SIDE_BY_SIDE)
#define TALLY_STAGED (TALLY_RESULTS_ARE == TALLY_RESULTS_STAGED)

/* Packs from a column of the stage to the next: odd, so that neighbours meet different banks. */
#define TALLY_STAGE_PITCH (TALLY_SPAN / TALLY_PACK + 1)

/* What a work-item needs to know of its position. */
typedef struct {
    uint x, team_width;              /* its position among those side by side, and their number */
    uint width;                      /* columns of its strip; 0: there is no strip for it */
    tally_index from, to;            /* where the strip's first column begins */
    tally_index pitch_in, pitch_out; /* from a term to the next */
    tally_index column_out;          /* from a result to its neighbour's */
    bool along;                      /* a run's results are whole packs of the output */
#if TALLY_STAGED
    __local tally_pack_bits *stage; /* of its strip; of its own run in its first column */
    __local tally_pack_bits *own;
#endif
} TALLY_FN(position);

/* Whether the terms of a position, and the results unless they are apart, are whole packs. */
static bool TALLY_FN(align)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                            TALLY_FN(position) *position) {
    const bool aligned_in =
        TALLY_PACK == 1 ||
        ((size_t)(in + position->from) % sizeof(tally_pack_bits) == 0 &&
         position->pitch_in % TALLY_PACK == 0 && position->width % TALLY_PACK == 0);
    const bool aligned_out =
        TALLY_PACK == 1 || (size_t)(out + position->to) % sizeof(tally_pack_bits) == 0;
    position->along =
        aligned_out && position->pitch_out == 1 && position->column_out % TALLY_PACK == 0;
    return aligned_in &&
           (TALLY_STRIDED_RESULTS || (aligned_out && position->pitch_out % TALLY_PACK == 0));
}

/*
 * Terms that are there of the run that begins with the begin-th, in a work-item's columns. Here and
 * below, aligned says that each row of the strip begins and ends at a pack's multiple, in the input
 * and, unless results are apart, in the output; it is a constant where these functions are used.
 */
static uint TALLY_FN(count)(const TALLY_FN(position) *position, bool aligned, tally_index begin,
                            tally_index terms) {
    const bool is_there = TALLY_COLUMN_OF(position->x, 0, aligned) < position->width;
    return is_there && begin < terms ? (uint)min((tally_index)TALLY_RUN, terms - begin) : 0;
}

/* The elements at a row of the strip that are in a work-item's columns. */
static void TALLY_FN(load)(__global const TALLY_STORAGE *in, tally_index row, bool aligned,
                           const TALLY_FN(position) *position, tally_pack *pack) {
    if (aligned) {
        pack->bits = tally_load_pack(in + row + position->x * TALLY_PACK);
    } else {
        pack->bits = (tally_pack_bits)(0);
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            if (TALLY_COLUMN_OF(position->x, v, false) < position->width)
                tally_put_in_pack(pack, v, in + row + TALLY_COLUMN_OF(position->x, v, false));
    }
}

/*
 * Whether narrow elements that are no packs come several packs at a time, and not as the results
 * before them are written. That takes registers, so groups that go down their strips do without.
 */
#define TALLY_BY_SINGLES                                                                           \
    (TALLY_BYTES < 4 && TALLY_PACK > 1 && TALLY_CARRY != TALLY_CARRY_WALK)

/*
 * A run's rows: all loads are under way at once, but for single elements. What has a run is inlined
 * by force, as a call would have it in memory.
 */
TALLY_INLINE void TALLY_FN(load_run)(__global const TALLY_STORAGE *in, tally_index begin,
                                     bool aligned, uint count, const TALLY_FN(position) *position,
                                     tally_pack *pack) {
    const tally_index row = position->from + begin * position->pitch_in;
    if (aligned) {
#pragma unroll
        for (uint k = 0; k < TALLY_RUN; k++)
            if (k < count)
                TALLY_FN(load)(in, row + k * position->pitch_in, true, position, &pack[k]);
    } else {
#if TALLY_BY_SINGLES
        __global const tally_stored *from = (__global const tally_stored *)in;
        TALLY_LOAD_SINGLES(pack, TALLY_RUN,
                           k < count && TALLY_COLUMN_OF(position->x, v, false) < position->width,
                           from[row + k * position->pitch_in +
                                TALLY_COLUMN_OF(position->x, v, false)])
#else
#pragma unroll
        for (uint k = 0; k < TALLY_RUN; k++)
            if (k < count)
                TALLY_FN(load)(in, row + k * position->pitch_in, false, position, &pack[k]);
#endif
    }
}
