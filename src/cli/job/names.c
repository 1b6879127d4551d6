/*
 * The files of a command. Shells expand patterns as well; those in quotes come here, and those of
 * shells that do not.
 */
#include "cli/job/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/copy.h"
#include "cli/npy/input.h"
#include "platform/places.h"
#include "platform/program.h"

/* ---- Inputs -------------------------------------------------------------------------------- */

static int fail_memory(cli_error *error) {
    return cli_fail_memory(error, "the list of files");
}

/* One more file, of which nothing is known yet; NULL: there is no memory. */
static job_file *add_file(job_names *names) {
    job_file *files = realloc(names->files, (names->count + 1) * sizeof *files);
    if (files == NULL)
        return NULL;
    names->files = files;
    files[names->count] = (job_file){NULL, NULL};
    return &files[names->count++];
}

static int add_input(job_names *names, const char *path, size_t length, const char *member,
                     cli_error *error) {
    job_file *file = add_file(names);
    if (file != NULL)
        file->input = cli_join(path, length, member);
    return file != NULL && file->input != NULL ? CLI_DONE : fail_memory(error);
}

static bool is_pattern(const char *path, size_t length) {
    const size_t marks = strcspn(path, "*?[");
    tally_file_facts about;
    return marks < length && !tally_look(TALLY_NO_FOLDER, path, TALLY_FOLLOW_LINKS, &about);
}

/* Files that fit a pattern, as they are found. */
typedef struct matching {
    job_names *names;
    const char *member; /* that is named behind the pattern */
    int status;
    cli_error *error;
} matching;

static bool add_match(void *user, const char *path) {
    matching *found = user;
    found->status = add_input(found->names, path, strlen(path), found->member, found->error);
    return found->status == CLI_DONE;
}

/* All files that fit a pattern, each with the member that is named behind it. */
static int add_matches(job_names *names, const char *path, size_t length, cli_error *error) {
    char *pattern = cli_join(path, length, "");
    matching found = {names, path + length, CLI_DONE, error};
    if (pattern == NULL)
        return fail_memory(error);
    const ptrdiff_t count = tally_path_match(pattern, add_match, &found);
    free(pattern);
    if (count == 0)
        found.status = cli_fail(error, "no file has such a name");
    if (count < 0)
        found.status = cli_fail_memory(error, "the names of the files");
    return found.status == CLI_DONE ? CLI_DONE : cli_error_prefix(error, path, found.status);
}

static int list_inputs(const task *asked, job_names *names, cli_error *error) {
    int status = CLI_DONE;
    for (size_t i = 0; i < asked->inputs.count && status == CLI_DONE; i++) {
        const char *path = asked->inputs.texts[i];
        const size_t length = input_archive_length(path);
        const bool pattern = is_pattern(path, length);
        names->folder |= pattern;
        status = pattern ? add_matches(names, path, length, error)
                         : add_input(names, path, length, path + length, error);
    }
    return status;
}

/* ---- Results ------------------------------------------------------------------------------- */

/* The name of a result: that of the input, with that of the member. The caller frees it. */
static char *name_result(const char *folder, const char *input) {
    const size_t archive = input_archive_length(input);
    const char *base = input,
               *separator = tally_is_separator(folder[strlen(folder) - 1]) ? "" : "/";
    for (const char *c = input; c < input + archive; c++)
        if (tally_is_separator(*c))
            base = c + 1;
    size_t length = (size_t)(input + archive - base);
    const char *suffix = length > 4 ? base + length - 4 : "";
    if (strncmp(suffix, ".npy", 4) == 0 || strncmp(suffix, ".npz", 4) == 0)
        length -= 4;
    const char *member = input[archive] == ':' ? input + archive + 1 : "";
    const size_t room = strlen(folder) + length + strlen(member) + 8;
    char *path = malloc(room);
    if (path != NULL)
        snprintf(path, room, "%s%s%.*s%s%s.npy", folder, separator, (int)length, base,
                 member[0] != '\0' ? "." : "", member);
    for (char *c = path != NULL ? path + strlen(path) - strlen(member) - 4 : NULL;
         c != NULL && *c != '\0'; c++)
        if (tally_is_separator(*c)) /* of a member: it makes no folder */
            *c = '-';
    return path;
}

static int compare_outputs(const void *a, const void *b) {
    const job_file *const *first = a, *const *second = b;
    return strcmp((*first)->output, (*second)->output);
}

/* No two results have one name. */
static int check_outputs(const job_names *names, cli_error *error) {
    if (names->count < 2)
        return CLI_DONE;
    const job_file **sorted = malloc(names->count * sizeof *sorted);
    int status = CLI_DONE;
    if (sorted == NULL)
        return fail_memory(error);
    for (size_t i = 0; i < names->count; i++)
        sorted[i] = &names->files[i];
    qsort(sorted, names->count, sizeof *sorted, compare_outputs);
    for (size_t i = 1; i < names->count && status == CLI_DONE; i++)
        if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0)
            status = cli_fail(error, "the results of %s and %s would both be %s",
                              sorted[i - 1]->input, sorted[i]->input, sorted[i]->output);
    free(sorted);
    return status;
}

static int name_results(const char *folder, job_names *names, cli_error *error) {
    if (!tally_path_takes_files(folder)) {
        cli_fail(error, "results cannot be written there: %s", strerror(errno));
        return cli_error_prefix(error, folder, CLI_FAILED);
    }
    for (size_t i = 0; i < names->count; i++) {
        job_file *file = &names->files[i];
        if (strcmp(file->input, "-") == 0)
            return cli_misuse(error, "standard input has no name for a result in %s", folder);
        file->output = name_result(folder, file->input);
        if (file->output == NULL)
            return fail_memory(error);
    }
    return check_outputs(names, error);
}

int job_names_list(const task *asked, job_names *names, cli_error *error) {
    const char *output = asked->output;
    memset(names, 0, sizeof *names);
    int status = list_inputs(asked, names, error);
    names->folder |= asked->inputs.count > 0 &&
                     (asked->inputs.count > 1 || tally_is_separator(output[strlen(output) - 1]));
    if (status == CLI_DONE && names->folder)
        return name_results(output, names, error);
    if (status == CLI_DONE && asked->inputs.count == 0 && add_file(names) == NULL)
        status = fail_memory(error);
    if (status != CLI_DONE)
        return status;
    names->files[0].output = cli_copy(output);
    return names->files[0].output != NULL ? CLI_DONE : fail_memory(error);
}

void job_names_free(job_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->files[i].input);
        free(names->files[i].output);
    }
    free(names->files);
    memset(names, 0, sizeof *names);
}
