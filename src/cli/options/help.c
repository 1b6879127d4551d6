/*
 * A help as the text that --help prints: names on the left, what they mean in a column beside them.
 */
#include "cli/options/help.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 24

#define HELP_WIDTH 66 /* of texts in that column */
#define NOTES_WIDTH 86

/* Bytes of the first line: to its end, or to the last space within the width. */
static size_t line_length(const char *text, size_t width) {
    size_t length = strcspn(text, "\n");
    if (length <= width)
        return length;
    for (length = width; length > 0 && text[length] != ' ';)
        length--;
    return length > 0 ? length : width;
}

/*
 * Print the text in a column, the cursor being in the column at. A text that has line ends keeps
 * its lines; another is broken at the width.
 */
static void print_lines(const char *text, int at, int column, size_t width) {
    const size_t most = strchr(text, '\n') != NULL ? strlen(text) : width;
    while (*text != '\0') {
        const size_t length = line_length(text, most);
        printf("%*s%.*s\n", column > at ? column - at : at > 0, "", (int)length, text);
        text += length + (text[length] == ' ' || text[length] == '\n');
        at = 0;
    }
}

static void print_title(const char *name, const char *usage, const char *summary) {
    (void)name;
    printf("usage: %s\n\n%s.\n", usage, summary);
}

static void print_heading(const char *name) {
    printf("\n%s:\n", name);
}

static void print_text(const char *text) {
    printf("\n");
    print_lines(text, 0, 0, NOTES_WIDTH);
}

/* "  NAME ARGUMENT   text" */
static void print_row(const help_row *shown) {
    const int at = printf("  %s%s%s", shown->name, shown->argument != NULL ? " " : "",
                          shown->argument != NULL ? shown->argument : "");
    print_lines(shown->help, at, HELP_COLUMN, HELP_WIDTH);
}

static void print_example(const help_example *shown) {
    printf("  %s\n      %s\n", shown->line, shown->what);
}

const help_writer help_on_terminal = {
    .title = print_title,
    .heading = print_heading,
    .text = print_text,
    .row = print_row,
    .example = print_example,
};

void help_write_examples(const help_example *examples, const help_writer *writer) {
    if (examples == NULL)
        return;
    writer->heading("examples");
    for (; examples->line != NULL; examples++)
        writer->example(examples);
}
