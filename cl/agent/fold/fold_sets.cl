/*
 * A fold of sets of few columns: the terms of a set's outputs lie as one run of memory, row by row
 * of a.columns elements. A unit is a block of a set. Work-items read packs of it at aligned
 * positions, whatever the columns are: a.rows rows, whose elements are whole packs, are a period,
 * so that each element of a work-item's packs, a period apart, is of one column. Where the order
 * matters TALLY_LANES_PER_ITEM periods have all lanes of the order, so that each element of a pack
 * is of one lane in every so manyth period: of those lanes a work-item combines the upper half with
 * the lower one. What a period then has is combined in local memory, in the same way, until a row
 * is left.
 *
 * A unit that begins inside of a pack, lead elements behind the pack's first, has the positions of
 * a period rotated by as many. The lanes of the positions before them are rotated by one, which
 * changes no halving: combining is symmetric.
 *
 * Of a period that is longer than the packs of a.mates work-items, each has several packs, a.mates
 * apart, and takes one after the other. Groups loop over units with uniform bounds, so every
 * work-item meets every barrier.
 */

/* Packs under way together. */
#define TALLY_DEEP TALLY_LANE_RUN

/* A unit: its elements, those before it in its first pack, a period of it, and its first term. */
typedef struct {
    uint n, lead;
    uint rows, period;
    tally_index index;
} TALLY_FN(unit);

/* Those elements of the pack at that position, counted from the first pack, that are the unit's. */
static void TALLY_FN(load)(__global const TALLY_STORAGE *in, uint at, const TALLY_FN(unit) *unit,
                           tally_pack *pack) {
    const uint end = unit->lead + unit->n;
    pack->bits = (tally_pack_bits)(0);
    if (at >= unit->lead && at + TALLY_PACK <= end)
        pack->bits = tally_load_pack(in + at);
    else
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            if (at + v >= unit->lead && at + v < end)
                tally_put_in_pack(pack, v, in + at + v);
}

/* A pack's first row, of an element's lanes; it wraps before the unit's start. */
#if TALLY_STATE_IS_INDEXED
#define TALLY_TERM_OF(v, periods) (unit->index + (term[v] + (periods)*unit->rows))
#else
#define TALLY_TERM_OF(v, periods) 0
#endif

/* The packs of a position and of all periods behind it, combined element by element. */
static void TALLY_FN(position)(__global const TALLY_STORAGE *in, uint position, uint columns,
                            const TALLY_FN(unit) *unit,
                            tally_state (*sum)[TALLY_PACK]) {
    const uint period = unit->period, end = unit->lead + unit->n;
#if TALLY_STATE_IS_INDEXED
    uint term[TALLY_PACK];
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        term[v] = (position + v + period - unit->lead) / columns - unit->rows;
#endif
    for (uint at = position, periods = 0; at < end;
         at += TALLY_DEEP * period, periods += TALLY_DEEP) {
        tally_pack pack[TALLY_DEEP];
        if (at >= unit->lead && at + (TALLY_DEEP - 1) * period + TALLY_PACK <= end) {
#pragma unroll
            for (uint k = 0; k < TALLY_DEEP; k++)
                pack[k].bits = tally_load_pack(in + at + k * period);
            tally_hold(pack, TALLY_DEEP);
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++)
#pragma unroll
                for (uint lane = 0; lane < TALLY_LANES_PER_ITEM; lane++) {
                    tally_compute x[TALLY_LANE_RUN];
#pragma unroll
                    for (uint k = 0; k < TALLY_DEEP / TALLY_LANES_PER_ITEM; k++)
                        x[k] = tally_unpack(&pack[lane + k * TALLY_LANES_PER_ITEM], v);
                    sum[lane][v] = tally_take(sum[lane][v], x, TALLY_DEEP / TALLY_LANES_PER_ITEM,
                                              TALLY_TERM_OF(v, periods + lane),
                                              TALLY_LANES_PER_ITEM * unit->rows);
                }
            continue;
        }
#pragma unroll
        for (uint k = 0; k < TALLY_DEEP; k++)
            TALLY_FN(load)(in, at + k * period, unit, &pack[k]);
#pragma unroll
        for (uint k = 0; k < TALLY_DEEP; k++)
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++) {
                const uint e = at + k * period + v;
                const tally_compute x = tally_unpack(&pack[k], v);
                if (e >= unit->lead && e < end)
                    sum[k % TALLY_LANES_PER_ITEM][v] = tally_take(sum[k % TALLY_LANES_PER_ITEM][v],
                                                                  &x, 1,
                                                              TALLY_TERM_OF(v, periods + k), 1);
            }
    }
}

