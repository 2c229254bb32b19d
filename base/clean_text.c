#include "base/clean_text.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

bool text_is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character <= 0x9f) ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

void clean_text_copy(char *to, size_t size, const char *text, size_t length)
{
    size_t at = 0;

    while (at < length) {
        size_t bytes;
        uint32_t character = utf8_decode(text + at, length - at, &bytes);

        if (bytes > size - 1 - at)
            break;
        if (text_is_control(character) ||
            (character == UTF8_REPLACEMENT && bytes == 1))
            memset(to + at, '?', bytes);
        else
            memcpy(to + at, text + at, bytes);
        at += bytes;
    }
    to[at] = '\0';
}

char *clean_text_dup(const char *text)
{
    size_t length = strlen(text);
    char *clean = mem_new(length + 1, 1);

    clean_text_copy(clean, length + 1, text, length);
    return clean;
}
