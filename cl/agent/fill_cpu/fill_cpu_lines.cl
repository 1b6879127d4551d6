/*
 * A diagonal fill on CPUs of any strides, line by line: a line is the innermost axis of the output,
 * or a part of it, a.piece_elements elements. A unit is one, of which a work-item takes a.grain in
 * one go. It is up to three stretches: before the band, in it and behind it. Each is copied or
 * filled where it lies; what stays in its place is not touched. What the band covers is not read.
 */
static void TALLY_FN(set)(__global TALLY_STORAGE *out, tally_index stride, tally_index from,
                          tally_index to, TALLY_STORAGE value, bool stream) {
    if (from >= to)
        return;
    if (stride == 1)
        TALLY_FN(fill)(out + from, to - from, value, stream);
    else
        for (tally_index i = from; i < to; i++)
            out[i * stride] = value;
}

#if TALLY_HAS_INPUT
/* The compiler makes vectors of strides that it knows. */
#define TALLY_COPY_STRIDED(out_stride, in_stride)                                                  \
    for (TALLY_FN(loop_index) i = (TALLY_FN(loop_index))from; i < (TALLY_FN(loop_index))to; i++)   \
        out[i * (TALLY_FN(loop_index))(out_stride)] = in[i * (TALLY_FN(loop_index))(in_stride)];

static void TALLY_FN(copy_strided)(__global const TALLY_STORAGE *in, tally_index in_stride,
                                 __global TALLY_STORAGE *out, tally_index stride, tally_index from,
                                 tally_index to) {
    if (stride == 1 && in_stride == 2)
        TALLY_COPY_STRIDED(1, 2)
    else if (stride == 1 && in_stride == 3)
        TALLY_COPY_STRIDED(1, 3)
    else if (stride == 1 && in_stride == 4)
        TALLY_COPY_STRIDED(1, 4)
    else
        TALLY_COPY_STRIDED(stride, in_stride)
}
#undef TALLY_COPY_STRIDED
#endif

/* What the band leaves; soon: where the line begins that comes nearer meanwhile. */
static void TALLY_FN(keep)(__global const TALLY_STORAGE *in, tally_index in_stride,
                           __global TALLY_STORAGE *out, tally_index stride, tally_index from,
                           tally_index to, bool stream,
                           __global const TALLY_STORAGE *soon) {
    if (from >= to)
        return;
#if TALLY_HAS_INPUT
    if (in_stride == 1 && stride == 1)
        TALLY_FN(copy)(in + from, out + from, to - from, stream, soon + from);
    else
        TALLY_FN(copy_strided)(in, in_stride, out, stride, from, to);
#else
    TALLY_FN(set)(out, stride, from, to, 0, stream);
#endif
}

/* A cache line in which a stretch begins or ends is read before it is written. */
#define TALLY_BRING_EDGE(at)                                                                       \
    if ((size_t)(at) / TALLY_BYTES % TALLY_CACHE_LINE != 0) {                                      \
        TALLY_PREFETCH_WRITE(at);                                                                  \
    }

/*
 * Pieces of lines: where they lie in both tensors, and of so many elements those of the band. They
 * are found before the first of them is written, so that memory in which they begin or end, which
 * is read first, comes nearer for all of them at once.
 */
#define TALLY_PIECES 32
typedef struct {
    tally_index in[TALLY_PIECES], out[TALLY_PIECES], count[TALLY_PIECES];
    tally_signed from[TALLY_PIECES], to[TALLY_PIECES];
} TALLY_FN(pieces);

#define TALLY_ROW_AXIS (TALLY_KEPT_RANK - 2)
#define TALLY_FIND_LINE(k) TALLY_ALONG(*a, k, in, out, diagonal)

/* Find at most n pieces from a unit on, of rows of one axis, as the i-th and so on; how many. */
static uint TALLY_FN(find)(const tally_fill_cpu_lines_args *a, tally_index unit, uint i, uint n,
                           TALLY_FN(pieces) * found) {
    const tally_index pieces = (tally_index)a->pieces;
    const tally_index rows = (tally_index)a->kept_size[TALLY_ROW_AXIS];
    const tally_signed step = (tally_signed)a->diagonal[TALLY_LAST_AXIS];
    const tally_signed width = (tally_signed)(a->high - a->low);
    const tally_index row_in = (tally_index)a->kept_in[TALLY_ROW_AXIS];
    const tally_index row_out = (tally_index)a->kept_out[TALLY_ROW_AXIS];
    const tally_index row_diagonal = (tally_index)a->diagonal[TALLY_ROW_AXIS];
    tally_index rest = pieces == 1 ? unit : unit / pieces;
    const tally_index begin = (unit - rest * pieces) * (tally_index)a->piece_elements;
    const tally_index row =
        rest - TALLY_QUOTIENT(rest, a->magic[TALLY_ROW_AXIS], a->shift[TALLY_ROW_AXIS]) * rows;
    tally_index in = begin * (tally_index)a->kept_in[TALLY_LAST_AXIS];
    tally_index out = begin * (tally_index)a->kept_out[TALLY_LAST_AXIS];
    tally_index diagonal =
        begin * (tally_index)a->diagonal[TALLY_LAST_AXIS] - (tally_index)a->low;
    const tally_index count = min((tally_index)a->piece_elements,
                                  (tally_index)a->kept_size[TALLY_LAST_AXIS] - begin);
    TALLY_EACH_OUTER_AXIS(TALLY_FIND_LINE)
    in += rest * (tally_index)a->kept_in[0];
    out += rest * (tally_index)a->kept_out[0];
    diagonal += rest * (tally_index)a->diagonal[0];
    n = pieces == 1 ? (uint)min((tally_index)n, rows - row) : 1;
    for (uint k = 0; k < n; k++) {
        tally_signed low, high;
        TALLY_WINDOW_OF(diagonal + k * row_diagonal, count, low, high)
        found->in[i + k] = in + k * row_in;
        found->out[i + k] = out + k * row_out;
        found->count[i + k] = count;
        found->from[i + k] = low;
        found->to[i + k] = max(low, high);
    }
    return n;
}

