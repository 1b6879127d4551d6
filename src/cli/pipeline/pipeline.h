/*
 * The text of several steps, such as "sum axis=1 | cumsum axis=0", as operators with their options.
 * Knows words, no files and no device.
 */
#ifndef TALLY_CLI_PIPELINE_PIPELINE_H
#define TALLY_CLI_PIPELINE_PIPELINE_H

#include "cli/job/operators.h"

#define PIPELINE_STEPS_MAX 16

typedef struct pipeline_step {
    const operator_kind *kind;
    void *given;    /* the options of its command */
    size_t at;      /* characters of the text before it */
    char label[80]; /* "step 2, 'cumsum axis=0'" */
} pipeline_step;

typedef struct pipeline {
    char *text; /* a copy, cut into words */
    pipeline_step steps[PIPELINE_STEPS_MAX];
    uint32_t count;
} pipeline;

/*
 * Parse a text. What is wrong is said with the place in the text, characters counted from 1, and
 * with the nearest right word. The caller releases the pipeline, on failure too.
 */
int pipeline_parse(const char *text, pipeline *parsed, cli_error *error);

/* A no-op on {0}, which it leaves. */
void pipeline_release(pipeline *parsed);

/* The function of a step; TALLY_FUNCTION_NONE: its operator has none. */
tally_function pipeline_function(const pipeline_step *one);

#endif
