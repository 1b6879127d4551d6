/*
 * Pages of the manual, in roff with the macros of man: the pieces of a help, and what pages have
 * besides.
 */
#include <stdio.h>
#include <string.h>

#include "cli_pages/pages.h"

static page_edition printed;

/* Text whose characters mean themselves; a dash is one that can be typed. */
static void put(const char *text, size_t length) {
    static const char special[] = "\\-'`^~";
    static const char *const written[] = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti"};
    if (length > 0 && *text == '.')
        printf("\\&");
    for (const char *end = text + length; text < end; text++) {
        const char *found = strchr(special, *text);
        if (found != NULL)
            printf("%s", written[found - special]);
        else
            putchar(*text);
    }
}

static void put_text(const char *text) {
    put(text, strlen(text));
}

/* Lines, which roff fills; an empty one begins a paragraph. */
static void put_lines(const char *text) {
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        if (length == 0)
            printf(".PP");
        put(text, length);
        printf("\n");
        text += length + (text[length] == '\n');
    }
}

static void put_capitals(const char *text) {
    for (; *text != '\0'; text++)
        putchar(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
}

static void put_heading(const char *name) {
    printf(".SH ");
    put_capitals(name);
    printf("\n");
}

/* "tally scan" has the page tally-scan. */
static void put_title(const char *name, const char *usage, const char *summary) {
    char page[64];
    snprintf(page, sizeof page, "%s", name);
    if (strchr(page, ' ') != NULL)
        *strchr(page, ' ') = '-';
    printf(".TH ");
    put_capitals(page);
    printf(" 1 %s \"tally %s\" \"User Commands\"\n", printed.date, printed.version);
    put_heading("name");
    put_text(page);
    printf(" \\- ");
    put_text(summary);
    printf("\n");
    put_heading("synopsis");
    if (strncmp(usage, name, strlen(name)) == 0) {
        printf(".B ");
        put_text(name);
        usage += strlen(name);
        usage += *usage == ' ';
        printf("\n");
    }
    put_text(usage);
    printf("\n");
    put_heading("description");
    put_text(summary);
    printf(".\n");
}

static void put_paragraph(const char *text) {
    printf(".PP\n");
    put_lines(text);
}

static void put_row(const help_row *shown) {
    printf(".TP\n\\fB");
    put_text(shown->name);
    printf("\\fR");
    if (shown->argument != NULL) {
        printf(" \\fI");
        put_text(shown->argument);
        printf("\\fR");
    }
    printf("\n");
    put_lines(shown->help);
}

static void put_example(const help_example *shown) {
    printf(".TP\n\\fB");
    put_text(shown->line);
    printf("\\fR\n");
    put_lines(shown->what);
}

static const help_writer manual = {
    .title = put_title,
    .heading = put_heading,
    .text = put_paragraph,
    .row = put_row,
    .example = put_example,
};

static void put_reference(const program *self, const command *other, const char *after) {
    printf(".BR ");
    put_text(self->manual != NULL ? self->manual : self->name);
    if (other != NULL) {
        printf("\\-");
        put_text(other->name);
    }
    printf(" (1)%s\n", after);
}

void page_write_manual(const program *self, const command *shown, const page_edition *edition) {
    printed = *edition;
    if (shown != NULL)
        options_write_help(shown, &manual);
    else
        program_write_help(self, &manual);
    put_heading("see also");
    if (shown != NULL)
        put_reference(self, NULL, "");
    for (size_t i = 0; i < self->command_count && shown == NULL; i++)
        put_reference(self, self->commands[i], i + 1 < self->command_count ? "," : "");
}
