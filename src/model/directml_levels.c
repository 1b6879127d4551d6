/*
 * The tables of directml_levels.def, searched, and the sentences for what they don't list. The
 * tables are read twice: first at the newest level, since what it refuses no level takes, then at
 * the caller's.
 */
#include "model/directml_levels.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- The tables ------------------------------------------------------------------------------ */

#define TALLY_DML_OPERATOR(name, value) OPERATOR_##name = (value),
enum {
#include "model/directml_levels.def"
};

#define TALLY_DML_FUNCTION(name, value) FUNCTION_##name = (value),
enum {
#include "model/directml_levels.def"
};

#define F(name) (1 << FUNCTION_##name)
#define TALLY_DML_GROUP(name, functions) GROUP_##name = (functions),
enum {
    GROUP_ANY = 1, /* operators without functions are looked up with function 0 */
#include "model/directml_levels.def"
};

#define TALLY_DML_TYPE(name, value, dtype, bits) TYPE_##name = (value),
enum {
#include "model/directml_levels.def"
};

#define T(name) (1 << TYPE_##name)
#define TALLY_DML_SET(name, types) SET_##name = (types),
enum {
    ABSENT = 1 << 29,
    EQUAL = 1 << 30,
#include "model/directml_levels.def"
};

#define TALLY_DML_LEVEL(name, value) LEVEL_##name = (value),
enum {
#include "model/directml_levels.def"
};

typedef struct name_row {
    uint32_t value;
    const char *name;
} name_row;

#define TALLY_DML_LEVEL(name, value) {value, "DML_FEATURE_LEVEL_" #name},
static const name_row levels[] = {
#include "model/directml_levels.def"
};
#define LEVELS (sizeof levels / sizeof levels[0])

#define TALLY_DML_OPERATOR(name, value) {value, "DML_OPERATOR_" #name},
static const name_row operators[] = {
#include "model/directml_levels.def"
};
#define OPERATORS (sizeof operators / sizeof operators[0])

typedef struct function_row {
    const char *name;
    tally_function function;
} function_row;

#define TALLY_DML_FUNCTION(name, value) [value] = {"DML_REDUCE_FUNCTION_" #name, TALLY_##name},
static const function_row functions[] = {
#include "model/directml_levels.def"
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

#define TALLY_DML_TYPE(name, value, dtype, bits) [value] = {#name, TALLY_##dtype, bits},
static const tally_levels_type types[] = {
#include "model/directml_levels.def"
};
#define TYPES (sizeof types / sizeof types[0])

typedef struct level_row {
    uint32_t operator_type;
    uint32_t functions; /* bit f: function f */
    uint32_t level;
    uint32_t lowest, highest; /* ranks */
    uint32_t input, output;   /* bit t: type t; ABSENT, EQUAL */
} level_row;

#define TALLY_DML_ROW(operator_, group, level, lowest, highest, input, output)                     \
    {OPERATOR_##operator_, GROUP_##group, LEVEL_##level, lowest, highest,                          \
     SET_##input,          SET_##output},
static const level_row rows[] = {
#include "model/directml_levels.def"
};
#define ROWS (sizeof rows / sizeof rows[0])

/* ---- Looking up ------------------------------------------------------------------------------ */

const tally_levels_type *tally_levels_find_type(uint32_t type) {
    return type < TYPES ? &types[type] : NULL;
}

const char *tally_levels_type_name(uint32_t type) {
    return type < TYPES ? types[type].name : "unknown";
}

static const char *find_name(const name_row *names, size_t count, uint32_t value) {
    for (size_t i = 0; i < count; i++)
        if (names[i].value == value)
            return names[i].name;
    return NULL;
}

const char *tally_levels_operator_name(uint32_t operator_type) {
    return find_name(operators, OPERATORS, operator_type);
}

tally_function tally_levels_find_function(uint32_t function) {
    return function < FUNCTIONS ? functions[function].function : TALLY_FUNCTION_NONE;
}

static bool has_functions(uint32_t operator_type) {
    return operator_type == OPERATOR_REDUCE;
}

/* The row that holds at the level; NULL if the operator is not in it. */
static const level_row *find_row(const tally_levels_use *use, uint32_t level) {
    const level_row *found = NULL;
    uint32_t function = has_functions(use->operator_type) ? use->function : 0;
    if (function >= FUNCTIONS)
        return NULL;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].operator_type == use->operator_type && (rows[i].functions >> function & 1) &&
            rows[i].level <= level)
            found = &rows[i];
    return found;
}

/* ---- Faults ---------------------------------------------------------------------------------- */

typedef enum fault { SOUND, NO_OPERATOR, NO_INPUT, RANK, TYPE, UNEQUAL } fault;

/* What is wrong, and with which tensor. */
typedef struct finding {
    fault fault;
    const char *role;
    tally_levels_tensor tensor;
    uint32_t types; /* that would be legal */
} finding;

static finding check_tensor(const level_row *row, const char *role, tally_levels_tensor tensor,
                            uint32_t legal) {
    finding found = {SOUND, role, tensor, legal};
    if (!tensor.present)
        found.fault = (legal & ABSENT) != 0 ? SOUND : NO_INPUT;
    else if (tensor.rank < row->lowest || tensor.rank > row->highest)
        found.fault = RANK;
    else if (tensor.type >= TYPES || (legal >> tensor.type & 1) == 0)
        found.fault = TYPE;
    return found;
}

