/*
 * A scan whose results lie in another order than its terms, on GPUs. A unit is a box of whole
 * lines: its read positions are along the input's innermost axes, its write positions along the
 * output's; see box_positions.cl. A work-item has some lines, all at one read position, every so
 * many write positions apart. It goes down their terms, TALLY_TERMS_AT_ONCE of each at a time, with
 * what comes before in registers. So pieces of memory are long on either side, however many terms
 * there are. Results leave by an image in local memory: of each term at a time a row for each read
 * position, a.box.local_pitch elements apart, an odd number of dwords or of wider elements, so that
 * both ways meet all banks. The next terms are under way before the group writes the image.
 *
 * Behind the image are two tables: what the lines of each block of work-items add in the input, and
 * what the rows of the image that it writes add in the output.
 */

/* What a position, or a box's origin, adds. */
typedef struct {
    tally_index in, out;
} TALLY_FN(position);
#define TALLY_ADD_TO(at, k, c)                                                                     \
    at.in += (c) * (tally_index)a.kept_in[k];                                                      \
    at.out += (c) * (tally_index)a.kept_out[k];

/* Rows of the image that a work-item writes side by side: entries of a table. */
#define TALLY_TAKEN 4

/* A work-item's lines: what comes before each, with the terms of its run so far. */
typedef struct {
    TALLY_FN(levels) before[TALLY_LINES_PER_ITEM];
    tally_term sum[TALLY_LINES_PER_ITEM];
} TALLY_FN(lines);

/* Entries of a table for the lines of a work-item; some at a time, 16 bytes at least. */
#define TALLY_LINE_ENTRIES (TALLY_LINES_PER_ITEM > 4 ? TALLY_LINES_PER_ITEM : 4)

/*
 * The next count terms of so many lines. Those of lines that are not there are taken from the first
 * one, and those behind the last term are it again: so all loads are under way together.
 */
TALLY_INLINE void TALLY_FN(load_lines)(__global const tally_stored *in, tally_index from,
                                       __local const tally_index *table, tally_index stride,
                                       uint lines, uint count,
                                       tally_stored x[TALLY_LINES_PER_ITEM][TALLY_TERMS_AT_ONCE]) {
    tally_index step[TALLY_LINE_ENTRIES];
    TALLY_FN(entries)(table, TALLY_LINE_ENTRIES, step);
#pragma unroll
    for (uint q = 0; q < TALLY_LINES_PER_ITEM; q++)
#pragma unroll
        for (uint k = 0; k < TALLY_TERMS_AT_ONCE; k++)
            x[q][k] = in[(tally_index)(from + (q < lines ? step[q] : step[0]) +
                                       min(k, count - 1) * stride)];
}

/* So many terms were visited: a run may have ended with them, and a span. */
TALLY_INLINE void TALLY_FN(end_terms)(TALLY_FN(lines) *it, tally_index end) {
#if !TALLY_EXACT && TALLY_ORDER_LEVELS > 1
    if (end % TALLY_RUN != 0)
        return;
#pragma unroll
    for (uint q = 0; q < TALLY_LINES_PER_ITEM; q++) {
        it->before[q].runs = tally_combine_terms(it->before[q].runs, it->sum[q]);
        it->sum[q] = TALLY_IDENTITY;
    }
#if TALLY_ORDER_LEVELS > 2
    if (end % TALLY_SPAN != 0)
        return;
#pragma unroll
    for (uint q = 0; q < TALLY_LINES_PER_ITEM; q++)
        TALLY_FN(end_span)(&it->before[q], end);
#endif
#endif
}

