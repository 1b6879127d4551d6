/*
 * x11.c: tally/directml.h beside X11's names of types, whose BOOL is a byte: behind them (AFTER),
 * or before them and without names of its own (BEFORE). It is not run.
 */
#ifdef BEFORE
#define TALLY_NO_WINDOWS_TYPES
#include <tally/directml.h>
#ifdef TRUE
#error "TALLY_NO_WINDOWS_TYPES leaves TRUE"
#endif
#endif

#include <X11/Xmd.h>

#include <tally/directml.h>

DML_CUMULATIVE_SUMMATION_OPERATOR_DESC tally_check_x11(const DML_TENSOR_DESC *tensor,
                                                       BOOL exclusive);

DML_CUMULATIVE_SUMMATION_OPERATOR_DESC tally_check_x11(const DML_TENSOR_DESC *tensor,
                                                       BOOL exclusive) {
    const DML_CUMULATIVE_SUMMATION_OPERATOR_DESC desc = {tensor, tensor, 0,
                                                         DML_AXIS_DIRECTION_INCREASING, exclusive};
    return desc;
}
