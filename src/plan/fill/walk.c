/*
 * From a problem to a walk. Knows no device.
 */
#include "plan/fill/walk.h"

#include <string.h>

static int64_t held(int64_t x, int64_t least, int64_t most) {
    return x < least ? least : x > most ? most : x;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* ---- Axes ---------------------------------------------------------------------------------- */

static void move_axis(tally_walk *to, uint32_t position, const tally_walk *from, uint32_t k) {
    to->dims.size[position] = from->dims.size[k];
    to->dims.in[position] = from->dims.in[k];
    to->dims.out[position] = from->dims.out[k];
    to->diagonal[position] = from->diagonal[k];
}

/* By the output's strides, the largest first; axes of one position add nothing. */
static void sort_axes(tally_walk *walk) {
    const tally_walk all = *walk;
    uint32_t count = 0;
    for (uint32_t k = 0; k < all.dims.count; k++) {
        if (all.dims.size[k] == 1)
            continue;
        uint32_t position = count++;
        for (; position > 0 && walk->dims.out[position - 1] < all.dims.out[k]; position--)
            move_axis(walk, position, walk, position - 1);
        move_axis(walk, position, &all, k);
    }
    walk->dims.count = count;
}

/* Whether one stride steps over both axes, k and the one inside it, in everything. */
static bool is_one_axis(const tally_walk *walk, uint32_t k) {
    const uint64_t size = walk->dims.size[k + 1];
    return walk->dims.in[k] == walk->dims.in[k + 1] * size &&
           walk->dims.out[k] == walk->dims.out[k + 1] * size &&
           walk->diagonal[k] == walk->diagonal[k + 1] * size;
}

static void merge_axes(tally_walk *walk) {
    const tally_walk all = *walk;
    uint32_t count = 0;
    for (uint32_t k = 0; k < all.dims.count; k++) {
        if (k > 0 && is_one_axis(&all, k - 1)) {
            const uint64_t before = walk->dims.size[count - 1];
            move_axis(walk, count - 1, &all, k);
            walk->dims.size[count - 1] = before * all.dims.size[k];
        } else {
            move_axis(walk, count++, &all, k);
        }
    }
    walk->dims.count = count;
}

/* Where the band covers all or nothing, no diagonal is looked at. */
static void set_uniform(tally_walk *walk, bool in_place) {
    int64_t first = 0, last = 0;
    for (uint32_t k = 0; k < walk->dims.count; k++) {
        const int64_t span = (int64_t)(walk->diagonal[k] * (walk->dims.size[k] - 1));
        first += least(span, 0);
        last += greatest(span, 0);
    }
    const bool all = walk->low <= first && last < walk->high;
    const bool none = walk->low >= walk->high || last < walk->low || walk->high <= first;
    if (!all && !none)
        return;
    memset(walk->diagonal, 0, sizeof walk->diagonal);
    walk->low = 0;
    walk->high = all;
    walk->empty = in_place && all == walk->inverted;
    walk->reads = walk->reads && all == walk->inverted;
}

/* ---- In place ------------------------------------------------------------------------------ */

/* The rows and columns that the band meets. */
typedef struct window {
    int64_t top, bottom, left, right; /* bottom and right not among them */
    int64_t diagonals;                /* diagonals */
} window;

static window find_window(const tally_walk *walk, int64_t rows, int64_t columns) {
    window it = {greatest(0, 1 - walk->high), least(rows, columns - walk->low),
                 greatest(0, walk->low), least(columns, rows - 1 + walk->high),
                 walk->high - walk->low};
    it.bottom = greatest(it.top, it.bottom);
    it.right = greatest(it.left, it.right);
    return it;
}

/* The part of the matrix that has the band, from its first row and column on. */
static void cut_matrix(tally_walk *walk, const window *it) {
    const uint32_t y = walk->dims.count - 2, x = y + 1;
    walk->dims.size[y] = (uint64_t)(it->bottom - it->top);
    walk->dims.size[x] = (uint64_t)(it->right - it->left);
    walk->out_start =
        (uint64_t)it->top * walk->dims.out[y] + (uint64_t)it->left * walk->dims.out[x];
    walk->low -= it->left - it->top;
    walk->high -= it->left - it->top;
}

/*
 * Lines along the band: one axis is the matrix' outer one, or rather steps down the diagonal, the
 * other one goes over the band. What is looked at is no longer the diagonal but whether a position
 * is in the matrix.
 */
static void shear(tally_walk *walk, const window *it) {
    const uint32_t y = walk->dims.count - 2, x = y + 1;
    const uint64_t down = walk->dims.out[y], right = walk->dims.out[x];
    const bool by_rows = down >= right;
    const int64_t first = by_rows ? it->top : it->left; /* of the outer axis */
    const int64_t inner = by_rows ? first + walk->low : first + 1 - walk->high;
    const int64_t positions = (int64_t)walk->dims.size[by_rows ? x : y];
    walk->out_start =
        (uint64_t)first * (by_rows ? down : right) + (uint64_t)inner * (by_rows ? right : down);
    walk->dims.size[y] = (uint64_t)(by_rows ? it->bottom - it->top : it->right - it->left);
    walk->dims.size[x] = (uint64_t)it->diagonals;
    walk->dims.out[y] = down + right;
    walk->dims.out[x] = by_rows ? right : down;
    walk->diagonal[y] = walk->diagonal[x] = 1;
    walk->low = -inner;
    walk->high = positions - inner;
    walk->sheared = true;
}

/* Whether an axis lies within so many elements, which are moved together: none is left out. */
static bool is_near(const tally_walk *walk, uint32_t k, uint64_t near) {
    return walk->dims.size[k] * walk->dims.out[k] <= near;
}

static void set_window(tally_walk *walk, uint64_t near) {
    const uint32_t y = walk->dims.count - 2, x = y + 1;
    const int64_t rows = (int64_t)walk->dims.size[y], columns = (int64_t)walk->dims.size[x];
    window it = find_window(walk, rows, columns);
    const double outer =
        (double)(walk->dims.out[y] >= walk->dims.out[x] ? it.bottom - it.top : it.right - it.left);
    const double all = (double)(it.bottom - it.top) * (double)(it.right - it.left);
    walk->empty = it.bottom == it.top || it.right == it.left || it.diagonals <= 0;
    if (walk->empty)
        return;
    if (outer * (double)it.diagonals < all * 0.75 && !is_near(walk, y, near) &&
        !is_near(walk, x, near)) {
        shear(walk, &it);
        return;
    }
    if (is_near(walk, y, near))
        it.top = 0, it.bottom = rows;
    if (is_near(walk, x, near))
        it.left = 0, it.right = columns;
    cut_matrix(walk, &it);
}

tally_walk tally_fill_walk(const tally_problem *problem, bool in_place, uint64_t near) {
    const uint32_t y = problem->kept.count - 2, x = y + 1;
    const int64_t rows = (int64_t)problem->kept.size[y], columns = (int64_t)problem->kept.size[x];
    tally_walk walk = {.dims = problem->kept,
                       .low = held(problem->low, -rows, columns),
                       .high = held(problem->high, -rows, columns),
                       .inverted = problem->inverted,
                       .reads = problem->has_input && !in_place};
    walk.diagonal[y] = UINT64_MAX;
    walk.diagonal[x] = 1;
    if (in_place && !walk.inverted)
        set_window(&walk, near);
    if (!walk.empty)
        set_uniform(&walk, in_place);
    if (!walk.reads)
        memset(walk.dims.in, 0, sizeof walk.dims.in);
    sort_axes(&walk);
    merge_axes(&walk);
    return walk;
}
