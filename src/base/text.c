/*
 * A growing text. Failure to grow is remembered, not reported at every addition.
 */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tally_text tally_text_from(const tally_allocator *allocator) {
    tally_text text = TALLY_TEXT_INIT;
    text.allocator = allocator;
    return text;
}

/* Room for length more bytes and the terminating NUL. */
static bool reserve(tally_text *text, size_t length) {
    if (text->failed)
        return false;
    size_t need = text->length + length + 1;
    if (need <= text->capacity)
        return true;
    size_t capacity = need < 256 ? 256 : need + need / 2;
    char *data = tally_host_grow(text->allocator, text->data, text->length, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void tally_text_add(tally_text *text, const char *addition) {
    size_t length = strlen(addition);
    if (!reserve(text, length))
        return;
    memcpy(text->data + text->length, addition, length + 1);
    text->length += length;
}

void tally_text_format(tally_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text->failed = text->failed || length < 0;
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void tally_text_free(tally_text *text) {
    tally_host_give(text->allocator, text->data);
    *text = tally_text_from(text->allocator);
}
