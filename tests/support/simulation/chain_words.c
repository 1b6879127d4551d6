/*
 * chain_words.c: words of the scratch, or of a board.
 */
#include "chain_words.h"

#include "cl/core/args.h"
#include "cl/core/order.h"

static unsigned char *find_word(const sim_chain *it, uint64_t index, bool writes) {
    return it->publishes ? sim_board_word(it->launch->memory, index, it->word)
                         : sim_word(it->launch->memory, index, it->word, writes);
}

static uint64_t read_word(const sim_chain *it, uint64_t index) {
    const unsigned char *at = find_word(it, index, false);
    return at != NULL ? sim_get(at, it->word) : 0;
}

static void write_word(const sim_chain *it, uint64_t index, uint64_t bits) {
    unsigned char *at = find_word(it, index, true);
    if (at != NULL)
        sim_put(at, it->word, bits);
}

unsigned char *sim_chain_mark(const sim_chain *it, uint64_t job) {
    const uint64_t first = TALLY_BOARD_COUNTERS * (uint64_t)(it->word / 4);
    return sim_board_word(it->launch->memory, first + job, 4);
}

/* The bits of a word that hold a value, and what they are with the launch's tag. */
static uint64_t value_bits(const sim_chain *it) {
    return (UINT64_C(1) << (it->word * 4)) - 1;
}

static uint64_t tagged(const sim_chain *it, uint64_t bits) {
    const uint64_t word = (uint64_t)it->tag << (it->word * 4) | (bits & value_bits(it));
    return it->word == 4 ? word & UINT32_MAX : word;
}

/* The first word of a column of a part. */
static uint64_t word_of(const sim_chain *it, sim_level of, uint64_t row, uint64_t part,
                        uint32_t column) {
    const tally_scan_rows_args *args = it->args;
    const uint64_t begin[] = {args->spans, args->tiles, args->stretches, args->prefixes};
    const uint64_t each[] = {args->tiles_per_row * TALLY_RUN, args->tiles_per_row,
                             args->stretches_per_row, args->stretches_per_row};
    if (part >= each[of] || row >= args->rows)
        sim_fault(it->launch->memory, "step %u: row %llu has no part %llu of level %d",
                  it->launch->memory->step, (unsigned long long)row, (unsigned long long)part,
                  (int)of);
    return begin[of] + ((row * each[of] + part) * it->merged + column) * it->parts;
}

void sim_chain_publish(const sim_chain *it, sim_level of, uint64_t row, uint64_t part,
                       uint32_t column, sim_state state) {
    const uint64_t first = word_of(it, of, row, part, column);
    for (uint32_t k = 0; k < it->parts; k++) {
        const uint64_t word = tagged(it, state.value >> (k * it->word * 4));
        const unsigned char *at = find_word(it, first + k, true);
        const uint64_t old = at != NULL ? sim_get(at, it->word) : 0;
        if ((old & ~value_bits(it)) == tagged(it, 0) && (!it->repairs || old != word))
            sim_fault(it->launch->memory, "step %u tells word %llu again", it->launch->memory->step,
                      (unsigned long long)(first + k));
        write_word(it, first + k, word);
    }
}

static bool look(const sim_chain *it, sim_level of, uint64_t row, uint64_t part, uint32_t column,
                 sim_state *state) {
    const uint64_t first = word_of(it, of, row, part, column);
    bool there = true;
    *state = (sim_state){0, 0, 0};
    for (uint32_t k = 0; k < it->parts; k++) {
        const uint64_t seen = read_word(it, first + k);
        there = there && (seen & ~value_bits(it)) == tagged(it, 0);
        state->value |= (seen & value_bits(it)) << (k * it->word * 4);
    }
    return there;
}

bool sim_chain_fold(const sim_chain *it, sim_level of, uint64_t row, uint64_t first, uint64_t count,
                    uint32_t column, sim_state *sum) {
    for (uint64_t k = 0; k < count; k++) {
        sim_state state;
        if (!look(it, of, row, first + k, column, &state)) {
            if (!it->excused)
                sim_fault(it->launch->memory, "step %u: nobody told part %llu of level %d",
                          it->launch->memory->step, (unsigned long long)(first + k), (int)of);
            return false;
        }
        *sum = sim_combine(&it->launch->math, *sum, state);
    }
    return true;
}
