/*
 * case.c: memory, runs and judgement of a simulated operator.
 */
#include "case.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "plan/plan.h"
#include "support/descriptions/legal.h"
#include "support/fail.h"
#include "support/numbers/number.h"

/* ---- Devices ------------------------------------------------------------------------------- */

#define GPU(group, unit_count, bytes, pass)                                                        \
    {                                                                                              \
        .group_max = group, .local_bytes = 32768, .units = unit_count, .address_bits = 64,         \
        .family = TALLY_FAMILY_GPU, .word_bytes = bytes, .single_pass = pass, .has_f64 = true      \
    }
#define CPU(group, unit_count)                                                                     \
    {                                                                                              \
        .group_max = group, .local_bytes = 32768, .units = unit_count, .address_bits = 64,         \
        .family = TALLY_FAMILY_CPU, .word_bytes = 8, .has_f64 = true                               \
    }

static const sim_device devices[] = {
    {"a large GPU", GPU(1024, 132, 8, true), 0, false, 0},
    {"a CPU", CPU(4096, 2), 0, false, 0},
    {"a GPU of one unit that runs two groups", GPU(256, 1, 8, false), 2, true, 0},
    {"a GPU with groups of 7", GPU(7, 2, 4, true), 3, false, 3},
    {"a GPU that runs one group", GPU(64, 132, 4, false), 1, false, 0},
    {"a CPU with groups of 1", CPU(1, 5), 5, true, 0},
    {"a GPU with groups of 1", GPU(1, 132, 8, true), 0, false, 0},
    {"a GPU with groups of 100", GPU(100, 132, 8, true), 2, true, 5},
    {"a GPU of one unit with groups of 128", GPU(128, 1, 4, true), 0, false, 1},
};

#define DEVICES ((uint32_t)(sizeof devices / sizeof devices[0]))

uint32_t sim_devices(void) {
    return DEVICES;
}

const sim_device *sim_device_at(uint32_t index) {
    return &devices[index];
}

/* ---- Kinds of cases ------------------------------------------------------------------------ */

static tally_status collapse_reduce(const void *desc, tally_problem *problem, tally_error *error) {
    return tally_problem_reduce(desc, problem, error);
}

static tally_status collapse_cumulative(const void *desc, tally_problem *problem,
                                        tally_error *error) {
    return tally_problem_cumulative(desc, problem, error);
}

static tally_status collapse_diagonal(const void *desc, tally_problem *problem,
                                      tally_error *error) {
    return tally_problem_diagonal(desc, problem, error);
}

sim_case sim_case_reduce(const tally_reduce *desc, values_class values, uint64_t seed) {
    return (sim_case){any_reduce(desc), values, seed, false, collapse_reduce};
}

sim_case sim_case_cumulative(const tally_cumulative *desc, values_class values, uint64_t seed) {
    return (sim_case){any_cumulative(desc), values, seed, false, collapse_cumulative};
}

sim_case sim_case_diagonal(const tally_diagonal *desc, values_class values, uint64_t seed) {
    return (sim_case){any_diagonal(desc), values, seed, false, collapse_diagonal};
}

void sim_case_fail(const sim_case *it, const sim_device *device, const char *format, ...) {
    static text out;
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    out.length = 0;
    it->of.describe(&out, it->of.desc);
    fail_with("\n%s%s, seed %" PRIu64 "%s, on %s: %s", out.chars, values_name(it->values), it->seed,
              it->in_place ? ", in place" : "", device->name, sentence);
}

values_class sim_case_values(tally_function function, uint64_t draw) {
    static const values_class ordered[] = {VALUES_FEW,      VALUES_SPECIAL, VALUES_SOME_NAN,
                                           VALUES_ALL_NAN,  VALUES_EXTREME, VALUES_ZEROS,
                                           VALUES_DENORMAL, VALUES_BITS};
    static const values_class sums[] = {VALUES_SMALL, VALUES_WIDE,     VALUES_POSITIVE,
                                        VALUES_ZEROS, VALUES_SOME_NAN, VALUES_MINUS_ZERO};
    static const values_class exponents[] = {VALUES_EXPONENTS, VALUES_SMALL, VALUES_SOME_NAN};
    static const values_class products[] = {VALUES_POWERS, VALUES_NEAR_ONE};
    if (legal_is_order(function))
        return ordered[draw % 8];
    if (function == TALLY_LOG_SUM_EXP)
        return exponents[draw % 3];
    return function == TALLY_MULTIPLY ? products[draw % 2] : sums[draw % 6];
}

