/*
 * run.c: the three operators as one kind of problem, and the steps of a run. Random elements come
 * from values.h, expectations from oracle.h, surroundings from image.h.
 */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "any_desc.h"
#include "image.h"
#include "number.h"

typedef tally_status creator(tally_runtime *runtime, const void *desc, tally_op **op,
                             tally_error *error);

/* An operator's description behind the calls that depend on its kind. */
typedef struct problem {
    any_desc of;
    bool needs_f64; /* arithmetic, not only copies */
    bool ignores_nan;
    run_how how;
    tally_runtime *runtime;
    const char *schedule; /* that the plan must name; NULL: any */
    creator *create;
} problem;

static uint64_t runs;

uint64_t run_count(void) {
    return runs;
}

/* ---- The three kinds ----------------------------------------------------------------------- */

static tally_status create_reduce(tally_runtime *runtime, const void *desc, tally_op **op,
                                  tally_error *error) {
    return tally_reduce_create(runtime, desc, op, error);
}

static tally_status create_cumulative(tally_runtime *runtime, const void *desc, tally_op **op,
                                      tally_error *error) {
    return tally_cumulative_create(runtime, desc, op, error);
}

static tally_status create_diagonal(tally_runtime *runtime, const void *desc, tally_op **op,
                                    tally_error *error) {
    return tally_diagonal_create(runtime, desc, op, error);
}

/* ---- Messages ------------------------------------------------------------------------------ */

static void describe_problem(text *out, const problem *it) {
    text_add(out, "\n");
    it->of.describe(out, it->of.desc);
    text_add(out, "run_how how = {%s, %" PRIu64 "u, %" PRIu32 ", %" PRIu32 ", %s};\n",
             values_name(it->how.values), it->how.seed, it->how.input_offset, it->how.output_offset,
             it->how.in_place ? "true" : "false");
}

static void fail_call(const problem *it, const char *call, const tally_error *error) {
    text out = {{0}, 0};
    describe_problem(&out, it);
    ck_abort_msg("%s%s: %s: %s", out.chars, call, tally_status_name(error->status), error->message);
}

static void fail_element(const problem *it, uint64_t index, uint64_t bits, uint64_t wrong,
                         const oracle_value *expected, const char *plan) {
    text out = {{0}, 0};
    describe_problem(&out, it);
    text_add(&out, "output ");
    describe_coordinates(&out, it->of.output, index);
    text_add(&out, " is ");
    describe_element(&out, it->of.output->dtype, bits);
    text_add(&out, " and should be ");
    describe_expected(&out, it->of.output->dtype, expected);
    text_add(&out, "; %" PRIu64 " of %" PRIu64 " are wrong\nplan: %s", wrong,
             oracle_count(it->of.output), plan);
    ck_abort_msg("%s", out.chars);
}

static void fail_byte(const problem *it, const char *what, const image *memory, size_t at,
                      unsigned char found) {
    text out = {{0}, 0};
    describe_problem(&out, it);
    ck_abort_msg("%s%s: byte %zu, %td from the first element, was 0x%02x and is 0x%02x", out.chars,
                 what, at, (ptrdiff_t)at - (ptrdiff_t)memory->first, memory->bytes[at], found);
}

/* ---- Memory -------------------------------------------------------------------------------- */

/*
 * What lies around the input's elements. Floats get NaN, which no sum survives; where NaN is
 * ignored, numbers that beat every other one, which end depending on the seed.
 */
static unsigned char poison(const problem *it) {
    const unsigned char ends[] = {0x7B, 0xFB, 0x7F, 0x80};
    if (number_is_float(it->of.input->dtype) && !it->ignores_nan) {
        return 0xFF;
    }
    return ends[it->how.seed % 4];
}

static image make_input(const problem *it) {
    const tally_tensor *tensor = it->of.input;
    const size_t bytes = number_bytes(tensor->dtype);
    uint64_t state = it->how.seed;
    image memory = image_make(it->how.input_offset * bytes, oracle_extent(tensor), poison(it));
    for (uint64_t k = 0; k < oracle_count(tensor); k++) {
        number_store(tensor->dtype, memory.bytes + memory.first + oracle_offset(tensor, k) * bytes,
                     values_element(it->how.values, tensor->dtype, &state));
    }
    image_upload(&memory);
    return memory;
}

static image make_output(const problem *it) {
    image memory = image_make(it->how.output_offset * number_bytes(it->of.output->dtype),
                              oracle_extent(it->of.output), 0);
    image_scramble(&memory, ~it->how.seed);
    image_upload(&memory);
    return memory;
}

/* Scratch full of NaN, at an aligned offset that is not always 0. */
static image make_scratch(const problem *it, const tally_op *op) {
    image memory = image_make(it->how.seed % 3 * 256, tally_op_scratch_size(op), 0xFF);
    image_upload(&memory);
    return memory;
}

