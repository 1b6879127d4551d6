/*
 * Lines of the input to private memory in the order of the output, for fills on CPUs. Blocks of
 * lines are transposed in registers: a vector has two lanes of 16 bytes, and lanes of as many lines
 * as a lane has elements exchange them in rounds. Without vectors elements are moved one by one.
 * What the band covers is not read, and what will be read soon is asked for.
 */

/* The band is width wide; patterns have the diagonals least..end - 1. */
typedef struct {
    tally_signed least, end, width;
    bool inverted;
} TALLY_FN(band);

/* Whether all from one diagonal to another get the value. */
static bool TALLY_FN(covers)(const TALLY_FN(band) *it, tally_signed least, tally_signed most) {
    return it->inverted ? most < 0 || least >= it->width : least >= 0 && most < it->width;
}

/* Where a position begins a segment of the output, and what that adds. */
typedef struct {
    uint position;
    tally_index in, out, diagonal;
} TALLY_FN(begin);

/*
 * Positions of one kind: in the input, in the image, and their diagonals; those that begin
 * segments.
 */
typedef struct {
    tally_index in[TALLY_FILL_SIDE_MAX];
    uint at[TALLY_FILL_SIDE_MAX];
    tally_signed t[TALLY_FILL_SIDE_MAX];
    TALLY_FN(begin) begin[TALLY_FILL_SIDE_MAX];
    uint count, begins;
    tally_signed least, most; /* of t */
} TALLY_FN(side);

#if TALLY_HAS_INPUT
/* Elements of a lane, and two vectors whose lanes are interleaved, from their low or high half. */
#define TALLY_LANE (16 / TALLY_BYTES)
#if TALLY_BYTES == 8
#define TALLY_LOW 0, 4, 2, 6
#define TALLY_HIGH 1, 5, 3, 7
#elif TALLY_BYTES == 4
#define TALLY_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define TALLY_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#elif TALLY_BYTES == 2
#define TALLY_LOW 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27
#define TALLY_HIGH 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31
#else
#define TALLY_LOW                                                                                  \
    0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19, 51, 20,    \
        52, 21, 53, 22, 54, 23, 55
#define TALLY_HIGH                                                                                 \
    8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58, 27, 59,  \
        28, 60, 29, 61, 30, 62, 31, 63
#endif

/*
 * Lines side by side in the image: the first one, the last place in the input, and the diagonals.
 */
typedef struct {
    uint first, lines;
    tally_index last;
    tally_signed least, most;
} TALLY_FN(block);

/* The positions of a box, what follows from them, and the blocks of so many write positions. */
typedef struct {
    const TALLY_FN(side) *read, *write;
    TALLY_FN(band) band;
    bool even;  /* diagonals of read positions are spaced evenly */
    uint group; /* write positions side by side in the image: a group, and then the next one */
    uint near;  /* lines that begin within a cache line */
    uint writes, blocks;
    TALLY_FN(block) block[TALLY_FILL_SIDE_MAX];
} TALLY_FN(positions);

static void TALLY_FN(set_positions)(TALLY_FN(positions) *it, const TALLY_FN(side) *read,
                                 const TALLY_FN(side) *write, const TALLY_FN(band) *band) {
    it->read = read;
    it->write = write;
    it->band = *band;
    it->even = true;
    for (uint i = 1; i < read->count; i++)
        it->even = it->even && read->t[i] == (tally_signed)i * read->t[1];
    it->group = 1;
    while (it->group < write->count && write->at[it->group] == it->group)
        it->group++;
    it->near = 1;
    if (write->count > 1 && write->in[1] < TALLY_CACHE_LINE)
        it->near = TALLY_CACHE_LINE / max((uint)write->in[1], 1u);
    it->writes = 0;
}

#if TALLY_WIDE
typedef TALLY_STORAGE TALLY_FN(lane) __attribute__((ext_vector_type(TALLY_LANE)));
typedef TALLY_STORAGE TALLY_FN(lanes) __attribute__((ext_vector_type(2 * TALLY_LANE)));
typedef TALLY_FN(lane) TALLY_FN(lane_at) __attribute__((aligned(TALLY_BYTES)));
typedef TALLY_FN(lanes) TALLY_FN(lanes_at) __attribute__((aligned(TALLY_BYTES)));

