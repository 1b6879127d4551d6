/*
 * after_microsoft.c: tally/directml.h after Microsoft's header, as C++, at any DML_TARGET_VERSION.
 * That it compiles shows that nothing was defined twice. It is not run.
 */
#include "microsoft/DirectML.h"

#include <tally/directml.h>

/* ---- Nothing of ours but the functions ------------------------------------------------------- */

#if defined(DML_TENSOR_DIMENSION_COUNT_MAX) || defined(DML_TENSOR_DIMENSION_COUNT_MAX1) ||         \
    defined(DML_TEMPORARY_BUFFER_ALIGNMENT) || defined(DML_PERSISTENT_BUFFER_ALIGNMENT) ||         \
    defined(DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT)
#error "tally/directml.h defines constants after Microsoft's header"
#endif

/* Names that Microsoft's header does not have at this version stay free. */
#if DML_TARGET_VERSION < 0x2100
typedef char DML_SCALAR_UNION;
typedef char DML_AXIS_DIRECTION;
#endif
#if DML_TARGET_VERSION < 0x3000
typedef char DML_ARGMAX_OPERATOR_DESC;
#endif
#if DML_TARGET_VERSION < 0x5100
typedef char DML_DIAGONAL_MATRIX1_OPERATOR_DESC;
#endif

/* ---- The functions take Microsoft's types ---------------------------------------------------- */

tally_status tally_check_after_microsoft(tally_runtime *runtime, tally_op **op, UINT64 *bytes);

tally_status tally_check_after_microsoft(tally_runtime *runtime, tally_op **op, UINT64 *bytes) {
    const UINT sizes[] = {2, 3, 4, 5}, reduced[] = {2, 3, 1, 5}, axes[] = {2};
    const DML_BUFFER_TENSOR_DESC input_buffer = {
        DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 4, sizes, NULL, 480, 16};
    const DML_BUFFER_TENSOR_DESC output_buffer = {
        DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 4, reduced, NULL, 120, 16};
    const DML_TENSOR_DESC input = {DML_TENSOR_TYPE_BUFFER, &input_buffer};
    const DML_TENSOR_DESC output = {DML_TENSOR_TYPE_BUFFER, &output_buffer};
    const DML_REDUCE_OPERATOR_DESC reduce = {DML_REDUCE_FUNCTION_SUM, &input, &output, 1, axes};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_REDUCE, &reduce};
    const DML_FEATURE_LEVEL newest = (DML_FEATURE_LEVEL)0x6400;
    DML_FEATURE_LEVEL level = DML_FEATURE_LEVEL_1_0;
    tally_error error;
    if (tally_dml_minimum_level(desc.Type, reduce.Function, input_buffer.DataType,
                                output_buffer.DataType, 4, &level, &error) != TALLY_OK ||
        tally_dml_buffer_tensor_size(input_buffer.DataType, 4, sizes, NULL, bytes, &error) !=
            TALLY_OK ||
        tally_dml_operator_check(&desc, level, NULL, &error) != TALLY_OK)
        return error.status;
    return tally_dml_operator_create(runtime, &desc, newest, op, &error);
}
