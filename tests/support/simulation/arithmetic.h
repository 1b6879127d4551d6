/*
 * arithmetic.h: what the kernels of a simulated plan compute with: numbers of the compute type as
 * bits, keys as unsigned integers of the same order, and the states that are carried from term to
 * term. One table row for each function, written apart from the library's; only meant to be right,
 * not to be done as the device does it.
 */
#ifndef TESTS_SUPPORT_SIMULATION_ARITHMETIC_H
#define TESTS_SUPPORT_SIMULATION_ARITHMETIC_H

#include "numbers.h"
#include "plan/spec.h"

/* A state, or what a lane has combined so far. */
typedef struct sim_state {
    uint64_t value; /* compute type's bits, or a key */
    uint64_t index; /* of ARG* */
    uint64_t top;   /* of LOG_SUM_EXP: what the sum is relative to, in the compute type's bits */
} sim_state;

sim_math sim_math_of(const tally_spec *spec);

/* The state of one element, but of LOG_SUM_EXP; of a state of the launch before, as the term-th. */
sim_state sim_begin(const sim_math *math, uint64_t x, uint64_t index);
sim_state sim_resume(const sim_math *math, sim_state state, uint64_t term, uint64_t scale);

/* Combined from the identity on. */
sim_state sim_identity(const sim_math *math);
sim_state sim_combine(const sim_math *math, sim_state a, sim_state b);

/*
 * A lane's sum and then count of its elements, 8 at most; the first is the index-th of the row, and
 * they are step apart.
 */
#define SIM_TAKEN 8
sim_state sim_take(const sim_math *math, sim_state sum, const uint64_t *x, uint32_t count,
                   uint64_t index, uint64_t step);

/* The bits of the result's element; of the result of nothing. */
uint64_t sim_end(const sim_math *math, sim_state state, uint64_t count);
uint64_t sim_empty(const sim_math *math);

/* States in memory: state_bytes of them, laid out as C lays out the kernels' structs. */
void sim_put_state(const sim_math *math, sim_state state, unsigned char *at);
sim_state sim_get_state(const sim_math *math, const unsigned char *at);

#endif
