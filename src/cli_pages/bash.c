/*
 * Completion for bash: what may stand where as one function, and another one that asks it. The
 * latter is the same for all programs.
 */
#include <stdio.h>
#include <string.h>

#include "cli_pages/choices.h"
#include "cli_pages/pages.h"

static void print_commands(const program *self) {
    for (size_t i = 0; i < self->command_count; i++)
        printf("%s%s", i > 0 ? " " : "", self->commands[i]->name);
}

static void print_place(const command *of, const char *place, const option *row) {
    const choices what = choices_of(row);
    printf("    '%s %s') echo '%s' ;;\n", of->name, place, what.files ? "FILES" : what.words);
}

static void print_places(const command *of) {
    const option *row;
    char place[80];
    for (size_t i = 0; i < of->operand_count; i++) {
        snprintf(place, sizeof place, "%zu", i + 1);
        print_place(of, place, &of->operands[i]);
    }
    for (size_t i = 0; (row = options_at(of, i)) != NULL; i++) {
        snprintf(place, sizeof place, "--%s", row->name);
        if (choices_is_shown(row) && row->argument != NULL)
            print_place(of, place, row);
    }
    printf("    '%s options') echo '", of->name);
    for (size_t i = 0; (row = options_at(of, i)) != NULL; i++)
        if (choices_is_shown(row))
            printf("--%s ", row->name);
    printf("--help' ;;\n");
}

/* The function that asks, behind its name; $1_at stands for the name of the one that is asked. */
static const char asks[] =
    "() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} place=1 option='' known i\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        case ${COMP_WORDS[i]} in\n"
    "        =) ;; # bash takes --name=value apart\n"
    "        --*) ! \"$1_at\" \"$command ${COMP_WORDS[i]}\" >/dev/null || option=${COMP_WORDS[i]} "
    ";;\n"
    "        *) if [ -n \"$option\" ]; then option=''; else ((++place)); fi ;;\n"
    "        esac\n"
    "    done\n"
    "    [ \"$word\" != = ] || word=''\n"
    "    [[ $word != -* ]] || place=options\n"
    "    known=$(\"$1_at\" \"$command ${option:-$place}\")\n"
    "    [ \"$COMP_CWORD\" -gt 1 ] || known=$(\"$1_at\" commands)\n"
    "    if [ \"$known\" = FILES ]; then\n"
    "        compopt -o filenames\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
    "    else\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$known\" -- \"$word\")\n"
    "    fi\n"
    "}\n";

void page_write_bash(const program *self) {
    char name[CHOICES_BYTES];
    choices_identifier(self->name, name);
    printf("# Completes command lines of %s in bash.\n\n"
           "# What may stand at an operand's number, after an option, or as an option.\n"
           "_%s_at() {\n    case $1 in\n    commands) echo '",
           self->name, name);
    print_commands(self);
    printf(" %s' ;;\n    'help 1') echo '", self->words);
    print_commands(self);
    printf("' ;;\n");
    for (size_t i = 0; i < self->command_count; i++)
        print_places(self->commands[i]);
    printf("    *) return 1 ;;\n    esac\n}\n\n");
    printf("_%s", name);
    for (const char *at = asks; *at != '\0'; at++)
        if (strncmp(at, "$1_at", 5) == 0) {
            printf("_%s_at", name);
            at += 4;
        } else {
            putchar(*at);
        }
    printf("complete -F _%s %s\n", name, self->name);
}
