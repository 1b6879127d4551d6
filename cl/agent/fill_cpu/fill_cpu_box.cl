/*
 * A diagonal fill on CPUs where input and output lie in different orders. A unit is a box, by way
 * of an image in private memory, which lies as the output does: segments, whose elements lie side
 * by side in the output, do so in the image. Read positions lie along the input's innermost axes,
 * write positions along the output's. What a position adds is the same in all boxes and is worked
 * out once.
 */
#define TALLY_ROOM (TALLY_FILL_BOX_BYTES / TALLY_BYTES)
#define TALLY_PATTERN_ROOM (TALLY_ROOM < TALLY_FILL_SEGMENT ? TALLY_ROOM : TALLY_FILL_SEGMENT)

/* What gets the value: positions with diagonals of a pattern from base on, all or none of them. */
typedef struct {
    TALLY_FN(step) base, band_width;
    bool kept, covered;
} TALLY_FN(part_of_row);

static TALLY_FN(part_of_row) TALLY_FN(part)(const TALLY_FN(band) *it, tally_index t) {
    const tally_signed low = clamp(0 - (tally_signed)t, it->least, it->end);
    const tally_signed high = clamp(it->width - (tally_signed)t, low, it->end);
    const bool none = low == high, all = low == it->least && high == it->end;
    TALLY_FN(part_of_row) part;
    part.base = (TALLY_FN(step))low;
    part.band_width = (TALLY_FN(step))(high - low);
    part.kept = it->inverted ? all : none;
    part.covered = it->inverted ? none : all;
    if (it->inverted) {
        part.base = (TALLY_FN(step))(none ? it->least : high);
        part.band_width = (TALLY_FN(step))(none ? it->end - it->least : low - high);
    }
    return part;
}

/* Adds axis k, whose positions come next, to a side. */
#define TALLY_WIDEN(k, side, box, pitch)                                                           \
    if (a.box[k] > 1 && a.pitch[k] == side.count) {                                                \
        const uint count = side.count * (uint)a.box[k], begins = side.begins;                      \
        for (uint i = side.count; i < count; i++) {                                                \
            side.in[i] = side.in[i - side.count] + (tally_index)a.kept_in[k];                      \
            side.at[i] = side.at[i - side.count] + (uint)a.box_step[k];                            \
            side.t[i] = side.t[i - side.count] + (tally_signed)a.diagonal[k];                      \
            side.least = min(side.least, side.t[i]);                                               \
            side.most = max(side.most, side.t[i]);                                                 \
        }                                                                                          \
        if (a.box_step[k] >= a.segment)                                                            \
            for (uint i = begins; i < begins * (uint)a.box[k]; i++) {                              \
                side.begin[i] = side.begin[i - begins];                                            \
                side.begin[i].position += side.count;                                              \
                TALLY_ADD(a, k, 1, side.begin[i].in, side.begin[i].out, side.begin[i].diagonal)    \
                side.begins++;                                                                     \
            }                                                                                      \
        side.count = count;                                                                        \
    }
#define TALLY_FIRST_POSITION(side)                                                                 \
    side.in[0] = side.at[0] = side.t[0] = 0;                                                       \
    side.begin[0] = (TALLY_FN(begin)){0, 0, 0, 0};                                                 \
    side.count = side.begins = 1;                                                                  \
    side.least = side.most = 0;
#define TALLY_WIDEN_READ(k) TALLY_WIDEN(k, read, box.read_box, box.read_pitch)
#define TALLY_WIDEN_WRITE(k) TALLY_WIDEN(k, write, box.write_box, box.write_pitch)

/* Adds axis k to a segment: its diagonals, and how far its elements are apart. */
#define TALLY_IS_OF_SEGMENT(k)                                                                     \
    (a.box.read_box[k] * a.box.write_box[k] > 1 && a.box_step[k] < a.segment)
#define TALLY_LENGTHEN(k)                                                                          \
    if (TALLY_IS_OF_SEGMENT(k)) {                                                                  \
        const tally_signed far =                                                                   \
            (tally_signed)(a.diagonal[k] * (a.box.read_box[k] * a.box.write_box[k] - 1));          \
        it.least += min(far, (tally_signed)0);                                                     \
        it.end += max(far, (tally_signed)0);                                                       \
        stride = stride == 0 ? (tally_index)a.kept_out[k] : stride;                                \
    }

/* Adds axis k to a table of a segment's positions: each has add more than the one before. */
#define TALLY_REPEAT_ALONG(k, table, type, add)                                                    \
    if (TALLY_IS_OF_SEGMENT(k))                                                                    \
        for (uint c = 1; c < (uint)(a.box.read_box[k] * a.box.write_box[k]); c++) {                \
            const uint step = (uint)a.box_step[k];                                                 \
            const type *from = table + (c - 1) * step;                                             \
            type *next = table + c * step;                                                         \
            _Pragma("clang loop vectorize(assume_safety)") for (uint i = 0; i < step; i++)         \
                next[i] = (type)(from[i] + (type)(add));                                           \
        }

