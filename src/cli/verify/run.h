/*
 * The solver of tally verify that is a device: memory that is made once and filled with the
 * values of the fixed set, and one problem after the other run on it. Prints nothing.
 */
#ifndef TALLY_CLI_VERIFY_RUN_H
#define TALLY_CLI_VERIFY_RUN_H

#include "cli/device.h"
#include "cli/transfer.h"
#include "cli/verify/cuts.h"
#include "cli/verify/set/report.h"

typedef struct verify_session {
    device device;
    tally_dtype dtype; /* of the inputs that are there */
    transfer_buffer input[VERIFY_CLASSES];
    transfer_buffer output, scratch;
    uint32_t runs;  /* of each problem, all with the bits of the first; 0: one */
    uint32_t parts; /* see verify_session_open() */
    verify_cuts cuts;
    uint64_t cut;     /* problems that were computed in parts */
    cli_error *error; /* of the problem that failed */
} verify_session;

/* parts: of each problem, along each axis in turn; 0: it is not cut. */
int verify_session_open(verify_session *session, const device_request *request, uint32_t parts,
                        cli_error *error);
void verify_session_close(verify_session *session);

/* A verify_solver; user is the session. Not CLI_DONE: session->error says why. */
int verify_session_solve(void *user, const verify_problem *problem, unsigned char *output,
                         size_t bytes);

#endif
