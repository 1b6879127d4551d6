/*
 * The scan of a box, and the kernels that go from box to box. One launch goes down the lines of a
 * unit. Few long lines are cut into pieces, in one launch that looks back, in two or in three.
 */
/* Where a unit's lines begin in either memory, how many they are, and bits as a box's last. */
typedef struct {
    tally_index from, to;
    uint lines, lines_magic, ends;
} TALLY_FN(found);

#if TALLY_PHASE != TALLY_SPINE
TALLY_STAGED_KERNEL {
    __local tally_stored image[TALLY_IMAGE] __attribute__((aligned(16)));
    __local tally_term totals[TALLY_TOTALS_ROOM]; /* of runs, those of a line apart */
    __local TALLY_FN(levels) carry[TALLY_LINES];
    __local TALLY_FN(found) found;
#if TALLY_IN_REGISTERS
    tally_stored x[TALLY_RUNS_PER_ITEM][TALLY_RUN_TERMS];
#endif
    const uint item = get_local_id(0);
    const tally_index terms = (tally_index)a.terms, box_terms = (tally_index)a.box_size[0];
    const tally_index units = (tally_index)a.head.units;
#if TALLY_IN_REGISTERS
    TALLY_VIEW(in, a.head.in_offset);
    TALLY_VIEW(out, a.head.out_offset);
#else /* addresses that are made early would take the registers of other groups */
    in += a.head.in_offset;
    out += a.head.out_offset;
#endif
    const uint read_skew = TALLY_SKEW(in, TALLY_READ_PACK);
    const uint write_skew = TALLY_SKEW(out, TALLY_WRITE_PACK);
#if TALLY_CARRY == TALLY_CARRY_TWO_PASSES
    const tally_index boxes = (tally_index)a.all_boxes;
    const tally_index piece =
        TALLY_UNIT_IS_TILE ? TALLY_TILE : max(box_terms, (tally_index)TALLY_SPAN);
    const tally_index all = boxes * (tally_index)a.box_lines; /* words of a row of them */
#endif
#if TALLY_CARRY != TALLY_CARRY_WALK
    words += a.words;
#endif
#if TALLY_LOOKS_BACK /* in a second round the closing group has what is left */
    __local TALLY_FN(before) own;
#pragma unroll 1
    for (uint round = 0;
         round == 0 || (round == 1 && TALLY_FN(has_left)(words, (uint)units, &own.past)); round++)
#pragma unroll 1
    for (uint first = 0; first < (uint)units; first += round > 0 ? 1 : (uint)get_num_groups(0))
#else
    for (tally_index unit = get_group_id(0); unit < units; unit += get_num_groups(0))
#endif
    {
#if TALLY_CARRY == TALLY_CARRY_WALK
        const tally_index at_box = unit, start = 0, end = terms;
#elif TALLY_LOOKS_BACK
        if (item == 0)
            TALLY_FN(take_box)(words, first, round > 0, &a, &own.past);
        barrier(CLK_LOCAL_MEM_FENCE);
        const tally_index at_box = TALLY_FN(chain_of)(&a, &own.past);
        const tally_index start = TALLY_FN(start_of)(&a, &own.past);
        const tally_index end = start + own.past.terms;
#else
        /* What TOTALS read last some cache may still have. */
        const tally_index job = TALLY_PHASE == TALLY_TOTALS ? unit : units - 1 - unit;
        const tally_index at_box = job % boxes, at_piece = job / boxes;
        const tally_index start = at_piece * piece, end = min(terms, start + piece);
#endif
        /* One work-item divides for all of them. */
        if (item == 0) {
            tally_index index = at_box;
            uint ends = 0, lines = 1;
#pragma unroll
            for (uint k = 1; k < TALLY_BOX_RANK; k++) {
                const tally_index boxes_along = (tally_index)a.kept_size[TALLY_KEPT_RANK - k];
                const tally_index over = index / boxes_along;
                const bool last = index - over * boxes_along == boxes_along - 1;
                index = over;
                ends |= last ? 1u << k : 0;
                lines *= (uint)(last ? a.last_size[k] : a.box_size[k]);
            }
            found.from = TALLY_START_IN(a, at_box);
            found.to = TALLY_START_OUT(a, at_box);
            found.ends = ends;
            found.lines = lines;
            found.lines_magic = TALLY_MAGIC(lines);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(box) box;
        tally_index stride_in[TALLY_BOX_AXES], stride_out[TALLY_BOX_AXES];
        const tally_index from = found.from, to = found.to;
        const uint ends = found.ends, lines = found.lines, lines_magic = found.lines_magic;
#pragma unroll
        for (uint k = 1; k < TALLY_BOX_RANK; k++) {
            const bool last = (ends >> k & 1) != 0;
            box.size[k] = (uint)(last ? a.last_size[k] : a.box_size[k]);
            box.magic[k] = (uint)(last ? a.last_magic[k] : a.box_magic[k]);
            box.local_step[k] = (uint)a.box_local[k];
            stride_in[k] = (tally_index)a.box_in[k];
            stride_out[k] = (tally_index)a.box_out[k];
        }
#pragma unroll
        for (uint k = 0, step = 1; k < TALLY_BOX_RANK; k++) {
            const uint axis = TALLY_AXIS(TALLY_READ_ORDER, k);
            box.line_step[axis] = axis == 0 ? 0 : step;
            step *= axis == 0 ? 1 : box.size[axis];
        }
        stride_in[0] = (tally_index)a.axis_in;
        stride_out[0] = (tally_index)a.axis_out;
        box.local_step[0] = (uint)a.box_local[0];
#if TALLY_CARRY == TALLY_CARRY_WALK
        if (end > box_terms)
            for (uint line = item; line < lines; line += TALLY_GROUP) {
                carry[line].stretches = carry[line].tiles = TALLY_IDENTITY;
                carry[line].spans = carry[line].runs = TALLY_IDENTITY;
            }
#elif TALLY_PHASE == TALLY_FOLLOW
        TALLY_FN(follow)(words + at_box * (tally_index)a.box_lines, all, lines, start, totals,
                         carry);
#elif !TALLY_LOOKS_BACK
        for (uint line = item; line < lines; line += TALLY_GROUP)
            carry[line] = TALLY_FN(look_up)(words + at_box * (tally_index)a.box_lines + line,
                                            (tally_index)a.stretches, all, start);
#endif
        for (tally_index begin = start; begin < end; begin += box_terms) {
            const bool last = end - begin <= box_terms, cut = terms - begin <= box_terms;
            box.size[0] = (uint)(cut ? a.last_size[0] : a.box_size[0]);
            box.magic[0] = (uint)(cut ? a.last_magic[0] : a.box_magic[0]);
            box.size[0] = TALLY_RUN_TERMS < TALLY_RUN ? TALLY_RUN_TERMS : box.size[0];
            box.last = ends | (cut ? 1 : 0);
            const uint runs = (box.size[0] + TALLY_RUN - 1) / TALLY_RUN;
            /* Runs of a line whose totals others need. */
            const uint known =
                TALLY_PHASE == TALLY_TOTALS || TALLY_LOOKS_BACK || !last ? runs : runs - 1;
            /* Neighbours have runs of neighbouring lines; of few lines, neighbouring runs. */
            const uint inner = TALLY_SKEWED ? runs : lines;
            const uint inner_magic = TALLY_SKEWED ? TALLY_MAGIC(runs) : lines_magic;
            const uint stride = TALLY_SKEWED ? 1 : lines, line_stride = TALLY_SKEWED ? runs : 1;
            box.positions = TALLY_SKEWED ? runs * TALLY_RUN : box.size[0];
            const tally_index read_from = from + begin * stride_in[0];
            const tally_index write_from = to + begin * stride_out[0];
            const uint read_lead =
                TALLY_LEAD(read_skew, read_from, stride_in[0], box.size[0], TALLY_READ_PACK);
            const uint write_lead =
                TALLY_LEAD(write_skew, write_from, stride_out[0], box.size[0], TALLY_WRITE_PACK);
            box.lead = TALLY_WHOLE_WRITES ? write_lead : TALLY_WHOLE_READS ? read_lead : 0;
#if TALLY_DIRECT_LOADS
            const uint asked = lines * known;
#if TALLY_IN_REGISTERS
            TALLY_FN(load_some)((__global const tally_stored *)in, read_from, &box, stride_in,
                                lines, lines_magic, item, lines * runs, asked, x, image, totals);
#else
            for (uint task = item; task < lines * runs; task += TALLY_BRINGS * TALLY_GROUP) {
                tally_stored x[TALLY_BRINGS][TALLY_RUN_TERMS];
                TALLY_FN(load_some)((__global const tally_stored *)in, read_from, &box, stride_in,
                                    lines, lines_magic, task, lines * runs, asked, x, image,
                                    totals);
            }
#endif
            barrier(CLK_LOCAL_MEM_FENCE);
#else
            TALLY_FN(way) way_in =
                TALLY_FN(find_way)(&box, TALLY_READ_ORDER, TALLY_READ_AXES, TALLY_READ_PACK,
                                   stride_in, read_from, read_skew, TALLY_MAGICS(a.read_packs),
                                   TALLY_MAGICS(a.read_around));
            way_in.whole = TALLY_WHOLE_READS != 0 && read_lead == box.lead;
            TALLY_FN(fill)(in, read_skew, &way_in, image);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (known > 0) {
                for (uint task = item; task < lines * runs; task += TALLY_GROUP) {
                    const uint over = TALLY_DIVIDE(task, inner_magic), within = task - over * inner;
                    const uint run = TALLY_SKEWED ? within : over;
                    const TALLY_FN(line_position) line =
                        TALLY_FN(find_line)(&box, TALLY_READ_ORDER, stride_in,
                                            TALLY_SKEWED ? over : within);
                    totals[task] = TALLY_FN(fold_run)(
                        image + TALLY_FN(position_of)(&box, line.position, run), box.local_step[0],
                        min((uint)TALLY_RUN_TERMS, box.size[0] - run * TALLY_RUN));
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
#endif
#if !TALLY_PUBLISHES_SPANS
            /* Totals become what a span comes to with each run, and its runs in boxes before. */
            if (TALLY_ORDER_LEVELS > 1 && known > 0) {
                const uint all_spans = (known + TALLY_RUN - 1) / TALLY_RUN;
                for (uint k = item; k < lines * all_spans; k += TALLY_GROUP) {
                    const uint at_span = TALLY_DIVIDE(k, lines_magic), line = k - at_span * lines;
                    tally_term sum = TALLY_IDENTITY;
                    if (begin > start)
                        sum = carry[line].runs; /* nothing, where the box has several spans */
                    TALLY_FN(scan_totals)(
                        sum, totals + line * line_stride + at_span * TALLY_RUN * stride,
                        min((uint)TALLY_RUN, known - at_span * TALLY_RUN), stride);
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
#endif
#if TALLY_LOOKS_BACK
            TALLY_FN(total_spans)(totals, lines, runs, line_stride, stride, own.spans);
            TALLY_FN(look_before)(words, &a, round > 0, lines, &own, carry);
#endif
#if TALLY_PHASE != TALLY_TOTALS
            const uint put = TALLY_IS_LEFT ? 0 : lines * runs;
#pragma unroll TALLY_PUTS
            for (uint r = 0; r < TALLY_RUNS_PER_ITEM; r++) {
                const uint task = item + r * TALLY_GROUP;
                if (task >= put)
                    continue;
                const uint over = TALLY_DIVIDE(task, inner_magic), within = task - over * inner;
                const uint run = TALLY_SKEWED ? within : over;
                const TALLY_FN(line_position) at =
                    TALLY_FN(find_line)(&box, TALLY_LINE_ORDER, stride_out,
                                        TALLY_SKEWED ? over : within);
                const uint line = TALLY_DIRECT_STORES ? at.number : TALLY_SKEWED ? over : within;
                const uint span = run / TALLY_RUN;
                TALLY_FN(levels)
                before = {TALLY_IDENTITY, TALLY_IDENTITY, TALLY_IDENTITY, TALLY_IDENTITY};
                if (begin > 0)
                    before = carry[line];
#if TALLY_ORDER_LEVELS > 1
                if (run % TALLY_RUN > 0)
                    before.runs = totals[line * line_stride + (run - 1) * stride];
#pragma unroll 1
                for (uint k = 1; k <= span; k++)
                    before.spans = tally_combine_terms(
                        before.spans, totals[line * line_stride + (k * TALLY_RUN - 1) * stride]);
#endif
#if TALLY_ORDER_LEVELS == 2 /* combining is exact, or the others have nothing */
                before.runs =
                    TALLY_JOIN4(before.stretches, before.tiles, before.spans, before.runs);
#endif
                __local tally_stored *kept = image + TALLY_FN(position_of)(&box, at.position, run);
#if TALLY_IN_REGISTERS
                const tally_stored *held = x[r];
#else
                __local const tally_stored *held = kept;
#endif
                TALLY_FN(put_run)(held, box.local_step[0], kept, (__global tally_stored *)out,
                                  write_from + at.at + run * TALLY_RUN * stride_out[0],
                                  stride_out[0],
                                  min((uint)TALLY_RUN_TERMS, box.size[0] - run * TALLY_RUN),
                                  &before, begin == 0 && run == 0);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if TALLY_PUBLISHES_SPANS
            const tally_index done = begin + box.size[0];
            TALLY_FN(publish_spans)(words + at_box * (tally_index)a.box_lines +
                                     begin / TALLY_SPAN * all,
                                 all, lines, (uint)a.box_lines, runs,
                                 done % TALLY_SPAN == 0 || done == terms, begin % TALLY_SPAN == 0,
                                 begin / TALLY_SPAN % TALLY_RUN == 0, totals, line_stride, stride,
                                 carry);
#else
            if (TALLY_PHASE == TALLY_TOTALS || !last)
                for (uint line = item; line < lines; line += TALLY_GROUP) {
                    TALLY_FN(levels) at = carry[line];
                    for (uint run = 0; run < runs; run += TALLY_RUN) {
                        const uint some = min((uint)TALLY_RUN, runs - run);
                        const tally_index done = begin + (run + some) * TALLY_RUN;
                        at.runs = totals[line * line_stride + (run + some - 1) * stride];
                        if (done % TALLY_SPAN == 0)
                            TALLY_FN(end_span)(&at, done);
                    }
                    carry[line] = at;
                }
#endif
#if TALLY_LEAVES_BY_IMAGE
            TALLY_FN(way) way_out =
                TALLY_FN(find_way)(&box, TALLY_WRITE_ORDER, TALLY_WRITE_AXES, TALLY_WRITE_PACK,
                                   stride_out, write_from, write_skew, TALLY_MAGICS(a.write_packs),
                                   TALLY_MAGICS(a.write_around));
            way_out.whole = TALLY_WHOLE_WRITES != 0;
            way_out.segments = TALLY_IS_LEFT ? 0 : way_out.segments;
#if TALLY_WRITE_PACK > 1
            TALLY_FN(drain_packs)(out, write_skew, &way_out, image);
#endif
            TALLY_FN(drain_around)(out, write_skew, &way_out, image);
#endif
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next box overwrites what was just read */
        }
#if TALLY_PHASE == TALLY_TOTALS && TALLY_UNIT_IS_TILE
        /* Of a whole tile one level has something; of the last one nobody asks. */
        for (uint line = item; line < (uint)a.box_lines; line += TALLY_GROUP)
            words[at_box * (tally_index)a.box_lines + line + at_piece * TALLY_TILE_WORDS * all] =
                line >= lines ? TALLY_IDENTITY
                : TALLY_TILE_TOTALS
                    ? carry[line].spans
                    : tally_combine_terms(carry[line].stretches, carry[line].tiles);
#endif
#if TALLY_LOOKS_BACK
        if (round == 0 && item == 0)
            TALLY_FN(count_unit)(words, &own.past);
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
}
#endif
