/*
 * memory.h: the memory of a simulated plan. It knows of each byte which step wrote it last, so
 * that it can tell what a step must not do: reach outside, read what no step before has written,
 * write a byte twice, read a byte that it has written itself. The first fault is kept.
 */
#ifndef TESTS_SUPPORT_SIMULATION_MEMORY_H
#define TESTS_SUPPORT_SIMULATION_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

typedef struct sim_block {
    const char *role;
    unsigned char *bytes;
    unsigned char *step; /* 0: not written; i: last written by step i, counted from 1 */
    uint64_t size;
    bool initialised; /* may be read though no step has written it */
} sim_block;

typedef struct sim_memory {
    sim_block block[TALLY_ROLES]; /* by tally_role */
    sim_block board;              /* of the operator's; as another launch left it */
    uint64_t offset[TALLY_ROLES]; /* bytes: where the views begin */
    bool in_place;                /* the input is the output's block */
    unsigned char step;           /* that runs now, counted from 1 */
    uint32_t impatience; /* of a scan every so many-th unit gives up waiting; 0: none does */
    char fault[200];     /* empty: none */
} sim_memory;

void sim_block_make(sim_block *block, const char *role, uint64_t size, bool initialised);
void sim_block_free(sim_block *block);

/* Bytes to read, or NULL after a fault. */
const unsigned char *sim_read(sim_memory *memory, tally_role role, uint64_t at, uint32_t bytes);

/* Bytes to write, or NULL after a fault. */
unsigned char *sim_write(sim_memory *memory, tally_role role, uint64_t at, uint32_t bytes);

/*
 * A word of the scratch, which several work-items of a step may read and write, or NULL after a
 * fault. One that is read has been written.
 */
unsigned char *sim_word(sim_memory *memory, uint64_t index, uint32_t bytes, bool writes);

/*
 * A board of so many bytes, behind launches of which the last had the tag SIM_TAG - 1, and a word
 * of it. Its counters are zero.
 */
#define SIM_TAG 0x5A5A5A5Bu
void sim_board_make(sim_memory *memory, uint64_t bytes);
unsigned char *sim_board_word(sim_memory *memory, uint64_t index, uint32_t bytes);

/* The low bits of an element or a part of a state, little-endian, of 1, 2, 4 or 8 bytes. */
uint64_t sim_get(const unsigned char *at, uint32_t bytes);
void sim_put(unsigned char *at, uint32_t bytes, uint64_t bits);

/* Remember a fault, if it is the first. */
void sim_fault(sim_memory *memory, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