static void TALLY_FN(set_pattern)(const tally_fill_cpu_box_args *args, TALLY_FN(step) *pattern) {
#define a (*args)
#define TALLY_ADD_DIAGONAL(k) TALLY_REPEAT_ALONG(k, pattern, TALLY_FN(step), a.diagonal[k])
    pattern[0] = 0;
    TALLY_EVERY_AXIS(TALLY_ADD_DIAGONAL)
#undef a
}

#if TALLY_HAS_INPUT
static void TALLY_FN(set_picked)(const tally_fill_cpu_box_args *args, tally_index *picked) {
#define a (*args)
#define TALLY_ADD_IN(k) TALLY_REPEAT_ALONG(k, picked, tally_index, a.kept_in[k])
    picked[0] = 0;
    TALLY_EVERY_AXIS(TALLY_ADD_IN)
#undef a
}
#endif

/* A box at the end of an axis has shorter segments, or fewer. */
#define TALLY_SEGMENT_OF(k)                                                                        \
    if (a.box.boxes[k] > 1 && TALLY_IS_OF_SEGMENT(k))                                              \
        box.segment = (uint)a.box_step[k] *                                                        \
                      (a.box.read_box[k] > 1 ? reads / (uint)a.box.read_pitch[k]                   \
                                         : writes / (uint)a.box.write_pitch[k]);

/* A box: how many positions it has, and elements of a segment. */
typedef struct {
    TALLY_FN(position) origin;
    uint reads, writes, segment;
} TALLY_FN(box);

static TALLY_FN(box) TALLY_FN(box_of)(const tally_fill_cpu_box_args *args, tally_index unit) {
#define a (*args)
    uint reads = (uint)a.box.reads, writes = (uint)a.box.writes;
    tally_index rest = unit;
    TALLY_FN(position) origin = {0, 0, 0 - (tally_index)a.low};
    TALLY_FN(box) box;
    TALLY_EVERY_AXIS(TALLY_ORIGIN_OF)
    box.segment = (uint)a.segment;
    TALLY_EVERY_AXIS(TALLY_SEGMENT_OF)
#undef a
    box.origin = origin;
    box.reads = reads;
    box.writes = writes;
    return box;
}

/* The segments of a box, one after the other. */
typedef struct {
    uint read, write, writes;
} TALLY_FN(segment);

static uint TALLY_FN(segments_of)(const TALLY_FN(box) *box, const TALLY_FN(side) *read,
                                  const TALLY_FN(side) *write, TALLY_FN(segment) *first) {
    uint reads = read->begins, writes = write->begins;
    while (read->begin[reads - 1].position >= box->reads)
        reads--;
    while (write->begin[writes - 1].position >= box->writes)
        writes--;
    *first = (TALLY_FN(segment)){0, 0, writes};
    return reads * writes;
}

static void TALLY_FN(pass)(TALLY_FN(segment) *it) {
    if (++it->write == it->writes) {
        it->write = 0;
        it->read++;
    }
}

#if TALLY_HAS_INPUT
/* Brings a box element by element; soon: the next one. */
static void TALLY_FN(pick_all)(__global const TALLY_STORAGE *in,
                               __global const TALLY_STORAGE *soon, const TALLY_FN(box) *box,
                               const TALLY_FN(side) *read, const TALLY_FN(side) *write,
                               const tally_index *picked, TALLY_STORAGE *image) {
    TALLY_FN(segment) it;
    const uint segments = TALLY_FN(segments_of)(box, read, write, &it);
    for (uint n = 0; n < segments; n++) {
        const TALLY_FN(begin) *r = &read->begin[it.read], *w = &write->begin[it.write];
        TALLY_FN(pick)(in + r->in + w->in, picked, box->segment,
                       image + read->at[r->position] + write->at[w->position], soon, write->in,
                       write->count, n * box->segment / box->reads, box->reads);
        TALLY_FN(pass)(&it);
    }
}
#endif

/* How segments are sent: their pattern, and the elements of the output from one to the next. */
typedef struct {
    const TALLY_FN(step) *pattern;
    TALLY_FN(band) band;
    tally_index stride;
    TALLY_STORAGE value;
    bool stream;
} TALLY_FN(sending);

static void TALLY_FN(send_segment)(__global TALLY_STORAGE *out, TALLY_STORAGE *row, uint n,
                                   tally_index t, const TALLY_FN(sending) *to) {
    const TALLY_FN(part_of_row) part = TALLY_FN(part)(&to->band, t);
    if (!part.kept && !part.covered)
        TALLY_FN(mark)(row, n, to->pattern, part.base, part.band_width, to->value);
    if (to->stride != 1)
        for (uint i = 0; i < n; i++)
            out[i * to->stride] = part.covered ? to->value : row[i];
    else if (part.covered)
        TALLY_FN(fill)(out, n, to->value, to->stream);
    else
        TALLY_FN(put)(row, out, n, to->stream);
}

