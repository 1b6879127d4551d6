/*
 * A diagonal fill of contiguous rows on CPUs: a work-item is a group of its own. A unit is a piece
 * of a row, a.across columns, or the row; a work-item takes a.slices of them in one go. A piece is
 * done by lines of memory of the output: those before the band, in it and behind it are copied or
 * filled, the one or two in between are chosen element by element, and so is what lies beside whole
 * lines. Where a.stream asks for it, lines go past the caches: a large output would only drive out
 * of them what is still needed, and its lines would be read before they are written.
 *
 * TALLY_PLAIN, a build option for tools that interpret kernels, does without what they may not
 * know.
 */
#ifndef TALLY_PLAIN
#define TALLY_PLAIN 0
#endif

/* A line is two vectors of 32 bytes, which the input may have at any place. */
#define TALLY_LINE (64 / TALLY_BYTES)
#if !TALLY_PLAIN && defined(__clang__)
typedef uint8 TALLY_FN(vector) __attribute__((aligned(TALLY_BYTES)));
#define TALLY_VECTOR_AT(in) (*(__global const TALLY_FN(vector) *)(in))
#elif TALLY_BYTES == 8
#define TALLY_VECTOR_AT(in) as_uint8(vload4(0, in))
#elif TALLY_BYTES == 4
#define TALLY_VECTOR_AT(in) vload8(0, in)
#elif TALLY_BYTES == 2
#define TALLY_VECTOR_AT(in) as_uint8(vload16(0, in))
#else
#define TALLY_VECTOR_AT(in)                                                                        \
    (uint8)(as_uint4(vload16(0, in)), as_uint4(vload16(0, (in) + TALLY_LINE / 4)))
#endif
#if TALLY_PLAIN || !defined(__has_builtin)
#define TALLY_PUT_PAST(out, x) (*(out) = (x))
#elif __has_builtin(__builtin_nontemporal_store)
#define TALLY_PUT_PAST(out, x) __builtin_nontemporal_store(x, out)
#else
#define TALLY_PUT_PAST(out, x) (*(out) = (x))
#endif

/* A piece: elements begin..end - 1 of a row, of which the band has from..to - 1. */
typedef struct {
    __global const TALLY_STORAGE *in;
    __global TALLY_STORAGE *out;
    tally_index begin, end, from, to;
    TALLY_STORAGE value;
    uint8 values;
    bool inverted, stream;
} TALLY_FN(piece);

#if TALLY_HAS_INPUT
#define TALLY_KEPT_AT(piece, i) ((piece)->in[i])
#else
#define TALLY_KEPT_AT(piece, i) ((TALLY_STORAGE)0)
#endif
#define TALLY_CHOSEN(piece, i)                                                                     \
    (((i) >= (piece)->from && (i) < (piece)->to) != (piece)->inverted ? (piece)->value             \
                                                                      : TALLY_KEPT_AT(piece, i))

/* Elements first..last - 1, whichever they are. */
static void TALLY_FN(choose)(const TALLY_FN(piece) *it, tally_index first, tally_index last) {
    for (tally_index i = first; i < last; i++)
        it->out[i] = TALLY_CHOSEN(it, i);
}

/* Whole lines of them. By way of private memory, so that stores need not wait for the input. */
static void TALLY_FN(choose_lines)(const TALLY_FN(piece) *it, tally_index first,
                                   tally_index last) {
    for (tally_index at = first; at < last; at += TALLY_LINE) {
        TALLY_STORAGE x[TALLY_LINE] __attribute__((aligned(64)));
        for (uint i = 0; i < TALLY_LINE; i++)
            x[i] = TALLY_CHOSEN(it, at + i);
        __global uint8 *to = (__global uint8 *)(it->out + at);
        to[0] = ((const uint8 *)x)[0];
        to[1] = ((const uint8 *)x)[1];
    }
}

static void TALLY_FN(fill_lines)(__global TALLY_STORAGE *out, tally_index n, uint8 values,
                                 bool stream) {
    __global uint8 *to = (__global uint8 *)out;
    if (stream)
        for (tally_index i = 0; i < n / TALLY_LINE * 2; i += 2) {
            TALLY_PUT_PAST(to + i, values);
            TALLY_PUT_PAST(to + i + 1, values);
        }
    else
        for (tally_index i = 0; i < n / TALLY_LINE * 2; i++)
            to[i] = values;
}