/* A work-item's positions of a unit, into the period in local memory. */
static void TALLY_FN(positions)(__global const TALLY_STORAGE *in, uint columns, uint mate,
                                uint mates,
                             const TALLY_FN(unit) *unit, __local tally_state *parts) {
    for (uint position = mate * TALLY_PACK; position < unit->period;
         position += mates * TALLY_PACK) {
        tally_state sum[TALLY_LANES_PER_ITEM][TALLY_PACK];
#pragma unroll
        for (uint lane = 0; lane < TALLY_LANES_PER_ITEM; lane++)
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++)
                sum[lane][v] = tally_identity();
        TALLY_FN(position)(in, position, columns, unit, sum);
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++) {
#pragma unroll
            for (uint half_lanes = TALLY_LANES_PER_ITEM / 2; half_lanes > 0; half_lanes /= 2)
#pragma unroll
                for (uint lane = 0; lane < half_lanes; lane++)
                    sum[lane][v] = tally_combine(sum[lane][v], sum[lane + half_lanes][v]);
            parts[position + v + (position + v < unit->lead ? unit->period : 0) - unit->lead] =
                sum[0][v];
        }
    }
}

/* Combine a period's rows until one is left. */
static void TALLY_FN(halve)(__local tally_state *parts, uint rows, uint columns, uint mate,
                            uint mates) {
    while (rows > 1) {
        const uint quarter = rows / 4 * columns, upper = (rows + 1) / 2 * columns;
        if (rows % 4 == 0)
            for (uint k = mate; k < quarter; k += mates)
                parts[k] = tally_combine(tally_combine(parts[k], parts[k + 2 * quarter]),
                                      tally_combine(parts[k + quarter], parts[k + 3 * quarter]));
        else
            for (uint k = mate; k + upper < rows * columns; k += mates)
                parts[k] = tally_combine(parts[k], parts[k + upper]);
        rows = rows % 4 == 0 ? rows / 4 : (rows + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_sets_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
    __local tally_state parts[TALLY_STATES];
    const uint columns = (uint)a.columns, mates = (uint)a.mates;
    const uint slots = TALLY_GROUP / mates;
    const uint slot = get_local_id(0) / mates, mate = get_local_id(0) % mates;
    TALLY_FN(unit) unit;
    unit.rows = (uint)a.rows;
    unit.period = unit.rows * columns;
    __local tally_state *own = parts + min(slot, slots - 1) * unit.period;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * slots; first < (tally_index)a.head.units;
         first += get_num_groups(0) * slots) {
        const tally_index number = first + slot, set = number / (tally_index)a.blocks;
        const tally_index block = number - set * (tally_index)a.blocks;
        const bool active = slot < slots && number < (tally_index)a.head.units;
        if (active) {
            const tally_index begin = block * TALLY_BLOCK;
            __global const TALLY_STORAGE *from =
                in + TALLY_ORIGIN(a, set * columns) + begin * columns;
            unit.index = begin;
            unit.n = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin) * columns;
            unit.lead = (uint)((size_t)from % sizeof(tally_pack_bits) / TALLY_BYTES);
            TALLY_FN(positions)(from - unit.lead, columns, mate, mates, &unit, own);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(halve)(own, unit.rows, columns, active ? mate : unit.period, mates);
        if (active)
            for (uint column = mate; column < columns; column += mates)
                TALLY_PUT(out, a, set * columns + column, block, own[column]);
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next units overwrite what was just read */
    }
    TALLY_CLOSE((tally_index)a.head.units, out)
}
