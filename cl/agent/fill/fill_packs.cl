/*
 * A diagonal fill on GPUs of runs: elements side by side in the output, and in the input, over any
 * number of axes. A unit is a part of the packs of all runs. A work-item has TALLY_PACKS_PER_ITEM
 * packs at a time, all of which are read before the first is written. A pack is 16 bytes that are
 * aligned in the output; it may hold the ends of several rows. A work-item owns the elements of its
 * packs: a bit for each says whether the band covers it (fill_band.cl). Packs at the ends of a run
 * are parts, which are moved by elements and dwords. What is covered is not read where a whole pack
 * is. What stays in its place is not touched, or with TALLY_REWRITES read and written where it
 * shares a pack with what does not: elements one by one take longer.
 *
 * With TALLY_REPEATS the band repeats: the matrices of a batch have it at the same elements. A
 * work-item looks its elements up in the first pack alone, and goes from there by steps of whole
 * matrices: of so many elements of the run, or of so many positions of one axis outside of it.
 *
 * With TALLY_PICKS elements lie side by side in the output alone: those of a pack are read one by
 * one, wherever they lie in the input. Of what is read fill_map.cl makes the result.
 *
 * TALLY_KEPT_RANK axes in the order of the output's memory, innermost last; a.length elements to a
 * run, over the axes from a.inner_axes on, a.length_packs packs for each of a.lengths runs, where a
 * run may begin anywhere in its first one; with TALLY_REPEATS those that work-items begin with.
 */

/* Where a pack is; what a work-item knows of it before it is read. */
typedef struct {
    tally_index in, out; /* of its run's first element */
    tally_index t;       /* and its diagonal, less the band's first one */
    tally_signed at;     /* the pack's first element in the run, before which it may begin */
    tally_signed along;  /* its position along the axis of a.repeat_axis */
} TALLY_FN(found);

/* TALLY_ADVANCE, in the input as well. */
#define TALLY_PICKED_ADVANCE(k, before, rest)                                                      \
    TALLY_ADVANCE(k, before, from += (tally_index)a.kept_in[before] -                              \
                                  (tally_index)a.kept_size[k] * (tally_index)a.kept_in[k]; rest)

/* Sets the elements of a part, of which unit is the first, of a run that begins there. */
#define TALLY_PICK(begin_in, begin, unit, part)                                                    \
    {                                                                                              \
        TALLY_POSITION_IN_RUN(begin_in, begin, unit)                                               \
        _Pragma("unroll") for (uint i = 0; i < TALLY_PACK; i++) {                                  \
            if (((part).there >> i & 1) == 0)                                                      \
                continue;                                                                          \
            (part).element[i] = (tally_stored)a.value;                                             \
            if ((t < (tally_index)width) == inverted)                                              \
                (part).element[i] = in[from];                                                      \
            TALLY_LAST_COORDINATE++;                                                               \
            from += (tally_index)a.kept_in[TALLY_LAST_AXIS];                                       \
            t += (tally_index)step;                                                                \
            TALLY_NEXT_LINE_BY(TALLY_PICKED_ADVANCE)                                               \
        }                                                                                          \
    }

/* Takes rest along axis k outside of the runs. */
#define TALLY_FIND_RUN(k)                                                                          \
    if (k < inner_axes) {                                                                          \
        const tally_index over = TALLY_QUOTIENT(rest, a.magic[k], a.shift[k]);                     \
        const tally_index c = rest - over * TALLY_FIRST_POSITIONS(k);                              \
        TALLY_ADD(a, k, c, it.in, it.out, it.t)                                                    \
        TALLY_ALONG_IT(k, c)                                                                       \
        rest = over;                                                                               \
    }
#if TALLY_REPEATS
#define TALLY_FIRST_POSITIONS(k)                                                                   \
    (tally_index)(k == a.repeat_axis ? a.repeat_step : a.kept_size[k])
#define TALLY_ALONG_IT(k, c)                                                                       \
    if (k == a.repeat_axis)                                                                        \
        it.along = c;
#else
#define TALLY_FIRST_POSITIONS(k) (tally_index) a.kept_size[k]
#define TALLY_ALONG_IT(k, c)
#endif

/* Where pack number n is, which is below 2^31 or 2^63. */
#define TALLY_FIND(it, n)                                                                          \
    {                                                                                              \
        tally_index run = 0;                                                                       \
        it.in = it.out = it.along = 0;                                                             \
        it.t = 0 - (tally_index)a.low;                                                             \
        if (inner_axes > 0) {                                                                      \
            run = TALLY_QUOTIENT(n, a.packs_magic, a.packs_shift);                                 \
            tally_index rest = run;                                                                \
            TALLY_EACH_AXIS(TALLY_FIND_RUN)                                                        \
            TALLY_ADD(a, 0, rest, it.in, it.out, it.t)                                             \
            TALLY_ALONG_IT(0, rest)                                                                \
        }                                                                                          \
        const uint lead = (uint)((size_t)(out + it.out) / TALLY_BYTES % TALLY_PACK);               \
        it.at = (tally_signed)(((n)-run * packs) * TALLY_PACK - lead);                             \
    }

/* The bits of a pack's elements that are in the run, from the pack's first one on. */
static uint TALLY_FN(there)(tally_signed at, tally_signed length) {
    const uint first = (uint)max(0 - at, (tally_signed)0);
    const uint last = (uint)clamp(length - at, (tally_signed)0, (tally_signed)TALLY_PACK);
    return TALLY_BELOW(last) & ~TALLY_BELOW(first);
}

