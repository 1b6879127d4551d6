/*
 * refused.c: status and sentence.
 */
#include "refused.h"

#include <string.h>

#include "support/fail.h"

bool refused_check(tally_status status, const tally_error *error) {
    const size_t room = sizeof error->message;
    if (memchr(error->message, '\0', room) == NULL)
        fail_with("the message does not end");
    if (error->status != status || error->cl_code != 0)
        fail_with("the status is %d, but the error's %d, of code %d", (int)status,
                  (int)error->status, (int)error->cl_code);
    if (status == TALLY_OK && error->message[0] != '\0')
        fail_with("nothing is refused, but: %s", error->message);
    if (status != TALLY_OK && status != TALLY_INVALID && status != TALLY_UNSUPPORTED)
        fail_with("a description is refused with status %d: %s", (int)status, error->message);
    if (status != TALLY_OK && (strlen(error->message) < 8 || strchr(error->message, '\n') != NULL))
        fail_with("no sentence: '%s'", error->message);
    return status == TALLY_OK;
}
