/*
 * The text of several steps: each is a word for an operator and options, which the tables of the
 * operators' own commands parse.
 */
#include "cli/pipeline/pipeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/copy.h"
#include "cli/nearest.h"

/* ---- Words --------------------------------------------------------------------------------- */

/* What a step begins with. The names of functions are those of reductions. */
static const struct {
    const char *word;
    const operator_kind *kind;
    const char *function; /* as the operator's command calls it; NULL: it takes none */
} words[] = {
#define CLI_FUNCTION(enumerator, name, ...) {#name, &operator_reduce, #name},
#include "cli/tables/functions.def"
    {"mean", &operator_reduce, "average"},
    {"prod", &operator_reduce, "multiply"},
    {"logsumexp", &operator_reduce, "log_sum_exp"},
    {"cumsum", &operator_scan, "sum"},
    {"cumprod", &operator_scan, "multiply"},
    {"cummin", &operator_scan, "min"},
    {"cummax", &operator_scan, "max"},
    {"diagonal", &operator_diagonal, NULL},
};
#define WORDS (sizeof words / sizeof words[0])

/* What an option may be called as well, where the operator has none of that name. */
static const struct {
    const char *name, *as;
} synonyms[] = {{"axis", "axes"}, {"axes", "axis"}, {"dtype", "output-type"}};

/* ---- Sentences ----------------------------------------------------------------------------- */

/* Put the place before a sentence: "at 14, 'cumsm': there is no such operator". */
static int place(const pipeline *parsed, const char *word, int status, cli_error *error) {
    char label[64];
    snprintf(label, sizeof label, "at %zu, '%.40s'", (size_t)(word - parsed->text) + 1, word);
    return cli_error_prefix(error, label, status);
}

static int refuse_word(const pipeline *parsed, const char *word, cli_error *error) {
    nearest right = nearest_begin(word, strlen(word));
    char names[512] = "", hint[NEAREST_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < WORDS; i++) {
        nearest_offer(&right, words[i].word);
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, " %s", words[i].word);
    }
    const bool near = right.name != NULL;
    cli_misuse(error, "there is no such operator%s%s",
               near ? nearest_hint(&right, "", hint) : "; choose from", near ? "" : names);
    return place(parsed, word, CLI_MISUSED, error);
}

static int refuse_option(const pipeline *parsed, const pipeline_step *one, const char *word,
                         cli_error *error) {
    const command *of = one->kind->command;
    nearest right = nearest_begin(word, strcspn(word, "="));
    char hint[NEAREST_BYTES];
    for (size_t i = one->kind->options_from; i < of->option_count; i++)
        nearest_offer(&right, of->options[i].name);
    cli_misuse(error, "%s has no such option%s", parsed->text + one->at,
               nearest_hint(&right, "", hint));
    return place(parsed, word, CLI_MISUSED, error);
}

/* ---- Options ------------------------------------------------------------------------------- */

static const option *find_row(const pipeline_step *one, const char *name, size_t length) {
    const command *of = one->kind->command;
    for (size_t i = one->kind->options_from; i < of->option_count; i++)
        if (strlen(of->options[i].name) == length && memcmp(of->options[i].name, name, length) == 0)
            return &of->options[i];
    return NULL;
}

