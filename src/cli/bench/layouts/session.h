/*
 * The device and the memory of tally bench layouts, which all problems share, and the copies that
 * they are held against. Runs no operator.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_SESSION_H
#define TALLY_CLI_BENCH_LAYOUTS_SESSION_H

#include "cli/bench/layouts/draw/draw.h"
#include "cli/bench/layouts/time.h"
#include "cli/bench/limits/limits.h"
#include "cli/options/options.h"
#include "cli/transfer.h"

/* Powers of two that numbers of bytes lie between. */
#define LAYOUTS_CLASSES 64

typedef struct layouts_session {
    device device;           /* its queue is in order and keeps no times */
    tally_runtime *generic;  /* of --check: a runtime of the generic kernels; else NULL */
    uint64_t allocation_max; /* bytes that the device allocates at once */
    transfer_buffer input, output, second, scratch; /* second: of --check, the generic output */
    bench_limits limits;
    bench_limit *best[LAYOUTS_CLASSES]; /* the best copy for each class; NULL: not known yet */
    tally_dtype filled;                 /* whose values the input holds */
    uint64_t filled_bytes;              /* from its start */
    uint32_t samples;
} layouts_session;

/* Open the device; check: with a runtime of the generic kernels as well. */
int layouts_session_open(layouts_session *session, const common_options *common, bool check,
                         cli_error *error);
void layouts_session_close(layouts_session *session);

/* Bytes of the buffer from its start to the tensor's last element. */
uint64_t layouts_reach(const layouts_placement *placement, const tally_tensor *tensor);

/*
 * What keeps the problem from being run, as a sentence: a tensor that the device cannot allocate.
 * "" if nothing does.
 */
#define LAYOUTS_REFUSAL_BYTES 504
void layouts_refuse(const layouts_session *session, const layouts_problem *problem,
                    char refusal[LAYOUTS_REFUSAL_BYTES]);

/* Make the memory for all problems: bytes of the longest reach of an input, and of an output. */
int layouts_session_allocate(layouts_session *session, uint64_t input, uint64_t output,
                             cli_error *error);

/*
 * Fill a buffer of the session, at least its first bytes, with values of the type, or with random
 * bits of TALLY_DTYPE_NONE. Two buffers that are filled alike have the same bytes.
 */
int layouts_fill(layouts_session *session, tally_dtype dtype, cl_mem buffer, uint64_t bytes,
                 cli_error *error);

/* Fill the input in this way, unless it is. */
int layouts_fill_input(layouts_session *session, tally_dtype dtype, uint64_t bytes,
                       cli_error *error);

/* The best copy of half of the bytes, set to copy them: as much is read as is written. */
int layouts_copy(layouts_session *session, uint64_t bytes, bench_limit **copy, cli_error *error);

/* The copy's seconds for half of the bytes exactly, where it copied whole chunks. */
double layouts_copy_seconds(const bench_limit *copy, uint64_t bytes, double seconds);

#endif
