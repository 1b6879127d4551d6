/*
 * Scans of any strides on a CPU by boxes of lines and terms; see
 * cl/agent/scan_cpu/scan_cpu_panel.cl. Which box is chosen bears on no bit: it should be read and
 * written in long pieces, and have lines enough for vectors.
 */
#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/scan/tuning.h"
#include "plan/tuning.h"

#define AXES (TALLY_MAX_RANK + 1)

/*
 * The kept axes and, as the last one, the terms: of a packed set of columns, the elements of all of
 * them, and no kept axis for these.
 */
typedef struct boxes {
    uint32_t count;
    uint64_t size[AXES], in[AXES], out[AXES], box[AXES];
    uint32_t by_in[AXES], by_out[AXES]; /* axes by stride, the least first; stride 0 is the last */
    uint64_t bytes, width;              /* of an element; elements of a vector */
    uint64_t columns;                   /* that the terms' axis has within; 1: none */
    uint64_t grains;                    /* units that there should be */
    uint64_t few;                       /* lines that a unit may have before there are */
} boxes;

static void sort(const uint64_t *stride, uint32_t count, uint32_t *order) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && stride[order[at - 1]] - 1 > stride[i] - 1; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static uint64_t lines_of(const boxes *it) {
    uint64_t lines = 1;
    for (uint32_t k = 0; k + 1 < it->count; k++)
        lines *= it->box[k];
    return lines;
}

static uint64_t units_of(const boxes *it) {
    uint64_t units = 1;
    for (uint32_t k = 0; k + 1 < it->count; k++)
        units *= tally_plan_parts(it->size[k], it->box[k]);
    return units;
}

static bool fits(const boxes *it) {
    uint64_t lines = lines_of(it), pitch = TALLY_PANEL_PITCH(lines, it->width);
    return (lines + 2 * it->width) * it->columns <= TALLY_SCAN_PANEL_LINES + 2 * it->width &&
           pitch * it->box[it->count - 1] * it->bytes <= TALLY_SCAN_PANEL_BYTES &&
           (lines <= it->few || units_of(it) >= it->grains);
}

/* Twice as much of an axis, or half as much again, if that fits; of the terms whole runs, or all.
 */
static bool grow(boxes *it, uint32_t axis) {
    const uint64_t was = it->box[axis], unit = axis + 1 < it->count ? 1 : TALLY_RUN * it->columns;
    const uint64_t larger[] = {2 * was, (was + was / 2) / unit * unit};
    for (int i = 0; i < 2 && was < it->size[axis]; i++) {
        it->box[axis] = tally_plan_least(larger[i], it->size[axis]);
        if (it->box[axis] > was && fits(it))
            return true;
    }
    it->box[axis] = was;
    return false;
}

/*
 * Elements of the box that follow each other, if each of the innermost axis is next to another;
 * *next: the axis that would make them more, or count.
 */
static uint64_t piece(const boxes *it, const uint64_t *stride, const uint32_t *order,
                      uint32_t *next) {
    uint64_t run = 1;
    *next = it->count;
    for (uint32_t i = 0; i < it->count; i++) {
        uint32_t axis = order[i];
        if (it->size[axis] == 1)
            continue;
        if (run > 1 && stride[axis] != run * stride[order[0]])
            break;
        run *= it->box[axis];
        if (it->box[axis] < it->size[axis]) {
            *next = axis;
            break;
        }
    }
    return run;
}

/* Both sides to pieces of so many bytes, if that fits. */
static void grow_pieces(boxes *it, uint64_t want) {
    for (bool grown = true; grown;) {
        uint32_t in_next, out_next;
        uint64_t in = piece(it, it->in, it->by_in, &in_next) * it->bytes;
        uint64_t out = piece(it, it->out, it->by_out, &out_next) * it->bytes;
        grown = false;
        if (out <= in && out < want && out_next < it->count)
            grown = grow(it, out_next);
        if (!grown && in < want && in_next < it->count)
            grown = grow(it, in_next);
        if (!grown && out < want && out_next < it->count)
            grown = grow(it, out_next);
    }
}

/*
 * Boxes along a kept axis become about as large as each other. Of the output's innermost axis long
 * ones have whole cache lines, if that fits: one that two boxes write is read from memory by both.
 */