#if TALLY_LANE == 2
#define TALLY_BOTH_LANES(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3)
#elif TALLY_LANE == 4
#define TALLY_BOTH_LANES(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7)
#elif TALLY_LANE == 8
#define TALLY_BOTH_LANES(x, y)                                                                     \
    __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#else
#define TALLY_BOTH_LANES(x, y)                                                                     \
    __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,    \
                            18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
#endif

/* Part of a line: elements that are step apart. */
static __attribute__((noinline)) TALLY_FN(lane)
TALLY_FN(part_of_line)(__global const TALLY_STORAGE *in, tally_index step) {
#if TALLY_LANE > 2
    if (step == 2) {
        const TALLY_FN(lane) x = *(__global const TALLY_FN(lane_at) *)in;
        const TALLY_FN(lane) y = *(__global const TALLY_FN(lane_at) *)(in + TALLY_LANE - 1);
        return (TALLY_FN(lane))(x.even, y.odd);
    }
#endif
    TALLY_STORAGE element[TALLY_LANE] __attribute__((aligned(16)));
    _Pragma("unroll")
    for (uint i = 0; i < TALLY_LANE; i++)
        element[i] = in[i * step];
    return *(const TALLY_FN(lane) *)element;
}

/* A round: of two vectors half a lane of vectors apart, the elements of either half alternate. */
#define TALLY_TRANSPOSE_ONCE(from, to)                                                             \
    _Pragma("unroll") for (uint i = 0; i < TALLY_LANE / 2; i++) {                                  \
        to[2 * i] = __builtin_shufflevector(from[i], from[i + TALLY_LANE / 2], TALLY_LOW);         \
        to[2 * i + 1] = __builtin_shufflevector(from[i], from[i + TALLY_LANE / 2], TALLY_HIGH);    \
    }
#if TALLY_LANE == 2
#define TALLY_TRANSPOSE_LANES TALLY_TRANSPOSE_ONCE(x, y)
#define TALLY_TRANSPOSED y
#elif TALLY_LANE == 4
#define TALLY_TRANSPOSE_LANES TALLY_TRANSPOSE_ONCE(x, y) TALLY_TRANSPOSE_ONCE(y, x)
#define TALLY_TRANSPOSED x
#elif TALLY_LANE == 8
#define TALLY_TRANSPOSE_LANES TALLY_TRANSPOSE_ONCE(x, y) TALLY_TRANSPOSE_ONCE(y, x) TALLY_TRANSPOSE_ONCE(x, y)
#define TALLY_TRANSPOSED y
#else
#define TALLY_TRANSPOSE_LANES                                                                      \
    TALLY_TRANSPOSE_ONCE(x, y)                                                                     \
    TALLY_TRANSPOSE_ONCE(y, x) TALLY_TRANSPOSE_ONCE(x, y) TALLY_TRANSPOSE_ONCE(y, x)
#define TALLY_TRANSPOSED x
#endif

/*
 * As many elements of two lanes of lines, all of which there are, to rows of both lanes; and twice
 * as many elements of a lane of lines, or of fewer, to rows of a lane. part: of a line, a lane.
 */
#define TALLY_MAKE_TRANSPOSE(many, few, part, parts)                                               \
    static void TALLY_FN(many)(__global const TALLY_STORAGE *in, tally_index step,                 \
                               const tally_index *line, TALLY_STORAGE *to, const uint *row,        \
                               uint rows) {                                                        \
        TALLY_FN(lanes) x[TALLY_LANE], y[TALLY_LANE];                                              \
        _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++) {                                  \
            const TALLY_FN(lane) low = part(in + line[i]);                                         \
            const TALLY_FN(lane) high = part(in + line[i + TALLY_LANE]);                           \
            x[i] = TALLY_BOTH_LANES(low, high);                                                    \
        }                                                                                          \
        TALLY_TRANSPOSE_LANES                                                                      \
        if (rows >= TALLY_LANE)                                                                    \
            _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++)                                \
                *(TALLY_FN(lanes_at) *)(to + row[i]) = TALLY_TRANSPOSED[i];                        \
        else                                                                                       \
            _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++) if (i < rows)                  \
                *(TALLY_FN(lanes_at) *)(to + row[i]) = TALLY_TRANSPOSED[i];                        \
    }                                                                                              \
    static void TALLY_FN(few)(__global const TALLY_STORAGE *in, tally_index step,                  \
                              const tally_index *line, uint lines, TALLY_STORAGE *to,              \
                              const uint *row, uint rows) {                                        \
        TALLY_FN(lanes) x[TALLY_LANE], y[TALLY_LANE];                                              \
        _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++)                                    \
            x[i] = parts(in + line[min(i, lines - 1)]);                                            \
        TALLY_TRANSPOSE_LANES                                                                      \
        _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++) if (i < rows)                      \
            *(TALLY_FN(lane_at) *)(to + row[i]) = TALLY_TRANSPOSED[i].lo;                          \
        _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++) if (i + TALLY_LANE < rows)         \
            *(TALLY_FN(lane_at) *)(to + row[i + TALLY_LANE]) = TALLY_TRANSPOSED[i].hi;             \
    }
