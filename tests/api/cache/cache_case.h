/*
 * cache_case.h: what the tests of the cache share: a folder of its own for each test, runtimes that
 * keep their kernels there, and one sum of CACHE_CASE_TERMS integers that is one program.
 */
#ifndef TALLY_TESTS_CACHE_CASE_H
#define TALLY_TESTS_CACHE_CASE_H

#include <CL/cl.h>
#include <tally/tally.h>

#include "support/fixtures/folder.h"

#define CACHE_CASE_TERMS 1000

extern char cache_case_path[FOLDER_PATH_BYTES]; /* the folder of the test that runs */
extern char cache_case_told[1024];              /* what the newest runtime's log was last told */

void cache_case_set_up(void);
void cache_case_tear_down(void);

/* A runtime with that folder as its cache; the caller releases it. */
tally_runtime *cache_case_open(void);
tally_runtime *cache_case_open_of(tally_family family, tally_single_pass single_pass);

/* Make the sum or maximum of 0, 1, 2 ... and hold the result against what it must be. */
void cache_case_check_result(tally_runtime *runtime, tally_function function);

/* What a new runtime counts that made the sum. */
tally_stats cache_case_start(void);

/* A new runtime compiles the sum's program, or finds it on disk. */
void cache_case_check_compiles(void);
void cache_case_check_loads(void);

#endif
