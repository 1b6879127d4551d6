/*
 * A diagonal fill on CPUs where input and output lie in different orders. A unit is a box, by way
 * of a tile in private memory: its read places lie along the input's innermost axes, its write
 * places along the output's. A row of the tile is all write places at one read place; rows are
 * a.tile_pitch elements apart, which is all write places where rows are side by side in the output.
 * Blocks of TALLY_SIDE lines of the input, whose elements are spaced evenly, are transposed in
 * registers. What a place adds to the
 * diagonal is the same in all boxes and is worked out once. A box that the band covers is not read.
 */
#define TALLY_ROOM (TALLY_FILL_BOX_BYTES / TALLY_BYTES)

/* A vector of as many elements as there are lines in a block, and two of them interleaved. */
#if TALLY_BYTES == 8
#define TALLY_SIDE 4
#define TALLY_VECTOR ulong4
#define TALLY_LOW 0, 4, 1, 5
#define TALLY_HIGH 2, 6, 3, 7
#elif TALLY_BYTES == 4
#define TALLY_SIDE 8
#define TALLY_VECTOR uint8
#define TALLY_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define TALLY_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#elif TALLY_BYTES == 2
#define TALLY_SIDE 8
#define TALLY_VECTOR ushort8
#define TALLY_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define TALLY_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
#define TALLY_SIDE 16
#define TALLY_VECTOR uchar16
#define TALLY_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define TALLY_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#endif

#if TALLY_HAS_INPUT && TALLY_WIDE
typedef TALLY_VECTOR TALLY_FN(block) __attribute__((aligned(TALLY_BYTES)));

/* Part of a line of the input: elements that are step apart. */
static __attribute__((noinline)) TALLY_VECTOR
TALLY_FN(part_of_line)(__global const TALLY_STORAGE *in, tally_index step) {
    if (step == 2) {
        const TALLY_VECTOR x = *(__global const TALLY_FN(block) *)in;
        const TALLY_VECTOR y = *(__global const TALLY_FN(block) *)(in + TALLY_SIDE - 1);
        return (TALLY_VECTOR)(x.even, y.odd);
    }
    TALLY_STORAGE element[TALLY_SIDE] __attribute__((aligned(sizeof(TALLY_VECTOR))));
    _Pragma("unroll")
    for (uint i = 0; i < TALLY_SIDE; i++)
        element[i] = in[i * step];
    return *(const TALLY_VECTOR *)element;
}

/* From as many lines of the input to rows of a tile. */
static void TALLY_FN(turn)(__global const TALLY_STORAGE *in, tally_index step,
                           const tally_index *line, uint lines, const tally_index *ahead,
                           tally_index far, TALLY_STORAGE *to, uint pitch, uint rows) {
    TALLY_VECTOR x[TALLY_SIDE], y[TALLY_SIDE];
    _Pragma("unroll")
    for (uint i = 0; i < TALLY_SIDE; i++)
        TALLY_PREFETCH(in + ahead[min(i, lines - 1)] + far);
    if (step == 1)
        _Pragma("unroll")
        for (uint i = 0; i < TALLY_SIDE; i++)
            x[i] = *(__global const TALLY_FN(block) *)(in + line[min(i, lines - 1)]);
    else
        _Pragma("unroll")
        for (uint i = 0; i < TALLY_SIDE; i++)
            x[i] = TALLY_FN(part_of_line)(in + line[min(i, lines - 1)], step);
#define TALLY_TURN_ONCE(from, to)                                                                  \
    _Pragma("unroll") for (uint i = 0; i < TALLY_SIDE / 2; i++) {                                  \
        to[2 * i] = __builtin_shufflevector(from[i], from[i + TALLY_SIDE / 2], TALLY_LOW);         \
        to[2 * i + 1] = __builtin_shufflevector(from[i], from[i + TALLY_SIDE / 2], TALLY_HIGH);    \
    }
    TALLY_TURN_ONCE(x, y)
    TALLY_TURN_ONCE(y, x)
#if TALLY_SIDE >= 8
    TALLY_TURN_ONCE(x, y)
#if TALLY_SIDE >= 16
    TALLY_TURN_ONCE(y, x)
#define TALLY_TURNED x
#else
#define TALLY_TURNED y
#endif
#else
#define TALLY_TURNED x
#endif
    if (rows >= TALLY_SIDE)
        _Pragma("unroll")
        for (uint i = 0; i < TALLY_SIDE; i++)
            *(TALLY_FN(block) *)(to + i * pitch) = TALLY_TURNED[i];
    else
        for (uint i = 0; i < rows; i++)
            *(TALLY_FN(block) *)(to + i * pitch) = TALLY_TURNED[i];
#undef TALLY_TURN_ONCE
#undef TALLY_TURNED
}
#endif

