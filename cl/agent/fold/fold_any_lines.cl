/*
 * A fold of terms whose neighbours in memory are far apart in the order: TALLY_LINES_AT_ONCE lines
 * of terms lie beside each other, and a group goes along a piece of all of them, so that
 * work-items which are neighbours read neighbours (fold_lines.cl). Terms have no indices here.
 *
 * A work-item has a pack of lines, the same terms of each. Terms that are TALLY_LANES apart are one
 * lane's, so it has the same TALLY_WAYS lanes of each of its lines. Which they are depends on where
 * in a line its blocks begin. That changes no halving: combining is symmetric, and those lanes are
 * half of all apart whatever they are rotated by.
 *
 * What a work-item adds up before a line's first block, and behind its last one, nobody asks for.
 *
 * Groups loop over terms with uniform bounds, so every work-item meets every barrier.
 */
#if TALLY_LINES_AT_ONCE
#define TALLY_PACKS (TALLY_LINES_AT_ONCE / TALLY_PACK) /* of lines beside each other */
#define TALLY_SIDES (TALLY_GROUP / TALLY_PACKS)        /* work-items of a pack of lines */
#define TALLY_WAYS (TALLY_LANES / TALLY_SIDES)
/* Packs that a work-item has under way: more take too many registers. */
#define TALLY_LOADS_WANTED (TALLY_PACK_BYTES == 4 ? 16 : 8)
#define TALLY_LOADS (TALLY_WAYS > TALLY_LOADS_WANTED ? TALLY_WAYS : TALLY_LOADS_WANTED)
#define TALLY_STEP (TALLY_LOADS * TALLY_SIDES)        /* terms; of a block at most */
#define TALLY_NO_BLOCK (~(tally_index)0)

#if TALLY_CLOSING /* what the last kernel's groups hear of others is in its local memory */
#define TALLY_CLOSING_ROOM , __local tally_state *closing
#define TALLY_CLOSING_HEARD , closing
#else
#define TALLY_CLOSING_ROOM
#define TALLY_CLOSING_HEARD
#endif

/*
 * The blocks that end, of each line, by turns: what each work-item has of them, what each share of
 * these comes to, and which they are.
 */
typedef struct {
    tally_state sides[2][TALLY_PACK][TALLY_GROUP];
    tally_state shares[2][TALLY_LINES_AT_ONCE][TALLY_SHARES];
    tally_index block[TALLY_TOLD_STEPS][TALLY_LINES_AT_ONCE];
} TALLY_FN(ending);

/* What so many states come to by halving. */
TALLY_INLINE tally_state TALLY_FN(halve)(tally_state *state, const uint n) {
#pragma unroll
    for (uint half_states = n / 2; half_states > 0; half_states /= 2)
#pragma unroll
        for (uint k = 0; k < half_states; k++)
            state[k] = tally_combine(state[k], state[k + half_states]);
    return state[0];
}

/* A work-item's terms of the k-th line of its pack. */
static void TALLY_FN(add)(const tally_pack *pack, uint k, tally_state *sum) {
#pragma unroll
    for (uint i = 0; i < TALLY_LOADS; i++) {
        const tally_compute x = tally_unpack(&pack[i], k);
        sum[i % TALLY_WAYS] = tally_take(sum[i % TALLY_WAYS], &x, 1, 0, 1);
    }
}

/* Those from the first-th on and before the end-th, counted from the work-item's own. */
static void TALLY_FN(add_some)(const tally_pack *pack, uint k, int first, int end,
                               tally_state *sum) {
#pragma unroll
    for (uint i = 0; i < TALLY_LOADS; i++) {
        const tally_compute x = tally_unpack(&pack[i], k);
        if ((int)(i * TALLY_SIDES) >= first && (int)(i * TALLY_SIDES) < end)
            sum[i % TALLY_WAYS] = tally_take(sum[i % TALLY_WAYS], &x, 1, 0, 1);
    }
}

/*
 * A block of the k-th line ends at the border: what a work-item has of it goes to side. The next
 * one begins, and may end before the step does, with the output's last term.
 *
 * This one and those below are inlined whatever they cost: of a local array that a function is
 * called with, PoCL 3.1 makes one that all groups share.
 */
