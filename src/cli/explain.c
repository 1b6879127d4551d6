/*
 * tally explain: the plan of an operator that the command line describes, without any data. With a
 * family and no device it needs none, and plans within the usual limits of such devices.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/options/explain.h"
#include "cli/progress.h"

/* Who is told of, where it is a device. */
typedef struct teller {
    const char *device; /* its name; NULL: there is none */
    bool source;        /* the text begins with comments */
} teller;

static void print(void *user, const char *text) {
    const teller *by = user;
    if (by->device != NULL)
        printf("%sdevice: %s\n", by->source ? "// " : "", by->device);
    fputs(text, stdout);
}

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
    teller by = {name, given->source};
    if (tally_op_create(opened.runtime, desc, &op, &refusal) != TALLY_OK ||
        tally_op_explain(op, given->source, print, &by, &refusal) != TALLY_OK)
        status = cli_fail(error, "%s", refusal.message);
    free(name);
    tally_op_release(op);
    device_close(&opened);
    return status;
}

static int explain(const explain_options *given, cli_error *error) {
    explain_subject subject;
    tally_error refusal;
    int status = explain_describe(given, &subject, error);
    if (status != CLI_DONE)
        return status;
    if (given->common.device != NULL || given->common.family == TALLY_FAMILY_AUTO)
        return explain_on_device(given, &subject.desc, error);
    teller by = {NULL, given->source};
    if (tally_explain(&subject.desc, given->common.family, given->common.single_pass, given->source,
                      print, &by, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    return CLI_DONE;
}

int explain_run(const command *self, int argc, char **argv, cli_error *error) {
    explain_options given = {0};
    double began = progress_clock();
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = explain_check(&given, error);
    if (status == CLI_DONE)
        status = explain(&given, error);
    if (status == CLI_DONE && given.common.time)
        fprintf(stderr, "wall %.3f ms\n", (progress_clock() - began) * 1e3);
    return status;
}
