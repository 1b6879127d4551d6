/*
 * tally/part.h: operators on parts of a problem that is larger than a buffer, a device or a host.
 *
 * A problem is cut along one axis of its tensors. Each part is computed by an operator of its own,
 * anywhere: one after the other on one device, on several devices, on several hosts. The result has
 * the bits of the operator that computes the whole at once. docs/scaling.md has the ways to cut,
 * what travels, and how long it takes.
 *
 * What a part gives depends on the axis:
 *
 *   TALLY_CUT_RESULTS   An axis that a reduction keeps, that a scan does not run along, or any axis
 *                       of a fill. The part gives its range of the whole's output. Nothing travels.
 *
 *   TALLY_CUT_STATES    The outermost swept axis of a reduction. The part gives states: what blocks
 *                       of its terms come to, before the function's last step. The states of all
 *                       parts, one part after the other, are combined to the whole's output.
 *
 *   TALLY_CUT_TOTALS    The axis that a scan runs along. A first operator of the part gives states:
 *                       what its stretches of terms come to. The states of all parts before it are
 *                       combined to its carry. A second operator takes the carry and the part's
 *                       input, and gives the part's range of the output. Before and after are meant
 *                       in the direction of the scan.
 *
 * A program calls in this order:
 *
 *   1. tally_cut_even() or tally_cut_at(): how the problem is cut. All parts must use this cut.
 *   2. tally_part_create(), for each part. Of a cut of results that is all.
 *   3. tally_combine_create(), once for the whole of a reduction, once for each carry of a scan.
 *   4. tally_part_scan_create() for each part of a scan that has a carry.
 *
 * States. An operator that gives states writes them as [states][lines]: for each state all lines,
 * where a line is an element of the reduction's output, or a line of the scan, in row-major order
 * of the whole's axes. So the states of part after part lie one behind the other. A state has
 * tally_cut.state_bytes bytes:
 *
 *   SUM, MULTIPLY, L1, L2, SUM_SQUARE, AVERAGE, LOG_SUM, MIN, MAX   a value, in the compute type:
 *       float for F16, else the input's type; of 8 and 16 bits as 4 bytes. MIN and MAX of floats
 *       have an integer of the compute type's size that is in the order of the floats.
 *
 *   LOG_SUM_EXP   two values of the compute type, the maximum and the sum
 *
 *   ARGMIN, ARGMAX   such a value, padded to 8 bytes, and an index of 64 bits in the whole
 *
 * The parts of one scan that follow each other in one memory can do without the states: of an
 * inclusive scan by SUM or MULTIPLY whose output is F32, F64 or an integer, the last results of a
 * part, of each line, are the carry of the next part. They must lie side by side, as [lines].
 *
 * Hosts and devices of one byte order may exchange them, if their libraries have the same
 * tally_order_version(). tally_cut.key is a number to compare before that: it is equal on all that
 * cut the same problem in the same way.
 */
#ifndef TALLY_PART_H
#define TALLY_PART_H

#include <tally/tally.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the parts of a cut give. A later version may have other kinds. */
typedef enum tally_cut_kind {
    TALLY_CUT_RESULTS = 1,         /* a range of the output */
    TALLY_CUT_STATES = 2,          /* states, which are combined to the output */
    TALLY_CUT_TOTALS = 3,          /* states, which are combined to the carries of a scan's parts */
    TALLY_CUT_32_BITS = 0x7FFFFFFF /* no value */
} tally_cut_kind;

/* For tally_cut_even(): the axis along which the largest part is the smallest. */
#define TALLY_ANY_AXIS UINT32_MAX

/* How a problem is cut into parts. The calls below fill it; its members are for reading. */
typedef struct tally_cut {
    uint32_t struct_size; /* in: sizeof(tally_cut) */
    uint32_t axis;        /* of the whole's tensors */
    tally_cut_kind kind;  /* what the parts give */
    uint32_t state_bytes; /* of a state of one line; 0: there are no states */
    uint64_t size;        /* of the axis, in the whole */
    uint64_t lines;       /* elements of a reduction's output, or lines of a scan */
    /*
     * Bounds of parts are 0, size, and first + a multiple of alignment, all in coordinates of the
     * axis. The alignment follows from the order in which terms are combined, docs/numerics.md.
     */
    uint64_t first;            /* where multiples of the alignment count from */
    uint64_t alignment;        /* coordinates from one possible bound to the next */
    uint64_t grain;            /* terms of a state; 0: a part has one state, however long it is */
    uint64_t coordinate_terms; /* terms of one coordinate, as the grain counts them */
    uint64_t key;              /* a hash of the description and of this cut */
} tally_cut;

/* A tally_cut to be filled. */
#define TALLY_CUT_INIT                                                                             \
    { sizeof(tally_cut), 0, TALLY_CUT_RESULTS, 0, 0, 0, 0, 0, 0, 0, 0 }

/*
 * Cut the problem of a description into so many parts, as evenly as the alignment allows. bounds
 * has room for parts + 1 coordinates. Part p is from bounds[p] up to bounds[p + 1], and may be
 * empty: there may be fewer places to cut than parts. Of the whole's tensors the types, sizes and
 * options count; strides do not.
 *
 * axis is the axis to cut, or TALLY_ANY_AXIS. Then it is the one that makes the largest part the
 * smallest; of several, one that gives results rather than states, and then the outermost.
 *
 * The grain is the largest that cuts as evenly as any, so that as few states as can be travel.
 *
 * TALLY_INVALID: the description is refused by its create call, parts is 0 or more than 2^31 - 1,
 * bounds or cut is NULL, the axis is not below the rank, or it cannot be cut. The last is a swept
 * axis of a reduction with another swept axis outside of it; the sentence names the outermost.
 * (MIN and MAX, and of integers all but ARGMIN and ARGMAX, can be cut along any swept axis.) On
 * failure cut and bounds stay as they were.
 */
