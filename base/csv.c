#include "base/csv.h"

#include <string.h>

#include "base/clean_text.h"
#include "base/utf8.h"

static void append_character(struct buf *csv, uint32_t character)
{
    bool blank = character == '\n' || character == '\r' || character == '\t';

    if (character == '"')
        buf_byte(csv, '"');
    utf8_append(text_is_control(character) && !blank ? UTF8_REPLACEMENT
                                                     : character,
                csv);
}

void csv_text(struct buf *csv, const char *text)
{
    size_t length = strlen(text);

    buf_byte(csv, '"');
    if (*text && strchr("=+-@\t\r", *text))
        buf_byte(csv, '\'');
    while (length) {
        size_t bytes;

        append_character(csv, utf8_decode(text, length, &bytes));
        text += bytes;
        length -= bytes;
    }
    buf_byte(csv, '"');
}
