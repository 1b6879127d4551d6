/*
 * A diagonal fill on GPUs whose input lies in another order than the output. A unit is a box: its
 * read positions are those of the input's innermost axes, its write positions those of the
 * output's; see box_positions.cl. A box goes through local memory: bytes by squares
 * (fill_squares.cl) where both kinds of positions lie side by side, others element by element
 * (fill_elements.cl). A box that the band covers is not read, and one that lies in the band or
 * beside it is not looked up. Of what is read fill_map.cl makes the result.
 *
 * Behind the image are the tables of what the positions add to the offsets and to the diagonal, the
 * reads' first.
 */

/* Entries of a table for so many positions of one side. */
#define TALLY_TABLE_SIDE(n)                                                                        \
    (((n) + TALLY_FILL_TABLE_SIDE - 1) / TALLY_FILL_TABLE_SIDE * TALLY_FILL_TABLE_SIDE)

/* What the diagonals and elements of a box reach from its origin's; and where the input ends. */
#define TALLY_REACH(k)                                                                             \
    {                                                                                              \
        const tally_index steps = (tally_index)(a.box.read_box[k] * a.box.write_box[k] - 1);       \
        const tally_signed span = (tally_signed)(steps * (tally_index)a.diagonal[k]);              \
        least += min(span, (tally_signed)0);                                                       \
        most += max(span, (tally_signed)0);                                                        \
        end += ((tally_index)a.kept_size[k] - 1) * (tally_index)a.kept_in[k];                      \
        reach += steps * (tally_index)a.kept_in[k];                                                \
    }

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const tally_stored *in, __global tally_stored *out,
             const tally_fill_box_args a) {
    __local ulong space[TALLY_BOX_BYTES / sizeof(ulong)] __attribute__((aligned(16)));
    const uint lid = (uint)get_local_id(0);
    const tally_index width = (tally_index)(a.high - a.low);
    const bool inverted = a.inverted != 0;
    const uint read_entries = TALLY_TABLE_SIDE((uint)a.box.reads);
    const uint entries = read_entries + TALLY_TABLE_SIDE((uint)a.box.writes);
    const uint rows = ((uint)a.box.reads + TALLY_SQUARE - 1) / TALLY_SQUARE * TALLY_SQUARE;
    const uint image_bytes = rows * (uint)a.box.local_pitch * (TALLY_SQUARE > 1 ? 4 : TALLY_BYTES);
    __local tally_index *tables =
        (__local tally_index *)(space + (image_bytes + 15) / 16 * (16 / sizeof(ulong)));
    __local tally_index *diagonal_of = tables, *step_of = tables + entries;
    tally_signed least = 0, most = 0;
    tally_index end = 1, reach = 0;
    TALLY_EVERY_AXIS(TALLY_REACH)
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    TALLY_FN(box) box;
    box.read_entries = read_entries;
    box.pitch = (uint)a.box.local_pitch;
    box.diagonal_of = diagonal_of;
#if TALLY_SQUARE > 1
    const uint value = (uint)((tally_stored)a.value * TALLY_REPEAT);
    const uint in_lead = (uint)((size_t)in / TALLY_BYTES % TALLY_SQUARE);
    const uint out_lead = (uint)((size_t)out / TALLY_BYTES % TALLY_SQUARE);
    in -= in_lead;
    out -= out_lead;
    const tally_index whole = (end + in_lead) / TALLY_SQUARE;
    /* Of the input's last dword only what is the input's is read, in a launch that has boxes. */
    uint tail = 0;
#if TALLY_HAS_INPUT
    const uint some = a.head.units > 0 ? (uint)((end + in_lead) % TALLY_SQUARE) : 0;
    for (uint e = 0; e < some; e++)
        tail |= (uint)in[whole * TALLY_SQUARE + e] << 8 * TALLY_BYTES * e;
#endif
    box.image = (__local uint *)space;
    box.plane = rows / TALLY_SQUARE * box.pitch;
    box.step_of = step_of;
#else
    const tally_stored value = (tally_stored)a.value;
    const uint in_lead = 0, out_lead = 0;
    __local tally_index *in_of = step_of, *out_of = step_of + entries;
    box.image = (__local tally_stored *)space;
    box.in_of = in_of;
    box.out_of = out_of;
#endif
    for (uint n = lid; n < entries; n += TALLY_GROUP) {
        TALLY_FN(position) at = {0, 0, 0};
        TALLY_POSITION_OF_BOX(n, read_entries)
        diagonal_of[n] = at.diagonal;
#if TALLY_SQUARE > 1
        step_of[n] = n < read_entries ? at.out : at.in;
#else
        in_of[n] = at.in;
        out_of[n] = at.out;
#endif
    }
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        uint reads = (uint)a.box.reads, writes = (uint)a.box.writes;
        tally_index rest = unit;
        TALLY_FN(position) origin = {in_lead, out_lead, 0 - (tally_index)a.low};
        TALLY_EVERY_AXIS(TALLY_ORIGIN_OF)
        const tally_signed first = (tally_signed)origin.diagonal + least;
        const tally_signed last = (tally_signed)origin.diagonal + most;
        const bool inside = first >= 0 && last < (tally_signed)width;
        const bool outside = last < 0 || first >= (tally_signed)width;
        const bool covered = inverted ? outside : inside, mixed = !inside && !outside;
        box.reads = reads;
        box.writes = writes;
        box.in = origin.in;
        box.out = origin.out;
        box.t = origin.diagonal;
#if TALLY_SQUARE > 1
        box.ends = (origin.in + reach) / TALLY_SQUARE + 2 > whole;
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!covered) {
#if TALLY_SQUARE > 1
            TALLY_FN(bring)
            ((__global const uint *)in, whole, tail, &box, width, mixed, inverted, value);
#else
            TALLY_FN(bring)
            (in, &box, width, mixed, inverted, value);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(take)(out, &box, covered, value);
    }
}
