/*
 * A diagonal fill on CPUs of short lines. The axes from a.inner_axes on are a stretch of
 * a.inner_elements elements, in the order of the output's memory; a unit is a chunk of it,
 * a.chunk_elements elements. What lies at an element of a chunk repeats itself: its diagonal, and
 * where it lies in tensors in which a stretch is not contiguous (a.gathers, a.scatters: elements
 * that are spaced evenly), are those of the same element of the first chunk, and so much more for
 * all of a chunk. A work-item works that pattern out once. A chunk is put together in private
 * memory and goes out by lines, past the caches where a.stream asks for it; chunks that the band
 * covers, or that it leaves, are filled and copied.
 */
#define TALLY_CHUNK (TALLY_FILL_CHUNK_BYTES / TALLY_BYTES)
#define TALLY_ROOM (TALLY_CHUNK + TALLY_CACHE_LINE)

/* Set the pattern of what each axis of a stretch adds: what is there, over again for each step. */
#define TALLY_MAKE(to, type, stride)                                                               \
    {                                                                                              \
        uint n = 1;                                                                                \
        to[0] = 0;                                                                                 \
        for (int k = TALLY_KEPT_RANK - 1; k >= cut_axis; k--) {                                    \
            const uint end = k > cut_axis ? n * (uint)a.kept_size[k] : room;                       \
            for (uint done = n; done < end;) {                                                     \
                const uint some = min(done, end - done);                                           \
                const tally_index positions = done / n;                                            \
                const tally_signed more = (tally_signed)(positions * (tally_index)a.stride[k]);    \
                for (uint i = 0; i < some; i++)                                                    \
                    to[done + i] = (type)(to[i] + more);                                           \
                done += some;                                                                      \
            }                                                                                      \
            n = end;                                                                               \
        }                                                                                          \
    }

/* What axis k, which is outside of stretches, adds for stretch number rest. */
#define TALLY_FIND_STRETCH(k)                                                                      \
    if (k < cut_axis)                                                                              \
        TALLY_ALONG(a, k, at_in, at_out, t)

/* Whether an element gets the value. */
#define TALLY_HAS_VALUE(i) ((TALLY_FN(step))(pattern[i] - base) < band_width)

/* Elements of a run that is stored by vectors, at least. */
#define TALLY_VECTOR_RUN max(16 / TALLY_BYTES, 4)

