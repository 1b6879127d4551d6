/*
 * all_specs.c: loops over the fields of a spec, each with the values that the fields before allow.
 */
#include "all_specs.h"

#include "cl/args.h"
#include "legal.h"
#include "number.h"
#include "plan_rules_parts.h"

typedef struct visitor {
    bool thin;
    void (*visit)(const tally_spec *program, void *user);
    void *user;
} visitor;

static const uint8_t ranks[] = {1, 8, 2, 4};

/* Sizes of groups that are compiled in, the thin choices first. */
typedef struct group_sizes {
    int count;
    uint16_t group[8];
} group_sizes;

static const group_sizes sizes_of[TALLY_SCHEDULES] = {
    [TALLY_FOLD_TEAM] = {8, {128, 1, 2, 4, 8, 16, 32, 64}},
    [TALLY_SCAN_TEAM] = {8, {128, 1, 2, 4, 8, 16, 32, 64}},
    [TALLY_FOLD_ROWS] = {3, {256, 64, 128}},
    [TALLY_FOLD_WHOLE] = {2, {512, 256}},
    [TALLY_FOLD_COLUMNS] = {3, {256, 64, 128}},
    [TALLY_FOLD_OUTPUTS] = {1, {256}},
    [TALLY_FOLD_MAP] = {1, {256}},
    [TALLY_FOLD_TILE] = {3, {256, 64, 128}},
    [TALLY_FOLD_LOW] = {3, {256, 64, 128}},
    [TALLY_SCAN_ROWS] = {5, {64, 128, 256, 32, 16}},
    [TALLY_SCAN_CHAIN] = {5, {64, 128, 256, 32, 16}},
    [TALLY_SCAN_ALONE] = {2, {256, 128}},
    [TALLY_SCAN_TILE] = {2, {128, 256}},
    [TALLY_SCAN_COLUMNS] = {4, {256, 512, 64, 128}},
    [TALLY_SCAN_STRIPS] = {5, {256, 512, 64, 128, 192}},
    [TALLY_BAND_ROWS] = {3, {256, 64, 128}},
    [TALLY_SCAN_STAGED] = {2, {128, 256}},
    [TALLY_SCAN_STAGED_TILES] = {2, {128, 256}},
    [TALLY_BAND_PACKS] = {3, {256, 64, 128}},
    [TALLY_BAND_BOX] = {3, {256, 64, 128}},
    [TALLY_BAND_TILE] = {3, {256, 64, 128}},
};

static void each_width_and_group(const visitor *it, tally_spec program) {
    const group_sizes *sizes = &sizes_of[program.schedule];
    const int most = it->thin && sizes->count > 2 ? 2 : sizes->count;
    for (int i = 0; i < (most > 0 ? most : 1); i++) {
        program.group = sizes->group[i];
        program.index_bits = 32;
        it->visit(&program, it->user);
        program.index_bits = 64;
        it->visit(&program, it->user);
    }
}

/* ---- How a group shares its work ------------------------------------------------------------- */

static uint8_t pack_of(const tally_spec *program) {
    return (uint8_t)(16 / number_bytes((tally_dtype)program->input));
}

static void each_of_rows(const visitor *it, tally_spec program) {
    program.each = pack_of(&program);
    for (program.lone = 0; program.lone <= 1; program.lone++)
        for (program.stack = 1; program.stack <= (it->thin ? 1 : 4); program.stack *= 2)
            each_width_and_group(it, program);
}

/* Of elements a pack, of states four. */
static void each_of_whole_rows(const visitor *it, tally_spec program) {
    program.each = pack_of(&program);
    each_width_and_group(it, program);
    if (program.each == 4 || it->thin)
        return;
    program.each = 4;
    each_width_and_group(it, program);
}

/* As many lanes as a work-item alone may have, or as one that shares a block has. */
static void each_lanes_of_columns(const visitor *it, tally_spec program) {
    const bool exact = plan_rules_is_exact(&program);
    for (program.lone = 0; program.lone < 2; program.lone++)
        for (program.each = 1; program.each <= (exact ? 1 : 16);
             program.each = (uint8_t)(program.each * 2))
            if (exact || (program.lone ? !it->thin || program.each == 4
                                       : program.each == 8 || (program.each == 4 && !it->thin)))
                each_width_and_group(it, program);
}