TALLY_API tally_status tally_cut_even(const tally_desc *whole, uint32_t axis, uint32_t parts,
                                      uint64_t *bounds, tally_cut *cut, tally_error *error);

/*
 * The same with given bounds: bounds[0] is 0, the last one is the size of the axis, and none is
 * less than the one before. A bound that is not aligned is refused with a sentence that names the
 * nearest one that is. axis is not TALLY_ANY_AXIS.
 */
TALLY_API tally_status tally_cut_at(const tally_desc *whole, uint32_t axis, uint32_t parts,
                                    const uint64_t *bounds, tally_cut *cut, tally_error *error);

/* A part: a range of the cut's axis, and how its tensors lie in memory. */
typedef struct tally_part {
    uint32_t struct_size; /* sizeof(tally_part); the initialiser fills it */
    uint32_t reserved;    /* 0 */
    uint64_t begin;       /* the first coordinate */
    uint64_t end;         /* the coordinate behind the last one */
    /*
     * The part's tensors: the whole's types and sizes, but end - begin coordinates along the axis.
     * NULL: a part of the whole's tensor in place, with its strides. The view that is bound begins
     * with the part's first element in either case. The output is that of a part that writes
     * results; it is ignored where the operator gives states.
     */
    const tally_tensor *input;  /* the tensor that the part reads, or NULL */
    const tally_tensor *output; /* the tensor that it writes, or NULL */
} tally_part;

/* A tally_part without a range. */
#define TALLY_PART_INIT                                                                            \
    { sizeof(tally_part), 0, 0, 0, NULL, NULL }

/*
 * The number of states that a range of the cut has, of each line: lines * state_bytes bytes each. 0
 * for an empty range, for a cut of results, and for NULL. Of a cut of totals the stretches of the
 * range, the last one of which may be shorter.
 */
TALLY_API uint64_t tally_cut_states(const tally_cut *cut, uint64_t begin, uint64_t end);

/*
 * The packed tensor of a range of an axis: the tensor's type and sizes, but end - begin along the
 * axis. Makes no check: the calls that take the tensor do.
 */
TALLY_API tally_tensor tally_tensor_range(const tally_tensor *whole, uint32_t axis, uint64_t begin,
                                          uint64_t end);

/*
 * Make the operator of a part. The caller releases it. It is enqueued like any other.
 *
 *   TALLY_CUT_RESULTS   input: the part's input; output: the part's output
 *   TALLY_CUT_STATES    input: the part's input; output: its states
 *   TALLY_CUT_TOTALS    input: the part's input; output: its states
 *
 * An empty part makes an operator that does nothing.
 *
 * TALLY_INVALID: the description is refused by its create call, the cut is of another description,
 * a bound of the part is not aligned, the part's tensors have other types or sizes. Otherwise as
 * tally_reduce_create().
 */
TALLY_API tally_status tally_part_create(tally_runtime *runtime, const tally_desc *whole,
                                         const tally_cut *cut, const tally_part *part,
                                         tally_op **op, tally_error *error);

/*
 * Make the operator that combines states. The caller releases it. Its input is a number of states
 * of each line, one behind the other.
 *
 *   TALLY_CUT_STATES    states is the sum of those of all parts. The output is the whole's, as its
 *                       description has it.
 *
 *   TALLY_CUT_TOTALS    states is at least 1: those of all parts before a part, or a carry and
 *                       those of the parts between. The output is the carry: one state of each
 *                       line.
 *
 * TALLY_INVALID: the description is refused by its create call, the cut is of another description
 * or of results, or a number of states that the cut cannot have. Otherwise as
 * tally_reduce_create().
 */
TALLY_API tally_status tally_combine_create(tally_runtime *runtime, const tally_desc *whole,
                                            const tally_cut *cut, uint64_t states, tally_op **op,
                                            tally_error *error);

/*
 * Make the operator that scans a part from its carry on: the input is the part's, and the output
 * its range of the whole's output. May run in place as a scan may. It is enqueued by
 * tally_part_enqueue(). The part that is visited first has no carry: its operator ignores it, and
 * tally_op_enqueue() takes it as well.
 *
 * TALLY_INVALID: as tally_part_create(), and a cut that is not of totals.
 */
TALLY_API tally_status tally_part_scan_create(tally_runtime *runtime, const tally_desc *whole,
                                              const tally_cut *cut, const tally_part *part,
                                              tally_op **op, tally_error *error);

/* The memory of one enqueue of a part's scan. Ranges overlap as those of tally_binding may. */
typedef struct tally_part_binding {
    uint32_t struct_size;  /* sizeof(tally_part_binding); the initialiser fills it */
    uint32_t reserved;     /* 0 */
    tally_binding binding; /* of the part, as tally_op_enqueue() takes it */
    tally_view carry;      /* one state of each line, as tally_combine_create() has it; only read */
} tally_part_binding;

/* A tally_part_binding without memory. */
#define TALLY_PART_BINDING_INIT                                                                    \
    { sizeof(tally_part_binding), 0, TALLY_BINDING_INIT, TALLY_VIEW_INIT }

/*
 * Enqueue an operator of tally_part_scan_create(), as tally_op_enqueue() does. Operators that have
 * no carry are taken too, and the member carry is ignored. An operator with a carry cannot be
 * recorded into a command buffer.
 */
TALLY_API tally_status tally_part_enqueue(tally_op *op, cl_command_queue queue,
                                          const tally_part_binding *binding, uint32_t wait_count,
                                          const cl_event *wait_list, cl_event *event,
                                          tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
