/*
 * The axes of a fill in the order of the output's memory, and a walk along them: a line is the
 * innermost axis. The macros use what a kernel has by these names: a, the arguments; rest, a number
 * of elements or runs; t, the diagonal less the band's first one; c1.., the coordinates.
 */
#if TALLY_INDEX_BITS == 32
typedef int TALLY_FN(signed);
#else
typedef long TALLY_FN(signed);
#endif
#define tally_signed TALLY_FN(signed)

/* A dword of narrow elements, or several dwords, with ones where an element's bit is set. */
#if TALLY_BYTES == 2
#define TALLY_SPREAD(set) ((((set) & 1) | ((set) << 15 & 0x10000)) * 0xFFFF)
#elif TALLY_BYTES == 1
#define TALLY_SPREAD(set) (((set)*0x204081 & 0x01010101) * 0xFF)
#endif

/* n / d for n of 31 or 63 bits; see tally_plan_magic. */
#define TALLY_QUOTIENT(n, magic, shift)                                                            \
    (mul_hi((tally_index)((n) << 1), (tally_index)(magic)) >> (uint)(shift))

/* What coordinate c of axis k adds in both tensors and to the diagonal. */
#define TALLY_ADD(a, k, c, in, out, t)                                                             \
    in += (c) * (tally_index)(a).kept_in[k];                                                       \
    out += (c) * (tally_index)(a).kept_out[k];                                                     \
    t += (c) * (tally_index)(a).diagonal[k];

/* The same to a position of a box; see box_positions.cl. */
typedef struct {
    tally_index in, out, diagonal;
} TALLY_FN(position);
#define TALLY_ADD_TO(at, k, c) TALLY_ADD(a, k, c, at.in, at.out, at.diagonal)

/* Takes rest along axis k: what it adds, and its coordinate. */
#define TALLY_ALONG(a, k, in, out, t)                                                              \
    {                                                                                              \
        const tally_index over = TALLY_QUOTIENT(rest, (a).magic[k], (a).shift[k]);                 \
        const tally_index c = rest - over * (tally_index)(a).kept_size[k];                         \
        TALLY_ADD(a, k, c, in, out, t)                                                             \
        rest = over;                                                                               \
    }

/* At the end of a line to the first element of the next one. */
#define TALLY_ADVANCE(k, before, rest)                                                             \
    if (c##k == (tally_index)a.kept_size[k]) {                                                     \
        c##k = 0;                                                                                  \
        t += (tally_index)a.diagonal[before] -                                                     \
             (tally_index)a.kept_size[k] * (tally_index)a.diagonal[k];                             \
        rest                                                                                       \
    }
/*
 * TALLY_NEXT_LINE_BY(advance): to the next line by TALLY_ADVANCE, or by what does more than that.
 */
#if TALLY_KEPT_RANK == 2
#define TALLY_COORDINATES c1 = 0
#define TALLY_NEXT_LINE_BY(advance) advance(1, 0, )
#elif TALLY_KEPT_RANK == 4
#define TALLY_COORDINATES c1 = 0, c2 = 0, c3 = 0
#define TALLY_NEXT_LINE_BY(advance) advance(3, 2, c2++; advance(2, 1, c1++; advance(1, 0, )))
#else
#define TALLY_COORDINATES c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0
#define TALLY_NEXT_LINE_BY(advance)                                                                \
    advance(7, 6, c6++; advance(6, 5, c5++; advance(5, 4, c4++;                                    \
        advance(4, 3, c3++; advance(3, 2, c2++; advance(2, 1, c1++; advance(1, 0, )))))))
#endif
#define TALLY_NEXT_LINE TALLY_NEXT_LINE_BY(TALLY_ADVANCE)

/* The coordinate in a line. */
#define TALLY_LAST_AXIS (TALLY_KEPT_RANK - 1)
#if TALLY_KEPT_RANK == 2
#define TALLY_LAST_COORDINATE c1
#elif TALLY_KEPT_RANK == 4
#define TALLY_LAST_COORDINATE c3
#else
#define TALLY_LAST_COORDINATE c7
#endif

/*
 * Of count elements of a line those from *from to *to are in the band; step is the line's diagonal.
 */
#define TALLY_WINDOW_OF(t, count, from, to)                                                        \
    {                                                                                              \
        const tally_signed at = (tally_signed)(t), most = (tally_signed)(count);                   \
        from = 0;                                                                                  \
        to = at >= 0 && at < width ? most : 0;                                                     \
        if (step != 0) {                                                                           \
            from = clamp(step > 0 ? 0 - at : at - width + 1, (tally_signed)0, most);               \
            to = clamp(step > 0 ? width - at : at + 1, (tally_signed)0, most);                     \
        }                                                                                          \
    }
