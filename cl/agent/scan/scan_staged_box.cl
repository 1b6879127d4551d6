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
 * Each memory's elements come and go by packs: TALLY_READ_PACK or TALLY_WRITE_PACK elements that
 * begin at a multiple of a pack's bytes. A segment is what lies side by side of a box, along
 * TALLY_READ_AXES or TALLY_WRITE_AXES axes, the closest ones; the elements around its whole packs
 * come and go one by one. Without packs (of one element) all do, and segments may have any stride.
 *
 * In local memory an element lies at the sum of a.box_local along the axes. The host has it so that
 * work-items side by side meet different banks: the axes lie as in the input's memory, with room
 * behind some, or lines one after the other, or, where lines are few (TALLY_SKEWED), with some room
 * behind each run. Or the axes lie as in a memory, each step as many elements past whole packs as
 * there, and the box begins as far behind a pack, so that packs lie whole (TALLY_WHOLE_PACKS). Of
 * terms that are visited from their last place down (TALLY_REVERSED_TERMS) the last one comes
 * first, as in memory. A work-item owns runs, of TALLY_RUN_TERMS terms: where the axis is shorter
 * than a run, all of it. In place is right: a box is read before it is written, and no other group
 * has its lines.
 */
#define TALLY_AXIS(order, k) ((order) >> 2 * (k) & 3)
#define TALLY_ROOM (TALLY_BYTES < 4 ? 4 / TALLY_BYTES : 1)
#define TALLY_SLOTS (TALLY_GROUP * TALLY_RUNS_PER_ITEM)
#define TALLY_LEAVES_BY_IMAGE (TALLY_PHASE != TALLY_TOTALS && !TALLY_DIRECT_STORES)
#define TALLY_IMAGE                                                                                \
    (TALLY_IN_REGISTERS && !TALLY_LEAVES_BY_IMAGE ? 1                                              \
                                                  : TALLY_SLOTS * (TALLY_RUN_TERMS + TALLY_ROOM))
#define TALLY_IS_LINES                                                                             \
    (TALLY_SKEWED | (TALLY_AXIS(TALLY_READ_ORDER, 0) == 0) |                                       \
     (TALLY_AXIS(TALLY_WRITE_ORDER, 0) == 0))
#define TALLY_TOTALS_ROOM (TALLY_ORDER_LEVELS == 1 ? TALLY_RUN : TALLY_SLOTS)
#define TALLY_LINES (TALLY_TOTALS_ROOM / 2) /* of boxes that have others behind them, at most */
#define TALLY_POSITION(x) (TALLY_SKEWED ? (x) + (x) / TALLY_RUN * TALLY_ROOM : (x))

/* Whose packs lie whole in local memory. */
#define TALLY_WHOLE_READS (TALLY_WHOLE_PACKS & 1)
#define TALLY_WHOLE_WRITES (TALLY_WHOLE_PACKS >> 1)

/*
 * Of boxes that are the units of a chain (scan_chain_words.cl): the chains, the columns of a unit,
 * its spans and its terms.
 */
#define TALLY_CHAINS(a) ((a).all_boxes)
#define TALLY_MERGED TALLY_CHAIN_LINES
#define TALLY_SPANS TALLY_CHAIN_SPANS
#define TALLY_UNIT (TALLY_SPANS * TALLY_SPAN)

/* Elements of a pack. */
#define TALLY_READ_PACK (TALLY_READ_BYTES / TALLY_BYTES)
#define TALLY_WRITE_PACK (TALLY_WRITE_BYTES / TALLY_BYTES)

/*
 * Elements and packs that a work-item has under way: all of its own, or these in equal parts; and
 * elements around the packs.
 */
#define TALLY_PARTS(all, most) (((all) + (most)-1) / (most))
#define TALLY_EQUAL_PART(all, most) TALLY_PARTS(all, TALLY_PARTS(all, most))
#define TALLY_MOVES_ALL                                                                            \
    TALLY_EQUAL_PART(TALLY_RUNS_PER_ITEM * TALLY_RUN_TERMS, TALLY_BYTES == 8 ? 8 : 16)