/* ---- Memory -------------------------------------------------------------------------------- */

/* Garbage, and over it the elements. Where strides let two meet, the last one stays. */
static void fill_input(const sim_case *it, unsigned char *first) {
    const size_t bytes = number_bytes(it->of.input->dtype);
    const uint64_t extent = oracle_extent(it->of.input), elements = oracle_count(it->of.input);
    uint64_t state = it->seed;
    for (uint64_t i = 0; i < extent; i++)
        first[i] = (unsigned char)(i * 37 + 11);
    if (extent == 0)
        return;
    for (uint64_t i = 0; i < elements; i++)
        number_store(it->of.input->dtype, first + oracle_offset(it->of.input, i) * bytes,
                     values_element(it->values, it->of.input->dtype, &state));
}

unsigned char *sim_case_input(const sim_case *it) {
    if (it->of.input == NULL)
        return NULL;
    unsigned char *bytes = malloc((size_t)oracle_extent(it->of.input) + 1);
    if (bytes == NULL)
        abort();
    fill_input(it, bytes);
    return bytes;
}

/* Views begin some elements into their blocks and end where the blocks do. */
static void make_memory(const sim_case *it, const unsigned char *input, const tally_plan *plan,
                        sim_memory *memory) {
    const uint64_t in_bytes = it->of.input != NULL ? number_bytes(it->of.input->dtype) : 0;
    *memory = (sim_memory){.in_place = it->in_place};
    memory->offset[TALLY_IN_INPUT] = it->seed % 5 * in_bytes;
    memory->offset[TALLY_IN_OUTPUT] = it->in_place
                                          ? memory->offset[TALLY_IN_INPUT]
                                          : it->seed % 3 * number_bytes(it->of.output->dtype);
    memory->offset[TALLY_IN_SCRATCH] = it->seed % 2 * TALLY_SCRATCH_ALIGNMENT;
    sim_block_make(&memory->block[TALLY_IN_INPUT], "input",
                   memory->offset[TALLY_IN_INPUT] +
                       (it->of.input != NULL ? oracle_extent(it->of.input) : 0),
                   true);
    sim_block_make(&memory->block[TALLY_IN_OUTPUT], "output",
                   memory->offset[TALLY_IN_OUTPUT] + oracle_extent(it->of.output), it->in_place);
    sim_block_make(&memory->block[TALLY_IN_SCRATCH], "scratch",
                   memory->offset[TALLY_IN_SCRATCH] + plan->scratch, false);
    sim_block_make(&memory->block[TALLY_IN_NOTHING], "nothing", 0, false);
    sim_board_make(memory, plan->board);
    if (input != NULL)
        memcpy(memory->block[it->in_place ? TALLY_IN_OUTPUT : TALLY_IN_INPUT].bytes +
                   memory->offset[TALLY_IN_INPUT],
               input, (size_t)oracle_extent(it->of.input));
}

static void free_memory(sim_memory *memory) {
    for (int position = 0; position < TALLY_ROLES; position++)
        sim_block_free(&memory->block[position]);
    sim_block_free(&memory->board);
}

/* ---- Runs ---------------------------------------------------------------------------------- */

/* By the last step, or the first of a scan whose pieces are written by both. */
static bool is_done(const tally_plan *plan, bool in_place, uint32_t step) {
    uint32_t first = 0;
    const uint32_t count = tally_plan_steps(plan, in_place, &first);
    return step == first + count || (step > 0 && plan->step[step - 1].spec.phase == TALLY_PASS);
}

/* A fill in place leaves what is not to have the value. */
static bool may_leave(const sim_case *it, const tally_plan *plan) {
    const tally_spec *spec = &plan->step[0].spec;
    return it->in_place && plan->count > 0 &&
           tally_schedule_find(spec->schedule)->kind == TALLY_KIND_FILL;
}

