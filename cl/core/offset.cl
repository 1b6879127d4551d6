/*
 * Where an element of several axes lies, from its number. Knows no type of elements.
 */

/*
 * Let memory begin where a view of it does, so many elements on. NVIDIA's compiler of OpenCL C
 * would add them to the index of each element instead, which makes four instructions of an address
 * that takes two, so it is kept from knowing where the pointer comes from.
 */
#ifdef __NV_CL_C_VERSION
#define TALLY_VIEW(memory, elements)                                                              \
    do {                                                                                           \
        (memory) += (elements);                                                                    \
        asm("" : "+l"(memory));                                                                    \
    } while (0)
#else
#define TALLY_VIEW(memory, elements) (memory) += (elements)
#endif

/*
 * The offset of element i, row-major, of the axes size[rank] with those strides. Indices are
 * constants and no address is taken, so that an argument struct stays where it is.
 */
#define TALLY_OFFSET(rank, size, stride, i) TALLY_OFFSET_OF(rank, size, stride, i)
#define TALLY_OFFSET_OF(rank, size, stride, i) TALLY_OFFSET_##rank(size, stride, i)
#define TALLY_OFFSET_1(size, stride, i) ((i) * (tally_index)(stride)[0])
#define TALLY_OFFSET_2(size, stride, i)                                                            \
    tally_offset_2(i, (tally_index)(size)[1], (tally_index)(stride)[0], (tally_index)(stride)[1])
#define TALLY_OFFSET_4(size, stride, i)                                                            \
    tally_offset_4(i, (tally_index)(size)[1], (tally_index)(size)[2], (tally_index)(size)[3],      \
                   (tally_index)(stride)[0], (tally_index)(stride)[1], (tally_index)(stride)[2],   \
                   (tally_index)(stride)[3])
#define TALLY_OFFSET_8(size, stride, i)                                                            \
    tally_offset_8(i, (tally_index)(size)[1], (tally_index)(size)[2], (tally_index)(size)[3],      \
                   (tally_index)(size)[4], (tally_index)(size)[5], (tally_index)(size)[6],         \
                   (tally_index)(size)[7], (tally_index)(stride)[0], (tally_index)(stride)[1],     \
                   (tally_index)(stride)[2], (tally_index)(stride)[3], (tally_index)(stride)[4],   \
                   (tally_index)(stride)[5], (tally_index)(stride)[6], (tally_index)(stride)[7])

static tally_index tally_offset_2(tally_index i, tally_index n1, tally_index s0, tally_index s1) {
    const tally_index outer = i / n1;
    return outer * s0 + (i - outer * n1) * s1;
}

static tally_index tally_offset_4(tally_index i, tally_index n1, tally_index n2, tally_index n3,
                                  tally_index s0, tally_index s1, tally_index s2, tally_index s3) {
    const tally_index j = i / n3, k = j / n2;
    return tally_offset_2(k, n1, s0, s1) + (j - k * n2) * s2 + (i - j * n3) * s3;
}

static tally_index tally_offset_8(tally_index i, tally_index n1, tally_index n2, tally_index n3,
                                  tally_index n4, tally_index n5, tally_index n6, tally_index n7,
                                  tally_index s0, tally_index s1, tally_index s2, tally_index s3,
                                  tally_index s4, tally_index s5, tally_index s6, tally_index s7) {
    const tally_index j = i / n7, k = j / n6, l = k / n5, m = l / n4;
    return tally_offset_4(m, n1, n2, n3, s0, s1, s2, s3) + (l - m * n4) * s4 + (k - l * n5) * s5 +
           (j - k * n6) * s6 + (i - j * n7) * s7;
}

/* take(k) of each axis that a kernel has room for, the innermost first; of all but the outermost. */
#if TALLY_KEPT_RANK <= 2
#define TALLY_EACH_OUTER_AXIS(take)
#define TALLY_EACH_AXIS(take) take(1)
#elif TALLY_KEPT_RANK == 4
#define TALLY_EACH_OUTER_AXIS(take) take(2) take(1)
#define TALLY_EACH_AXIS(take) take(3) TALLY_EACH_OUTER_AXIS(take)
#else
#define TALLY_EACH_OUTER_AXIS(take) take(6) take(5) take(4) take(3) take(2) take(1)
#define TALLY_EACH_AXIS(take) take(7) TALLY_EACH_OUTER_AXIS(take)
#endif
#define TALLY_EVERY_AXIS(take) TALLY_EACH_AXIS(take) take(0)