#define TALLY_MOVES                                                                                \
    TALLY_EQUAL_PART(TALLY_PARTS(TALLY_RUNS_PER_ITEM * TALLY_RUN_TERMS, TALLY_READ_PACK), 4)
#define TALLY_LOOSE (TALLY_READ_PACK == 1 ? TALLY_MOVES_ALL : 4)

/* Packs of a work-item that leave side by side; PoCL's compiler warns that it cannot. */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define TALLY_LEAVES 1
#else
#define TALLY_LEAVES (TALLY_WRITE_PACK > 4 ? 1 : 8 / TALLY_WRITE_PACK)
#endif

/* The sizes of the box at hand, 2^32 / size rounded up, and steps in the image. */
typedef struct {
    uint size[TALLY_BOX_AXES], magic[TALLY_BOX_AXES], local_step[TALLY_BOX_AXES];
    uint line_step[TALLY_BOX_AXES]; /* from line to line, as they are counted */
    uint positions; /* of a line's terms in the image: of runs that are apart whole ones */
    uint last; /* bits of the axes along which it is the last one */
    uint lead; /* where it begins in the image: as far behind a pack as in memory, if need be */
} TALLY_FN(box);

/*
 * One way between memory and the box's image. Each segment is the same number of whole packs, and
 * some elements around them: those before its first whole pack, and those behind the last.
 */
typedef struct {
    uint segments, packs, around;       /* of each segment */
    uint packs_magic, around_magic;
    tally_index first;                /* the box's first element in memory, */
    uint local_first;                 /* and in the image */
    bool whole;                       /* packs lie whole in the image */
    tally_index stride;               /* from element to element of a segment */
    uint local_stride;
    uint magic[TALLY_BOX_AXES];       /* of the axes of segments, and what each adds */
    tally_index step[TALLY_BOX_AXES];
    uint local_step[TALLY_BOX_AXES];
} TALLY_FN(way);

/* What to multiply with, to divide by size: 2^32 / size rounded up; by 1 nothing. */
#define TALLY_MAGIC(size) ((size) > 1 ? 0xFFFFFFFFu / (size) + 1 : 0)
#define TALLY_DIVIDE(x, magic) ((magic) == 0 ? (x) : mul_hi(x, magic))
#define TALLY_MAGICS(list)                                                                         \
    (uint4)((uint)(list)[0], (uint)(list)[1], (uint)(list)[2], (uint)(list)[3])

/* Elements of memory between the last multiple of a pack's bytes and this. */
#define TALLY_SKEW(memory, pack) ((uint)((size_t)(memory) / TALLY_BYTES) & ((pack)-1))

/* How far behind the beginning of a pack a box of so many terms begins in memory, in elements. */
#define TALLY_LEAD(skew, first, stride, terms, pack)                                               \
    (((skew) + (uint)(first) + (TALLY_REVERSED_TERMS ? ((terms)-1) * (uint)(stride) : 0)) &        \
     ((pack)-1))

/*
 * The way of a box along an order of its axes, the closest of which make segments. from is where
 * its first term lies, skew that of the memory. Mirrored terms come the last one first, as they lie
 * in memory, where their stride is one back. The magic numbers are of segments that begin anywhere,
 * where the box is not the last along their outermost axis (x) and where it is (y), and of segments
 * that all begin with a pack (z, w).
 */