/* The results of terms, to where the work-item's lines are in the image, so many positions on. */
TALLY_INLINE void TALLY_FN(put_lines)(
    TALLY_FN(lines) *it, const tally_stored x[TALLY_LINES_PER_ITEM][TALLY_TERMS_AT_ONCE],
    uint lines, bool begins, __local tally_stored *image, uint line_step, uint plane) {
#pragma unroll
    for (uint q = 0; q < TALLY_LINES_PER_ITEM; q++)
#pragma unroll
        for (uint k = 0; k < TALLY_TERMS_AT_ONCE; k++) {
            const TALLY_FN(levels) *before = &it->before[q];
            const tally_term last = it->sum[q];
            it->sum[q] = tally_combine_terms(last, tally_map(tally_of_stored(x[q][k])));
            const tally_term terms = TALLY_EXCLUSIVE ? last : it->sum[q];
            const tally_term total =
                TALLY_EXACT ? terms
                            : TALLY_FN(combine_levels)(before->stretches, before->tiles,
                                                       before->spans, before->runs, terms);
            if (q < lines)
                image[q * line_step + k * plane] =
                    tally_stored_of(TALLY_FN(result)(begins && k == 0, total));
        }
}

/* Write the image of count terms: a column of it, of every so many rows. */
TALLY_INLINE void TALLY_FN(take_rows)(__global tally_stored *out, tally_index to,
                                      __local const tally_index *table, tally_index stride,
                                      uint count, uint rows, __local const tally_stored *image,
                                      uint row_step, uint plane) {
    for (uint first = 0; first < rows; first += TALLY_TAKEN) {
        tally_index step[TALLY_TAKEN];
        TALLY_FN(entries)(table + first, TALLY_TAKEN, step);
#pragma unroll
        for (uint k = 0; k < TALLY_TERMS_AT_ONCE; k++)
#pragma unroll
            for (uint i = 0; i < TALLY_TAKEN; i++)
                if (first + i < rows && k < count)
                    out[(tally_index)(to + step[i] + k * stride)] =
                        image[(first + i) * row_step + k * plane];
    }
}

/* Of so many terms those that are visited at a time from one on. */
#define TALLY_COUNT(terms, begin)                                                                  \
    ((uint)min((terms) - (begin), (tally_index)TALLY_TERMS_AT_ONCE))

/* Of so many positions every so many from the first one on. */
static uint TALLY_FN(every)(uint positions, uint first, uint step) {
    return first < positions ? (positions - first - 1) / step + 1 : 0;
}

/* What a read position adds in the input, and a write position in the output. */
TALLY_INLINE TALLY_FN(position) TALLY_FN(add_positions)(const tally_scan_transpose_args a,
                                                        uint read, uint write) {
    TALLY_FN(position) of_read = {0, 0}, of_write = {0, 0};
    {
        TALLY_FN(position) at = {0, 0};
        const uint i = read;
        TALLY_EVERY_AXIS(TALLY_READ_POSITION)
        of_read = at;
    }
    {
        TALLY_FN(position) at = {0, 0};
        const uint i = write;
        TALLY_EVERY_AXIS(TALLY_WRITE_POSITION)
        of_write = at;
    }
    const TALLY_FN(position) sum = {of_read.in, of_write.out};
    return sum;
}

/* Entries of the rows that a work-item writes, at most. */
#define TALLY_ROW_ENTRIES(rows, blocks) ((((rows)-1) / (blocks) / TALLY_TAKEN + 1) * TALLY_TAKEN)

/* Fill both tables: the entries of each block of work-items one after the other. */
TALLY_INLINE void TALLY_FN(fill_tables)(const tally_scan_transpose_args a, uint own_blocks,
                                        uint taken_blocks, uint row_entries,
                                        __local tally_index *in_of,
                                        __local tally_index *out_of) {
    const uint lid = (uint)get_local_id(0);
    for (uint n = lid; n < own_blocks * TALLY_LINE_ENTRIES; n += TALLY_GROUP) {
        TALLY_FN(position) at = {0, 0};
        const uint i = n / TALLY_LINE_ENTRIES + n % TALLY_LINE_ENTRIES * own_blocks;
        TALLY_EVERY_AXIS(TALLY_WRITE_POSITION)
        in_of[n] = at.in;
    }
    for (uint n = lid; n < taken_blocks * row_entries; n += TALLY_GROUP) {
        TALLY_FN(position) at = {0, 0};
        const uint i = n / row_entries + n % row_entries * taken_blocks;
        TALLY_EVERY_AXIS(TALLY_READ_POSITION)
        out_of[n] = at.out;
    }
}

