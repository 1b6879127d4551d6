/*
 * Texts within an HTML document, as contents of elements and as values of attributes in quotes.
 */
#ifndef TALLY_CLI_TEXT_HTML_H
#define TALLY_CLI_TEXT_HTML_H

/*
 * The next character of a text as HTML writes it, and *text behind it. What is no UTF-8, and what
 * ASCII has of controls but for white space, becomes U+FFFD.
 */
#define HTML_ROOM 8
const char *html_escape(const char **text, char room[HTML_ROOM]);

#endif
