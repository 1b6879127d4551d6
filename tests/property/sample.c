/*
 * sample.c: draw and throw away until a problem fits. A draw takes about a microsecond.
 */
#include "sample.h"

#include "support/share.h"

/* Programs opened for each pair, or a few more where a plan takes several. */
#define OPENERS 2

/* Draws at most for one that opens programs of wanted ranks, and for one that fits those. */
#define OPENER_DRAWS 50000
#define PROBLEM_DRAWS 4000

/* One problem of so many has an empty output. */
#define EMPTY_SHARE 64

/* Ranks of kept and swept axes that kernels are compiled for, the lowest first. */
typedef struct ranks {
    uint8_t kept, swept;
} ranks;

#define RANKS_MOST 15
typedef struct ranks_list {
    uint32_t count;
    ranks item[RANKS_MOST];
} ranks_list;

static const ranks_list choices[PROBLEM_KINDS] = {
    [PROBLEM_REDUCE] = {15,
                        {{1, 1},
                         {1, 2},
                         {1, 4},
                         {1, 8},
                         {2, 1},
                         {2, 2},
                         {2, 4},
                         {2, 8},
                         {4, 1},
                         {4, 2},
                         {4, 4},
                         {4, 8},
                         {8, 1},
                         {8, 2},
                         {8, 4}}},
    [PROBLEM_CUMULATIVE] = {4, {{1, 1}, {2, 1}, {4, 1}, {8, 1}}},
    [PROBLEM_DIAGONAL] = {3, {{2, 0}, {4, 0}, {8, 0}}},
};

/* What a seed opens for a pair. */
typedef struct opened {
    bool made;
    tally_spec first[OPENERS]; /* the first program of each opener */
    uint32_t count;
    tally_spec key[OPENERS * TALLY_MAX_STEPS];
} opened;

static uint64_t mix(uint64_t seed, uint64_t number) {
    uint64_t state = seed;
    state = values_random(&state) ^ number;
    return values_random(&state);
}

/* A legal problem, or the test fails: the generator and the library disagree on what is legal. */
static void draw(problem_pair pair, uint64_t *state, problem *it, programs *needed) {
    problem_draw(pair, state, it);
    if (!programs_of(it, needed))
        problem_run(it); /* says what create says */
}

/* The first draw that comes to the wanted ranks, or the last one if none does. */
static void open_programs(problem_pair pair, ranks wanted, uint64_t *state, uint32_t position,
                          opened *open) {
    problem it;
    programs needed, last = {0};
    for (uint32_t i = 0; i < OPENER_DRAWS; i++) {
        draw(pair, state, &it, &needed);
        if (needed.count == 0)
            continue;
        last = needed;
        if (last.key[0].kept_rank == wanted.kept && last.key[0].swept_rank == wanted.swept)
            break;
    }
    open->first[position] = last.key[0];
    for (uint32_t i = 0; i < last.count; i++)
        programs_add(open->key, &open->count, &last.key[i]);
}

static const opened *open_pair(uint64_t seed, uint32_t index) {
    static opened all[PROBLEM_PAIRS];
    static uint64_t known;
    if (known != seed)
        for (uint32_t i = 0; i < PROBLEM_PAIRS; i++)
            all[i].made = false;
    known = seed;
    opened *open = &all[index];
    if (open->made)
        return open;
    const problem_pair pair = problem_pair_at(index);
    const ranks_list *list = &choices[pair.kind];
    uint64_t state = mix(seed, ~(uint64_t)index);
    *open = (opened){.made = true};
    for (uint32_t k = 0; k < OPENERS; k++) {
        const uint64_t position = k == 0 ? 0 : 1 + values_random(&state) % (list->count - 1);
        open_programs(pair, list->item[position], &state, k, open);
    }
    return open;
}

static bool is_open(const opened *open, const programs *needed) {
    for (uint32_t i = 0; i < needed->count; i++)
        if (!programs_contain(open->key, open->count, &needed->key[i]))
            return false;
    return true;
}

uint32_t sample_pair(uint64_t number) {
    return (uint32_t)(number % PROBLEM_PAIRS);
}

/* Every other one: a function's pairs lie together, so that each function has half its types. */
bool sample_has_pair(uint64_t seed, uint32_t pair) {
    return share_has(seed + pair, 2);
}

/* Of a pair's openers a share has one: of every other of its pairs that of the lowest ranks. */
bool sample_has(uint64_t seed, uint64_t number) {
    uint64_t state = mix(seed, number);
    const uint32_t pair = sample_pair(number);
    return sample_has_pair(seed, pair) &&
           share_has(pair / 2 + values_random(&state) % OPENERS, OPENERS);
}

/*
 * One that begins with a certain opened program, or else the last that fits at all; now and then
 * one with an empty output. Float64 arithmetic opens nothing on a device without fp64, so that the
 * first draw will do.
 */
void sample_problem(uint64_t seed, uint64_t number, problem *it) {
    const problem_pair pair = problem_pair_at(sample_pair(number));
    const opened *open = open_pair(seed, sample_pair(number));
    uint64_t state = mix(seed, number);
    const tally_spec *wanted = &open->first[values_random(&state) % OPENERS];
    const bool takes_none = open->count == 0 || values_random(&state) % EMPTY_SHARE == 0;
    bool found = false;
    for (uint32_t i = 0; i < PROBLEM_DRAWS || !found; i++) {
        problem drawn;
        programs needed;
        draw(pair, &state, &drawn, &needed);
        if ((needed.count == 0) != takes_none || !is_open(open, &needed))
            continue;
        *it = drawn;
        found = true;
        if (takes_none || tally_spec_equal(&needed.key[0], wanted))
            return;
    }
}
