/*
 * A plan for people: the limits that it keeps, the problem as the planners see it, and of each
 * launch the reason for its schedule, all that is compiled in, all that it is handed, and its
 * program. Knows no OpenCL: what a driver says of a kernel is handed in.
 */
#ifndef TALLY_PLAN_EXPLAIN_EXPLAIN_H
#define TALLY_PLAN_EXPLAIN_EXPLAIN_H

#include "plan/plan.h"

/* What a driver says of a kernel that it has built. */
typedef struct tally_kernel_facts {
    bool known;             /* false: there is no driver to ask */
    uint64_t local_bytes;   /* of a group */
    uint64_t private_bytes; /* of a work-item; 0 from drivers that do not say */
    uint64_t group_max;     /* work-items of a group, at most */
} tally_kernel_facts;

/* What is explained. */
typedef struct tally_explanation {
    const tally_problem *problem;
    const tally_limits *limits; /* that the plan was made within */
    const char *whose;          /* limits these are: "the device's" */
    const tally_plan *plan;
    const char *options;                        /* of the compiler */
    uint64_t kernels[TALLY_MAX_STEPS];          /* of each step's program, as source.h has them */
    tally_kernel_facts driver[TALLY_MAX_STEPS]; /* of each step's kernel */
} tally_explanation;

/* The limits of a device like many of that family, for plans without a device. */
tally_limits tally_limits_usual(tally_family family, tally_single_pass single_pass);

/* Set kernels to those programs that have the kernels of the plan and no others. */
void tally_explain_own_kernels(tally_explanation *of);

/* The explanation, line by line. */
void tally_explain_plan(const tally_explanation *of, tally_text *text);

/*
 * The programs of the plan's kernels as the compiler gets them, in the order of the launches, each
 * behind lines of comment that say which it is.
 */
void tally_explain_programs(const tally_explanation *of, tally_text *text);

/* ---- Parts of it --------------------------------------------------------------------------- */

/* Why the step has its schedule: one sentence, without the end of the line. */
void tally_plan_reason(const tally_problem *problem, const tally_limits *limits,
                       const tally_step *step, tally_text *text);

/* What the step does where a scan takes several; NULL where it takes one. */
const char *tally_plan_part(const tally_step *step);

/* Every field of a spec, with its name, its value and what it means, a line each. */
void tally_explain_spec(const tally_spec *spec, tally_text *text);

/* Every argument of a step's kernel that is not 0, a line each. */
void tally_explain_args(const tally_step *step, tally_text *text);

#endif
