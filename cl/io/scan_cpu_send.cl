/*
 * How a box of a scan on a CPU leaves (scan_cpu_box.cl): from the panel to its image, and from
 * there in whole cache lines, while the next box is brought nearer.
 */

/* Images whose innermost axis is one of so few lines: half of a vector or a fourth. */
TALLY_INLINE void TALLY_FN(send_units)(const TALLY_FN(box) * box, const tally_stored *panel,
                                       int pitch, const uint unit, tally_stored *image) {
    const uint side = TALLY_WIDTH / unit, terms = box->terms, rows = box->lines / unit;
    for (uint row = 0; row < rows; row += side, panel += TALLY_WIDTH)
        for (uint t = 0; t < terms; t += side) {
            const uint at = min(t, terms - side);
            tally_storeds x[4];
#pragma unroll
            for (uint k = 0; k < 4; k++)
                if (k < side)
                    x[k] = TALLY_STAGED(panel + (int)(at + k) * pitch);
            tally_transpose_units(x, unit);
#pragma unroll
            for (uint k = 0; k < 4; k++)
                if (k < side && row + k < rows)
                    TALLY_STAGE(x[k], image + ((row + k) * terms + at) * unit);
        }
}

/*
 * Images whose innermost axis is one of lines. It is written from one end to the other, so that
 * what vectors leave behind a row is written over.
 */
static void TALLY_FN(send_rows)(const TALLY_FN(box) * box, const tally_stored *panel, bool back,
                                tally_stored *image) {
    const uint inside = box->inside;
    const int pitch = back ? 0 - (int)box->pitch : (int)box->pitch;
    panel += back ? (box->terms - 1) * box->pitch : 0;
    if (inside * 2 == TALLY_WIDTH && box->terms >= 2) {
        TALLY_FN(send_units)(box, panel, pitch, TALLY_WIDTH / 2, image);
        return;
    }
    if (inside * 4 == TALLY_WIDTH && inside > 1 && box->terms >= 4) {
        TALLY_FN(send_units)(box, panel, pitch, 2, image);
        return;
    }
    for (uint first = 0; first < box->lines; first += inside) {
        const tally_stored *row = panel + first;
        for (uint u = 0; u < box->terms; u++, image += inside, row += pitch)
            for (uint c = 0; c < inside; c += TALLY_WIDTH)
                TALLY_STAGE(TALLY_STAGED(row + c), image + c);
    }
}

/* Lines of so few terms, which become rows that follow each other. */
TALLY_INLINE void TALLY_FN(send_woven)(const tally_stored *panel, uint lines, int pitch,
                                       const uint n, tally_stored *image) {
    for (uint first = 0; first < lines; first += TALLY_WIDTH, image += n * TALLY_WIDTH) {
        tally_storeds x[TALLY_WOVEN_MAX];
#pragma unroll
        for (uint k = 0; k < TALLY_WOVEN_MAX; k++)
            if (k < n)
                x[k] = TALLY_STAGED(panel + (int)k * pitch + first);
        tally_weave(x, n);
#pragma unroll
        for (uint k = 0; k < TALLY_WOVEN_MAX; k++)
            if (k < n)
                TALLY_STAGE(x[k], image + k * TALLY_WIDTH);
    }
}

/* Images whose innermost axis is the terms. */
static void TALLY_FN(send_lines)(const TALLY_FN(box) * box, const tally_stored *panel, bool back,
                                 tally_stored *image) {
    const uint n = box->terms;
    const int pitch = back ? 0 - (int)box->pitch : (int)box->pitch;
    panel += back ? (n - 1) * box->pitch : 0;
    if (TALLY_IS_WOVEN(n)) {
#define TALLY_SEND_WOVEN(n) TALLY_FN(send_woven)(panel, box->lines, pitch, n, image)
        TALLY_FOR_WOVEN(n, TALLY_SEND_WOVEN)
#undef TALLY_SEND_WOVEN
        return;
    }
    for (uint first = 0; first < box->lines; first += TALLY_WIDTH) {
        const uint rows = min((uint)TALLY_WIDTH, box->lines - first);
        for (uint u = 0; u < n; u += TALLY_WIDTH) {
            const uint at = n < TALLY_WIDTH ? 0 : min(u, n - TALLY_WIDTH);
            const tally_stored *row = panel + (int)at * pitch + first;
            tally_storeds t[TALLY_WIDTH];
#pragma unroll
            for (uint k = 0; k < TALLY_WIDTH; k++)
                t[k] = TALLY_STAGED(row + (int)(n < TALLY_WIDTH ? min(k, n - 1) : k) * pitch);
            TALLY_TRANSPOSE(tally_storeds, t)
#pragma unroll
            for (uint r = 0; r < TALLY_WIDTH; r++)
                if (r < rows)
                    TALLY_STAGE(t[r], image + (first + r) * n + at);
        }
    }
}

/*
 * What is read next, which comes nearer while results leave, so that memory is not read and written
 * in turns: the positions of a box like this one, a piece after the other, a line at a time.
 */
typedef struct {
    const TALLY_FN(box) * box;
    __global const tally_stored *piece;
    uint line, lines; /* of memory, of the piece */
    size_t page;      /* of the line before */
    uint position[TALLY_KEPT_RANK + 1];
} TALLY_FN(ahead);

