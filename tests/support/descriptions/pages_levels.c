/*
 * pages_levels.c: a row for each table of a page, its columns as the page writes them.
 */
#include "pages_levels.h"

#include <stdio.h>
#include <string.h>

const pages_number pages_levels[15] = {
    {"1_0", 0x1000}, {"2_0", 0x2000}, {"2_1", 0x2100}, {"3_0", 0x3000}, {"3_1", 0x3100},
    {"4_0", 0x4000}, {"4_1", 0x4100}, {"5_0", 0x5000}, {"5_1", 0x5100}, {"5_2", 0x5200},
    {"6_0", 0x6000}, {"6_1", 0x6100}, {"6_2", 0x6200}, {"6_3", 0x6300}, {"6_4", 0x6400},
};

const pages_number pages_operators[7] = {
    {"REDUCE", 55},
    {"DIAGONAL_MATRIX", 93},
    {"ARGMIN", 137},
    {"CUMULATIVE_SUMMATION", 105},
    {"ARGMAX", 138},
    {"CUMULATIVE_PRODUCT", 145},
    {"DIAGONAL_MATRIX1", 163},
};

const pages_number pages_functions[12] = {
    {"ARGMAX", 0}, {"ARGMIN", 1},   {"AVERAGE", 2},     {"L1", 3},
    {"L2", 4},     {"LOG_SUM", 5},  {"LOG_SUM_EXP", 6}, {"MAX", 7},
    {"MIN", 8},    {"MULTIPLY", 9}, {"SUM", 10},        {"SUM_SQUARE", 11},
};

const pages_number pages_types[14] = {
    {"UNKNOWN", 0}, {"FLOAT32", 1}, {"FLOAT16", 2}, {"UINT32", 3}, {"UINT16", 4},
    {"UINT8", 5},   {"INT32", 6},   {"INT16", 7},   {"INT8", 8},   {"FLOAT64", 9},
    {"UINT64", 10}, {"INT64", 11},  {"UINT4", 12},  {"INT4", 13},
};

/* "DML_FEATURE_LEVEL_<level> and above". */
typedef struct table {
    const char *operator_;
    const char *functions; /* the heading of the table; "" where there is none */
    const char *level;
    const char *input; /* NULL: the page lists no input tensor */
    const char *output;
    const char *dimensions;
    bool optional_input;
    bool same_type; /* "must have the same DataType" */
} table;