/* Rows that a pack holds, of two columns at least. */
static void each_of_columns(const visitor *it, tally_spec program) {
    const size_t bytes = number_bytes((tally_dtype)program.input);
    program.pack = bytes == 2 ? 8 : 16;
    const unsigned most = program.pack / (unsigned)bytes / 2;
    for (unsigned stack = 1; stack <= (most > 1 ? most : 1); stack *= 2) {
        program.stack = (uint16_t)stack;
        if (!it->thin || stack == 1 || stack == most)
            each_lanes_of_columns(it, program);
    }
}

/*
 * An output each or a pack of them, lanes or none, shared or not, with a table or without, of
 * several terms or of one.
 */
static void each_of_outputs(const visitor *it, tally_spec program) {
    const unsigned bytes = (unsigned)number_bytes((tally_dtype)program.input);
    const bool exact = plan_rules_is_exact(&program);
    for (unsigned pack = bytes; pack <= (bytes < 4 ? 4 : bytes); pack = pack < 4 ? 4 : 2 * pack) {
        program.pack = (uint8_t)pack;
        program.each = (uint8_t)(it->thin ? 4 : 8);
        program.stack = exact ? 0 : 4;
        for (program.lone = 0; program.lone <= 1; program.lone++)
            for (program.table = 0; program.table <= 64;
                 program.table = (uint16_t)(program.table + 64))
                if (!it->thin || (program.table == 0) == (program.lone == 0)) {
                    program.depth = program.table == 0 ? 2 : 0;
                    each_width_and_group(it, program);
                }
    }
    program.depth = exact ? 4 : 0;
    program.pack = 16;
    program.each = 1;
    program.stack = exact ? 0 : 2;
    program.lone = 1;
    program.table = 0;
    each_width_and_group(it, program);
}

/* Packs of 16 bytes, or elements. */
static void each_of_maps(const visitor *it, tally_spec program) {
    program.pack = 16;
    each_width_and_group(it, program);
    program.pack = (uint8_t)number_bytes((tally_dtype)program.input);
    each_width_and_group(it, program);
}

/* Tiles of whole packs, and those of rows that are taken element by element. */
static void each_of_tiles(const visitor *it, tally_spec program) {
    static const uint16_t stacks[] = {16, 128, 64};
    for (int i = 0; i < (it->thin ? 1 : 3); i++) {
        program.stack = stacks[i];
        program.each = pack_of(&program);
        each_width_and_group(it, program);
        program.each = 1;
        if (program.schedule == TALLY_FOLD_TILE)
            each_width_and_group(it, program);
    }
}

/* Rows of several runs, one for each work-item, and lone ones of so many terms. */
static void each_of_scan_tiles(const visitor *it, tally_spec program) {
    for (program.lone = 0; program.lone <= 1; program.lone++) {
        program.stack = program.lone ? 16 : 1;
        program.each = pack_of(&program);
        each_width_and_group(it, program);
        program.stack = program.lone ? 15 : 1;
        program.each = 1;
        each_width_and_group(it, program);
    }
}

/* Four packs of a row, or eight of a narrow one. */
static void each_of_filled_rows(const visitor *it, tally_spec program) {
    program.each = 1;
    for (program.stack = 4; program.stack <= 8; program.stack += 4)
        each_width_and_group(it, program);
}

static void each_of_packs(const visitor *it, tally_spec program) {
    program.stack = 4;
    each_width_and_group(it, program);
}

static void each_of_filled_boxes(const visitor *it, tally_spec program) {
    for (program.stack = 1; program.stack <= 4; program.stack += 3)
        each_width_and_group(it, program);
}

static void each_of_tiled_fills(const visitor *it, tally_spec program) {
    program.stack = 8;
    each_width_and_group(it, program);
}

/* The least pack: a word of columns, or an element. */
static uint8_t least_pack(const tally_spec *program) {
    const size_t bytes = number_bytes((tally_dtype)program->input);
    return (uint8_t)(bytes < 4 ? 4 : bytes);
}

/* Levels of the order, of columns whose joins are exact two. */
static uint8_t most_levels(const tally_spec *program) {
    return plan_rules_is_exact(program) ? 2 : 5;
}