static const option *find_option(const pipeline_step *one, const char *name, size_t length) {
    const option *row = find_row(one, name, length);
    for (size_t i = 0; row == NULL && i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (strlen(synonyms[i].name) == length && memcmp(synonyms[i].name, name, length) == 0)
            row = find_row(one, synonyms[i].as, strlen(synonyms[i].as));
    return row;
}

/* A list may stand in brackets, as Python writes it. */
static char *strip_brackets(char *value) {
    const size_t length = strlen(value);
    if (length < 2 || value[0] != '(' || value[length - 1] != ')')
        return value;
    value[length - 1] = '\0';
    return value + 1;
}

/* "axis=1", or "squeeze". *seen has a bit for each option of the command. */
static int parse_option(const pipeline *parsed, const pipeline_step *one, char *word,
                        uint64_t *seen, cli_error *error) {
    char *equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const option *row = find_option(one, word, length);
    if (row == NULL)
        return refuse_option(parsed, one, word, error);
    const uint64_t bit = UINT64_C(1) << (row - one->kind->command->options);
    int status = CLI_DONE;
    if ((*seen & bit) != 0)
        status = cli_misuse(error, "%s is given twice", row->name);
    else if ((row->argument != NULL) != (equals != NULL))
        status = row->argument != NULL
                     ? cli_misuse(error, "needs a value, %s=%s", row->name, row->argument)
                     : cli_misuse(error, "%s takes no value", row->name);
    *seen |= bit;
    if (status != CLI_DONE)
        return place(parsed, word, status, error);
    char *value = equals != NULL ? strip_brackets(equals + 1) : NULL;
    status = row->parse(value, (char *)one->given + row->offset, error);
    return status == CLI_DONE ? CLI_DONE : place(parsed, word, status, error);
}

static int check_required(const pipeline *parsed, const pipeline_step *one, uint64_t seen,
                          cli_error *error) {
    const command *of = one->kind->command;
    for (size_t i = one->kind->options_from; i < of->option_count; i++)
        if (of->options[i].required && (seen >> i & 1) == 0) {
            cli_misuse(error, "%s=%s is missing", of->options[i].name, of->options[i].argument);
            return place(parsed, parsed->text + one->at, CLI_MISUSED, error);
        }
    return CLI_DONE;
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* The next word of a step, which ends in '\0' then; NULL: there is none. */
static char *next_word(char **rest) {
    *rest += strspn(*rest, " \t\n");
    if (**rest == '\0')
        return NULL;
    char *word = *rest;
    *rest += strcspn(word, " \t\n");
    if (**rest != '\0')
        *(*rest)++ = '\0';
    return word;
}

static int begin_step(const pipeline *parsed, pipeline_step *one, const char *word,
                      cli_error *error) {
    size_t i = 0;
    while (i < WORDS && strcmp(words[i].word, word) != 0)
        i++;
    if (i == WORDS)
        return refuse_word(parsed, word, error);
    one->kind = words[i].kind;
    one->at = (size_t)(word - parsed->text);
    one->given = calloc(1, one->kind->bytes);
    if (one->given == NULL)
        return cli_fail_memory(error, "the options of a step");
    if (words[i].function == NULL)
        return CLI_DONE;
    const option *function = &one->kind->command->operands[0];
    return function->parse(words[i].function, (char *)one->given + function->offset, error);
}

/* text: the step's alone, which is cut into words. */
static int parse_step(pipeline *parsed, char *text, cli_error *error) {
    char *rest = text;
    uint64_t seen = 0;
    if (parsed->count == PIPELINE_STEPS_MAX)
        return cli_misuse(error, "there are more than %d steps", PIPELINE_STEPS_MAX);
    pipeline_step *one = &parsed->steps[parsed->count];
    text += strspn(text, " \t\n");
    snprintf(one->label, sizeof one->label, "step %" PRIu32 ", '%.60s'", parsed->count + 1, text);
    char *word = next_word(&rest);
    if (word == NULL)
        return cli_misuse(error, "at %zu: there is no operator", (size_t)(rest - parsed->text) + 1);
    parsed->count++;
    int status = begin_step(parsed, one, word, error);
    while (status == CLI_DONE && (word = next_word(&rest)) != NULL)
        status = parse_option(parsed, one, word, &seen, error);
    return status == CLI_DONE ? check_required(parsed, one, seen, error) : status;
}

int pipeline_parse(const char *text, pipeline *parsed, cli_error *error) {
    memset(parsed, 0, sizeof *parsed);
    parsed->text = cli_copy(text);
    if (parsed->text == NULL)
        return cli_fail_memory(error, "the steps");
    int status = CLI_DONE;
    for (char *next = parsed->text; status == CLI_DONE && next != NULL;) {
        char *own = next, *bar = strchr(next, '|');
        if (bar != NULL)
            *bar = '\0';
        next = bar != NULL ? bar + 1 : NULL;
        status = parse_step(parsed, own, error);
    }
    return status == CLI_DONE ? CLI_DONE : cli_error_prefix(error, "STEPS", status);
}

void pipeline_release(pipeline *parsed) {
    for (uint32_t i = 0; i < parsed->count; i++)
        free(parsed->steps[i].given);
    free(parsed->text);
    memset(parsed, 0, sizeof *parsed);
}

tally_function pipeline_function(const pipeline_step *one) {
    const command *of = one->kind->command;
    if (one->kind == &operator_diagonal)
        return TALLY_FUNCTION_NONE;
    return *(const tally_function *)(const void *)((const char *)one->given +
                                                   of->operands[0].offset);
}