TALLY_INLINE void TALLY_FN(end_block)(const tally_pack *pack, uint k, int border, int next,
                                      tally_state *sum, __local tally_state *side) {
    TALLY_FN(add_some)(pack, k, INT_MIN, border, sum);
    *side = TALLY_FN(halve)(sum, TALLY_WAYS);
#pragma unroll
    for (uint j = 0; j < TALLY_WAYS; j++)
        sum[j] = tally_identity();
    TALLY_FN(add_some)(pack, k, border, next, sum);
}

/*
 * The terms that many behind a piece's first ones, of each of its lines. Behind a line its next one
 * follows, so these terms are beside each other as well, but for the last lines.
 */
static void TALLY_FN(load_one)(__global const TALLY_SOURCE *row, const tally_fold_any_args a,
                               const TALLY_FN(piece) *piece, uint behind, tally_index position,
                               tally_pack *pack) {
    const tally_index line_terms = (tally_index)a.line_terms;
    const uint ends = /* of lines, at most */
        (TALLY_BLOCK + TALLY_STEP) / (uint)min(line_terms, (tally_index)INT_MAX) + 1;
    tally_clear_pack(pack);
#pragma unroll
    for (uint k = 0; k < TALLY_PACK; k++) {
        const tally_index from = piece->from + k * line_terms;
        tally_index at = position + k;
        if (k > 0 && piece->line + k + ends >= (tally_index)a.lines) {
            tally_index coordinates[TALLY_SWEPT_RANK];
            TALLY_FN(coordinates)(from + behind, a, coordinates);
            at = TALLY_FN(position_of)(a, coordinates);
        }
        at = behind < min((tally_index)(piece->terms + TALLY_BLOCK),
                          (tally_index)a.terms - min(from, (tally_index)a.terms))
                 ? at
                 : 0;
        tally_put_in_pack(pack, k, (__global const tally_raw *)row + at);
    }
}

/*
 * A step's terms of a work-item, the first of them that many behind the piece's; whole: none lies
 * behind the lines, and packs begin at whole ones. Most steps do not come to the innermost axis's
 * end.
 */
static void TALLY_FN(load)(__global const TALLY_SOURCE *row, const tally_fold_any_args a,
                           const TALLY_FN(piece) *piece, uint behind, bool whole, tally_index *at,
                           tally_index *position, tally_pack *pack) {
    const uint last = TALLY_SWEPT_RANK - 1;
    if (whole && at[last] + TALLY_STEP <= (tally_index)a.swept_size[last]) {
        const tally_index stride = TALLY_SIDES * (tally_index)a.swept_in[last];
#pragma unroll
        for (uint i = 0; i < TALLY_LOADS; i++)
            pack[i].bits = tally_load_pack(row + (*position + i * stride));
        tally_hold(pack, TALLY_LOADS);
        TALLY_FN(go_on)(a, TALLY_STEP, at, position);
        return;
    }
#pragma unroll
    for (uint i = 0; i < TALLY_LOADS; i++) {
        if (whole)
            pack[i].bits = tally_load_pack(row + *position);
        else
            TALLY_FN(load_one)(row, a, piece, behind + i * TALLY_SIDES, *position, &pack[i]);
        TALLY_FN(go_on)(a, TALLY_SIDES, at, position);
    }
}

/* A work-item's share of the sides of a line whose block ended. */
TALLY_INLINE void TALLY_FN(combine_sides)(__local TALLY_FN(ending) *ending, uint s, uint pack,
                                          uint k, uint share) {
    tally_state state[TALLY_SIDES / TALLY_SHARES];
#pragma unroll
    for (uint m = 0; m < TALLY_SIDES / TALLY_SHARES; m++)
        state[m] = ending->sides[s % 2][k][(m * TALLY_SHARES + share) * TALLY_PACKS + pack];
    ending->shares[s % 2][pack * TALLY_PACK + k][share] =
        TALLY_FN(halve)(state, TALLY_SIDES / TALLY_SHARES);
}

