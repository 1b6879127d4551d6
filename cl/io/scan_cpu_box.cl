/*
 * A box of a scan's problem on a CPU: some coordinates of each kept axis, which make its lines, by
 * some terms of each. Its elements go into a panel, a row for each term with the lines side by
 * side; from there results go to an image of the box in the order of the output, which leaves in
 * whole cache lines. Any strides will do; the kept axes come in the order of the output's memory.
 * Here it is laid out; scan_cpu_bring.cl and scan_cpu_send.cl move its elements. It knows nothing of
 * what is scanned.
 *
 * Of packed sets of a.columns columns a line is a set: its terms here are the elements of all of
 * its columns, one after the other, and the innermost kept axis has one coordinate.
 */
#define TALLY_PANEL (TALLY_SCAN_PANEL_BYTES / TALLY_BYTES)
#define TALLY_LINES TALLY_SCAN_PANEL_LINES
#define TALLY_ABREAST 2 /* vectors that are scanned side by side */
#define TALLY_DIRECT 64 /* lines at least whose results are an image as they are scanned */

/* How a box of these counts lies in memory, in the panel and in the image; from its start. */
typedef struct {
    uint count[TALLY_KEPT_RANK], terms; /* 0: of none */
    uint lines, pitch;
    tally_index unit;      /* how far apart elements of the input are that are side by side */
    tally_index reach;     /* from the first line's element of a term to the last one's */
    uint along;            /* lines side by side in the input */
    uint transpose;             /* lines inside of those in the panel: 1, or rows are transposed */
    uint run_in, starts;   /* then: elements of a run of the input, and runs; in the panel: */
    tally_index position[TALLY_LINES],
        start[TALLY_LINES]; /* each element in its run; where runs begin */
    uint packed;           /* lines that lie one after the other in the input, with all terms */
    uint inside;           /* lines inside of the terms in the image */
    bool direct;           /* the panel's rows are the image's */
    uint run;              /* elements of a piece of the image */
    tally_index step;      /* how far apart they go */
    uint near, steps, far; /* pieces inside of the terms, of them if they are apart, and outside */
    tally_index in[TALLY_LINES + TALLY_WIDTH]; /* of each line of the panel */
    tally_index to_near[TALLY_LINES], to_far[TALLY_LINES];
    uint span; /* elements that a piece of the input reaches over */
    uint axes; /* outside of it, the closest first */
    uint size[TALLY_KEPT_RANK + 1];
    tally_index stride[TALLY_KEPT_RANK + 1];
    uint lines_per_item; /* of memory, of the input for each of the output, about */
} TALLY_FN(box);

/* How far a box's terms are apart. */
static tally_index TALLY_FN(stride)(const tally_scan_cpu_panel_args *a, tally_u64 axis) {
    return a->columns > 1 ? 1 : TALLY_FN(size_of)(axis);
}

/* Each of count offsets n times, a stride apart. */
static uint TALLY_FN(repeat)(tally_index *offset, uint count, uint n, tally_index stride) {
    for (uint c = 1; c < n; c++)
        for (uint i = 0; i < count; i++)
            offset[c * count + i] = offset[i] + c * stride;
    return count * n;
}

/* The least step of an axis of the input. */
static tally_index TALLY_FN(unit_of)(const tally_scan_cpu_panel_args *a,
                                     const TALLY_FN(box) * box) {
    const tally_index terms = TALLY_FN(stride)(a, a->axis_in);
    tally_index unit = box->terms > 1 && terms != 0 ? min(terms, 0 - terms) : ~(tally_index)0;
    for (uint k = 0; k < TALLY_KEPT_RANK; k++)
        if (box->count[k] > 1 && a->kept_in[k] != 0)
            unit = min(unit, (tally_index)a->kept_in[k]);
    return unit;
}

/* Where the lines lie in the input. */
static void TALLY_FN(lay_lines)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    uint lines = 1;
    bool combined = false;
    box->in[0] = box->reach = 0;
    box->along = box->transpose = box->packed = 1;
    box->unit = TALLY_FN(unit_of)(a, box);
    for (uint k = TALLY_KEPT_RANK; k-- > 0;) {
        const uint n = box->count[k];
        const tally_index stride = (tally_index)a->kept_in[k];
        if (n == 1)
            continue;
        const bool starts = stride == box->unit && box->along == 1; /* another may repeat it */
        if (starts)
            box->transpose = lines;
        combined = starts || (combined && box->transpose == 1 && stride == box->along * box->unit);
        box->reach += (n - 1) * stride;
        box->along *= combined ? n : 1;
        if (box->packed == lines && stride == (tally_index)lines * box->terms)
            box->packed *= n;
        lines = TALLY_FN(repeat)(box->in, lines, n, stride);
    }
    for (uint i = 0; i < TALLY_WIDTH; i++)
        box->in[lines + i] = box->in[lines - 1];
    box->lines = lines;
    box->pitch = TALLY_PANEL_PITCH(lines, TALLY_WIDTH);
}

