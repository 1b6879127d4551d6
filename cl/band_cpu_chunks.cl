/*
 * A diagonal fill on CPUs of runs: elements side by side in the output, and in the input, over any
 * number of axes, with rows that are too short to be worth a turn of their own. A unit is a.across
 * elements of a run, a chunk, which begins at a line of the output's memory: it is put together in
 * private memory, first what is kept, then the value where the band is, and goes out by lines. What
 * is covered repeats itself from matrix to matrix: where a.period elements, some matrices, fit a
 * mask, a work-item works that out once.
 * Where a.stream asks for it these go past the caches.
 *
 * TALLY_PLAIN, a build option for tools that interpret kernels, does without what they may not
 * know.
 */
#ifndef TALLY_PLAIN
#define TALLY_PLAIN 0
#endif
#define TALLY_LINE (64 / TALLY_BYTES)
#define TALLY_MASK (TALLY_FILL_MASK_BYTES / TALLY_BYTES)
#define TALLY_CHUNK (TALLY_FILL_CHUNK_BYTES / TALLY_BYTES)
#if TALLY_PLAIN || !defined(__has_builtin)
#define TALLY_PUT_PAST(out, x) (*(out) = (x))
#elif __has_builtin(__builtin_nontemporal_store)
#define TALLY_PUT_PAST(out, x) __builtin_nontemporal_store(x, out)
#else
#define TALLY_PUT_PAST(out, x) (*(out) = (x))
#endif

/* Elements from first to last, which lie in whole lines from chunk on. */
static void TALLY_FN(put)(__global TALLY_STORAGE *out, const TALLY_STORAGE *chunk, uint first,
                          uint last, bool stream) {
    const uint begin = min((first + TALLY_LINE - 1) / TALLY_LINE * TALLY_LINE, last);
    const uint end = max(last / TALLY_LINE * TALLY_LINE, begin);
    for (uint i = first; i < begin; i++)
        out[i - first] = chunk[i];
    __global uint8 *to = (__global uint8 *)(out + (begin - first));
    const uint8 *from = (const uint8 *)(chunk + begin);
    const uint vectors = (end - begin) / (TALLY_LINE / 2);
    if (stream)
        for (uint i = 0; i < vectors; i += 2) {
            TALLY_PUT_PAST(to + i, from[i]);
            TALLY_PUT_PAST(to + i + 1, from[i + 1]);
        }
    else
        for (uint i = 0; i < vectors; i++)
            to[i] = from[i];
    for (uint i = end; i < last; i++)
        out[i - first] = chunk[i];
}

/* Set what the band covers of so many elements, from the coordinates and the diagonal t on. */
#define TALLY_SET_BAND(to, count, value)                                                           \
    for (uint i = 0; i < (count);) {                                                               \
        const uint some = (uint)min((tally_index)((count) - i), line - TALLY_LAST_COORDINATE);     \
        tally_signed low, high;                                                                    \
        TALLY_WINDOW_OF(t, some, low, high)                                                        \
        high = max(low, high);                                                                     \
        const uint ends[4] = {inverted ? 0 : (uint)low, inverted ? (uint)low : (uint)high,         \
                              inverted ? (uint)high : some, some};                                 \
        for (uint k = ends[0]; k < ends[1]; k++)                                                   \
            (to)[i + k] = value;                                                                   \
        for (uint k = ends[2]; k < ends[3]; k++)                                                   \
            (to)[i + k] = value;                                                                   \
        i += some;                                                                                 \
        t += (tally_index)step * some;                                                             \
        TALLY_LAST_COORDINATE += some;                                                             \
        TALLY_NEXT_LINE                                                                            \
    }

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_band_args a) {
    TALLY_STORAGE chunk[TALLY_CHUNK] __attribute__((aligned(64)));
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.slices;
    const tally_index length = (tally_index)a.length, line = (tally_index)a.kept_size[TALLY_LAST_AXIS];
    const tally_index pieces = (tally_index)a.pieces;
    const tally_signed step = (tally_signed)a.diagonal[TALLY_LAST_AXIS];
    const tally_signed width = (tally_signed)(a.high - a.low);
    const int first_axis = (int)a.first_axis, run_axes = (int)a.inner_axes;
    const TALLY_STORAGE value = (TALLY_STORAGE)a.value;
    const bool inverted = a.inverted != 0;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    const uint period = (uint)a.period;
    TALLY_STORAGE mask[TALLY_MASK] __attribute__((aligned(64)));
    if (period > 0) {
        tally_index TALLY_COORDINATES, t = 0 - (tally_index)a.low;
        for (uint i = 0; i < period; i++)
            mask[i] = 0;
        TALLY_SET_BAND(mask, period, (TALLY_STORAGE)~(TALLY_STORAGE)0)
    }
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index unit = first; unit < min(first + turn, units); unit++) {
            const tally_index run = unit / pieces, piece = unit - run * pieces;
            tally_index rest = run, run_in = 0, run_out = 0;
            TALLY_EACH_AXIS(TALLY_FIND)
            run_in += rest * (tally_index)a.kept_in[0];
            run_out += rest * (tally_index)a.kept_out[0];
            /* Chunks are places of whole lines; the run's first elements may be missing. */
            const tally_index lead = (tally_index)((size_t)(out + run_out) / TALLY_BYTES % TALLY_LINE);
            const tally_index base = piece * TALLY_CHUNK;
            const tally_index begin = max(base, lead);
            const tally_index end = min(base + TALLY_CHUNK, length + lead);
            if (begin >= end)
                continue;
            __global const TALLY_STORAGE *from = in + run_in + (begin - lead);
            TALLY_STORAGE *to = chunk + (begin - base);
            const uint count = (uint)(end - begin);
            if (period > 0) {
                uint phase = (uint)((run * length + (begin - lead)) % period);
                for (uint i = 0; i < count;) {
                    const uint some = min(count - i, period - phase);
                    const TALLY_STORAGE *set = mask + phase;
                    for (uint k = 0; k < some; k++)
                        to[i + k] = (value & set[k]) |
                                    (TALLY_HAS_INPUT ? from[i + k] & (TALLY_STORAGE)~set[k] : 0);
                    i += some;
                    phase = 0;
                }
            } else {
                tally_index TALLY_COORDINATES, t = 0 - (tally_index)a.low;
                rest = run * length + (begin - lead);
                TALLY_EACH_AXIS(TALLY_PLACE)
                if (first_axis == 0)
                    t += rest * (tally_index)a.diagonal[0];
                for (uint i = 0; i < count; i++)
                    to[i] = TALLY_HAS_INPUT ? from[i] : 0;
                TALLY_SET_BAND(to, count, value)
            }
            TALLY_FN(put)(out + run_out + (begin - lead), chunk, (uint)(begin - base),
                          (uint)(end - base), a.stream != 0);
        }
}
#undef TALLY_LINE
#undef TALLY_CHUNK
#undef TALLY_MASK
#undef TALLY_SET_BAND
#undef TALLY_PUT_PAST
#undef TALLY_QUOTIENT
#undef TALLY_EACH_AXIS
#undef TALLY_PLACE
#undef TALLY_FIND
#undef TALLY_TURN
#undef TALLY_NEXT_LINE
#undef TALLY_COORDINATES
#undef TALLY_LAST_AXIS
#undef TALLY_LAST_COORDINATE
#undef TALLY_REPEAT
#undef tally_signed
#undef TALLY_WINDOW_OF
