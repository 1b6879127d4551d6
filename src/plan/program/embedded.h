/*
 * The files of cl/, put into the library by the build.
 */
#ifndef TALLY_PLAN_PROGRAM_EMBEDDED_H
#define TALLY_PLAN_PROGRAM_EMBEDDED_H

typedef struct tally_embedded {
    const char *name; /* without the folder; there is one of each */
    const char *path; /* "cl/core/order.h" */
    const char *text;
} tally_embedded;

/* Ends with a NULL name. */
extern const tally_embedded tally_embedded_files[];

#endif
