/*
 * The boxes of a scan of any layout, and how they come and go: a box is a number of lines (rows of
 * the scan, of up to three kept axes) and a range of terms. A group brings a box into local memory
 * in the order of the input's memory, scans it there, and takes it out in the order of the output's
 * memory. A unit is a box of lines; its group goes down all of its terms, box by box.
 *
 * The axes of a box are numbered: 0 is the terms, 1 to 3 are the kept axes that the box cuts, the
 * innermost of a.kept_size first. a.kept_size counts the boxes along each axis; strides step from
 * box to box. TALLY_READ_ORDER and TALLY_WRITE_ORDER name the axes from the one that lies closest
 * in memory on, two bits each.
 *
 * In local memory a line's terms lie one after the other. Lines are a.pitch apart, or, where they
 * are few (TALLY_SKEWED), a.pitch is whole runs and behind each run is some room: so work-items
 * side by side meet different banks. A work-item owns runs, of TALLY_EACH terms: where the axis is
 * shorter than a run, all of it. In place is right: a box is read before it is written, and no
 * other group has its lines.
 */
#define TALLY_AXIS(order, k) ((order) >> 2 * (k) & 3)
#define TALLY_ROOM (TALLY_BYTES < 4 ? 4 / TALLY_BYTES : 1)
#define TALLY_SLOTS (TALLY_GROUP * TALLY_STACK)
#define TALLY_IMAGE (TALLY_SLOTS * (TALLY_EACH + TALLY_ROOM))
#define TALLY_TOTALS_ROOM (TALLY_LONE ? TALLY_RUN : TALLY_SLOTS)
#define TALLY_LINES (TALLY_TOTALS_ROOM / 2) /* of boxes that have others behind them, at most */
#define TALLY_PLACE(x) (TALLY_SKEWED ? (x) + (x) / TALLY_RUN * TALLY_ROOM : (x))

/* Elements that a work-item has under way: all of its own, or in equal parts. */
#define TALLY_MOVES_MAX (TALLY_BYTES == 8 ? 8 : 16)
#define TALLY_MOVES_TURNS ((TALLY_STACK * TALLY_EACH + TALLY_MOVES_MAX - 1) / TALLY_MOVES_MAX)
#define TALLY_MOVES ((TALLY_STACK * TALLY_EACH + TALLY_MOVES_TURNS - 1) / TALLY_MOVES_TURNS)

/* Elements of a work-item that leave side by side; PoCL's compiler warns that it cannot. */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define TALLY_LEAVES 1
#else
#define TALLY_LEAVES 8
#endif

#if TALLY_FLOATING && TALLY_BYTES == 8
#define TALLY_VALUE(bits) tally_of_raw(as_double(bits))
#elif TALLY_FLOATING && TALLY_BYTES == 4
#define TALLY_VALUE(bits) tally_of_raw(as_float(bits))
#else
#define TALLY_VALUE(bits) tally_of_raw((tally_raw)(bits))
#endif

/* One way between memory and the box's image: what each axis adds to the element's places. */
typedef struct {
    uint magic[TALLY_BOX_AXES];
    tally_index step[TALLY_BOX_AXES];
    uint local_step[TALLY_BOX_AXES];
} TALLY_FN(way);

/* The sizes of the box at hand, 2^32 / size rounded up, and steps in the image. */
typedef struct {
    uint size[TALLY_BOX_AXES], magic[TALLY_BOX_AXES], local_step[TALLY_BOX_AXES];
} TALLY_FN(box);

static TALLY_FN(way) TALLY_FN(find_way)(const TALLY_FN(box) *box, uint order,
                                        const tally_index *stride) {
    TALLY_FN(way) way;
#pragma unroll
    for (uint k = 0; k < TALLY_BOX_RANK; k++) {
        const uint axis = TALLY_AXIS(order, k), inner = TALLY_AXIS(order, k > 0 ? k - 1 : 0);
        const uint back = k > 0 ? box->size[inner] : 0;
        way.magic[k] = box->magic[axis];
        way.step[k] = stride[axis] - back * stride[inner];
        way.local_step[k] = box->local_step[axis] - back * box->local_step[inner];
    }
    return way;
}

/* Where the e-th element of a way lies in memory, from the box's first on, and in the image. */
static tally_index TALLY_FN(find)(const TALLY_FN(way) *way, uint e, uint *place) {
    tally_index at = e * way->step[0];
    uint x = e * way->local_step[0];
#pragma unroll
    for (uint k = 1; k < TALLY_BOX_RANK; k++) {
        e = way->magic[k - 1] == 0 ? e : mul_hi(e, way->magic[k - 1]);
        at += e * way->step[k];
        x += e * way->local_step[k];
    }
    *place = TALLY_PLACE(x);
    return at;
}

/* Bring count elements. */
static void TALLY_FN(fill)(__global const TALLY_STORAGE *in, tally_index from, uint count,
                           const TALLY_FN(way) *way, __local tally_stored *image) {
    for (uint begin = get_local_id(0); begin < count; begin += TALLY_MOVES * TALLY_GROUP) {
        tally_stored moved[TALLY_MOVES];
        uint place[TALLY_MOVES];
#pragma unroll
        for (uint k = 0; k < TALLY_MOVES; k++) {
            const uint e = min(begin + k * TALLY_GROUP, count - 1);
            const tally_index at = from + TALLY_FN(find)(way, e, &place[k]);
            moved[k] = ((__global const tally_stored *)in)[at];
        }
#pragma unroll
        for (uint k = 0; k < TALLY_MOVES; k++)
            if (begin + k * TALLY_GROUP < count)
                image[place[k]] = moved[k];
    }
}

/* Write count elements. */
static void TALLY_FN(drain)(__global TALLY_STORAGE *out, tally_index to, uint count,
                            const TALLY_FN(way) *way, __local const tally_stored *image) {
#pragma unroll TALLY_LEAVES
    for (uint e = get_local_id(0); e < count; e += TALLY_GROUP) {
        uint place;
        const tally_index at = to + TALLY_FN(find)(way, e, &place);
        ((__global tally_stored *)out)[at] = image[place];
    }
}
