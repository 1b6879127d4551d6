/*
 * operator.c: the table of operators, and the four ways of mapping a node to a description. What
 * the operators mean is ONNX's word; nothing here looks at a value of the data or the answer.
 */
#include "operator.h"

#include <inttypes.h>
#include <string.h>

#include "onnx-ml.pb-c.h"

/* ---- Axes ---------------------------------------------------------------------------------- */

/* A negative axis counts from the end. */
static bool find_axis(int64_t axis, uint32_t rank, uint32_t *found, outcome *out) {
    const int64_t from_start = axis < 0 ? axis + (int64_t)rank : axis;
    if (from_start < 0 || from_start >= (int64_t)rank) {
        return outcome_fail(out, "axis %" PRId64 " does not fit rank %" PRIu32, axis, rank);
    }
    *found = (uint32_t)from_start;
    return true;
}

/* No axes at all mean every axis, or none where the node says so. */
static bool find_axes(const node *it, uint32_t *mask, outcome *out) {
    const uint32_t rank = it->inputs[0].rank;
    int64_t from_input[TALLY_MAX_RANK];
    const int64_t *axes = it->attributes.axes;
    size_t count = it->attributes.axes_count;
    *mask = 0;
    if (it->inputs[1].type != NULL) {
        if (axes != NULL) {
            return outcome_fail(out, "axes are given twice, as an attribute and as an input");
        }
        if (!array_integers(&it->inputs[1], "axes", TALLY_MAX_RANK, from_input, out)) {
            return false;
        }
        axes = from_input;
        count = (size_t)it->inputs[1].count;
    }
    for (size_t k = 0; k < count; k++) {
        uint32_t axis = 0;
        if (!find_axis(axes[k], rank, &axis, out)) {
            return false;
        }
        if (*mask >> axis & 1) {
            return outcome_fail(out, "axis %" PRIu32 " is given twice", axis);
        }
        *mask |= 1u << axis;
    }
    if (count == 0 && it->attributes.noop_with_empty_axes == 0) {
        *mask = (1u << rank) - 1;
    }
    return true;
}

/* ---- Reduce*, ArgMax, ArgMin --------------------------------------------------------------- */

static tally_status create_reduce(tally_runtime *runtime, const task *it, tally_op **op,
                                  tally_error *error) {
    return tally_reduce_create(runtime, &it->desc.reduce, op, error);
}

/* Tally keeps swept axes with size 1; without keepdims only the shape of the result drops them. */
static bool map_fold(const operator_row *row, const node *it, uint32_t axes, int32_t type, task *to,
                     outcome *out) {
    const array *data = &it->inputs[0];
    tally_reduce *desc = &to->desc.reduce;
    int64_t size[TALLY_MAX_RANK];
    size_t rank = 0;
    for (uint32_t axis = 0; axis < data->rank; axis++) {
        const bool swept = axes >> axis & 1;
        if (!swept || it->attributes.keepdims != 0) {
            size[rank++] = swept ? 1 : (int64_t)data->size[axis];
        }
    }
    if (!array_make(&to->result, type, rank, size, out)) {
        return false;
    }
    *desc = (tally_reduce)TALLY_REDUCE_INIT;
    desc->function = row->function;
    desc->input = array_tensor(data);
    desc->output = tally_tensor_reduced(&desc->input, axes, to->result.type->dtype);
    desc->axes = axes;
    desc->tie = it->attributes.select_last_index != 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
    to->create = create_reduce;
    to->input = data;
    return true;
}

static bool map_reduce(const operator_row *row, const node *it, task *to, outcome *out) {
    uint32_t axes = 0;
    return find_axes(it, &axes, out) && map_fold(row, it, axes, it->inputs[0].type->onnx, to, out);
}

/* ONNX's indices are int64. */
static bool map_arg(const operator_row *row, const node *it, task *to, outcome *out) {
    uint32_t axis = 0;
    return find_axis(it->attributes.axis, it->inputs[0].rank, &axis, out) &&
           map_fold(row, it, 1u << axis, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, to, out);
}

/* ---- CumSum, CumProd ----------------------------------------------------------------------- */

static tally_status create_cumulative(tally_runtime *runtime, const task *it, tally_op **op,
                                      tally_error *error) {
    return tally_cumulative_create(runtime, &it->desc.cumulative, op, error);
}

/* An input that is one integer. */
static bool find_integer(const array *it, const char *name, int64_t *value, outcome *out) {
    if (it->type == NULL || it->count != 1) {
        return outcome_fail(out, "%s is not one integer", name);
    }
    return array_integers(it, name, 1, value, out);
}

/* An array of the input's shape. */
static bool make_alike(const array *input, int32_t type, task *to, outcome *out) {
    int64_t size[TALLY_MAX_RANK];
    for (uint32_t axis = 0; axis < input->rank; axis++) {
        size[axis] = (int64_t)input->size[axis];
    }
    return array_make(&to->result, type, input->rank, size, out);
}

