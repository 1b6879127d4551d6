/*
 * A spec: everything that is compiled into a kernel, and nothing else. It is what follows from the
 * problem, and the policy that the planner chose. The kernel's position in the cache, its name and
 * its source all derive from it.
 */
#ifndef TALLY_PLAN_SPEC_H
#define TALLY_PLAN_SPEC_H

#include <stddef.h>

#include "model/problem.h"
#include "plan/policy.h"

typedef enum tally_schedule {
#define TALLY_SCHEDULE(enumerator, ...) TALLY_##enumerator,
#include "plan/schedule.def"
#undef TALLY_SCHEDULE
    TALLY_SCHEDULES
} tally_schedule;

/* The argument structs. */
typedef enum tally_args_of {
#define TALLY_ARGS(name, members) TALLY_ARGS_##name,
#include "plan/args.def"
#undef TALLY_ARGS
    TALLY_ARGS_COUNT
} tally_args_of;

/*
 * Zero it before filling it in: specs are compared byte by byte. The fields from phase on are the
 * variants: kernels that differ only there may share a program.
 */
typedef struct tally_spec {
    uint8_t schedule;    /* tally_schedule */
    uint8_t function;    /* tally_function, 0 for a fill; a schedule of fills with one has a map */
    uint8_t input;       /* tally_dtype; for a fill the unsigned type of the element's size */
    uint8_t kept_rank;   /* 1, 2, 4 or 8; for a fill with rows and columns, so at least 2 */
    uint8_t swept_rank;  /* 1, 2, 4 or 8; 0 for a fill */
    uint8_t index_bits;  /* 32 or 64: of element offsets and of indices of terms */
    uint8_t nan;         /* tally_nan */
    uint8_t tie;         /* tally_tie */
    uint16_t group;      /* work-items of a group, compiled in; 0 if any number will do */
    tally_policy policy; /* of the agent: only the member that schedule.def names for schedule */
    uint8_t levels; /* of the scan's order, the terms' being 1, that a line can fill; where combines
                       are exact 2 are all; 0: no such choice */
    uint8_t word;   /* bytes of a word that groups publish to each other; 0: they don't */
    uint16_t part;  /* of a scan of a problem in parts: TALLY_PART_CARRIED say; 0: of none */
    uint8_t phase;  /* of a scan in several launches, TALLY_PASS say; 0: there is one */
    uint8_t first;  /* reads elements, not states */
    uint8_t last;   /* writes elements, not states */
    uint8_t output; /* of a fold, last or closing, to an index: U32 or U64, by size; else 0 */
    uint8_t exclusive;
    uint8_t has_input;
    uint16_t closing; /* of a fold that writes states: the groups that end last fold them all, to
                         elements; two bytes, so that there is no padding */
} tally_spec;

/* The variant fields, as schedule.def names them. */
#define TALLY_VARIANT_FIRST 1u
#define TALLY_VARIANT_LAST 2u
#define TALLY_VARIANT_OUTPUT 4u
#define TALLY_VARIANT_EXCLUSIVE 8u
#define TALLY_VARIANT_HAS_INPUT 16u
#define TALLY_VARIANT_ALWAYS_FIRST 32u
#define TALLY_VARIANT_VECTORS 64u
#define TALLY_VARIANT_FOLLOWS 128u
#define TALLY_VARIANT_NO_SPINE 256u
#define TALLY_VARIANT_PIECES 512u
#define TALLY_VARIANT_ALWAYS_LAST 1024u
#define TALLY_VARIANT_CLOSING 2048u

#define TALLY_SCHEDULE_FILES 12

/* A row of schedule.def. */
typedef struct tally_schedule_row {
    const char *name;
    tally_kind kind;
    tally_args_of args;
    tally_policy_of policy;
    const char *files[TALLY_SCHEDULE_FILES]; /* NULL where there are fewer; behind the names of
                                                its carries, if it is not of all: tally_spec_file */
    uint32_t variants;
    const char *reason;
} tally_schedule_row;

const tally_schedule_row *tally_schedule_find(uint8_t schedule);

/* The row of the policy that a spec has. */
const tally_policy_row *tally_spec_policy(const tally_spec *spec);

/* Where a scan's carry comes from: TALLY_CARRY_WALK of cl/core/sizes.h say. */
uint16_t tally_spec_carry(const tally_spec *spec);

/* The launches that a carry takes, a bit for each phase of cl/core/sizes.h; 0: there is one, no
 * phase.
 */
uint32_t tally_carry_phases(uint16_t carry);

/* The n-th of its schedule's files; NULL if it is of others' carries or groups, or there are fewer.
 */
const char *tally_spec_file(const tally_spec *spec, size_t n);

/* The spec of the program that holds spec's kernel: spec without its variant fields. */
tally_spec tally_spec_program(const tally_spec *spec);

bool tally_spec_equal(const tally_spec *a, const tally_spec *b);

/* The name of a launch of a scan in several, "totals" for TALLY_TOTALS; NULL if there is none. */
const char *tally_phase_name(unsigned phase);

/* Whether a launch of a scan in several writes results. */
bool tally_phase_writes(unsigned phase);

/* The kernel's name: every field that is not 0. */
#define TALLY_NAME_BYTES 192
void tally_spec_name(const tally_spec *spec, char name[TALLY_NAME_BYTES]);

/* Whether a schedule of fills serves a fold that sweeps nothing: each element's function. */
bool tally_spec_is_map(const tally_spec *spec);

/* Combining does not round, so that their order bears on no bit. */
bool tally_spec_is_exact(const tally_spec *spec);

/* Bytes of the state that launches hand on, for a function over a type with that index width. */
uint32_t tally_spec_state_bytes(const tally_spec *spec);

/* The argument struct of the spec's kernels: its type in the headers of cl/core, and its bytes. */
const char *tally_spec_args_type(const tally_spec *spec);
size_t tally_spec_args_bytes(const tally_spec *spec);

#endif
