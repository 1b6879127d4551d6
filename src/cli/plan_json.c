/*
 * The text of an explained plan as JSON. A line at the margin, "TITLE: TEXT", begins a section; one
 * that is set in has a name, and its value behind two blanks; a line of a kernel's specialisation
 * or argument has its name behind that word, and of the former what it is about comes last.
 */
#include "cli/plan_json.h"

#include <stdlib.h>
#include <string.h>

#include "cli/copy.h"

#define MARGIN 2

/* A line, cut into its parts; they are in the line itself. */
typedef struct parts {
    char *name, *value, *about; /* about is NULL if there is nothing */
} parts;

/* End a text at a position, and return what comes behind the blanks there. */
static char *cut(char *at) {
    char *rest = at + strspn(at, " ");
    *at = '\0';
    return rest;
}

static char *find_blanks(char *text) {
    char *found = strstr(text, "  ");
    return found != NULL ? found : text + strlen(text);
}

static parts split(char *line) {
    const bool spec = strncmp(line, "spec ", 5) == 0, argument = strncmp(line, "argument ", 9) == 0;
    parts of = {line, NULL, NULL};
    if (spec || argument) {
        char *own = strchr(line, ' ') + 1;
        of.value = cut(own + strcspn(own, " "));
    } else {
        of.value = cut(find_blanks(line));
    }
    if (spec) {
        of.about = cut(find_blanks(of.value));
        if (*of.about == '\0')
            of.about = NULL;
    }
    return of;
}

static void write_row(json_document *document, char *line) {
    const parts of = split(line);
    json_begin(document, NULL, '{');
    json_text(document, "name", of.name);
    json_text(document, "value", of.value);
    if (of.about != NULL)
        json_text(document, "about", of.about);
    json_end(document, '}');
}

static void begin_section(json_document *document, char *line) {
    char *colon = strstr(line, ": ");
    json_begin(document, NULL, '{');
    if (colon != NULL)
        *colon = '\0';
    json_text(document, "title", line);
    json_text(document, "text", colon != NULL ? colon + 2 : NULL);
    json_begin(document, "rows", '[');
}

static void end_section(json_document *document, bool open) {
    if (!open)
        return;
    json_end(document, ']');
    json_end(document, '}');
}

void plan_json_write(json_document *document, const char *text) {
    char *copy = cli_copy(text);
    bool open = false;
    json_begin(document, "sections", '[');
    for (char *line = copy, *next; line != NULL && *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        if (*next != '\0')
            *next++ = '\0';
        if (strncmp(line, "  ", MARGIN) == 0 && open) {
            write_row(document, line + MARGIN);
            continue;
        }
        end_section(document, open);
        begin_section(document, line);
        open = true;
    }
    end_section(document, open);
    json_end(document, ']');
    free(copy);
}
