/*
 * Several vectors side by side, for exp.cl, which follows and is made for them too: exponentials
 * that do not wait for each other go step by step together, as one alone is mostly waiting. Where
 * the compiler has no such types they are single vectors, and the function is left alone.
 */
#if TALLY_HAS_WIDES
typedef TALLY_COMPUTE tally_wides __attribute__((ext_vector_type(TALLY_SIDES * TALLY_WIDTH)));
typedef tally_position tally_wide_bits __attribute__((ext_vector_type(TALLY_SIDES * TALLY_WIDTH)));
#undef TALLY_XTO_BITS
#undef TALLY_XFROM_BITS
#define TALLY_XTO_BITS(x) __builtin_astype(x, tally_wide_bits)
#define TALLY_XFROM_BITS(bits) __builtin_astype(bits, tally_wides)
#else
typedef tally_computes tally_wides;
#endif
#undef TALLY_X
#undef TALLY_XFN
#define TALLY_X tally_wides
#define TALLY_XFN(name) name##_wide
