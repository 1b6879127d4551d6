/*
 * A scan of any strides on a CPU, by boxes: some lines are walked from end to end, some terms of
 * all of them at a time, which go through private memory (scan_cpu_box.cl). A unit is a.kept_box
 * lines, fewer at the ends of axes; a work-item takes a.grain of them in one go, and of each line
 * a.box_terms terms at a time, whole runs where that is not all; of packed sets of columns, terms
 * of each. In place is right: a box is read before it is written, and no other one has its
 * elements.
 */

/* What is complete at each level, of all lines. */
typedef struct {
    tally_terms stretches[TALLY_LINES / TALLY_WIDTH + TALLY_ABREAST];
    tally_terms tiles[TALLY_LINES / TALLY_WIDTH + TALLY_ABREAST];
    tally_terms spans[TALLY_LINES / TALLY_WIDTH + TALLY_ABREAST];
    tally_terms runs[TALLY_LINES / TALLY_WIDTH + TALLY_ABREAST];
} TALLY_FN(levels);

/* A vector of the panel's elements. */
TALLY_INLINE tally_terms TALLY_FN(terms_of)(const tally_stored *panel) {
    return tally_map_all(tally_computes_of(TALLY_STAGED(panel)));
}

/* Those of a column of a box's lines. */
static uint TALLY_FN(vectors)(const TALLY_FN(box) * box) {
    const uint abreast = TALLY_ABREAST * TALLY_WIDTH;
    return (box->lines + abreast - 1) / abreast * TALLY_ABREAST;
}

#if TALLY_PHASE == TALLY_TOTALS
/*
 * The terms of a box, which are whole runs, the first of them the i-th: what tiles come to.
 * Meanwhile the next box comes nearer.
 */
static void TALLY_FN(skim_box)(const tally_stored *panel, const TALLY_FN(box) * box,
                               const TALLY_FN(piece) * piece, tally_index i,
                               const TALLY_FN(source) * next, TALLY_FN(levels) * levels) {
    TALLY_FN(ahead) ahead;
    TALLY_FN(look_ahead)(&ahead, box, next);
    for (uint t = 0; t < box->terms; t += TALLY_RUN, panel += TALLY_RUN * box->pitch)
        for (uint c = 0; c < box->lines; c += TALLY_WIDTH) {
            const uint v = c / TALLY_WIDTH;
            tally_terms run = tally_identity_all();
            for (uint k = 0; k < TALLY_RUN * TALLY_WIDTH; k += TALLY_CACHE_LINE_ELEMENTS)
                TALLY_FN(bring_line)(&ahead);
#pragma unroll
            for (uint k = 0; k < TALLY_RUN; k++)
                run = tally_combine_all_terms(run, TALLY_FN(terms_of)(panel + k * box->pitch + c));
            TALLY_FN(add_run)(piece, c, i + t + TALLY_RUN, run, &levels->runs[v],
                              &levels->spans[v]);
        }
}
#else
/* After the terms before the i-th. */
TALLY_INLINE void TALLY_FN(pass)(TALLY_FN(levels) * levels, uint v, tally_index i) {
    if (i % TALLY_SPAN != 0)
        return;
    levels->spans[v] = tally_combine_all_terms(levels->spans[v], levels->runs[v]);
    levels->runs[v] = tally_identity_all();
    if (i % TALLY_TILE != 0)
        return;
    levels->tiles[v] = tally_combine_all_terms(levels->tiles[v], levels->spans[v]);
    levels->spans[v] = tally_identity_all();
    if (i % TALLY_STRETCH != 0)
        return;
    levels->stretches[v] = tally_combine_all_terms(levels->stretches[v], levels->tiles[v]);
    levels->tiles[v] = tally_identity_all();
}

/*
 * The next terms, a run at most, of TALLY_ABREAST vectors of lines, the first of which is the i-th;
 * depth: how many levels besides the terms may have anything. Results go to the panel, or to the
 * image.
 */
