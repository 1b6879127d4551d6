/*
 * Texts to numbers, exactly: integers with their limits, floats of any format correctly rounded.
 * Knows no options.
 */
#ifndef TALLY_CLI_OPTIONS_NUMBERS_H
#define TALLY_CLI_OPTIONS_NUMBERS_H

#include <stdint.h>

#include "cli/error.h"
#include "cli/tables/types.h"

/*
 * An integer of a type (its name and limits), decimal or 0x hexadecimal, after an optional sign.
 * CLI_MISUSED with a sentence that names the text, and the limit if it is beyond one. A leading 0
 * means nothing.
 */
int number_signed(const char *text, const char *type, int64_t lowest, int64_t highest,
                  int64_t *value, cli_error *error);
int number_unsigned(const char *text, const char *type, uint64_t highest, uint64_t *value,
                    cli_error *error);

/*
 * The bits of a float as strtod takes it, rounded to nearest even; every NaN is the positive quiet
 * one. A finite number that would become infinite is refused.
 */
int number_float(const char *text, const cli_type *type, uint64_t *bits, cli_error *error);

#endif
