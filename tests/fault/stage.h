/*
 * stage.h: a subject set up on the fixture's device: memory, a queue, and what must come out.
 */
#ifndef TESTS_FAULT_STAGE_H
#define TESTS_FAULT_STAGE_H

#include "subject.h"
#include "support/fixtures/image.h"

typedef struct stage {
    const subject *what;
    cl_command_queue queue;
    image input, output, scratch;
    size_t scratch_bytes;
    uint32_t *expected;
    tally_runtime *runtime; /* whoever makes these releases them */
    tally_op *op;
    cl_event gate, done;
    cl_command_buffer_khr commands;
    tally_recorded *recorded;
    const char *cache_dir;            /* of runtimes made from now on; NULL at first */
    uint64_t cache_limit;             /* bytes in it */
    const tally_allocator *allocator; /* of these runtimes too; NULL at first */
} stage;

/* Memory and a queue for a subject. */
stage stage_open(const subject *what, cl_command_queue_properties order);
void stage_close(stage *at);

/* A runtime of the subject's family on the fixture's device. */
tally_status stage_make_runtime(const stage *at, tally_runtime **runtime, tally_error *error);

/* Both, which must succeed; and their release. */
void stage_make_op(stage *at);
void stage_release_op(stage *at);

/* See to it that there is enough scratch for the operator. */
void stage_fit_scratch(stage *at);

/* Make the output what no operator would leave there. */
void stage_spoil(stage *at);

/* Enqueue the operator, after the gate if there is one; `done` is its event. */
tally_status stage_enqueue(stage *at, tally_error *error);

/* Hold up what is enqueued from now on; let it go. */
void stage_shut(stage *at);
void stage_let_go(stage *at);

/* Wait for `done`, which is released, and hold every element against what must come out. */
void stage_check(stage *at);

/* The same of what has ended. */
void stage_compare(const stage *at);

#endif
