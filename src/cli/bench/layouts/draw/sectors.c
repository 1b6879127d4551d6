/*
 * Sectors that a view touches, without walking over its elements. A piece is a set of bytes that
 * may begin anywhere in a sector, so it has a count for each of 32 phases; repeating a piece at a
 * pitch gives a larger one, as the phases of the repetitions take turns. Knows no problem.
 */
#include "cli/bench/layouts/draw/sectors.h"
#include "cli/tables/types.h"

/* Bytes from first to last, counted from the piece's start; some of those between are touched. */
typedef struct piece {
    bool empty;
    uint64_t first, last;
    uint64_t sectors[LAYOUTS_SECTOR]; /* by the start's position in its sector */
} piece;

static piece element_piece(uint32_t bytes) {
    piece element = {.last = bytes - 1};
    for (uint64_t phase = 0; phase < LAYOUTS_SECTOR; phase++)
        element.sectors[phase] = (phase + bytes - 1) / LAYOUTS_SECTOR + 1;
    return element;
}

/* Whether a piece that starts at a byte ends in the sector where one that follows begins. */
static bool shares(uint64_t start, const piece *before, uint64_t next, const piece *after) {
    return (start + before->last) / LAYOUTS_SECTOR == (next + after->first) / LAYOUTS_SECTOR;
}

/* Sectors of count pieces that do not overlap; start is the position of the first in its sector. */
static uint64_t count_run(const piece *each, uint64_t count, uint64_t pitch, uint64_t start) {
    uint64_t period = 1; /* of the phases, at most 32 */
    while (pitch * period % LAYOUTS_SECTOR != 0)
        period++;
    uint64_t sectors = 0;
    for (uint64_t i = 0; i < period && i < count; i++) {
        const uint64_t phase = (start + i * pitch) % LAYOUTS_SECTOR;
        const uint64_t rounds = (count - i - 1) / period + 1; /* of this phase */
        const uint64_t last = (count - 1) % period == i;      /* nothing follows the last piece */
        sectors += rounds * each->sectors[phase];
        if (shares(phase, each, phase + pitch, each))
            sectors -= rounds - last;
    }
    return sectors;
}

/* The piece count times, a pitch from one start to the next. */
static piece repeat(const piece *each, uint64_t count, uint64_t pitch) {
    piece all = {.empty = each->empty || count == 0};
    if (all.empty)
        return all;
    all.first = each->first;
    all.last = (count - 1) * pitch + each->last;
    for (uint64_t phase = 0; phase < LAYOUTS_SECTOR; phase++)
        all.sectors[phase] = count_run(each, count, pitch, phase);
    return all;
}

/* Two pieces as one; b starts later bytes after a, behind all of it. */
static piece combine(const piece *a, const piece *b, uint64_t later) {
    piece both = *a;
    if (b->empty)
        return both;
    both.empty = false;
    both.first = a->empty ? later + b->first : a->first;
    both.last = later + b->last;
    for (uint64_t phase = 0; phase < LAYOUTS_SECTOR; phase++) {
        both.sectors[phase] = b->sectors[(phase + later) % LAYOUTS_SECTOR];
        if (!a->empty)
            both.sectors[phase] += a->sectors[phase] - shares(phase, a, phase + later, b);
    }
    return both;
}

/* ---- Axes ---------------------------------------------------------------------------------- */

typedef enum axis_kind { BATCH, ROWS, COLUMNS } axis_kind;

typedef struct axis {
    axis_kind kind;
    uint64_t size, pitch; /* bytes */
} axis;

typedef struct axes {
    uint32_t count; /* those of several elements apart, of the smallest pitch first */
    axis of[TALLY_MAX_RANK];
    uint32_t element_bytes;
    bool nested;
    uint64_t elements, reach; /* distinct ones; bytes from the first to the last */
} axes;

