/*
 * A program's commands, searched and listed.
 */
#include "cli/options/program.h"

#include <string.h>

const command *program_find(const program *self, const char *name) {
    for (size_t i = 0; i < self->command_count; i++)
        if (strcmp(self->commands[i]->name, name) == 0)
            return self->commands[i];
    return NULL;
}

void program_write_help(const program *self, const help_writer *writer) {
    writer->title(self->name, self->usage, self->summary);
    if (self->about != NULL)
        writer->text(self->about);
    writer->heading("commands");
    for (size_t i = 0; i < self->command_count; i++)
        writer->row(&(help_row){self->commands[i]->name, NULL, self->commands[i]->summary});
    if (self->options != NULL)
        writer->heading("options besides");
    for (const help_row *row = self->options; row != NULL && row->name != NULL; row++)
        writer->row(row);
    writer->text(self->notes);
    help_write_examples(self->examples, writer);
}