/* What is written in place, which may lie before the band and behind it. */
static void TALLY_FN(cover)(const TALLY_FN(pieces) * found, uint n, bool inverted,
                            __global TALLY_STORAGE *out, tally_index stride, TALLY_STORAGE value,
                            bool stream) {
    for (uint i = 0; i < n; i++) {
        const tally_index from = inverted ? 0 : (tally_index)found->from[i];
        const tally_index to = inverted ? found->count[i] : (tally_index)found->to[i];
        TALLY_PREFETCH_WRITE(out + found->out[i] + from * stride);
        TALLY_PREFETCH_WRITE(out + found->out[i] + (to - 1) * stride);
    }
    for (uint i = 0; i < n; i++) {
        const tally_index from = (tally_index)found->from[i], to = (tally_index)found->to[i];
        __global TALLY_STORAGE *line = out + found->out[i];
        if (inverted)
            TALLY_FN(set)(line, stride, 0, from, value, stream);
        TALLY_FN(set)(line, stride, inverted ? to : from, inverted ? found->count[i] : to, value,
                      stream);
    }
}

/* What is written of another tensor or of none: the value, and what the band leaves or covers. */
static void TALLY_FN(move)(const tally_fill_cpu_lines_args *a, const TALLY_FN(pieces) * found,
                           uint n, __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out) {
    const tally_index length = (tally_index)a->piece_elements;
    const tally_index in_stride = (tally_index)a->kept_in[TALLY_LAST_AXIS];
    const tally_index stride = (tally_index)a->kept_out[TALLY_LAST_AXIS];
    const TALLY_STORAGE value = (TALLY_STORAGE)a->value;
    const bool inverted = a->inverted != 0, stream = a->stream != 0;
    for (uint i = 0; i < n; i++) {
        const uint then = min(i + 1, n - 1);
        const tally_index count = found->count[i];
        const tally_index from = (tally_index)found->from[i], to = (tally_index)found->to[i];
        __global const TALLY_STORAGE *source = in + found->in[i];
        __global const TALLY_STORAGE *soon = length <= TALLY_SOON ? in + found->in[then] : source;
        __global TALLY_STORAGE *target = out + found->out[i];
        if (stride == 1) {
            TALLY_BRING_EDGE(target + from)
            TALLY_BRING_EDGE(target + to)
            TALLY_BRING_EDGE(out + found->out[then])
            TALLY_BRING_EDGE(out + found->out[then] + length)
        }
        if (inverted) {
            TALLY_FN(set)(target, stride, 0, from, value, stream);
            TALLY_FN(keep)(source, in_stride, target, stride, from, to, stream, soon);
            TALLY_FN(set)(target, stride, to, count, value, stream);
        } else {
            TALLY_FN(keep)(source, in_stride, target, stride, 0, from, stream, soon);
            TALLY_FN(set)(target, stride, from, to, value, stream);
            TALLY_FN(keep)(source, in_stride, target, stride, to, count, stream, soon);
        }
    }
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_fill_cpu_lines_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    TALLY_FN(pieces) found;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    TALLY_FOR_GRAINS(first, units, grain) {
        const tally_index end = min(first + grain, units);
        for (tally_index unit = first; unit < end; unit += TALLY_PIECES) {
            const uint n = (uint)min((tally_index)TALLY_PIECES, end - unit);
            for (uint i = 0; i < n;)
                i += TALLY_FN(find)(&a, unit + i, i, n - i, &found);
            if (a.in_place != 0)
                TALLY_FN(cover)(&found, n, a.inverted != 0, out,
                                (tally_index)a.kept_out[TALLY_LAST_AXIS], (TALLY_STORAGE)a.value,
                                a.stream != 0);
            else
                TALLY_FN(move)(&a, &found, n, in, out);
        }
    }
}