TALLY_INLINE void TALLY_FN(scan_run)(tally_stored *panel, uint pitch, uint count, uint v,
                                     tally_index i, const uint depth, const bool direct,
                                     tally_stored *image, int row, TALLY_FN(levels) * levels) {
    tally_terms sum[TALLY_ABREAST], runs[TALLY_ABREAST], spans[TALLY_ABREAST];
    tally_terms tiles[TALLY_ABREAST], stretches[TALLY_ABREAST];
#pragma unroll
    for (uint s = 0; s < TALLY_ABREAST; s++) {
        sum[s] = tally_identity_all();
        if (depth > 1)
            TALLY_FN(pass)(levels, v + s, i);
        runs[s] = levels->runs[v + s];
        spans[s] = levels->spans[v + s];
        tiles[s] = levels->tiles[v + s];
        stretches[s] = levels->stretches[v + s];
#if TALLY_EXACT
        stretches[s] = tally_combine_all_terms(
            stretches[s], tally_combine_all_terms(tiles[s], tally_combine_all_terms(spans[s],
                                                                                    runs[s])));
#endif
    }
    for (uint k = 0; k < count; k++, panel += pitch, image += row)
#pragma unroll
        for (uint s = 0; s < TALLY_ABREAST; s++) {
            tally_stored *at = panel + s * TALLY_WIDTH;
            const tally_terms combined = tally_combine_all_terms(sum[s], TALLY_FN(terms_of)(at));
            tally_terms total = TALLY_EXCLUSIVE ? sum[s] : combined;
#if TALLY_EXACT
            total = depth > 0 ? tally_combine_all_terms(stretches[s], total) : total;
#else
            total = depth > 0 ? tally_combine_all_terms(runs[s], total) : total;
            total = depth > 1 ? tally_combine_all_terms(spans[s], total) : total;
            total = depth > 1 ? tally_combine_all_terms(tiles[s], total) : total;
            total = depth > 1 ? tally_combine_all_terms(stretches[s], total) : total;
#endif
            if (TALLY_EXCLUSIVE && i + k == 0)
                total = tally_map_all((tally_computes)(TALLY_EMPTY));
            TALLY_STAGE(TALLY_RESULTS(total), direct ? image + s * TALLY_WIDTH : at);
            sum[s] = combined;
        }
#pragma unroll
    for (uint s = 0; s < TALLY_ABREAST; s++)
        levels->runs[v + s] = tally_combine_all_terms(runs[s], sum[s]);
}

TALLY_INLINE void TALLY_FN(scan_depth)(tally_stored *panel, const TALLY_FN(box) * box, uint columns,
                                       tally_index i, bool back, const uint depth,
                                       const bool direct, tally_stored *image,
                                       TALLY_FN(levels) * levels) {
    const uint pitch = box->pitch, terms = box->terms / columns, vectors = TALLY_FN(vectors)(box);
    const int row = back ? 0 - (int)pitch : (int)pitch;
    image += back ? (box->terms - 1) * pitch : 0;
    for (uint t = 0; t < terms; t += TALLY_RUN)
        for (uint column = 0; column < columns; column++)
            for (uint c = 0; c < box->lines; c += TALLY_ABREAST * TALLY_WIDTH)
                TALLY_FN(scan_run)(panel + (t * columns + column) * pitch + c, columns * pitch,
                                   min((uint)TALLY_RUN, terms - t),
                                   column * vectors + c / TALLY_WIDTH, i + t, depth, direct,
                                   image + (int)t * row + c, row, levels);
}

static void TALLY_FN(scan_box)(tally_stored *panel, const TALLY_FN(box) * box, uint columns,
                               tally_index i, bool back, tally_stored *image,
                               TALLY_FN(levels) * levels) {
    const tally_index end = i + box->terms / columns;
#define TALLY_SCAN_TO(depth)                                                                       \
    if (box->direct)                                                                               \
        TALLY_FN(scan_depth)(panel, box, 1, i, back, depth, true, image, levels);                  \
    else                                                                                           \
        TALLY_FN(scan_depth)(panel, box, columns, i, back, depth, false, image, levels);
    if (end <= TALLY_RUN) {
        TALLY_SCAN_TO(0)
    } else if (end <= TALLY_SPAN) {
        TALLY_SCAN_TO(1)
    } else {
        TALLY_SCAN_TO(2)
    }
#undef TALLY_SCAN_TO
}
#endif