static finding check_row(const level_row *row, const tally_levels_use *use) {
    finding found = {NO_OPERATOR, "", use->output, 0};
    if (row == NULL)
        return found;
    bool equal = row->output == EQUAL;
    found = check_tensor(row, "InputTensor", use->input, row->input);
    if (found.fault == SOUND)
        found = check_tensor(row, "OutputTensor", use->output,
                             (equal ? row->input : row->output) & ~(uint32_t)ABSENT);
    if (found.fault == SOUND && equal && use->input.present && use->input.type != use->output.type)
        found.fault = UNEQUAL;
    return found;
}

uint32_t tally_levels_lowest(const tally_levels_use *use) {
    for (size_t i = 0; i < LEVELS; i++)
        if (check_row(find_row(use, levels[i].value), use).fault == SOUND)
            return levels[i].value;
    return 0;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* The type names of a set, widest floats first, as the pages list them. */
static void list_types(char *out, size_t size, uint32_t set) {
    static const uint8_t order[] = {TYPE_FLOAT64, TYPE_FLOAT32, TYPE_FLOAT16, TYPE_INT64,
                                    TYPE_INT32,   TYPE_INT16,   TYPE_INT8,    TYPE_UINT64,
                                    TYPE_UINT32,  TYPE_UINT16,  TYPE_UINT8};
    size_t length = 0;
    snprintf(out, size, "none");
    for (size_t i = 0; i < sizeof order; i++)
        if ((set >> order[i] & 1) != 0 && length < size)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       types[order[i]].name);
}

static void list_ranks(char *out, size_t size, const level_row *row) {
    if (row->lowest < row->highest)
        snprintf(out, size, "%" PRIu32 " to %" PRIu32, row->lowest, row->highest);
    else
        snprintf(out, size, "%" PRIu32, row->lowest);
}

/* Room for the longest of the complaints below. */
typedef struct complaint {
    char text[384];
} complaint;

static complaint complain(const tally_levels_use *use, const finding *found, const level_row *row,
                          const char *where) {
    const bool reduce = has_functions(use->operator_type);
    complaint out;
    char who[96], legal[128];
    snprintf(who, sizeof who, "%s%s%s", tally_levels_operator_name(use->operator_type),
             reduce ? " with " : "", reduce ? functions[use->function].name : "");
    switch (found->fault) {
    case NO_OPERATOR:
        snprintf(out.text, sizeof out.text, "%s is not in %s", who, where);
        break;
    case NO_INPUT:
        snprintf(out.text, sizeof out.text, "the InputTensor of %s is missing", who);
        break;
    case RANK:
        list_ranks(legal, sizeof legal, row);
        snprintf(out.text, sizeof out.text,
                 "the %s of %s has DimensionCount %" PRIu32 ", but %s takes %s", found->role, who,
                 found->tensor.rank, where, legal);
        break;
    case UNEQUAL:
        snprintf(out.text, sizeof out.text,
                 "the OutputTensor of %s has DataType %s, but the "
                 "InputTensor has %s and they must be equal",
                 who, types[use->output.type].name, types[use->input.type].name);
        break;
    default:
        list_types(legal, sizeof legal, found->types);
        snprintf(out.text, sizeof out.text,
                 "the %s of %s has DataType %s (%" PRIu32 "), but %s takes %s", found->role, who,
                 tally_levels_type_name(found->tensor.type), found->tensor.type, where, legal);
    }
    return out;
}

static tally_status fail(const tally_levels_use *use, const finding *found, const level_row *row,
                         uint32_t level, tally_error *error) {
    const uint32_t lowest = tally_levels_lowest(use);
    if (lowest == 0)
        return tally_fail(error, TALLY_INVALID, "%s; no level accepts it",
                          complain(use, found, row, "even the newest feature level").text);
    return tally_fail(error, TALLY_UNSUPPORTED, "%s; %s accepts it",
                      complain(use, found, row, find_name(levels, LEVELS, level)).text,
                      find_name(levels, LEVELS, lowest));
}

tally_status tally_levels_refuse_operator(uint32_t operator_type, tally_error *error) {
    return tally_fail(error, operator_type == 0 ? TALLY_INVALID : TALLY_UNSUPPORTED,
                      "operator type %" PRIu32 " is none of the %zu of DirectML's that Tally has",
                      operator_type, OPERATORS);
}

tally_status tally_levels_check(const tally_levels_use *use, uint32_t level, tally_error *error) {
    const uint32_t passes[] = {levels[LEVELS - 1].value, level};
    if (find_name(levels, LEVELS, level) == NULL)
        return tally_fail(error, TALLY_INVALID,
                          "feature level 0x%" PRIx32 " is none of DirectML's: %s (0x%" PRIx32
                          ") to %s (0x%" PRIx32 ")",
                          level, levels[0].name, levels[0].value, levels[LEVELS - 1].name,
                          levels[LEVELS - 1].value);
    if (tally_levels_operator_name(use->operator_type) == NULL)
        return tally_levels_refuse_operator(use->operator_type, error);
    if (has_functions(use->operator_type) && use->function >= FUNCTIONS)
        return tally_fail(error, TALLY_INVALID,
                          "Function %" PRIu32 " of %s is none of DML_REDUCE_FUNCTION's, which end "
                          "at %s (%zu)",
                          use->function, tally_levels_operator_name(use->operator_type),
                          functions[FUNCTIONS - 1].name, FUNCTIONS - 1);
    for (size_t i = 0; i < 2; i++) {
        const level_row *row = find_row(use, passes[i]);
        const finding found = check_row(row, use);
        if (found.fault != SOUND)
            return fail(use, &found, row, level, error);
    }
    return TALLY_OK;
}
