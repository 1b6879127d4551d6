/*
 * memory.c: bytes with a record of who wrote them.
 */
#include "memory.h"

#include "cl/core/sizes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sim_block_make(sim_block *block, const char *role, uint64_t size, bool initialised) {
    *block = (sim_block){.role = role, .size = size, .initialised = initialised};
    block->bytes = calloc((size_t)size + 1, 1);
    block->step = calloc((size_t)size + 1, 1);
    if (block->bytes == NULL || block->step == NULL) {
        fprintf(stderr, "the simulation has no memory for %" PRIu64 " bytes\n", size);
        abort();
    }
}

void sim_block_free(sim_block *block) {
    free(block->bytes);
    free(block->step);
}

void sim_fault(sim_memory *memory, const char *format, ...) {
    va_list arguments;
    if (memory->fault[0] != '\0')
        return;
    va_start(arguments, format);
    vsnprintf(memory->fault, sizeof memory->fault, format, arguments);
    va_end(arguments);
}

static sim_block *find(sim_memory *memory, tally_role role) {
    const bool shared = memory->in_place && role == TALLY_IN_INPUT;
    return &memory->block[shared ? TALLY_IN_OUTPUT : role];
}

static bool is_inside(sim_memory *memory, const sim_block *block, uint64_t at, uint32_t bytes,
                      const char *what) {
    if (at <= block->size && bytes <= block->size - at)
        return true;
    sim_fault(memory, "step %u %s byte %" PRIu64 " of the %s, which ends at %" PRIu64, memory->step,
              what, at, block->role, block->size);
    return false;
}

const unsigned char *sim_read(sim_memory *memory, tally_role role, uint64_t at, uint32_t bytes) {
    const sim_block *block = find(memory, role);
    if (!is_inside(memory, block, at, bytes, "reads"))
        return NULL;
    const unsigned char by = block->step[at];
    if (by == memory->step)
        sim_fault(memory, "step %u reads byte %" PRIu64 " of the %s, which it has written itself",
                  memory->step, at, block->role);
    else if (!block->initialised && by + 1 != memory->step)
        sim_fault(memory, "step %u reads byte %" PRIu64 " of the %s, last written by step %u",
                  memory->step, at, block->role, by);
    return block->bytes + at;
}

unsigned char *sim_write(sim_memory *memory, tally_role role, uint64_t at, uint32_t bytes) {
    sim_block *block = find(memory, role);
    if (!is_inside(memory, block, at, bytes, "writes"))
        return NULL;
    for (uint32_t i = 0; i < bytes; i++) {
        if (block->step[at + i] == memory->step)
            sim_fault(memory, "step %u writes byte %" PRIu64 " of the %s twice", memory->step,
                      at + i, block->role);
        block->step[at + i] = memory->step;
    }
    return block->bytes + at;
}

unsigned char *sim_word(sim_memory *memory, uint64_t index, uint32_t bytes, bool writes) {
    sim_block *block = find(memory, TALLY_IN_SCRATCH);
    const uint64_t at = memory->offset[TALLY_IN_SCRATCH] + index * bytes;
    if (!is_inside(memory, block, at, bytes, "needs"))
        return NULL;
    if (!writes && block->step[at] == 0)
        sim_fault(memory, "step %u reads word %" PRIu64 ", which nobody has written", memory->step,
                  index);
    for (uint32_t i = 0; i < bytes && writes; i++)
        block->step[at + i] = memory->step;
    return block->bytes + at;
}

void sim_board_make(sim_memory *memory, uint64_t bytes) {
    const uint64_t counters = sizeof(uint64_t) * TALLY_BOARD_COUNTERS;
    sim_block_make(&memory->board, "board", bytes, true);
    for (uint64_t i = 0; i < bytes; i++)
        memory->board.bytes[i] = i < counters ? 0 : 0x5A;
}

unsigned char *sim_board_word(sim_memory *memory, uint64_t index, uint32_t bytes) {
    sim_block *block = &memory->board;
    return is_inside(memory, block, index * bytes, bytes, "needs") ? block->bytes + index * bytes
                                                                   : NULL;
}

uint64_t sim_get(const unsigned char *at, uint32_t bytes) {
    uint64_t bits = 0;
    for (uint32_t i = bytes; i-- > 0;)
        bits = bits << 8 | at[i];
    return bits;
}

void sim_put(unsigned char *at, uint32_t bytes, uint64_t bits) {
    for (uint32_t i = 0; i < bytes; i++, bits >>= 8)
        at[i] = (unsigned char)bits;
}