static void even_out(boxes *it, uint32_t axis) {
    const uint64_t size = it->size[axis];
    const uint64_t even = tally_plan_parts(size, tally_plan_parts(size, it->box[axis]));
    const bool is_long = even * it->bytes >= 2 * TALLY_CPU_CACHE_LINE;
    const uint64_t line = it->out[axis] == 1 && is_long ? TALLY_CPU_CACHE_LINE / it->bytes : 1;
    const uint64_t tries[] = {tally_plan_parts(even, line) * line, even / line * line, even};
    for (uint32_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        it->box[axis] = tally_plan_least(tries[i], size);
        if (it->box[axis] > 0 && fits(it))
            return;
    }
    it->box[axis] = even; /* which fits: boxes have only become smaller */
}

/* Whether rows of lines that lie side by side in the output begin anywhere in a cache line. */
static bool is_ragged(const boxes *it) {
    uint64_t row = 1;
    bool within = true;
    for (uint32_t i = 0; i < it->count; i++) {
        const uint32_t axis = it->by_out[i];
        if (it->size[axis] == 1)
            continue;
        within = within && axis + 1 < it->count &&
                 (row == 1 || it->out[axis] == row * it->out[it->by_out[0]]);
        if (within)
            row *= it->size[axis];
        else if (it->out[axis] * it->bytes % TALLY_CPU_CACHE_LINE != 0)
            return true;
    }
    return false;
}

/* The box to pieces of a row of the output of so many bytes, if that fits. */
static void grow_row(boxes *it, uint64_t bytes) {
    uint32_t next;
    while (piece(it, it->out, it->by_out, &next) * it->bytes < bytes && next + 1 < it->count &&
           grow(it, next)) {
    }
}

/*
 * A row of the output of a cache line at most is not cut between boxes, whatever else they want,
 * nor one of a few lines if it begins anywhere in one: two cores that write one line at a time take
 * it from each other. Units for half of the cores at most are then cut into pieces of terms, of
 * which there must be enough; if there are units for more, but not for all, rows are cut.
 */
static void grow_short_row(boxes *it, uint64_t cores) {
    boxes kept = *it;
    kept.few = UINT64_MAX;
    grow_row(&kept, TALLY_SCAN_ROW);
    const uint64_t lines = lines_of(&kept), bytes = lines * it->size[it->count - 1] * it->bytes;
    kept.few = lines > it->few ? lines : it->few;
    const uint64_t units = units_of(&kept);
    const bool busy = units >= cores || 2 * units <= cores;
    if (is_ragged(it) && busy && bytes >= it->grains * TALLY_SCAN_PIECE_BYTES)
        *it = kept;
    else
        grow_row(it, TALLY_CPU_CACHE_LINE);
}

static void choose_box(boxes *it, uint64_t cores) {
    uint32_t terms = it->count - 1;
    for (uint32_t k = 0; k < terms; k++)
        it->box[k] = 1;
    it->box[terms] = tally_plan_least(it->size[terms], TALLY_RUN * it->columns);
    grow_short_row(it, cores);
    for (uint64_t want = 64; want <= TALLY_SCAN_PANEL_PIECE; want *= 2)
        grow_pieces(it, want);
    for (uint32_t i = 0; i < it->count; i++)
        while (it->by_in[i] != terms && lines_of(it) < 2 * it->width && grow(it, it->by_in[i])) {
        }
    grow_pieces(it, TALLY_SCAN_PANEL_BYTES);
    for (uint32_t i = 0; i < it->count; i++)
        while (grow(it, it->by_in[i])) {
        }
    for (uint32_t k = 0; k < terms; k++)
        even_out(it, k);
}

/* Kept axes as they lie in the panel, which is as in the output, and where the terms are there. */
static void set_axes(const boxes *it, tally_step *step) {
    uint32_t terms = it->count - 1, kept = terms + (it->columns > 1 ? 1 : 0), position[AXES] = {0};
    tally_dims dims = {.count = kept};
    tally_scan_cpu_panel_args *args = &step->args.scan_cpu_panel;
    uint32_t at = kept, rank = tally_plan_rank(kept), bits = 0;
    if (it->columns > 1) {
        at--;
        dims.size[at] = args->kept_box[rank - 1] = it->columns;
        dims.in[at] = dims.out[at] = 1;
        args->panel_order = rank - 1;
        bits = 4;
    }
    for (uint32_t i = 0; i < it->count; i++) {
        uint32_t axis = it->by_out[i];
        if (axis == terms)
            continue;
        at--;
        dims.size[at] = it->size[axis];
        dims.in[at] = it->in[axis];
        dims.out[at] = it->out[axis];
        position[axis] = at + rank - kept;
        args->kept_box[position[axis]] = it->box[axis];
    }
    for (uint32_t k = 0; k < rank - kept; k++)
        args->kept_box[k] = 1;
    step->spec.kept_rank = (uint8_t)rank;
    tally_plan_axes(&dims, step->spec.kept_rank, args->kept_size, args->kept_in, args->kept_out);
    for (uint32_t i = 0; i < it->count; i++, bits += 4)
        args->panel_order |=
            (uint64_t)(it->by_out[i] == terms ? TALLY_AXES : position[it->by_out[i]]) << bits;
    for (uint32_t k = 0; k < rank - kept; k++, bits += 4)
        args->panel_order |= (uint64_t)k << bits;
}

