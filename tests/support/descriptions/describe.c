/*
 * describe.c: problems and elements as text. It only prints.
 */
#include "describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/numbers/number.h"

void text_add(text *out, const char *format, ...) {
    const size_t room = sizeof out->chars - out->length;
    va_list arguments;
    va_start(arguments, format);
    const int wanted = vsnprintf(out->chars + out->length, room, format, arguments);
    va_end(arguments);
    if (wanted > 0) {
        out->length += (size_t)wanted < room ? (size_t)wanted : room - 1;
    }
}

const char *describe_function(tally_function function) {
    static const char *const names[] = {
        "TALLY_FUNCTION_NONE", "TALLY_ARGMAX",      "TALLY_ARGMIN",
        "TALLY_AVERAGE",       "TALLY_L1",          "TALLY_L2",
        "TALLY_LOG_SUM",       "TALLY_LOG_SUM_EXP", "TALLY_MAX",
        "TALLY_MIN",           "TALLY_MULTIPLY",    "TALLY_SUM",
        "TALLY_SUM_SQUARE",
    };
    return names[function];
}

static void add_list(text *out, const uint64_t *values, uint32_t count) {
    text_add(out, "{");
    for (uint32_t k = 0; k < count; k++) {
        text_add(out, "%s%" PRIu64, k == 0 ? "" : ", ", values[k]);
    }
    text_add(out, "%s}", count == 0 ? "0" : "");
}

static void add_tensor(text *out, const tally_tensor *tensor) {
    const bool strided = (tensor->flags & TALLY_STRIDED) != 0;
    text_add(out, "{%s, %" PRIu32 ", %s, ", number_type_of(tensor->dtype)->name, tensor->rank,
             strided ? "TALLY_STRIDED" : "0");
    add_list(out, tensor->size, tensor->rank);
    text_add(out, ", ");
    add_list(out, tensor->stride, strided ? tensor->rank : 0);
    text_add(out, "}");
}

static const char *nan_name(tally_nan nan) {
    return nan == TALLY_NAN_IGNORE ? "TALLY_NAN_IGNORE" : "TALLY_NAN_PROPAGATE";
}

void describe_reduce(text *out, const tally_reduce *desc) {
    text_add(out, "tally_reduce desc = {sizeof desc, %s,\n    ", describe_function(desc->function));
    add_tensor(out, &desc->input);
    text_add(out, ",\n    ");
    add_tensor(out, &desc->output);
    text_add(out, ",\n    0x%" PRIx32 ", %s, %s};\n", desc->axes,
             desc->tie == TALLY_TIE_LAST ? "TALLY_TIE_LAST" : "TALLY_TIE_FIRST",
             nan_name(desc->nan));
}

void describe_cumulative(text *out, const tally_cumulative *desc) {
    text_add(out, "tally_cumulative desc = {sizeof desc, %s,\n    ",
             describe_function(desc->function));
    add_tensor(out, &desc->input);
    text_add(out, ",\n    ");
    add_tensor(out, &desc->output);
    text_add(out, ",\n    %" PRIu32 ", %s, %s, %s};\n", desc->axis,
             desc->descending ? "true" : "false", desc->exclusive ? "true" : "false",
             nan_name(desc->nan));
}

void describe_diagonal(text *out, const tally_diagonal *desc) {
    if (desc->input != NULL) {
        text_add(out, "tally_tensor input = ");
        add_tensor(out, desc->input);
        text_add(out, ";\n");
    }
    text_add(out, "tally_diagonal desc = {sizeof desc, %s,\n    ",
             desc->input != NULL ? "&input" : "NULL");
    add_tensor(out, &desc->output);
    text_add(out, ",\n    {.u64 = 0x%" PRIx64 "}, %" PRId64 ", %" PRId64 "};\n",
             number_load(desc->output.dtype, &desc->value), desc->begin, desc->end);
}

void describe_any(text *out, const tally_desc *desc) {
    if (desc->reduce != NULL)
        describe_reduce(out, desc->reduce);
    else if (desc->cumulative != NULL)
        describe_cumulative(out, desc->cumulative);
    else
        describe_diagonal(out, desc->diagonal);
}

void describe_element(text *out, tally_dtype dtype, uint64_t bits) {
    const number_type *type = number_type_of(dtype);
    const int digits = (int)type->bits / 4;
    if (type->kind == NUMBER_FLOAT) {
        text_add(out, "%.17g (0x%0*" PRIx64 ")", number_decode(type, bits), digits, bits);
    } else if (type->kind == NUMBER_SIGNED) {
        text_add(out, "%" PRId64 " (0x%0*" PRIx64 ")", (int64_t)number_widen(type, bits), digits,
                 bits);
    } else {
        text_add(out, "%" PRIu64 " (0x%0*" PRIx64 ")", bits, digits, bits);
    }
}

void describe_expected(text *out, tally_dtype dtype, const oracle_value *expected) {
    if (expected->exact) {
        text_add(out, "exactly ");
        describe_element(out, dtype, expected->bits);
        return;
    }
    text_add(out, "from %.17g to %.17g", expected->low, expected->high);
    text_add(out, "%s", (expected->also & ORACLE_NAN) != 0 ? " or NaN" : "");
    text_add(out, "%s", (expected->also & ORACLE_POSITIVE_INF) != 0 ? " or +inf" : "");
    text_add(out, "%s", (expected->also & ORACLE_NEGATIVE_INF) != 0 ? " or -inf" : "");
    text_add(out, "%s", (expected->also & ORACLE_NO_MINUS_ZERO) != 0 ? " but not -0" : "");
    text_add(out, "%s", (expected->also & ORACLE_NO_PLUS_ZERO) != 0 ? " but not +0" : "");
}

void describe_coordinates(text *out, const tally_tensor *tensor, uint64_t index) {
    uint64_t position[TALLY_MAX_RANK] = {0};
    for (uint32_t k = tensor->rank; k-- > 0;) {
        position[k] = index % tensor->size[k];
        index /= tensor->size[k];
    }
    add_list(out, position, tensor->rank);
}
