/*
 * Boxes of a fill: a part of each axis. The places of a box are those along some axes, "read"
 * places, times those along others, "write" places. A box's pitch along an axis is the distance
 * between neighbours in that numbering of places. What a place adds to the offsets and to the
 * diagonal is the same in all boxes; a box has its own origin, and at the end of an axis fewer
 * places. Which places a work-item takes is left to the kernel.
 */

/* What a place, or a box's origin, adds. */
typedef struct {
    tally_index in, out, diagonal;
} TALLY_FN(place);

#undef TALLY_EACH_AXIS /* of band_axes.cl, which has no 0 */
#if TALLY_KEPT_RANK == 2
#define TALLY_EACH_AXIS(take) take(1) take(0)
#elif TALLY_KEPT_RANK == 4
#define TALLY_EACH_AXIS(take) take(3) take(2) take(1) take(0)
#else
#define TALLY_EACH_AXIS(take) take(7) take(6) take(5) take(4) take(3) take(2) take(1) take(0)
#endif

#define TALLY_ADD(at, k, c)                                                                        \
    at.in += (c) * (tally_index)a.kept_in[k];                                                      \
    at.out += (c) * (tally_index)a.kept_out[k];                                                    \
    at.diagonal += (c) * (tally_index)a.diagonal[k];

/* Sets at to place number i; takes it along the axes of one of the two numberings. */
#define TALLY_READ_PLACE(k)                                                                        \
    if (a.read_box[k] > 1) {                                                                       \
        const uint c = i / (uint)a.read_pitch[k] % (uint)a.read_box[k];                            \
        TALLY_ADD(at, k, c)                                                                        \
    }
#define TALLY_WRITE_PLACE(k)                                                                       \
    if (a.write_box[k] > 1) {                                                                      \
        const uint c = i / (uint)a.write_pitch[k] % (uint)a.write_box[k];                          \
        TALLY_ADD(at, k, c)                                                                        \
    }

/* Sets origin, reads and writes, of which a box at the end of an axis has fewer, for box rest. */
#define TALLY_ORIGIN_OF(k)                                                                         \
    if (a.boxes[k] > 1) {                                                                          \
        const tally_index over = rest / (tally_index)a.boxes[k];                                   \
        const tally_index first = (rest - over * (tally_index)a.boxes[k]) *                        \
                                  (tally_index)(a.read_box[k] * a.write_box[k]);                   \
        const tally_index left = (tally_index)a.kept_size[k] - first;                              \
        TALLY_ADD(origin, k, first)                                                                \
        if (a.read_box[k] > left)                                                                  \
            reads = (uint)left * (uint)a.read_pitch[k];                                            \
        if (a.write_box[k] > left)                                                                 \
            writes = (uint)left * (uint)a.write_pitch[k];                                          \
        rest = over;                                                                               \
    }
