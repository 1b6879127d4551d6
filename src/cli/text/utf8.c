/*
 * UTF-8, without the forms that are longer than they must be, and without surrogates.
 */
#include "cli/text/utf8.h"

#include <stdbool.h>
#include <stdint.h>

size_t utf8_length(const char *text) {
    static const struct {
        unsigned char mask, mark;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const unsigned char *at = (const unsigned char *)text;
    for (size_t length = 1; length <= 4; length++) {
        const unsigned char mask = forms[length - 1].mask;
        if ((*at & mask) != forms[length - 1].mark)
            continue;
        uint32_t code = *at & (unsigned char)~mask;
        for (size_t i = 1; i < length; i++) {
            if ((at[i] & 0xC0) != 0x80)
                return 0;
            code = code << 6 | (at[i] & 0x3Fu);
        }
        const bool surrogate = code >= 0xD800 && code < 0xE000;
        return code < forms[length - 1].least || surrogate || code > 0x10FFFF ? 0 : length;
    }
    return 0;
}
