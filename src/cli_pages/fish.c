/*
 * Completion for fish: a line for each command, option and operand.
 */
#include <stdio.h>

#include "cli_pages/choices.h"
#include "cli_pages/pages.h"

static void print_quoted(const char *text) {
    putchar('\'');
    for (; *text != '\0'; text++)
        printf("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    putchar('\'');
}

/* The beginning of a line, which holds behind a command. */
static void print_behind(const program *self, const char *name) {
    printf("complete -c %s -n '__fish_seen_subcommand_from %s'", self->name, name);
}

static void print_words(const choices *what) {
    if (what->words[0] == '\0')
        return;
    printf(" -a ");
    print_quoted(what->words);
}

static void print_option(const program *self, const command *of, const option *row) {
    char gist[CHOICES_BYTES];
    choices_gist(row, gist);
    print_behind(self, of->name);
    printf(" -l %s", row->name);
    if (row->argument != NULL) {
        const choices what = choices_of(row);
        printf(what.files ? " -r -F" : " -x");
        print_words(&what);
    }
    printf(" -d ");
    print_quoted(gist);
    printf("\n");
}

static void print_operand(const program *self, const command *of, const option *row) {
    const choices what = choices_of(row);
    if (!what.files && what.words[0] == '\0')
        return;
    print_behind(self, of->name);
    if (what.files)
        printf(" -F");
    print_words(&what);
    printf("\n");
}

static void print_command(const program *self, const command *of) {
    const option *row;
    printf("complete -c %s -n __fish_use_subcommand -a %s -d ", self->name, of->name);
    print_quoted(of->summary);
    printf("\n");
    for (size_t i = 0; i < of->operand_count; i++)
        print_operand(self, of, &of->operands[i]);
    for (size_t i = 0; (row = options_at(of, i)) != NULL; i++)
        if (choices_is_shown(row))
            print_option(self, of, row);
    print_behind(self, of->name);
    printf(" -l help\n");
}

void page_write_fish(const program *self) {
    printf("# Completes command lines of %s in fish.\n\ncomplete -c %s -f\n", self->name,
           self->name);
    if (self->words[0] != '\0')
        printf("complete -c %s -n __fish_use_subcommand -a '%s'\n", self->name, self->words);
    for (size_t i = 0; i < self->command_count; i++)
        print_command(self, self->commands[i]);
    print_behind(self, "help");
    printf(" -a '");
    for (size_t i = 0; i < self->command_count; i++)
        printf("%s%s", i > 0 ? " " : "", self->commands[i]->name);
    printf("'\n");
}
