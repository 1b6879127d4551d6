/*
 * A diagonal fill on CPUs where input and output lie in different orders. A unit is a box, of which
 * a work-item takes a.slices in one go, by way of private memory: its read places lie along the
 * input's innermost axes, its write places along the output's. The first axis of either kind is
 * walked in a loop of its own: a.read_box and a.write_box say how many places that are side by side
 * in a tile; a tile's rows, a row for each read place, are a.tile_pitch elements apart. What the
 * band covers is not read. Lines of the output go past the caches where a.stream asks for it.
 *
 * TALLY_PLAIN, a build option for tools that interpret kernels, does without what they may not
 * know.
 */
#ifndef TALLY_PLAIN
#define TALLY_PLAIN 0
#endif
#define TALLY_LINE (64 / TALLY_BYTES)
#if !TALLY_PLAIN && defined(__clang__)
typedef uint8 TALLY_FN(vector) __attribute__((aligned(TALLY_BYTES)));
#define TALLY_VECTOR_AT(in) (*(const TALLY_FN(vector) *)(in))
#define TALLY_STREAMS 1
#else
#define TALLY_STREAMS 0
#endif
#if TALLY_PLAIN || !defined(__has_builtin)
#define TALLY_PUT_PAST(out, x) (*(out) = (x))
#elif __has_builtin(__builtin_nontemporal_store)
#define TALLY_PUT_PAST(out, x) __builtin_nontemporal_store(x, out)
#else
#define TALLY_PUT_PAST(out, x) (*(out) = (x))
#endif

/* A row's places from the tile to where they lie side by side. */
static void TALLY_FN(put)(__global TALLY_STORAGE *out, const TALLY_STORAGE *row, uint count,
                          bool stream) {
    uint i = 0;
#if TALLY_STREAMS
    if (stream) {
        const uint lead = (uint)((0 - (size_t)out) / TALLY_BYTES % TALLY_LINE);
        for (; i < min(lead, count); i++)
            out[i] = row[i];
        for (; i + TALLY_LINE <= count; i += TALLY_LINE) {
            TALLY_PUT_PAST((__global uint8 *)(out + i), TALLY_VECTOR_AT(row + i));
            TALLY_PUT_PAST((__global uint8 *)(out + i + TALLY_LINE / 2),
                           TALLY_VECTOR_AT(row + i + TALLY_LINE / 2));
        }
    }
#endif
    for (; i < count; i++)
        out[i] = row[i];
}

