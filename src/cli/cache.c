/*
 * tally cache: where kernels are kept between runs, what is there, and emptying it. Knows how keys
 * are written as far as to show what they are about.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"

#define PATH_BYTES 4096
#define SHOWN_BYTES 128

typedef struct cache_options {
    common_options common;
    const char *what;
} cache_options;

/* ---- What is there ------------------------------------------------------------------------- */

typedef struct row {
    char about[SHOWN_BYTES], device[SHOWN_BYTES];
    uint64_t bytes;
    int64_t used;
} row;

typedef struct row_list {
    row *rows;
    size_t count, room;
    bool failed; /* memory ran out */
} row_list;

/* The rest of the key's first line that begins so; an empty text if there is none. */
static void find_line(const char *key, const char *name, char text[SHOWN_BYTES]) {
    const size_t length = strlen(name);
    text[0] = '\0';
    for (const char *line = key; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, name, length) == 0) {
            snprintf(text, SHOWN_BYTES, "%.*s", (int)strcspn(line + length, "\n"), line + length);
            return;
        }
}

static void describe(const char *key, row *shown) {
    static const struct {
        const char *line, *about;
    } topics[] = {
        {"program: ", ""}, {"numerics: ", "arithmetic of "}, {"single pass: ", "single pass, "}};
    char text[SHOWN_BYTES];
    snprintf(shown->about, sizeof shown->about, "%s", key == NULL ? "damaged" : "?");
    shown->device[0] = '\0';
    if (key == NULL)
        return;
    find_line(key, "device: ", shown->device);
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        find_line(key, topics[i].line, text);
        if (text[0] != '\0')
            snprintf(shown->about, sizeof shown->about, "%s%.100s", topics[i].about, text);
    }
}

static void add_row(void *user, const tally_cache_file *file) {
    row_list *list = user;
    if (list->count == list->room) {
        size_t room = list->room > 0 ? 2 * list->room : 64;
        row *grown = realloc(list->rows, room * sizeof *grown);
        if (grown == NULL) {
            list->failed = true;
            return;
        }
        list->rows = grown;
        list->room = room;
    }
    row *added = &list->rows[list->count++];
    describe(file->key, added);
    added->bytes = file->bytes;
    added->used = file->used;
}

/* The last used first. */
static int compare_rows(const void *a, const void *b) {
    const row *first = a, *second = b;
    if (first->used != second->used)
        return first->used > second->used ? -1 : 1;
    return strcmp(first->about, second->about);
}

static void print_row(const row *shown) {
    const time_t used = (time_t)shown->used;
    const struct tm *utc = gmtime(&used);
    char date[32] = "?";
    if (utc != NULL)
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", utc);
    printf("%10" PRIu64 "  %s  %-56s  %s\n", shown->bytes, date, shown->about, shown->device);
}

/* ---- The command --------------------------------------------------------------------------- */

static int show_path(const char *path, cli_error *error) {
    (void)error;
    printf("%s\n", path);
    return CLI_DONE;
}

static int show_list(const char *path, cli_error *error) {
    row_list all = {NULL, 0, 0, false};
    tally_error refusal;
    uint64_t bytes = 0;
    int status = CLI_DONE;
    if (tally_cache_list(path, add_row, &all, &refusal) != TALLY_OK)
        status = cli_fail(error, "%s", refusal.message);
    else if (all.failed)
        status = cli_fail_memory(error, "the list of files");
    if (status == CLI_DONE && all.count > 0) {
        qsort(all.rows, all.count, sizeof *all.rows, compare_rows);
        printf("%10s  %-16s  %-56s  %s\n", "bytes", "last used (UTC)", "what", "device");
    }
    for (size_t i = 0; i < all.count && status == CLI_DONE; i++) {
        print_row(&all.rows[i]);
        bytes += all.rows[i].bytes;
    }
    if (status == CLI_DONE)
        printf("%zu files, %" PRIu64 " bytes in %s\n", all.count, bytes, path);
    free(all.rows);
    return status;
}

static int clear_files(const char *path, cli_error *error) {
    tally_error refusal;
    uint64_t removed = 0;
    if (tally_cache_clear(path, &removed, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    printf("%" PRIu64 " files removed from %s\n", removed, path);
    return CLI_DONE;
}

static const struct {
    const char *name;
    int (*run)(const char *path, cli_error *error);
} actions[] = {{"path", show_path}, {"list", show_list}, {"clear", clear_files}};
#define ACTIONS (sizeof actions / sizeof actions[0])

static int parse_what(const char *text, void *into, cli_error *error) {
    *(const char **)into = text;
    for (size_t i = 0; i < ACTIONS; i++)
        if (strcmp(text, actions[i].name) == 0)
            return CLI_DONE;
    return cli_misuse(error, "is neither path, list nor clear");
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    cache_options given = {.what = NULL};
    char user[PATH_BYTES];
    tally_error refusal;
    int status = options_parse(self, argc, argv, &given, error);
    if (status != CLI_DONE)
        return status;
    const char *path = given.common.cache_dir;
    if (path == NULL && tally_default_cache_dir(user, sizeof user, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    for (size_t i = 0; i < ACTIONS; i++)
        if (strcmp(given.what, actions[i].name) == 0)
            status = actions[i].run(path != NULL ? path : user, error);
    return status;
}

static const option operands[] = {
    {"WHAT", NULL,
     "path: print the folder; list: what is in it; clear: remove that,\n"
     "and no other files",
     parse_what, offsetof(cache_options, what), true},
};

static const help_example examples[] = {
    {"tally cache list", "the kernels that are kept"},
    {"tally cache clear", "remove them"},
    {NULL, NULL},
};

const command command_cache = {
    .name = "cache",
    .synopsis = "path|list|clear",
    .summary = "Show or empty the folder where compiled kernels are kept",
    .notes =
        "Kernels are kept there by what they are compiled from and for: library, kernel, driver,\n"
        "device. The folder is $XDG_CACHE_HOME/tally, or ~/.cache/tally (macOS:\n"
        "~/Library/Caches/tally, Windows: %LOCALAPPDATA%\\tally); what was not used for\n"
        "longest is removed beyond 256 MiB. A folder that others can write to is not used.\n",
    .operands = operands,
    .operand_count = sizeof operands / sizeof operands[0],
    .examples = examples,
    .kind = COMMAND_REPORTS,
    .run = run,
};
