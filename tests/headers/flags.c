/*
 * flags.c: the operators that Microsoft's header gives DML_TENSOR_FLAGS in C++, where the
 * enumerators alone would need casts. Compiled as C++; it is not run.
 */
#include <tally/directml.h>

DML_TENSOR_FLAGS tally_check_flags(DML_TENSOR_FLAGS flags);

DML_TENSOR_FLAGS tally_check_flags(DML_TENSOR_FLAGS flags) {
    flags |= DML_TENSOR_FLAG_OWNED_BY_DML;
    flags &= ~DML_TENSOR_FLAG_OWNED_BY_DML;
    flags ^= DML_TENSOR_FLAG_NONE;
    /* cppcheck-suppress [badBitmaskCheck,duplicateExpression]; they only have to compile */
    return flags | (DML_TENSOR_FLAG_NONE & flags) | (flags ^ flags);
}
