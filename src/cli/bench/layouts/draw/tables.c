/*
 * The weights of tally bench layouts. Part of what a seed means, as random.c is.
 */
#include "cli/bench/layouts/draw/tables.h"

const uint32_t layouts_subject_weights[BENCH_SUBJECTS] = {
    [BENCH_REDUCE] = 45, [BENCH_SCAN] = 35, [BENCH_DIAGONAL] = 20};

/* A number for each row: FUNCTIONS is how many there are. */
enum {
#define CLI_FUNCTION(enumerator, ...) ROW_##enumerator,
#include "cli/tables/functions.def"
    FUNCTIONS
};

const layouts_function layouts_functions[] = {
#define CLI_FUNCTION(enumerator, name, types, options, values, number, reduce, scan)               \
    [number] = {TALLY_##enumerator, #name, CLI_##types, {reduce, scan, 0}},
#include "cli/tables/functions.def"
    [FUNCTIONS] = {TALLY_FUNCTION_NONE, "", CLI_ANY, {0, 0, 1}},
};

const layouts_type layouts_type_rows[] = {
#define CLI_TYPE(enumerator, name, class, letter, bytes, exponent, fraction, largest, set, number, \
                 weight)                                                                           \
    [number] = {TALLY_##enumerator, #name, CLI_##class, weight},
#include "cli/tables/types.def"
};

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

const layouts_placement_weights layouts_input_weights = {.padding = 15, .gaps = 5, .offset = 20};
const layouts_placement_weights layouts_output_weights = {.padding = 7, .gaps = 2, .offset = 10};

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
