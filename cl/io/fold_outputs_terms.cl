/*
 * Where the terms of a fold of outputs side by side lie (fold_outputs.cl), and how they are loaded:
 * a pack of outputs at a time; or TALLY_SPREAD outputs that are no pack, TALLY_SPREAD_STRIDE from
 * one to the next, between which lie those of as many neighbours.
 *
 * TALLY_TABLE: a launch folds several groups of swept axes, or one of several axes. A group has one
 * block, and but for the innermost a lane for each term, so that the lanes of all groups are one
 * number: the innermost group's are its high bits, which are combined first. Where each of these
 * lanes finds its terms is worked out once for a group of work-items, in a table in local memory.
 */
#define TALLY_SPREADS (TALLY_SPREAD > 0 && TALLY_FIRST)
#if TALLY_SPREADS
#define TALLY_WIDTH TALLY_SPREAD
#elif TALLY_FIRST
#define TALLY_WIDTH TALLY_PACK
#else
#define TALLY_WIDTH 1
#endif

/* Whether outputs that lie side by side are loaded, and may be stored, at once. */
#define TALLY_BY_PACKS (TALLY_FIRST && TALLY_PACK > 1)

/*
 * A term of each of a work-item's outputs, as it is in memory, and as what is computed with. Of
 * outputs that change hands loads are few, and a fence costs more than it gains.
 */
#if TALLY_SPREADS
typedef struct {
    tally_pack of[TALLY_SPREAD];
} TALLY_FN(item);
#define TALLY_ITEM TALLY_FN(item)
#define TALLY_VALUE(item, v) tally_unpack(&(item).of[v], 0)
#define TALLY_HOLD(item, n) tally_hold_all((tally_pack *)(item), (n)*TALLY_SPREAD)
#elif TALLY_FIRST
#define TALLY_ITEM tally_pack
#define TALLY_VALUE(item, v) tally_unpack(&(item), v)
#if TALLY_CROSSED
#define TALLY_HOLD(item, n) tally_hold(item, n)
#else
#define TALLY_HOLD(item, n) tally_hold_all(item, n)
#endif
#else
#define TALLY_ITEM tally_state
#define TALLY_VALUE(item, v) (item)
#define TALLY_HOLD(item, n)
#endif
#define TALLY_TABLED (TALLY_TABLE > 0)

/* Elements from one of a work-item's outputs to the next, in the input and among the outputs. */
#define TALLY_OWN_STRIDE (TALLY_SPREADS ? TALLY_SPREAD_STRIDE : 1)

/* Terms of a lane that are taken at once; without a depth a lane has one term at most. */
#define TALLY_AT_ONCE (TALLY_DEPTH > 0 ? TALLY_DEPTH : 1)

/* Terms under way together, a lane's side by side, and how far behind the first the i-th is. */
#define TALLY_ITEMS (TALLY_LANES_AT_ONCE * TALLY_AT_ONCE)
#define TALLY_ROW_OF(i) ((i) / TALLY_AT_ONCE * step + (i) % TALLY_AT_ONCE * lanes)

/* Where the row-th term lies, and whether it is there. */
#define TALLY_NONE (~(tally_index)0)
#if TALLY_TABLED
#define TALLY_WHERE(row) table[row]
#else
#define TALLY_WHERE(row) ((tally_index)(row) * stride)
#endif
/* The same, from where the row-th lies. */
#if TALLY_TABLED
#define TALLY_AFTER(row, more) (in + table[(row) + (more)])
#else
#define TALLY_AFTER(row, more) (at + (tally_index)(more) * stride)
#endif
#if TALLY_TABLED && !TALLY_EXACT
#define TALLY_IS_THERE(row) ((row) < n && table[row] != TALLY_NONE)
#else
#define TALLY_IS_THERE(row) ((row) < n)
#endif

#if TALLY_TABLED
#if !TALLY_EXACT
/* Halvings of the lanes of a group of so many terms. */
static uint TALLY_FN(halvings)(uint terms) {
    uint levels = 0;
    for (uint k = 0; k < 7; k++)
        levels += (1u << k) < terms;
    return levels;
}

/* The term that is the entry-th, of all lanes' first terms, then of their second ones and so on. */
static tally_index TALLY_FN(term)(uint entry, uint levels, const tally_fold_team_args a) {
    uint lanes = entry & ((1u << levels) - 1), left = levels;
    tally_index term = 0, scale = 1;
    bool is_there = true;
#pragma unroll
    for (uint g = 0; g < TALLY_NEST; g++) {
        const uint terms = (uint)a.nest[g];
        left -= TALLY_FN(halvings)(terms);
        const uint of_group = (lanes >> left) + (g == 0 ? (entry >> levels) * TALLY_LANES : 0);
        lanes &= (1u << left) - 1;
        is_there = is_there && of_group < terms;
        term += of_group * scale;
        scale *= terms;
    }
    return is_there ? term : TALLY_NONE;
}
#endif

/*
 * Fill the table; returns how many entries it has. TALLY_INDICES: behind the positions are the
 * indices of the terms.
 */
static uint TALLY_FN(fill)(__local tally_index *table, const tally_fold_team_args a) {
#if TALLY_EXACT
    const uint entries = (uint)a.terms;
#else
    uint levels = 0;
#pragma unroll
    for (uint g = 0; g < TALLY_NEST; g++)
        levels += TALLY_FN(halvings)((uint)a.nest[g]);
    const uint times = ((uint)a.nest[0] + TALLY_LANES - 1) / TALLY_LANES;
    const uint entries = times << levels;
#endif
    for (uint entry = get_local_id(0); entry < entries; entry += TALLY_GROUP) {
#if TALLY_EXACT
        table[entry] = TALLY_AT(a, (tally_index)entry);
#if TALLY_INDICES
        table[TALLY_TABLE + entry] =
            TALLY_OFFSET(TALLY_SWEPT_RANK, a.swept_size, a.swept_index, (tally_index)entry);
#endif
#else
        const tally_index term = TALLY_FN(term)(entry, levels, a);
        table[entry] = term == TALLY_NONE ? TALLY_NONE : TALLY_AT(a, term);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return entries;
}
#endif

/* A term of a work-item's outputs. */
static TALLY_ITEM TALLY_FN(load)(__global const TALLY_SOURCE *in, bool aligned) {
#if !TALLY_FIRST
    return in[0];
#elif TALLY_SPREADS
    TALLY_ITEM item;
#pragma unroll
    for (uint v = 0; v < TALLY_SPREAD; v++) {
        tally_clear_pack(&item.of[v]);
        tally_put_in_pack(&item.of[v], 0, in + v * TALLY_OWN_STRIDE);
    }
    return item;
#else
    tally_pack pack;
    if (aligned) {
        pack.bits = tally_load_pack(in);
    } else {
        tally_clear_pack(&pack);
#pragma unroll
        for (uint v = 0; v < TALLY_WIDTH; v++)
            tally_put_in_pack(&pack, v, in + v);
    }
    return pack;
#endif
}
