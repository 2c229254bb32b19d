/* Commands that generate text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/toybox/cmd.h"

#define ECHO_MAX ((size_t)2 << 20)

/* ---- escapes ---- */

/* Parse up to count digits of that base; moves *at behind them. */
static unsigned take_digits(const char **at, unsigned base, unsigned count)
{
    static const char digits[] = "0123456789abcdef";
    unsigned value = 0;

    while (count-- && **at) {
        const char *found = strchr(digits, **at | 0x20);

        if (**at <= '9')
            found = strchr(digits, **at);
        if (!found || (unsigned)(found - digits) >= base)
            break;
        value = value * base + (unsigned)(found - digits);
        (*at)++;
    }
    return value;
}

/*
 * Expand an escape behind a backslash at *at; false for \c, which ends the
 * output.
 */
static bool put_escape(struct buf *out, const char **at)
{
    static const char letters[] = "abefnrtv\\";
    static const char meanings[] = "\a\b\033\f\n\r\t\v\\";
    const char *found = **at ? strchr(letters, **at) : NULL;

    if (found) {
        (*at)++;
        buf_byte(out, meanings[found - letters]);
    } else if (**at == 'c') {
        return false;
    } else if (**at >= '0' && **at <= '7') {
        *at += **at == '0';
        buf_byte(out, (char)take_digits(at, 8, 3));
    } else if (**at == 'x') {
        (*at)++;
        buf_byte(out, (char)take_digits(at, 16, 2));
    } else {
        buf_byte(out, '\\');
    }
    return true;
}

static bool put_escaped(struct buf *out, const char *text)
{
    while (*text) {
        if (*text != '\\') {
            buf_byte(out, *text++);
            continue;
        }
        text++;
        if (!put_escape(out, &text))
            return false;
    }
    return true;
}

static void flush(struct command_call *call, struct buf *out)
{
    call_write(call, buf_cstr(out), out->length);
    buf_release(out);
}

/* ---- echo ---- */

/* -n and -e, in one argument or several. */
static bool is_echo_option(const char *word)
{
    return word[0] == '-' && word[1] && !word[1 + strspn(word + 1, "neE")];
}

static int run_echo(struct command_call *call)
{
    struct buf out = BUF_INIT(ECHO_MAX);
    bool newline = true;
    bool escapes = true; /* as in Android's shell */
    bool on = true;
    size_t i = 1;

    for (; i < call->argc && is_echo_option(call->argv[i]); i++) {
        newline = newline && !strchr(call->argv[i], 'n');
        escapes = !strchr(call->argv[i], 'E');
    }
    for (size_t first = i; on && i < call->argc; i++) {
        if (i > first)
            buf_byte(&out, ' ');
        if (escapes)
            on = put_escaped(&out, call->argv[i]);
        else
            buf_text(&out, call->argv[i]);
    }
    if (on && newline)
        buf_byte(&out, '\n');
    flush(call, &out);
    return 0;
}

/* ---- printf ---- */

#define WIDTH_MAX 4096

/* printf's arguments; each conversion consumes one. */
struct print {
    struct command_call *call;
    struct buf out;
    size_t next; /* the current argument */
    int status;
};

/* One conversion, such as "%-8.3s". */
struct conversion {
    bool left, zero, plus, alternate;
    int width;
    int precision; /* -1: none */
    char letter;
};

static const char *take_argument(struct print *print)
{
    return print->next < print->call->argc ? print->call->argv[print->next++]
                                           : "";
}

static long long number_argument(struct print *print)
{
    const char *text = take_argument(print);
    long long value;
    char *end;

    if (*text == '"' || *text == '\'')
        return (unsigned char)text[1];
    value = strtoll(text, &end, 0);
    if (*end || (end == text && *text))
        print->status = call_fail(print->call, "bad number '%.100s'", text);
    return value;
}

static int take_width(struct print *print, const char **at)
{
    char *end;
    long width;

    if (**at == '*') {
        (*at)++;
        width = (long)number_argument(print);
    } else {
        width = strtol(*at, &end, 10);
        *at = end;
    }
    return width < -WIDTH_MAX || width > WIDTH_MAX ? WIDTH_MAX : (int)width;
}

/* Parse the conversion behind a '%'; moves *at behind it. */
static struct conversion take_conversion(struct print *print, const char **at)
{
    struct conversion c = {.precision = -1};

    for (; **at && strchr("-0+# ", **at); (*at)++) {
        c.left = c.left || **at == '-';
        c.zero = c.zero || **at == '0';
        c.plus = c.plus || **at == '+';
        c.alternate = c.alternate || **at == '#';
    }
    if (**at == '*' || (**at >= '1' && **at <= '9'))
        c.width = take_width(print, at);
    if (c.width < 0) {
        c.left = true;
        c.width = -c.width;
    }
    if (**at == '.') {
        (*at)++;
        c.precision = take_width(print, at);
    }
    *at += strspn(*at, "hlLqjzt");
    c.letter = **at;
    *at += **at != 0;
    return c;
}

/* Print body with a sign or prefix, padded to the width. */
static void put_padded(struct buf *out, const struct conversion *c,
                       const char *prefix, const char *body)
{
    size_t length = strlen(prefix) + strlen(body);
    size_t width = (size_t)c->width;
    size_t padding = width > length ? width - length : 0;
    bool zeros = c->zero && !c->left;

    if (zeros)
        buf_text(out, prefix);
    for (size_t i = 0; !c->left && i < padding; i++)
        buf_byte(out, zeros ? '0' : ' ');
    if (!zeros)
        buf_text(out, prefix);
    buf_text(out, body);
    for (size_t i = 0; c->left && i < padding; i++)
        buf_byte(out, ' ');
}

