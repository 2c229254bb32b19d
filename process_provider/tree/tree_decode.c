#include "process_provider/tree/tree_decode.h"

#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

static bool starts_with(const char *bytes, size_t length, const char *start,
                        size_t start_length)
{
    return length >= start_length && !memcmp(bytes, start, start_length);
}

/*
 * Append bytes converted from charset. What cannot be converted is skipped
 * byte by byte as U+FFFD. Returns how many bytes that were, or -1 where the
 * system does not know the charset.
 */
static long convert(const char *charset, const char *bytes, size_t length,
                    struct buf *text)
{
    iconv_t state = iconv_open("UTF-8", charset);
    char *from = (char *)(uintptr_t)bytes;
    char piece[4096];
    long skipped = 0;

    if (state == (iconv_t)-1)
        return -1;
    while (length) {
        char *to = piece;
        size_t room = sizeof(piece);
        size_t before = length;

        iconv(state, &from, &length, &to, &room);
        buf_append(text, piece, sizeof(piece) - room);
        if (length != before || room != sizeof(piece))
            continue;
        buf_text(text, "\xef\xbf\xbd");
        skipped++;
        from++;
        length--;
    }
    iconv_close(state);
    return skipped;
}

/* The charset that UTF-16 has here; NULL for other text. */
static const char *utf16_charset(const char *bytes, size_t length)
{
    if (starts_with(bytes, length, "\xff\xfe", 2) ||
        starts_with(bytes, length, "<\0", 2))
        return "UTF-16LE";
    if (starts_with(bytes, length, "\xfe\xff", 2) ||
        starts_with(bytes, length, "\0<", 2))
        return "UTF-16BE";
    return NULL;
}

static void decode_utf16(const char *charset, const char *bytes, size_t length,
                         struct buf *text, struct tree_repairs *repairs)
{
    long skipped;

    if (bytes[0] != '<' && bytes[0] != '\0') {
        bytes += 2;
        length -= 2;
        repairs->count[REPAIR_ENCODING_MARK]++;
    }
    skipped = convert(charset, bytes, length, text);
    repairs->count[REPAIR_UTF16]++;
    if (skipped > 0)
        repairs->count[REPAIR_INVALID_BYTES] += (uint32_t)skipped;
}

/* Characters of UTF-8 beyond ASCII, and bytes that are none. */
static void count_characters(const char *bytes, size_t length, size_t *valid,
                             size_t *invalid)
{
    size_t i = 0;

    *valid = *invalid = 0;
    while (i < length) {
        size_t size;

        if (!(bytes[i] & 0x80)) {
            i++;
            continue;
        }
        size = utf8_first(bytes + i, length - i);
        *valid += size != 0;
        *invalid += size == 0;
        i += size ? size : 1;
    }
}

/*
 * Almost every pair of bytes is a character in both GBK and CP949. But Korean
 * text stays within the 2,350 common syllables of CP949, while Chinese text
 * read as CP949 is half Hanja.
 */
static bool reads_as_korean(const struct buf *text)
{
    size_t syllables = 0;
    size_t others = 0;
    size_t size;

    for (size_t i = 0; i < text->length; i += size) {
        uint32_t character =
            utf8_decode(text->data + i, text->length - i, &size);

        if (character >= 0xac00 && character <= 0xd7a3)
            syllables++;
        else if (character >= 0x80)
            others++;
    }
    return syllables > 0 && syllables / 9 >= others;
}

static bool decode_double_byte(const char *bytes, size_t length,
                               size_t beyond_ascii, struct buf *text,
                               struct tree_repairs *repairs)
{
    /* A dump may be truncated, and have some invalid bytes. */
    long tolerated = 1 + (long)(beyond_ascii / 50);
    size_t start = text->length;
    struct buf korean = BUF_INIT(text->limit - start);
    long skipped = convert("CP949", bytes, length, &korean);
    enum tree_repair repair = REPAIR_CP949;

    if (skipped >= 0 && skipped <= tolerated && reads_as_korean(&korean)) {
        buf_append(text, korean.data, korean.length);
    } else {
        repair = REPAIR_GBK;
        skipped = convert("GBK", bytes, length, text);
    }
    buf_release(&korean);
    if (skipped < 0 || skipped > tolerated) {
        buf_truncate(text, start);
        return false;
    }
    repairs->count[repair]++;
    repairs->count[REPAIR_INVALID_BYTES] += (uint32_t)skipped;
    return true;
}

void tree_decode(const char *bytes, size_t length, struct buf *text,
                 struct tree_repairs *repairs)
{
    const char *charset = utf16_charset(bytes, length);
    size_t valid;
    size_t invalid;

    if (charset) {
        decode_utf16(charset, bytes, length, text, repairs);
        return;
    }
    if (starts_with(bytes, length, "\xef\xbb\xbf", 3)) {
        bytes += 3;
        length -= 3;
        repairs->count[REPAIR_ENCODING_MARK]++;
    }
    count_characters(bytes, length, &valid, &invalid);
    if (invalid > valid &&
        decode_double_byte(bytes, length, invalid, text, repairs))
        return;
    utf8_repair(bytes, length, text);
    repairs->count[REPAIR_INVALID_BYTES] += (uint32_t)invalid;
}
