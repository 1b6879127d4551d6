/*
 * A plan for people: puts together what the problem, the limits, the steps and the tables say.
 * Values stand in a column, at least two blanks behind their names, so that a reader who cuts lines
 * there finds them.
 */
#include "plan/explain/explain.h"

#include <inttypes.h>
#include <string.h>

#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/program/source.h"

/* Devices of today, by family. */
static const tally_limits usual[] = {
    [TALLY_FAMILY_GENERIC] = {.group_max = 256, .local_bytes = 32768, .units = 16},
    [TALLY_FAMILY_GPU] = {.group_max = 1024, .local_bytes = 49152, .units = 128},
    [TALLY_FAMILY_CPU] = {.group_max = 4096, .local_bytes = 262144, .units = 16},
};

tally_limits tally_limits_usual(tally_family family, tally_single_pass single_pass) {
    tally_limits limits = usual[family];
    limits.address_bits = 64;
    limits.family = family;
    limits.word_bytes = 8;
    limits.single_pass = family == TALLY_FAMILY_GPU && single_pass != TALLY_SINGLE_PASS_OFF;
    limits.has_f64 = true;
    return limits;
}

void tally_explain_own_kernels(tally_explanation *of) {
    for (uint32_t i = 0; i < tally_plan_launch_count(of->plan); i++) {
        const tally_spec program = tally_spec_program(&of->plan->step[i].spec);
        of->kernels[i] = 0;
        for (uint32_t k = 0; k < tally_plan_launch_count(of->plan); k++) {
            const tally_spec other = tally_spec_program(&of->plan->step[k].spec);
            if (tally_spec_equal(&program, &other))
                of->kernels[i] |= tally_source_kernel(&of->plan->step[k].spec);
        }
    }
}

/* ---- Limits and problem -------------------------------------------------------------------- */

static void add_limits(const tally_explanation *of, tally_text *text) {
    static const char *const families[] = {
        [TALLY_FAMILY_GENERIC] = "generic", [TALLY_FAMILY_GPU] = "gpu", [TALLY_FAMILY_CPU] = "cpu"};
    const tally_limits *limits = of->limits;
    tally_text_format(text,
                      "limits: %s\n"
                      "  family               %s\n"
                      "  group                %" PRIu64 " work-items at most\n"
                      "  local memory         %" PRIu64 " bytes of a group at most\n"
                      "  compute units        %" PRIu32 "\n"
                      "  address bits         %" PRIu32 "\n"
                      "  atomic words         %u bytes\n"
                      "  single pass          %s\n"
                      "  fp64                 %s\n",
                      of->whose, families[limits->family], limits->group_max, limits->local_bytes,
                      limits->units, limits->address_bits, (unsigned)limits->word_bytes,
                      limits->single_pass ? "taken by scans of few long rows" : "not taken",
                      limits->has_f64 ? "yes" : "no");
}

static void add_list(tally_text *text, const char *what, const uint64_t *values, uint32_t count) {
    tally_text_format(text, "%s[", what);
    for (uint32_t k = 0; k < count; k++)
        tally_text_format(text, "%s%" PRIu64, k > 0 ? "," : "", values[k]);
    tally_text_add(text, "]");
}

static void add_dims(tally_text *text, const tally_dims *dims, bool has_in, bool has_out) {
    add_list(text, "", dims->size, dims->count);
    if (has_in)
        add_list(text, ", strides of the input ", dims->in, dims->count);
    if (has_out)
        add_list(text, ", of the output ", dims->out, dims->count);
    tally_text_add(text, "\n");
}

/* The axes as they were collapsed: fewer than the description's where neighbours were merged. */
static void add_problem(const tally_problem *problem, tally_text *text) {
    static const char *const kinds[] = {
        [TALLY_KIND_FOLD] = "fold", [TALLY_KIND_SCAN] = "scan", [TALLY_KIND_FILL] = "fill"};
    const tally_monoid *function = tally_monoid_find(problem->function);
    bool scan = problem->kind == TALLY_KIND_SCAN;
    tally_text_format(text, "problem: %s%s%s of %s\n", kinds[problem->kind],
                      function != NULL ? ", " : "", function != NULL ? function->name : "",
                      tally_dtype_find(problem->input)->name);
    tally_text_add(text, scan ? "  other axes           " : "  kept axes            ");
    add_dims(text, &problem->kept, problem->has_input, true);
    for (uint32_t g = 0; g < problem->groups; g++) {
        if (scan)
            tally_text_add(text, "  axis                 ");
        else
            tally_text_format(text, "  swept group %u of %u   ", (unsigned)g + 1,
                              (unsigned)problem->groups);
        add_dims(text, &problem->swept[g], true, scan);
    }
    if (problem->kind != TALLY_KIND_FILL)
        tally_text_format(text, "  terms                %" PRIu64 " of each %s\n", problem->terms,
                          scan ? "row" : "output");
}