#define TALLY_PART(at) (*(__global const TALLY_FN(lane_at) *)(at))
#define TALLY_PARTS(at) (*(__global const TALLY_FN(lanes_at) *)(at))
TALLY_MAKE_TRANSPOSE(transpose_many, transpose_few, TALLY_PART, TALLY_PARTS)
#define TALLY_PART_STRIDED(at) TALLY_FN(part_of_line)(at, step)
#define TALLY_PARTS_STRIDED(at)                                                                    \
    TALLY_BOTH_LANES(TALLY_PART_STRIDED(at), TALLY_PART_STRIDED((at) + TALLY_LANE * step))
TALLY_MAKE_TRANSPOSE(transpose_many_strided, transpose_few_strided, TALLY_PART_STRIDED,
                     TALLY_PARTS_STRIDED)

/* What is to be read: a block of lines, whose first diagonal is t, of a box that begins at in. */
typedef struct {
    __global const TALLY_STORAGE *in;
    const TALLY_FN(block) *block;
    const tally_index *line;
    tally_signed t;
} TALLY_FN(reading);

static TALLY_FN(reading) TALLY_FN(reading_of)(__global const TALLY_STORAGE *in,
                                              const TALLY_FN(positions) *it, uint number,
                                              tally_signed t) {
    const TALLY_FN(block) *block = &it->block[number];
    const TALLY_FN(reading) reading = {in, block, it->write->in + block->first, t};
    return reading;
}

/* Whether the band covers a block, between two diagonals of the read positions. */
static bool TALLY_FN(skips)(const TALLY_FN(positions) *it, const TALLY_FN(reading) *what,
                            tally_signed low, tally_signed high) {
    return TALLY_FN(covers)(&it->band, what->t + what->block->least + low,
                            what->t + what->block->most + high);
}

/* Asks for an element of each line of a block, but one where lines share a cache line. */
static void TALLY_FN(ask)(const TALLY_FN(positions) *it, const TALLY_FN(reading) *what, uint first,
                          tally_index element) {
    for (uint i = first; i < what->block->lines; i += it->near)
        TALLY_PREFETCH(what->in + what->line[i] + element);
}

/* A block, of which what the band covers is not read; soon: one that comes later. */
static void TALLY_FN(bring_block)(const TALLY_FN(positions) *it, const TALLY_FN(reading) *now,
                                  const TALLY_FN(reading) *soon, tally_index step, uint reads,
                                  TALLY_STORAGE *at) {
    const bool many = now->block->lines == 2 * TALLY_LANE;
    const uint each = many ? TALLY_LANE : 2 * TALLY_LANE, rows = min(reads, each);
    for (uint j = 0; j < reads; j += each) {
        const uint from = j + each <= reads ? j : reads > each ? reads - each : 0;
        const tally_signed one = it->even ? it->read->t[from] : it->read->least;
        const tally_signed other = it->even ? it->read->t[from + rows - 1] : it->read->most;
        const tally_signed low = min(one, other), high = max(one, other);
        if (!TALLY_FN(skips)(it, soon, low, high)) {
            if (j * TALLY_BYTES % 64 == 0 || step > 1)
                TALLY_FN(ask)(it, soon, 0, j * step);
            if (j + each >= reads)
                TALLY_FN(ask)(it, soon, min(it->near, soon->block->lines) - 1, (reads - 1) * step);
        }
        if (TALLY_FN(skips)(it, now, low, high))
            continue;
        __global const TALLY_STORAGE *here = now->in + from * step;
        const uint *row = it->read->at + from;
        if (many && step == 1)
            TALLY_FN(transpose_many)(here, step, now->line, at, row, rows);
        else if (many)
            TALLY_FN(transpose_many_strided)(here, step, now->line, at, row, rows);
        else if (step == 1)
            TALLY_FN(transpose_few)(here, step, now->line, now->block->lines, at, row, rows);
        else
            TALLY_FN(transpose_few_strided)(here, step, now->line, now->block->lines, at, row,
                                            rows);
    }
}
#endif