/*
 * Whether packed rows of so many columns are better taken as lines of a box than by strips: where a
 * strip would be mostly gaps in vectors, or at its end before it was worth its beginning.
 */
static bool is_set(const tally_problem *problem, uint64_t columns) {
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    const uint64_t width = 32 / type->compute_bytes;
    return type->compute_bytes < 8 && columns % width != 0 &&
           columns * type->compute_bytes <= TALLY_SCAN_SET_BYTES &&
           (2 * columns <= width ||
            tally_plan_parts(columns, width) * problem->terms <= TALLY_SCAN_SET_VECTORS);
}

/* Columns of packed sets that are lines of a box, and which kept axis they are, or none. */
uint64_t tally_plan_scan_set(const tally_problem *problem, uint32_t *axis) {
    const tally_dims *kept = &problem->kept, *swept = &problem->swept[0];
    for (*axis = 0; *axis < kept->count; *axis += 1) {
        uint64_t columns = kept->size[*axis];
        bool packed = kept->in[*axis] == 1 && kept->out[*axis] == 1 && swept->in[0] == columns &&
                      swept->out[0] == columns;
        if (packed && is_set(problem, columns) &&
            tally_dims_elements(kept) >= TALLY_SCAN_SETS * columns)
            return columns;
    }
    return 1;
}

static void set_boxes(const tally_problem *problem, boxes *it) {
    const tally_dims *kept = &problem->kept, *swept = &problem->swept[0];
    uint32_t inner;
    it->columns = tally_plan_scan_set(problem, &inner);
    for (uint32_t k = 0; k < kept->count; k++) {
        if (k == inner)
            continue;
        it->size[it->count] = kept->size[k];
        it->in[it->count] = kept->in[k];
        it->out[it->count++] = kept->out[k];
    }
    it->size[it->count] = problem->terms * it->columns;
    it->in[it->count] = it->columns > 1 ? 1 : swept->in[0];
    it->out[it->count++] = it->columns > 1 ? 1 : swept->out[0];
}

void tally_plan_scan_panel(const tally_problem *problem, const tally_limits *limits,
                           tally_plan *plan) {
    tally_step *step = &plan->step[0];
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    boxes it = {.bytes = type->bytes,
                .width = 32 / type->compute_bytes,
                .grains = (uint64_t)limits->units * TALLY_CPU_GRAINS};
    set_boxes(problem, &it);
    /* A cache line, which cores would share, or two vectors, which have as many bytes. */
    it.few = TALLY_CPU_CACHE_LINE / tally_plan_least(it.bytes, type->compute_bytes);
    /* Of few lines a unit for each core has longer pieces. */
    if (step->args.scan.rows * it.bytes < it.grains * TALLY_SCAN_PANEL_NARROW)
        it.grains = limits->units;
    sort(it.in, it.count, it.by_in);
    sort(it.out, it.count, it.by_out);
    choose_box(&it, limits->units);
    set_axes(&it, step);
    step->spec.schedule = TALLY_SCAN_CPU_PANEL;
    step->args.scan_cpu_panel.columns = it.columns;
    step->args.scan_cpu_panel.box_terms = it.box[it.count - 1] / it.columns;
    step->args.scan.head.units = units_of(&it);
    const uint64_t lines = lines_of(&it), bytes = lines * it.size[it.count - 1] * it.bytes;
    step->args.scan_cpu.grain = tally_plan_grain(limits, bytes, step);
    step->spec.policy.scan_cpu_pieces.carry = TALLY_CARRY_WALK;
    if (it.columns == 1)
        tally_plan_scan_cpu_cut(limits, bytes, lines, plan);
}
