/*
 * case.h: one operator simulated from description to judgement: memory filled with seeded
 * random elements and garbage between them, planned for several invented devices, run, and held
 * against the oracle; all devices must give the same bits. A failure prints the case as C text.
 */
#ifndef TESTS_SUPPORT_SIMULATION_CASE_H
#define TESTS_SUPPORT_SIMULATION_CASE_H

#include "model/problem.h"
#include "support/descriptions/any_desc.h"
#include "plan/limits.h"
#include "support/numbers/values.h"

typedef struct sim_case {
    any_desc of;
    values_class values;
    uint64_t seed;
    bool in_place; /* input and output are one view */
    tally_status (*collapse)(const void *desc, tally_problem *problem, tally_error *error);
} sim_case;

/* A device, and how it runs what is planned for it. */
typedef struct sim_device {
    const char *name;
    tally_limits limits;
    uint64_t groups_max; /* see sim_plan_run */
    bool wide;           /* indices of 64 bits, however small the problem */
    uint32_t impatience; /* see sim_memory */
} sim_device;

/* The invented ones. */
uint32_t sim_devices(void);
const sim_device *sim_device_at(uint32_t index);

sim_case sim_case_reduce(const tally_reduce *desc, values_class values, uint64_t seed);
sim_case sim_case_cumulative(const tally_cumulative *desc, values_class values, uint64_t seed);
sim_case sim_case_diagonal(const tally_diagonal *desc, values_class values, uint64_t seed);

/* Values that let the oracle judge sharply, for each kind of function. */
values_class sim_case_values(tally_function function, uint64_t draw);

/* The case on a device, reading this input: the bits of the output's elements, row-major. */
void sim_case_run(const sim_case *it, const unsigned char *input, const sim_device *device,
                  uint64_t *results);

/* The case on these devices: right by the oracle, and the same on all. */
void sim_case_check_on(const sim_case *it, const sim_device *const *device, uint32_t count);

/* On every step-th of the invented ones from first on. */
void sim_case_check(const sim_case *it, uint32_t first, uint32_t step);

/* Memory for an input, filled, from its first element on; NULL if there is none. To be freed. */
unsigned char *sim_case_input(const sim_case *it);

/* Fail the running test with the case's text and this sentence. */
void sim_case_fail(const sim_case *it, const sim_device *device, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
