/*
 * The texts of the command line, each to its value. Words what is wrong with a text, and knows
 * neither the option it stands behind nor the command.
 */
#include "cli/options/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/nearest.h"
#include "cli/options/numbers.h"
#include "cli/tables/types.h"

int value_flag(const char *text, void *into, cli_error *error) {
    (void)text;
    (void)error;
    *(bool *)into = true;
    return CLI_DONE;
}

int value_text(const char *text, void *into, cli_error *error) {
    if (text[0] == '\0')
        return cli_misuse(error, "is empty");
    *(const char **)into = text;
    return CLI_DONE;
}

/* ---- Names --------------------------------------------------------------------------------- */

/*
 * "there is no such function; did you mean b? choose from a b c", the names being name_of(1),
 * name_of(2) and so on.
 */
static int misuse_name(const char *text, const char *kind, const char *(*name_of)(int),
                       cli_error *error) {
    char names[256] = "", hint[NEAREST_BYTES];
    size_t used = 0;
    nearest right = nearest_begin(text, strlen(text));
    for (int i = 1; strcmp(name_of(i), "unknown") != 0 && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", name_of(i));
        nearest_offer(&right, name_of(i));
    }
    const char *said = nearest_hint(&right, "", hint);
    return cli_misuse(error, "there is no such %s%s choose from%s", kind,
                      said[0] != '\0' ? said : ";", names);
}

static const char *function_name(int value) {
    return tally_function_name((tally_function)value);
}

static const char *dtype_name(int value) {
    return tally_dtype_name((tally_dtype)value);
}

int value_function(const char *text, void *into, cli_error *error) {
    /* What NumPy, and nearly everybody else, calls it. */
    const bool is_mean = strcmp(text, "mean") == 0;
    tally_function function = is_mean ? TALLY_AVERAGE : tally_function_by_name(text);
    if (function == TALLY_FUNCTION_NONE)
        return misuse_name(text, "function", function_name, error);
    *(tally_function *)into = function;
    return CLI_DONE;
}

int value_type(const char *text, void *into, cli_error *error) {
    tally_dtype dtype = tally_dtype_by_name(text);
    if (dtype == TALLY_DTYPE_NONE)
        return misuse_name(text, "type", dtype_name, error);
    *(tally_dtype *)into = dtype;
    return CLI_DONE;
}

int value_tie(const char *text, void *into, cli_error *error) {
    bool last = strcmp(text, "last") == 0;
    if (!last && strcmp(text, "first") != 0)
        return cli_misuse(error, "is neither first nor last");
    *(tally_tie *)into = last ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
    return CLI_DONE;
}

int value_nan(const char *text, void *into, cli_error *error) {
    bool ignore = strcmp(text, "ignore") == 0;
    if (!ignore && strcmp(text, "propagate") != 0)
        return cli_misuse(error, "is neither propagate nor ignore");
    *(tally_nan *)into = ignore ? TALLY_NAN_IGNORE : TALLY_NAN_PROPAGATE;
    return CLI_DONE;
}

/* The position of a text among names, or -1. */
static int find_name(const char *text, const char *const *names, int count) {
    int i = 0;
    while (i < count && strcmp(text, names[i]) != 0)
        i++;
    return i < count ? i : -1;
}

int value_family(const char *text, void *into, cli_error *error) {
    static const char *const names[] = {[TALLY_FAMILY_AUTO] = "auto",
                                        [TALLY_FAMILY_GENERIC] = "generic",
                                        [TALLY_FAMILY_GPU] = "gpu",
                                        [TALLY_FAMILY_CPU] = "cpu"};
    int found = find_name(text, names, 4);
    if (found < 0)
        return cli_misuse(error, "is no family of kernels; choose from auto generic gpu cpu");
    *(tally_family *)into = (tally_family)found;
    return CLI_DONE;
}

int value_single_pass(const char *text, void *into, cli_error *error) {
    static const char *const names[] = {[TALLY_SINGLE_PASS_AUTO] = "auto",
                                        [TALLY_SINGLE_PASS_ON] = "on",
                                        [TALLY_SINGLE_PASS_OFF] = "off"};
    int found = find_name(text, names, 3);
    if (found < 0)
        return cli_misuse(error, "is neither auto nor on nor off");
    *(tally_single_pass *)into = (tally_single_pass)found;
    return CLI_DONE;
}

/* ---- Integers and lists of them ------------------------------------------------------------ */

int value_int(const char *text, void *into, cli_error *error) {
    optional_int *number = into;
    number->given = true;
    return number_signed(text, "i64", INT64_MIN, INT64_MAX, &number->value, error);
}