#if TALLY_HAS_INPUT
/*
 * So many read places, which lie step apart, of all write places. Elements of the input before top
 * may be read. What a row has too much the next one overwrites.
 */
static void TALLY_FN(read)(__global const TALLY_STORAGE *in, tally_index top, tally_index step,
                           const tally_index *line, uint writes, TALLY_STORAGE *to, uint pitch,
                           uint count) {
    uint i = 0;
#if TALLY_WIDE
    while (count > 2 && i < writes) {
        const uint lines = min(writes, (uint)TALLY_SIDE);
        const uint at = min(i, writes - lines);
        /* Lines that will be read some blocks later, in the next box perhaps. */
        const bool inside = at + 5 * TALLY_SIDE <= writes;
        const uint ahead = inside ? at + 4 * TALLY_SIDE : at;
        const tally_index far = inside ? 0 : 4 * lines * (line[min(1u, writes - 1)] - line[0]);
        tally_index last = 0;
        for (uint k = 0; k < lines; k++)
            last = max(last, line[at + k]);
        if (count < TALLY_SIDE && last + (TALLY_SIDE - 1) * step >= top)
            break;
        uint j = 0;
        for (; j + TALLY_SIDE <= count; j += TALLY_SIDE)
            TALLY_FN(turn)(in + j * step, step, line + at, lines, line + ahead, far,
                           to + j * pitch + at, pitch, TALLY_SIDE);
        if (j < count) {
            j = count > TALLY_SIDE ? count - TALLY_SIDE : 0;
            TALLY_FN(turn)(in + j * step, step, line + at, lines, line + ahead, far,
                           to + j * pitch + at, pitch, count);
        }
        i = at + lines;
    }
#endif
    for (; i < writes; i++)
        for (uint j = 0; j < count; j++)
            to[j * pitch + i] = in[line[i] + j * step];
}
#endif

/* Places of so many that are step apart, from each first one on. */
static uint TALLY_FN(run)(const tally_index *place, uint count, tally_index step) {
    uint run = 1;
    while (run < count && place[run] == place[0] + run * step)
        run++;
    return run;
}

/* Diagonals of a pattern are least..end - 1; the band is width wide. */
typedef struct {
    tally_signed least, end, width;
    bool inverted;
} TALLY_FN(band);

/* What gets the value: places with diagonals of a pattern from base on, all or none of them. */
typedef struct {
    TALLY_FN(step) base, across;
    bool kept, covered;
} TALLY_FN(part_of_row);

