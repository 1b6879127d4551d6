/*
 * A random problem on a device: its operator, its memory and its time. Prints nothing.
 */
#include "cli/bench/layouts/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/layouts/draw/sectors.h"
#include "cli/bench/op.h"
#include "cli/tables/types.h"

/* ---- The operator -------------------------------------------------------------------------- */

typedef tally_status creator(tally_runtime *runtime, const layouts_problem *problem, tally_op **op,
                             tally_error *error);

static tally_status create_reduce(tally_runtime *runtime, const layouts_problem *problem,
                                  tally_op **op, tally_error *error) {
    const tally_reduce desc = layouts_reduce(problem);
    return tally_reduce_create(runtime, &desc, op, error);
}

static tally_status create_scan(tally_runtime *runtime, const layouts_problem *problem,
                                tally_op **op, tally_error *error) {
    const tally_cumulative desc = layouts_scan(problem);
    return tally_cumulative_create(runtime, &desc, op, error);
}

static tally_status create_diagonal(tally_runtime *runtime, const layouts_problem *problem,
                                    tally_op **op, tally_error *error) {
    const tally_diagonal desc = layouts_diagonal(problem);
    return tally_diagonal_create(runtime, &desc, op, error);
}

int layouts_create(tally_runtime *runtime, const layouts_problem *problem, tally_op **op,
                   char refusal[LAYOUTS_REFUSAL_BYTES], cli_error *error) {
    static creator *const creators[BENCH_SUBJECTS] = {[BENCH_REDUCE] = create_reduce,
                                                      [BENCH_SCAN] = create_scan,
                                                      [BENCH_DIAGONAL] = create_diagonal};
    tally_error refused;
    const tally_status made = creators[problem->subject](runtime, problem, op, &refused);
    if (made == TALLY_UNSUPPORTED)
        snprintf(refusal, LAYOUTS_REFUSAL_BYTES, "%s", refused.message);
    return made == TALLY_OK || made == TALLY_UNSUPPORTED ? CLI_DONE
                                                         : cli_fail(error, "%s", refused.message);
}

int layouts_bind(layouts_session *session, const layouts_problem *problem, tally_op *op,
                 cl_mem output, tally_binding *binding, cli_error *error) {
    const size_t in = cli_type_bytes(problem->input.dtype);
    const size_t out = cli_type_bytes(problem->output.dtype);
    int status = transfer_grow(&session->device, "scratch memory", tally_op_scratch_size(op),
                               &session->scratch, error);
    binding->output =
        (tally_view){.buffer = output, .offset = (size_t)problem->output_placement.offset * out};
    binding->input = (tally_view){.buffer = session->input.buffer,
                                  .offset = (size_t)problem->input_placement.offset * in};
    if (problem->in_place)
        binding->input = binding->output;
    if (!problem->has_input)
        binding->input = (tally_view){.buffer = NULL};
    binding->scratch = (tally_view){.buffer = session->scratch.buffer};
    return status;
}

/* ---- Its plan ------------------------------------------------------------------------------ */

/* End the word before "_NAME_". */
static void cut_before(char *word, const char *name) {
    char part[64];
    snprintf(part, sizeof part, "_%s_", name);
    char *found = name[0] != '\0' ? strstr(word, part) : NULL;
    if (found != NULL)
        *found = '\0';
}

/*
 * The schedule of a launch from its line of the plan: of the text between the number and the first
 * comma, "tally_fold_rows_sum_f32_k1_i32", what is before the function or the type. This is all
 * that the program knows of how a plan is described.
 */
static void schedule_of(const char *line, char *word, size_t bytes) {
    line += strspn(line, "0123456789: ");
    line += strncmp(line, "tally_", 6) == 0 ? 6 : 0;
    snprintf(word, bytes, "%.*s", (int)strcspn(line, ",\n"), line);
    for (size_t i = 0; i < layouts_function_count; i++)
        cut_before(word, layouts_functions[i].name);
    for (size_t i = 0; i < layouts_type_count; i++)
        cut_before(word, layouts_type_rows[i].name);
}