/* Asks for the lines that the next segment has parts of: they are read before they are written. */
static void TALLY_FN(ask_ends)(__global TALLY_STORAGE *out, const TALLY_FN(box) *box,
                               const TALLY_FN(side) *read, const TALLY_FN(side) *write,
                               tally_index stride, TALLY_FN(segment) *it) {
    out += read->begin[it->read].out + write->begin[it->write].out;
    TALLY_PREFETCH_WRITE(out);
    TALLY_PREFETCH_WRITE(out + (box->segment - 1) * stride);
    TALLY_FN(pass)(it);
}

/* Sends a box, whose segments were asked for up to one ahead. */
static void TALLY_FN(send)(__global TALLY_STORAGE *out, const TALLY_FN(box) *box,
                           const TALLY_FN(side) *read, const TALLY_FN(side) *write,
                           const TALLY_FN(sending) *to, TALLY_FN(segment) ahead,
                           TALLY_STORAGE *image) {
    TALLY_FN(segment) now;
    const uint segments = TALLY_FN(segments_of)(box, read, write, &now);
    for (uint n = 0; n < segments; n++) {
        const TALLY_FN(begin) *r = &read->begin[now.read], *w = &write->begin[now.write];
        if (n + TALLY_FILL_AHEAD < segments)
            TALLY_FN(ask_ends)(out, box, read, write, to->stride, &ahead);
        TALLY_FN(send_segment)(out + r->out + w->out,
                               image + read->at[r->position] + write->at[w->position], box->segment,
                               box->origin.diagonal + r->diagonal + w->diagonal, to);
        TALLY_FN(pass)(&now);
    }
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_fill_cpu_box_args a) {
    TALLY_STORAGE image[TALLY_ROOM + 32] __attribute__((aligned(64)));
    TALLY_FN(step) pattern[TALLY_PATTERN_ROOM];
#if TALLY_HAS_INPUT
    tally_index picked[TALLY_FILL_PICKS];
    TALLY_FN(positions) positions;
#endif
    TALLY_FN(side) read, write;
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    TALLY_FN(band) it = {0, 1, (tally_signed)(a.high - a.low), a.inverted != 0};
    tally_index stride = 0; /* elements of a segment, in the output */
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    TALLY_FIRST_POSITION(read)
    while (read.count < (uint)a.box.reads) {
        TALLY_EVERY_AXIS(TALLY_WIDEN_READ)
    }
    TALLY_FIRST_POSITION(write)
    while (write.count < (uint)a.box.writes) {
        TALLY_EVERY_AXIS(TALLY_WIDEN_WRITE)
    }
    TALLY_EVERY_AXIS(TALLY_LENGTHEN)
    bool has_pattern = false;
    const TALLY_FN(band) rest = {it.least, it.end, it.width, !it.inverted};
    const TALLY_FN(sending) to = {pattern, it, stride, (TALLY_STORAGE)a.value, a.stream != 0};
#if TALLY_HAS_INPUT
    TALLY_FN(set_positions)(&positions, &read, &write, &it);
    if (a.picks != 0)
        TALLY_FN(set_picked)(&a, picked);
    tally_index end = 1; /* of the input */
#define TALLY_REACH(k) end += ((tally_index)a.kept_size[k] - 1) * (tally_index)a.kept_in[k];
    TALLY_EVERY_AXIS(TALLY_REACH)
#endif
    TALLY_FOR_GRAINS(first, units, grain) {
        const tally_index last = min(first + grain, units);
        TALLY_FN(box) next = TALLY_FN(box_of)(&a, first);
        for (tally_index unit = first; unit < last; unit++) {
            const TALLY_FN(box) box = next;
            if (unit + 1 < last)
                next = TALLY_FN(box_of)(&a, unit + 1);
            const tally_signed t = (tally_signed)box.origin.diagonal;
            const tally_signed least = t + read.least + write.least;
            const tally_signed most = t + read.most + write.most;
            const bool covered = TALLY_FN(covers)(&it, least, most);
            if (!covered && !has_pattern && !TALLY_FN(covers)(&rest, least, most)) {
                TALLY_FN(set_pattern)(&a, pattern);
                has_pattern = true;
            }
            __global TALLY_STORAGE *target = out + box.origin.out;
            TALLY_FN(segment) ahead;
            const uint segments = TALLY_FN(segments_of)(&box, &read, &write, &ahead);
            for (uint n = 0; n < min(segments, (uint)TALLY_FILL_AHEAD); n++)
                TALLY_FN(ask_ends)(target, &box, &read, &write, stride, &ahead);
#if TALLY_HAS_INPUT
            __global const TALLY_STORAGE *source = in + box.origin.in;
            __global const TALLY_STORAGE *soon = in + next.origin.in;
            if (!covered && a.picks != 0)
                TALLY_FN(pick_all)(source, soon, &box, &read, &write, picked, image);
            else if (!covered) {
                if (positions.writes != box.writes)
                    TALLY_FN(set_blocks)(&positions, box.writes);
                TALLY_FN(bring)(source, end - box.origin.in, t, soon,
                                (tally_signed)next.origin.diagonal, &positions, box.reads, image);
            }
#endif
            TALLY_FN(send)(target, &box, &read, &write, &to, ahead, image);
        }
    }
}
