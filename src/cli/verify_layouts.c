/*
 * The layouts of the fixed set, a table for each use of them. Sizes lie around the edges of
 * whatever splits work: powers of two, blocks, vectors and their neighbours, whoever it is that
 * splits. Ranks are few where all functions and types meet them, as each combination of ranks is a
 * program to compile, and many for a few of them. Knows no function and no type.
 */
#include "cli/verify_layouts.h"

/* clang-format off */
#define P(rank, axes, ...)                {rank, {__VA_ARGS__}, axes, PACKED, PACKED, 0}
#define A(in, out, skip, rank, axes, ...) {rank, {__VA_ARGS__}, axes, in, out, skip}
#define R(rows, terms)                    P(2, 2, rows, terms)
#define C(terms, columns)                 P(2, 1, terms, columns)
#define RX(rows, terms, in, skip)         A(in, PACKED, skip, 2, 2, rows, terms)
#define CX(terms, columns, in, skip)      A(in, PACKED, skip, 2, 1, terms, columns)

/* For every function and type; one kept and one swept axis at most. */
static const verify_layout common[] = {
    /* rows */
    R(1, 1), R(3, 1), R(1000, 1), R(5, 2), R(70, 2), R(20000, 2), R(7, 3), R(9000, 3), R(11, 5),
    R(600, 7), R(33, 8), R(257, 9), R(40, 15), R(1, 16), R(1000, 16), R(193, 17), R(9, 31),
    R(500, 31), R(3, 33), R(400, 33), R(5, 63), R(100, 64), R(50, 65), R(300, 100), R(1, 127),
    R(31, 127), R(1, 128), R(70, 128), R(33, 129), R(2, 130), R(9, 191), R(17, 255), R(8, 256),
    R(7, 257), R(1, 383), R(60, 500), R(3, 511), R(9, 1000), R(5, 1023), R(4, 1024), R(3, 1025),
    R(2, 1151), R(1, 1153), R(7, 2048), R(5, 2049), R(1, 3000), R(9, 4095), R(3, 4096), R(5, 4097),
    R(1, 4223), R(2, 4224), R(1, 4225), R(3, 5121), R(1, 8191), R(2, 8192), R(3, 8193),
    R(1, 12289), R(5, 20481), R(1, 40000), R(1, 65537), R(2, 65536),
    /* columns */
    C(2, 1000), C(2, 3), C(3, 4097), C(5, 129), C(7, 65), C(16, 31), C(17, 16), C(31, 3),
    C(33, 1000), C(64, 257), C(65, 64), C(100, 7), C(127, 5), C(128, 2), C(129, 15), C(130, 17),
    C(255, 33), C(257, 4), C(511, 9), C(1000, 8), C(1023, 3), C(1025, 63), C(2047, 31), C(2049, 2),
    C(3000, 32), C(4095, 7), C(4096, 16), C(4097, 5), C(5121, 17), C(8193, 3), C(300, 511),
    C(200, 513),
    /* the same in other places */
    RX(9, 100, PACKED, 1), RX(33, 128, PACKED, 2), RX(5, 1025, PACKED, 3), RX(7, 4097, PACKED, 1),
    RX(3, 8192, PACKED, 5), RX(100, 16, PACKED, 7), CX(130, 33, PACKED, 1),
    CX(1025, 16, PACKED, 3), CX(4097, 8, PACKED, 5), RX(100, 16, GAPPED, 0),
    RX(65, 127, GAPPED, 1), RX(5, 1025, GAPPED, 0), RX(3, 4097, GAPPED, 2), CX(129, 31, GAPPED, 0),
    CX(4097, 4, GAPPED, 1), RX(33, 100, SPACED, 0), RX(3, 4097, SPACED, 1), CX(130, 16, SPACED, 0),
    CX(4097, 3, SPACED, 1), RX(1000, 16, TRANSPOSED, 0), RX(65, 129, TRANSPOSED, 1),
    RX(16, 1025, TRANSPOSED, 0), RX(5, 4097, TRANSPOSED, 0), RX(3, 8193, TRANSPOSED, 3),
    CX(16, 1000, TRANSPOSED, 0), CX(129, 65, TRANSPOSED, 1), CX(4097, 5, TRANSPOSED, 0),
    RX(9, 1025, REPEAT_OUTER, 0), RX(7, 4097, REPEAT_INNER, 0), CX(300, 9, REPEAT_OUTER, 0),
    CX(4097, 5, REPEAT_INNER, 0), A(PACKED, SPACED, 0, 2, 2, 33, 129),
    A(PACKED, SPACED, 1, 2, 2, 3, 4097), A(PACKED, SPACED, 0, 2, 1, 129, 33),
    A(TRANSPOSED, SPACED, 0, 2, 2, 16, 100),
    /* all of it, none of it, nothing */
    P(1, 1, 4098), A(PACKED, PACKED, 1, 2, 3, 65, 67), P(3, 7, 5, 1, 901), P(2, 0, 37, 51),
    A(PACKED, PACKED, 1, 0, 0, 0), A(SPACED, PACKED, 0, 1, 0, 1000), R(3, 0), R(0, 5),
};

