/*
 * What the files behind tally/directml.h share: reading its structs. Knows DirectML's rules of one
 * tensor and of one number; the operators are directml.c's.
 */
#ifndef TALLY_API_DIRECTML_H
#define TALLY_API_DIRECTML_H

#include <tally/directml.h>

/*
 * The buffer description behind a DML_TENSOR_DESC. Refuses NULL pointers and other kinds of tensor.
 * role is the member's name: "InputTensor".
 */
tally_status tally_dml_tensor_open(const DML_TENSOR_DESC *desc, const char *role,
                                   const DML_BUFFER_TENSOR_DESC **buffer, tally_error *error);

/*
 * To a Tally tensor. Type and rank must be ones that the operator takes at its level; all other
 * rules of DML_BUFFER_TENSOR_DESC are checked here.
 */
tally_status tally_dml_tensor_read(const DML_BUFFER_TENSOR_DESC *buffer, const char *role,
                                   tally_tensor *tensor, tally_error *error);

/* A float in the type of a tensor to be filled with it; see DML_DIAGONAL_MATRIX_OPERATOR_DESC. */
tally_scalar tally_dml_convert(FLOAT value, tally_dtype dtype);

#endif
