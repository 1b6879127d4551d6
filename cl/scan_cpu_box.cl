/*
 * A box of a scan's problem on a CPU: some coordinates of each kept axis, which make its lines, by
 * some terms of each. It is brought into a panel, a row for each term with the lines side by side;
 * from there results go to an image of the box in the order of the output, which leaves in whole
 * lines of memory. Any strides will do; the kept axes come in the order of the output's memory. It
 * knows nothing of what is scanned. Nothing is read outside of the input, and of what is read
 * beside the box nothing is used.
 *
 * Of packed sets of a.columns columns a line is a set: its terms here are the elements of all of its
 * columns, one after the other, and the innermost kept axis has one coordinate.
 */
#define TALLY_PANEL (TALLY_SCAN_PANEL_BYTES * TALLY_WIDTH / 32)
#define TALLY_LINES TALLY_SCAN_PANEL_LINES
#define TALLY_ABREAST 2 /* vectors that are scanned side by side */
#define TALLY_DIRECT 64 /* lines at least whose results are an image as they are scanned */

#if TALLY_WIDTH == 8
#define TALLY_EACH_LANE(of) of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)
#else
#define TALLY_EACH_LANE(of) of(0), of(1), of(2), of(3)
#endif

/* How a box of these counts lies in memory, in the panel and in the image; from its start. */
typedef struct {
    uint count[TALLY_KEPT_RANK], terms; /* 0: of none */
    uint lines, pitch;
    uint along;            /* lines side by side in the input */
    uint turn;             /* how far apart those are in the panel */
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
    tally_index apart[TALLY_KEPT_RANK + 1];
    uint lines_each; /* of memory, of the input for each of the output, about */
} TALLY_FN(box);

/* How far a box's terms are apart. */
static tally_index TALLY_FN(apart)(const tally_scan_cpu_panel_args *a, tally_u64 axis) {
    return a->columns > 1 ? 1 : TALLY_FN(size_of)(axis);
}

/* Each of count offsets n times, a stride apart. */
static uint TALLY_FN(repeat)(tally_index *offset, uint count, uint n, tally_index stride) {
    for (uint c = 1; c < n; c++)
        for (uint i = 0; i < count; i++)
            offset[c * count + i] = offset[i] + c * stride;
    return count * n;
}

/* Where the lines lie in the input. */
static void TALLY_FN(lay_lines)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    uint lines = 1;
    bool joined = false;
    box->in[0] = 0;
    box->along = box->turn = 1;
    for (uint k = TALLY_KEPT_RANK; k-- > 0;) {
        const uint n = box->count[k];
        const tally_index stride = (tally_index)a->kept_in[k];
        if (n == 1)
            continue;
        const bool starts = stride == 1 && box->along == 1; /* another axis may repeat it */
        if (starts)
            box->turn = lines;
        joined = starts || (joined && box->turn == 1 && stride == box->along);
        box->along *= joined ? n : 1;
        lines = TALLY_FN(repeat)(box->in, lines, n, stride);
    }
    for (uint i = 0; i < TALLY_WIDTH; i++)
        box->in[lines + i] = box->in[lines - 1];
    box->lines = lines;
    box->pitch = TALLY_PANEL_PITCH(lines, TALLY_WIDTH);
}

