/*
 * The checks of an enqueue's memory: each view lies in its buffer, and the ranges of no two that
 * must differ overlap, also where both are parts of one buffer.
 */
#include "api/operator.h"

#include <inttypes.h>

#include "device/clerror.h"
#include "model/dtype.h"

/* A view's bytes within the buffer that has the memory: a sub-buffer's begin in its parent. */
typedef struct byte_range {
    const char *role;
    cl_mem buffer, root; /* NULL: the view is not looked at */
    uint64_t begin, end;
} byte_range;

/* What a view has to fulfil. */
typedef struct view_rule {
    const char *role;
    uint64_t bytes;         /* 0: not looked at */
    uint64_t alignment;     /* of the offset */
    cl_mem_flags forbidden; /* CL_MEM_READ_ONLY for what is written, CL_MEM_WRITE_ONLY for read */
} view_rule;

static tally_status query(cl_mem buffer, cl_mem_info what, void *value, size_t bytes,
                          tally_error *error) {
    return tally_cl_check(clGetMemObjectInfo(buffer, what, bytes, value, NULL),
                          "clGetMemObjectInfo", error);
}

#define QUERY(buffer, what, value, error)                                                          \
    query(buffer, what, (void *)&(value), sizeof(value), error)

static tally_status check_buffer(const tally_op *op, const view_rule *rule, cl_mem buffer,
                                 tally_error *error) {
    cl_mem_object_type type = 0;
    cl_context context = NULL;
    cl_mem_flags flags = 0;
    tally_status status = QUERY(buffer, CL_MEM_TYPE, type, error);
    if (status == TALLY_OK)
        status = QUERY(buffer, CL_MEM_CONTEXT, context, error);
    if (status == TALLY_OK)
        status = QUERY(buffer, CL_MEM_FLAGS, flags, error);
    if (status != TALLY_OK)
        return status;
    if (type != CL_MEM_OBJECT_BUFFER)
        return tally_fail(error, TALLY_INVALID, "the %s's memory object is an image, not a buffer",
                          rule->role);
    if (context != op->runtime->device.context)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's buffer is of another context than the runtime", rule->role);
    if ((flags & rule->forbidden) != 0)
        return tally_fail(error, TALLY_INVALID, "the %s's buffer was created %s", rule->role,
                          (flags & CL_MEM_READ_ONLY) != 0 ? "CL_MEM_READ_ONLY"
                                                          : "CL_MEM_WRITE_ONLY");
    return TALLY_OK;
}

static tally_status check_extent(const view_rule *rule, const tally_view *view,
                                 tally_error *error) {
    size_t size = 0;
    if (view->offset % rule->alignment != 0)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's offset of %zu bytes is not a multiple of %" PRIu64, rule->role,
                          view->offset, rule->alignment);
    tally_status status = QUERY(view->buffer, CL_MEM_SIZE, size, error);
    if (status != TALLY_OK)
        return status;
    if (view->offset > size || rule->bytes > size - view->offset)
        return tally_fail(error, TALLY_INVALID,
                          "the %s needs %" PRIu64
                          " bytes from offset %zu on, but its buffer has %zu bytes",
                          rule->role, rule->bytes, view->offset, size);
    return TALLY_OK;
}

static tally_status resolve(const view_rule *rule, const tally_view *view, byte_range *range,
                            tally_error *error) {
    cl_mem parent = NULL;
    size_t origin = 0;
    tally_status status = QUERY(view->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, parent, error);
    if (status == TALLY_OK && parent != NULL)
        status = QUERY(view->buffer, CL_MEM_OFFSET, origin, error);
    range->buffer = view->buffer;
    range->root = parent != NULL ? parent : view->buffer;
    range->begin = (uint64_t)origin + view->offset;
    range->end = range->begin + rule->bytes;
    return status;
}

static tally_status check_view(const tally_op *op, const view_rule *rule, const tally_view *view,
                               byte_range *range, tally_error *error) {
    *range = (byte_range){.role = rule->role};
    if (rule->bytes == 0)
        return TALLY_OK;
    if (view->reserved[0] != 0 || view->reserved[1] != 0)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the %s's reserved members are %" PRIu64 " and %" PRIu64
                          ", but this version wants 0; TALLY_BINDING_INIT has them",
                          rule->role, view->reserved[0], view->reserved[1]);
    if (view->pointer != NULL)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the %s's pointer is set, but this version takes buffers only",
                          rule->role);
    if (view->buffer == NULL)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's buffer is NULL, but the operator needs %" PRIu64 " bytes of it",
                          rule->role, rule->bytes);
    tally_status status = check_buffer(op, rule, view->buffer, error);
    if (status == TALLY_OK)
        status = check_extent(rule, view, error);
    if (status == TALLY_OK)
        status = resolve(rule, view, range, error);
    return status;
}

static bool is_same(const byte_range *a, const byte_range *b) {
    return a->root == b->root && a->begin == b->begin && a->end == b->end;
}

/* Ranges are compared, gaps between strides and all: tensors with their gaps filled by others. */
static tally_status check_disjoint(const byte_range *a, const byte_range *b, const char *hint,
                                   tally_error *error) {
    if (a->root == NULL || a->root != b->root || a->end <= b->begin || b->end <= a->begin)
        return TALLY_OK;
    return tally_fail(error, TALLY_INVALID,
                      "the %s's range, bytes %" PRIu64 " to %" PRIu64
                      " of the buffer with its gaps, overlaps the %s's, bytes %" PRIu64
                      " to %" PRIu64 "%s",
                      a->role, a->begin, a->end, b->role, b->begin, b->end, hint);
}

/* Input and output: apart, or in place where the operator can. */
static tally_status check_in_place(const tally_problem *problem, const byte_range *input,
                                   const byte_range *output, bool *in_place, tally_error *error) {
    const bool same = is_same(input, output) && input->root != NULL;
    *in_place = same && problem->in_place && input->buffer == output->buffer;
    if (*in_place)
        return TALLY_OK;
    if (same && problem->in_place)
        return tally_fail(error, TALLY_INVALID,
                          "input and output are the same bytes by two memory objects, which OpenCL "
                          "does not define; in place they must be one");
    if (same && problem->kind != TALLY_KIND_FOLD)
        return tally_fail(error, TALLY_INVALID,
                          "input and output are one view, but the operator's input and output have "
                          "different strides; in place they must be equal");
    return check_disjoint(input, output,
                          problem->in_place ? "; in place they must be identical" : "", error);
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
    const view_rule rules[] = {
        {"input", problem->input_extent * in, in, CL_MEM_WRITE_ONLY},
        {"output", problem->output_extent * out, out, CL_MEM_READ_ONLY},
        {"scratch", op->executable.plan.scratch, TALLY_SCRATCH_ALIGNMENT,
         CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY},
    };
    const tally_view *views[] = {&binding->input, &binding->output, &binding->scratch};
    byte_range range[3];
    tally_status status = TALLY_OK;
    for (int i = 0; i < 3 && status == TALLY_OK; i++) {
        status = check_view(op, &rules[i], views[i], &range[i], error);
        if (rules[i].bytes > 0)
            launch->region[i] = (tally_region){views[i]->buffer, views[i]->offset};
    }
    if (status == TALLY_OK)
        status = check_in_place(problem, &range[0], &range[1], &launch->in_place, error);
    for (int i = 0; i < 2 && status == TALLY_OK; i++)
        status = check_disjoint(&range[i], &range[2], "", error);
    return status;
}
