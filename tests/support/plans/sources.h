/*
 * sources.h: the sources of programs, for tests that read them: one whole, or those of every
 * so-many-th spec that a planner may ask for. What is right in a source is the test's to say.
 */
#ifndef TESTS_SUPPORT_PLANS_SOURCES_H
#define TESTS_SUPPORT_PLANS_SOURCES_H

#include "base/text.h"
#include "plan/spec.h"

/* A program's source, whole, else the running test fails. The caller frees it. */
tally_text sources_write(const tally_spec *program);

/* Fail with the program's name; Check takes no message as long as a source. */
void sources_fail(const tally_spec *program, const char *what);

/* Every so-many-th program, another one each time: of one function and type all are alike. */
void sources_check(int step, void (*check)(const tally_spec *program, const char *source));

#endif
