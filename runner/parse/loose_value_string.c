/* Strings: quotes of many kinds, escapes, and quotes without an escape. */
#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/parse/loose_value_private.h"

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
unsigned loose_value_closing_quote(uint32_t opening)
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
static bool member_begins(const struct loose_value_reader *reader, size_t at)
{
    struct loose_value_reader ahead = *reader;
    struct text_span name;
    size_t bytes;

    ahead.at = at;
    if (loose_value_closing_quote(loose_value_peek(&ahead, &bytes)) ||
        loose_value_one_of(loose_value_peek(&ahead, &bytes), "{[(<"))
        return true;
    if (!loose_value_read_name(&ahead, &name))
        return ahead.at >= ahead.in.length ||
               loose_value_one_of(loose_value_peek(&ahead, &bytes),
                                  "0123456789+-}])");
    loose_value_skip_space(&ahead);
    return loose_value_one_of(loose_value_peek(&ahead, &bytes), "=:,)]}(");
}

/* Is it the quote of a key, before which a comma was forgotten? */
static bool key_begins(const struct loose_value_reader *reader, size_t at)
{
    size_t bytes;
    unsigned quote =
        loose_value_closing_quote(loose_value_peek_at(reader, at, &bytes));
    struct loose_value_reader ahead = *reader;
    struct text_span name;

    ahead.at = at + bytes;
    if (!quote || !loose_value_read_name(&ahead, &name) ||
        loose_value_peek(&ahead, &bytes) != quote)
        return false;
    ahead.at = loose_value_after_space(&ahead, ahead.at + bytes);
    return loose_value_peek(&ahead, &bytes) == ':';
}

/*
 * Models forget to escape quotes. One that ends a string is followed by what
 * may follow a value, and one within it seldom is.
 */
static bool ends_string(const struct loose_value_reader *reader, size_t at)
{
    size_t bytes;
    unsigned next;

    while (loose_value_one_of(next = loose_value_peek_at(reader, at, &bytes),
                              " \t"))
        at += bytes;
    if (!next || loose_value_one_of(next, ")]}:;<\r\n") ||
        key_begins(reader, at))
        return true;
    return next == ',' &&
           member_begins(reader, loose_value_after_space(reader, at + bytes));
}

/* Where the string that is open here ends: at its quote, or the length. */
static size_t find_quote(const struct loose_value_reader *reader,
                         unsigned quote)
{
    size_t at = reader->at;
    size_t first = reader->in.length;

    while (at < reader->in.length) {
        size_t bytes;
        unsigned next =
            utf8_decode(reader->in.text + at, reader->in.length - at, &bytes);

        if (!parse_work_charge(reader->work, 1))
            return reader->in.length;
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
static bool hex_value(struct text_span in, size_t count, uint32_t *value)
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
static size_t take_unicode(struct text_span in, struct buf *out)
{
    uint32_t high;
    uint32_t low;

    if (!hex_value((struct text_span){in.text + 2, in.length - 2}, 4, &high))
        return 0;
    if (high >= 0xd800 && high < 0xdc00 && in.length >= 12 &&
        !memcmp(in.text + 6, "\\u", 2) &&
        hex_value((struct text_span){in.text + 8, in.length - 8}, 4, &low) &&
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
static size_t take_escape(struct text_span in, struct buf *out)
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

static struct cJSON *unescaped(struct text_span in)
{
    struct buf text = BUF_INIT(LOOSE_VALUE_STRING_MAX);
    struct cJSON *made;
    size_t at = 0;

    while (at < in.length) {
        if (in.text[at] == '\\') {
            at += take_escape((struct text_span){in.text + at, in.length - at},
                              &text);
        } else {
            buf_byte(&text, in.text[at]);
            at++;
        }
    }
    made = loose_value_new_string(
        (struct text_span){buf_cstr(&text), text.length});
    buf_release(&text);
    return made;
}

enum loose_value_result loose_value_string(struct loose_value_reader *reader,
                                           struct cJSON **value)
{
    static const char *const triples[] = {"\"\"\"", "'''"};
    struct text_span rest =
        loose_value_between(reader, reader->at, reader->in.length);
    size_t bytes;
    unsigned quote =
        loose_value_closing_quote(loose_value_peek(reader, &bytes));
    size_t end;

    for (size_t i = 0; i < ARRAY_LEN(triples); i++) {
        const char *close;

        if (rest.length < 6 || memcmp(rest.text, triples[i], 3) != 0)
            continue;
        close = memmem(rest.text + 3, rest.length - 3, triples[i], 3);
        (void)parse_work_charge(
            reader->work, close ? (size_t)(close - rest.text) : rest.length);
        if (!close)
            return LOOSE_VALUE_TRUNCATED;
        *value = unescaped(
            (struct text_span){rest.text + 3, (size_t)(close - rest.text) - 3});
        reader->at += (size_t)(close - rest.text) + 3;
        return LOOSE_VALUE_FOUND;
    }
    reader->at += bytes;
    end = find_quote(reader, quote);
    if (end == reader->in.length)
        return LOOSE_VALUE_TRUNCATED;
    *value = unescaped(loose_value_between(reader, reader->at, end));
    reader->at = end;
    (void)loose_value_peek_at(reader, end, &bytes);
    reader->at += bytes;
    return LOOSE_VALUE_FOUND;
}
