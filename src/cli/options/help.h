/*
 * A help as a sequence of pieces, and who prints them: as a text here, as a manual page elsewhere.
 * Knows neither commands nor options.
 */
#ifndef TALLY_CLI_OPTIONS_HELP_H
#define TALLY_CLI_OPTIONS_HELP_H

/* A command line that works as it stands, and what it does. */
typedef struct help_example {
    const char *line;
    const char *what;
} help_example;

/* A name with what it means. */
typedef struct help_row {
    const char *name;
    const char *argument; /* NULL: none */
    const char *help;
} help_row;

/*
 * Prints a piece each. Texts are lines that end in \n, an empty one parting paragraphs, or one line
 * without an end that may be broken anywhere.
 */
typedef struct help_writer {
    /* The first piece. name is "tally" or "tally scan"; usage begins with it or with who calls it.
     */
    void (*title)(const char *name, const char *usage, const char *summary);
    void (*heading)(const char *name);
    void (*text)(const char *text);
    void (*row)(const help_row *shown);
    void (*example)(const help_example *shown);
} help_writer;

/* Prints for terminals, on stdout. */
extern const help_writer help_on_terminal;

/* The heading and the examples, which end with one that has no line; nothing for NULL. */
void help_write_examples(const help_example *examples, const help_writer *writer);

#endif