static TALLY_FN(way) TALLY_FN(find_way)(const TALLY_FN(box) *box, uint order, uint axes, uint pack,
                                        const tally_index *strides_of, tally_index from, uint skew,
                                        uint4 packs_magic, uint4 around_magic) {
    TALLY_FN(way) way;
    tally_index stride[TALLY_BOX_AXES];
    const uint closest = TALLY_AXIS(order, 0);
    tally_index strides = 0;
    uint length = 1;
#pragma unroll
    for (uint k = 0; k < TALLY_BOX_RANK; k++)
        stride[k] = k == 0 && TALLY_REVERSED_TERMS ? 0 - strides_of[k] : strides_of[k];
    way.first = from;
    way.local_first = box->lead;
    way.whole = false;
    if (TALLY_REVERSED_TERMS) {
        way.first -= (box->size[0] - 1) * stride[0];
        way.local_first += (box->positions - box->size[0]) * box->local_step[0];
    }
    way.segments = 1;
#pragma unroll
    for (uint k = 0; k < TALLY_BOX_RANK; k++) {
        const uint axis = TALLY_AXIS(order, k), inner = TALLY_AXIS(order, k > 0 ? k - 1 : 0);
        const uint back = k > axes ? box->size[inner] : 0;
        way.magic[k] = box->magic[axis];
        way.step[k] = stride[axis] - back * stride[inner];
        way.local_step[k] = box->local_step[axis] - back * box->local_step[inner];
        length *= k < axes ? box->size[axis] : 1;
        way.segments *= k < axes ? 1 : box->size[axis];
        strides |= k < axes ? 0 : stride[axis];
    }
    way.stride = stride[closest];
    way.local_stride = box->local_step[closest];
    way.packs = way.packs_magic = 0;
    way.around = length;
    way.around_magic = box->magic[closest];
    if (pack == 1)
        return way;
    const bool even = (((uint)strides | (skew + (uint)way.first)) & (pack - 1)) == 0;
    const uint before = even ? 0 : pack - 1;
    const bool last = (box->last >> TALLY_AXIS(order, axes - 1) & 1) != 0;
    const uint2 of_packs = even ? packs_magic.zw : packs_magic.xy;
    const uint2 of_around = even ? around_magic.zw : around_magic.xy;
    way.packs = length > before ? (length - before) / pack : 0;
    way.around = length - way.packs * pack;
    way.packs_magic = last ? of_packs.y : of_packs.x;
    way.around_magic = last ? of_around.y : of_around.x;
    return way;
}

/* Where a segment begins. */
static void TALLY_FN(find_segment)(const TALLY_FN(way) *way, uint axes, uint segment,
                                   tally_index *at,
                                 uint *position) {
    *at = way->first;
    *position = way->local_first;
#pragma unroll
    for (uint k = 1; k < TALLY_BOX_RANK; k++) {
        if (k < axes)
            continue;
        segment = k > axes ? TALLY_DIVIDE(segment, way->magic[k - 1]) : segment;
        *at += segment * way->step[k];
        *position += segment * way->local_step[k];
    }
}

/* The s-th whole pack of a way: where its first element lies in memory and in the image. */
static void TALLY_FN(find_pack)(const TALLY_FN(way) *way, uint axes, uint pack, uint skew, uint s,
                                tally_index *at, uint *position) {
    const uint segment = axes == TALLY_BOX_RANK ? 0 : TALLY_DIVIDE(s, way->packs_magic);
    TALLY_FN(find_segment)(way, axes, segment, at, position);
    const uint before = (0 - skew - (uint)*at) & (pack - 1);
    const uint e = before + (s - segment * way->packs) * pack;
    *at += e;
    *position += e * way->local_stride;
}

/* The e-th of the elements around the packs, likewise. */
static void TALLY_FN(find_around)(const TALLY_FN(way) *way, uint axes, uint pack, uint skew, uint e,
                                  tally_index *at, uint *position) {
    const uint segment = axes == TALLY_BOX_RANK ? 0 : TALLY_DIVIDE(e, way->around_magic);
    e -= segment * way->around;
    TALLY_FN(find_segment)(way, axes, segment, at, position);
    const uint before = (0 - skew - (uint)*at) & (pack - 1);
    if (pack > 1)
        e += e < before ? 0 : way->packs * pack;
    *at += e * way->stride;
    *position += e * way->local_stride;
}
