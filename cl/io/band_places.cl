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

#define TALLY_EVERY_AXIS(take) TALLY_EACH_AXIS(take) take(0)
#define TALLY_ADD_TO(at, k, c) TALLY_ADD(a, k, c, at.in, at.out, at.diagonal)

/* Sets at to place number i; takes it along the axes of one of the two numberings. */
#define TALLY_READ_PLACE(k)                                                                        \
    if (a.read_box[k] > 1) {                                                                       \
        const uint c = i / (uint)a.read_pitch[k] % (uint)a.read_box[k];                            \
        TALLY_ADD_TO(at, k, c)                                                                        \
    }
#define TALLY_WRITE_PLACE(k)                                                                       \
    if (a.write_box[k] > 1) {                                                                      \
        const uint c = i / (uint)a.write_pitch[k] % (uint)a.write_box[k];                          \
        TALLY_ADD_TO(at, k, c)                                                                        \
    }

/* The same of the n-th of both numberings, that of so many reads first. */
#define TALLY_PLACE_OF_BOX(n, reads)                                                               \
    if ((n) < (reads)) {                                                                           \
        const uint i = (n);                                                                        \
        TALLY_EVERY_AXIS(TALLY_READ_PLACE)                                                         \
    } else {                                                                                       \
        const uint i = (n) - (reads);                                                              \
        TALLY_EVERY_AXIS(TALLY_WRITE_PLACE)                                                        \
    }

/* Sets origin, reads and writes, of which a box at the end of an axis has fewer, for box rest. */
#define TALLY_ORIGIN_OF(k)                                                                         \
    if (a.boxes[k] > 1) {                                                                          \
        const tally_index over =                                                                   \
            rest < (tally_index)a.boxes[k] ? 0 : rest / (tally_index)a.boxes[k];                   \
        const tally_index first = (rest - over * (tally_index)a.boxes[k]) *                        \
                                  (tally_index)(a.read_box[k] * a.write_box[k]);                   \
        const tally_index left = (tally_index)a.kept_size[k] - first;                              \
        TALLY_ADD_TO(origin, k, first)                                                                \
        if (a.read_box[k] > left)                                                                  \
            reads = (uint)left * (uint)a.read_pitch[k];                                            \
        if (a.write_box[k] > left)                                                                 \
            writes = (uint)left * (uint)a.write_pitch[k];                                          \
        rest = over;                                                                               \
    }