/* For each of the options, over float32. */
static const verify_layout optional[] = {
    R(1, 1), R(1000, 2), R(70, 3), R(300, 16), R(33, 31), R(70, 64), R(31, 127), R(70, 128),
    R(33, 129), R(7, 257), R(9, 1000), R(3, 1025), R(9, 4095), R(5, 4097), R(3, 8193), R(1, 40000),
    C(3, 1000), C(17, 64), C(130, 17), C(1025, 9), C(4097, 5), C(8193, 3), RX(33, 128, PACKED, 3),
    RX(5, 1025, TRANSPOSED, 0), RX(3, 4097, GAPPED, 1), CX(4097, 3, SPACED, 1),
};

/* And over the other types, whose keys are joined alike: rows of one block. */
static const verify_layout few[] = {
    R(33, 129), R(9, 191), R(7, 257), R(60, 500), R(9, 1000), R(3, 1025), R(7, 2048), R(9, 4095),
    R(5, 4096), RX(65, 130, PACKED, 1), RX(5, 1025, PACKED, 3), RX(5, 1025, GAPPED, 1),
};

/* Of many ranks: for a few functions and types. */
static const verify_layout ranked[] = {
    /* middle axes */
    P(3, 2, 5, 127, 3), A(PACKED, PACKED, 1, 3, 2, 7, 128, 16), P(3, 2, 3, 129, 33),
    P(3, 2, 2, 1024, 17), A(PACKED, PACKED, 3, 3, 2, 3, 1025, 5), P(3, 2, 2, 4097, 9),
    P(3, 2, 33, 5, 31), P(3, 2, 70, 16, 64), P(3, 2, 300, 7, 2), P(3, 2, 1, 4096, 31),
    P(3, 2, 1000, 16, 3), A(PACKED, SPACED, 0, 3, 2, 9, 2049, 2),
    A(PACKED, TRANSPOSED, 0, 4, 4, 3, 4, 129, 5), A(GAPPED, PACKED, 0, 3, 2, 5, 1025, 7),
    A(SPACED, PACKED, 1, 3, 2, 5, 129, 7), A(TRANSPOSED, PACKED, 0, 3, 2, 5, 129, 7),
    /* several groups */
    P(3, 5, 33, 3, 500), A(PACKED, PACKED, 1, 3, 5, 129, 2, 130), P(3, 5, 5, 7, 4097),
    P(3, 5, 4097, 2, 3), P(3, 5, 64, 5, 64), P(3, 5, 1025, 1, 9), P(3, 5, 2, 130, 2),
    A(PACKED, SPACED, 3, 3, 5, 16, 33, 16), P(3, 5, 130, 33, 129),
    A(GAPPED, PACKED, 0, 3, 5, 2, 3, 8193), A(TRANSPOSED, PACKED, 0, 3, 5, 100, 7, 33),
    A(SPACED, PACKED, 1, 3, 5, 31, 9, 33), A(REPEAT_OUTER, PACKED, 0, 3, 5, 9, 20, 130),
    A(REPEAT_INNER, PACKED, 0, 3, 5, 9, 20, 130), P(5, 21, 3, 2, 5, 2, 7),
    A(PACKED, PACKED, 1, 5, 21, 2, 2, 130, 2, 33), P(5, 21, 2, 5, 17, 3, 9),
    P(7, 85, 2, 3, 2, 3, 2, 3, 5), P(8, 170, 2, 3, 2, 3, 2, 3, 2, 129),
    A(TRANSPOSED, PACKED, 0, 5, 21, 4, 3, 5, 2, 17),
    /* groups of several axes, any strides */
    P(3, 6, 7, 33, 65), A(SPACED, PACKED, 0, 3, 6, 7, 33, 65),
    A(TRANSPOSED, PACKED, 1, 3, 6, 7, 33, 65), P(3, 3, 65, 33, 7),
    A(SPACED, PACKED, 0, 3, 3, 65, 33, 7), A(TRANSPOSED, TRANSPOSED, 0, 3, 3, 65, 33, 7),
    P(3, 7, 17, 33, 129), A(SPACED, PACKED, 1, 3, 7, 17, 33, 129),
    A(TRANSPOSED, PACKED, 0, 3, 7, 17, 33, 129), A(REPEAT_OUTER, PACKED, 0, 3, 7, 9, 33, 129),
    A(REPEAT_INNER, PACKED, 0, 3, 7, 9, 33, 129), A(SPACED, PACKED, 0, 4, 14, 5, 7, 9, 11),
    A(TRANSPOSED, PACKED, 0, 4, 7, 5, 7, 9, 11), A(SPACED, PACKED, 0, 5, 28, 3, 4, 5, 6, 7),
    A(TRANSPOSED, TRANSPOSED, 0, 6, 15, 3, 3, 4, 5, 6, 7),
    A(SPACED, PACKED, 0, 8, 240, 2, 3, 2, 3, 2, 3, 2, 3),
    A(TRANSPOSED, PACKED, 0, 8, 15, 3, 2, 3, 2, 3, 2, 3, 2),
    A(SPACED, PACKED, 0, 8, 254, 2, 2, 3, 2, 3, 2, 5, 9),
    A(SPACED, PACKED, 0, 8, 127, 2, 2, 3, 2, 3, 2, 5, 9),
    /* nothing swept */
    A(TRANSPOSED, PACKED, 0, 3, 0, 5, 7, 9), A(PACKED, TRANSPOSED, 0, 3, 0, 5, 7, 9),
    A(SPACED, TRANSPOSED, 0, 8, 0, 2, 3, 2, 3, 2, 3, 2, 3), P(3, 2, 5, 0, 9), P(3, 7, 5, 7, 9),
};

