/*
 * Where the units of folds by strips of columns are on a CPU: a unit is a block of the terms of a
 * strip of a.strip_columns columns, of a set of a.columns that lie a step apart.
 */
/* Where a unit is: its first output, its columns and its block. */
typedef struct {
    tally_index output, block;
    uint width;
} TALLY_FN(position);

static TALLY_FN(position) TALLY_FN(position_of)(const tally_fold_cpu_columns_args *a,
                                          tally_index strips, tally_index unit) {
    const tally_index columns = (tally_index)a->columns;
    const tally_index sets = (tally_index)a->outputs / columns, blocks = (tally_index)a->blocks;
    const bool by_sets = a->sets_first != 0;
    const tally_index over = unit / (by_sets ? sets : strips);
    const tally_index inner = unit - over * (by_sets ? sets : strips);
    const tally_index next = over / (by_sets ? strips : blocks);
    const tally_index middle = over - next * (by_sets ? strips : blocks);
    const tally_index set = by_sets ? inner : next, strip = by_sets ? middle : inner;
    const tally_index strip_start = strip * (tally_index)a->strip_columns;
    const TALLY_FN(position) position = {
        set * columns + strip_start, by_sets ? next : middle,
        (uint)(strip + 1 < strips ? (tally_index)a->strip_columns : columns - strip_start)};
    return position;
}