/* Covered elements of the pack at a position of its run, of which those from first on matter. */
#if TALLY_MAPS
#define TALLY_COVER(it, at, first, set)
#else
#define TALLY_COVER(it, at, first, set)                                                            \
    {                                                                                              \
        const uint last = (uint)min((tally_signed)TALLY_PACK, length - (at));                      \
        TALLY_BAND_AT(it.t, at, first, last, set)                                                  \
        set ^= flip;                                                                               \
    }
#endif

/* Elements of a unit's packs, of which each run has its own. */
#define TALLY_UNIT_ELEMENTS (TALLY_PACKS_PER_ITEM * TALLY_GROUP * TALLY_PACK)

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const tally_stored *in, __global tally_stored *out,
             const tally_fill_packs_args a) {
    const tally_index packs = (tally_index)a.length_packs;
    const tally_signed length = (tally_signed)a.length;
    const tally_index all_packs = packs * (tally_index)a.lengths;
    const uint inner_axes = (uint)a.inner_axes;
    const tally_signed width = (tally_signed)(a.high - a.low);
    const tally_signed step = (tally_signed)a.diagonal[TALLY_LAST_AXIS];
    const tally_index line = (tally_index)a.kept_size[TALLY_LAST_AXIS];
#if TALLY_PICKS
    const bool inverted = a.inverted != 0;
#else
    const uint flip = a.inverted != 0 ? TALLY_ALL_OF_PACK : 0;
#endif
    const ulong value = (tally_stored)a.value * TALLY_REPEAT;
    const uint4 values = (uint4)((uint)value, (uint)(value >> 32), (uint)value,
                                 (uint)(value >> 32));
    in += a.head.in_offset;
    __global const tally_stored *in_end = in + a.in_extent;
    out += a.head.out_offset + a.out_start;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
#if TALLY_REPEATS
        const tally_index number = unit * TALLY_GROUP + (tally_index)get_local_id(0);
        const bool is_within = a.repeat_axis >= inner_axes;
        const tally_index stride = (tally_index)a.repeat_step;
        TALLY_FN(found) it;
        TALLY_FIND(it, number)
        tally_signed position = is_within ? it.at : it.along;
        const bool is_there = number < all_packs && it.at < length;
        /* What the first pack has before the run is looked up one step further. */
        uint covered = 0;
        if (is_there) {
            const tally_signed at = it.at < 0 && is_within ? it.at + (tally_signed)stride : it.at;
            const uint first = (uint)max(0 - at, (tally_signed)0);
            TALLY_COVER(it, at, first, covered)
        }
        tally_index from = it.in + it.at, to = it.out + it.at;
        const uint4 spread = TALLY_FN(spread)(covered);
        const bool is_written = is_there && (a.in_place == 0 || covered != 0);
        tally_index left = is_written ? (tally_index)a.repeat_end - (tally_index)position : 0;
        while (left > 0) {
            TALLY_FN(part) part[TALLY_PACKS_PER_ITEM];
#pragma unroll
            for (uint k = 0; k < TALLY_PACKS_PER_ITEM; k++) {
                TALLY_FN(clear)(&part[k]);
                if (left > k * stride)
                    part[k].there = TALLY_FN(there)(is_within ? position : it.at, length);
                part[k].covered = covered & part[k].there;
                part[k].out = to;
                TALLY_BRING(from, part[k])
                position += (tally_signed)stride;
                from += (tally_index)a.repeat_in;
                to += (tally_index)a.repeat_out;
            }
            left = left > TALLY_PACKS_PER_ITEM * stride ? left - TALLY_PACKS_PER_ITEM * stride : 0;
#pragma unroll
            for (uint k = 0; k < TALLY_PACKS_PER_ITEM; k++)
                TALLY_FN(send)(out, values, spread, a.in_place != 0, &part[k]);
        }
#else
        TALLY_FN(part) part[TALLY_PACKS_PER_ITEM];
        uint known = TALLY_SOME_OF_BAND;
#if !TALLY_PICKS && !TALLY_MAPS
        /* Of long lines all packs of most units are alike. */
        if (line >= 2 * TALLY_UNIT_ELEMENTS) {
            TALLY_FN(found) it;
            TALLY_FIND(it, unit * (TALLY_PACKS_PER_ITEM * TALLY_GROUP))
            if (it.at + TALLY_UNIT_ELEMENTS <= length)
                TALLY_KNOWN_OF(it.t, max(it.at, (tally_signed)0), TALLY_UNIT_ELEMENTS, known)
        }
#endif
#pragma unroll
        for (uint k = 0; k < TALLY_PACKS_PER_ITEM; k++) {
            const tally_index number =
                (unit * TALLY_PACKS_PER_ITEM + k) * TALLY_GROUP + (tally_index)get_local_id(0);
            TALLY_FN(clear)(&part[k]);
            if (number >= all_packs)
                continue;
            TALLY_FN(found) it;
            TALLY_FIND(it, number)
            part[k].there = TALLY_FN(there)(it.at, length);
            if (part[k].there == 0)
                continue;
            const uint first = (uint)max(0 - it.at, (tally_signed)0);
            part[k].out = it.out + it.at;
#if TALLY_PICKS
            TALLY_PICK(it.in, it.t, (tally_index)(it.at + first), part[k])
#else
            if (known == TALLY_SOME_OF_BAND) {
                TALLY_COVER(it, it.at, first, part[k].covered)
            } else {
                part[k].covered = flip ^ (known == TALLY_ALL_OF_BAND ? TALLY_ALL_OF_PACK : 0);
            }
            part[k].covered &= part[k].there;
            TALLY_BRING(it.in + it.at, part[k])
#endif
        }
#pragma unroll
        for (uint k = 0; k < TALLY_PACKS_PER_ITEM; k++)
            TALLY_FN(send)
            (out, values, TALLY_FN(spread)(part[k].covered), a.in_place != 0, &part[k]);
#endif
    }
}