static bool map_cumulative(const operator_row *row, const node *it, task *to, outcome *out) {
    const array *data = &it->inputs[0];
    tally_cumulative *desc = &to->desc.cumulative;
    int64_t axis = 0;
    *desc = (tally_cumulative)TALLY_CUMULATIVE_INIT;
    if (!find_integer(&it->inputs[1], "axis", &axis, out) ||
        !find_axis(axis, data->rank, &desc->axis, out) ||
        !make_alike(data, data->type->onnx, to, out)) {
        return false;
    }
    desc->function = row->function;
    desc->input = array_tensor(data);
    desc->output = array_tensor(&to->result);
    desc->descending = it->attributes.reverse != 0;
    desc->exclusive = it->attributes.exclusive != 0;
    to->create = create_cumulative;
    to->input = data;
    return true;
}

/* ---- EyeLike, Trilu ------------------------------------------------------------------------ */

static tally_status create_diagonal(tally_runtime *runtime, const task *it, tally_op **op,
                                    tally_error *error) {
    return tally_diagonal_create(runtime, &it->desc.diagonal, op, error);
}

/* Ones where x - y is k, and zeros. Of the input only type and shape count. */
static bool map_eye_like(const operator_row *row, const node *it, task *to, outcome *out) {
    const int64_t k = it->attributes.k, dtype = it->attributes.dtype;
    tally_diagonal *desc = &to->desc.diagonal;
    (void)row;
    if (dtype < 0 || dtype > INT32_MAX || k == INT64_MAX) {
        return outcome_fail(out, "dtype %" PRId64 " or k %" PRId64 " is out of range", dtype, k);
    }
    if (!make_alike(&it->inputs[0], dtype == 0 ? it->inputs[0].type->onnx : (int32_t)dtype, to,
                    out)) {
        return false;
    }
    *desc = (tally_diagonal)TALLY_DIAGONAL_INIT;
    desc->output = array_tensor(&to->result);
    desc->value = to->result.type->one;
    desc->begin = k;
    desc->end = k + 1;
    to->create = create_diagonal;
    return true;
}

/* Zeros below the k-th diagonal (upper) or above it; elsewhere the input. */
static bool map_trilu(const operator_row *row, const node *it, task *to, outcome *out) {
    const array *data = &it->inputs[0];
    const bool upper = it->attributes.upper != 0;
    tally_diagonal *desc = &to->desc.diagonal;
    int64_t k = 0;
    (void)row;
    if (it->inputs[1].type != NULL && !find_integer(&it->inputs[1], "k", &k, out)) {
        return false;
    }
    if (!make_alike(data, data->type->onnx, to, out)) {
        return false;
    }
    *desc = (tally_diagonal)TALLY_DIAGONAL_INIT;
    to->input_tensor = array_tensor(data);
    desc->input = &to->input_tensor;
    desc->output = array_tensor(&to->result);
    desc->begin = upper ? INT64_MIN : k < INT64_MAX ? k + 1 : k;
    desc->end = upper ? k : INT64_MAX;
    to->create = create_diagonal;
    to->input = data;
    return true;
}

/* ---- The table ----------------------------------------------------------------------------- */

static const char *const reduce_names[] = {"axes", "keepdims", "noop_with_empty_axes", NULL};
static const char *const arg_names[] = {"axis", "keepdims", "select_last_index", NULL};
static const char *const scan_names[] = {"exclusive", "reverse", NULL};
static const char *const eye_names[] = {"dtype", "k", NULL};
static const char *const trilu_names[] = {"upper", NULL};

const operator_row operator_rows[OPERATOR_COUNT] = {
    {"ArgMax", TALLY_ARGMAX, arg_names, 1, map_arg},
    {"ArgMin", TALLY_ARGMIN, arg_names, 1, map_arg},
    {"CumProd", TALLY_MULTIPLY, scan_names, 2, map_cumulative},
    {"CumSum", TALLY_SUM, scan_names, 2, map_cumulative},
    {"EyeLike", TALLY_FUNCTION_NONE, eye_names, 1, map_eye_like},
    {"ReduceL1", TALLY_L1, reduce_names, 2, map_reduce},
    {"ReduceL2", TALLY_L2, reduce_names, 2, map_reduce},
    {"ReduceLogSum", TALLY_LOG_SUM, reduce_names, 2, map_reduce},
    {"ReduceLogSumExp", TALLY_LOG_SUM_EXP, reduce_names, 2, map_reduce},
    {"ReduceMax", TALLY_MAX, reduce_names, 2, map_reduce},
    {"ReduceMean", TALLY_AVERAGE, reduce_names, 2, map_reduce},
    {"ReduceMin", TALLY_MIN, reduce_names, 2, map_reduce},
    {"ReduceProd", TALLY_MULTIPLY, reduce_names, 2, map_reduce},
    {"ReduceSum", TALLY_SUM, reduce_names, 2, map_reduce},
    {"ReduceSumSquare", TALLY_SUM_SQUARE, reduce_names, 2, map_reduce},
    {"Trilu", TALLY_FUNCTION_NONE, trilu_names, 2, map_trilu},
};

const operator_row *operator_find(const char *domain, const char *name) {
    if (name == NULL || (domain != NULL && *domain != 0 && strcmp(domain, "ai.onnx") != 0)) {
        return NULL;
    }
    for (size_t k = 0; k < OPERATOR_COUNT; k++) {
        if (strcmp(name, operator_rows[k].name) == 0) {
            return &operator_rows[k];
        }
    }
    return NULL;
}
