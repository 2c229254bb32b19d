#include "tools/report_html/html.h"

#include <string.h>

#include "base/base64.h"
#include "base/clean_text.h"
#include "base/json_write.h"
#include "base/sha256.h"
#include "base/utf8.h"

/* U+FFFE, U+FFFF and similar characters, which XML does not allow. */
static bool is_noncharacter(uint32_t character)
{
    return (character & 0xfffe) == 0xfffe;
}

static void append_character(struct buf *html, uint32_t character)
{
    switch (character) {
    case '&':
        buf_text(html, "&amp;");
        break;
    case '<':
        buf_text(html, "&lt;");
        break;
    case '>':
        buf_text(html, "&gt;");
        break;
    case '"':
        buf_text(html, "&quot;");
        break;
    case '\'':
        buf_text(html, "&#39;");
        break;
    case '\n':
    case '\t':
        buf_byte(html, (char)character);
        break;
    default:
        utf8_append(text_is_control(character) || is_noncharacter(character)
                        ? UTF8_REPLACEMENT
                        : character,
                    html);
        break;
    }
}

void html_text(struct buf *html, const char *text)
{
    size_t length = strlen(text);

    while (length) {
        size_t bytes;

        append_character(html, utf8_decode(text, length, &bytes));
        text += bytes;
        length -= bytes;
    }
}

void html_json(struct buf *html, const struct cJSON *tree)
{
    struct buf text = BUF_INIT(html->limit);
    size_t from = 0;

    json_format(tree, &text);
    /* "<" occurs only in strings, where this escape means the same. */
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] != '<')
            continue;
        buf_append(html, text.data + from, i - from);
        buf_text(html, "\\u003c");
        from = i + 1;
    }
    if (text.length)
        buf_append(html, text.data + from, text.length - from);
    html->overflow = html->overflow || text.overflow;
    buf_release(&text);
}

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

void html_source_hash(struct buf *html, const char *text, size_t length)
{
    char hex[SHA256_HEX_SIZE];
    unsigned char raw[(SHA256_HEX_SIZE - 1) / 2];

    sha256_hex(text, length, hex);
    for (size_t i = 0; i < sizeof(raw); i++)
        raw[i] =
            (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    buf_text(html, "'sha256-");
    html_base64(html, raw, sizeof(raw));
    buf_byte(html, '\'');
}

void html_base64(struct buf *html, const void *bytes, size_t length)
{
    char *letters = buf_reserve(html, base64_size(length));

    if (!letters)
        return;
    base64_encode(bytes, length, letters);
    buf_commit(html, base64_size(length));
}