/*
 * Runs of the input that are transposed: axes that follow each other in memory, as long as the
 * lines inside of all of them in the panel, which are transposed together, fill a vector.
 */
static void TALLY_FN(lay_runs)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    uint inside[TALLY_KEPT_RANK], lines = 1;
    for (uint k = TALLY_KEPT_RANK; k-- > 0; lines *= box->count[k])
        inside[k] = lines;
    box->position[0] = box->start[0] = 0;
    box->run_in = box->starts = 1;
    for (uint k = TALLY_KEPT_RANK; k-- > 0;) {
        const bool follows = (tally_index)a->kept_in[k] == box->run_in * box->unit;
        const uint transpose = box->run_in == 1 ? inside[k] : min(box->transpose, inside[k]);
        if (box->count[k] == 1 || !follows || (box->run_in > 1 && transpose < TALLY_WIDTH))
            continue;
        box->run_in = TALLY_FN(repeat)(box->position, box->run_in, box->count[k], inside[k]);
        box->transpose = transpose;
        inside[k] = 0; /* taken */
        k = TALLY_KEPT_RANK;
    }
    for (uint k = TALLY_KEPT_RANK; k-- > 0;)
        if (box->count[k] > 1 && inside[k] >= box->transpose)
            box->starts = TALLY_FN(repeat)(box->start, box->starts, box->count[k], inside[k]);
}

/* Where the image's pieces lie in the output. */
static void TALLY_FN(lay_pieces)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    bool combined = true, passed = false;
    box->run = box->step = box->near = box->far = box->steps = 1;
    box->to_near[0] = box->to_far[0] = 0;
    for (uint j = 0; j <= TALLY_KEPT_RANK; j++) {
        const uint axis = a->panel_order >> 4 * j & 15;
        const bool is_terms = axis == TALLY_AXES;
        const uint n = is_terms ? box->terms : box->count[axis];
        const tally_index stride =
            is_terms ? TALLY_FN(stride)(a, a->axis_out) : (tally_index)a->kept_out[axis];
        if (n > 1 && combined && box->run == 1 && stride != 1) {
            box->step = stride;
            box->run = n;
            combined = false;
        } else if (n > 1) {
            combined = combined && stride == box->run && !(is_terms && box->direct);
            if (combined)
                box->run *= n;
            else if (is_terms)
                box->steps = n;
            else if (passed)
                box->far = TALLY_FN(repeat)(box->to_far, box->far, n, stride);
            else
                box->near = TALLY_FN(repeat)(box->to_near, box->near, n, stride);
        }
        passed = passed || is_terms;
    }
}

/*
 * The pieces of the input, which is brought nearer by the line: axes by their strides, of which
 * those belong to a piece that leave no cache line out.
 */
static void TALLY_FN(lay_ahead)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    uint pieces = 1;
    box->axes = 0;
    for (uint k = 0; k <= TALLY_KEPT_RANK; k++) {
        const bool is_terms = k == TALLY_KEPT_RANK;
        const uint n = is_terms ? box->terms : box->count[k];
        const tally_index stride =
            is_terms ? TALLY_FN(stride)(a, a->axis_in) : (tally_index)a->kept_in[k];
        uint at = box->axes;
        if (n == 1 || stride == 0)
            continue;
        for (; at > 0 && box->stride[at - 1] > stride; at--) {
            box->stride[at] = box->stride[at - 1];
            box->size[at] = box->size[at - 1];
        }
        box->stride[at] = stride;
        box->size[at] = n;
        box->axes++;
    }
    uint inner = 0;
    box->span = 1;
    for (; inner < box->axes && box->stride[inner] <= max(box->span,
                                                          (uint)TALLY_CACHE_LINE_ELEMENTS);
         inner++)
        box->span += (box->size[inner] - 1) * (uint)box->stride[inner];
    box->axes -= inner;
    for (uint k = 0; k < box->axes; k++) {
        box->stride[k] = box->stride[k + inner];
        box->size[k] = box->size[k + inner];
        pieces *= box->size[k];
    }
    const uint out = box->lines * box->terms / box->run *
                     ((box->run + TALLY_CACHE_LINE_ELEMENTS - 1) / TALLY_CACHE_LINE_ELEMENTS);
    box->lines_per_item = pieces * (box->span / TALLY_CACHE_LINE_ELEMENTS + 1) / max(out, 1u) + 1;
}

static void TALLY_FN(lay_out)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    TALLY_FN(lay_lines)(a, box);
    if (box->transpose > 1)
        TALLY_FN(lay_runs)(a, box);
    box->inside = 1;
    for (uint j = 0; (a->panel_order >> 4 * j & 15) != TALLY_AXES; j++)
        box->inside *= box->count[a->panel_order >> 4 * j & 15];
    box->direct = box->inside == box->lines && box->lines >= TALLY_DIRECT;
    TALLY_FN(lay_pieces)(a, box);
    TALLY_FN(lay_ahead)(a, box);
}
