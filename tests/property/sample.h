/*
 * sample.h: the problems of a seed. Problem n is of pair n modulo PROBLEM_PAIRS, and a function of
 * the seed, its number and the device's limits alone, so that it can be made without those before.
 *
 * Building a program takes a device's compiler a good part of a second, and there are thousands of
 * programs: functions by types by ranks by options by kernels. So each seed opens a few of them for
 * each pair, and only problems that get by with these are drawn. The first is of the lowest ranks,
 * which most problems of practice come to; of the others the seed draws the ranks of kept and swept
 * axes from a list, with equal chances, and then random problems until one comes to these ranks:
 * its programs are opened, whatever its options and its schedule are. Every program that a drawn
 * problem can take is open under some seed.
 */
#ifndef TESTS_PROPERTY_SAMPLE_H
#define TESTS_PROPERTY_SAMPLE_H

#include "programs.h"

/* The pair of a problem. */
uint32_t sample_pair(uint64_t number);

/* Whether a pair and a problem run: all, or a share of both, by a quarter of the programs. */
bool sample_has_pair(uint64_t seed, uint32_t pair);
bool sample_has(uint64_t seed, uint64_t number);

void sample_problem(uint64_t seed, uint64_t number, problem *it);

#endif
