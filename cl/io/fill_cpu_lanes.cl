/*
 * Lines that are transposed in registers, for fills on CPUs: a vector has two lanes of 16 bytes, and
 * lanes of as many lines as a lane has elements exchange them in rounds. Knows nothing of boxes and
 * of the band.
 */

#if TALLY_HAS_INPUT
/* Elements of a lane, and two vectors whose lanes are interleaved, from their low or high half. */
#define TALLY_LANE (16 / TALLY_BYTES)
#if TALLY_BYTES == 8
#define TALLY_LOW 0, 4, 2, 6
#define TALLY_HIGH 1, 5, 3, 7
#elif TALLY_BYTES == 4
#define TALLY_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define TALLY_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#elif TALLY_BYTES == 2
#define TALLY_LOW 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27
#define TALLY_HIGH 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31
#else
#define TALLY_LOW                                                                                  \
    0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19, 51, 20,    \
        52, 21, 53, 22, 54, 23, 55
#define TALLY_HIGH                                                                                 \
    8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58, 27, 59,  \
        28, 60, 29, 61, 30, 62, 31, 63
#endif

#if TALLY_WIDE
typedef TALLY_STORAGE TALLY_FN(lane) __attribute__((ext_vector_type(TALLY_LANE)));
typedef TALLY_STORAGE TALLY_FN(lanes) __attribute__((ext_vector_type(2 * TALLY_LANE)));
typedef TALLY_FN(lane) TALLY_FN(lane_at) __attribute__((aligned(TALLY_BYTES)));
typedef TALLY_FN(lanes) TALLY_FN(lanes_at) __attribute__((aligned(TALLY_BYTES)));

#if TALLY_LANE == 2
#define TALLY_BOTH_LANES(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3)
#elif TALLY_LANE == 4
#define TALLY_BOTH_LANES(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7)
#elif TALLY_LANE == 8
#define TALLY_BOTH_LANES(x, y)                                                                     \
    __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#else
#define TALLY_BOTH_LANES(x, y)                                                                     \
    __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,    \
                            18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
#endif

/* Part of a line: elements that are step apart. */
static __attribute__((noinline)) TALLY_FN(lane)
TALLY_FN(part_of_line)(__global const TALLY_STORAGE *in, tally_index step) {
#if TALLY_LANE > 2
    if (step == 2) {
        const TALLY_FN(lane) x = *(__global const TALLY_FN(lane_at) *)in;
        const TALLY_FN(lane) y = *(__global const TALLY_FN(lane_at) *)(in + TALLY_LANE - 1);
        return (TALLY_FN(lane))(x.even, y.odd);
    }
#endif
    TALLY_STORAGE element[TALLY_LANE] __attribute__((aligned(16)));
    _Pragma("unroll")
    for (uint i = 0; i < TALLY_LANE; i++)
        element[i] = in[i * step];
    return *(const TALLY_FN(lane) *)element;
}

/* A round: of two vectors half a lane of vectors apart, the elements of either half alternate. */
#define TALLY_TRANSPOSE_ONCE(from, to)                                                             \
    _Pragma("unroll") for (uint i = 0; i < TALLY_LANE / 2; i++) {                                  \
        to[2 * i] = __builtin_shufflevector(from[i], from[i + TALLY_LANE / 2], TALLY_LOW);         \
        to[2 * i + 1] = __builtin_shufflevector(from[i], from[i + TALLY_LANE / 2], TALLY_HIGH);    \
    }
#if TALLY_LANE == 2
#define TALLY_TRANSPOSE_LANES TALLY_TRANSPOSE_ONCE(x, y)
#define TALLY_TRANSPOSED y
#elif TALLY_LANE == 4
#define TALLY_TRANSPOSE_LANES TALLY_TRANSPOSE_ONCE(x, y) TALLY_TRANSPOSE_ONCE(y, x)
#define TALLY_TRANSPOSED x
#elif TALLY_LANE == 8
#define TALLY_TRANSPOSE_LANES TALLY_TRANSPOSE_ONCE(x, y) TALLY_TRANSPOSE_ONCE(y, x) TALLY_TRANSPOSE_ONCE(x, y)
#define TALLY_TRANSPOSED y
#else
#define TALLY_TRANSPOSE_LANES                                                                      \
    TALLY_TRANSPOSE_ONCE(x, y)                                                                     \
    TALLY_TRANSPOSE_ONCE(y, x) TALLY_TRANSPOSE_ONCE(x, y) TALLY_TRANSPOSE_ONCE(y, x)
#define TALLY_TRANSPOSED x
#endif

/*
 * As many elements of two lanes of lines, all of which there are, to rows of both lanes; and twice
 * as many elements of a lane of lines, or of fewer, to rows of a lane. part: of a line, a lane.
 */
#define TALLY_MAKE_TRANSPOSE(many, few, part, parts)                                               \
    static void TALLY_FN(many)(__global const TALLY_STORAGE *in, tally_index step,                 \
                               const tally_index *line, TALLY_STORAGE *to, const uint *row,        \
                               uint rows) {                                                        \
        TALLY_FN(lanes) x[TALLY_LANE], y[TALLY_LANE];                                              \
        _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++) {                                  \
            const TALLY_FN(lane) low = part(in + line[i]);                                         \
            const TALLY_FN(lane) high = part(in + line[i + TALLY_LANE]);                           \
            x[i] = TALLY_BOTH_LANES(low, high);                                                    \
        }                                                                                          \
        TALLY_TRANSPOSE_LANES                                                                      \
        if (rows >= TALLY_LANE)                                                                    \
            _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++)                                \
                *(TALLY_FN(lanes_at) *)(to + row[i]) = TALLY_TRANSPOSED[i];                        \
        else                                                                                       \
            _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++) if (i < rows)                  \
                *(TALLY_FN(lanes_at) *)(to + row[i]) = TALLY_TRANSPOSED[i];                        \
    }                                                                                              \
    static void TALLY_FN(few)(__global const TALLY_STORAGE *in, tally_index step,                  \
                              const tally_index *line, uint lines, TALLY_STORAGE *to,              \
                              const uint *row, uint rows) {                                        \
        TALLY_FN(lanes) x[TALLY_LANE], y[TALLY_LANE];                                              \
        _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++)                                    \
            x[i] = parts(in + line[min(i, lines - 1)]);                                            \
        TALLY_TRANSPOSE_LANES                                                                      \
        _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++) if (i < rows)                      \
            *(TALLY_FN(lane_at) *)(to + row[i]) = TALLY_TRANSPOSED[i].lo;                          \
        _Pragma("unroll") for (uint i = 0; i < TALLY_LANE; i++) if (i + TALLY_LANE < rows)         \
            *(TALLY_FN(lane_at) *)(to + row[i + TALLY_LANE]) = TALLY_TRANSPOSED[i].hi;             \
    }
#define TALLY_PART(at) (*(__global const TALLY_FN(lane_at) *)(at))
#define TALLY_PARTS(at) (*(__global const TALLY_FN(lanes_at) *)(at))
TALLY_MAKE_TRANSPOSE(transpose_many, transpose_few, TALLY_PART, TALLY_PARTS)
#define TALLY_PART_STRIDED(at) TALLY_FN(part_of_line)(at, step)
#define TALLY_PARTS_STRIDED(at)                                                                    \
    TALLY_BOTH_LANES(TALLY_PART_STRIDED(at), TALLY_PART_STRIDED((at) + TALLY_LANE * step))
TALLY_MAKE_TRANSPOSE(transpose_many_strided, transpose_few_strided, TALLY_PART_STRIDED,
                     TALLY_PARTS_STRIDED)
#endif
#endif