static void put_number(struct print *print, const struct conversion *c)
{
    long long value = number_argument(print);
    bool is_signed = c->letter == 'd' || c->letter == 'i';
    bool negative = is_signed && value < 0;
    unsigned long long left = (unsigned long long)value;
    unsigned base = c->letter == 'o'                       ? 8
                    : c->letter == 'x' || c->letter == 'X' ? 16
                                                           : 10;
    const char *digits =
        c->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    char text[80];
    char *at = text + sizeof(text) - 1;
    const char *prefix = negative ? "-" : is_signed && c->plus ? "+" : "";
    struct conversion plain = *c;

    if (negative)
        left = 0 - left;
    *at = '\0';
    do {
        *--at = digits[left % base];
        left /= base;
    } while (left);
    while (text + sizeof(text) - 1 - at < c->precision && at > text)
        *--at = '0';
    plain.zero = c->zero && c->precision < 0;
    if (c->alternate && base == 16 && value)
        prefix = c->letter == 'X' ? "0X" : "0x";
    put_padded(&print->out, &plain, prefix, at);
}

static void put_float(struct print *print, const struct conversion *c)
{
    const char *text = take_argument(print);
    char digits[512];
    char *end;
    double value = strtod(text, &end);

    if (*end || (end == text && *text))
        print->status = call_fail(print->call, "bad number '%.100s'", text);
    if (c->letter == 'f')
        snprintf(digits, sizeof(digits), "%.*f",
                 c->precision < 0 ? 6 : c->precision, value);
    else
        snprintf(digits, sizeof(digits), "%.*g",
                 c->precision < 0 ? 6 : c->precision, value);
    put_padded(&print->out, c, "", digits);
}

static void put_text(struct print *print, const struct conversion *c)
{
    const char *text = take_argument(print);
    size_t length = strlen(text);
    struct conversion plain = *c;
    char *part;

    if (c->letter == 'c')
        length = length ? 1 : 0;
    else if (c->precision >= 0 && (size_t)c->precision < length)
        length = (size_t)c->precision;
    plain.zero = false;
    part = mem_dup_n(text, length);
    put_padded(&print->out, &plain, "", part);
    free(part);
}

/* False when printing must stop. */
static bool put_conversion(struct print *print, const char **at)
{
    struct conversion c = take_conversion(print, at);

    switch (c.letter) {
    case '%':
        buf_byte(&print->out, '%');
        return true;
    case 'b':
        return put_escaped(&print->out, take_argument(print));
    case 's':
    case 'c':
        put_text(print, &c);
        return true;
    case 'f':
    case 'g':
        put_float(print, &c);
        return true;
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        put_number(print, &c);
        return true;
    default:
        print->status = call_fail(print->call, "bad format @%c", c.letter);
        return false;
    }
}

/* Print the whole format once. */
static bool put_format(struct print *print, const char *format)
{
    bool on = true;

    while (on && *format) {
        char c = *format++;

        if (c == '\\')
            on = put_escape(&print->out, &format);
        else if (c == '%')
            on = put_conversion(print, &format);
        else
            buf_byte(&print->out, c);
    }
    return on;
}

/* The format is repeated while it consumes arguments and some are left. */
static int run_printf(struct command_call *call)
{
    struct print print = {.call = call, .out = BUF_INIT(ECHO_MAX), .next = 2};
    size_t before;

    if (call->argc < 2)
        return call_fail(call, "Needs 1 argument");
    do {
        before = print.next;
    } while (put_format(&print, call->argv[1]) && !print.out.overflow &&
             print.next > before && print.next < call->argc);
    flush(call, &print.out);
    return print.status;
}

/* ---- seq and yes ---- */

static int run_seq(struct command_call *call)
{
    long long numbers[3] = {1, 1, 1}; /* first, step, last */
    size_t count = call->argc - 1;

    if (count < 1 || count > 3)
        return call_fail(call, "Needs 1 argument");
    for (size_t i = 0; i < count; i++) {
        size_t at = i + 1 == count ? 2 : i;

        if (!call_number(call, call->argv[i + 1], -INT32_MAX, INT32_MAX,
                         &numbers[at]))
            return 1;
    }
    for (long long n = numbers[0];
         numbers[1] >= 0 ? n <= numbers[2] : n >= numbers[2]; n += numbers[1]) {
        if (!call_step(call))
            break;
        call_print(call, "%lld\n", n);
    }
    return 0;
}

/* Prints many lines at once, until the reader is gone. */
static int run_yes(struct command_call *call)
{
    struct buf line = BUF_INIT(ECHO_MAX);
    struct buf lines = BUF_INIT(ECHO_MAX);

    for (size_t i = 1; i < call->argc; i++)
        buf_printf(&line, "%s%s", i > 1 ? " " : "", call->argv[i]);
    if (call->argc < 2)
        buf_byte(&line, 'y');
    buf_byte(&line, '\n');
    do {
        buf_append(&lines, line.data, line.length);
    } while (lines.length < 4096);
    while (call_step(call))
        call_write(call, lines.data, lines.length);
    buf_release(&line);
    buf_release(&lines);
    return 0;
}

static const struct phone_command commands[] = {
    {"echo", run_echo, "[-neE] [TEXT...]"},
    {"printf", run_printf, "FORMAT [ARGUMENT...]"},
    {"seq", run_seq, "[FIRST] [STEP] LAST"},
    {"yes", run_yes, "[TEXT...]"},
};

const struct command_set text_commands = {commands, ARRAY_LEN(commands)};
