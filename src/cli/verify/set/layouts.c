/*
 * The layouts of the fixed set, a table for each use of them. Sizes lie around the edges of
 * whatever splits work: powers of two, blocks, vectors and their neighbours, whoever it is that
 * splits. Ranks are few where all functions and types meet them, as each combination of ranks is a
 * program to compile, and many for a few of them. Knows no function and no type.
 */
#include "cli/verify/set/layouts.h"

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

/* And over the other types, whose keys are combined alike: rows of one block. */
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

/* Scans. Of one kept axis at most; around 16 terms, 256 and 4096. */
static const verify_layout scans[] = {
    /* rows */
    R(1, 1), R(1000, 1), R(5, 2), R(5000, 2), R(3000, 3), R(600, 7), R(40, 15), R(1, 16),
    R(500, 16), R(193, 17), R(9, 31), R(100, 33), R(100, 64), R(70, 100), R(31, 127), R(33, 128),
    R(17, 255), R(8, 256), R(7, 257), R(3, 272), R(5, 511), R(9, 1000), R(4, 1024), R(3, 1025),
    R(5, 2049), R(2, 4095), R(3, 4096), R(5, 4097), R(1, 4112), R(2, 4353), R(2, 8192), R(3, 8193),
    P(1, 1, 12305), P(1, 1, 65553), P(2, 1, 1, 17),
    /* columns */
    C(2, 1000), C(3, 4097), C(15, 65), C(16, 31), C(17, 16), C(33, 1000), C(64, 257), C(100, 7),
    C(255, 33), C(256, 9), C(257, 4), C(272, 3), C(1000, 8), C(1025, 31), C(2049, 2), C(4095, 7),
    C(4096, 16), C(4097, 5), C(8193, 3), C(70, 511), C(20001, 2),
    /* the same in other places */
    RX(9, 100, PACKED, 1), RX(5, 1025, PACKED, 3), RX(3, 4097, PACKED, 2), RX(100, 16, PACKED, 7),
    CX(130, 33, PACKED, 1), CX(4097, 8, PACKED, 5), RX(65, 127, GAPPED, 1), CX(129, 31, GAPPED, 0),
    RX(3, 4097, SPACED, 1), CX(4097, 3, SPACED, 0), RX(1000, 16, TRANSPOSED, 0),
    RX(5, 4097, TRANSPOSED, 3), CX(129, 65, TRANSPOSED, 1), RX(9, 1025, REPEAT_OUTER, 0),
    RX(3, 4097, REPEAT_INNER, 0), CX(4097, 5, REPEAT_INNER, 0), A(PACKED, SPACED, 1, 2, 2, 33, 129),
    A(PACKED, GAPPED, 0, 2, 2, 5, 257), A(PACKED, TRANSPOSED, 0, 2, 2, 65, 130),
    A(GAPPED, GAPPED, 0, 2, 2, 7, 515), A(SPACED, SPACED, 0, 2, 1, 515, 7),
    A(SPACED, SPACED, 0, 1, 1, 4099), A(TRANSPOSED, TRANSPOSED, 0, 2, 2, 130, 33),
    R(3, 0), R(0, 5),
};
static const verify_layout scan_few[] = {
    R(300, 16), R(70, 33), R(33, 129), R(7, 257), R(9, 1000), R(3, 1025), R(2, 4097), C(17, 64),
    C(130, 17), C(257, 9), C(4097, 3), RX(5, 1025, PACKED, 3), RX(65, 130, TRANSPOSED, 0),
    A(SPACED, SPACED, 0, 2, 2, 9, 300),
};
static const verify_layout scan_ranked[] = {
    /* middle axes */
    P(3, 2, 5, 127, 3), P(3, 2, 70, 16, 64), P(3, 2, 300, 7, 2), P(3, 2, 1, 4096, 31),
    P(3, 2, 1000, 16, 3), P(3, 2, 2, 4097, 9), P(3, 2, 33, 5, 31), P(3, 2, 2, 1025, 17),
    A(PACKED, PACKED, 1, 3, 2, 7, 128, 16), A(PACKED, SPACED, 0, 3, 2, 9, 300, 2),
    A(GAPPED, PACKED, 0, 3, 2, 5, 1025, 7), A(SPACED, SPACED, 0, 3, 2, 5, 129, 7),
    A(TRANSPOSED, PACKED, 0, 3, 2, 5, 129, 7), A(REPEAT_OUTER, PACKED, 0, 3, 2, 9, 20, 130),
    A(REPEAT_INNER, PACKED, 0, 3, 2, 9, 260, 13),
    /* outer and inner axes with two kept ones beside them */
    A(SPACED, PACKED, 0, 3, 4, 5, 7, 515), A(TRANSPOSED, PACKED, 1, 3, 4, 5, 7, 258),
    A(SPACED, PACKED, 0, 3, 1, 515, 7, 5), A(TRANSPOSED, TRANSPOSED, 0, 3, 1, 258, 7, 5),
    P(3, 4, 5, 7, 4097), P(3, 1, 4097, 3, 5),
    /* any number of axes */
    A(SPACED, SPACED, 0, 4, 4, 3, 4, 129, 5), A(TRANSPOSED, PACKED, 0, 5, 4, 3, 4, 33, 2, 5),
    A(SPACED, PACKED, 1, 8, 16, 2, 3, 2, 3, 17, 2, 3, 2),
    A(TRANSPOSED, PACKED, 0, 8, 128, 2, 2, 3, 2, 3, 2, 2, 33), P(3, 2, 5, 0, 9), P(3, 2, 0, 5, 9),
};
static const verify_layout scan_long[] = {
    P(1, 1, 262144), P(1, 1, 262145), A(PACKED, PACKED, 1, 1, 1, 524305),
    C(262161, 2), R(2, 266256), A(SPACED, PACKED, 0, 1, 1, 270000),
};

