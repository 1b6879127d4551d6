/*
 * What Tally says of a device that it has accepted. Prints nothing.
 */
#ifndef TALLY_CLI_DEVICES_VERDICTS_H
#define TALLY_CLI_DEVICES_VERDICTS_H

#include <tally/tally.h>

/* Whether something holds, and why. */
typedef struct verdict {
    bool known, holds;
    char text[640];   /* "": nothing more is to be said */
    const char *more; /* lines, which are the runtime's; NULL: none */
} verdict;

/* "yes", "no: 3 of 50 items are wrong": the verdict without what more there is. */
#define VERDICT_LINE_BYTES 700
void verdict_write(const verdict *found, char line[VERDICT_LINE_BYTES]);

enum { DEVICES_GUARANTEED_BITS, DEVICES_SINGLE_PASS, DEVICES_RECORDING, DEVICES_VERDICTS };
extern const struct devices_verdict {
    const char *label, *key; /* in the table, in JSON */
    verdict (*judge)(tally_runtime *runtime);
} devices_verdicts[DEVICES_VERDICTS];

#endif
