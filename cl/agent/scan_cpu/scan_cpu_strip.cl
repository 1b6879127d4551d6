/*
 * A strip of columns that a scan on a CPU goes down: where its next row lies, and what is complete
 * at each level of its columns.
 */
#define TALLY_SLOTS (TALLY_SCAN_CPU_STRIP_BYTES * 2 / 32)
#define TALLY_STAGED_ELEMENTS (TALLY_SCAN_CPU_STAGE_BYTES / TALLY_BYTES)
#define TALLY_AHEAD (4096 / TALLY_BYTES) /* elements at least that are brought nearer */

/* Slot v has the vector at column v * TALLY_WIDTH, the last one ends with them. */
typedef struct {
    tally_terms stretches[TALLY_SLOTS], tiles[TALLY_SLOTS], spans[TALLY_SLOTS], runs[TALLY_SLOTS];
    tally_terms terms[TALLY_SLOTS];
    tally_stored stage[TALLY_STAGED_ELEMENTS + TALLY_WIDTH];
    tally_stored rows[(TALLY_RUN + 1) * TALLY_WIDTH]; /* of fewer columns than a vector */
} TALLY_FN(strip);

/* The levels of one slot after i terms. */
TALLY_INLINE void TALLY_FN(pass)(TALLY_FN(strip) *strip, uint v, tally_index i) {
    if (i % TALLY_SPAN != 0)
        return;
    strip->spans[v] = tally_combine_all_terms(strip->spans[v], strip->runs[v]);
    strip->runs[v] = tally_identity_all();
    if (i % TALLY_TILE != 0)
        return;
    strip->tiles[v] = tally_combine_all_terms(strip->tiles[v], strip->spans[v]);
    strip->spans[v] = tally_identity_all();
    if (i % TALLY_STRETCH != 0)
        return;
    strip->stretches[v] = tally_combine_all_terms(strip->stretches[v], strip->tiles[v]);
    strip->tiles[v] = tally_identity_all();
}

/* A strip's position: its columns, and where its next term lies. */
typedef struct {
    uint width;
    tally_index from, to, step_in, step_out;
    tally_index next; /* where the next strip begins: a hint */
    tally_index high; /* elements before this one may be read */
} TALLY_FN(position);

/* Where the row lies that is count rows behind the next one: in this strip or in the next one. */
static tally_index TALLY_FN(soon)(const TALLY_FN(position) *at, uint count, tally_index left) {
    return count < left ? at->from + count * at->step_in
                        : at->next + (count - left) * at->step_in;
}

/* A run is complete before the i-th term. Exact combining has no levels. */
static void TALLY_FN(end_run)(uint slots, tally_index i, TALLY_FN(strip) *strip) {
    if (TALLY_EXACT)
        return;
    for (uint v = 0; v < slots; v++) {
        strip->runs[v] = tally_combine_all_terms(strip->runs[v], strip->terms[v]);
        strip->terms[v] = tally_identity_all();
        TALLY_FN(pass)(strip, v, i);
    }
}