/* The compiler makes vectors of steps that it knows. */
#define TALLY_GATHER(step)                                                                         \
    for (; k < (TALLY_FN(loop_index))some; k++)                                                    \
        part[k] = run[k * (TALLY_FN(loop_index))(step)];

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_fill_cpu_chunks_args a) {
    TALLY_STORAGE chunk[TALLY_ROOM + TALLY_CACHE_LINE] __attribute__((aligned(64)));
    TALLY_FN(step) pattern[TALLY_ROOM];
    tally_index where_in[TALLY_FILL_POSITIONS], where_out[TALLY_FILL_POSITIONS];
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index length = (tally_index)a.inner_elements, pieces = (tally_index)a.pieces;
    const int cut_axis = (int)a.inner_axes;
    const tally_index rows =
        (tally_index)a.chunk_elements / (length / (tally_index)a.kept_size[cut_axis]);
    const uint gathers = TALLY_HAS_INPUT ? (uint)a.gathers : 0, scatters = (uint)a.scatters;
    const uint chunk_elements = (uint)a.chunk_elements,
               room = scatters ? chunk_elements : chunk_elements + TALLY_CACHE_LINE - 1;
    const tally_signed width = (tally_signed)(a.high - a.low);
    const TALLY_STORAGE value = (TALLY_STORAGE)a.value;
    const bool inverted = a.inverted != 0, in_place = a.in_place != 0, stream = a.stream != 0;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    TALLY_MAKE(pattern, TALLY_FN(step), diagonal)
    if (gathers)
        TALLY_MAKE(where_in, tally_index, kept_in)
    if (scatters)
        TALLY_MAKE(where_out, tally_index, kept_out)
    const tally_index in_step = gathers ? (tally_index)a.kept_in[TALLY_LAST_AXIS] : 1;
    const tally_index out_step = (tally_index)a.kept_out[TALLY_LAST_AXIS];
    /* A run that will be taken some time later, perhaps. */
    const tally_index in_ahead =
        gathers > 0 && gathers < chunk_elements ? 16 * where_in[gathers] : 0;
    const tally_index out_ahead =
        scatters > 0 && scatters < chunk_elements ? 8 * where_out[scatters] : 0;
    tally_index top = 1; /* elements of the input that may be read */
    for (int k = 0; k < TALLY_KEPT_RANK; k++)
        top += ((tally_index)a.kept_size[k] - 1) * (tally_index)a.kept_in[k];
    /* The diagonals of a pattern are least..end - 1. */
    tally_signed least = 0, end = 1;
    for (int k = cut_axis; k < TALLY_KEPT_RANK; k++) {
        const tally_signed size = k > cut_axis ? (tally_signed)a.kept_size[k]
                                               : (tally_signed)(rows + TALLY_CACHE_LINE);
        const tally_signed span = (tally_signed)a.diagonal[k] * (size - 1);
        least += min(span, (tally_signed)0);
        end += max(span, (tally_signed)0);
    }
    TALLY_FOR_UNITS(unit, first, units, grain) {
        const tally_index stretch = unit / pieces, piece = unit - stretch * pieces;
        tally_index rest = stretch, at_in = piece * rows * (tally_index)a.kept_in[cut_axis];
        tally_index at_out = piece * rows * (tally_index)a.kept_out[cut_axis];
        tally_index t =
            piece * rows * (tally_index)a.diagonal[cut_axis] - (tally_index)a.low;
        TALLY_EACH_AXIS(TALLY_FIND_STRETCH)
        at_in += rest * (tally_index)a.kept_in[0];
        at_out += rest * (tally_index)a.kept_out[0];
        t += rest * (tally_index)a.diagonal[0];

        /* Chunks that are side by side meet at lines. */
        const tally_index left = length - piece * chunk_elements;
        uint begin = 0, stop = chunk_elements, pad = 0;
        if (!scatters) {
            const size_t position = (size_t)(out + at_out) / TALLY_BYTES;
            begin = piece > 0 ? TALLY_TO_CACHE_LINE(position) : 0;
            stop = chunk_elements + TALLY_TO_CACHE_LINE(position + chunk_elements);
            pad = (uint)((position + begin) % TALLY_CACHE_LINE);
        }
        stop = (uint)min((tally_index)stop, left);
        if (begin >= stop)
            continue;
        const uint count = stop - begin;

        const tally_signed low = clamp(0 - (tally_signed)t, least, end);
        const tally_signed high = clamp(width - (tally_signed)t, low, end);
        const bool none = low == high, all = low == least && high == end;
        TALLY_FN(step) base = (TALLY_FN(step))low, band_width = (TALLY_FN(step))(high - low);
        if (inverted) {
            base = (TALLY_FN(step))(none ? least : high);
            band_width = (TALLY_FN(step))(none ? end - least : low - high);
        }
        const bool kept = inverted ? all : none, covered = inverted ? none : all;
        __global TALLY_STORAGE *target = out + at_out + (scatters ? 0 : begin);
        if (kept && in_place)
            continue;
        if (!scatters && covered) {
            TALLY_FN(fill)(target, count, value, stream);
            continue;
        }
        if (in_place) {
            TALLY_FN(cover)(target, count, pattern + begin, base, band_width, value, stream);
            continue;
        }
        if (!gathers && !scatters) {
            __global const TALLY_STORAGE *from = in + (TALLY_HAS_INPUT ? at_in + begin : 0);
#if TALLY_HAS_INPUT
            if (kept) {
                TALLY_FN(copy)(from, target, count, stream, from + TALLY_SOON);
                continue;
            }
#endif
            TALLY_FN(choose)(from, target, count, pattern + begin, base, band_width, value,
                             stream);
            continue;
        }
        TALLY_STORAGE *to = chunk + pad;
#if TALLY_HAS_INPUT
        __global const TALLY_STORAGE *from = in + at_in;
        uint some = gathers ? gathers - begin % gathers : count;
        for (uint i = 0; i < count; i += some, some = gathers) {
            some = min(some, count - i);
            const tally_index at = gathers ? where_in[begin + i] : (tally_index)begin;
            __global const TALLY_STORAGE *run = from + at;
            TALLY_STORAGE *part = to + i;
            TALLY_FN(loop_index) k = 0;
            TALLY_PREFETCH(run + in_ahead);
            TALLY_PREFETCH(run + (some - 1) * in_step + in_ahead);
#if TALLY_WIDE
            /* What a run has too much the next one overwrites. */
            if (in_step == 1 && some * TALLY_BYTES >= 16 &&
                at_in + at + some + TALLY_CACHE_LINE / 2 <= top)
                for (; k < (TALLY_FN(loop_index))some; k += TALLY_CACHE_LINE / 2)
                    *(TALLY_FN(v32) *)(part + k) = *(__global const TALLY_FN(v32) *)(run + k);
#endif
            if (in_step == 2)
                TALLY_GATHER(2)
            else if (in_step == 3)
                TALLY_GATHER(3)
            else if (in_step == 4)
                TALLY_GATHER(4)
            else
                TALLY_GATHER(in_step)
        }
        TALLY_FN(mark)(to, count, pattern + begin, base, band_width, value);
#else
        for (uint i = 0; i < count; i++)
            to[i] = TALLY_HAS_VALUE(begin + i) ? value : 0;
#endif
        if (scatters == 0)
            TALLY_FN(put)(to, target, count, stream);
        else if (scatters < TALLY_VECTOR_RUN)
            for (uint i = 0; i < count; i++)
                target[where_out[i]] = to[i];
        else
            for (uint i = 0; i < count; i += scatters) {
                const uint some = min(scatters, count - i);
                __global TALLY_STORAGE *run = target + where_out[i];
                if (out_step != 1) {
                    for (uint k = 0; k < some; k++)
                        run[k * out_step] = to[i + k];
                    continue;
                }
                TALLY_PREFETCH_WRITE(run + out_ahead);
                TALLY_PREFETCH_WRITE(run + some - 1 + out_ahead);
                TALLY_FN(put)(to + i, run, some, stream);
            }
    }
}