static const table tables[] = {
    {"REDUCE", "ARGMIN and ARGMAX", "4_1",
     "FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, UINT8",
     "INT64, INT32, UINT64, UINT32", "1 to 8", false, false},
    {"REDUCE", "ARGMIN and ARGMAX", "3_0",
     "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8", "INT64, INT32, UINT64, UINT32",
     "1 to 8", false, false},
    {"REDUCE", "ARGMIN and ARGMAX", "2_1",
     "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8", "UINT32", "4", false, false},
    {"REDUCE", "ARGMIN and ARGMAX", "1_0", "FLOAT32, FLOAT16", "UINT32", "4", false, false},
    {"REDUCE", "AVERAGE, L2, LOG_SUM, and LOG_SUM_EXP", "3_0", "FLOAT32, FLOAT16",
     "FLOAT32, FLOAT16", "1 to 8", false, true},
    {"REDUCE", "AVERAGE, L2, LOG_SUM, and LOG_SUM_EXP", "1_0", "FLOAT32, FLOAT16",
     "FLOAT32, FLOAT16", "4", false, true},
    {"REDUCE", "L1 and SUM_SQUARE", "5_0", "FLOAT32, FLOAT16, INT64, INT32, UINT64, UINT32",
     "FLOAT32, FLOAT16, INT64, INT32, UINT64, UINT32", "1 to 8", false, true},
    {"REDUCE", "L1 and SUM_SQUARE", "3_0", "FLOAT32, FLOAT16", "FLOAT32, FLOAT16", "1 to 8", false,
     true},
    {"REDUCE", "L1 and SUM_SQUARE", "1_0", "FLOAT32, FLOAT16", "FLOAT32, FLOAT16", "4", false,
     true},
    {"REDUCE", "MIN and MAX", "5_0",
     "FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, UINT8",
     "FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, UINT8", "1 to 8", false,
     true},
    {"REDUCE", "MIN and MAX", "3_0", "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8",
     "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8", "1 to 8", false, true},
    {"REDUCE", "MIN and MAX", "2_1", "FLOAT32, FLOAT16, INT32, UINT32",
     "FLOAT32, FLOAT16, INT32, UINT32", "4", false, true},
    {"REDUCE", "MIN and MAX", "1_0", "FLOAT32, FLOAT16", "FLOAT32, FLOAT16", "4", false, true},
    {"REDUCE", "MULTIPLY and SUM", "5_0", "FLOAT32, FLOAT16, INT64, INT32, UINT64, UINT32",
     "FLOAT32, FLOAT16, INT64, INT32, UINT64, UINT32", "1 to 8", false, true},
    {"REDUCE", "MULTIPLY and SUM", "3_0", "FLOAT32, FLOAT16, INT32, UINT32",
     "FLOAT32, FLOAT16, INT32, UINT32", "1 to 8", false, true},
    {"REDUCE", "MULTIPLY and SUM", "2_1", "FLOAT32, FLOAT16, INT32, UINT32",
     "FLOAT32, FLOAT16, INT32, UINT32", "4", false, true},
    {"REDUCE", "MULTIPLY and SUM", "1_0", "FLOAT32, FLOAT16", "FLOAT32, FLOAT16", "4", false, true},

    {"ARGMIN", "", "4_1",
     "FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, UINT8",
     "INT64, INT32, UINT64, UINT32", "1 to 8", false, false},
    {"ARGMIN", "", "3_0", "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8",
     "INT64, INT32, UINT64, UINT32", "1 to 8", false, false},
    {"ARGMAX", "", "4_1",
     "FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, UINT8",
     "INT64, INT32, UINT64, UINT32", "1 to 8", false, false},
    {"ARGMAX", "", "3_0", "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8",
     "INT64, INT32, UINT64, UINT32", "1 to 8", false, false},

    {"CUMULATIVE_SUMMATION", "", "5_0", "FLOAT32, FLOAT16, INT64, INT32, UINT64, UINT32",
     "FLOAT32, FLOAT16, INT64, INT32, UINT64, UINT32", "1 to 8", false, true},
    {"CUMULATIVE_SUMMATION", "", "4_0", "FLOAT32, FLOAT16, INT32, UINT32",
     "FLOAT32, FLOAT16, INT32, UINT32", "1 to 8", false, true},
    {"CUMULATIVE_SUMMATION", "", "2_1", "FLOAT32, FLOAT16, INT32, UINT32",
     "FLOAT32, FLOAT16, INT32, UINT32", "4", false, true},
    {"CUMULATIVE_PRODUCT", "", "5_0", "FLOAT32, FLOAT16, INT64, INT32, UINT64, UINT32",
     "FLOAT32, FLOAT16, INT64, INT32, UINT64, UINT32", "1 to 8", false, true},
    {"CUMULATIVE_PRODUCT", "", "4_0", "FLOAT32, FLOAT16, INT32, UINT32",
     "FLOAT32, FLOAT16, INT32, UINT32", "1 to 8", false, true},
    {"CUMULATIVE_PRODUCT", "", "3_1", "FLOAT32, FLOAT16, INT32, UINT32",
     "FLOAT32, FLOAT16, INT32, UINT32", "4", false, true},

    {"DIAGONAL_MATRIX", "", "5_1", NULL,
     "FLOAT64, FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, UINT8",
     "2 to 4", false, false},
    {"DIAGONAL_MATRIX", "", "4_0", NULL,
     "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8", "2 to 4", false, false},
    {"DIAGONAL_MATRIX", "", "2_1", NULL,
     "FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8", "4", false, false},
    {"DIAGONAL_MATRIX", "", "2_0", NULL, "FLOAT32, FLOAT16", "4", false, false},

    {"DIAGONAL_MATRIX1", "", "5_1",
     "FLOAT64, FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, UINT8",
     "FLOAT64, FLOAT32, FLOAT16, INT64, INT32, INT16, INT8, UINT64, UINT32, UINT16, UINT8",
     "2 to 4", true, true},
};

/* Whether the words of a list, which commas and spaces part, have this one. */
static bool names(const char *list, const char *word) {
    const size_t length = strlen(word);
    while (*list != '\0') {
        const size_t next = strcspn(list, ", ");
        if (next == length && strncmp(list, word, length) == 0)
            return true;
        list += next + strspn(list + next, ", ");
    }
    return false;
}

static unsigned level_value(const char *name) {
    for (size_t k = 0; k < 15; k++)
        if (strcmp(pages_levels[k].name, name) == 0)
            return pages_levels[k].value;
    return 0;
}

static bool has_rank(const char *dimensions, unsigned rank) {
    unsigned low = 0, high = 0;
    if (sscanf(dimensions, "%u to %u", &low, &high) < 2)
        high = low;
    return rank >= low && rank <= high;
}

/* The uppermost of the tables that hold: the pages list the newest level first. */
static const table *find_table(const pages_use *use, unsigned level) {
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
        if (strcmp(tables[k].operator_, use->operator_) == 0 &&
            (tables[k].functions[0] == '\0' || names(tables[k].functions, use->function)) &&
            level >= level_value(tables[k].level))
            return &tables[k];
    return NULL;
}

bool pages_accept(const pages_use *use, unsigned level) {
    const table *found = find_table(use, level);
    if (found == NULL || !has_rank(found->dimensions, use->rank) ||
        !names(found->output, use->output))
        return false;
    if (use->input == NULL)
        return found->input == NULL || found->optional_input;
    return found->input != NULL && names(found->input, use->input) &&
           (!found->same_type || strcmp(use->input, use->output) == 0);
}

unsigned pages_lowest(const pages_use *use) {
    for (size_t k = 0; k < 15; k++)
        if (pages_accept(use, pages_levels[k].value))
            return pages_levels[k].value;
    return 0;
}

const char *pages_level_name(unsigned level) {
    for (size_t k = 0; k < 15; k++)
        if (pages_levels[k].value == level)
            return pages_levels[k].name;
    return "none";
}
