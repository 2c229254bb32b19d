#include "runner/type_text.h"

#include <string.h>

#include "adb/shell.h"
#include "base/macros.h"
#include "base/utf8.h"

/* Old phones take commands of 4 KB; a quote may become four characters. */
#define PLAIN_CHUNK 500
#define BASE64_CHUNK 2400

bool type_text_is_plain(const char *text, const char **why)
{
    for (const char *at = text; *at; at++) {
        if (*at == '\n' || *at == '\r') {
            *why = "it has several lines";
            return false;
        }
        if ((unsigned char)*at < ' ' || (unsigned char)*at == 0x7f) {
            *why = "it holds control characters";
            return false;
        }
        if ((unsigned char)*at >= 0x80) {
            *why = "it holds more than ASCII";
            return false;
        }
    }
    return true;
}

bool type_text_composes(const char *keyboard)
{
    static const char *const words[] = {
        "pinyin",  "sogou",   "baidu",   "iflytek",  "wubi",   "zhuyin",
        "cangjie", "qqinput", "chinese", "japanese", "korean", "hangul"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strcasestr(keyboard, words[i]))
            return true;
    }
    return false;
}

/*
 * A blank is "%s", which all Androids take for one. So '%' before an 's' must
 * be the last that one command types.
 */
bool type_text_plain(const char *text, size_t *at, struct buf *command)
{
    struct buf word = BUF_INIT(4 * PLAIN_CHUNK);
    size_t typed = 0;

    if (!text[*at])
        return false;
    while (text[*at] && typed < PLAIN_CHUNK) {
        char c = text[(*at)++];

        typed++;
        if (c == ' ')
            buf_text(&word, "%s");
        else
            buf_byte(&word, c);
        if (c == '%' && text[*at] == 's')
            break;
    }
    buf_text(command, "input text ");
    shell_quote(command, buf_cstr(&word));
    buf_release(&word);
    return true;
}

static void put_base64(const char *bytes, size_t length, struct buf *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned group = (unsigned)(unsigned char)bytes[i] << 16;

        if (left > 1)
            group |= (unsigned)(unsigned char)bytes[i + 1] << 8;
        if (left > 2)
            group |= (unsigned char)bytes[i + 2];
        buf_byte(out, letters[group >> 18]);
        buf_byte(out, letters[group >> 12 & 63]);
        buf_byte(out, left > 1 ? letters[group >> 6 & 63] : '=');
        buf_byte(out, left > 2 ? letters[group & 63] : '=');
    }
}

/* As many whole characters as fit. */
static size_t chunk_of(const char *text)
{
    size_t length = strlen(text);
    size_t chunk = 0;

    while (chunk < length) {
        size_t next = utf8_first(text + chunk, length - chunk);

        next = next ? next : 1;
        if (chunk + next > BASE64_CHUNK)
            break;
        chunk += next;
    }
    return chunk;
}

bool type_text_base64(const char *text, size_t *at, struct buf *command)
{
    size_t chunk = chunk_of(text + *at);

    if (!chunk)
        return false;
    buf_text(command, "am broadcast -a ADB_INPUT_B64 --es msg ");
    put_base64(text + *at, chunk, command);
    *at += chunk;
    return true;
}
