/*
 * The text of a .npy header: a cursor walks over a Python dict, and a table of its keys says how
 * each value is read. Knows the notation, not the file around it.
 */
#include "cli/npy/dict.h"

#include <inttypes.h>
#include <string.h>

#include "cli/tables/types.h"

#define SHOWN 60 /* characters of a faulty text that a message repeats */

static const char type_names[] =
#define CLI_TYPE(enumerator, name, class, letter, bytes, ...) " " #letter #bytes
#include "cli/tables/types.def"
    ;

/* ---- A cursor over text -------------------------------------------------------------------- */

typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

/* How much of the rest of the text to repeat in a message: it need not be text at all. */
static int shown(const cursor *text) {
    int length = 0;
    while (length < SHOWN && text->at + length < text->end && text->at[length] >= ' ' &&
           text->at[length] < 0x7f)
        length++;
    return length;
}

static int broken(const cursor *text, const char *what, cli_error *error) {
    if (text->at == text->end)
        return cli_fail(error, "has a broken header: %s at its end", what);
    if (shown(text) == 0)
        return cli_fail(error, "has a broken header: %s at a byte 0x%02x", what,
                        (unsigned)(unsigned char)*text->at);
    return cli_fail(error, "has a broken header: %s at: %.*s", what, shown(text), text->at);
}

static void skip_blanks(cursor *text) {
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t' || *text->at == '\n'))
        text->at++;
}

/* Step over c, and the blanks before it, if it comes next. */
static bool take(cursor *text, char c) {
    skip_blanks(text);
    if (text->at == text->end || *text->at != c)
        return false;
    text->at++;
    return true;
}

static bool take_word(cursor *text, const char *word) {
    skip_blanks(text);
    size_t length = strlen(word);
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, word, length) != 0)
        return false;
    text->at += length;
    return true;
}

/* A Python string without escapes, in either kind of quotes; *content is what is between them. */
static bool take_string(cursor *text, cursor *content) {
    skip_blanks(text);
    if (text->at == text->end || (*text->at != '\'' && *text->at != '"'))
        return false;
    const char *start = text->at + 1;
    const char *close = memchr(start, *text->at, (size_t)(text->end - start));
    if (close == NULL)
        return false;
    *content = (cursor){start, close};
    text->at = close + 1;
    return true;
}

static bool is_text(const cursor *text, const char *expected) {
    size_t length = strlen(expected);
    return (size_t)(text->end - text->at) == length && memcmp(text->at, expected, length) == 0;
}

/* ---- The three values ---------------------------------------------------------------------- */

/* The type of a descr such as "<f4" or "|u1". Without a mark it is of the host's order. */
static int parse_type(cursor text, npy_array *array, cli_error *error) {
    cursor code = text;
    /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): one of the four, not the end behind */
    if (code.at < code.end && memchr("<>=|", *code.at, 4) != NULL)
        code.at++;
    if (is_text(&code, "b1") || is_text(&code, "?")) {
        array->dtype = TALLY_U8;
        array->boolean = true;
        return CLI_DONE;
    }
    for (size_t i = 0; i < cli_type_count; i++) {
        const char *name = cli_types[i].npy;
        if (!is_text(&code, name))
            continue;
        array->swapped = *text.at == '>' && cli_types[i].bytes > 1;
        array->dtype = cli_types[i].dtype;
        return CLI_DONE;
    }
    return cli_fail(error, "has the element type '%.*s'; the types are%s", shown(&text), text.at,
                    type_names);
}

static int parse_descr(cursor *text, npy_array *array, cli_error *error) {
    cursor content;
    skip_blanks(text);
    if (text->at < text->end && (*text->at == '[' || *text->at == '('))
        return cli_fail(error, "has a structured element type (%.*s); Tally takes plain numbers",
                        shown(text), text->at);
    if (!take_string(text, &content))
        return broken(text, "'descr' is not a string", error);
    return parse_type(content, array, error);
}

static int parse_order(cursor *text, npy_array *array, cli_error *error) {
    array->fortran = take_word(text, "True");
    if (!array->fortran && !take_word(text, "False"))
        return broken(text, "'fortran_order' is neither True nor False", error);
    return CLI_DONE;
}

/* One size of a shape. Python 2 wrote its long integers with an L. */
static int parse_size(cursor *text, uint64_t *size, cli_error *error) {
    skip_blanks(text);
    cursor start = *text;
    if (take(text, '-'))
        return cli_fail(error, "has a negative size in its shape at: %.*s", shown(&start),
                        start.at);
    *size = 0;
    while (text->at < text->end && *text->at >= '0' && *text->at <= '9') {
        uint64_t digit = (uint64_t)(*text->at++ - '0');
        if (*size > (UINT64_MAX - digit) / 10)
            return cli_fail(error, "has a size above 2^64 - 1 in its shape at: %.*s", shown(&start),
                            start.at);
        *size = *size * 10 + digit;
    }
    if (text->at == start.at)
        return broken(text, "'shape' is not a tuple of integers", error);
    if (text->at < text->end && *text->at == 'L')
        text->at++;
    return CLI_DONE;
}

static int parse_shape(cursor *text, npy_array *array, cli_error *error) {
    uint32_t rank = 0;
    bool comma = true;
    skip_blanks(text);
    cursor start = *text;
    if (!take(text, '('))
        return broken(&start, "'shape' is not a tuple", error);
    while (!take(text, ')')) {
        uint64_t size = 0;
        if (!comma)
            return broken(&start, "'shape' is not a tuple", error);
        int status = parse_size(text, &size, error);
        if (status != CLI_DONE)
            return status;
        if (rank < TALLY_MAX_RANK)
            array->size[rank] = size;
        rank++;
        comma = take(text, ',');
    }
    if (rank == 1 && !comma)
        return broken(&start, "'shape' is a number in brackets, not a tuple,", error);
    if (rank > TALLY_MAX_RANK)
        return cli_fail(error, "has rank %" PRIu32 "; the highest is %d", rank, TALLY_MAX_RANK);
    array->rank = rank;
    return CLI_DONE;
}

/* ---- The dict ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    int (*parse)(cursor *text, npy_array *array, cli_error *error);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};
#define KEYS (sizeof keys / sizeof keys[0])

/* The index of the key that comes next, with its colon; KEYS if none does. */
static size_t take_key(cursor *text) {
    cursor name;
    size_t i = 0;
    if (!take_string(text, &name) || !take(text, ':'))
        return KEYS;
    while (i < KEYS && !is_text(&name, keys[i].name))
        i++;
    return i;
}

int npy_dict_parse(const char *chars, uint64_t length, npy_array *array, cli_error *error) {
    cursor text = {chars, chars + length};
    bool seen[KEYS] = {false};
    bool comma = true;
    if (!take(&text, '{'))
        return broken(&text, "no Python dict", error);
    while (!take(&text, '}')) {
        skip_blanks(&text);
        cursor start = text;
        size_t key = comma ? take_key(&text) : KEYS;
        if (key == KEYS || seen[key])
            return broken(&start, "not one of the keys 'descr', 'fortran_order', 'shape', once,",
                          error);
        int status = keys[key].parse(&text, array, error);
        if (status != CLI_DONE)
            return status;
        seen[key] = true;
        comma = take(&text, ',');
    }
    skip_blanks(&text);
    if (text.at != text.end)
        return broken(&text, "more text behind the dict", error);
    for (size_t i = 0; i < KEYS; i++)
        if (!seen[i])
            return cli_fail(error, "has a broken header: the key '%s' is missing", keys[i].name);
    return CLI_DONE;
}