static void check_outside(const problem *it, const char *what, const image *memory, size_t begin,
                          size_t end) {
    unsigned char *now = image_download(memory);
    for (size_t k = 0; k < memory->size; k++) {
        if ((k < begin || k >= end) && now[k] != memory->bytes[k]) {
            fail_byte(it, what, memory, k, now[k]);
        }
    }
    free(now);
}

/* ---- A run --------------------------------------------------------------------------------- */

/* Hold the output's elements against the oracle and all other bytes against what they were. */
static void check_output(const problem *it, const image *input, const image *output,
                         const char *plan) {
    const tally_dtype dtype = it->of.output->dtype;
    const uint64_t count = oracle_count(it->of.output);
    oracle_value *expected = malloc((size_t)(count + 1) * sizeof *expected);
    unsigned char *now = image_download(output);
    uint64_t wrong = 0, first = 0, found = 0;
    ck_assert_msg(expected != NULL, "no memory for %" PRIu64 " expected elements", count);
    it->of.expect(it->of.desc, input == NULL ? NULL : input->bytes + input->first, expected);
    for (uint64_t k = count; k-- > 0;) {
        const size_t at = output->first + oracle_offset(it->of.output, k) * number_bytes(dtype);
        const uint64_t bits = number_load(dtype, now + at);
        if (!oracle_accepts(&expected[k], dtype, bits)) {
            wrong++;
            first = k;
            found = bits;
        }
        memcpy(now + at, output->bytes + at, number_bytes(dtype));
    }
    if (wrong > 0) {
        fail_element(it, first, found, wrong, &expected[first], plan);
    }
    for (size_t k = 0; k < output->size; k++) {
        if (now[k] != output->bytes[k]) {
            fail_byte(it, "the output's surroundings", output, k, now[k]);
        }
    }
    free(now);
    free(expected);
}

static void run_op(const problem *it, tally_op *op) {
    tally_error error;
    tally_binding binding = TALLY_BINDING_INIT;
    image input = {NULL, 0, 0, NULL}, output;
    image scratch = make_scratch(it, op);
    ck_assert_msg(it->schedule == NULL || strstr(tally_op_describe(op), it->schedule) != NULL,
                  "no launch by %s: %s", it->schedule, tally_op_describe(op));
    if (it->of.input != NULL) {
        input = make_input(it);
        binding.input = image_view(&input);
    }
    output = it->how.in_place ? input : make_output(it);
    binding.output = image_view(&output);
    binding.scratch = image_view(&scratch);
    if (tally_op_enqueue(op, fixture_get()->queue, &binding, 0, NULL, NULL, &error) != TALLY_OK) {
        fail_call(it, "tally_op_enqueue", &error);
    }
    check_output(it, it->of.input == NULL ? NULL : &input, &output, tally_op_describe(op));
    if (it->of.input != NULL && !it->how.in_place) {
        check_outside(it, "the input", &input, 0, 0);
    }
    check_outside(it, "the scratch's surroundings", &scratch, scratch.first,
                  scratch.first + tally_op_scratch_size(op));
    image_free(&scratch);
    image_free(&output);
    if (!it->how.in_place) {
        image_free(&input);
    }
}

/* Create, run, release; on a device without float64 arithmetic, see it refused. */
static void run(const problem *it) {
    tally_error error;
    tally_op *op = NULL;
    const bool refused = it->needs_f64 && !fixture_get()->has_f64;
    const tally_status status = it->create(it->runtime, it->of.desc, &op, &error);
    if (status != (refused ? TALLY_UNSUPPORTED : TALLY_OK)) {
        fail_call(it, "create", &error);
    }
    if (!refused) {
        run_op(it, op);
    }
    tally_op_release(op);
    runs++;
}

static void run_arithmetic(any_desc of, creator *create, tally_nan nan, run_how how) {
    const bool needs_f64 = of.input->dtype == TALLY_F64, ignores_nan = nan == TALLY_NAN_IGNORE;
    run(&(problem){of, needs_f64, ignores_nan, how, fixture_get()->runtime, NULL, create});
}

void run_reduce(const tally_reduce *desc, run_how how) {
    run_arithmetic(any_reduce(desc), create_reduce, desc->nan, how);
}

void run_cumulative(const tally_cumulative *desc, run_how how) {
    run_arithmetic(any_cumulative(desc), create_cumulative, desc->nan, how);
}

void run_diagonal_on(tally_runtime *runtime, const char *schedule, const tally_diagonal *desc,
                     run_how how) {
    run(&(problem){any_diagonal(desc), false, false, how, runtime, schedule, create_diagonal});
}

void run_diagonal(const tally_diagonal *desc, run_how how) {
    run_diagonal_on(fixture_get()->runtime, NULL, desc, how);
}
