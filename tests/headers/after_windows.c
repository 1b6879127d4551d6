/*
 * after_windows.c: tally/directml.h where the base types are there already, in either of the two
 * ways: a header that says so by its guard may have other types (an unsigned BOOL), one that
 * doesn't must have the same ones. Compiled as C and as C++; it is not run.
 */
#include <stdint.h>

#ifdef STAND_IN_GUARDED
#define _MINWINDEF_
typedef uint32_t BOOL;
typedef unsigned char BYTE;
typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32;
typedef int64_t INT64;
typedef uint8_t UINT8;
typedef uint16_t UINT16;
typedef uint32_t UINT32;
typedef uint64_t UINT64;
typedef double DOUBLE;
#else
typedef int BOOL;
#endif
typedef unsigned int UINT;
typedef int INT;
typedef float FLOAT;
#define TRUE 1u
#define FALSE 0u

#include <tally/directml.h>

#ifdef __cplusplus
extern "C" {
#endif

DML_CUMULATIVE_SUMMATION_OPERATOR_DESC tally_check_after_windows(const DML_TENSOR_DESC *tensor);

DML_CUMULATIVE_SUMMATION_OPERATOR_DESC tally_check_after_windows(const DML_TENSOR_DESC *tensor) {
    const DML_CUMULATIVE_SUMMATION_OPERATOR_DESC desc = {tensor, tensor, 0,
                                                         DML_AXIS_DIRECTION_INCREASING, TRUE};
    return desc;
}

#ifdef __cplusplus
}
#endif
