/*
 * A box of a fold's problem on a CPU (fold_cpu_panel.cl): where its outputs and terms lie, and how
 * its elements come into a panel in private memory. Knows nothing of how they are folded. Nothing
 * is read outside of the input.
 */

/* The columns of a box: where they lie in the input, the innermost axis by a step. */
typedef struct {
    uint present;      /* outputs */
    uint runs;         /* of columns that are a step apart */
    tally_index reach; /* elements behind a row's start that its vectors may touch */
    tally_index in[TALLY_PANEL_COLUMNS];
    ushort run[TALLY_PANEL_COLUMNS + 1]; /* where each begins */
} TALLY_FN(columns);

/* A box: where its outputs and terms lie, its panel, and its states so far. */
typedef struct {
    const TALLY_FN(columns) *now, *then; /* this one's and the next one's */
    uint columns;                        /* whole vectors, or 1 */
    uint vectors;                        /* of a row */
    uint lanes;                          /* rows of states */
    uint terms;                          /* of the block */
    uint near;                           /* terms from one to the nearest in memory */
    uint along;                          /* such terms of an axis, if they lie side by side, or 1 */
    bool by_rows;                        /* outputs lie nearer to each other than terms */
    uint ahead;                          /* rows from one to that which is brought nearer */
    tally_index at[TALLY_BLOCK];
    const tally_stored *rows;            /* of the panel, that are folded */
    tally_computes panel[TALLY_LINE_BYTES / 32]; /* elements as they are stored */
    tally_states state[TALLY_PANEL_STATES];
} TALLY_FN(box);

#define TALLY_CACHE_LINE_ELEMENTS (TALLY_CACHE_LINE / TALLY_BYTES)
#define TALLY_PANEL_AHEAD 32768 /* bytes */

/* The columns from that output on. */
static void TALLY_FN(find_columns)(const tally_fold_cpu_panel_args *a, tally_index output,
                                   TALLY_FN(columns) *set) {
    const tally_index step = (tally_index)a->kept_in[TALLY_KEPT_RANK - 1];
    set->present = (uint)min((tally_index)a->box_outputs, (tally_index)a->outputs - output);
    set->runs = 0;
    set->reach = 0;
    TALLY_FN(walk)(set->in, set->present, output, TALLY_KEPT_RANK, a->kept_size, a->kept_in);
    for (uint c = 0; c < set->present; c++) {
        if (c == 0 || set->in[c] != set->in[c - 1] + step)
            set->run[set->runs++] = (ushort)c;
        set->reach = max(set->reach, set->in[c] + step * TALLY_WIDTH);
    }
    set->run[set->runs] = (ushort)set->present;
}

/* Bring a row nearer that is read soon. */
static void TALLY_FN(ask_row)(__global const tally_stored *row, tally_index step,
                              const TALLY_FN(columns) *set) {
    const uint stride = (uint)max(TALLY_CACHE_LINE_ELEMENTS / max(step, (tally_index)1),
                                  (tally_index)1);
    for (uint s = 0; s < set->runs; s++)
        for (uint c = set->run[s]; c < set->run[s + 1]; c += stride)
            TALLY_PREFETCH(row + set->in[c]);
}

/* A row of the panel: a vector may go beyond its run, where the next one will be. */
static void TALLY_FN(bring_row)(__global const tally_stored *row,
                                __global const tally_stored *end, tally_index step,
                                tally_stored *to, uint columns, const TALLY_FN(columns) *set) {
    const bool whole = end - row >= (long)set->reach;
    for (uint s = 0; s < set->runs; s++) {
        const uint begin = set->run[s];
        TALLY_FN(bring_run)(row + set->in[begin], step, set->run[s + 1] - begin,
                            whole ? columns - begin : 0, to + begin);
    }
}

/* Rows that are read row by row. */
static void TALLY_FN(bring_rows)(__global const tally_stored *in, __global const tally_stored *end,
                                 tally_index step, uint first, uint count, TALLY_FN(box) *box) {
    tally_stored *panel = (tally_stored *)box->panel;
    for (uint i = 0; i < min(box->near, count); i++)
        for (uint r = i; r < count; r += box->near) {
            const uint soon = first + r + box->ahead;
            if (soon < box->terms)
                TALLY_FN(ask_row)(in + box->at[soon], step, box->now);
            else if (soon - box->terms < box->terms)
                TALLY_FN(ask_row)(in + box->at[soon - box->terms], step, box->then);
            TALLY_FN(bring_row)(in + box->at[first + r], end, step, panel + r * box->columns,
                                box->columns, box->now);
        }
}

/* A vector of columns, whose terms lie side by side in runs of box->along. */
static void TALLY_FN(bring_vector)(__global const tally_stored *in,
                                   __global const tally_stored *end, uint first, uint count,
                                   tally_index begin, uint c, TALLY_FN(box) *box) {
    tally_stored *panel = (tally_stored *)box->panel + c;
    const uint near = box->near, along = box->along, present = box->now->present;
    tally_index column[TALLY_WIDTH], reach = 0;
    for (uint k = 0; k < TALLY_WIDTH; k++) {
        column[k] = box->now->in[min(c + k, present - 1)];
        reach = max(reach, column[k] + TALLY_WIDTH);
    }
    for (uint i = 0; i < min(near, count); i++) {
        uint position = (uint)((begin + i) / near % along);
        for (uint r = i; r < count; position = 0) {
            const uint n = min(along - position, (count - r + near - 1) / near);
            __global const tally_stored *from = in + box->at[first + r];
            if (end - from >= (long)(reach + (n < TALLY_WIDTH ? 0 : n - TALLY_WIDTH)))
                TALLY_FN(bring_block)(from, column, TALLY_WIDTH, n, near * box->columns,
                                      panel + r * box->columns);
            else
                for (uint k = 0; k < min((uint)TALLY_WIDTH, present - c); k++)
                    for (uint u = 0; u < n; u++)
                        panel[(r + u * near) * box->columns + k] = from[column[k] + u];
            r += n * near;
        }
    }
}

/* Count terms of a column, those near apart are the nearest in memory. */
static void TALLY_FN(bring_column)(__global const tally_stored *in, const tally_index *at,
                                   uint count, uint near, uint columns, tally_stored *panel) {
    for (uint begin = 0; begin < min(near, count); begin++) {
        TALLY_ONE_BY_ONE
        for (uint r = begin; r < count; r += near)
            panel[r * columns] = in[at[r]];
    }
}

/* Count terms of all columns from the first-th on, which is the begin-th of its output. */
static void TALLY_FN(bring)(__global const tally_stored *in, __global const tally_stored *end,
                            tally_index step, uint first, uint count, tally_index begin,
                            TALLY_FN(box) *box) {
    tally_stored *panel = (tally_stored *)box->panel;
    if (box->by_rows) {
        TALLY_FN(bring_rows)(in, end, step, first, count, box);
    } else if (box->along > 1) {
        for (uint c = 0; c < box->now->present; c += TALLY_WIDTH)
            TALLY_FN(bring_vector)(in, end, first, count, begin, c, box);
    } else {
        for (uint c = 0; c < box->now->present; c++)
            TALLY_FN(bring_column)(in + box->now->in[c], box->at + first, count, box->near,
                                   box->columns, panel + c);
    }
}
