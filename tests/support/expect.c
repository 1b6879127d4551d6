/*
 * expect.c: statuses, sentences and texts held against what a test wants.
 */
#include "expect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) != 0;
}

/* True if text has part, and not only inside of a longer word or number. */
static bool says(const char *text, const char *part) {
    const size_t length = strlen(part);
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        const bool begins = at == text || !is_word(at[-1]) || !is_word(part[0]);
        const bool ends = !is_word(at[length]) || !is_word(part[length - 1]);
        if (begins && ends)
            return true;
    }
    return false;
}

void expect_refusal(const char *what, const expect *wanted, tally_status status,
                    const tally_error *error) {
    if (status != wanted->status || error->status != wanted->status || error->cl_code != 0)
        ck_abort_msg("%s: status %d, in the error %d with code %d, should be %d: %s", what,
                     (int)status, (int)error->status, (int)error->cl_code, (int)wanted->status,
                     error->message);
    const size_t length = strlen(error->message);
    if (length < 10 || length >= sizeof error->message - 4 ||
        strchr(".\n", error->message[length - 1]) != NULL || strstr(error->message, "(null)"))
        ck_abort_msg("%s: this is not a sentence: \"%s\"", what, error->message);
    for (int i = 0; i < EXPECT_PARTS && wanted->parts[i] != NULL; i++)
        if (!says(error->message, wanted->parts[i]))
            ck_abort_msg("%s: \"%s\" does not say \"%s\"", what, error->message, wanted->parts[i]);
}

void expect_ok(const char *what, tally_status status, const tally_error *error) {
    if (status != TALLY_OK)
        ck_abort_msg("%s: refused with status %d: %s", what, (int)status, error->message);
}

void expect_part(const char *text, const char *part) {
    if (text == NULL || strstr(text, part) == NULL)
        ck_abort_msg("no '%s' in\n%s", part, text != NULL ? text : "");
}