static void each_of_scanned_columns(const visitor *it, tally_spec program) {
    program.pack = number_bytes((tally_dtype)program.input) < 4 ? 8 : 16;
    for (program.lone = 0; program.lone <= 1; program.lone++)
        for (program.stack = 0; program.stack <= 1; program.stack++) {
            program.levels = program.lone > program.stack ? 1 : most_levels(&program);
            each_width_and_group(it, program);
        }
    program.lone = 0;
    program.levels = 2;
    program.stack = TALLY_RESULTS_STAGED;
    program.pack = least_pack(&program);
    each_width_and_group(it, program);
    program.stack = TALLY_SIDE_BY_SIDE;
    program.each = 4; /* spans at a time */
    each_width_and_group(it, program);
}

/* Boxes of the terms alone, in runs apart, and of two or four axes, in one order or in another. */
static void each_of_boxes(const visitor *it, tally_spec program) {
    static const struct {
        uint8_t rank, read, write, skewed, each, packs, axes;
    } boxes[] = {{2, 4, 1, 0, 16, 8, 1},  {1, 0, 0, 1, 16, 8, 1}, {4, 228, 27, 0, 5, 1, 1},
                 {3, 6, 36, 1, 16, 1, 1}, {2, 1, 1, 0, 3, 8, 2},  {4, 57, 57, 0, 16, 8, 3}};
    const bool tiles = program.schedule == TALLY_SCAN_STAGED_TILES;
    const uint8_t bytes = (uint8_t)number_bytes((tally_dtype)program.input);
    program.word = (uint8_t)(tiles ? bytes == 8 ? 8 : 4 : 0);
    for (int i = 0; i < (it->thin ? 3 : 6); i++) {
        program.box_rank = boxes[i].rank;
        program.read_order = boxes[i].read;
        program.write_order = boxes[i].write;
        program.skewed = boxes[i].skewed;
        program.read_bytes = program.write_bytes = boxes[i].packs > bytes ? boxes[i].packs : bytes;
        program.read_axes = program.write_axes = boxes[i].axes;
        program.each = tiles ? 16 : boxes[i].each;
        program.levels = (uint8_t)(tiles ? 5 : program.each < 16 ? 1 : 2 + i % 4);
        program.stack = (uint16_t)(i % 2 + 1);
        each_width_and_group(it, program);
    }
}

/* Terms in the scratch, of the type that they are computed in. */
static void each_of_strips(const visitor *it, tally_spec program) {
    const bool exact = plan_rules_is_exact(&program);
    program.levels = most_levels(&program);
    program.pack = !exact                                         ? least_pack(&program)
                   : number_bytes((tally_dtype)program.input) < 4 ? 8
                                                                  : 16;
    program.word = number_bytes((tally_dtype)program.input) == 8 ? 8 : 4;
    program.lone = 1;
    for (program.stack = 0; program.stack <= 1; program.stack++)
        each_width_and_group(it, program);
}

/* Columns that lie as one row, of up to 32 bytes, and the largest groups for them. */
static void each_of_scan_units(const visitor *it, tally_spec program) {
    const size_t bytes = number_bytes((tally_dtype)program.input);
    const uint16_t most = it->thin ? 3 : 31;
    for (program.stack = 1; program.stack <= most; program.stack++) {
        if (program.stack * bytes > 32 || (program.stack * bytes == 32 && program.stack > 8))
            break;
        program.each = program.stack * bytes <= 4 ? 4 : program.stack * bytes <= 8 ? 2 : 1;
        program.levels = (uint8_t)(2 + program.stack % 4);
        each_width_and_group(it, program);
    }
}

/* The same for groups so large, with a run for each work-item. */
static void each_of_alone(const visitor *it, tally_spec program) {
    const size_t bytes = number_bytes((tally_dtype)program.input);
    const uint16_t most = it->thin ? 2 : 31;
    program.each = 1;
    program.levels = 4;
    for (program.stack = 1; program.stack <= most && program.stack * bytes < 16; program.stack++)
        each_width_and_group(it, program);
}

/* Units by words of both sizes. */
static void each_of_chains(const visitor *it, tally_spec program) {
    for (program.word = 4; program.word <= 8; program.word = (uint8_t)(program.word * 2))
        each_of_scan_units(it, program);
}

/* Results side by side, or along the axis. */
static void each_of_scanned_columns_on_cpus(const visitor *it, tally_spec program) {
    for (program.stack = 0; program.stack <= 1; program.stack++)
        each_width_and_group(it, program);
}

/* Lines of as many columns as a vector holds several times, or once. */
static void each_of_lines(const visitor *it, tally_spec program) {
    const unsigned width = number_bytes((tally_dtype)program.input) == 8 ? 4 : 8;
    program.word = (uint8_t)(program.schedule == TALLY_SCAN_CPU_PIECES ? 32 / width : 0);
    for (unsigned stack = 1; stack <= width; stack *= 2) {
        program.stack = (uint16_t)stack;
        if (!it->thin || stack == 1 || stack == width / 2)
            each_width_and_group(it, program);
    }
}