/* The schedules of all launches, with a space between two. */
static void list_schedules(layouts_result *result) {
    size_t used = 0;
    for (const char *line = result->plan; *line != '\0' && used < sizeof result->schedules;) {
        char word[64];
        schedule_of(line, word, sizeof word);
        used += (size_t)snprintf(result->schedules + used, sizeof result->schedules - used, "%s%s",
                                 used > 0 ? " " : "", word);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

int layouts_keep_plan(const tally_op *op, layouts_result *result, cli_error *error) {
    const char *plan = tally_op_describe(op);
    result->plan = malloc(strlen(plan) + 1);
    if (result->plan == NULL)
        return cli_fail_memory(error, "a plan");
    memcpy(result->plan, plan, strlen(plan) + 1);
    list_schedules(result);
    return CLI_DONE;
}

void layouts_result_release(layouts_result *result) {
    free(result->plan);
    result->plan = NULL;
}

/* ---- Actions ------------------------------------------------------------------------------- */

int layouts_prepare(layouts_session *session, const layouts_problem *problem,
                    layouts_result *result, cli_error *error) {
    tally_runtime *const runtimes[] = {session->device.runtime, session->generic};
    int status = CLI_DONE;
    for (size_t i = 0; i < 2 && runtimes[i] != NULL && status == CLI_DONE; i++) {
        tally_op *op = NULL;
        status = layouts_create(runtimes[i], problem, &op, result->refusal, error);
        if (op != NULL && result->plan == NULL)
            status = layouts_keep_plan(op, result, error);
        tally_op_release(op);
    }
    return status;
}

/* In place the copies, which go from the input to the output, bring the same values again. */
static int fill(layouts_session *session, const layouts_problem *problem, cli_error *error) {
    const uint64_t bytes = layouts_reach(&problem->input_placement, &problem->input);
    if (!problem->has_input)
        return CLI_DONE;
    int status = layouts_fill_input(session, problem->input.dtype, bytes, error);
    if (!problem->in_place || status != CLI_DONE)
        return status;
    return layouts_fill(session, problem->input.dtype, session->output.buffer, bytes, error);
}

/* In turns with a copy of as many bytes. */
static int time_both(layouts_session *session, bench_op *work, layouts_result *result,
                     cli_error *error) {
    bench_limit *copy = NULL;
    int status = layouts_copy(session, result->bytes, &copy, error);
    if (status != CLI_DONE)
        return status;
    layouts_timed both[] = {{bench_op_enqueue, work, 0, 0}, {copy->enqueue, copy, 0, 0}};
    status =
        layouts_time(session->device.queue, both, 2, session->samples, &result->samples, error);
    result->seconds = both[0].seconds;
    result->repeats = both[0].repeats;
    result->copy = copy->name;
    result->copy_seconds = layouts_copy_seconds(copy, result->bytes, both[1].seconds);
    result->copy_repeats = both[1].repeats;
    result->share = result->copy_seconds / result->seconds;
    return status;
}

int layouts_measure(layouts_session *session, const layouts_problem *problem,
                    layouts_result *result, cli_error *error) {
    bench_op work = {NULL, TALLY_BINDING_INIT};
    result->bytes = layouts_bytes(problem);
    if (result->bytes == 0)
        snprintf(result->refusal, sizeof result->refusal, "it reads nothing and writes nothing");
    if (result->bytes == 0)
        return CLI_DONE;
    int status = layouts_create(session->device.runtime, problem, &work.op, result->refusal, error);
    if (work.op == NULL)
        return status;
    status = layouts_keep_plan(work.op, result, error);
    if (status == CLI_DONE)
        status =
            layouts_bind(session, problem, work.op, session->output.buffer, &work.binding, error);
    if (status == CLI_DONE)
        status = fill(session, problem, error);
    if (status == CLI_DONE)
        status = time_both(session, &work, result, error);
    tally_op_release(work.op);
    return status;
}