static void TALLY_FN(look)(TALLY_FN(ahead) * ahead) {
    const uint skew = (uint)((size_t)ahead->piece / TALLY_BYTES % TALLY_CACHE_LINE_ELEMENTS);
    ahead->line = 0;
    ahead->lines = (skew + ahead->box->span - 1) / TALLY_CACHE_LINE_ELEMENTS + 1;
}

static void TALLY_FN(look_on)(TALLY_FN(ahead) * ahead) {
    const TALLY_FN(box) *box = ahead->box;
    for (uint k = 0; k < box->axes; k++) {
        ahead->piece += box->stride[k];
        if (++ahead->position[k] < box->size[k])
            break;
        ahead->piece -= box->stride[k] * box->size[k];
        ahead->position[k] = 0;
    }
    TALLY_FN(look)(ahead);
}

/* From the beginning of what the source has next, a box like this one. */
static void TALLY_FN(look_ahead)(TALLY_FN(ahead) * ahead, const TALLY_FN(box) * box,
                                 const TALLY_FN(source) * next) {
    ahead->box = box;
    ahead->page = 0;
    ahead->piece = next->in + (next->from + (next->back ? (box->terms - 1) * next->step : 0));
    for (uint k = 0; k <= TALLY_KEPT_RANK; k++)
        ahead->position[k] = 0;
    TALLY_FN(look)(ahead);
}

/*
 * A hint into the second cache may be dropped where the TLB does not know the page. So the first
 * line in another page comes into the first cache.
 */
#define TALLY_PAGE 4096 /* bytes, at least */
TALLY_INLINE void TALLY_FN(bring_line)(TALLY_FN(ahead) * ahead) {
    for (uint i = 0; i < ahead->box->lines_per_item; i++) {
        __global const tally_stored *line = ahead->piece + ahead->line * TALLY_CACHE_LINE_ELEMENTS;
        const size_t page = (size_t)line / TALLY_PAGE;
        if (page == ahead->page)
            TALLY_PREFETCH_FAR(line);
        else
            TALLY_PREFETCH(line);
        ahead->page = page;
        if (++ahead->line == ahead->lines)
            TALLY_FN(look_on)(ahead);
    }
}

/* Elements that go apart. */
static void TALLY_FN(spread)(__global tally_stored *out, const tally_stored *from, uint n,
                             tally_index step, TALLY_FN(ahead) * ahead) {
    for (uint i = 0; i < n; i++) {
        if (i % TALLY_CACHE_LINE_ELEMENTS == 0)
            TALLY_FN(bring_line)(ahead);
        out[i * step] = from[i];
    }
}

/* A piece of the image. */
TALLY_MAKE_PUT(TALLY_FN(put_piece), TALLY_FN(ahead) *, TALLY_FN(bring_line)(soon))

/*
 * Bring the cache lines nearer that a piece of results begins and ends in, if it has them in part:
 * caches read such lines before they are written, and stores behind would wait for that.
 */
TALLY_INLINE void TALLY_FN(bring_edges)(__global TALLY_STORAGE *piece, const TALLY_FN(box) * box) {
    __global TALLY_STORAGE *end = piece + ((box->run - 1) * box->step + 1);
    if (box->step != 1 || !TALLY_IS_CACHE_LINE(piece))
        TALLY_PREFETCH_WRITE(piece);
    if (box->step != 1 || !TALLY_IS_CACHE_LINE(end))
        TALLY_PREFETCH_WRITE(end - 1);
}

/*
 * Whether pieces are so long that their edges are asked for a box ahead. Lines of short ones are
 * mostly written by two cores, which would take them from each other meanwhile.
 */
TALLY_INLINE bool TALLY_FN(is_long)(const TALLY_FN(box) * box) {
    return box->run >= 4 * TALLY_CACHE_LINE_ELEMENTS;
}

/* The edges of all pieces of a box. */
static void TALLY_FN(bring_box_edges)(__global TALLY_STORAGE *out, const TALLY_FN(box) * box,
                                      tally_index step) {
    for (uint far = 0; far < box->far; far++)
        for (uint t = 0; t < box->steps; t++)
            for (uint p = 0; p < box->near; p++)
                TALLY_FN(bring_edges)(out + (box->to_far[far] + t * step + box->to_near[p]), box);
}

/*
 * The image to the output, in which the first element of the box is at out. Meanwhile the edges
 * come nearer of the box that is written after it, whose first element is at then; 0: there is none.
 */
static void TALLY_FN(flush)(__global TALLY_STORAGE *out, const TALLY_FN(box) * box,
                            tally_index step, const tally_stored *image, bool streams,
                            __global TALLY_STORAGE *then, const TALLY_FN(source) * next) {
    const uint row = box->direct ? box->pitch : box->near * box->run;
    const bool brings_edges = then != 0 && TALLY_FN(is_long)(box);
    TALLY_FN(ahead) ahead;
    TALLY_FN(look_ahead)(&ahead, box, next);
    for (uint far = 0; far < box->far; far++)
        for (uint t = 0; t < box->steps; t++, image += row) {
            const tally_index at = box->to_far[far] + t * step;
            for (uint p = 0; p < box->near; p++) {
                __global tally_stored *to = (__global tally_stored *)(out + (at + box->to_near[p]));
                const tally_stored *from = image + p * box->run;
                if (brings_edges)
                    TALLY_FN(bring_edges)(then + (at + box->to_near[p]), box);
                if (box->step != 1)
                    TALLY_FN(spread)(to, from, box->run, box->step, &ahead);
                else
                    TALLY_FN(put_piece)(to, from, box->run, streams, &ahead);
            }
        }
}
