/*
 * Which arguments a step's kernel has, and setting them.
 */
#include "device/arguments.h"

#include "device/clerror.h"

static void add_memory(tally_arguments *of, const tally_memory *memory) {
    tally_memory *own = &of->memory[of->count];
    *own = *memory;
    of->list[of->count++] = memory->kind != NULL
                                ? (tally_argument){.kind = own->kind, .value = own->pointer}
                                : (tally_argument){NULL, sizeof own->buffer, &own->buffer};
}

static void add_value(tally_arguments *of, const void *value, size_t bytes) {
    of->list[of->count++] = (tally_argument){NULL, bytes, value};
}

/* The memory of a step that not every one has. */
typedef struct extras {
    tally_memory words; /* of steps whose groups publish to each other of their work: the scratch,
                           or boards */
    tally_memory ended; /* of one with closing groups: the counts of groups that have ended, */
    const tally_memory *result; /* and what closing groups write */
    tally_memory carry;         /* of a part of a scan that goes on from it */
} extras;

static void list_arguments(const tally_step *step, const tally_memory *source,
                           const tally_memory *target, const extras *more, tally_arguments *of) {
    of->count = 0;
    add_memory(of, source);
    add_memory(of, target);
    add_value(of, &of->step, tally_spec_args_bytes(&step->spec));
    if (step->spec.phase != 0)
        add_memory(of, &more->words);
    if (step->spec.part == TALLY_PART_CARRIED)
        add_memory(of, &more->carry);
    if (step->spec.closing == 0)
        return;
    add_memory(of, &more->ended);
    add_memory(of, more->result);
    add_value(of, &of->close, sizeof of->close);
}

/* Where in its place a step's elements begin. */
static uint64_t elements_before(const tally_region *region, uint64_t offset, uint32_t bytes) {
    return (region->offset + offset) / bytes;
}

/*
 * Say where the words of a step are whose groups publish to each other: in its board, or the
 * scratch.
 */
static tally_memory find_words(const tally_plan *plan, const tally_step *step,
                               const tally_region *scratch, cl_mem endings,
                               const tally_ending *ending, tally_args *arguments) {
    const bool board = tally_spec_carry(&step->spec) == TALLY_CARRY_LOOK_BACK;
    if (step->spec.phase == 0)
        return (tally_memory){0};
    arguments->scan.words = scratch->offset / step->spec.word;
    if (!board)
        return scratch->memory;
    arguments->scan.words = ending->index * plan->board / step->spec.word;
    arguments->scan_chain.tag = ending->launch;
    return (tally_memory){.buffer = endings};
}

void tally_arguments_find(const tally_plan *plan, uint32_t index,
                          const tally_region region[TALLY_ROLES], cl_mem endings,
                          const tally_ending *ending, tally_arguments *of) {
    const tally_step *step = &plan->step[index], *next = &plan->step[index + step->spec.closing];
    const tally_region *source = &region[step->source], *target = &region[step->target];
    const tally_region *result = &region[next->target];
    of->step = step->args;
    of->step.head.in_offset = elements_before(source, step->source_offset, step->source_bytes);
    of->step.head.out_offset = elements_before(target, step->target_offset, step->target_bytes);
    if (step->spec.closing != 0) {
        of->close = next->args.fold;
        of->close.head.in_offset = ending->index;
        of->close.head.out_offset =
            elements_before(result, next->target_offset, next->target_bytes);
    }
    const extras more = {
        find_words(plan, step, &region[TALLY_IN_SCRATCH], endings, ending, &of->step),
        {.buffer = endings},
        &result->memory,
        region[TALLY_IN_CARRY].memory};
    if (step->spec.part == TALLY_PART_CARRIED)
        of->step.scan.carry =
            elements_before(&region[TALLY_IN_CARRY], 0, tally_spec_state_bytes(&step->spec));
    /* A step that reads nothing still has the argument; some drivers refuse a NULL there. */
    const bool reads = source->memory.pointer != NULL;
    list_arguments(step, reads ? &source->memory : &target->memory, &target->memory, &more, of);
}

void tally_arguments_find_dry(const tally_step *step, cl_mem spare, tally_arguments *of) {
    const tally_memory any = {.buffer = spare};
    const extras more = {any, any, &any, any};
    of->step = step->args;
    of->step.head.units = 0;
    of->close = step->args.fold;
    list_arguments(step, &any, &any, &more, of);
}

/*
 * Kernels reach memory by their arguments alone, and never by a pointer that they find there:
 * OpenCL then wants no more than the argument. clSetKernelExecInfo, with
 * CL_KERNEL_EXEC_INFO_SVM_PTRS or CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, is for the other case.
 */
tally_status tally_arguments_set(const tally_arguments *of, cl_kernel kernel, tally_error *error) {
    const tally_pointer_kind *kind = NULL;
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < of->count && code == CL_SUCCESS; i++) {
        const tally_argument *argument = &of->list[i];
        kind = argument->kind;
        code = kind != NULL ? kind->set(kernel, i, argument->value)
                            : clSetKernelArg(kernel, i, argument->bytes, argument->value);
    }
    return tally_cl_check(code, kind != NULL ? kind->call : "clSetKernelArg", error);
}
