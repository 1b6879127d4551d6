/*
 * source_scan.c: words of C, line by line, and a list of the macros that are defined.
 */
#include "source_scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MACROS 256

typedef struct word {
    const char *begin;
    size_t length;
} word;

typedef struct macros {
    word defined[MACROS], ever[MACROS], in_text[4 * MACROS];
    size_t defined_count, ever_count, in_text_count;
} macros;

static bool is_letter(char c) {
    return isalpha((unsigned char)c) != 0 || c == '_';
}

/* Past a comment or a string that begins here, or back here. */
static const char *skip_silent(const char *at) {
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end != NULL ? end + 2 : at + strlen(at);
    }
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '"')
        return at + 1 + strcspn(at + 1, "\"\n") + 1;
    return at;
}

/* The next word before end, or one of no length. Numbers with their suffixes are passed over. */
static word next_word(const char **at, const char *end) {
    while (*at < end) {
        const char *begin = *at, *after = skip_silent(begin);
        if (after != begin) {
            *at = after;
            continue;
        }
        while (*at < end && (is_letter(**at) || isdigit((unsigned char)**at) != 0))
            ++*at;
        if (*at > begin && is_letter(*begin))
            return (word){begin, (size_t)(*at - begin)};
        *at += *at == begin;
    }
    return (word){*at, 0};
}

static bool equals(word a, const char *b) {
    return strlen(b) == a.length && memcmp(a.begin, b, a.length) == 0;
}

static size_t find(const word *list, size_t count, word wanted) {
    size_t i = 0;
    while (i < count && !(list[i].length == wanted.length &&
                          memcmp(list[i].begin, wanted.begin, wanted.length) == 0))
        i++;
    return i;
}

static void append(word *list, size_t *count, size_t room, word added) {
    if (find(list, *count, added) < *count)
        return;
    if (*count == room)
        abort();
    list[(*count)++] = added;
}

static bool is_macro(word name) {
    return (name.length > 6 && memcmp(name.begin, "TALLY_", 6) == 0) ||
           (name.length > 1 && name.begin[name.length - 1] == '_' && name.begin[0] != '_');
}

/* The end of a line, lines that go on after a backslash and comments taken along. */
static const char *line_end(const char *at) {
    while (*at != '\0' && *at != '\n') {
        const char *after = skip_silent(at);
        at = after != at ? after : at[0] == '\\' && at[1] == '\n' ? at + 2 : at + 1;
    }
    return at;
}

static void define(macros *all, word name, const char *at, const char *end) {
    append(all->defined, &all->defined_count, MACROS, name);
    append(all->ever, &all->ever_count, MACROS, name);
    for (word w = next_word(&at, end); w.length > 0; w = next_word(&at, end))
        if (is_macro(w))
            append(all->in_text, &all->in_text_count, 4 * MACROS, w);
}

static void undefine(macros *all, word name) {
    const size_t place = find(all->defined, all->defined_count, name);
    if (place < all->defined_count)
        all->defined[place] = all->defined[--all->defined_count];
}

/* The first macro of a line that is not defined. */
static word scan_line(macros *all, const char *at, const char *end) {
    const char *rest = at + strspn(at, " ");
    word first = {rest, 0}, name = {rest, 0};
    if (*rest == '#') {
        first = next_word(&rest, end);
        at = rest;
        name = next_word(&rest, end);
    }
    if (equals(first, "define"))
        define(all, name, rest, end);
    else if (equals(first, "undef"))
        undefine(all, name);
    else if (!equals(first, "ifdef") && !equals(first, "ifndef"))
        for (word w = next_word(&at, end); w.length > 0; w = next_word(&at, end))
            if (is_macro(w) && find(all->defined, all->defined_count, w) == all->defined_count)
                return w;
    return (word){end, 0};
}

static const char *copy(word from, char name[128]) {
    const size_t length = from.length < 127 ? from.length : 127;
    memcpy(name, from.begin, length);
    name[length] = '\0';
    return name;
}

const char *source_scan_undefined(const char *source, char name[128]) {
    macros *all = calloc(1, sizeof *all);
    const char *found = NULL;
    if (all == NULL)
        abort();
    for (const char *at = source; *at != '\0' && found == NULL;) {
        const char *end = line_end(at);
        const word undefined = scan_line(all, at, end);
        found = undefined.length > 0 ? copy(undefined, name) : NULL;
        at = *end == '\n' ? end + 1 : end;
    }
    for (size_t i = 0; i < all->in_text_count && found == NULL; i++)
        if (find(all->ever, all->ever_count, all->in_text[i]) == all->ever_count)
            found = copy(all->in_text[i], name);
    free(all);
    return found;
}

size_t source_scan_count(const char *source, const char *wanted) {
    const char *at = source, *end = source + strlen(source);
    size_t count = 0;
    for (word w = next_word(&at, end); w.length > 0; w = next_word(&at, end))
        count += equals(w, wanted);
    return count;
}

bool source_scan_balanced(const char *source) {
    char open[256];
    size_t depth = 0;
    long conditions = 0;
    for (const char *at = source; *at != '\0';) {
        const char *after = skip_silent(at);
        if (after != at) {
            at = after;
            continue;
        }
        const char *const kinds = "()[]{}", *kind = strchr(kinds, *at);
        if (kind != NULL && (kind - kinds) % 2 == 0 && depth < sizeof open)
            open[depth++] = kind[1];
        else if (kind != NULL && (depth == 0 || open[--depth] != *at))
            return false;
        if (*at == '#' && (at == source || at[-1] == '\n')) {
            conditions += strncmp(at, "#if", 3) == 0;
            conditions -= strncmp(at, "#endif", 6) == 0;
            if (conditions < 0)
                return false;
        }
        at++;
    }
    return depth == 0 && conditions == 0;
}
