/*
 * Completion for zsh: a list of the commands, and of each the specifications that _arguments takes.
 */
#include <stdio.h>
#include <string.h>

#include "cli_pages/choices.h"
#include "cli_pages/pages.h"

/* In single quotes, where the characters of special mean something to who reads the word. */
static void print_quoted(const char *text, const char *special) {
    for (; *text != '\0'; text++)
        if (*text == '\'')
            printf("'\\''");
        else
            printf("%s%c", strchr(special, *text) != NULL ? "\\" : "", *text);
}

/* ":WHAT:(first last)" */
static void print_values(const option *row) {
    const choices what = choices_of(row);
    printf(":");
    print_quoted(row->argument != NULL ? row->argument : row->name, ":\\");
    if (what.files)
        printf(":_files");
    else
        printf(what.words[0] != '\0' ? ":(%s)" : ":%s", what.words);
}

static void print_option(const option *row) {
    char gist[CHOICES_BYTES];
    choices_gist(row, gist);
    printf("            '--%s%s[", row->name, row->argument != NULL ? "=" : "");
    print_quoted(gist, "[]:\\");
    printf("]");
    if (row->argument != NULL)
        print_values(row);
    printf("' \\\n");
}

static void print_command(const command *of) {
    const option *row;
    printf("    %s)\n        _arguments \\\n", of->name);
    for (size_t i = 0; i < of->operand_count; i++) {
        printf("            '%zu%s", i + 1, of->operands[i].required ? "" : ":");
        print_values(&of->operands[i]);
        printf("' \\\n");
    }
    for (size_t i = 0; (row = options_at(of, i)) != NULL; i++)
        if (choices_is_shown(row))
            print_option(row);
    printf("            '--help'\n        ;;\n");
}

void page_write_zsh(const program *self) {
    char name[CHOICES_BYTES];
    choices_identifier(self->name, name);
    printf("#compdef %s\n# Completes command lines of %s in zsh.\n\n"
           "_%s() {\n    local -a commands=(\n",
           self->name, self->name, name);
    for (size_t i = 0; i < self->command_count; i++) {
        printf("        '%s:", self->commands[i]->name);
        print_quoted(self->commands[i]->summary, "\\");
        printf("'\n");
    }
    printf("    )\n    if ((CURRENT == 2)); then\n"
           "        commands+=(%s)\n        _describe command commands\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n"
           "    help)\n        _describe command commands\n        ;;\n",
           self->words);
    for (size_t i = 0; i < self->command_count; i++)
        print_command(self->commands[i]);
    printf("    esac\n}\n\n_%s \"$@\"\n", name);
}
