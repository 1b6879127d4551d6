/*
 * The checks of an enqueue's memory: each view is right by itself, and the ranges of no two that
 * must differ overlap, also where both are parts of one buffer, or one is a pointer to the memory
 * of the other.
 */
#include "api/operator.h"

#include <inttypes.h>
#include <stdio.h>

#include "api/view.h"

/* The views of a binding, by the role that a step's memory has. */
#define VIEWS 4
static const tally_role roles[VIEWS] = {TALLY_IN_INPUT, TALLY_IN_OUTPUT, TALLY_IN_SCRATCH,
                                        TALLY_IN_CARRY};

/* Whether it is known how two ranges lie: in a buffer that both are of, or by address. */
static bool is_known(const tally_byte_range *a, const tally_byte_range *b) {
    return (a->root != NULL && a->root == b->root) || (a->address != 0 && b->address != 0);
}

/* Where a range begins, for a comparison with another one to which that is known. */
static uint64_t begin_of(const tally_byte_range *range, bool by_address) {
    return by_address ? range->address : range->begin;
}

/* "bytes 0 to 400 of the buffer", "addresses 0x7f0000001000 to 0x7f0000001190" */
typedef char range_text[80];

static void print_range(range_text text, const tally_byte_range *range, bool by_address) {
    const uint64_t begin = begin_of(range, by_address);
    snprintf(text, sizeof(range_text),
             by_address ? "addresses 0x%" PRIx64 " to 0x%" PRIx64
                        : "bytes %" PRIu64 " to %" PRIu64 " of the buffer",
             begin, begin + (range->end - range->begin));
}

static tally_status refuse_overlap(const tally_byte_range *a, const tally_byte_range *b,
                                   bool by_address, const char *hint, tally_error *error) {
    range_text a_text, b_text;
    print_range(a_text, a, by_address);
    print_range(b_text, b, by_address);
    return tally_fail(error, TALLY_INVALID,
                      "the %s's range, %s with its gaps, overlaps the %s's, %s%s", a->role, a_text,
                      b->role, b_text, hint);
}

/* Ranges are compared, gaps between strides and all: tensors with their gaps filled by others. */
static tally_status check_disjoint(const tally_byte_range *a, const tally_byte_range *b,
                                   const char *hint, tally_error *error) {
    const bool by_address = a->root != b->root || a->root == NULL;
    if (!is_known(a, b))
        return TALLY_OK;
    const uint64_t a_begin = begin_of(a, by_address), b_begin = begin_of(b, by_address);
    if (a_begin + (a->end - a->begin) <= b_begin || b_begin + (b->end - b->begin) <= a_begin)
        return TALLY_OK;
    return refuse_overlap(a, b, by_address, hint, error);
}

/* Whether two ranges of which that is known are the same bytes. */
static bool is_same(const tally_byte_range *a, const tally_byte_range *b) {
    const bool by_address = a->root != b->root || a->root == NULL;
    return begin_of(a, by_address) == begin_of(b, by_address) &&
           a->end - a->begin == b->end - b->begin;
}

/* Input and output: apart, or in place where the operator can. */
static tally_status check_in_place(const tally_problem *problem, const tally_byte_range *range,
                                   tally_launch *launch, tally_error *error) {
    const tally_byte_range *input = &range[0], *output = &range[1];
    const tally_memory *in = &launch->region[TALLY_IN_INPUT].memory;
    const tally_memory *out = &launch->region[TALLY_IN_OUTPUT].memory;
    const bool same = is_known(input, output) && is_same(input, output);
    launch->in_place =
        same && problem->in_place && in->kind == out->kind && in->pointer == out->pointer;
    if (launch->in_place)
        return TALLY_OK;
    if (same && problem->in_place)
        return tally_fail(
            error, TALLY_INVALID,
            "input and output are the same bytes by %s, which OpenCL does not define; "
            "in place they must be one",
            in->kind == out->kind ? "two memory objects" : "a buffer and a pointer");
    if (same && problem->kind != TALLY_KIND_FOLD)
        return tally_fail(error, TALLY_INVALID,
                          "input and output are one view, but the operator's input and output have "
                          "different strides; in place they must be equal");
    return check_disjoint(input, output,
                          problem->in_place ? "; in place they must be identical" : "", error);
}

/* With a pointer among them, buffers are asked for their addresses; a binding of buffers is not. */
static tally_status find_addresses(const tally_launch *launch, tally_byte_range range[VIEWS],
                                   tally_error *error) {
    tally_status status = TALLY_OK;
    bool by_address = false;
    for (int i = 0; i < VIEWS; i++)
        by_address = by_address || launch->region[roles[i]].memory.kind != NULL;
    for (int i = 0; i < VIEWS && by_address && status == TALLY_OK; i++)
        status = tally_view_find_address(&launch->region[roles[i]], &range[i], error);
    return status;
}

/* Ranges that must not overlap: all but two that are read. */
static tally_status check_apart(const tally_view_rule rules[VIEWS],
                                const tally_byte_range range[VIEWS], tally_error *error) {
    static const int pairs[][2] = {{0, 2}, {1, 2}, {3, 1}, {3, 2}};
    tally_status status = TALLY_OK;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && status == TALLY_OK; i++)
        if (rules[pairs[i][0]].bytes > 0 && rules[pairs[i][1]].bytes > 0)
            status = check_disjoint(&range[pairs[i][0]], &range[pairs[i][1]], "", error);
    return status;
}

tally_status tally_binding_check(const tally_op *op, const tally_binding *binding,
                                 const tally_view *carry, tally_launch *launch,
                                 tally_error *error) {
    const tally_problem *problem = &op->problem;
    if (problem->output_extent == 0) /* nothing to do, so nothing to look at */
        return TALLY_OK;
    if (binding == NULL)
        return tally_fail(error, TALLY_INVALID, "the binding is NULL");
    const uint64_t in = tally_problem_input_bytes(problem);
    const uint64_t out = tally_problem_output_bytes(problem);
    const uint64_t state = tally_problem_carry_bytes(problem);
    if (state > 0 && carry == NULL)
        return tally_fail(error, TALLY_INVALID,
                          "the operator goes on from a carry, which tally_part_enqueue() takes");
    const tally_view_rule rules[VIEWS] = {
        {"input", problem->input_extent * in, in, CL_MEM_WRITE_ONLY},
        {"output", problem->output_extent * out, out, CL_MEM_READ_ONLY},
        {"scratch", op->executable.plan.scratch, TALLY_SCRATCH_ALIGNMENT,
         CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY},
        {"carry", state * tally_dims_elements(&problem->kept), state, CL_MEM_WRITE_ONLY},
    };
    const tally_view *views[VIEWS] = {&binding->input, &binding->output, &binding->scratch, carry};
    tally_byte_range range[VIEWS] = {{0}};
    tally_status status = TALLY_OK;
    for (int i = 0; i < VIEWS && status == TALLY_OK; i++)
        if (rules[i].bytes > 0) /* else it is not looked at */
            status = tally_view_check(&op->runtime->device, &rules[i], views[i],
                                      &launch->region[roles[i]], &range[i], error);
    if (status == TALLY_OK)
        status = find_addresses(launch, range, error);
    if (status == TALLY_OK)
        status = check_in_place(problem, range, launch, error);
    return status == TALLY_OK ? check_apart(rules, range, error) : status;
}
