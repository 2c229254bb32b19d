#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define CHARACTER_MAX 0x10ffffU

/* The range of the second byte excludes overlong forms and surrogates. */
static const struct lead {
    uint8_t first, last; /* of the leading byte */
    uint8_t low, high;   /* of the second byte */
    uint8_t length;
} leads[] = {
    {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
    {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
    {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static const struct lead *find_lead(uint8_t byte)
{
    for (size_t i = 0; i < ARRAY_LEN(leads); i++) {
        if (byte >= leads[i].first && byte <= leads[i].last)
            return &leads[i];
    }
    return NULL;
}

size_t utf8_first(const char *text, size_t length)
{
    const uint8_t *bytes = (const uint8_t *)text;
    const struct lead *lead = length ? find_lead(bytes[0]) : NULL;

    if (!lead || length < lead->length)
        return 0;
    if (lead->length > 1 && (bytes[1] < lead->low || bytes[1] > lead->high))
        return 0;
    for (size_t i = 2; i < lead->length; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    }
    return lead->length;
}

uint32_t utf8_decode(const char *text, size_t length, size_t *bytes)
{
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t count = utf8_first(text, length);
    uint32_t character;

    *bytes = count ? count : 1;
    if (!count)
        return UTF8_REPLACEMENT;
    character = (unsigned char)text[0] & first_bits[count];
    for (size_t i = 1; i < count; i++)
        character = character << 6 | ((unsigned char)text[i] & 0x3f);
    return character;
}

static bool is_character(uint32_t number)
{
    return number <= CHARACTER_MAX && (number < 0xd800 || number > 0xdfff);
}

size_t utf8_count(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

void utf8_append(uint32_t character, struct buf *out)
{
    uint32_t value = is_character(character) ? character : UTF8_REPLACEMENT;
    unsigned more = value < 0x80      ? 0
                    : value < 0x800   ? 1
                    : value < 0x10000 ? 2
                                      : 3;
    static const uint8_t marks[] = {0x00, 0xc0, 0xe0, 0xf0};
    char bytes[4];

    bytes[0] = (char)(marks[more] | value >> (6 * more));
    for (unsigned i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (value >> (6 * (more - i)) & 0x3f));
    buf_append(out, bytes, more + 1);
}

void utf8_append_numbers(const char *list, struct buf *out)
{
    while (*list) {
        char *end;
        unsigned long number = strtoul(list, &end, 10);

        if (end == list)
            return;
        if (number && number <= CHARACTER_MAX)
            utf8_append((uint32_t)number, out);
        list = *end == ',' ? end + 1 : end;
    }
}

void utf8_repair(const char *text, size_t length, struct buf *out)
{
    while (length) {
        size_t first = utf8_first(text, length);

        if (first)
            buf_append(out, text, first);
        else
            buf_text(out, "\xef\xbf\xbd");
        text += first ? first : 1;
        length -= first ? first : 1;
    }
}
