/*
 * A diagonal fill on GPUs of runs: elements side by side in the output, and in the input, over any
 * number of axes. A unit is a part of the packs of all runs, TALLY_PACKS_PER_ITEM for each
 * work-item, all of which are read before the first is written. A pack is 16 bytes that are aligned
 * in the output; it may hold the ends of several rows. A work-item owns the elements of its packs,
 * each of which it looks up once: a bit for each element says whether the band covers it. Packs at
 * the ends of a run are parts, which are moved element by element. What is covered is not read
 * where a whole pack is. What stays in its place is not touched, or with TALLY_REWRITES read and
 * written where it shares a pack with what does not: elements one by one take longer.
 *
 * With TALLY_PICKS elements lie side by side in the output alone: those of a pack are read one by
 * one, wherever they lie in the input. Of what is read fill_map.cl makes the result.
 *
 * TALLY_KEPT_RANK axes in the order of the output's memory, innermost last; a.length elements to a
 * run, over the axes from a.inner_axes on, a.length_packs packs for each, where a run may begin
 * anywhere in its first one.
 */

#define TALLY_ALL_OF_PACK ((1u << TALLY_PACK) - 1)

/* Covered elements have a bit, and so do those that are there. */
typedef struct {
    uint4 bits;      /* what was read */
    tally_index out; /* of the pack's first element, which may be before the run's */
    uint covered, there;
#if TALLY_PICKS
    tally_stored element[TALLY_PACK];
#elif TALLY_BYTES < 4
    uint more, off; /* the next dword, and the bytes of the first that are before the elements */
#endif
} TALLY_FN(part);

/* The dwords of a pack with ones where an element's bit is set. */
static uint4 TALLY_FN(spread)(uint set) {
#if TALLY_BYTES == 8
    const uint low = 0 - (set & 1), high = 0 - (set >> 1 & 1);
    return (uint4)(low, low, high, high);
#elif TALLY_BYTES == 4
    return (uint4)(0 - (set & 1), 0 - (set >> 1 & 1), 0 - (set >> 2 & 1), 0 - (set >> 3 & 1));
#elif TALLY_BYTES == 2
    const uint4 two = (uint4)(set, set >> 2, set >> 4, set >> 6);
    return TALLY_SPREAD(two);
#else
    const uint4 four = (uint4)(set, set >> 4, set >> 8, set >> 12) & 15;
    return TALLY_SPREAD(four);
#endif
}

#if TALLY_HAS_INPUT && !TALLY_PICKS
/*
 * Reads the pack's elements that are there; at is its first one's position in a run of such a
 * length. What is aligned differently is read by dwords, of narrow elements by the one more that
 * they are in: they are shifted into place when all packs are on their way.
 */
static void TALLY_FN(load)(__global const tally_stored *run, tally_index at, tally_index length,
                           TALLY_FN(part) *part) {
    if (part->there == TALLY_ALL_OF_PACK) {
        __global const tally_stored *in = run + at;
        if ((size_t)in % 16 == 0) {
            part->bits = tally_load_pack(in);
            return;
        }
#if TALLY_BYTES < 4
        const uint off = (uint)((size_t)in % 4);
        if (off == 0 || (at >= TALLY_PACK && at + 2 * TALLY_PACK <= length)) {
            __global const uint *dword = (__global const uint *)(in - off / TALLY_BYTES);
            part->off = off;
            part->bits = (uint4)(dword[0], dword[1], dword[2], dword[3]);
            if (off != 0)
                part->more = dword[4];
            return;
        }
#endif
    }
    tally_pack pack;
    pack.bits = (uint4)(0);
#pragma unroll
    for (uint i = 0; i < TALLY_PACK; i++)
        if ((part->there >> i & 1) != 0)
            tally_set_in_pack(&pack, i, run[(tally_index)(at + i)]);
    part->bits = pack.bits;
}
#endif

/* The bits of so many elements of a line. */
#define TALLY_BITS_OF(bits, count)                                                                 \
    {                                                                                              \
        tally_signed from, to;                                                                     \
        TALLY_WINDOW_OF(t, count, from, to)                                                        \
        bits = TALLY_BELOW(to) & ~TALLY_BELOW(from);                                               \
    }

/* Takes rest along axis k: its coordinate, and what it adds. */
#define TALLY_POSITION(k)                                                                          \
    {                                                                                              \
        const tally_index over = TALLY_QUOTIENT(rest, a.magic[k], a.shift[k]);                     \
        c##k = rest - over * (tally_index)a.kept_size[k];                                          \
        from += c##k * (tally_index)a.kept_in[k];                                                  \
        t += c##k * (tally_index)a.diagonal[k];                                                    \
        rest = over;                                                                               \
    }

