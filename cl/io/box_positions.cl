/*
 * Boxes: a part of each axis. The positions of a box are those along some axes, "read" positions,
 * times those along others, "write" positions. A box's pitch along an axis is the distance between
 * neighbours in that numbering of positions. What a position adds to the offsets, and of a fill to
 * the diagonal, is the same in all boxes; a box has its own origin, and at the end of an axis fewer
 * positions. Which positions a work-item takes is left to the kernel, and what a coordinate adds to
 * a position (TALLY_ADD_TO) to the files that are pasted with this one.
 */

/* Sets at to position number i; takes it along the axes of one of the two numberings. */
#define TALLY_READ_POSITION(k)                                                                     \
    if (a.box.read_box[k] > 1) {                                                                   \
        const uint c = i / (uint)a.box.read_pitch[k] % (uint)a.box.read_box[k];                    \
        TALLY_ADD_TO(at, k, c)                                                                     \
    }
#define TALLY_WRITE_POSITION(k)                                                                    \
    if (a.box.write_box[k] > 1) {                                                                  \
        const uint c = i / (uint)a.box.write_pitch[k] % (uint)a.box.write_box[k];                  \
        TALLY_ADD_TO(at, k, c)                                                                     \
    }

/* The same of the n-th of both numberings, that of so many reads first. */
#define TALLY_POSITION_OF_BOX(n, reads)                                                            \
    if ((n) < (reads)) {                                                                           \
        const uint i = (n);                                                                        \
        TALLY_EVERY_AXIS(TALLY_READ_POSITION)                                                      \
    } else {                                                                                       \
        const uint i = (n) - (reads);                                                              \
        TALLY_EVERY_AXIS(TALLY_WRITE_POSITION)                                                     \
    }

/* Sets origin, reads and writes, of which a box at the end of an axis has fewer, for box rest. */
#define TALLY_ORIGIN_OF(k)                                                                         \
    if (a.box.boxes[k] > 1) {                                                                      \
        const tally_index over =                                                                   \
            rest < (tally_index)a.box.boxes[k] ? 0 : rest / (tally_index)a.box.boxes[k];           \
        const tally_index first = (rest - over * (tally_index)a.box.boxes[k]) *                    \
                                  (tally_index)(a.box.read_box[k] * a.box.write_box[k]);           \
        const tally_index left = (tally_index)a.kept_size[k] - first;                              \
        TALLY_ADD_TO(origin, k, first)                                                             \
        if (a.box.read_box[k] > left)                                                              \
            reads = (uint)left * (uint)a.box.read_pitch[k];                                        \
        if (a.box.write_box[k] > left)                                                             \
            writes = (uint)left * (uint)a.box.write_pitch[k];                                      \
        rest = over;                                                                               \
    }
