/*
 * tally explain: the plan of an operator that the command line describes, without any data. With a
 * family and no device it needs none, and plans within the usual limits of such devices.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/options/explain.h"
#include "cli/plan_json.h"
#include "platform/system.h"

/* ---- How it is told ------------------------------------------------------------------------- */

/* Who is told of, where it is a device, and how. */
typedef struct teller {
    const char *device; /* its name; NULL: there is none */
    bool source;        /* the text begins with comments */
    json_document document;
} teller;

static void print(void *user, const char *text) {
    const teller *by = user;
    if (by->device != NULL)
        printf("%sdevice: %s\n", by->source ? "// " : "", by->device);
    fputs(text, stdout);
}

static void write_plan(void *user, const char *text) {
    teller *by = user;
    plan_json_write(&by->document, text);
}

static void write_source(void *user, const char *text) {
    teller *by = user;
    json_text(&by->document, "source", text);
}

/* An operator that is planned, on a device or for a family of kernels. */
typedef struct planned {
    const tally_op *op; /* NULL: for a family */
    const tally_desc *desc;
    const explain_options *given;
} planned;

static int ask(const planned *plan, bool source, void (*write)(void *user, const char *text),
               teller *by, cli_error *error) {
    const common_options *common = &plan->given->common;
    tally_error refusal;
    const tally_status status = plan->op != NULL
                                    ? tally_op_explain(plan->op, source, write, by, &refusal)
                                    : tally_explain(plan->desc, common->family, common->single_pass,
                                                    source, write, by, &refusal);
    return status == TALLY_OK ? CLI_DONE : cli_fail(error, "%s", refusal.message);
}

/* As text, or as a document whose end comes whatever fails. */
static int tell(const planned *plan, const char *on, cli_error *error) {
    const bool source = plan->given->source;
    teller by = {on, source, {.to = stdout}};
    if (!plan->given->common.json)
        return ask(plan, source, print, &by, error);
    json_begin(&by.document, NULL, '{');
    json_text(&by.document, "device", on);
    int status = ask(plan, false, write_plan, &by, error);
    if (status == CLI_DONE && source)
        status = ask(plan, true, write_source, &by, error);
    json_end(&by.document, '}');
    return status;
}

/* ---- What is told --------------------------------------------------------------------------- */

static int explain_on_device(const explain_options *given, const tally_desc *desc,
                             cli_error *error) {
    const device_request request = options_request(&given->common, false);
    device opened;
    tally_op *op = NULL;
    tally_error refusal;
    int status = device_choose(&request, &opened, error);
    if (status != CLI_DONE)
        return status;
    char *name = device_text(opened.id, CL_DEVICE_NAME);
    if (tally_op_create(opened.runtime, desc, &op, &refusal) != TALLY_OK)
        status = cli_fail(error, "%s", refusal.message);
    const planned plan = {op, desc, given};
    if (status == CLI_DONE)
        status = tell(&plan, name, error);
    free(name);
    tally_op_release(op);
    device_close(&opened);
    return status;
}

static int explain(const explain_options *given, cli_error *error) {
    explain_subject subject;
    int status = explain_describe(given, &subject, error);
    if (status != CLI_DONE)
        return status;
    if (given->common.device != NULL || given->common.family == TALLY_FAMILY_AUTO)
        return explain_on_device(given, &subject.desc, error);
    const planned plan = {NULL, &subject.desc, given};
    return tell(&plan, NULL, error);
}

int explain_run(const command *self, int argc, char **argv, cli_error *error) {
    explain_options given = {0};
    double began = tally_clock();
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = explain_check(&given, error);
    if (status == CLI_DONE)
        status = explain(&given, error);
    if (status == CLI_DONE && given.common.time)
        fprintf(stderr, "wall %.3f ms\n", (tally_clock() - began) * 1e3);
    return status;
}