/* Cut the next item off a list at its comma. The items of "1,,2" and "1," include an empty one. */
static bool next_item(const char **list, char item[32]) {
    if (*list == NULL)
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(item, 32, "%.*s", length < 31 ? (int)length : 31, *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return true;
}

static int misuse_long_list(cli_error *error) {
    return cli_misuse(error, "has more than %d items, the highest rank", TALLY_MAX_RANK);
}

int value_axes(const char *text, void *into, cli_error *error) {
    axis_list *axes = into;
    const char *rest = strcmp(text, "none") == 0 ? NULL : text;
    char item[32];
    axes->given = true;
    while (next_item(&rest, item)) {
        if (axes->count == TALLY_MAX_RANK)
            return misuse_long_list(error);
        int status =
            number_signed(item, "i64", INT64_MIN, INT64_MAX, &axes->axis[axes->count++], error);
        if (status != CLI_DONE)
            return status;
    }
    return CLI_DONE;
}

int value_shape(const char *text, void *into, cli_error *error) {
    shape_list *shape = into;
    const char *rest = text;
    char item[32];
    shape->given = true;
    while (next_item(&rest, item)) {
        if (shape->rank == TALLY_MAX_RANK)
            return misuse_long_list(error);
        int status = number_unsigned(item, "u64", UINT64_MAX, &shape->size[shape->rank++], error);
        if (status != CLI_DONE)
            return status;
    }
    return CLI_DONE;
}

/* ---- Elements ------------------------------------------------------------------------------ */

/* The host is little-endian (npy/npy.c checks), so narrow members are the wide one's start. */
int value_scalar(const char *text, tally_dtype dtype, tally_scalar *scalar, cli_error *error) {
    const cli_type *type = cli_type_find(dtype);
    const uint32_t bits = 8 * cli_type_bytes(dtype);
    memset(scalar, 0, sizeof *scalar);
    if (type == NULL)
        return cli_fail(error, "%s is no element type", tally_dtype_name(dtype));
    if (type->class == CLI_FLOATS)
        return number_float(text, type, &scalar->u64, error);
    if (type->npy[0] == 'u')
        return number_unsigned(text, type->name, UINT64_MAX >> (64 - bits), &scalar->u64, error);
    const int64_t highest = INT64_MAX >> (64 - bits);
    return number_signed(text, type->name, -highest - 1, highest, &scalar->i64, error);
}

/* ---- Axes of a tensor ---------------------------------------------------------------------- */

int value_resolve_axis(int64_t axis, uint32_t rank, uint32_t *index, cli_error *error) {
    int64_t from_start = axis < 0 ? axis + rank : axis;
    if (rank == 0)
        return cli_fail(error, "axis %" PRId64 " does not exist: the input has rank 0", axis);
    if (from_start < 0 || from_start >= rank)
        return cli_fail(error,
                        "axis %" PRId64 " does not exist: the input has rank %" PRIu32
                        ", axes -%" PRIu32 " to %" PRIu32,
                        axis, rank, rank, rank - 1);
    *index = (uint32_t)from_start;
    return CLI_DONE;
}

int value_resolve_axes(const axis_list *axes, uint32_t rank, uint32_t *mask, cli_error *error) {
    *mask = axes->given ? 0 : (UINT32_C(1) << rank) - 1;
    for (uint32_t i = 0; i < axes->count; i++) {
        uint32_t index = 0;
        int status = value_resolve_axis(axes->axis[i], rank, &index, error);
        if (status != CLI_DONE)
            return status;
        if ((*mask >> index & 1) != 0)
            return cli_fail(
                error, "axis %" PRId64 " is listed twice (axis %" PRIu32 " of rank %" PRIu32 ")",
                axes->axis[i], index, rank);
        *mask |= UINT32_C(1) << index;
    }
    return CLI_DONE;
}

/* ---- Bytes --------------------------------------------------------------------------------- */

int value_bytes(const char *text, void *into, cli_error *error) {
    static const char units[] = "KMGT";
    char digits[24];
    const size_t length = strlen(text);
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    const unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    const size_t count = unit != NULL ? length - 1 : length;
    if (count == 0 || count >= sizeof digits || strspn(text, "0123456789") != count)
        return cli_misuse(error, "is not a number of bytes such as 1000000, 64M or 4G");
    snprintf(digits, sizeof digits, "%.*s", (int)count, text);
    int status = number_unsigned(digits, "number", UINT64_MAX >> shift, into, error);
    if (status != CLI_DONE)
        return status;
    *(uint64_t *)into <<= shift;
    return *(const uint64_t *)into > 0 ? CLI_DONE : cli_misuse(error, "is no memory at all");
}
