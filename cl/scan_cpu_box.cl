/*
 * A box of a scan's problem on a CPU: some coordinates of each kept axis, which make its lines, by
 * some terms of each. It is brought into a panel, a row for each term with the lines side by side;
 * from there results go to an image of the box in the order of the output, which leaves in whole
 * lines of memory. Any strides will do, but the input's fastest axis, or else the output's, should
 * be the innermost kept one. It knows nothing of what is scanned. Nothing is read outside of the
 * input, and of what is read beside the box nothing is used.
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
    uint inside;           /* lines inside of the terms in the image */
    uint side;             /* lines side by side in the panel and in the image */
    bool natural;          /* lines come in the image as in the panel */
    bool direct;           /* the panel's rows are the image's */
    uint run;              /* elements of a piece of the image */
    tally_index step;      /* how far apart they go */
    uint near, steps, far; /* pieces inside of the terms, of them if they are apart, and outside */
    tally_index in[TALLY_LINES + TALLY_WIDTH]; /* of each line of the panel */
    tally_index to_near[TALLY_LINES], to_far[TALLY_LINES];
    ushort line[TALLY_LINES + TALLY_WIDTH]; /* of the panel, in the order of the image */
} TALLY_FN(box);

static tally_index TALLY_FN(size_of)(tally_u64 stride) {
    const tally_index s = (tally_index)stride;
    return (stride >> 63) != 0 ? 0 - s : s;
}

/* Each of count offsets n times, a stride apart. */
static uint TALLY_FN(repeat)(tally_index *offset, uint count, uint n, tally_index stride) {
    for (uint c = 1; c < n; c++)
        for (uint i = 0; i < count; i++)
            offset[c * count + i] = offset[i] + c * stride;
    return count * n;
}

/* Where the lines lie in the input; place: how far apart an axis's lines are in the panel. */
static void TALLY_FN(lay_lines)(const tally_scan_args *a, TALLY_FN(box) * box, uint *place) {
    uint lines = 1;
    bool joined = true;
    box->in[0] = 0;
    box->along = 1;
    for (uint k = TALLY_KEPT_RANK; k-- > 0;) {
        const uint n = box->count[k];
        const tally_index stride = (tally_index)a->kept_in[k];
        place[k] = lines;
        if (n == 1)
            continue;
        joined = joined && stride == box->along;
        box->along *= joined ? n : 1;
        lines = TALLY_FN(repeat)(box->in, lines, n, stride);
    }
    for (uint i = 0; i < TALLY_WIDTH; i++)
        box->in[lines + i] = box->in[lines - 1];
    box->lines = lines;
    box->pitch = TALLY_PANEL_PITCH(lines, TALLY_WIDTH);
}

/* Where the image's pieces lie in the output. */
static void TALLY_FN(lay_pieces)(const tally_scan_args *a, TALLY_FN(box) * box) {
    bool joined = true, passed = false;
    box->run = box->step = box->near = box->far = box->steps = 1;
    box->to_near[0] = box->to_far[0] = 0;
    for (uint j = 0; j <= TALLY_KEPT_RANK; j++) {
        const uint axis = a->order >> 4 * j & 15;
        const bool is_terms = axis == TALLY_AXES;
        const uint n = is_terms ? box->terms : box->count[axis];
        const tally_index stride =
            is_terms ? TALLY_FN(size_of)(a->axis_out) : (tally_index)a->kept_out[axis];
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

/* In which order the lines come in the image. */
static void TALLY_FN(lay_image)(const tally_scan_args *a, TALLY_FN(box) * box, const uint *place) {
    uint lines = 1;
    bool joined = true, passed = false;
    box->line[0] = 0;
    box->natural = true;
    box->side = 1;
    box->inside = box->lines;
    for (uint j = 0; j <= TALLY_KEPT_RANK; j++) {
        const uint axis = a->order >> 4 * j & 15;
        const bool is_terms = axis == TALLY_AXES;
        const uint n = is_terms ? box->terms : box->count[axis];
        if (is_terms) {
            box->inside = lines;
            passed = true;
        } else if (n > 1) {
            box->natural = box->natural && place[axis] == lines;
            joined = joined && !passed && place[axis] == lines;
            box->side *= joined ? n : 1;
            for (uint c = 1; c < n; c++)
                for (uint i = 0; i < lines; i++)
                    box->line[c * lines + i] = (ushort)(box->line[i] + c * place[axis]);
            lines *= n;
        }
    }
    for (uint i = 0; i < TALLY_WIDTH; i++)
        box->line[lines + i] = box->line[lines - 1];
    box->direct = box->natural && box->inside == lines && lines >= TALLY_DIRECT;
}

static void TALLY_FN(lay_out)(const tally_scan_args *a, TALLY_FN(box) * box) {
    uint place[TALLY_KEPT_RANK];
    TALLY_FN(lay_lines)(a, box, place);
    TALLY_FN(lay_image)(a, box, place);
    TALLY_FN(lay_pieces)(a, box);
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

/* Lines whose terms lie side by side, by vectors that are turned. */
static void TALLY_FN(bring_lines)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                  tally_term *panel) {
    const uint n = box->terms;
    const int pitch = source->back ? 0 - (int)box->pitch : (int)box->pitch;
    const tally_index low = source->from - (source->back ? n - 1 : 0);
    tally_term *first = panel + (source->back ? (n - 1) * box->pitch : 0);
    for (uint line = 0; line < box->lines; line += TALLY_WIDTH) {
        const tally_index *in = box->in + line;
        for (uint u = 0; u < n; u += TALLY_WIDTH) {
            const uint at = n < TALLY_WIDTH ? 0 : min(u, n - TALLY_WIDTH);
            tally_term *to = first + line + (int)at * pitch;
            tally_terms t[TALLY_WIDTH];
            if (n >= TALLY_WIDTH) {
#pragma unroll
                for (uint r = 0; r < TALLY_WIDTH; r++)
                    t[r] = tally_map_all(tally_load_all(source->in + (low + in[r] + at)));
                tally_transpose(t);
#pragma unroll
                for (uint k = 0; k < TALLY_WIDTH; k++)
                    TALLY_KEEP(t[k], to + (int)k * pitch);
            } else {
#pragma unroll
                for (uint r = 0; r < TALLY_WIDTH; r++)
                    t[r] = TALLY_FN(load)(source, low + in[r], n);
                tally_transpose(t);
#pragma unroll
                for (uint k = 0; k < TALLY_WIDTH; k++)
                    if (k < n)
                        TALLY_KEEP(t[k], to + (int)k * pitch);
            }
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
    if (box->along > 1)
        TALLY_FN(bring_rows)(source, box, panel);
    else if (source->step == 1 || source->step == (tally_index)0 - 1)
        TALLY_FN(bring_lines)(source, box, panel);
    else
        TALLY_FN(bring_each)(source, box, panel);
}
