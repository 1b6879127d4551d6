/*
 * The checks of an enqueue's memory: each view is right by itself, and the ranges of no two that
 * must differ overlap, also where both are parts of one buffer, or one is a pointer to the memory
 * of the other.
 */
#include "api/operator.h"

#include <inttypes.h>
#include <stdio.h>

#include "api/view.h"
#include "model/dtype.h"

#define VIEWS 3

/* Two ranges as they are compared: within a buffer that both are of, or by address. */
typedef struct comparison {
    bool known; /* whether it is known how they lie */
    bool by_address;
    uint64_t a, b; /* where they begin */
    uint64_t a_bytes, b_bytes;
} comparison;

static comparison compare(const tally_byte_range *a, const tally_byte_range *b) {
    const bool one_root = a->root != NULL && a->root == b->root;
    return (comparison){.known = one_root || (a->address != 0 && b->address != 0),
                        .by_address = !one_root,
                        .a = one_root ? a->begin : a->address,
                        .b = one_root ? b->begin : b->address,
                        .a_bytes = a->end - a->begin,
                        .b_bytes = b->end - b->begin};
}

/* "bytes 0 to 400 of the buffer", "addresses 0x7f0000001000 to 0x7f0000001190" */
typedef char range_text[80];

static void print_range(range_text text, const comparison *of, uint64_t begin, uint64_t bytes) {
    snprintf(text, sizeof(range_text),
             of->by_address ? "addresses 0x%" PRIx64 " to 0x%" PRIx64
                            : "bytes %" PRIu64 " to %" PRIu64 " of the buffer",
             begin, begin + bytes);
}

/* Ranges are compared, gaps between strides and all: tensors with their gaps filled by others. */
static tally_status check_disjoint(const tally_byte_range *a, const tally_byte_range *b,
                                   const char *hint, tally_error *error) {
    const comparison of = compare(a, b);
    range_text a_text, b_text;
    if (!of.known || of.a + of.a_bytes <= of.b || of.b + of.b_bytes <= of.a)
        return TALLY_OK;
    print_range(a_text, &of, of.a, of.a_bytes);
    print_range(b_text, &of, of.b, of.b_bytes);
    return tally_fail(error, TALLY_INVALID,
                      "the %s's range, %s with its gaps, overlaps the %s's, %s%s", a->role, a_text,
                      b->role, b_text, hint);
}

/* Input and output: apart, or in place where the operator can. */
static tally_status check_in_place(const tally_problem *problem, const tally_byte_range *input,
                                   const tally_byte_range *output, bool *in_place,
                                   tally_error *error) {
    const comparison of = compare(input, output);
    const bool same = of.known && of.a == of.b && of.a_bytes == of.b_bytes;
    const bool buffers = input->root != NULL && output->root != NULL;
    *in_place =
        same && problem->in_place && input->region.memory.buffer == output->region.memory.buffer;
    if (*in_place)
        return TALLY_OK;
    if (same && problem->in_place)
        return tally_fail(
            error, TALLY_INVALID,
            "input and output are the same bytes by %s, which OpenCL does not define; "
            "in place they must be one",
            buffers ? "two memory objects" : "a buffer and a pointer");
    if (same && problem->kind != TALLY_KIND_FOLD)
        return tally_fail(error, TALLY_INVALID,
                          "input and output are one view, but the operator's input and output have "
                          "different strides; in place they must be equal");
    return check_disjoint(input, output,
                          problem->in_place ? "; in place they must be identical" : "", error);
}

/* With a pointer among them, buffers are asked for their addresses; a binding of buffers is not. */
static tally_status find_addresses(tally_byte_range range[VIEWS], tally_error *error) {
    tally_status status = TALLY_OK;
    bool by_address = false;
    for (int i = 0; i < VIEWS; i++)
        by_address = by_address || range[i].region.memory.pointer != NULL;
    for (int i = 0; i < VIEWS && by_address && status == TALLY_OK; i++)
        status = tally_view_find_address(&range[i], error);
    return status;
}

tally_status tally_binding_check(const tally_op *op, const tally_binding *binding,
                                 tally_launch *launch, tally_error *error) {
    const tally_problem *problem = &op->problem;
    if (problem->output_extent == 0) /* nothing to do, so nothing to look at */
        return TALLY_OK;
    if (binding == NULL)
        return tally_fail(error, TALLY_INVALID, "the binding is NULL");
    const uint64_t in = tally_dtype_find(problem->input)->bytes;
    const uint64_t out = tally_dtype_find(problem->output)->bytes;
    const tally_view_rule rules[VIEWS] = {
        {"input", problem->input_extent * in, in, CL_MEM_WRITE_ONLY},
        {"output", problem->output_extent * out, out, CL_MEM_READ_ONLY},
        {"scratch", op->executable.plan.scratch, TALLY_SCRATCH_ALIGNMENT,
         CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY},
    };
    const tally_view *views[VIEWS] = {&binding->input, &binding->output, &binding->scratch};
    tally_byte_range range[VIEWS];
    tally_status status = TALLY_OK;
    for (int i = 0; i < VIEWS && status == TALLY_OK; i++) {
        status = tally_view_check(&op->runtime->device, &rules[i], views[i], &range[i], error);
        launch->region[i] = range[i].region;
    }
    if (status == TALLY_OK)
        status = find_addresses(range, error);
    if (status == TALLY_OK)
        status = check_in_place(problem, &range[0], &range[1], &launch->in_place, error);
    for (int i = 0; i < 2 && status == TALLY_OK; i++)
        status = check_disjoint(&range[i], &range[2], "", error);
    return status;
}