/* Where the image's pieces lie in the output. */
static void TALLY_FN(lay_pieces)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    bool joined = true, passed = false;
    box->run = box->step = box->near = box->far = box->steps = 1;
    box->to_near[0] = box->to_far[0] = 0;
    for (uint j = 0; j <= TALLY_KEPT_RANK; j++) {
        const uint axis = a->panel_order >> 4 * j & 15;
        const bool is_terms = axis == TALLY_AXES;
        const uint n = is_terms ? box->terms : box->count[axis];
        const tally_index stride =
            is_terms ? TALLY_FN(apart)(a, a->axis_out) : (tally_index)a->kept_out[axis];
        if (n > 1 && joined && box->run == 1 && stride != 1) {
            box->step = stride;
            box->run = n;
            joined = false;
        } else if (n > 1) {
            joined = joined && stride == box->run && !(is_terms && box->direct);
            if (joined)
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
 * those belong to a piece that leave no line of memory out.
 */
static void TALLY_FN(lay_ahead)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    uint pieces = 1;
    box->axes = 0;
    for (uint k = 0; k <= TALLY_KEPT_RANK; k++) {
        const bool is_terms = k == TALLY_KEPT_RANK;
        const uint n = is_terms ? box->terms : box->count[k];
        const tally_index stride =
            is_terms ? TALLY_FN(apart)(a, a->axis_in) : (tally_index)a->kept_in[k];
        uint at = box->axes;
        if (n == 1 || stride == 0)
            continue;
        for (; at > 0 && box->apart[at - 1] > stride; at--) {
            box->apart[at] = box->apart[at - 1];
            box->size[at] = box->size[at - 1];
        }
        box->apart[at] = stride;
        box->size[at] = n;
        box->axes++;
    }
    uint inner = 0;
    box->span = 1;
    for (; inner < box->axes && box->apart[inner] <= max(box->span, (uint)TALLY_LINE_ELEMENTS);
         inner++)
        box->span += (box->size[inner] - 1) * (uint)box->apart[inner];
    box->axes -= inner;
    for (uint k = 0; k < box->axes; k++) {
        box->apart[k] = box->apart[k + inner];
        box->size[k] = box->size[k + inner];
        pieces *= box->size[k];
    }
    const uint out = box->lines * box->terms / box->run *
                     ((box->run + TALLY_LINE_ELEMENTS - 1) / TALLY_LINE_ELEMENTS);
    box->lines_each = pieces * (box->span / TALLY_LINE_ELEMENTS + 1) / max(out, 1u) + 1;
}

static void TALLY_FN(lay_out)(const tally_scan_cpu_panel_args *a, TALLY_FN(box) * box) {
    TALLY_FN(lay_lines)(a, box);
    box->inside = 1;
    for (uint j = 0; (a->panel_order >> 4 * j & 15) != TALLY_AXES; j++)
        box->inside *= box->count[a->panel_order >> 4 * j & 15];
    box->direct = box->inside == box->lines && box->lines >= TALLY_DIRECT;
    TALLY_FN(lay_pieces)(a, box);
    TALLY_FN(lay_ahead)(a, box);
}

/* Where a box's terms begin in memory, and from where on nothing may be read. */
typedef struct {
    __global const TALLY_STORAGE *in;
    tally_index from, step, high; /* from: of the first term to visit */
    bool back;
} TALLY_FN(source);

TALLY_INLINE tally_terms TALLY_FN(load)(const TALLY_FN(source) * source, tally_index at, uint n) {
    return tally_map_all(n >= TALLY_WIDTH || at + TALLY_WIDTH <= source->high
                             ? tally_load_all(source->in + at)
                             : tally_load_part(source->in + at, 0, n));
}

/* Lines that lie side by side, a row after the other. */
static void TALLY_FN(bring_rows)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                 tally_term *panel) {
    const uint n = box->along, pitch = box->pitch;
    const uint whole = n < TALLY_WIDTH ? n : n - TALLY_WIDTH; /* where the last vector begins */
    for (uint line = 0; line < box->lines; line += n) {
        tally_index at = source->from + box->in[line];
        tally_term *to = panel + line;
        if (n < TALLY_WIDTH)
            for (uint t = 0; t < box->terms; t++, at += source->step, to += pitch)
                TALLY_KEEP(TALLY_FN(load)(source, at, n), to);
        else
            for (uint t = 0; t < box->terms; t++, at += source->step, to += pitch) {
                __global const TALLY_STORAGE *row = source->in + at;
                for (uint c = 0; c < whole; c += TALLY_WIDTH)
                    TALLY_KEEP(tally_map_all(tally_load_all(row + c)), to + c);
                TALLY_KEEP(tally_map_all(tally_load_all(row + whole)), to + whole);
            }
    }
}

/*
 * A vector of rows of the input, n elements of each, which become columns of the panel: each
 * element's row is pitch from the one before. A vector of lines is written of each, which is to be
 * written over where there are fewer.
 */
