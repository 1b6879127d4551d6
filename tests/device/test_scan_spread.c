/*
 * test_scan_spread.c: scans along few long rows, and along columns so few that they lie as one: by
 * one pass over memory and by two, in two launches and in three, with words of both sizes, in units
 * that are tiles and in smaller ones, in place, to and fro; and what is left when groups gave up.
 * Every element has the bits of the plain reference of the order, and nothing beside the output is
 * written.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/operator.h"
#include "plan/group.h"
#include "support/fixture.h"
#include "support/number.h"
#include "support/scan_memory.h"
#include "support/shape.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Devices --------------------------------------------------------------------------------- */

/* How the device at hand is planned for. */
typedef struct mode {
    bool single_pass;
    uint8_t word_bytes;
    uint64_t group_max; /* 0: the device's own */
    bool impatient;     /* groups look for a word once */
    bool large;         /* so large a device that rows have few bytes for each of its units */
} mode;

/* Longer rows take a single pass, or three launches, where they have many bytes. */
#define STRETCH 262144

static const mode modes[] = {{false, 8, 0, false, false},  {true, 8, 0, false, false},
                             {true, 8, 16, false, false},  {true, 4, 0, true, false},
                             {false, 4, 16, false, false}, {true, 8, 0, false, true},
                             {false, 4, 64, false, true}};

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

static tally_op *make_op(const tally_cumulative *desc, const mode *how) {
    const tally_limits limits = runtime->device.limits;
    tally_op *op = NULL;
    tally_error error;
    runtime->trial.wish = how->single_pass ? TALLY_SINGLE_PASS_ON : TALLY_SINGLE_PASS_OFF;
    runtime->device.limits.word_bytes = how->word_bytes;
    runtime->device.limits.units = how->large ? 64 : 2;
    if (how->group_max != 0)
        runtime->device.limits.group_max = how->group_max;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    runtime->device.limits = limits;
    const bool follows = how->large || desc->input.size[1] <= STRETCH;
    const char *phase = follows ? "_follow" : how->single_pass ? "_pass" : "_apply";
    ck_assert_msg(strstr(tally_op_describe(op), phase) != NULL, "no chain:\n%s",
                  tally_op_describe(op));
    for (uint32_t i = 0; i < op->plan.count && how->impatient; i++)
        op->plan.step[i].args.scan_rows.patience = 0;
    return op;
}

/* ---- Whole scans ----------------------------------------------------------------------------- */

/* Rows of many units, past stretches, of columns, and of states that words hold in parts. */
static const struct {
    tally_function function;
    tally_dtype dtype;
    uint64_t rows, terms, columns;
} problems[] = {{TALLY_SUM, TALLY_F32, 2, 300000, 1}, {TALLY_SUM, TALLY_F32, 1, 600001, 1},
                {TALLY_SUM, TALLY_F32, 3, 270000, 3}, {TALLY_SUM, TALLY_F64, 1, 140000, 1},
                {TALLY_MAX, TALLY_F16, 1, 300000, 2}, {TALLY_SUM, TALLY_F32, 1, 540000, 1}};

static tally_cumulative make_desc(size_t problem, bool exclusive, bool descending) {
    tally_cumulative desc = shape_scan(
        problems[problem].function, problems[problem].dtype,
        SHAPE(problems[problem].rows, problems[problem].terms, problems[problem].columns), 1);
    desc.exclusive = exclusive;
    desc.descending = descending;
    return desc;
}

/* PoCL 3.1 dies of compiling words of half of float64's parts; they are simulated. */
static bool is_there(size_t problem, const mode *how) {
    return problems[problem].dtype != TALLY_F64 || (fixture_get()->has_f64 && how->word_bytes == 8);
}

START_TEST(long_rows_have_the_bits_of_the_order) {
    for (size_t i = 0; i < COUNT(problems); i++) {
        const size_t turn = i + (size_t)_i;
        const tally_cumulative desc = make_desc(i, turn % 2 != 0, turn / 2 % 2 != 0);
        if (is_there(i, &modes[_i]))
            scan_memory_check(&desc, make_op(&desc, &modes[_i]), turn % 3 == 0);
    }
}
END_TEST

/* ---- Repairs --------------------------------------------------------------------------------- */

