/*
 * all_specs.c: loops over the fields of a spec that all agents have, each with the values that the
 * fields before allow. The fields of policies are those of the kinds' own files, all_specs_fold.c,
 * all_specs_scan.c and all_specs_fill.c.
 */
#include "all_specs.h"

#include "all_specs_inside.h"
#include "cl/core/sizes.h"
#include "support/descriptions/legal.h"

static const uint8_t ranks[] = {1, 8, 2, 4};

/* Sizes of groups that are compiled in, the thin choices first. */
typedef struct group_sizes {
    int count;
    uint16_t group[9];
} group_sizes;

static const group_sizes sizes_of[TALLY_SCHEDULES] = {
    [TALLY_FOLD_ANY] = {9, {128, 0, 1, 2, 4, 8, 16, 32, 64}},
    [TALLY_SCAN_ANY] = {9, {128, 0, 1, 2, 4, 8, 16, 32, 64}},
    [TALLY_SCAN_CARRY] = {2, {128, 0}},
    [TALLY_FOLD_ROWS] = {3, {256, 64, 128}},
    [TALLY_FOLD_COLUMNS] = {3, {256, 64, 128}},
    [TALLY_FOLD_SETS] = {1, {256}},
    [TALLY_FOLD_OUTPUTS] = {1, {256}},
    [TALLY_FOLD_SHORT_ROWS] = {3, {256, 64, 128}},
    [TALLY_SCAN_ROWS] = {5, {64, 128, 256, 32, 16}},
    [TALLY_SCAN_SHORT_ROWS] = {2, {128, 256}},
    [TALLY_SCAN_COLUMNS] = {6, {256, 512, 64, 128, 192, 320}},
    [TALLY_SCAN_STAGED] = {2, {128, 256}},
    [TALLY_SCAN_TRANSPOSE] = {2, {256, 512}},
    [TALLY_FILL_PACKS] = {3, {256, 64, 128}},
    [TALLY_FILL_BOX] = {3, {256, 64, 128}},
    [TALLY_FILL_TRANSPOSE] = {3, {256, 64, 128}},
};

void all_specs_each_size(const all_specs_visitor *it, tally_spec program) {
    static const group_sizes large = {2, {256, 128}}, largest = {2, {512, 256}};
    const bool recompute = tally_spec_carry(&program) == TALLY_CARRY_RECOMPUTE;
    const bool whole = program.schedule == TALLY_FOLD_ROWS && program.policy.fold_rows.whole_rows;
    const group_sizes *sizes = recompute ? &large : whole ? &largest : &sizes_of[program.schedule];
    const int most = it->thin && sizes->count > 2 ? 2 : sizes->count;
    for (int i = 0; i < (most > 0 ? most : 1); i++) {
        program.group = sizes->group[i];
        program.index_bits = 32;
        it->visit(&program, it->user);
        program.index_bits = 64;
        it->visit(&program, it->user);
    }
}

/* Of each row of policy.def, so that a policy whose choices nobody goes through is not compiled. */
static void each_share(const all_specs_visitor *it, tally_spec program) {
#define TALLY_POLICY(agent, ...) [TALLY_POLICY_##agent] = all_specs_each_of_##agent,
    static void (*const shares[TALLY_POLICIES])(const all_specs_visitor *, tally_spec) = {
        [TALLY_POLICY_none] = all_specs_each_size,
#include "plan/policy.def"
    };
#undef TALLY_POLICY
    shares[tally_schedule_find(program.schedule)->policy](it, program);
    if (tally_schedule_find(program.schedule)->kind == TALLY_KIND_SCAN && program.kept_rank == 1)
        all_specs_each_of_parts(it, program);
}

static void each_rank(const all_specs_visitor *it, tally_spec program) {
    const tally_kind kind = tally_schedule_find(program.schedule)->kind;
    const int most = it->thin ? 2 : 4;
    for (int kept = 0; kept < most; kept++) {
        for (int swept = 0; swept < (kind == TALLY_KIND_FOLD ? most : 1); swept++) {
            program.kept_rank = ranks[kept];
            program.swept_rank = kind == TALLY_KIND_FILL ? 0 : ranks[swept];
            if (kind != TALLY_KIND_FILL || program.kept_rank > 1)
                each_share(it, program);
        }
    }
}

static void each_option(const all_specs_visitor *it, tally_spec program) {
    const tally_function function = (tally_function)program.function;
    const int nans = legal_is_order(function) && program.input <= TALLY_F64 ? 2 : 1;
    const int ties = legal_is_index(function) ? 2 : 1;
    for (int option = 0; option < nans * ties; option++) {
        program.nan = (uint8_t)(option % nans);
        program.tie = (uint8_t)(option / nans);
        each_rank(it, program);
    }
}

/* Of the functions that give indices there are no maps: fills of zeros are. */
static void each_pair(const all_specs_visitor *it, tally_spec program) {
    const tally_kind kind = tally_schedule_find(program.schedule)->kind;
    const bool scans = kind == TALLY_KIND_SCAN;
    for (int i = 0; i < (scans ? LEGAL_SCAN_PAIRS : LEGAL_REDUCE_PAIRS); i++) {
        const legal_pair pair = scans ? legal_scan_pair(i) : legal_reduce_pair(i);
        program.function = (uint8_t)pair.function;
        program.input = (uint8_t)pair.dtype;
        if (kind != TALLY_KIND_FILL || !legal_is_index(pair.function))
            each_option(it, program);
    }
}

void all_specs_each_program(bool thin, void (*visit)(const tally_spec *program, void *user),
                            void *user) {
    static const tally_dtype moved[] = {TALLY_U8, TALLY_U16, TALLY_U32, TALLY_U64};
    const all_specs_visitor it = {thin, visit, user};
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++) {
        tally_spec program = {.schedule = schedule};
        const bool maps = schedule == TALLY_FILL_PACKS || schedule == TALLY_FILL_BOX ||
                          schedule == TALLY_FILL_TRANSPOSE;
        if (maps || tally_schedule_find(schedule)->kind != TALLY_KIND_FILL)
            each_pair(&it, program);
        if (tally_schedule_find(schedule)->kind != TALLY_KIND_FILL)
            continue;
        program.function = program.nan = program.tie = 0;
        for (int i = 0; i < 4; i++) {
            program.input = (uint8_t)moved[i];
            each_rank(&it, program);
        }
    }
}
