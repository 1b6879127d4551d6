/*
 * Texts within an HTML document.
 */
#include "cli/text/html.h"

#include <stdbool.h>
#include <stdio.h>

#include "cli/text/utf8.h"

/* What stands for a byte that means something to HTML; NULL: the byte itself. */
static const char *entity(char c) {
    static const struct {
        char c;
        const char *name;
    } entities[] = {{'&', "amp"}, {'<', "lt"}, {'>', "gt"}, {'"', "quot"}, {'\'', "#39"}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
        if (entities[i].c == c)
            return entities[i].name;
    return NULL;
}

const char *html_escape(const char **text, char room[HTML_ROOM]) {
    const unsigned char c = (unsigned char)**text;
    const char *name = entity(**text);
    const size_t length = utf8_length(*text);
    const bool is_control = (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
    if (length == 0 || is_control)
        snprintf(room, HTML_ROOM, "\xef\xbf\xbd");
    else if (name != NULL)
        snprintf(room, HTML_ROOM, "&%s;", name);
    else
        snprintf(room, HTML_ROOM, "%.*s", (int)length, *text);
    *text += length > 0 ? length : 1;
    return room;
}