/* ---- Launches ------------------------------------------------------------------------------ */

static void add_role(tally_text *text, const char *what, tally_role position, uint64_t offset,
                     uint32_t bytes) {
    static const char *const names[] = {[TALLY_IN_INPUT] = "the input",
                                        [TALLY_IN_OUTPUT] = "the output",
                                        [TALLY_IN_SCRATCH] = "scratch",
                                        [TALLY_IN_NOTHING] = "nothing"};
    tally_text_format(text, "  %-20s %s", what, names[position]);
    if (position == TALLY_IN_SCRATCH)
        tally_text_format(text, " from byte %" PRIu64, offset);
    if (position != TALLY_IN_NOTHING && bytes != 0)
        tally_text_format(text, ", %" PRIu32 " bytes each", bytes);
    tally_text_add(text, "\n");
}

static void add_driver(const tally_kernel_facts *driver, tally_text *text) {
    if (driver->known)
        tally_text_format(text,
                          "  local memory         %" PRIu64 " bytes of a group, says the driver\n"
                          "  private memory       %" PRIu64 " bytes of a work-item, says the "
                          "driver\n"
                          "  largest group        %" PRIu64 " work-items, says the driver\n",
                          driver->local_bytes, driver->private_bytes, driver->group_max);
    else
        tally_text_add(text, "  local memory         known once a device has built the kernel\n");
}

static void add_step(const tally_explanation *of, uint32_t i, tally_text *text) {
    const tally_plan *plan = of->plan;
    const tally_step *step = &plan->step[i];
    char name[TALLY_NAME_BYTES];
    tally_spec_name(&step->spec, name);
    tally_text_format(text, "launch %u of %u: %s%s\n", (unsigned)i + 1,
                      (unsigned)tally_plan_launch_count(plan), name,
                      plan->out_of_place_steps == 0  ? ""
                      : i < plan->out_of_place_steps ? ", where input and output lie apart"
                                                     : ", in place");
    tally_text_add(text, "  why                  ");
    tally_plan_reason(of->problem, of->limits, step, text);
    tally_text_add(text, "\n");
    if (tally_plan_part(step) != NULL)
        tally_text_format(text, "  part of it           %s\n", tally_plan_part(step));
    add_role(text, "source", step->source, step->source_offset, step->source_bytes);
    add_role(text, "target", step->target, step->target_offset, step->target_bytes);
    tally_text_format(text,
                      "  ND-range             %" PRIu64 " groups of %" PRIu32 " work-items\n"
                      "  units of work        %" PRIu64,
                      step->groups, step->group, step->args.head.units);
    if (step->slots > 1)
        tally_text_format(text, ", %" PRIu64 " in a group at a time", step->slots);
    tally_text_add(text, "\n");
    add_driver(&of->driver[i], text);
    tally_explain_spec(&step->spec, text);
    tally_explain_args(step, text);
}

void tally_explain_plan(const tally_explanation *of, tally_text *text) {
    add_limits(of, text);
    add_problem(of->problem, text);
    if (of->plan->count == 0)
        tally_text_add(text, "plan: nothing to do, as the output is empty\n");
    else
        tally_text_format(text, "plan: %u launch%s, %" PRIu64 " bytes of scratch\n",
                          (unsigned)tally_plan_launch_count(of->plan),
                          tally_plan_launch_count(of->plan) > 1 ? "es" : "", of->plan->scratch);
    if (of->plan->board > 0)
        tally_text_format(text,
                          "  board                %" PRIu64
                          " bytes of the operator's own, for each launch under way\n",
                          of->plan->board);
    for (uint32_t i = 0; i < tally_plan_launch_count(of->plan); i++)
        add_step(of, i, text);
}

/* ---- Programs ------------------------------------------------------------------------------ */

/* Whether the steps' kernels are of one program. */
static bool is_shared(const tally_explanation *of, uint32_t a, uint32_t b) {
    const tally_spec one = tally_spec_program(&of->plan->step[a].spec);
    const tally_spec other = tally_spec_program(&of->plan->step[b].spec);
    return tally_spec_equal(&one, &other) && of->kernels[a] == of->kernels[b];
}

void tally_explain_programs(const tally_explanation *of, tally_text *text) {
    for (uint32_t i = 0; i < tally_plan_launch_count(of->plan); i++) {
        uint32_t first = 0;
        while (!is_shared(of, first, i))
            first++;
        if (first < i)
            continue;
        tally_text_add(text, "// program of launch");
        for (uint32_t k = i; k < tally_plan_launch_count(of->plan); k++)
            if (is_shared(of, i, k))
                tally_text_format(text, "%s%u", k > i ? ", " : " ", (unsigned)k + 1);
        tally_text_format(text, "; options of the compiler: %s\n", of->options);
        tally_source_write_kernels(&of->plan->step[i].spec, of->kernels[i], text);
    }
}