/* TALLY_ADVANCE, in the input as well. */
#define TALLY_PICKED_ADVANCE(k, before, rest)                                                      \
    TALLY_ADVANCE(k, before, from += (tally_index)a.kept_in[before] -                              \
                                  (tally_index)a.kept_size[k] * (tally_index)a.kept_in[k]; rest)

/* Sets the elements of a part, of which unit is the first, of a run that begins there. */
#define TALLY_PICK(begin_in, begin, unit, part)                                                    \
    {                                                                                              \
        tally_index TALLY_COORDINATES, from = begin_in, t = begin, rest = unit;                    \
        TALLY_EACH_AXIS(TALLY_POSITION)                                                            \
        from += rest * (tally_index)a.kept_in[0];                                                  \
        t += rest * (tally_index)a.diagonal[0];                                                    \
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

/*
 * The bits of elements first to last of a pack that may have the ends of several lines: of wide
 * ones each is looked up, of narrow ones the part of each line.
 */
#if TALLY_BYTES >= 4
#define TALLY_LOOK_UP(first, last, set)                                                            \
    _Pragma("unroll") for (uint i = 0; i < TALLY_PACK; i++) {                                      \
        if (i >= (first) && i < (last)) {                                                          \
            set |= (t < (tally_index)width ? 1u : 0u) << i;                                        \
            TALLY_LAST_COORDINATE++;                                                               \
            t += (tally_index)step;                                                                \
            TALLY_NEXT_LINE                                                                        \
        }                                                                                          \
    }
#else
#define TALLY_LOOK_UP(first, last, set)                                                            \
    for (uint i = first; i < (last);) {                                                            \
        const tally_index left = line - TALLY_LAST_COORDINATE;                                     \
        const uint count = (uint)min((tally_index)((last) - i), left);                             \
        uint bits;                                                                                 \
        TALLY_BITS_OF(bits, count)                                                                 \
        set |= bits << i;                                                                          \
        i += count;                                                                                \
        t += (tally_index)step * count;                                                            \
        TALLY_LAST_COORDINATE += count;                                                            \
        TALLY_NEXT_LINE                                                                            \
    }
#endif

/*
 * The bits of a pack's elements in the band, of the run whose first diagonal is begin: from the
 * run's element number unit on, which is bit first, up to bit last. Most packs lie in one line, or
 * in lines that follow each other, and all in the band or away from it.
 */
#define TALLY_BAND_OF(begin, unit, first, last, set)                                               \
    {                                                                                              \
        tally_index TALLY_COORDINATES, from = 0, t = begin, rest = unit;                           \
        TALLY_EACH_AXIS(TALLY_POSITION)                                                            \
        t += rest * (tally_index)a.diagonal[0];                                                    \
        const tally_index end = t + (tally_index)step * (TALLY_PACK - 1);                          \
        const bool one_line = TALLY_LAST_COORDINATE + ((last) - (first)) <= line;                  \
        if (one_line && t + TALLY_PACK >= (tally_index)width + 2 * TALLY_PACK) {                   \
            set = 0;                                                                               \
        } else if (one_line && t < (tally_index)width && end < (tally_index)width) {               \
            set = TALLY_ALL_OF_PACK << (first);                                                    \
        } else {                                                                                   \
            tally_signed least = -1, most = width;                                                 \
            if (asks_bounds) {                                                                     \
                TALLY_BOUNDS_OF((last) - (first), least, most)                                     \
            }                                                                                      \
            set = least >= 0 && most < width ? TALLY_ALL_OF_PACK << (first) : 0;                   \
            if (most >= 0 && least < width && set == 0) {                                          \
                TALLY_LOOK_UP(first, last, set)                                                    \
            }                                                                                      \
        }                                                                                          \
    }

/* Where a run begins, and its first diagonal. */
#define TALLY_FIND_RUN(k)                                                                          \
    if (k < inner_axes)                                                                            \
        TALLY_ALONG(a, k, run_in, run_out, run_t)

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const tally_stored *in, __global tally_stored *out,
             const tally_fill_packs_args a) {
    const tally_index packs = (tally_index)a.length_packs, length = (tally_index)a.length;
    const tally_index all_packs = packs * (tally_index)a.lengths;
    const uint inner_axes = (uint)a.inner_axes;
    const tally_signed width = (tally_signed)(a.high - a.low);
    const tally_signed step = (tally_signed)a.diagonal[TALLY_LAST_AXIS];
    const tally_index line = (tally_index)a.kept_size[TALLY_LAST_AXIS];
#if TALLY_PICKS
    const bool inverted = a.inverted != 0;
#else
    /* worth it of 4 times as many lines as elements of one: else the edge meets most */
    const bool asks_bounds = (tally_index)a.kept_size[TALLY_LAST_AXIS - 1] / 4 >= line;
    const uint flip = a.inverted != 0 ? TALLY_ALL_OF_PACK : 0;
    const ulong value = (tally_stored)a.value * TALLY_REPEAT;
    const uint4 values = (uint4)((uint)value, (uint)(value >> 32), (uint)value,
                                 (uint)(value >> 32));
#endif
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        TALLY_FN(part) part[TALLY_PACKS_PER_ITEM];
#pragma unroll
        for (uint k = 0; k < TALLY_PACKS_PER_ITEM; k++) {
            const tally_index number =
                (unit * TALLY_PACKS_PER_ITEM + k) * TALLY_GROUP + (tally_index)get_local_id(0);
            part[k].there = 0;
            part[k].covered = 0;
            part[k].out = 0;
            part[k].bits = (uint4)(0);
#if TALLY_PICKS
#pragma unroll
            for (uint i = 0; i < TALLY_PACK; i++)
                part[k].element[i] = 0;
#elif TALLY_BYTES < 4
            part[k].more = 0;
            part[k].off = 0;
#endif
            if (number >= all_packs)
                continue;
            tally_index run = 0, run_in = 0, run_out = 0, run_t = 0 - (tally_index)a.low;
            if (inner_axes > 0) {
                run = TALLY_QUOTIENT(number, a.packs_magic, a.packs_shift);
                tally_index rest = run;
                TALLY_EACH_AXIS(TALLY_FIND_RUN)
                TALLY_ADD(a, 0, rest, run_in, run_out, run_t)
            }
            const uint lead = (uint)((size_t)(out + run_out) / TALLY_BYTES % TALLY_PACK);
            const tally_index pack = number - run * packs, at = pack * TALLY_PACK - lead;
            if (pack * TALLY_PACK >= length + lead)
                continue;
            const uint first = pack == 0 ? lead : 0;
            const uint last = (uint)min((tally_index)TALLY_PACK, length + lead - pack * TALLY_PACK);
            part[k].out = run_out + at;
            part[k].there =
                (TALLY_ALL_OF_PACK >> (TALLY_PACK - last)) & (TALLY_ALL_OF_PACK << first);
#if TALLY_PICKS
            TALLY_PICK(run_in, run_t, at + first, part[k])
#else
#if !TALLY_MAPS
            uint set;
            TALLY_BAND_OF(run_t, at + first, first, last, set)
            part[k].covered = (set ^ flip) & part[k].there;
#endif
#if TALLY_HAS_INPUT
            if (part[k].covered != part[k].there)
                TALLY_FN(load)(in + run_in, at, length, &part[k]);
#elif TALLY_REWRITES
            if (part[k].there == TALLY_ALL_OF_PACK && part[k].covered != 0) {
                if (part[k].covered != TALLY_ALL_OF_PACK)
                    part[k].bits = tally_load_pack(out + part[k].out);
            } else {
                part[k].there = part[k].covered;
            }
#endif
#endif
        }
#pragma unroll
        for (uint k = 0; k < TALLY_PACKS_PER_ITEM; k++) {
            tally_pack pack;
#if TALLY_PICKS
            const uint wanted = part[k].there;
            pack.bits = (uint4)(0);
#pragma unroll
            for (uint i = 0; i < TALLY_PACK; i++)
                tally_set_in_pack(&pack, i, part[k].element[i]);
#else
            const uint4 spread = TALLY_FN(spread)(part[k].covered);
#if TALLY_REWRITES
            const uint wanted = part[k].there;
#else
            const uint wanted = a.in_place != 0 ? part[k].covered : part[k].there;
#endif
            pack.bits = part[k].bits;
#if TALLY_HAS_INPUT && TALLY_BYTES < 4
            if (part[k].off != 0)
                pack.bits = pack.bits >> 8 * part[k].off |
                            (uint4)(pack.bits.yzw, part[k].more) << (32 - 8 * part[k].off);
#endif
            pack.bits = (values & spread) | (pack.bits & ~spread);
#endif
            pack.bits = TALLY_MAPPED_PACK(pack.bits);
            if (wanted == TALLY_ALL_OF_PACK)
                *(__global uint4 *)(out + part[k].out) = pack.bits;
            else if (wanted != 0)
                tally_store_part(out, part[k].out, &pack, wanted);
        }
    }
}