static void run_steps(const tally_op *op, uint32_t first, uint32_t count, const scan_memory *it) {
    static tally_plan part;
    tally_launch launch = {.queue = fixture_get()->queue, .kernel = op->kernel + first};
    tally_error error;
    part = (tally_plan){.count = count, .scratch = op->plan.scratch};
    memcpy(part.step, op->plan.step + first, count * sizeof part.step[0]);
    launch.place[TALLY_IN_INPUT] = (tally_span){it->in, it->in_first};
    launch.place[TALLY_IN_OUTPUT] = (tally_span){it->out, it->out_first};
    launch.place[TALLY_IN_SCRATCH] = (tally_span){it->scratch, TALLY_SCRATCH_ALIGNMENT};
    fixture_ok(tally_launch_plan(&part, &launch, &error), &error, tally_op_describe(op));
    fixture_check(clFinish(launch.queue));
}

/*
 * As if every so many-th unit had given up, after it told its own totals: those are unwritten and
 * marked, and nobody told what they and others end.
 */
static void give_up(const tally_op *op, const scan_memory *it, uint64_t units) {
    const tally_scan_rows_args *args = &op->plan.step[1].args.scan_rows;
    const uint64_t word = op->plan.step[1].spec.word;
    const uint64_t jobs = args->head.units, begin = TALLY_SCRATCH_ALIGNMENT;
    const cl_command_queue queue = fixture_get()->queue;
    const bool parts = args->tiles > args->spans; /* then tiles were told by those that end them */
    const uint64_t kept = parts ? args->tiles : args->stretches;
    unsigned char *none = fixture_make_memory(op->plan.scratch, 0);
    fixture_check(clEnqueueWriteBuffer(queue, it->scratch, CL_TRUE, (size_t)(begin + kept * word),
                                       (size_t)(op->plan.scratch - kept * word), none, 0, NULL,
                                       NULL));
    uint64_t left = 0;
    for (uint64_t job = units - 1; job < jobs; job += units, left++)
        none[(2 + job) * word] = 1;
    none[word] = (unsigned char)left;
    none[word + 1] = (unsigned char)(left >> 8);
    fixture_check(clEnqueueWriteBuffer(queue, it->scratch, CL_TRUE, (size_t)begin,
                                       (size_t)((2 + jobs) * word), none, 0, NULL, NULL));
    free(none);
}

/* The elements of marked units are as they were. */
static void unwrite(const tally_cumulative *desc, const tally_op *op, const scan_memory *it,
                    uint64_t units) {
    const tally_spec *spec = &op->plan.step[1].spec;
    const tally_scan_rows_args *args = &op->plan.step[1].args.scan_rows;
    const uint64_t unit = tally_unit_terms(spec), terms = args->terms;
    const size_t term_bytes = number_bytes(desc->input.dtype) * spec->policy.scan_rows.merged;
    for (uint64_t job = units - 1; job < args->head.units; job += units) {
        const uint64_t begin = job / args->rows * unit;
        const uint64_t count = terms - begin < unit ? terms - begin : unit;
        const uint64_t first = desc->descending ? terms - begin - count : begin;
        const uint64_t at = (job % args->rows * terms + first) * term_bytes;
        const unsigned char *from = it->out == it->in ? it->input : it->output;
        fixture_check(clEnqueueWriteBuffer(
            fixture_get()->queue, it->out, CL_TRUE, (size_t)(it->out_first + at),
            (size_t)(count * term_bytes), from + it->out_first + at, 0, NULL, NULL));
    }
}

/* Units of tiles and smaller ones, all of them given up, and some. */
START_TEST(what_was_given_up_is_repaired) {
    static const mode how[] = {{true, 8, 0, false, false}, {true, 8, 16, false, false}};
    for (uint64_t units = 1; units <= 3; units += 2) {
        for (size_t i = 0; i < 3; i++) {
            const bool in_place = (i + units) % 2 != 0;
            const tally_cumulative desc = make_desc(i, units == 1, i % 2 == 0);
            tally_op *op = make_op(&desc, &how[_i]);
            scan_memory it = scan_memory_make(&desc, op, in_place);
            /* No group may give up by itself: its mark would be overwritten by those of the test.
             */
            op->plan.step[1].args.scan_rows.patience = UINT32_MAX;
            run_steps(op, 0, 2, &it);
            give_up(op, &it, units);
            unwrite(&desc, op, &it, units);
            run_steps(op, 2, 2, &it);
            scan_memory_compare(&desc, &it, tally_op_describe(op));
            scan_memory_free(&it);
            tally_op_release(op);
        }
    }
}
END_TEST

Suite *suite_scan_spread(void);

Suite *suite_scan_spread(void) {
    Suite *suite = suite_create("scan_spread");
    TCase *tests = tcase_create("scan_spread");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, long_rows_have_the_bits_of_the_order, 0, COUNT(modes));
    tcase_add_loop_test(tests, what_was_given_up_is_repaired, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