static void each_share(const visitor *it, tally_spec program) {
    static void (*const shares[TALLY_SCHEDULES])(const visitor *, tally_spec) = {
        [TALLY_FOLD_ROWS] = each_of_rows,
        [TALLY_FOLD_WHOLE] = each_of_whole_rows,
        [TALLY_FOLD_COLUMNS] = each_of_columns,
        [TALLY_FOLD_OUTPUTS] = each_of_outputs,
        [TALLY_FOLD_MAP] = each_of_maps,
        [TALLY_FOLD_TILE] = each_of_tiles,
        [TALLY_FOLD_LOW] = each_of_tiles,
        [TALLY_SCAN_TILE] = each_of_scan_tiles,
        [TALLY_SCAN_ROWS] = each_of_scan_units,
        [TALLY_SCAN_COLUMNS] = each_of_scanned_columns,
        [TALLY_SCAN_CHAIN] = each_of_chains,
        [TALLY_SCAN_ALONE] = each_of_alone,
        [TALLY_BAND_ROWS] = each_of_filled_rows,
        [TALLY_BAND_PACKS] = each_of_packs,
        [TALLY_BAND_BOX] = each_of_filled_boxes,
        [TALLY_BAND_TILE] = each_of_tiled_fills,
        [TALLY_SCAN_STRIPS] = each_of_strips,
        [TALLY_SCAN_STAGED] = each_of_boxes,
        [TALLY_SCAN_STAGED_TILES] = each_of_boxes,
        [TALLY_SCAN_CPU_COLUMNS] = each_of_scanned_columns_on_cpus,
        [TALLY_SCAN_CPU_ROWS] = each_of_lines,
        [TALLY_SCAN_CPU_PIECES] = each_of_lines,
    };
    if (shares[program.schedule] != NULL)
        shares[program.schedule](it, program);
    else
        each_width_and_group(it, program);
}

/* ---- The rest -------------------------------------------------------------------------------- */

static void each_rank(const visitor *it, tally_spec program) {
    const tally_kind kind = tally_schedule_find(program.schedule)->kind;
    const int most = it->thin ? 2 : 4;
    for (int kept = 0; kept < most; kept++) {
        for (int swept = 0; swept < (kind == TALLY_KIND_FOLD ? most : 1); swept++) {
            program.kept_rank = ranks[kept];
            program.swept_rank = kind == TALLY_KIND_BAND ? 0 : ranks[swept];
            if (kind != TALLY_KIND_BAND || program.kept_rank > 1)
                each_share(it, program);
        }
    }
}

static void each_option(const visitor *it, tally_spec program) {
    const tally_function function = (tally_function)program.function;
    const int nans = legal_is_order(function) && program.input <= TALLY_F64 ? 2 : 1;
    const int ties = legal_is_index(function) ? 2 : 1;
    for (int option = 0; option < nans * ties; option++) {
        program.nan = (uint8_t)(option % nans);
        program.tie = (uint8_t)(option / nans);
        each_rank(it, program);
    }
}

static void each_pair(const visitor *it, tally_spec program) {
    const bool scans = tally_schedule_find(program.schedule)->kind == TALLY_KIND_SCAN;
    for (int i = 0; i < (scans ? LEGAL_SCAN_PAIRS : LEGAL_REDUCE_PAIRS); i++) {
        const legal_pair pair = scans ? legal_scan_pair(i) : legal_reduce_pair(i);
        program.function = (uint8_t)pair.function;
        program.input = (uint8_t)pair.dtype;
        each_option(it, program);
    }
}

void all_specs_each_program(bool thin, void (*visit)(const tally_spec *program, void *user),
                            void *user) {
    static const tally_dtype moved[] = {TALLY_U8, TALLY_U16, TALLY_U32, TALLY_U64};
    const visitor it = {thin, visit, user};
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++) {
        tally_spec program = {.schedule = schedule};
        if (tally_schedule_find(schedule)->kind != TALLY_KIND_BAND) {
            each_pair(&it, program);
            continue;
        }
        for (int i = 0; i < 4; i++) {
            program.input = (uint8_t)moved[i];
            each_rank(&it, program);
        }
    }
}
