/*
 * shrink.h: from a problem that fails to a smaller one that still does, by one simple change at a
 * time: an axis less, a size less, an option less.
 */
#ifndef TESTS_PROPERTY_SHRINK_H
#define TESTS_PROPERTY_SHRINK_H

#include "problem.h"

/* Changes tried at most; each runs a problem and may build a program. */
#define SHRINK_TRIES 150

/* Makes *it smaller as long as fails says so; returns how many changes it took. */
uint32_t shrink(problem *it, bool (*fails)(const problem *it));

#endif
