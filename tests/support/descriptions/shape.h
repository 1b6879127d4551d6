/*
 * shape.h: descriptions made short, and layouts of tensors: gaps, transposed axes, repeats.
 */
#ifndef TESTS_SUPPORT_DESCRIPTIONS_SHAPE_H
#define TESTS_SUPPORT_DESCRIPTIONS_SHAPE_H

#include <stdint.h>

#include <tally/types.h>

/* Sizes, outermost first; the rank is their number: SHAPE(2, 3, 4). */
typedef struct shape {
    uint32_t rank;
    uint64_t size[TALLY_MAX_RANK];
} shape;

#define SHAPE(...) ((shape){sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), {__VA_ARGS__}})
#define SHAPE_SCALAR ((shape){0, {0}})

tally_tensor shape_tensor(tally_dtype dtype, shape sizes);

/* A reduction of packed tensors. ARGMAX and ARGMIN give a U32, which may be changed after. */
tally_reduce shape_reduce(tally_function function, tally_dtype dtype, shape sizes, uint32_t axes);

tally_cumulative shape_scan(tally_function function, tally_dtype dtype, shape sizes, uint32_t axis);

/* A tally_desc of a description, which lasts as long as the block: SHAPE_DESC(reduce, &sum). */
#define SHAPE_DESC(kind, of) (&(tally_desc){.struct_size = sizeof(tally_desc), .kind = (of)})

/*
 * A legal description of each operator, for tests that break it: sums along the innermost axis of
 * 3 x 4 x 5 float32, running ones, and zeros without a band.
 */
tally_reduce shape_sum_rows(void);
tally_cumulative shape_scan_rows(void);
tally_diagonal shape_fill(shape sizes);

/* The range of an axis of a tensor, in the tensor's memory: with its strides. */
tally_tensor shape_range(const tally_tensor *whole, uint32_t axis, uint64_t begin, uint64_t end);

/* Layouts. Each keeps type and sizes. */

/* Axes nested in random order, with gaps of up to `gap` elements between neighbours. */
void shape_nest(tally_tensor *tensor, uint64_t gap, uint64_t *state);

/* Axes in reverse order, without gaps: Fortran's. */
void shape_transpose(tally_tensor *tensor);

/* Axes in order, each neighbour `gap` elements further than it need be. */
void shape_pad(tally_tensor *tensor, uint64_t gap);

/* Of rank 3, its innermost rows `gap` elements further apart than they need be. */
void shape_space_rows(tally_tensor *tensor, uint64_t gap);

/* Of rank 3, what is along its inner axes `gap` elements further apart than it need be. */
void shape_space_planes(tally_tensor *tensor, uint64_t gap);

/* The axes of the mask repeat one element; the others are packed. Inputs only. */
void shape_repeat(tally_tensor *tensor, uint32_t axes);

/* Any of these at random, for an input; for an output any that keeps elements apart. */
void shape_random_input(tally_tensor *tensor, uint64_t *state);
void shape_random_output(tally_tensor *tensor, uint64_t *state);

#endif