#if TALLY_HAS_INPUT
/* Lines that are read abreast, so that they come at the same time. */
#define TALLY_ABREAST 8
static void TALLY_FN(read)(__global const TALLY_STORAGE *in, const tally_index *line,
                           tally_index stride, uint count, TALLY_STORAGE *to, uint pitch) {
    __global const TALLY_STORAGE *a = in + line[0], *b = in + line[1], *c = in + line[2];
    __global const TALLY_STORAGE *d = in + line[3], *e = in + line[4], *f = in + line[5];
    __global const TALLY_STORAGE *g = in + line[6], *h = in + line[7];
    for (uint k = 0; k < count; k++, to += pitch) {
        const tally_index at = k * stride;
        const TALLY_STORAGE x0 = a[at], x1 = b[at], x2 = c[at], x3 = d[at];
        const TALLY_STORAGE x4 = e[at], x5 = f[at], x6 = g[at], x7 = h[at];
        to[0] = x0;
        to[1] = x1;
        to[2] = x2;
        to[3] = x3;
        to[4] = x4;
        to[5] = x5;
        to[6] = x6;
        to[7] = x7;
    }
}
#endif

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_band_args a) {
    TALLY_STORAGE tile[TALLY_FILL_TILE_BYTES / TALLY_BYTES] __attribute__((aligned(64)));
    tally_index read_in[TALLY_FILL_SIDE_MAX], read_out[TALLY_FILL_SIDE_MAX];
    tally_index read_diagonal[TALLY_FILL_SIDE_MAX];
    tally_index write_in[TALLY_FILL_SIDE_MAX], write_out[TALLY_FILL_SIDE_MAX];
    tally_index write_diagonal[TALLY_FILL_SIDE_MAX];
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.slices;
    const uint pitch = (uint)a.tile_pitch;
    const tally_signed width = (tally_signed)(a.high - a.low);
    const TALLY_STORAGE value = (TALLY_STORAGE)a.value;
    const bool inverted = a.inverted != 0, stream = a.stream != 0;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    for (uint i = 0; i < (uint)a.reads; i++) {
        TALLY_FN(place) at = {0, 0, 0};
        TALLY_EACH_AXIS(TALLY_READ_PLACE)
        read_in[i] = at.in;
        read_out[i] = at.out;
        read_diagonal[i] = at.diagonal;
    }
    for (uint i = 0; i < (uint)a.writes; i++) {
        TALLY_FN(place) at = {0, 0, 0};
        TALLY_EACH_AXIS(TALLY_WRITE_PLACE)
        write_in[i] = at.in;
        write_out[i] = at.out;
        write_diagonal[i] = at.diagonal;
    }
    const uint read_length = (uint)a.read_length, write_length = (uint)a.write_length;
    const tally_index in_stride = read_length > 1 ? read_in[1] : 0;
    const tally_signed read_step = read_length > 1 ? (tally_signed)read_diagonal[1] : 0;
    const tally_signed write_step = write_length > 1 ? (tally_signed)write_diagonal[1] : 0;
    const bool side_by_side = write_length > 1 && write_out[1] == 1;
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index unit = first; unit < min(first + turn, units); unit++) {
            uint reads = (uint)a.reads, writes = (uint)a.writes;
            tally_index rest = unit;
            TALLY_FN(place) origin = {0, 0, 0 - (tally_index)a.low};
            TALLY_EACH_AXIS(TALLY_ORIGIN_OF)
#if TALLY_HAS_INPUT
            /* Whether nothing of the box is covered. */
            bool wholly = true;
            for (uint i = 0; i < writes && wholly; i += write_length)
                for (uint j = 0; j < reads && wholly; j++) {
                    const tally_index t = origin.diagonal + read_diagonal[j] + write_diagonal[i];
                    const uint count = min(write_length, writes - i);
                    const tally_signed step = write_step;
                    tally_signed low, high;
                    TALLY_WINDOW_OF(t, count, low, high)
                    wholly = inverted ? low <= 0 && high >= (tally_signed)count : low >= high;
                }
            for (uint j = 0; j < reads; j += read_length) {
                const uint count = min(read_length, reads - j);
                uint i = 0;
                for (; wholly && i + TALLY_ABREAST <= writes; i += TALLY_ABREAST)
                    TALLY_FN(read)(in + (tally_index)(origin.in + read_in[j]), write_in + i,
                                   in_stride, count, tile + j * pitch + i, pitch);
                for (; i < writes; i++) {
                    const tally_index t = origin.diagonal + read_diagonal[j] + write_diagonal[i];
                    const tally_signed step = read_step;
                    __global const TALLY_STORAGE *from =
                        in + (tally_index)(origin.in + read_in[j] + write_in[i]);
                    TALLY_STORAGE *to = tile + j * pitch + i;
                    tally_signed low, high;
                    TALLY_WINDOW_OF(t, count, low, high)
                    high = max(low, high);
                    const uint ends[4] = {inverted ? (uint)low : 0, inverted ? (uint)high : (uint)low,
                                          inverted ? count : (uint)high, count};
                    for (uint k = ends[0]; k < ends[1]; k++)
                        to[k * pitch] = from[k * in_stride];
                    for (uint k = ends[2]; k < ends[3]; k++)
                        to[k * pitch] = from[k * in_stride];
                }
            }
#endif
            for (uint j = 0; j < reads; j++)
                for (uint i = 0; i < writes; i += write_length) {
                    const uint count = min(write_length, writes - i);
                    const tally_index t = origin.diagonal + read_diagonal[j] + write_diagonal[i];
                    const tally_signed step = write_step;
                    TALLY_STORAGE *row = tile + j * pitch + i;
                    tally_signed low, high;
                    TALLY_WINDOW_OF(t, count, low, high)
                    high = max(low, high);
                    for (uint k = 0; k < (inverted ? (uint)low : 0); k++)
                        row[k] = value;
                    for (uint k = inverted ? (uint)high : (uint)low;
                         k < (inverted ? count : (uint)high); k++)
                        row[k] = value;
                    __global TALLY_STORAGE *to =
                        out + (tally_index)(origin.out + read_out[j] + write_out[i]);
                    if (side_by_side)
                        TALLY_FN(put)(to, row, count, stream);
                    else
                        for (uint k = 0; k < count; k++)
                            to[write_out[k]] = row[k];
                }
        }
}
#undef TALLY_LINE
#undef TALLY_VECTOR_AT
#undef TALLY_STREAMS
#undef TALLY_PUT_PAST
#undef TALLY_EACH_AXIS
#undef TALLY_ADD
#undef TALLY_READ_PLACE
#undef TALLY_WRITE_PLACE
#undef TALLY_ORIGIN_OF
#undef TALLY_QUOTIENT
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
#undef TALLY_ABREAST
