/*
 * One JSON document on a stream, member by member. Knows the notation, and nothing that is said in
 * it.
 */
#ifndef TALLY_CLI_TEXT_JSON_H
#define TALLY_CLI_TEXT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_document {
    FILE *to;
    unsigned depth;
    bool behind; /* another member, so that a comma comes first */
} json_document;

/* All functions take the key of a member, or NULL within an array and for the document itself. */

/* bracket is '{' or '['; json_end takes '}' or ']'. The document ends with the last one. */
void json_begin(json_document *document, const char *key, char bracket);
void json_end(json_document *document, char bracket);

/* NULL is null. Bytes that are no UTF-8 become U+FFFD. */
void json_text(json_document *document, const char *key, const char *text);
void json_truth(json_document *document, const char *key, bool is);
void json_integer(json_document *document, const char *key, uint64_t number);
void json_real(json_document *document, const char *key,
               double number); /* null if it is negative */
void json_numbers(json_document *document, const char *key, const uint64_t *numbers,
                  uint32_t count);

/* The next character of a text as JSON writes it in a string, and *text behind it. */
#define JSON_ROOM 8
const char *json_escape(const char **text, char room[JSON_ROOM]);

#endif
