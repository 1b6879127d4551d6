/*
 * Paths that fit a pattern. Of a pattern's parts, which separators are between, those without marks
 * are taken as they are. For each of the others the folders that were found so far are listed.
 */
#include <stdlib.h>
#include <string.h>

#include "platform/places.h"
#include "platform/system.h"

/* ---- Whether a name fits a part of a pattern --------------------------------------------- */

/* Whether \ takes a character's meaning: where it is no separator. */
static bool is_quote(char character) {
    return character == '\\' && !tally_is_separator('\\');
}

/* The next character of UTF-8. Its bytes make up a number: characters order as these do. */
static uint32_t take(const char **text) {
    uint32_t character = (unsigned char)*(*text)++;
    for (int i = 0; i < 3 && character >= 0xC0 && ((unsigned char)**text & 0xC0) == 0x80; i++)
        character = character << 8 | (unsigned char)*(*text)++;
    if (tally_system.folds_case && character >= 'A' && character <= 'Z')
        character += 'a' - 'A';
    return character;
}

/* The next character of a pattern, which stands for itself. */
static uint32_t take_plain(const char **part) {
    if (is_quote((*part)[0]) && (*part)[1] != '\0')
        ++*part;
    return take(part);
}

/*
 * Whether a set, as [a-z] or [!ab], has the character. Returns what follows the set; NULL if it
 * does not end before the part does.
 */
static const char *read_set(const char *set, const char *end, uint32_t character, bool *has) {
    const bool others = set[1] == '!' || set[1] == '^';
    const char *next = set + (others ? 2 : 1);
    bool found = false;
    do {
        if (next >= end)
            return NULL;
        const uint32_t low = take_plain(&next);
        uint32_t high = low;
        if (next + 1 < end && next[0] == '-' && next[1] != ']') {
            next++;
            high = take_plain(&next);
        }
        found = found || (low <= character && character <= high);
    } while (next >= end || *next != ']'); /* one that comes first is of the set */
    *has = found != others;
    return next + 1;
}

/* Whether a character fits what stands for one, at *part; *part is behind it then. */
static bool fits_one(const char **part, const char *end, uint32_t character) {
    const char *next = *part;
    bool taken = false;
    if (next >= end)
        return false;
    const char *behind = *next == '[' ? read_set(next, end, character, &taken) : NULL;
    if (behind == NULL && *next == '?') {
        behind = next + 1;
        taken = true;
    } else if (behind == NULL) {
        taken = take_plain(&next) == character;
        behind = next;
    }
    *part = taken ? behind : *part;
    return taken;
}

static bool fits(const char *part, const char *end, const char *name) {
    const char *star = NULL, *rest = NULL; /* behind the last *, and what of the name follows it */
    if (name[0] == '.' && part[0] != '.' && !(is_quote(part[0]) && part[1] == '.'))
        return false; /* hidden */
    while (*name != '\0') {
        const char *next = name;
        if (part < end && *part == '*') {
            star = ++part;
            rest = name;
        } else if (fits_one(&part, end, take(&next))) {
            name = next;
        } else if (star != NULL) {
            (void)take(&rest); /* it stands for one more */
            name = rest;
            part = star;
        } else {
            return false;
        }
    }
    while (part < end && *part == '*')
        part++;
    return part == end;
}

/* ---- Paths that were found --------------------------------------------------------------- */

typedef struct paths {
    char **path;
    size_t count;
    bool failed; /* for want of memory */
} paths;

static void free_paths(paths *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->path[i]);
    free(list->path);
}

/* Add a path with what follows it; false if there is no memory. */
static bool add(paths *list, const char *path, const char *more, size_t length) {
    const size_t used = strlen(path);
    char *made = malloc(used + length + 1);
    char **grown = made != NULL ? realloc(list->path, (list->count + 1) * sizeof *grown) : NULL;
    list->failed = grown == NULL;
    if (grown == NULL) {
        free(made);
        return false;
    }
    list->path = grown;
    memcpy(made, path, used);
    memcpy(made + used, more, length);
    made[used + length] = '\0';
    list->path[list->count++] = made;
    return true;
}

/* ---- One part after the other ------------------------------------------------------------ */

/* What fits a part is looked for in a folder, whose path ends in a separator or is "". */
typedef struct search {
    const char *folder, *part, *end;
    paths *found;
} search;

static bool add_fitting(void *user, const char *name) {
    const search *at = user;
    return !fits(at->part, at->end, name) || add(at->found, at->folder, name, strlen(name));
}

static bool has_marks(const char *part, const char *end) {
    for (const char *c = part; c < end; c++)
        if (*c == '*' || *c == '?' || *c == '[' || is_quote(*c))
            return true;
    return false;
}

static const char *end_of_part(const char *part) {
    while (*part != '\0' && !tally_is_separator(*part))
        part++;
    return part;
}

/* The end of what has no marks: separators, and parts as far as they have none. */
static const char *end_of_plain(const char *part) {
    for (;;) {
        while (tally_is_separator(*part))
            part++;
        const char *end = end_of_part(part);
        if (end == part || has_marks(part, end))
            return part;
        part = end;
    }
}

/* Take what has no marks. At the end it has to be there; elsewhere a folder's list tells. */
static paths take_as_it_is(const paths *before, const char *part, const char *end) {
    paths found = {NULL, 0, false};
    tally_file_facts about;
    for (size_t i = 0; i < before->count && !found.failed; i++)
        if (add(&found, before->path[i], part, (size_t)(end - part)) && *end == '\0' &&
            !tally_look(TALLY_NO_FOLDER, found.path[found.count - 1], TALLY_KEEP_LINKS, &about))
            free(found.path[--found.count]);
    return found;
}

/* Take a part that has marks. */
static paths take_marked(const paths *before, const char *part, const char *end) {
    paths found = {NULL, 0, false};
    for (size_t i = 0; i < before->count && !found.failed; i++) {
        const char *folder = before->path[i];
        search at = {folder, part, end, &found};
        tally_path_each(folder[0] != '\0' ? folder : ".", add_fitting, &at);
    }
    return found;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

ptrdiff_t tally_path_match(const char *pattern, tally_name_visit *visit, void *user) {
    paths found = {NULL, 0, false};
    (void)add(&found, "", "", 0);
    for (const char *part = pattern; *part != '\0' && found.count > 0;) {
        const char *plain = end_of_plain(part);
        const char *end = plain > part ? plain : end_of_part(part);
        const paths next = (plain > part ? take_as_it_is : take_marked)(&found, part, end);
        free_paths(&found);
        found = next;
        part = end;
    }
    if (found.count > 0)
        qsort(found.path, found.count, sizeof *found.path, compare);
    for (size_t i = 0; i < found.count && !found.failed && visit(user, found.path[i]); i++)
        ;
    const ptrdiff_t count = found.failed ? -1 : (ptrdiff_t)found.count;
    free_paths(&found);
    return count;
}