/* What all shares of a line come to. */
TALLY_INLINE tally_state TALLY_FN(combine_shares)(__local const tally_state *shares) {
    tally_state state[TALLY_SHARES];
#pragma unroll
    for (uint m = 0; m < TALLY_SHARES; m++)
        state[m] = shares[m];
    return TALLY_FN(halve)(state, TALLY_SHARES);
}

/*
 * A unit: a piece of lines. Of the blocks that end in a step work-items combine the sides behind
 * its barrier, and the shares behind the next one.
 */
TALLY_INLINE void TALLY_FN(fold_lines)(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
                                       const tally_fold_any_args a, tally_index unit,
                                       __local TALLY_FN(ending) *ending TALLY_CLOSING_ROOM) {
    const uint item = get_local_id(0), own_pack = item % TALLY_PACKS, side = item / TALLY_PACKS;
    const uint own_line = side / TALLY_SHARES, share = side % TALLY_SHARES;
    const uint line = own_pack * TALLY_PACK + min(own_line, (uint)TALLY_PACK - 1);
    const TALLY_FN(piece) piece = TALLY_FN(find)(a, unit, own_pack);
    /* Of a last piece, which is shorter, too many: bounds that all groups have cost less. */
    const uint steps = ((uint)a.piece_terms + TALLY_BLOCK + TALLY_STEP - 1) / TALLY_STEP;
    __global const TALLY_SOURCE *row = in + TALLY_ORIGIN(a, piece.output);
    const bool aligned = (size_t)row % sizeof(tally_pack_bits) == 0;
    tally_index at[TALLY_SWEPT_RANK];
    tally_state sum[TALLY_PACK][TALLY_WAYS];
    uint border[TALLY_PACK];
    TALLY_FN(coordinates)(piece.from + side, a, at);
    tally_index position = TALLY_FN(position_of)(a, at);
#pragma unroll
    for (uint k = 0; k < TALLY_PACK; k++) {
        border[k] = TALLY_FN(first_border)(a, &piece, k);
#pragma unroll
        for (uint j = 0; j < TALLY_WAYS; j++)
            sum[k][j] = tally_identity();
    }
    for (uint s = 0; s <= steps; s++) {
        const uint begin = s * TALLY_STEP;
        const bool whole = aligned && begin + TALLY_STEP <= piece.left;
        __local tally_index *block = ending->block[s % TALLY_TOLD_STEPS];
        if (s < steps) {
            tally_pack pack[TALLY_LOADS];
            TALLY_FN(load)(row, a, &piece, begin + side, whole, at, &position, pack);
#pragma unroll
            for (uint k = 0; k < TALLY_PACK; k++) {
                const uint ends = border[k];
                tally_index ended = TALLY_NO_BLOCK;
                if (ends - begin < TALLY_STEP) {
                    const uint next = TALLY_FN(next_border)(a, &piece, k, ends);
                    const int own = (int)(begin + side);
                    TALLY_FN(end_block)(pack, k, (int)ends - own, (int)next - own, sum[k],
                                        &ending->sides[s % 2][k][item]);
                    if (ends > TALLY_FN(begin)(a, &piece, k))
                        ended =
                            (piece.from + k * (tally_index)a.line_terms + ends - 1) / TALLY_BLOCK;
                    border[k] = max(next, begin + TALLY_STEP); /* one look in a step */
                } else {
                    TALLY_FN(add)(pack, k, sum[k]);
                }
                if (side == 0)
                    block[own_pack * TALLY_PACK + k] = ended;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s < steps && own_line < TALLY_PACK && block[line] != TALLY_NO_BLOCK)
            TALLY_FN(combine_sides)(ending, s, own_pack, own_line, share);
        block = ending->block[(s + TALLY_TOLD_STEPS - 1) % TALLY_TOLD_STEPS];
        if (s > 0 && own_line < TALLY_PACK && share == 0 && block[line] != TALLY_NO_BLOCK)
            TALLY_PUT(out, a, piece.output, block[line],
                      TALLY_FN(combine_shares)(ending->shares[(s - 1) % 2][line]));
    }
}
#endif