static TALLY_FN(part_of_row) TALLY_FN(part)(const TALLY_FN(band) *it, tally_index t) {
    const tally_signed low = clamp(0 - (tally_signed)t, it->least, it->end);
    const tally_signed high = clamp(it->width - (tally_signed)t, low, it->end);
    const bool none = low == high, all = low == it->least && high == it->end;
    TALLY_FN(part_of_row) part;
    part.base = (TALLY_FN(step))low;
    part.across = (TALLY_FN(step))(high - low);
    part.kept = it->inverted ? all : none;
    part.covered = it->inverted ? none : all;
    if (it->inverted) {
        part.base = (TALLY_FN(step))(none ? it->least : high);
        part.across = (TALLY_FN(step))(none ? it->end - it->least : low - high);
    }
    return part;
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_band_cpu_tile_args a) {
    TALLY_STORAGE tile[TALLY_ROOM + TALLY_SIDE] __attribute__((aligned(64)));
    TALLY_FN(step) pattern[TALLY_ROOM];
    tally_index read_in[TALLY_FILL_SIDE_MAX], read_out[TALLY_FILL_SIDE_MAX];
    tally_index read_diagonal[TALLY_FILL_SIDE_MAX];
    tally_index write_in[TALLY_FILL_SIDE_MAX], write_out[TALLY_FILL_SIDE_MAX];
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.turn;
    const uint pitch = (uint)a.tile_pitch;
    const tally_signed width = (tally_signed)(a.high - a.low);
    const TALLY_STORAGE value = (TALLY_STORAGE)a.value;
    const bool inverted = a.inverted != 0, stream = a.stream != 0;
    tally_signed least = 0, end = 1;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    for (uint i = 0; i < (uint)a.reads; i++) {
        TALLY_FN(place) at = {0, 0, 0};
        TALLY_EVERY_AXIS(TALLY_READ_PLACE)
        read_in[i] = at.in;
        read_out[i] = at.out;
        read_diagonal[i] = at.diagonal;
    }
    for (uint i = 0; i < (uint)a.writes; i++) {
        TALLY_FN(place) at = {0, 0, 0};
        TALLY_EVERY_AXIS(TALLY_WRITE_PLACE)
        write_in[i] = at.in;
        write_out[i] = at.out;
        pattern[i] = (TALLY_FN(step))(tally_signed)at.diagonal;
        least = min(least, (tally_signed)at.diagonal);
        end = max(end, (tally_signed)at.diagonal + 1);
    }
    const tally_index in_step = a.reads > 1 ? read_in[1] - read_in[0] : 1;
    const uint in_run = TALLY_FN(run)(read_in, (uint)a.reads, in_step);
    const uint out_run = TALLY_FN(run)(write_out, (uint)a.writes, 1);
    uint joined = 1;
    while (pitch == (uint)a.writes && out_run == pitch && joined < (uint)a.reads &&
           read_out[joined] == joined * pitch)
        joined++;
    /* A pattern of all rows that are joined. */
    tally_signed row_least = 0, row_end = 0;
    for (uint j = 0; j < joined; j++) {
        const tally_signed t = (tally_signed)read_diagonal[j];
        row_least = min(row_least, t);
        row_end = max(row_end, t);
        for (uint i = 0; i < pitch && joined > 1; i++)
            pattern[j * pitch + i] = (TALLY_FN(step))(pattern[i] + (TALLY_FN(step))(tally_signed)t);
    }
    const TALLY_FN(band) it = {least + row_least, end + row_end, width, inverted};
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index unit = first; unit < min(first + turn, units); unit++) {
            uint reads = (uint)a.reads, writes = (uint)a.writes;
            tally_index rest = unit;
            TALLY_FN(place) origin = {0, 0, 0 - (tally_index)a.low};
            TALLY_EVERY_AXIS(TALLY_ORIGIN_OF)
            bool covered = true;
            for (uint j = 0; j < reads && covered; j += joined)
                covered = TALLY_FN(part)(&it, origin.diagonal + read_diagonal[j]).covered;
            /* Lines that rows have a part of are read before they are written. */
            for (uint j = 0; j < reads && out_run >= writes; j += joined) {
                __global TALLY_STORAGE *target = out + origin.out + read_out[j];
                TALLY_PREFETCH_WRITE(target);
                TALLY_PREFETCH_WRITE(target + writes - 1);
            }
#if TALLY_HAS_INPUT
            const tally_index top = write_in[writes - 1] + read_in[reads - 1] + 1;
            for (uint j = 0; j < reads && !covered; j += in_run)
                TALLY_FN(read)(in + origin.in + read_in[j], top - read_in[j], in_step, write_in,
                               writes, tile + j * pitch, pitch, min(in_run, reads - j));
#endif
            for (uint j = 0; j < reads; j += joined) {
                const uint rows = min(joined, reads - j);
                const uint count = rows > 1 ? rows * pitch : writes;
                __global TALLY_STORAGE *target = out + origin.out + read_out[j];
                TALLY_STORAGE *row = tile + j * pitch;
                const uint run = rows > 1 ? count : min(out_run, writes);
                const TALLY_FN(part_of_row) part =
                    TALLY_FN(part)(&it, origin.diagonal + read_diagonal[j]);
                if (part.covered && run >= count) {
                    TALLY_FN(fill)(target, count, value, stream);
                    continue;
                }
                if (!part.kept)
                    TALLY_FN(mark)(row, count, pattern, part.base, part.across, value);
                if (run == 1)
                    for (uint i = 0; i < count; i++)
                        target[write_out[i]] = row[i];
                else
                    for (uint i = 0; i < count; i += run)
                        TALLY_FN(put)(row + i, target + write_out[i], min(run, count - i), stream);
            }
        }
}