/* Take the elements out; each was written by such a step, and nothing else of the output was. */
static void collect(const sim_case *it, const sim_device *device, const tally_plan *plan,
                    const sim_memory *memory, uint64_t *results) {
    const sim_block *block = &memory->block[TALLY_IN_OUTPUT];
    const size_t bytes = number_bytes(it->of.output->dtype);
    const uint64_t elements = oracle_count(it->of.output);
    uint64_t written = 0, left = 0;
    for (uint64_t i = 0; i < elements; i++) {
        const uint64_t at =
            memory->offset[TALLY_IN_OUTPUT] + oracle_offset(it->of.output, i) * bytes;
        if (block->step[at] == 0 && may_leave(it, plan))
            left++;
        else if (!is_done(plan, it->in_place, block->step[at]))
            sim_case_fail(it, device, "element %" PRIu64 " is not written", i);
        results[i] = number_load(it->of.output->dtype, block->bytes + at);
    }
    for (uint64_t i = 0; i < block->size; i++)
        written += block->step[i] != 0;
    if (written != (elements - left) * bytes)
        sim_case_fail(it, device, "%" PRIu64 " bytes are written, the elements have %" PRIu64,
                      written, (elements - left) * bytes);
    for (uint64_t i = 0; i < memory->block[TALLY_IN_INPUT].size; i++)
        if (memory->block[TALLY_IN_INPUT].step[i] != 0)
            sim_case_fail(it, device, "byte %" PRIu64 " of the input is written", i);
}

void sim_case_run(const sim_case *it, const unsigned char *input, const sim_device *device,
                  uint64_t *results) {
    static tally_plan plan;
    sim_memory memory;
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    if (it->collapse(it->of.desc, &problem, &error) != TALLY_OK)
        sim_case_fail(it, device, "refused: %s", error.message);
    if (device->wide && problem.input_extent > 0)
        problem.input_extent |= UINT64_C(1) << 31; /* a view that large, of which this is a part */
    if (tally_plan_make(&problem, &device->limits, &plan, &error) != TALLY_OK)
        sim_case_fail(it, device, "not planned: %s", error.message);
    make_memory(it, input, &plan, &memory);
    memory.impatience = device->impatience;
    sim_plan_run(&plan, device->groups_max, &memory);
    if (memory.fault[0] != '\0')
        sim_case_fail(it, device, "%s", memory.fault);
    collect(it, device, &plan, &memory, results);
    free_memory(&memory);
}

static void check_oracle(const sim_case *it, const unsigned char *input, const sim_device *device,
                         const uint64_t *results) {
    const uint64_t elements = oracle_count(it->of.output);
    oracle_value *expected = calloc((size_t)elements + 1, sizeof *expected);
    if (expected == NULL)
        abort();
    it->of.expect(it->of.desc, input, expected);
    for (uint64_t i = 0; i < elements; i++) {
        if (oracle_accepts(&expected[i], it->of.output->dtype, results[i]))
            continue;
        text wanted = {"", 0}, found = {"", 0};
        describe_expected(&wanted, it->of.output->dtype, &expected[i]);
        describe_element(&found, it->of.output->dtype, results[i]);
        sim_case_fail(it, device, "element %" PRIu64 " is %s and should be %s", i, found.chars,
                      wanted.chars);
    }
    free(expected);
}

void sim_case_check_on(const sim_case *it, const sim_device *const *device, uint32_t count) {
    const uint64_t elements = oracle_count(it->of.output);
    uint64_t *results = calloc((size_t)elements + 1, sizeof *results);
    uint64_t *others = calloc((size_t)elements + 1, sizeof *others);
    unsigned char *input = sim_case_input(it);
    if (results == NULL || others == NULL)
        abort();
    sim_case_run(it, input, device[0], results);
    check_oracle(it, input, device[0], results);
    for (uint32_t k = 1; k < count; k++) {
        sim_case_run(it, input, device[k], others);
        for (uint64_t i = 0; i < elements; i++)
            if (others[i] != results[i])
                sim_case_fail(it, device[k],
                              "element %" PRIu64 " has bits 0x%" PRIx64 ", elsewhere 0x%" PRIx64, i,
                              others[i], results[i]);
    }
    free(input);
    free(others);
    free(results);
}

void sim_case_check(const sim_case *it, uint32_t first, uint32_t step) {
    const sim_device *chosen[DEVICES];
    uint32_t count = 0;
    for (uint32_t device = first; device < DEVICES; device += step)
        chosen[count++] = &devices[device];
    sim_case_check_on(it, chosen, count);
}
