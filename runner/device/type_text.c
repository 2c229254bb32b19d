#include "runner/device/type_text.h"

#include <string.h>

#include "adb/services/shell.h"
#include "base/base64.h"
#include "base/macros.h"
#include "base/utf8.h"

/* Old phones accept commands of 4 KB; a quote may become four characters. */
#define PLAIN_CHUNK 500
#define BASE64_CHUNK 2400

#define FIRST_SDK_THAT_QUOTES 26

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
 * The script `input` of old phones passes its arguments on unquoted, so that
 * their shell would take "?" for the name of a file. There, and only for such
 * texts, the program behind the script is called.
 */
static const char *input_command(const char *word, int sdk)
{
    bool is_old = sdk > 0 && sdk < FIRST_SDK_THAT_QUOTES;

    return is_old && strpbrk(word, "*?[")
               ? "CLASSPATH=/system/framework/input.jar app_process "
                 "/system/bin com.android.commands.input.Input text "
               : "input text ";
}

/*
 * A space is "%s" on all versions of Android. So '%' before an 's' must be the
 * last character of a command.
 */
bool type_text_plain(const char *text, int sdk, size_t *at, struct buf *command)
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
    buf_text(command, input_command(buf_cstr(&word), sdk));
    shell_quote(command, buf_cstr(&word));
    buf_release(&word);
    return true;
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
    base64_append(text + *at, chunk, command);
    *at += chunk;
    return true;
}
