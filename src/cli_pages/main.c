/*
 * Runs when the program is built, and writes what is installed beside it into a folder
 * whose folders are there: man1/, bash/, zsh/ and fish/. Knows the program that it is linked with.
 *
 *   tally_cli_pages FOLDER VERSION DATE
 */
#include <stdio.h>

#include "cli_pages/pages.h"

static const char *folder;

/* Have stdout be the file. */
static bool begin(const char *before, const char *name, const char *more, const char *after) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s%s%s", folder, before, name, more, after);
    if (freopen(path, "w", stdout) != NULL)
        return true;
    perror(path);
    return false;
}

static bool write_manual(const page_edition *edition) {
    char more[80];
    bool done = begin("man1/", this_program.name, "", ".1");
    if (done)
        page_write_manual(&this_program, NULL, edition);
    const size_t count = this_program.manual == NULL ? this_program.command_count : 0;
    for (size_t i = 0; done && i < count; i++) {
        const command *shown = this_program.commands[i];
        snprintf(more, sizeof more, "-%s", shown->name);
        done = begin("man1/", this_program.name, more, ".1");
        if (done)
            page_write_manual(&this_program, shown, edition);
    }
    return done;
}

static bool write_completions(void) {
    static const struct {
        const char *before, *after;
        void (*write)(const program *self);
    } shells[] = {{"bash/", "", page_write_bash},
                  {"zsh/_", "", page_write_zsh},
                  {"fish/", ".fish", page_write_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (!begin(shells[i].before, this_program.name, "", shells[i].after))
            return false;
        shells[i].write(&this_program);
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: tally_cli_pages FOLDER VERSION DATE\n");
        return 2;
    }
    folder = argv[1];
    const page_edition edition = {argv[2], argv[3]};
    const bool done = write_manual(&edition) && write_completions();
    return done && fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
