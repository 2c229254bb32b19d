#include "base/shell/sh_quote.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"

static unsigned read_digits(const char **at, const char *end, unsigned base,
                            int most)
{
    unsigned number = 0;

    for (; most && *at < end && isxdigit((unsigned char)**at); most--) {
        char c = (char)tolower((unsigned char)**at);
        unsigned digit =
            (unsigned)(isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10);

        if (digit >= base)
            break;
        number = number * base + digit;
        ++*at;
    }
    return number;
}

static void put_escape(struct buf *text, const char **at, const char *end)
{
    static const char letters[] = "abefnrtv";
    static const char meanings[] = "\a\b\033\f\n\r\t\v";
    char c = *(*at)++;
    const char *letter = strchr(letters, c);

    if (letter && c)
        buf_byte(text, meanings[letter - letters]);
    else if (c == 'x')
        buf_byte(text, (char)read_digits(at, end, 16, 2));
    else if (c == 'u')
        utf8_append(read_digits(at, end, 16, 4), text);
    else if (c == 'U')
        utf8_append(read_digits(at, end, 16, 8), text);
    else if (c >= '0' && c <= '7') {
        --*at;
        buf_byte(text, (char)read_digits(at, end, 8, 3));
    } else
        buf_byte(text, c);
}

void sh_quote_text(struct sh_span quoted, struct buf *text)
{
    const char *at = quoted.data;
    const char *end = at + quoted.length;

    while (at < end) {
        if (*at == '\\' && end - at > 1) {
            at++;
            put_escape(text, &at, end);
        } else {
            buf_byte(text, *at++);
        }
    }
}
