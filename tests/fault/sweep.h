/*
 * sweep.h: one act of the library's, tried again and again while the first, the second, the third
 * call of a kind fails in it. Each time it must say so, hold on to nothing, and succeed when it is
 * tried again.
 */
#ifndef TESTS_FAULT_SWEEP_H
#define TESTS_FAULT_SWEEP_H

#include "layer/layer.h"
#include "stage.h"

typedef struct act {
    const char *name;
    void (*open)(stage *); /* what must be there before; nothing fails here */
    tally_status (*run)(stage *, tally_error *);
    void (*check)(stage *); /* what run made; nothing fails here */
    void (*close)(stage *); /* gives back what run made */
    /* Whether run may succeed although this call failed. NULL: never, but for a function that was
     * not found. */
    bool (*forgives)(layer_call call, cl_int code);
} act;

/* Make the first, second ... call fail until there is none left. failure.nth is not looked at. */
void sweep(const act *what, stage *at, layer_failure failure);

/*
 * Each call of OpenCL in its turn, with every code or with one; each of the host; and the device
 * lost at any call.
 */
void sweep_all(const act *what, stage *at, bool every_code);

/* The same on a stage that is set up for it, with a queue that keeps the order. */
void sweep_subject(const act *what, const subject *of, bool every_code);

/* The codes that OpenCL's calls are made to fail with; an index beyond their number is one too. */
int sweep_codes_count(void);
cl_int sweep_code(int index);

/* Times that an act was tried so far, and those that ended well. */
uint64_t sweep_tries(void);
uint64_t sweep_successes(void);

#endif
