/*
 * break.h: ways to break a description, each one thing.
 */
#ifndef TESTS_API_DIRECTML_BREAK_H
#define TESTS_API_DIRECTML_BREAK_H

#include "sample.h"

/* tensor counts only where a fault is one of tensors. */
typedef void breaker(sample *broken, int tensor, int64_t value);

/* A level and a type, or a level and a rank, neither of which is wrong without the other. */
#define AND(level, what) (((int64_t)(level) << 8) | (int64_t)(what))

/* A function with a type and a level. */
#define OF(function, level, type) (((int64_t)(function) << 24) | AND(level, type))

breaker break_tensor_type;
breaker break_clear_tensor_desc;
breaker break_flags;
breaker break_data_type;
breaker break_rank;
breaker break_clear_sizes;
breaker break_clear_size;
breaker break_clear_strided_size;
breaker break_missing_bytes;
breaker break_clear_total;
breaker break_missing_gap;
breaker break_alignment;
breaker break_many_elements;
breaker break_huge_strides;
breaker break_stride;
breaker break_clear_input;
breaker break_clear_output;
breaker break_output_type;
breaker break_grow_output;
breaker break_shrink_output_rank;
breaker break_value_type;
breaker break_axis_count;
breaker break_clear_axes;
breaker break_axis;
breaker break_double_axis;
breaker break_direction;
breaker break_operator;
breaker break_clear_desc;
breaker break_level;
breaker break_function;
breaker break_types;
breaker break_level_and_types;
breaker break_level_and_rank;
breaker break_function_level_types;
breaker break_index_type;
breaker break_long_axis;

#endif
