/*
 * One JSON document on a stream: a member a line, but for the members of what lies deep.
 */
#include "cli/text/json.h"

#include <inttypes.h>

#include "cli/text/utf8.h"

#define LINES 3 /* deeper members share a line */

/* ---- Strings ------------------------------------------------------------------------------- */

const char *json_escape(const char **text, char room[JSON_ROOM]) {
    const unsigned char c = (unsigned char)**text;
    const size_t length = utf8_length(*text);
    if (length == 0)
        snprintf(room, JSON_ROOM, "\\ufffd");
    else if (c == '"' || c == '\\')
        snprintf(room, JSON_ROOM, "\\%c", c);
    else if (c < ' ')
        snprintf(room, JSON_ROOM, "\\u%04x", (unsigned)c);
    else
        snprintf(room, JSON_ROOM, "%.*s", (int)length, *text);
    *text += length > 0 ? length : 1;
    return room;
}

static void write_string(FILE *to, const char *text) {
    char room[JSON_ROOM];
    fputc('"', to);
    while (*text != '\0')
        fputs(json_escape(&text, room), to);
    fputc('"', to);
}

/* ---- Members ------------------------------------------------------------------------------- */

/* What stands before a value: a comma, a line's end, the key. */
static void begin_member(json_document *document, const char *key) {
    if (document->behind)
        fputs(document->depth > LINES ? ", " : ",", document->to);
    if (document->depth > 0 && document->depth <= LINES)
        fprintf(document->to, "\n%*s", (int)document->depth, "");
    if (key != NULL) {
        write_string(document->to, key);
        fputs(": ", document->to);
    }
    document->behind = true;
}

void json_begin(json_document *document, const char *key, char bracket) {
    begin_member(document, key);
    fputc(bracket, document->to);
    document->depth++;
    document->behind = false;
}

void json_end(json_document *document, char bracket) {
    document->depth--;
    document->behind = true;
    fputc(bracket, document->to);
    if (document->depth == 0)
        fputc('\n', document->to);
}

void json_text(json_document *document, const char *key, const char *text) {
    begin_member(document, key);
    if (text != NULL)
        write_string(document->to, text);
    else
        fputs("null", document->to);
}

void json_truth(json_document *document, const char *key, bool is) {
    begin_member(document, key);
    fputs(is ? "true" : "false", document->to);
}

void json_integer(json_document *document, const char *key, uint64_t number) {
    begin_member(document, key);
    fprintf(document->to, "%" PRIu64, number);
}

void json_real(json_document *document, const char *key, double number) {
    begin_member(document, key);
    if (number >= 0)
        fprintf(document->to, "%.6g", number);
    else
        fputs("null", document->to);
}

void json_numbers(json_document *document, const char *key, const uint64_t *numbers,
                  uint32_t count) {
    begin_member(document, key);
    fputc('[', document->to);
    for (uint32_t i = 0; i < count; i++)
        fprintf(document->to, "%s%" PRIu64, i > 0 ? ", " : "", numbers[i]);
    fputc(']', document->to);
}