#if TALLY_HAS_INPUT
static void TALLY_FN(copy_lines)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                                 tally_index n, bool stream) {
    if (stream)
        for (tally_index i = 0; i < n; i += TALLY_LINE) {
            const uint8 x = TALLY_VECTOR_AT(in + i), y = TALLY_VECTOR_AT(in + i + TALLY_LINE / 2);
            TALLY_PUT_PAST((__global uint8 *)(out + i), x);
            TALLY_PUT_PAST((__global uint8 *)(out + i + TALLY_LINE / 2), y);
        }
    else
        for (tally_index i = 0; i < n; i += TALLY_LINE / 2)
            *(__global uint8 *)(out + i) = TALLY_VECTOR_AT(in + i);
}
#endif

/* Lines that the band covers, or that it leaves: the input or zeros. */
static void TALLY_FN(lines)(const TALLY_FN(piece) *it, tally_index first, tally_index last,
                            bool covered) {
    if (covered != it->inverted) {
        TALLY_FN(fill_lines)(it->out + first, last - first, it->values, it->stream);
        return;
    }
#if TALLY_HAS_INPUT
    TALLY_FN(copy_lines)(it->in + first, it->out + first, last - first, it->stream);
#else
    TALLY_FN(fill_lines)(it->out + first, last - first, (uint8)(0), it->stream);
#endif
}

/* The last place that is whole lines behind base and not behind at, and the first not before it. */
#define TALLY_LINE_DOWN(base, at) ((base) + ((at) - (base)) / TALLY_LINE * TALLY_LINE)
#define TALLY_LINE_UP(base, at) TALLY_LINE_DOWN(base, (at) + TALLY_LINE - 1)

static void TALLY_FN(take)(const TALLY_FN(piece) *it) {
    const size_t lead = (0 - (size_t)(it->out + it->begin)) / TALLY_BYTES % TALLY_LINE;
    const tally_index base = (tally_index)min(it->begin + lead, (size_t)it->end);
    const tally_index last = TALLY_LINE_DOWN(base, it->end);
    const tally_index from = clamp(it->from, base, last), to = clamp(it->to, base, last);
    const tally_index inside = TALLY_LINE_UP(base, from), outside = TALLY_LINE_DOWN(base, to);
    const tally_index behind = TALLY_LINE_UP(base, to);
    TALLY_FN(choose)(it, it->begin, base);
    TALLY_FN(lines)(it, base, TALLY_LINE_DOWN(base, from), false);
    TALLY_FN(choose_lines)(it, TALLY_LINE_DOWN(base, from), inside);
    if (inside < outside)
        TALLY_FN(lines)(it, inside, outside, true);
    TALLY_FN(choose_lines)(it, max(inside, outside), behind);
    TALLY_FN(lines)(it, behind, last, false);
    TALLY_FN(choose)(it, last, it->end);
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_band_args a) {
    const tally_index columns = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
    const tally_index rows = (tally_index)a.kept_size[TALLY_KEPT_RANK - 2];
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.slices;
    const tally_index pieces = (tally_index)a.pieces, across = (tally_index)a.across;
    const tally_i64 low = TALLY_FN(cut)(a.low, rows, columns);
    const tally_i64 high = TALLY_FN(cut)(a.high, rows, columns);
    const uint2 value = as_uint2((tally_stored)a.value * TALLY_REPEAT);
    TALLY_FN(piece) it;
    it.value = (TALLY_STORAGE)a.value;
    it.values = (uint8)(value, value, value, value);
    it.inverted = a.inverted != 0;
    it.stream = a.stream != 0;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index unit = first; unit < min(first + turn, units); unit++) {
            const tally_index row = unit / pieces, matrix = row / rows, y = row - matrix * rows;
            it.in = TALLY_HAS_INPUT ? in + TALLY_ROW(a, kept_in, matrix, y) : in;
            it.out = out + TALLY_ROW(a, kept_out, matrix, y);
            it.begin = (unit - row * pieces) * across;
            it.end = min(columns, it.begin + across);
            it.from = TALLY_FN(edge)(low, y, columns);
            it.to = TALLY_FN(edge)(high, y, columns);
            TALLY_FN(take)(&it);
        }
}
#undef TALLY_LINE
#undef TALLY_LINE_DOWN
#undef TALLY_LINE_UP
#undef TALLY_PUT_PAST
#undef TALLY_VECTOR_AT
#undef TALLY_KEPT_AT
#undef TALLY_CHOSEN
#undef TALLY_REPEAT
#undef TALLY_ROW
#undef TALLY_MATRIX
#undef TALLY_MATRIX_OF
#undef TALLY_MATRIX_2
#undef TALLY_MATRIX_4
#undef TALLY_MATRIX_8
