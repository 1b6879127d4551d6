/*
 * The fixed set of problems whose results are compared between devices, as plain descriptions. It
 * is part of what a hash means: any change of one that was released raises VERIFY_SET_VERSION. Read
 * by the program and by the tests' reference; knows no device, no library and no table of the
 * library's.
 */
#ifndef TALLY_CLI_VERIFY_SET_SET_H
#define TALLY_CLI_VERIFY_SET_SET_H

#include "cli/verify/set/problem.h"

#define VERIFY_SET_VERSION 1

/* The groups, kind by kind, those of a type side by side; false behind the last. */
bool verify_group_at(size_t index, verify_group *group);

/* The problems of a group; false behind the last. */
bool verify_problem_at(const verify_group *group, size_t index, verify_problem *problem);

#endif
