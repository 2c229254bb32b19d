/* Characters, names and spans of a reader's text. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/parse/loose_value_private.h"

enum {
    IDEOGRAPHIC_SPACE = 0x3000,
    IDEOGRAPHIC_COMMA = 0x3001,
    LEFT_LENS = 0x3010, /* 【 */
    RIGHT_LENS = 0x3011,
    NO_BREAK_SPACE = 0xa0,
    FULL_WIDTH_FIRST = 0xff01, /* '!' */
    FULL_WIDTH_LAST = 0xff5e,  /* '~' */
    FULL_WIDTH_OFFSET = 0xff01 - '!',
};

/* The ASCII character that one of another script means in a notation. */
static unsigned fold(uint32_t character)
{
    if (character >= FULL_WIDTH_FIRST && character <= FULL_WIDTH_LAST)
        return character - FULL_WIDTH_OFFSET;
    switch (character) {
    case IDEOGRAPHIC_SPACE:
    case NO_BREAK_SPACE:
        return ' ';
    case IDEOGRAPHIC_COMMA:
        return ',';
    case LEFT_LENS:
        return '[';
    case RIGHT_LENS:
        return ']';
    default:
        return character;
    }
}

unsigned loose_value_peek_at(const struct loose_value_reader *reader, size_t at,
                             size_t *bytes)
{
    *bytes = 0;
    if (at >= reader->in.length)
        return 0;
    if (!parse_work_charge(reader->work, 1)) {
        *bytes = reader->in.length - at;
        return 0;
    }
    if ((unsigned char)reader->in.text[at] < 0x80) {
        *bytes = 1;
        return (unsigned char)reader->in.text[at];
    }
    return fold(
        utf8_decode(reader->in.text + at, reader->in.length - at, bytes));
}

unsigned loose_value_peek(const struct loose_value_reader *reader,
                          size_t *bytes)
{
    return loose_value_peek_at(reader, reader->at, bytes);
}

bool loose_value_is_space(unsigned character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

size_t loose_value_after_space(const struct loose_value_reader *reader,
                               size_t at)
{
    size_t bytes;

    while (loose_value_is_space(loose_value_peek_at(reader, at, &bytes)))
        at += bytes;
    return at;
}

void loose_value_skip_space(struct loose_value_reader *reader)
{
    reader->at = loose_value_after_space(reader, reader->at);
}

/* Go past this character, if it is the next. */
bool loose_value_take(struct loose_value_reader *reader, unsigned character)
{
    size_t bytes;

    if (loose_value_peek(reader, &bytes) != character)
        return false;
    reader->at += bytes;
    return true;
}

bool loose_value_one_of(unsigned character, const char *set)
{
    while (*set && (unsigned char)*set != character)
        set++;
    return *set != '\0';
}

bool loose_value_is_separator(unsigned character)
{
    return character == ',' || character == ';';
}

/* ---- names ---- */

bool loose_value_is_name_start(unsigned character)
{
    return character == '_' || character >= 128 ||
           (character && isalpha((int)character));
}

bool loose_value_is_name_part(unsigned character)
{
    return loose_value_is_name_start(character) ||
           loose_value_one_of(character, "0123456789-.");
}

/* Quotes and other punctuation of other scripts are no letters. */
bool loose_value_is_mark(unsigned character)
{
    return (character >= 0x2010 && character <= 0x206f) ||
           (character >= IDEOGRAPHIC_SPACE && character <= 0x303f) ||
           character == UTF8_REPLACEMENT;
}

bool loose_value_read_name(struct loose_value_reader *reader,
                           struct text_span *name)
{
    size_t start = reader->at;
    size_t bytes;
    unsigned next = loose_value_peek(reader, &bytes);

    if (!loose_value_is_name_start(next) || loose_value_is_mark(next))
        return false;
    while (loose_value_is_name_part(next) && !loose_value_is_mark(next)) {
        reader->at += bytes;
        next = loose_value_peek(reader, &bytes);
    }
    while (loose_value_one_of((unsigned char)reader->in.text[reader->at - 1],
                              "-."))
        reader->at--;
    *name = loose_value_between(reader, start, reader->at);
    return true;
}

/* ---- spans ---- */

struct text_span loose_value_between(const struct loose_value_reader *reader,
                                     size_t from, size_t to)
{
    return (struct text_span){reader->in.text + from, to - from};
}

struct text_span text_span_of(const char *text)
{
    return (struct text_span){text, strlen(text)};
}

struct text_span text_span_trim_end(struct text_span span)
{
    while (span.length &&
           loose_value_is_space((unsigned char)span.text[span.length - 1]))
        span.length--;
    return span;
}

struct text_span text_span_trim(struct text_span span)
{
    while (span.length && loose_value_is_space((unsigned char)span.text[0])) {
        span.text++;
        span.length--;
    }
    return text_span_trim_end(span);
}