/* Where the unit's first term to visit lies, and of how many coordinates its lines are. */
static void TALLY_FN(find)(const tally_scan_cpu_panel_args *a, tally_index unit, tally_index *from,
                           tally_index *to, uint *count) {
    *from = (tally_index)a->start_in;
    *to = (tally_index)a->start_out;
    for (uint k = TALLY_KEPT_RANK; k-- > 0;) {
        const tally_index size = (tally_index)a->kept_size[k], most = (tally_index)a->kept_box[k];
        const tally_index boxes = (size + most - 1) / most, at = unit % boxes * most;
        count[k] = (uint)min(most, size - at);
        *from += at * (tally_index)a->kept_in[k];
        *to += at * (tally_index)a->kept_out[k];
        unit /= boxes;
    }
    if (a->columns > 1) {
        count[TALLY_KEPT_RANK - 1] = 1;
        *from += (a->axis_in >> 63) != 0 ? (tally_index)a->columns - 1 : 0;
    }
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_cpu_panel_args a TALLY_WORDS_PARAMETER) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index step_out = TALLY_FN(stride)(&a, a.axis_out);
    const uint columns = (uint)a.columns;
    const bool back = (a.axis_out >> 63) != 0;
    tally_stored panel[TALLY_PANEL + TALLY_WIDTH] __attribute__((aligned(TALLY_CACHE_LINE)));
    tally_stored image[TALLY_PANEL + TALLY_WIDTH];
    TALLY_FN(levels) levels;
    TALLY_FN(box) box;
    TALLY_FN(source)
    source = {(__global const tally_stored *)in + a.head.in_offset, 0,
              back ? 0 - TALLY_FN(stride)(&a, a.axis_in) : TALLY_FN(stride)(&a, a.axis_in),
              TALLY_REACH(a), back};
    for (uint k = 0; k < TALLY_KEPT_RANK; k++)
        box.count[k] = 0;
    box.terms = 0;
    out += a.head.out_offset;
    /* In place, the lines that are written are in the caches: they were just read. */
    const bool in_place = source.in == (__global const tally_stored *)out;
    const bool streams = TALLY_STREAMS(a) && !in_place;
    TALLY_FOR_UNITS(number, first, units, grain) {
        const TALLY_FN(piece) piece = TALLY_PIECE_OF(a, number);
        tally_index from, to, then, there;
        uint count[TALLY_KEPT_RANK];
        TALLY_FN(find)(&a, piece.unit + 1, &then, &there, count);
        TALLY_FN(find)(&a, piece.unit, &from, &to, count);
        for (uint k = 0; k < TALLY_KEPT_RANK; k++) {
            box.terms = box.count[k] == count[k] ? box.terms : 0;
            box.count[k] = count[k];
        }
        uint lines = 1;
        for (uint k = 0; k < TALLY_KEPT_RANK; k++)
            lines *= count[k];
        for (uint v = 0; v < (lines / TALLY_WIDTH + TALLY_ABREAST) * columns; v++)
            levels.stretches[v] = levels.tiles[v] = levels.spans[v] = levels.runs[v] =
                tally_identity_all();
#if TALLY_PHASE == TALLY_APPLY
        for (uint v = 0; v * TALLY_WIDTH < lines; v++)
            TALLY_FN(fold_tiles)(&piece, v * TALLY_WIDTH, &levels.stretches[v], &levels.tiles[v]);
#endif
        for (tally_index i = piece.begin; i < piece.end; i += (tally_index)a.box_terms) {
            const uint n = (uint)min((tally_index)a.box_terms, piece.end - i);
            if (box.terms != n * columns) {
                box.terms = n * columns;
                TALLY_FN(lay_out)(&a, &box);
            }
            source.from = from + i * (tally_index)a.axis_in;
            TALLY_FN(bring_box)(&source, &box, panel);
            source.from = i + n < piece.end ? source.from + box.terms * source.step : then;
#if TALLY_PHASE == TALLY_TOTALS
            TALLY_FN(skim_box)(panel, &box, &piece, i, &source, &levels);
#else
            const tally_index axis_out = (tally_index)a.axis_out;
            const tally_index left = min(piece.end - (i + n), (tally_index)a.box_terms);
            __global TALLY_STORAGE *begin = out + (to + (i + (back ? n - 1 : 0)) * axis_out);
            __global TALLY_STORAGE *behind =
                left > 0 ? out + (to + (i + n + (back ? left - 1 : 0)) * axis_out) : 0;
            if (i == piece.begin || !TALLY_FN(is_long)(&box))
                TALLY_FN(bring_box_edges)(begin, &box, step_out);
            TALLY_FN(scan_box)(panel, &box, columns, i, back, image, &levels);
            if (box.direct)
                ;
            else if (box.inside == 1 && box.terms > 1)
                TALLY_FN(send_lines)(&box, panel, back, image);
            else
                TALLY_FN(send_rows)(&box, panel, back, image);
            TALLY_FN(flush)(begin, &box, step_out, image, streams, behind, &source);
#endif
        }
    }
}