static axis_kind kind_of(const layouts_view *view, uint32_t k) {
    const uint32_t rank = view->tensor->rank;
    if (view->part == LAYOUTS_WHOLE || k + 2 < rank)
        return BATCH;
    return k + 2 == rank ? ROWS : COLUMNS;
}

/* The axes in the order of their pitches. A matrix's own count even if they have one element. */
static axes sort_axes(const layouts_view *view) {
    axes sorted = {.element_bytes = cli_type_bytes(view->tensor->dtype), .nested = true};
    for (uint32_t k = 0; k < view->tensor->rank; k++) {
        const axis own = {kind_of(view, k), view->tensor->size[k],
                          view->tensor->stride[k] * sorted.element_bytes};
        if (own.kind == BATCH && (own.size == 1 || own.pitch == 0))
            continue;
        uint32_t placement = sorted.count++;
        for (; placement > 0 && sorted.of[placement - 1].pitch > own.pitch; placement--)
            sorted.of[placement] = sorted.of[placement - 1];
        sorted.of[placement] = own;
    }
    sorted.elements = 1;
    sorted.reach = sorted.element_bytes;
    for (uint32_t i = 0; i < sorted.count; i++) {
        const axis *own = &sorted.of[i];
        sorted.nested = sorted.nested && (own->size == 1 || own->pitch >= sorted.reach);
        sorted.elements *= own->size;
        sorted.reach += (own->size - 1) * own->pitch;
    }
    return sorted;
}

/* ---- Bands --------------------------------------------------------------------------------- */

/*
 * A matrix as lines: along the axis of the smaller pitch, one for each index of the other. What is
 * between the two is repeated in each line.
 */
typedef struct lines {
    const layouts_view *view;
    const axes *sorted;
    uint32_t inner, outer; /* positions in sorted */
    piece below;           /* what an element of the matrix stands for */
} lines;

static uint64_t clamp(int64_t value, uint64_t most) {
    return value <= 0 ? 0 : (uint64_t)value < most ? (uint64_t)value : most;
}

/* a + b, held within the range; the diagonals may be INT64_MIN and INT64_MAX. */
static int64_t add_held(int64_t a, int64_t b) {
    if (b > 0 && a > INT64_MAX - b)
        return INT64_MAX;
    return b < 0 && a < INT64_MIN - b ? INT64_MIN : a + b;
}

/* The indices of a line that are in the band: [from, until) of the inner axis. */
static void band_of_line(const lines *matrix, uint64_t index, uint64_t *from, uint64_t *until) {
    const layouts_view *view = matrix->view;
    const axis *inner = &matrix->sorted->of[matrix->inner];
    const int64_t at = (int64_t)index;
    int64_t low = add_held(view->low, at), high = add_held(view->high, at);
    if (inner->kind == ROWS) { /* low <= at - row < high */
        low = view->high == INT64_MIN ? INT64_MAX : add_held(at + 1, -view->high);
        high = view->low == INT64_MIN ? INT64_MAX : add_held(at + 1, -view->low);
    }
    *from = clamp(low, inner->size);
    *until = clamp(high, inner->size);
    if (*until < *from)
        *until = *from;
}

static piece line_piece(const lines *matrix, uint64_t index) {
    const axes *sorted = matrix->sorted;
    const axis *inner = &sorted->of[matrix->inner];
    uint64_t from, until;
    band_of_line(matrix, index, &from, &until);
    const bool inside = matrix->view->part == LAYOUTS_INSIDE;
    piece head = repeat(&matrix->below, inside ? 0 : from, inner->pitch);
    const uint64_t tail_from = inside ? from : until, tail_end = inside ? until : inner->size;
    piece tail = repeat(&matrix->below, tail_end - tail_from, inner->pitch);
    piece line = combine(&head, &tail, tail_from * inner->pitch);
    for (uint32_t i = matrix->inner + 1; i < matrix->outer; i++)
        line = repeat(&line, sorted->of[i].size, sorted->of[i].pitch);
    return line;
}