/* Finds the blocks of so many write positions. */
static void TALLY_FN(set_blocks)(TALLY_FN(positions) *it, uint writes) {
    it->writes = writes;
    it->blocks = 0;
    for (uint first = 0; first < writes; first += it->group) {
        const uint here = min(it->group, writes - first);
        const uint lines = here >= 2 * TALLY_LANE ? 2 * TALLY_LANE : min(here, (uint)TALLY_LANE);
        for (uint i = 0; i < here; i += lines) {
            TALLY_FN(block) block = {first + min(i, here - lines), lines, 0, 0, 0};
            block.least = block.most = it->write->t[block.first];
            for (uint k = block.first; k < block.first + lines; k++) {
                block.last = max(block.last, it->write->in[k]);
                block.least = min(block.least, it->write->t[k]);
                block.most = max(block.most, it->write->t[k]);
            }
            it->block[it->blocks++] = block;
        }
    }
}

/*
 * A box whose first diagonal is t: each write position is a line of the read positions, which lie
 * evenly. Elements of the input before end may be read. The box that comes next begins at next,
 * with the diagonal later. What a block has too much is overwritten by one that follows.
 */
static void TALLY_FN(bring)(__global const TALLY_STORAGE *in, tally_index end, tally_signed t,
                            __global const TALLY_STORAGE *next, tally_signed later,
                            const TALLY_FN(positions) *it, uint reads, TALLY_STORAGE *image) {
    const tally_index step = reads > 1 ? it->read->in[1] : 1;
    for (uint b = 0; b < it->blocks; b++) {
        const TALLY_FN(block) *block = &it->block[b];
        TALLY_STORAGE *at = image + it->write->at[block->first];
#if TALLY_WIDE
        const uint each = block->lines == 2 * TALLY_LANE ? TALLY_LANE : 2 * TALLY_LANE;
        if (block->last + (max(reads, each) - 1) * step < end) {
            const uint far = 2 * TALLY_SOON / (reads * it->block[0].lines) + 1;
            const uint ahead = b + min(far, it->blocks);
            const TALLY_FN(reading) now = TALLY_FN(reading_of)(in, it, b, t);
            const TALLY_FN(reading) soon =
                ahead < it->blocks ? TALLY_FN(reading_of)(in, it, ahead, t)
                                   : TALLY_FN(reading_of)(next, it, ahead - it->blocks, later);
            if (!TALLY_FN(skips)(it, &now, it->read->least, it->read->most) ||
                !TALLY_FN(skips)(it, &soon, it->read->least, it->read->most))
                TALLY_FN(bring_block)(it, &now, &soon, step, reads, at);
            continue;
        }
#endif
        for (uint i = 0; i < block->lines; i++)
            for (uint j = 0; j < reads; j++)
                at[i + it->read->at[j]] = in[it->write->in[block->first + i] + j * step];
    }
}

/*
 * As many elements of a segment of the image, from where each lies in the input. Meanwhile lines of
 * the box that comes next are asked for, from a first one on.
 */
static void TALLY_FN(pick)(__global const TALLY_STORAGE *in, const tally_index *position, uint n,
                           TALLY_STORAGE *to, __global const TALLY_STORAGE *soon,
                           const tally_index *line, uint lines, uint first, uint reads) {
    const uint step = max((uint)TALLY_CACHE_LINE / reads, 1u);
    for (uint i = 0; i < n;) {
        const uint end = min(n, i + step * reads);
        TALLY_PREFETCH(soon + line[min(first, lines - 1)]);
        first += step;
        for (; i + 4 <= end; i += 4) {
            to[i] = in[position[i]];
            to[i + 1] = in[position[i + 1]];
            to[i + 2] = in[position[i + 2]];
            to[i + 3] = in[position[i + 3]];
        }
        for (; i < end; i++)
            to[i] = in[position[i]];
    }
}
#endif
