/*
 * Telling a plan: of an operator, with what the driver says of its kernels, or of a description,
 * for a runtime's device or for one that nobody has opened.
 */
#include "api/operator.h"

#include <string.h>

#include "device/clerror.h"
#include "plan/explain/explain.h"

typedef void (*writer)(void *user, const char *text);

static tally_status check_question(const void *subject, const char *name, writer write,
                                   tally_error *error) {
    tally_error_clear(error);
    if (subject == NULL || write == NULL)
        return tally_fail(error, TALLY_INVALID, "%s is NULL",
                          subject == NULL ? name : "the function that takes the text");
    return TALLY_OK;
}

/* Every line behind the signs of a comment. */
static void comment(const tally_text *plain, tally_text *text) {
    const char *line = plain->data;
    while (line != NULL && *line != '\0') {
        const size_t length = strcspn(line, "\n");
        tally_text_format(text, "// %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* Hand the explanation to write: as it is, or as comments before the programs. */
static tally_status print_launches(const tally_explanation *of, const tally_allocator *allocator,
                                   bool source, writer write, void *user, tally_error *error) {
    tally_text plain = tally_text_from(allocator), commented = tally_text_from(allocator);
    const tally_text *told = source ? &commented : &plain;
    tally_explain_plan(of, &plain);
    if (source && !plain.failed) {
        comment(&plain, &commented);
        tally_explain_programs(of, &commented);
    }
    const bool failed = plain.failed || told->failed;
    if (!failed)
        write(user, told->data);
    tally_text_free(&plain);
    tally_text_free(&commented);
    return failed ? tally_fail_memory(error, "an explanation") : TALLY_OK;
}

/* ---- Of an operator ------------------------------------------------------------------------ */

static tally_status ask_driver(const tally_op *op, uint32_t step, tally_kernel_facts *facts,
                               tally_error *error) {
    const cl_kernel kernel = op->executable.kernel[step];
    const cl_device_id device = op->runtime->device.id;
    cl_ulong local = 0, own = 0;
    size_t most = 0;
    cl_int code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local,
                                           &local, NULL);
    if (code == CL_SUCCESS)
        code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof own,
                                        &own, NULL);
    if (code == CL_SUCCESS)
        code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                        &most, NULL);
    *facts = (tally_kernel_facts){true, local, own, most};
    return tally_cl_check(code, "clGetKernelWorkGroupInfo", error);
}

tally_status tally_op_explain(const tally_op *op, bool source,
                              void (*write)(void *user, const char *text), void *user,
                              tally_error *error) {
    tally_status status = check_question(op, "the operator", write, error);
    if (status != TALLY_OK)
        return status;
    tally_explanation of = {.problem = &op->problem,
                            .limits = &op->executable.limits,
                            .whose = "the device's",
                            .plan = &op->executable.plan,
                            .options = op->runtime->device.build_options};
    for (uint32_t i = 0; i < tally_plan_launch_count(&op->executable.plan) && status == TALLY_OK;
         i++) {
        of.kernels[i] = tally_executable_program(&op->executable, i).kernels;
        status = ask_driver(op, i, &of.driver[i], error);
    }
    return status == TALLY_OK
               ? print_launches(&of, &op->runtime->device.allocator, source, write, user, error)
               : status;
}

/* ---- Of a description ---------------------------------------------------------------------- */

static tally_status check_choices(tally_family family, tally_single_pass single_pass,
                                  tally_error *error) {
    if (family < TALLY_FAMILY_GENERIC || family > TALLY_FAMILY_CPU)
        return tally_fail(error, TALLY_INVALID,
                          "family %d is none of GENERIC (%d) to CPU (%d), without a device",
                          (int)family, TALLY_FAMILY_GENERIC, TALLY_FAMILY_CPU);
    return tally_check_single_pass(single_pass, error);
}

/* The plan of what is explained so far, which has no kernels yet, and the text of both. */
static tally_status plan_and_print(const tally_explanation *asked, const tally_allocator *allocator,
                                   bool source, writer write, void *user, tally_error *error) {
    tally_explanation of = *asked;
    tally_plan plan;
    tally_status status = tally_plan_make(of.problem, of.limits, &plan, error);
    if (status != TALLY_OK)
        return status;
    of.plan = &plan;
    tally_explain_own_kernels(&of);
    return print_launches(&of, allocator, source, write, user, error);
}

tally_status tally_runtime_explain(tally_runtime *runtime, const tally_desc *desc, bool source,
                                   void (*write)(void *user, const char *text), void *user,
                                   tally_error *error) {
    tally_problem problem;
    tally_status status = check_question(runtime, "the runtime", write, error);
    if (status == TALLY_OK)
        status = tally_desc_read(desc, &problem, error);
    if (status != TALLY_OK)
        return status;
    tally_limits limits = runtime->device.limits;
    tally_trial_expect(&runtime->trial, &problem, &limits);
    const tally_explanation of = {.problem = &problem,
                                  .limits = &limits,
                                  .whose = "the device's",
                                  .options = runtime->device.build_options};
    return plan_and_print(&of, &runtime->device.allocator, source, write, user, error);
}

tally_status tally_explain(const tally_desc *desc, tally_family family,
                           tally_single_pass single_pass, bool source,
                           void (*write)(void *user, const char *text), void *user,
                           tally_error *error) {
    tally_problem problem;
    tally_status status = check_question(desc, "the description", write, error);
    if (status == TALLY_OK)
        status = check_choices(family, single_pass, error);
    if (status == TALLY_OK)
        status = tally_desc_read(desc, &problem, error);
    if (status != TALLY_OK)
        return status;
    const tally_limits limits = tally_limits_usual(family, single_pass);
    const tally_explanation of = {.problem = &problem,
                                  .limits = &limits,
                                  .whose = "the usual ones of the family, as no device was asked",
                                  .options =
                                      "-cl-std=CL1.2 -DTALLY_ROUNDS_CORRECTLY=0, or 1 and "
                                      "-cl-fp32-correctly-rounded-divide-sqrt, by the device"};
    return plan_and_print(&of, NULL, source, write, user, error);
}