/* Neighbouring lines that a sample has, so that all phases of short lines are among them. */
#define WINDOW LAYOUTS_SECTOR
#define WINDOWS (LAYOUTS_LINES / WINDOW)

/* Lines that are added up, and what they come to. */
typedef struct tally_of_lines {
    piece all;
    piece before; /* the line before, if there was one that is not empty */
    uint64_t before_at;
} tally_of_lines;

static void add_line(tally_of_lines *sum, const piece *line, uint64_t at, bool counts) {
    if (line->empty)
        return;
    for (uint64_t phase = 0; phase < LAYOUTS_SECTOR && counts; phase++) {
        sum->all.sectors[phase] += line->sectors[(phase + at) % LAYOUTS_SECTOR];
        if (!sum->before.empty)
            sum->all.sectors[phase] -=
                shares(phase + sum->before_at, &sum->before, phase + at, line);
    }
    if (sum->all.empty)
        sum->all.first = at + line->first;
    sum->all.last = at + line->last;
    sum->all.empty = false;
    sum->before = *line;
    sum->before_at = at;
}

/* From a sample of LAYOUTS_LINES lines to all. */
static void scale(uint64_t *sectors, uint64_t all) {
    *sectors = *sectors / LAYOUTS_LINES * all + *sectors % LAYOUTS_LINES * all / LAYOUTS_LINES;
}

/* All lines of a matrix, or windows of them from one end to the other, which stand for all. */
static piece matrix_piece(const lines *matrix) {
    const axis *outer = &matrix->sorted->of[matrix->outer];
    const bool sampled = outer->size > LAYOUTS_LINES;
    const uint64_t windows = sampled ? WINDOWS : 1, length = sampled ? WINDOW : outer->size;
    tally_of_lines sum = {.all = {.empty = true}, .before = {.empty = true}};
    for (uint64_t w = 0; w < windows; w++) {
        const uint64_t start = sampled ? (outer->size - WINDOW) / (WINDOWS - 1) * w : 0;
        sum.before.empty = true;
        for (uint64_t k = start > 0 ? start - 1 : 0; k < start + length; k++) {
            const piece line = line_piece(matrix, k);
            add_line(&sum, &line, k * outer->pitch, k >= start);
        }
    }
    for (uint64_t phase = 0; phase < LAYOUTS_SECTOR && sampled; phase++)
        scale(&sum.all.sectors[phase], outer->size);
    return sum.all;
}

/* ---- Views --------------------------------------------------------------------------------- */

/* The piece of a band; *rest becomes the first axis outside the matrix. */
static piece band_piece(const layouts_view *view, const axes *sorted, uint32_t *rest) {
    lines matrix = {.view = view, .sorted = sorted, .outer = sorted->count};
    while (sorted->of[matrix.inner].kind == BATCH)
        matrix.inner++;
    while (sorted->of[matrix.outer - 1].kind == BATCH)
        matrix.outer--;
    matrix.outer--;
    matrix.below = element_piece(sorted->element_bytes);
    for (uint32_t i = 0; i < matrix.inner; i++)
        matrix.below = repeat(&matrix.below, sorted->of[i].size, sorted->of[i].pitch);
    *rest = matrix.outer + 1;
    return matrix_piece(&matrix);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint64_t layouts_sectors(const layouts_view *view) {
    const axes sorted = sort_axes(view);
    const uint64_t phase = view->offset * sorted.element_bytes % LAYOUTS_SECTOR;
    uint32_t rest = 0;
    if (!sorted.nested)
        return least(sorted.elements, (phase + sorted.reach - 1) / LAYOUTS_SECTOR + 1);
    piece all = view->part == LAYOUTS_WHOLE ? element_piece(sorted.element_bytes)
                                            : band_piece(view, &sorted, &rest);
    for (uint32_t i = rest; i < sorted.count; i++)
        all = repeat(&all, sorted.of[i].size, sorted.of[i].pitch);
    return all.empty ? 0 : all.sectors[phase];
}
