/*
 * all_specs.c: loops over the fields of a spec, each with the values that the fields before allow.
 */
#include "all_specs.h"

#include "legal.h"
#include "number.h"

typedef struct visitor {
    bool thin;
    void (*visit)(const tally_spec *program, void *user);
    void *user;
} visitor;

static const uint8_t ranks[] = {1, 8, 2, 4};

/* Sizes of groups that are compiled in, the thin choice first; and lanes for each work-item. */
typedef struct group_sizes {
    int count;
    uint16_t group[8];
    uint8_t each; /* 0xFF: elements of 16 bytes */
} group_sizes;

static const group_sizes sizes_of[TALLY_SCHEDULES] = {
    [TALLY_FOLD_TEAM] = {8, {128, 1, 2, 4, 8, 16, 32, 64}, 0},
    [TALLY_SCAN_TEAM] = {8, {128, 1, 2, 4, 8, 16, 32, 64}, 0},
    [TALLY_FOLD_ROWS] = {3, {256, 64, 128}, 0xFF},
    [TALLY_FOLD_COLUMNS] = {3, {256, 64, 128}, 8},
    [TALLY_FOLD_TILE] = {1, {256}, 0},
};

static void each_width_and_group(const visitor *it, tally_spec program) {
    const group_sizes *sizes = &sizes_of[program.schedule];
    const int most = it->thin && sizes->count > 2 ? 2 : sizes->count;
    program.each = (uint8_t)(sizes->each == 0xFF ? 16 / number_bytes((tally_dtype)program.input)
                                                 : sizes->each);
    for (int i = 0; i < (most > 0 ? most : 1); i++) {
        program.group = sizes->group[i];
        program.index_bits = 32;
        it->visit(&program, it->user);
        program.index_bits = 64;
        it->visit(&program, it->user);
    }
}

static void each_rank(const visitor *it, tally_spec program) {
    const tally_kind kind = tally_schedule_find(program.schedule)->kind;
    const int most = it->thin ? 2 : 4;
    for (int kept = 0; kept < most; kept++) {
        for (int swept = 0; swept < (kind == TALLY_KIND_FOLD ? most : 1); swept++) {
            program.kept_rank = ranks[kept];
            program.swept_rank = kind == TALLY_KIND_BAND ? 0 : ranks[swept];
            if (kind != TALLY_KIND_BAND || program.kept_rank > 1)
                each_width_and_group(it, program);
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
