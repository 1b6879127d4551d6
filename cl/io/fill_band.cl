/*
 * Which elements of a pack the band covers, for packs that are aligned in a run of elements side by
 * side: a bit for each. A pack may hold the ends of several lines.
 */

/* Takes rest along axis k: its coordinate, and what it adds. */
#define TALLY_POSITION(k)                                                                          \
    {                                                                                              \
        const tally_index over = TALLY_QUOTIENT(rest, a.magic[k], a.shift[k]);                     \
        c##k = rest - over * (tally_index)a.kept_size[k];                                          \
        from += c##k * (tally_index)a.kept_in[k];                                                  \
        t += c##k * (tally_index)a.diagonal[k];                                                    \
        rest = over;                                                                               \
    }

/*
 * Declares the coordinates of a run's element number unit, where it lies in the input from begin_in
 * on, and its diagonal from begin on.
 */
#define TALLY_POSITION_IN_RUN(begin_in, begin, unit)                                               \
    tally_index TALLY_COORDINATES, from = begin_in, t = begin, rest = unit;                        \
    TALLY_EACH_AXIS(TALLY_POSITION)                                                                \
    from += rest * (tally_index)a.kept_in[0];                                                      \
    t += rest * (tally_index)a.diagonal[0];

/* The bits of so many elements of a line. */
#define TALLY_BITS_OF(bits, count)                                                                 \
    {                                                                                              \
        tally_signed from, to;                                                                     \
        TALLY_WINDOW_OF(t, count, from, to)                                                        \
        bits = TALLY_BELOW(to) & ~TALLY_BELOW(from);                                               \
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
 * run's element number unit on, which is bit first, up to bit last. Most packs lie in one line, all
 * in the band or away from it.
 */
#define TALLY_BAND_OF(begin, unit, first, last, set)                                               \
    {                                                                                              \
        TALLY_POSITION_IN_RUN(0, begin, unit)                                                      \
        const tally_index end = t + (tally_index)step * (TALLY_PACK - 1);                          \
        const bool one_line = TALLY_LAST_COORDINATE + ((last) - (first)) <= line;                  \
        set = 0;                                                                                   \
        if (one_line && t < (tally_index)width && end < (tally_index)width) {                      \
            set = TALLY_ALL_OF_PACK << (first);                                                    \
        } else if (!one_line || t + TALLY_PACK < (tally_index)width + 2 * TALLY_PACK) {            \
            TALLY_LOOK_UP(first, last, set)                                                        \
        }                                                                                          \
    }

/* What is known of several packs: none of their elements is in the band, or all are, or neither. */
#define TALLY_NONE_OF_BAND 0
#define TALLY_ALL_OF_BAND 1
#define TALLY_SOME_OF_BAND 2

/* That, of count elements of a run from one on, if they all lie in one line. */
#define TALLY_KNOWN_OF(begin, at, count, known)                                                    \
    {                                                                                              \
        TALLY_POSITION_IN_RUN(0, begin, (tally_index)(at))                                         \
        const tally_signed ends[2] = {(tally_signed)t,                                             \
                                      (tally_signed)t + step * (tally_signed)((count)-1)};         \
        const tally_signed least = min(ends[0], ends[1]), most = max(ends[0], ends[1]);            \
        if (TALLY_LAST_COORDINATE + (count) <= line && (most < 0 || least >= width))               \
            known = TALLY_NONE_OF_BAND;                                                            \
        else if (TALLY_LAST_COORDINATE + (count) <= line && least >= 0 && most < width)            \
            known = TALLY_ALL_OF_BAND;                                                             \
    }

/*
 * The bits of the pack that begins at a position of the run. Of a single matrix most packs are far
 * from the band's edges, of which a.band_begin and those behind it tell.
 */
#define TALLY_BAND_AT(begin, at, first, last, set)                                                 \
    if ((at) + TALLY_PACK <= (tally_signed)a.band_begin || (at) >= (tally_signed)a.band_end)       \
        set = 0;                                                                                   \
    else if ((at) >= (tally_signed)a.whole_begin &&                                                \
             (at) + TALLY_PACK <= (tally_signed)a.whole_end)                                       \
        set = TALLY_ALL_OF_PACK;                                                                   \
    else                                                                                           \
        TALLY_BAND_OF(begin, (tally_index)((at) + (first)), first, last, set)
