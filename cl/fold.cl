/*
 * What the fold kernels share, once per variant: TALLY_FIRST launches read elements, others the
 * states that the launch before left, [outputs][terms]; TALLY_LAST ones write elements, others
 * states, [outputs][blocks].
 */
#if TALLY_FIRST
#define TALLY_SOURCE TALLY_STORAGE
#else
#define TALLY_SOURCE tally_state
#endif
#if !TALLY_LAST
#define TALLY_TARGET tally_state
#elif TALLY_STATE_IS_INDEXED
#define TALLY_TARGET TALLY_OUT_STORAGE
#else
#define TALLY_TARGET TALLY_STORAGE
#endif

/* Where the terms of an output begin. */
static tally_index TALLY_FN(origin)(const tally_fold_args *a, tally_index output) {
#if TALLY_FIRST
    return tally_offset(TALLY_KEPT_RANK, a->kept_size, a->kept_in, output);
#else
    return output * (tally_index)a->terms;
#endif
}

static tally_state TALLY_FN(term)(__global const TALLY_SOURCE *in, const tally_fold_args *a,
                                  tally_index origin, tally_index i) {
#if TALLY_FIRST
    const tally_index at = origin + tally_offset(TALLY_SWEPT_RANK, a->swept_size, a->swept_in, i);
    return tally_begin(tally_load(in, at), i);
#else
    return tally_resume(in[origin + i], i, (tally_index)a->index_scale);
#endif
}

/* A lane's part of a block that ends before end: the terms i, i + TALLY_LANES and so on. */
static tally_accumulator TALLY_FN(lane)(__global const TALLY_SOURCE *in, const tally_fold_args *a,
                                        tally_index origin, tally_index i, tally_index end,
                                        tally_compute top) {
    tally_accumulator sum = tally_neutral();
    for (; i < end; i += TALLY_LANES)
        sum = tally_join(sum, tally_enter(TALLY_FN(term)(in, a, origin, i), top));
    return sum;
}

#if TALLY_STATE_IS_SHIFTED
/* The key of the largest of the terms i, i + step and so on before end; NaN is above all. */
static tally_key TALLY_FN(top)(__global const TALLY_SOURCE *in, const tally_fold_args *a,
                               tally_index origin, tally_index i, tally_index end,
                               tally_index step) {
    tally_key top = KEY_LOWEST;
    for (; i < end; i += step)
        top = max(top, tally_key_of(TALLY_FN(term)(in, a, origin, i).top, KEY_HIGHEST));
    return top;
}
#endif

static void TALLY_FN(put)(__global TALLY_TARGET *out, const tally_fold_args *a, tally_index output,
                          tally_index block, tally_state state) {
#if !TALLY_LAST
    out[output * (tally_index)a->blocks + block] = state;
#else
    const tally_index at = tally_offset(TALLY_KEPT_RANK, a->kept_size, a->kept_out, output);
#if TALLY_STATE_IS_INDEXED
    out[at] = (TALLY_TARGET)tally_end(state, a->count);
#else
    tally_store(out, at, a->terms == 0 ? TALLY_EMPTY : tally_end(state, a->count));
#endif
#endif
}
