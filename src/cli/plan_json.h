/*
 * The text of an explained plan as members of a JSON document. Knows how the text is laid out, not
 * what it says.
 */
#ifndef TALLY_CLI_PLAN_JSON_H
#define TALLY_CLI_PLAN_JSON_H

#include "cli/text/json.h"

/*
 * Write "sections": [{"title": ..., "text": ..., "rows": [{"name": ..., "value": ..., "about":
 * ...}]}]. The text is one without source.
 */
void plan_json_write(json_document *document, const char *text);

#endif
