/*
 * A diagonal fill on CPUs of any strides, line by line: a line is the innermost axis of the output,
 * or a part of it, a.piece_elements elements. A unit is one, of which a work-item takes a.turn in
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
#define TALLY_COPY_APART(out_stride, in_stride)                                                    \
    for (tally_index i = from; i < to; i++)                                                        \
        out[i * (out_stride)] = in[i * (in_stride)];

static void TALLY_FN(copy_apart)(__global const TALLY_STORAGE *in, tally_index in_stride,
                                 __global TALLY_STORAGE *out, tally_index stride, tally_index from,
                                 tally_index to) {
    if (stride == 1 && in_stride == 2)
        TALLY_COPY_APART(1, 2)
    else if (stride == 1 && in_stride == 3)
        TALLY_COPY_APART(1, 3)
    else if (stride == 1 && in_stride == 4)
        TALLY_COPY_APART(1, 4)
    else
        TALLY_COPY_APART(stride, in_stride)
}
#undef TALLY_COPY_APART
#endif

/* What the band leaves; soon: where the line begins that comes nearer meanwhile. */
static void TALLY_FN(keep)(__global const TALLY_STORAGE *in, tally_index in_stride,
                           __global TALLY_STORAGE *out, tally_index stride, tally_index from,
                           tally_index to, bool in_place, bool stream,
                           __global const TALLY_STORAGE *soon) {
    if (in_place || from >= to)
        return;
#if TALLY_HAS_INPUT
    if (in_stride == 1 && stride == 1)
        TALLY_FN(copy)(in + from, out + from, to - from, stream, soon + from);
    else
        TALLY_FN(copy_apart)(in, in_stride, out, stride, from, to);
#else
    TALLY_FN(set)(out, stride, from, to, 0, stream);
#endif
}

/* A line of memory in which a stretch begins or ends is read before it is written. */
#define TALLY_BRING_EDGE(at)                                                                       \
    if ((size_t)(at) / TALLY_BYTES % TALLY_LINE != 0) {                                            \
        TALLY_PREFETCH_WRITE(at);                                                                  \
    }

/* Where a piece of a line begins: in it, in both tensors, and from the first diagonal of the band. */
typedef struct {
    tally_index begin, row, in, out, diagonal;
} TALLY_FN(piece);

#define TALLY_LINES_AHEAD 8
#define TALLY_ROW_AXIS (TALLY_KEPT_RANK - 2)
#define TALLY_FIND_LINE(k) TALLY_ALONG(*a, k, at.in, at.out, at.diagonal)

static TALLY_FN(piece) TALLY_FN(find)(const tally_band_cpu_lines_args *a, tally_index unit) {
    const tally_index pieces = (tally_index)a->pieces;
    tally_index rest = pieces == 1 ? unit : unit / pieces;
    TALLY_FN(piece) at;
    at.begin = (unit - rest * pieces) * (tally_index)a->piece_elements;
    at.row = TALLY_QUOTIENT(rest, a->magic[TALLY_ROW_AXIS], a->shift[TALLY_ROW_AXIS]);
    at.row = rest - at.row * (tally_index)a->kept_size[TALLY_ROW_AXIS];
    at.in = at.begin * (tally_index)a->kept_in[TALLY_LAST_AXIS];
    at.out = at.begin * (tally_index)a->kept_out[TALLY_LAST_AXIS];
    at.diagonal = at.begin * (tally_index)a->diagonal[TALLY_LAST_AXIS] - (tally_index)a->low;
    TALLY_EACH_OUTER_AXIS(TALLY_FIND_LINE)
    at.in += rest * (tally_index)a->kept_in[0];
    at.out += rest * (tally_index)a->kept_out[0];
    at.diagonal += rest * (tally_index)a->diagonal[0];
    return at;
}

/* The piece behind one: most often the next line of the same rows. */
static TALLY_FN(piece) TALLY_FN(behind)(const tally_band_cpu_lines_args *a, TALLY_FN(piece) at,
                                        tally_index unit) {
    if (a->pieces > 1 || ++at.row == (tally_index)a->kept_size[TALLY_ROW_AXIS])
        return TALLY_FN(find)(a, unit + 1);
    at.in += (tally_index)a->kept_in[TALLY_ROW_AXIS];
    at.out += (tally_index)a->kept_out[TALLY_ROW_AXIS];
    at.diagonal += (tally_index)a->diagonal[TALLY_ROW_AXIS];
    return at;
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_band_cpu_lines_args a) {
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.turn;
    const tally_index line = (tally_index)a.kept_size[TALLY_LAST_AXIS];
    const tally_index across = (tally_index)a.piece_elements;
    const tally_index in_stride = (tally_index)a.kept_in[TALLY_LAST_AXIS];
    const tally_index out_stride = (tally_index)a.kept_out[TALLY_LAST_AXIS];
    const tally_signed step = (tally_signed)a.diagonal[TALLY_LAST_AXIS];
    const tally_signed width = (tally_signed)(a.high - a.low);
    const TALLY_STORAGE value = (TALLY_STORAGE)a.value;
    const bool inverted = a.inverted != 0, in_place = a.in_place != 0, stream = a.stream != 0;
    /* In place: lines that will be written some time later. */
    const tally_index far =
        min((tally_index)TALLY_LINES_AHEAD, (tally_index)a.kept_size[TALLY_ROW_AXIS] / 4) *
        (tally_index)a.kept_out[TALLY_ROW_AXIS];
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn) {
        const tally_index last = min(first + turn, units) - 1;
        TALLY_FN(piece) at = TALLY_FN(find)(&a, first);
        for (tally_index unit = first; unit <= last; unit++) {
            const TALLY_FN(piece) next = unit < last ? TALLY_FN(behind)(&a, at, unit) : at;
            const tally_index count = min(across, line - at.begin), t = at.diagonal;
            tally_signed low, high;
            TALLY_WINDOW_OF(t, count, low, high)
            const tally_index from = (tally_index)low, to = (tally_index)max(low, high);
            __global const TALLY_STORAGE *source = in + at.in;
            __global const TALLY_STORAGE *soon = across <= TALLY_SOON ? in + next.in : source;
            __global TALLY_STORAGE *target = out + at.out;
            if (in_place) {
                TALLY_PREFETCH_WRITE(target + far + from * out_stride);
                TALLY_PREFETCH_WRITE(target + far + to * out_stride);
            } else if (out_stride == 1) {
                TALLY_BRING_EDGE(target + from)
                TALLY_BRING_EDGE(target + to)
                TALLY_BRING_EDGE(out + next.out)
                TALLY_BRING_EDGE(out + next.out + across)
            }
            if (inverted) {
                TALLY_FN(set)(target, out_stride, 0, from, value, stream);
                TALLY_FN(keep)(source, in_stride, target, out_stride, from, to, in_place, stream,
                               soon);
                TALLY_FN(set)(target, out_stride, to, count, value, stream);
            } else {
                TALLY_FN(keep)(source, in_stride, target, out_stride, 0, from, in_place, stream,
                               soon);
                TALLY_FN(set)(target, out_stride, from, to, value, stream);
                TALLY_FN(keep)(source, in_stride, target, out_stride, to, count, in_place, stream,
                               soon);
            }
            at = next;
        }
    }
}