/* Fills. */
#define B(begin, end, ...)       {begin, end, false, {__VA_ARGS__}}
#define IN_PLACE(begin, end, ...) {begin, end, true, {__VA_ARGS__}}
#define M(...)      2, {__VA_ARGS__}, 0, PACKED, PACKED, 0
#define S(rank, ...) rank, {__VA_ARGS__}, 0, PACKED, PACKED, 0
#define X(in, out, skip, rank, ...) rank, {__VA_ARGS__}, 0, in, out, skip
static const verify_band bands[] = {
    /* every kind of band */
    B(1, 257, M(257, 256)), B(0, 1, M(1, 1)), B(1, 2, M(1, 1)), B(0, 1, M(5, 7)), B(0, 1, M(7, 5)),
    B(-2, 3, M(16, 16)),
    B(3, -2, M(16, 17)), B(0, 0, M(17, 15)), B(5, 5, M(9, 9)),
    B(-256, 0, M(257, 257)), B(-1, 1, M(1, 1000)), B(-1, 1, M(1000, 1)), B(7, 8, M(3, 4097)),
    B(-3, 100, M(129, 33)), B(100, -3, M(33, 129)), B(31, 33, M(100, 1000)),
    B(-900, -800, M(1000, 100)),
    B(1000, 2000, M(65, 64)), B(2000, 1000, M(64, 65)),
    B(INT32_MIN, INT32_MAX, M(63, 31)), B(INT32_MAX, INT32_MIN, M(31, 63)),
    B(INT64_MIN, 0, M(40, 41)), B(1, INT64_MAX, M(41, 40)), B(INT64_MAX, INT64_MIN, M(15, 16)),
    B(INT64_MIN, INT64_MAX, M(16, 15)), B(-128, 129, M(515, 513)), B(129, -128, M(513, 515)),
    /* batches */
    B(0, 1, S(3, 5, 33, 65)), B(1, 64, S(3, 70, 64, 64)), B(-1, 2, S(3, 1000, 3, 3)),
    B(3, -3, S(3, 9, 130, 17)), B(0, 17, S(4, 2, 3, 17, 31)),
    B(-1, 1, S(8, 2, 1, 2, 1, 3, 2, 9, 17)),
    /* other places */
    B(0, 40, X(PACKED, PACKED, 1, 2, 65, 67)), B(40, 0, X(PACKED, PACKED, 3, 3, 5, 33, 31)),
    B(-5, 6, X(TRANSPOSED, PACKED, 0, 2, 65, 130)), B(6, -5, X(GAPPED, PACKED, 1, 2, 33, 100)),
    B(-9, 9, X(REPEAT_OUTER, PACKED, 0, 3, 7, 33, 35)),
    B(9, -9, X(REPEAT_INNER, PACKED, 0, 2, 65, 66)),
    B(0, 9, X(SPACED, SPACED, 0, 2, 33, 34)), B(-9, 0, X(GAPPED, GAPPED, 0, 3, 3, 17, 32)),
    B(0, 3, X(PACKED, TRANSPOSED, 0, 2, 66, 65)), B(3, 0, X(PACKED, GAPPED, 0, 2, 130, 64)),
    B(-7, 2, X(PACKED, SPACED, 2, 3, 3, 17, 33)),
    B(2, -7, X(TRANSPOSED, SPACED, 0, 4, 3, 2, 9, 16)),
    IN_PLACE(1, 300, M(257, 300)), IN_PLACE(64, -64, M(200, 129)),
    IN_PLACE(-1, 2, S(3, 33, 16, 16)),
    IN_PLACE(0, 9, X(SPACED, SPACED, 0, 2, 33, 35)),
    IN_PLACE(5, 0, X(TRANSPOSED, TRANSPOSED, 0, 3, 5, 33, 31)),
    /* nothing */
    B(0, 1, S(3, 0, 5, 5)), B(0, 1, M(3, 0)),
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
const verify_layout_list verify_layouts_scans = LIST(scans);
const verify_layout_list verify_layouts_scan_few = LIST(scan_few);
const verify_layout_list verify_layouts_scan_ranked = LIST(scan_ranked);
const verify_layout_list verify_layouts_scan_long = LIST(scan_long);
const verify_band_list verify_bands = LIST(bands);

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
