/* Strings: quotes of many kinds, escapes, and quotes that nobody escaped. */
#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/reader_private.h"

enum {
    LEFT_SINGLE_QUOTE = 0x2018,
    RIGHT_SINGLE_QUOTE = 0x2019,
    LEFT_QUOTE = 0x201c,
    RIGHT_QUOTE = 0x201d,
    LEFT_CORNER = 0x300c, /* 「 」 『 』 */
    RIGHT_CORNER = 0x300d,
    LEFT_WHITE_CORNER = 0x300e,
    RIGHT_WHITE_CORNER = 0x300f,
};

/* The characters that can end a string which begins with this one. */
unsigned reader_closing_quote(uint32_t opening)
{
    switch (opening) {
    case '"':
    case '\'':
    case '`':
        return opening;
    case LEFT_QUOTE:
    case RIGHT_QUOTE:
        return RIGHT_QUOTE;
    case LEFT_SINGLE_QUOTE:
    case RIGHT_SINGLE_QUOTE:
        return RIGHT_SINGLE_QUOTE;
    case LEFT_CORNER:
        return RIGHT_CORNER;
    case LEFT_WHITE_CORNER:
        return RIGHT_WHITE_CORNER;
    default:
        return 0;
    }
}

/* Does a member begin here: a quote, or a name and what follows names? */
static bool member_begins(const struct reader *reader, size_t at)
{
    struct reader ahead = *reader;
    struct span name;
    size_t bytes;

    ahead.at = at;
    if (reader_closing_quote(reader_peek(&ahead, &bytes)) ||
        reader_one_of(reader_peek(&ahead, &bytes), "{[(<"))
        return true;
    if (!reader_name(&ahead, &name))
        return ahead.at >= ahead.in.length ||
               reader_one_of(reader_peek(&ahead, &bytes), "0123456789+-}])");
    reader_skip_space(&ahead);
    return reader_one_of(reader_peek(&ahead, &bytes), "=:,)]}(");
}

/*
 * Models forget to escape quotes. One that ends a string is followed by what
 * may follow a value, and one within it seldom is.
 */
static bool ends_string(const struct reader *reader, size_t at)
{
    size_t bytes;
    unsigned next;

    while (reader_one_of(next = reader_peek_at(reader, at, &bytes), " \t"))
        at += bytes;
    if (!next || reader_one_of(next, ")]}:;<\r\n"))
        return true;
    return next == ',' &&
           member_begins(reader, reader_after_space(reader, at + bytes));
}

/* Where the string that is open here ends: at its quote, or the length. */
static size_t find_quote(const struct reader *reader, unsigned quote)
{
    size_t at = reader->at;
    size_t first = reader->in.length;

    while (at < reader->in.length) {
        size_t bytes;
        unsigned next =
            utf8_decode(reader->in.text + at, reader->in.length - at, &bytes);

        if (next == '\\') {
            at += at + 1 < reader->in.length ? 2 : 1;
            continue;
        }
        if (next == quote && ends_string(reader, at + bytes))
            return at;
        if (next == quote && first == reader->in.length)
            first = at;
        at += bytes;
    }
    return first;
}

/* The value of count hexadecimal digits; false when they are not there. */
static bool hex_value(struct span in, size_t count, uint32_t *value)
{
    uint32_t sum = 0;

    if (in.length < count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!isxdigit((unsigned char)in.text[i]))
            return false;
        sum = sum * 16 + (uint32_t)(isdigit((unsigned char)in.text[i])
                                        ? in.text[i] - '0'
                                        : tolower(in.text[i]) - 'a' + 10);
    }
    *value = sum;
    return true;
}

static void put_character(struct buf *out, uint32_t character)
{
    char bytes[4];
    int count = character < 0x80      ? 1
                : character < 0x800   ? 2
                : character < 0x10000 ? 3
                                      : 4;

    if (count == 1) {
        buf_byte(out, (char)character);
        return;
    }
    for (int i = count - 1; i > 0; i--) {
        bytes[i] = (char)(0x80 | (character & 0x3f));
        character >>= 6;
    }
    bytes[0] = (char)((0xf00U >> count) | character);
    buf_append(out, bytes, (size_t)count);
}

/* "\\uXXXX", both halves of a pair if need be. Returns the bytes it takes. */
static size_t take_unicode(struct span in, struct buf *out)
{
    uint32_t high;
    uint32_t low;

    if (!hex_value((struct span){in.text + 2, in.length - 2}, 4, &high))
        return 0;
    if (high >= 0xd800 && high < 0xdc00 && in.length >= 12 &&
        !memcmp(in.text + 6, "\\u", 2) &&
        hex_value((struct span){in.text + 8, in.length - 8}, 4, &low) &&
        low >= 0xdc00 && low < 0xe000) {
        put_character(out, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
        return 12;
    }
    put_character(out, high >= 0xd800 && high < 0xe000 ? UTF8_REPLACEMENT
                       : high                          ? high
                                                       : UTF8_REPLACEMENT);
    return 6;
}

/* An escape at the start of in; what is unknown stands for itself. */
static size_t take_escape(struct span in, struct buf *out)
{
    static const char letters[] = "ntrbf/\\'\"`";
    static const char meanings[] = "\n\t\r\b\f/\\'\"`";
    const char *letter;
    size_t taken;

    if (in.length > 2 && in.text[1] == 'u') {
        taken = take_unicode(in, out);
        if (taken)
            return taken;
    }
    letter = in.length > 1 && in.text[1] ? strchr(letters, in.text[1]) : NULL;
    if (!letter) {
        buf_byte(out, '\\');
        return 1;
    }
    buf_byte(out, meanings[letter - letters]);
    return 2;
}

static struct cJSON *unescaped(struct span in)
{
    struct buf text = BUF_INIT(READER_STRING_MAX);
    struct cJSON *made;
    size_t at = 0;

    while (at < in.length) {
        if (in.text[at] == '\\') {
            at +=
                take_escape((struct span){in.text + at, in.length - at}, &text);
        } else {
            buf_byte(&text, in.text[at]);
            at++;
        }
    }
    made = reader_new_string((struct span){buf_cstr(&text), text.length});
    buf_release(&text);
    return made;
}

enum reader_result reader_string(struct reader *reader, struct cJSON **value)
{
    static const char *const triples[] = {"\"\"\"", "'''"};
    struct span rest = reader_between(reader, reader->at, reader->in.length);
    size_t bytes;
    unsigned quote = reader_closing_quote(reader_peek(reader, &bytes));
    size_t end;

    for (size_t i = 0; i < ARRAY_LEN(triples); i++) {
        const char *close;

        if (rest.length < 6 || memcmp(rest.text, triples[i], 3) != 0)
            continue;
        close = memmem(rest.text + 3, rest.length - 3, triples[i], 3);
        if (!close)
            return READER_CUT;
        *value = unescaped(
            (struct span){rest.text + 3, (size_t)(close - rest.text) - 3});
        reader->at += (size_t)(close - rest.text) + 3;
        return READER_FOUND;
    }
    reader->at += bytes;
    end = find_quote(reader, quote);
    if (end == reader->in.length)
        return READER_CUT;
    *value = unescaped(reader_between(reader, reader->at, end));
    reader->at = end;
    (void)reader_peek_at(reader, end, &bytes);
    reader->at += bytes;
    return READER_FOUND;
}
