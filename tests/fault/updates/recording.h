/*
 * recording.h: one recording of several launches with scratch, and the memory for an update of it,
 * which a test then refuses or makes fail. After each test a replay has the memory that was
 * recorded.
 */
#ifndef TESTS_FAULT_UPDATES_RECORDING_H
#define TESTS_FAULT_UPDATES_RECORDING_H

#include <check.h>

#include "fault/layer/layer_updates.h"
#include "fault/stage.h"
#include "memories.h"

typedef struct recording {
    stage at;
    layer_updates offer;
    cl_command_buffer_khr commands;
    tally_recorded *recorded;
    memories sets[2];
    tally_binding binding; /* the second set, to be spoilt */
} recording;

extern recording on;

/* Record the operator once more, with this memory. */
tally_status recording_record(cl_command_buffer_khr commands, const memories *with,
                              tally_recorded **recorded, tally_error *error);

/* Tests that find it, and leave it as it was. */
TCase *recording_add_case(Suite *suite, const char *name);

#endif