TALLY_INLINE void TALLY_FN(turn)(const TALLY_FN(source) * source, const tally_index *row,
                                 uint n, tally_term *panel, int pitch) {
    for (uint u = 0; u < n; u += TALLY_WIDTH) {
        const uint at = n < TALLY_WIDTH ? 0 : min(u, n - TALLY_WIDTH);
        tally_term *to = panel + (int)at * pitch;
        tally_terms t[TALLY_WIDTH];
        if (n >= TALLY_WIDTH) {
#pragma unroll
            for (uint r = 0; r < TALLY_WIDTH; r++)
                t[r] = tally_map_all(tally_load_all(source->in + (row[r] + at)));
            tally_transpose(t);
#pragma unroll
            for (uint k = 0; k < TALLY_WIDTH; k++, to += pitch)
                TALLY_KEEP(t[k], to);
        } else {
#pragma unroll
            for (uint r = 0; r < TALLY_WIDTH; r++)
                t[r] = TALLY_FN(load)(source, row[r], n);
            tally_transpose(t);
#pragma unroll
            for (uint k = 0; k < TALLY_WIDTH; k++, to += pitch)
                if (k < n)
                    TALLY_KEEP(t[k], to);
        }
    }
}

/* Lines whose terms lie side by side. */
static void TALLY_FN(bring_lines)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                  tally_term *panel) {
    const uint n = box->terms;
    const tally_index low = source->from - (source->back ? n - 1 : 0);
    panel += source->back ? (n - 1) * box->pitch : 0;
    for (uint line = 0; line < box->lines; line += TALLY_WIDTH) {
        tally_index row[TALLY_WIDTH];
        for (uint r = 0; r < TALLY_WIDTH; r++)
            row[r] = low + box->in[line + r];
        TALLY_FN(turn)(source, row, n, panel + line, source->back ? 0 - (int)box->pitch
                                                                  : (int)box->pitch);
    }
}

/* Lines that lie side by side, but are apart in the panel, where others are between them. */
static void TALLY_FN(bring_turned)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                   tally_term *panel) {
    const uint turn = box->turn, set = turn * box->along;
    for (uint first = 0; first < box->lines; first += set)
        for (uint i = 0; i < turn; i += TALLY_WIDTH) {
            const uint line = first + (turn < TALLY_WIDTH ? 0 : min(i, turn - TALLY_WIDTH));
            tally_index row[TALLY_WIDTH];
            for (uint r = 0; r < TALLY_WIDTH; r++)
                row[r] = source->from + box->in[line + min(r, turn - 1)];
            for (uint t = 0; t < box->terms; t++) {
                TALLY_FN(turn)(source, row, box->along, panel + t * box->pitch + line, (int)turn);
                for (uint r = 0; r < TALLY_WIDTH; r++)
                    row[r] += source->step;
            }
        }
}

/* Elements one by one. */
static void TALLY_FN(bring_each)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                 tally_term *panel) {
    for (uint line = 0; line < box->lines; line += TALLY_WIDTH) {
        const tally_index *in = box->in + line;
        tally_index at = source->from;
        for (uint t = 0; t < box->terms; t++, at += source->step) {
#if TALLY_BYTES == 2 && TALLY_FLOATING && TALLY_HALVES
#define TALLY_OF_LANE(r) ((__global const ushort *)source->in)[at + in[r]]
            const ushort8 bits = (ushort8)(TALLY_EACH_LANE(TALLY_OF_LANE));
            const tally_computes x =
                __builtin_convertvector(__builtin_astype(bits, tally_elements), tally_computes);
#else
#define TALLY_OF_LANE(r) tally_load(source->in, at + in[r])
            const tally_computes x = (tally_computes)(TALLY_EACH_LANE(TALLY_OF_LANE));
#endif
#undef TALLY_OF_LANE
            TALLY_KEEP(tally_map_all(x), panel + t * box->pitch + line);
        }
    }
}

static void TALLY_FN(bring_box)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                tally_term *panel) {
    if (box->turn > 1)
        TALLY_FN(bring_turned)(source, box, panel);
    else if (box->along > 1)
        TALLY_FN(bring_rows)(source, box, panel);
    else if (source->step == 1 || source->step == (tally_index)0 - 1)
        TALLY_FN(bring_lines)(source, box, panel);
    else
        TALLY_FN(bring_each)(source, box, panel);
}
