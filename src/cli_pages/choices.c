/*
 * The words that the parser of a row takes, out of the words of its help.
 */
#include "cli_pages/choices.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool takes(const option *row, const char *word) {
    max_align_t ignored[256] = {{0}}; /* room for whatever a parser fills */
    cli_error refusal;
    return row->parse(word, ignored, &refusal) == CLI_DONE;
}

static bool has_word(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static void add_word(choices *found, const char *word) {
    const size_t length = strlen(found->words);
    if (!has_word(found->words, word))
        snprintf(found->words + length, CHOICES_BYTES - length, "%s%s", length > 0 ? " " : "",
                 word);
}

static const char word_bytes[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

static const char function_names[] =
#define CLI_FUNCTION(enumerator, name, ...) #name " "
#include "cli/tables/functions.def"
    ;

static void find_words(const option *row, const char *text, choices *found) {
    while (*text != '\0') {
        char word[64];
        const size_t length = strspn(text, word_bytes);
        if (length > 0 && length < sizeof word && strchr(letters, *text) != NULL) {
            snprintf(word, sizeof word, "%.*s", (int)length, text);
            if (takes(row, word))
                add_word(found, word);
        }
        text += length > 0 ? length : 1;
    }
}

/* An operand that is any text is a file's name; of an option the argument's name says it. */
static bool names_file(const option *row) {
    if (row->argument == NULL)
        return row->parse == value_text;
    return strstr(row->argument, ".np") != NULL || strcmp(row->argument, "FILE") == 0 ||
           strcmp(row->argument, "PATH") == 0;
}

choices choices_of(const option *row) {
    choices found = {"", names_file(row)};
    if (takes(row, "?"))
        return found;
    find_words(row, row->help, &found);
    find_words(row, function_names, &found); /* a help may name one as an example */
    return found;
}

bool choices_is_shown(const option *row) {
    return row->help != NULL;
}

void choices_gist(const option *row, char gist[CHOICES_BYTES]) {
    size_t length = 0;
    for (const char *at = row->help; *at != '\0' && length + 1 < CHOICES_BYTES; at++) {
        if (strchr(";:.", *at) != NULL && (at[1] == ' ' || at[1] == '\n' || at[1] == '\0'))
            break;
        gist[length++] = *at;
    }
    gist[length] = '\0';
    for (char *end = gist; (end = strchr(end, '\n')) != NULL;)
        *end = ' ';
}

void choices_identifier(const char *name, char identifier[CHOICES_BYTES]) {
    snprintf(identifier, CHOICES_BYTES, "%s", name);
    for (char *at = identifier; *at != '\0'; at++)
        if (*at == '-')
            *at = '_';
}