/* More than 4096 blocks: for very few. */
static const verify_layout large[] = {
    A(PACKED, PACKED, 1, 1, 1, 16781315), P(2, 1, 16400, 33), P(2, 2, 3, 300001),
};
static const verify_layout repeated[] = {
    A(REPEAT_OUTER, PACKED, 0, 2, 3, 4097, 4099), A(PACKED, PACKED, 1, 2, 1, 70001, 7),
};
/* clang-format on */

#define LIST(table)                                                                                \
    { table, sizeof(table) / sizeof(table)[0] }
const verify_layout_list verify_layouts_common = LIST(common);
const verify_layout_list verify_layouts_optional = LIST(optional);
const verify_layout_list verify_layouts_few = LIST(few);
const verify_layout_list verify_layouts_ranked = LIST(ranked);
const verify_layout_list verify_layouts_large = LIST(large);
const verify_layout_list verify_layouts_repeated = LIST(repeated);

void verify_arrange(tally_tensor *tensor, verify_arrangement how) {
    uint64_t step = how == SPACED ? 2 : 1;
    if (how == PACKED)
        return;
    tensor->flags = TALLY_STRIDED;
    for (uint32_t i = 0; i < tensor->rank; i++) {
        const uint32_t k = how == TRANSPOSED ? i : tensor->rank - 1 - i;
        step += how == GAPPED && k == 0 && tensor->rank > 1 ? 3 : 0;
        tensor->stride[k] = step;
        step *= tensor->size[k];
        step += how == SPACED ? 1 : 0;
    }
    if (how == REPEAT_OUTER)
        tensor->stride[0] = 0;
    if (how == REPEAT_INNER)
        tensor->stride[tensor->rank - 1] = 0;
}
