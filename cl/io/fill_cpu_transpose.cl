/*
 * Lines of the input to private memory in the order of the output, for fills on CPUs. Blocks of
 * lines are transposed in registers (fill_cpu_lanes.cl). Without vectors elements are moved one by
 * one. What the band covers is not read, and what will be read soon is asked for.
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
        TALLY_PREFETCH_FAR(what->in + what->line[i] + element);
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
        TALLY_PREFETCH_FAR(soon + line[min(first, lines - 1)]);
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
