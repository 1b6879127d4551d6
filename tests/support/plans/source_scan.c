/*
 * source_scan.c: words of C, line by line, and a list of the macros that are defined.
 */
#include "source_scan.h"

#include <stdlib.h>
#include <string.h>

#define MACROS 512

typedef struct word {
    const char *begin;
    size_t length;
} word;

typedef struct macros {
    word defined[MACROS], ever[MACROS], in_text[4 * MACROS];
    size_t defined_count, ever_count, in_text_count;
    unsigned where[MACROS]; /* each was defined: the number of an outermost #if, or 0 */
    word text[MACROS];
    unsigned conditions, depth;
} macros;

/* Millions of characters are asked: in ASCII, without a call. */
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Past a comment or a string that begins here, or back here. */
static const char *skip_silent(const char *at) {
    if (at[0] == '/' && at[1] == '*') {
        /* Not strstr: the address sanitizer's looks at all of a source each time. */
        for (at += 2; *at != '\0' && (at[0] != '*' || at[1] != '/');)
            at++;
        return *at != '\0' ? at + 2 : at;
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
        while (*at < end && (is_letter(**at) || is_digit(**at)))
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

static bool same(word a, word b) {
    if (a.length != b.length || a.length == 0)
        return a.length == b.length;
    return a.begin[a.length - 1] == b.begin[b.length - 1] &&
           memcmp(a.begin, b.begin, a.length) == 0;
}

static size_t find(const word *list, size_t count, word wanted) {
    size_t i = 0;
    while (i < count && !same(list[i], wanted))
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

/* A word that ## pastes another to is none yet. */
static bool is_macro(word name) {
    return memcmp(name.begin + name.length, "##", 2) != 0 &&
           ((name.length > 6 && memcmp(name.begin, "TALLY_", 6) == 0) ||
            (name.length > 1 && name.begin[name.length - 1] == '_' && name.begin[0] != '_'));
}

/* The end of a line, lines that go on after a backslash and comments taken along. */
static const char *line_end(const char *at) {
    while (*at != '\0' && *at != '\n') {
        const char *after = skip_silent(at);
        at = after != at ? after : at[0] == '\\' && at[1] == '\n' ? at + 2 : at + 1;
    }
    return at;
}

/* False if there is one with another text; in the branches of an #if each may define its own. */
static bool define(macros *all, word name, const char *at, const char *end) {
    const unsigned where = all->depth > 0 ? all->conditions : 0;
    const word text = {at, (size_t)(end - at)};
    const size_t position = find(all->defined, all->defined_count, name);
    if (position < all->defined_count && (where == 0 || all->where[position] != where) &&
        !same(all->text[position], text))
        return false;
    append(all->defined, &all->defined_count, MACROS, name);
    append(all->ever, &all->ever_count, MACROS, name);
    all->where[position] = where;
    all->text[position] = text;
    for (word w = next_word(&at, end); w.length > 0; w = next_word(&at, end))
        if (is_macro(w))
            append(all->in_text, &all->in_text_count, 4 * MACROS, w);
    return true;
}

static void undefine(macros *all, word name) {
    const size_t position = find(all->defined, all->defined_count, name);
    if (position == all->defined_count)
        return;
    all->defined[position] = all->defined[--all->defined_count];
    all->where[position] = all->where[all->defined_count];
    all->text[position] = all->text[all->defined_count];
}

/* A macro of these words that is not defined, or a word of no length. */
static word find_undefined(const macros *all, const char *at, const char *end) {
    for (word w = next_word(&at, end); w.length > 0; w = next_word(&at, end))
        if (is_macro(w) && find(all->defined, all->defined_count, w) == all->defined_count)
            return w;
    return (word){end, 0};
}

/* Of a line that begins with "#": the macro that is wrong there. */
static word scan_directive(macros *all, const char *at, const char *end) {
    const word none = {end, 0}, directive = next_word(&at, end);
    const char *rest = at;
    const word name = next_word(&rest, end);
    if (equals(directive, "define"))
        return define(all, name, rest, end) ? none : name;
    if (equals(directive, "undef"))
        undefine(all, name);
    if (equals(directive, "endif"))
        all->depth--;
    if (memcmp(directive.begin, "if", 2) == 0)
        all->conditions += all->depth++ == 0;
    return equals(directive, "if") || equals(directive, "elif") ? find_undefined(all, at, end)
                                                                : none;
}

static word scan_line(macros *all, const char *at, const char *end) {
    at += strspn(at, " ");
    return *at == '#' ? scan_directive(all, at + 1, end) : find_undefined(all, at, end);
}

static const char *copy(word from, char name[128]) {
    const size_t length = from.length < 127 ? from.length : 127;
    memcpy(name, from.begin, length);
    name[length] = '\0';
    return name;
}

const char *source_scan_wrong_macro(const char *source, char name[128]) {
    macros *all = calloc(1, sizeof *all);
    const char *found = NULL;
    if (all == NULL)
        abort();
    for (const char *at = source; *at != '\0' && found == NULL;) {
        const char *end = line_end(at);
        const word wrong = scan_line(all, at, end);
        found = wrong.length > 0 ? copy(wrong, name) : NULL;
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

/* What closes a bracket, or nothing. */
static char closing_of(char bracket) {
    switch (bracket) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    default:
        return '\0';
    }
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
        if (closing_of(*at) != '\0' && depth < sizeof open)
            open[depth++] = closing_of(*at);
        else if ((*at == ')' || *at == ']' || *at == '}') && (depth == 0 || open[--depth] != *at))
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
