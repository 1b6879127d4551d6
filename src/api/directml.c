/*
 * DirectML's operators: each of its seven structs to one of Tally's three descriptions, and from
 * there on the way of every operator. Adds DirectML's rules, computes nothing.
 */
#include "api/directml.h"

#include <inttypes.h>
#include <string.h>

#include "api/operator.h"
#include "model/directml_levels.h"

/* directml_levels.def has DirectML's numbers for the model, directml.h for the caller: one and the
 * same. */
#define TALLY_DML_LEVEL(name, value)                                                               \
    _Static_assert(DML_FEATURE_LEVEL_##name == (value), "level " #name);
#define TALLY_DML_OPERATOR(name, value)                                                            \
    _Static_assert(DML_OPERATOR_##name == (value), "operator " #name);
#define TALLY_DML_FUNCTION(name, value)                                                            \
    _Static_assert(DML_REDUCE_FUNCTION_##name == (value), "function " #name);
#define TALLY_DML_TYPE(name, value, dtype, bits)                                                   \
    _Static_assert(DML_TENSOR_DATA_TYPE_##name == (value), "type " #name);
#include "model/directml_levels.def"

/* What a description asks for, and what is to refuse it. */
typedef struct request {
    uint32_t operator_type;
    uint32_t level;
} request;

/* The tensors of an operator; input may be NULL. */
typedef struct tensors {
    const DML_TENSOR_DESC *input;
    const DML_TENSOR_DESC *output;
} tensors;

/* ---- Parts that operators share -------------------------------------------------------------- */

static tally_levels_tensor outline(const DML_BUFFER_TENSOR_DESC *buffer) {
    tally_levels_tensor tensor = {false, 0, 0};
    if (buffer != NULL)
        tensor = (tally_levels_tensor){true, (uint32_t)buffer->DataType,
                                       (uint32_t)buffer->DimensionCount};
    return tensor;
}

/* Types and ranks before all else: only then do the arrays have a known length. */
static tally_status read_tensors(const request *asked, uint32_t function, tensors from,
                                 tally_tensor *input, tally_tensor *output, tally_error *error) {
    const DML_BUFFER_TENSOR_DESC *in = NULL, *out = NULL;
    tally_status status = TALLY_OK;
    if (from.input != NULL)
        status = tally_dml_tensor_open(from.input, "InputTensor", &in, error);
    if (status == TALLY_OK)
        status = tally_dml_tensor_open(from.output, "OutputTensor", &out, error);
    if (status != TALLY_OK)
        return status;
    const tally_levels_use use = {asked->operator_type, function, outline(in), outline(out)};
    status = tally_levels_check(&use, asked->level, error);
    if (status == TALLY_OK && in != NULL)
        status = tally_dml_tensor_read(in, "InputTensor", input, error);
    if (status == TALLY_OK)
        status = tally_dml_tensor_read(out, "OutputTensor", output, error);
    return status;
}

static tally_status read_axes(UINT count, const UINT *axes, uint32_t rank, uint32_t *mask,
                              tally_error *error) {
    *mask = 0;
    if (count > rank)
        return tally_fail(error, TALLY_INVALID,
                          "AxisCount is %u, but the InputTensor has DimensionCount %" PRIu32, count,
                          rank);
    if (count > 0 && axes == NULL)
        return tally_fail(error, TALLY_INVALID, "Axes is NULL, but AxisCount is %u", count);
    for (UINT k = 0; k < count; k++) {
        if (axes[k] >= rank)
            return tally_fail(error, TALLY_INVALID,
                              "Axes[%u] is %u, but the InputTensor has DimensionCount %" PRIu32, k,
                              axes[k], rank);
        if ((*mask >> axes[k] & 1) != 0)
            return tally_fail(error, TALLY_INVALID, "Axes[%u] is %u, which was named before", k,
                              axes[k]);
        *mask |= 1u << axes[k];
    }
    return TALLY_OK;
}

static tally_status check_direction(DML_AXIS_DIRECTION direction, tally_error *error) {
    if (direction != DML_AXIS_DIRECTION_INCREASING && direction != DML_AXIS_DIRECTION_DECREASING)
        return tally_fail(error, TALLY_INVALID,
                          "AxisDirection is %d, but DML_AXIS_DIRECTION_INCREASING (0) and "
                          "_DECREASING (1) are legal",
                          (int)direction);
    return TALLY_OK;
}

/* What REDUCE and ARG* have in common besides the tensors. */
typedef struct reduction {
    uint32_t asked; /* DirectML's number of the function; of REDUCE only */
    tally_function function;
    tally_tie tie;
    UINT axis_count;
    const UINT *axes;
} reduction;

static tally_status reduce(const request *asked, const reduction *from, tensors of,
                           tally_problem *problem, tally_error *error) {
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = from->function;
    desc.tie = from->tie;
    desc.nan = TALLY_NAN_IGNORE;
    tally_status status = read_tensors(asked, from->asked, of, &desc.input, &desc.output, error);
    if (status == TALLY_OK)
        status = read_axes(from->axis_count, from->axes, desc.input.rank, &desc.axes, error);
    if (status == TALLY_OK)
        status = tally_problem_reduce(&desc, problem, error);
    return status;
}

/* ---- The operators --------------------------------------------------------------------------- */

static tally_status read_reduce(const request *asked, const void *desc, tally_problem *problem,
                                tally_error *error) {
    const DML_REDUCE_OPERATOR_DESC *from = desc;
    const tensors of = {from->InputTensor, from->OutputTensor};
    const uint32_t function = (uint32_t)from->Function;
    const reduction what = {function, tally_levels_find_function(function), TALLY_TIE_FIRST,
                            from->AxisCount, from->Axes};
    return reduce(asked, &what, of, problem, error);
}

/* Two structs of the same members, but for the last one's name: one reader does for both. */
#define SAME_LAYOUT(a, last_of_a, b, last_of_b)                                                    \
    _Static_assert(sizeof(a) == sizeof(b) && offsetof(a, last_of_a) == offsetof(b, last_of_b),     \
                   #a " is laid out as " #b)
SAME_LAYOUT(DML_ARGMIN_OPERATOR_DESC, AxisDirection, DML_ARGMAX_OPERATOR_DESC, AxisDirection);
SAME_LAYOUT(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, HasExclusiveSum,
            DML_CUMULATIVE_PRODUCT_OPERATOR_DESC, HasExclusiveProduct);

static tally_status read_arg(const request *asked, const void *desc, tally_problem *problem,
                             tally_error *error) {
    DML_ARGMAX_OPERATOR_DESC from;
    memcpy(&from, desc, sizeof from);
    const tensors of = {from.InputTensor, from.OutputTensor};
    const bool last = from.AxisDirection == DML_AXIS_DIRECTION_DECREASING;
    const bool most = asked->operator_type == DML_OPERATOR_ARGMAX;
    const reduction what = {0, most ? TALLY_ARGMAX : TALLY_ARGMIN,
                            last ? TALLY_TIE_LAST : TALLY_TIE_FIRST, from.AxisCount, from.Axes};
    tally_status status = check_direction(from.AxisDirection, error);
    return status == TALLY_OK ? reduce(asked, &what, of, problem, error) : status;
}

static tally_status read_cumulative(const request *asked, const void *desc, tally_problem *problem,
                                    tally_error *error) {
    DML_CUMULATIVE_SUMMATION_OPERATOR_DESC from;
    memcpy(&from, desc, sizeof from);
    const tensors of = {from.InputTensor, from.OutputTensor};
    const bool sum = asked->operator_type == DML_OPERATOR_CUMULATIVE_SUMMATION;
    tally_cumulative to = TALLY_CUMULATIVE_INIT;
    to.function = sum ? TALLY_SUM : TALLY_MULTIPLY;
    to.axis = from.Axis;
    to.descending = from.AxisDirection == DML_AXIS_DIRECTION_DECREASING;
    to.exclusive = from.HasExclusiveSum != FALSE;
    tally_status status = check_direction(from.AxisDirection, error);
    if (status == TALLY_OK)
        status = read_tensors(asked, 0, of, &to.input, &to.output, error);
    if (status == TALLY_OK)
        status = tally_problem_cumulative(&to, problem, error);
    return status;
}

static tally_status read_diagonal(const request *asked, const void *desc, tally_problem *problem,
                                  tally_error *error) {
    const DML_DIAGONAL_MATRIX_OPERATOR_DESC *from = desc;
    const tensors of = {NULL, from->OutputTensor};
    tally_tensor none = TALLY_TENSOR_INIT;
    tally_diagonal to = TALLY_DIAGONAL_INIT;
    to.begin = from->Offset;
    to.end = to.begin + 1;
    tally_status status = read_tensors(asked, 0, of, &none, &to.output, error);
    if (status != TALLY_OK)
        return status;
    to.value = tally_dml_convert(from->Value, to.output.dtype);
    return tally_problem_diagonal(&to, problem, error);
}

static tally_status read_diagonal1(const request *asked, const void *desc, tally_problem *problem,
                                   tally_error *error) {
    const DML_DIAGONAL_MATRIX1_OPERATOR_DESC *from = desc;
    const tensors of = {from->InputTensor, from->OutputTensor};
    tally_tensor input = TALLY_TENSOR_INIT;
    tally_diagonal to = TALLY_DIAGONAL_INIT;
    to.input = from->InputTensor != NULL ? &input : NULL;
    to.begin = from->DiagonalFillBegin;
    to.end = from->DiagonalFillEnd;
    memcpy(&to.value, &from->Value, sizeof from->Value); /* the members of both start at byte 0 */
    tally_status status = read_tensors(asked, 0, of, &input, &to.output, error);
    if (status != TALLY_OK)
        return status;
    const DML_BUFFER_TENSOR_DESC *output = from->OutputTensor->Desc;
    if (from->ValueDataType != output->DataType)
        return tally_fail(
            error, TALLY_INVALID, "ValueDataType is %s (%d), but the OutputTensor has DataType %s",
            tally_levels_type_name((uint32_t)from->ValueDataType), (int)from->ValueDataType,
            tally_levels_type_name((uint32_t)output->DataType));
    return tally_problem_diagonal(&to, problem, error);
}

typedef struct operator_row {
    DML_OPERATOR_TYPE type;
    tally_status (*read)(const request *asked, const void *desc, tally_problem *problem,
                         tally_error *error);
} operator_row;

static const operator_row operators[] = {
    {DML_OPERATOR_REDUCE, read_reduce},
    {DML_OPERATOR_DIAGONAL_MATRIX, read_diagonal},
    {DML_OPERATOR_CUMULATIVE_SUMMATION, read_cumulative},
    {DML_OPERATOR_ARGMIN, read_arg},
    {DML_OPERATOR_ARGMAX, read_arg},
    {DML_OPERATOR_CUMULATIVE_PRODUCT, read_cumulative},
    {DML_OPERATOR_DIAGONAL_MATRIX1, read_diagonal1},
};

/* ---- The calls ------------------------------------------------------------------------------- */

static tally_status read_operator(const DML_OPERATOR_DESC *desc, DML_FEATURE_LEVEL level,
                                  tally_problem *problem, tally_error *error) {
    if (desc == NULL)
        return tally_fail(error, TALLY_INVALID, "the DML_OPERATOR_DESC is NULL");
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (operators[i].type != desc->Type)
            continue;
        const request asked = {(uint32_t)desc->Type, (uint32_t)level};
        if (desc->Desc == NULL)
            return tally_fail(error, TALLY_INVALID, "the Desc of %s is NULL",
                              tally_levels_operator_name(asked.operator_type));
        return operators[i].read(&asked, desc->Desc, problem, error);
    }
    return tally_levels_refuse_operator((uint32_t)desc->Type, error);
}

tally_status tally_dml_operator_create(tally_runtime *runtime, const DML_OPERATOR_DESC *desc,
                                       DML_FEATURE_LEVEL level, tally_op **op, tally_error *error) {
    tally_problem problem;
    tally_status status = tally_op_begin(runtime, op, error);
    if (status == TALLY_OK)
        status = read_operator(desc, level, &problem, error);
    if (status == TALLY_OK)
        status = tally_op_make(runtime, &problem, op, error);
    return status;
}

tally_status tally_dml_operator_check(const DML_OPERATOR_DESC *desc, DML_FEATURE_LEVEL level,
                                      const tally_device_limits *limits, tally_error *error) {
    tally_problem problem;
    tally_error_clear(error);
    tally_status status = read_operator(desc, level, &problem, error);
    return status == TALLY_OK ? tally_check_support(&problem, limits, error) : status;
}

tally_status tally_dml_minimum_level(DML_OPERATOR_TYPE type, DML_REDUCE_FUNCTION function,
                                     DML_TENSOR_DATA_TYPE input, DML_TENSOR_DATA_TYPE output,
                                     UINT dimensionCount, DML_FEATURE_LEVEL *level,
                                     tally_error *error) {
    const tally_levels_use use = {
        (uint32_t)type,
        (uint32_t)function,
        {input != DML_TENSOR_DATA_TYPE_UNKNOWN, (uint32_t)input, dimensionCount},
        {true, (uint32_t)output, dimensionCount},
    };
    tally_error_clear(error);
    if (level == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for the level is NULL");
    *level = (DML_FEATURE_LEVEL)tally_levels_lowest(&use);
    return *level != 0 ? TALLY_OK : tally_levels_check(&use, DML_FEATURE_LEVEL_6_4, error);
}
