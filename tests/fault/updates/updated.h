/*
 * updated.h: recordings that can be updated, on a platform that the layer gives
 * cl_khr_command_buffer_mutable_dispatch, and what replays of them leave in one of several sets of
 * memory. What is recorded and updated when is the tests' to choose.
 */
#ifndef TESTS_FAULT_UPDATES_UPDATED_H
#define TESTS_FAULT_UPDATES_UPDATED_H

#include <check.h>

#include "fault/layer/layer_updates.h"
#include "fault/stage.h"
#include "memories.h"

/* The extension in a version, with all that updates need. */
layer_updates updated_offer(uint32_t version);

/* An operator, and a queue; memory comes later. The end takes the extension away. */
stage updated_open(const subject *what, cl_command_queue_properties order);
void updated_close(stage *at);

/* Record with the first memory, and give other memory; both must succeed. */
tally_recorded *updated_record(const stage *at, cl_command_buffer_khr commands,
                               const memories *with);
void updated_update(tally_recorded *recorded, const memories *with);

/* A replay has this one of several sets, and no other. */
void updated_check(cl_command_buffer_khr commands, const memories *all, int count, int which);

/* Tests after which nothing fails any more, and the layer keeps no programs. */
TCase *updated_add_case(Suite *suite, const char *name);

#endif