/* Lines of which nothing was visited. */
TALLY_INLINE TALLY_FN(lines) TALLY_FN(no_terms)(void) {
    TALLY_FN(lines) it;
#pragma unroll
    for (uint q = 0; q < TALLY_LINES_PER_ITEM; q++) {
        const TALLY_FN(levels) none = {TALLY_IDENTITY, TALLY_IDENTITY, TALLY_IDENTITY,
                                       TALLY_IDENTITY};
        it.before[q] = none;
        it.sum[q] = TALLY_IDENTITY;
    }
    return it;
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const tally_stored *in, __global tally_stored *out,
             const tally_scan_transpose_args a) {
    __local ulong space[TALLY_BOX_BYTES / sizeof(ulong)] __attribute__((aligned(16)));
    __local tally_stored *image = (__local tally_stored *)space;
    const uint pitch = (uint)a.box.local_pitch, plane = (uint)a.box.reads * pitch;
    const uint image_bytes = plane * TALLY_TERMS_AT_ONCE * TALLY_BYTES;
    const tally_index terms = (tally_index)a.terms;
    const tally_index axis_in = (tally_index)a.axis_in, axis_out = (tally_index)a.axis_out;
    const TALLY_FN(share) own = TALLY_FN(share_of)((uint)a.box.reads);
    const TALLY_FN(share) taken = TALLY_FN(share_of)((uint)a.box.writes);
    const uint row_entries = TALLY_ROW_ENTRIES((uint)a.box.reads, taken.blocks);
    __local tally_index *in_of =
        (__local tally_index *)(space + (image_bytes + 15) / 16 * (16 / sizeof(ulong)));
    __local tally_index *out_of = in_of + own.blocks * TALLY_LINE_ENTRIES;
    __local const tally_index *lines_in = in_of + own.block * TALLY_LINE_ENTRIES;
    __local const tally_index *rows_out = out_of + taken.block * row_entries;
    __local tally_stored *put = image + own.column * pitch + own.block;
    __local const tally_stored *take = image + taken.block * pitch + taken.column;
    TALLY_VIEW(in, a.head.in_offset);
    TALLY_VIEW(out, a.head.out_offset);
    TALLY_FN(fill_tables)(a, own.blocks, taken.blocks, row_entries, in_of, out_of);
    const TALLY_FN(position) mine = TALLY_FN(add_positions)(a, own.column, taken.column);
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        uint reads = (uint)a.box.reads, writes = (uint)a.box.writes;
        tally_index rest = unit;
        TALLY_FN(position) origin = {(tally_index)a.start_in, (tally_index)a.start_out};
        TALLY_EVERY_AXIS(TALLY_ORIGIN_OF)
        const uint lines =
            own.column < reads ? TALLY_FN(every)(writes, own.block, own.blocks) : 0;
        const uint rows =
            taken.column < writes ? TALLY_FN(every)(reads, taken.block, taken.blocks) : 0;
        tally_index from = origin.in + mine.in, to = origin.out + mine.out;
        tally_stored x[TALLY_LINES_PER_ITEM][TALLY_TERMS_AT_ONCE];
        TALLY_FN(lines) it = TALLY_FN(no_terms)();
        barrier(CLK_LOCAL_MEM_FENCE); /* before tables are read */
        if (lines > 0)
            TALLY_FN(load_lines)(in, from, lines_in, axis_in, lines, TALLY_COUNT(terms, 0), x);
        for (tally_index begin = 0; begin < terms; begin += TALLY_TERMS_AT_ONCE) {
            const tally_index end = begin + TALLY_TERMS_AT_ONCE;
            from += TALLY_TERMS_AT_ONCE * axis_in;
            if (lines > 0) {
                TALLY_FN(put_lines)(&it, x, lines, begin == 0, put, own.blocks, plane);
                TALLY_FN(end_terms)(&it, end);
                if (end < terms)
                    TALLY_FN(load_lines)(in, from, lines_in, axis_in, lines,
                                         TALLY_COUNT(terms, end), x);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            TALLY_FN(take_rows)(out, to, rows_out, axis_out, TALLY_COUNT(terms, begin), rows, take,
                                taken.blocks * pitch, plane);
            to += TALLY_TERMS_AT_ONCE * axis_out;
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next terms overwrite what was just read */
        }
    }
}
