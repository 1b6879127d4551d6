/*
 * The weights of tally bench layouts. Part of what a seed means, as random.c is.
 */
#include "cli/bench/layouts/draw/tables.h"

const uint32_t layouts_subject_weights[BENCH_SUBJECTS] = {
    [BENCH_REDUCE] = 45, [BENCH_SCAN] = 35, [BENCH_DIAGONAL] = 20};

/* clang-format off */
const layouts_function layouts_functions[] = {
    /*                                              reduce scan fill */
    {TALLY_SUM,           "sum",         LAYOUTS_WIDES,  {28, 55, 0}},
    {TALLY_MAX,           "max",         LAYOUTS_ANY,    {12, 18, 0}},
    {TALLY_MIN,           "min",         LAYOUTS_ANY,    { 6, 12, 0}},
    {TALLY_AVERAGE,       "average",     LAYOUTS_FLOATS, {10,  0, 0}},
    {TALLY_ARGMAX,        "argmax",      LAYOUTS_ANY,    { 8,  0, 0}},
    {TALLY_ARGMIN,        "argmin",      LAYOUTS_ANY,    { 4,  0, 0}},
    {TALLY_L1,            "l1",          LAYOUTS_WIDES,  { 5,  0, 0}},
    {TALLY_L2,            "l2",          LAYOUTS_FLOATS, { 8,  0, 0}},
    {TALLY_SUM_SQUARE,    "sum_square",  LAYOUTS_WIDES,  { 4,  0, 0}},
    {TALLY_MULTIPLY,      "multiply",    LAYOUTS_WIDES,  { 3, 15, 0}},
    {TALLY_LOG_SUM,       "log_sum",     LAYOUTS_FLOATS, { 2,  0, 0}},
    {TALLY_LOG_SUM_EXP,   "log_sum_exp", LAYOUTS_FLOATS, {10,  0, 0}},
    {TALLY_FUNCTION_NONE, "",            LAYOUTS_ANY,    { 0,  0, 1}},
};

const layouts_type layouts_type_rows[] = {
    {TALLY_F16, "f16", LAYOUTS_FLOATS, 30},
    {TALLY_F32, "f32", LAYOUTS_FLOATS, 100},
    {TALLY_F64, "f64", LAYOUTS_FLOATS, 14},
    {TALLY_I32, "i32", LAYOUTS_WIDES,  14},
    {TALLY_I64, "i64", LAYOUTS_WIDES,   8},
    {TALLY_I8,  "i8",  LAYOUTS_ANY,    14},
    {TALLY_U8,  "u8",  LAYOUTS_ANY,     8},
    {TALLY_I16, "i16", LAYOUTS_ANY,     6},
    {TALLY_U32, "u32", LAYOUTS_WIDES,   4},
    {TALLY_U16, "u16", LAYOUTS_ANY,     1},
    {TALLY_U64, "u64", LAYOUTS_WIDES,   1},
};
/* clang-format on */

const size_t layouts_function_count = sizeof layouts_functions / sizeof layouts_functions[0];
const size_t layouts_type_count = sizeof layouts_type_rows / sizeof layouts_type_rows[0];

const uint32_t layouts_rank_weights[LAYOUTS_RANK_MAX] = {10, 25, 27, 22, 10, 6};

const uint32_t layouts_axes_weights[LAYOUTS_AXES] = {[LAYOUTS_NO_AXES] = 4,
                                                     [LAYOUTS_ALL_AXES] = 8,
                                                     [LAYOUTS_ONE_AXIS] = 55,
                                                     [LAYOUTS_SEVERAL_AXES] = 33};

const uint32_t layouts_input_orders[LAYOUTS_ORDERS] = {
    [LAYOUTS_ROW_MAJOR] = 62, [LAYOUTS_SWAPPED] = 12, [LAYOUTS_PERMUTED] = 26};
const uint32_t layouts_output_orders[LAYOUTS_ORDERS] = {
    [LAYOUTS_ROW_MAJOR] = 82, [LAYOUTS_INPUTS_ORDER] = 9, [LAYOUTS_PERMUTED] = 9};

const layouts_place_weights layouts_input_weights = {.padding = 15, .gaps = 5, .offset = 20};
const layouts_place_weights layouts_output_weights = {.padding = 7, .gaps = 2, .offset = 10};

const uint32_t layouts_band_weights[LAYOUTS_BANDS] = {
    [LAYOUTS_LOWER] = 25,    [LAYOUTS_UPPER] = 20,     [LAYOUTS_DIAGONAL] = 15, [LAYOUTS_BAND] = 20,
    [LAYOUTS_INVERTED] = 15, [LAYOUTS_EVERYTHING] = 3, [LAYOUTS_NOTHING] = 2};

const layouts_index layouts_indices[LAYOUTS_INDICES] = {
    {TALLY_U32, 80}, {TALLY_I64, 15}, {TALLY_I32, 5}};

/* ---- Names --------------------------------------------------------------------------------- */

const char *layouts_function_name(tally_function function) {
    size_t i = 0;
    while (layouts_functions[i].function != function)
        i++;
    return layouts_functions[i].name;
}

const char *layouts_type_name(tally_dtype dtype) {
    size_t i = 0;
    while (layouts_type_rows[i].dtype != dtype)
        i++;
    return layouts_type_rows[i].name;
}
