#include "judge/rules/answer_check.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/regex.h"
#include "base/utf8.h"

#define TEXT_MAX ((size_t)64 * 1024)

/* ---- characters ---- */

#define FULLWIDTH_FIRST 0xff01U
#define FULLWIDTH_LAST 0xff5eU
#define FULLWIDTH_SHIFT 0xfee0U
#define IDEOGRAPHIC_SPACE 0x3000U
#define IDEOGRAPHIC_STOP 0x3002U
#define NO_BREAK_SPACE 0xa0U
#define MINUS_SIGN 0x2212U

/* Full-width forms become their ASCII characters. */
static uint32_t narrow(uint32_t c)
{
    if (c >= FULLWIDTH_FIRST && c <= FULLWIDTH_LAST)
        return c - FULLWIDTH_SHIFT;
    if (c == IDEOGRAPHIC_SPACE || c == NO_BREAK_SPACE)
        return ' ';
    if (c == IDEOGRAPHIC_STOP)
        return '.';
    return c == MINUS_SIGN ? '-' : c;
}

/* To half width, and to lower case for ASCII. */
static void fold(const char *text, struct buf *out)
{
    size_t left = strlen(text);

    while (left > 0) {
        size_t bytes;
        uint32_t c = narrow(utf8_decode(text, left, &bytes));

        utf8_append(c < 0x80 ? (uint32_t)tolower((int)c) : c, out);
        text += bytes;
        left -= bytes;
    }
}

/* ---- exact ---- */

static bool is_around(char c)
{
    return isspace((unsigned char)c) || c == '"' || c == '\'' || c == '`' ||
           c == '.' || c == '!';
}

/* Remove blanks, and quotes and full stops at the ends. */
static void squeeze(const char *text, struct buf *out)
{
    struct buf folded = BUF_INIT(TEXT_MAX);
    const char *begin;
    const char *end;

    fold(text, &folded);
    begin = buf_cstr(&folded);
    end = begin + folded.length;
    while (begin < end && is_around(*begin))
        begin++;
    while (end > begin && is_around(end[-1]))
        end--;
    for (; begin < end; begin++) {
        if (!isspace((unsigned char)*begin))
            buf_byte(out, *begin);
    }
    buf_release(&folded);
}

static bool is_exact(const struct task_answer *answer, const char *said)
{
    struct buf spoken = BUF_INIT(TEXT_MAX);
    struct buf wanted = BUF_INIT(TEXT_MAX);
    bool right = false;

    squeeze(said, &spoken);
    for (size_t i = 0; !right && i < answer->values.count; i++) {
        buf_clear(&wanted);
        squeeze(answer->values.items[i], &wanted);
        right = !wanted.overflow && !spoken.overflow &&
                !strcmp(buf_cstr(&spoken), buf_cstr(&wanted));
    }
    buf_release(&spoken);
    buf_release(&wanted);
    return right;
}

/* ---- numbers ---- */

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* "12,345,678": groups of three digits after the first. */
static size_t grouped_length(const char *text)
{
    size_t length = count_digits(text);

    if (length == 0 || length > 3)
        return 0;
    while (text[length] == ',' && count_digits(text + length + 1) == 3)
        length += 4;
    return count_digits(text) < length ? length : 0;
}

/* Copy in the form that strtod reads: only the decimal point is kept. */
static const char *copy_number(const char *text, char *digits, size_t room)
{
    size_t grouped = grouped_length(text);
    size_t length = grouped ? grouped : count_digits(text);
    size_t used = 0;

    for (size_t i = 0; i < length && used + 1 < room; i++) {
        if (text[i] != ',')
            digits[used++] = text[i];
    }
    text += length;
    if ((*text == '.' || (*text == ',' && !grouped)) &&
        count_digits(text + 1) > 0) {
        size_t decimals = count_digits(text + 1);

        if (used + 1 < room)
            digits[used++] = '.';
        for (size_t i = 1; i <= decimals && used + 1 < room; i++)
            digits[used++] = text[i];
        text += decimals + 1;
    }
    digits[used] = '\0';
    return text;
}

/* A hyphen between two words is not a sign. */
static bool is_negative(const char *text, const char *at)
{
    return at > text && at[-1] == '-' &&
           (at - 1 == text || !isalnum((unsigned char)at[-2]));
}

const char *answer_number(const char *text, double *number)
{
    const char *at = text + strcspn(text, "0123456789");
    char digits[64];
    const char *end;
    bool negative;

    if (!*at)
        return NULL;
    negative = is_negative(text, at);
    end = copy_number(at, digits, sizeof(digits));
    *number = strtod(digits, NULL);
    if (negative)
        *number = -*number;
    return end;
}

static bool is_number(const struct task_answer *answer, const char *said)
{
    struct buf folded = BUF_INIT(TEXT_MAX);
    const char *at;
    double found = 0;
    double next = 0;
    bool right;

    fold(said, &folded);
    at = answer_number(buf_cstr(&folded), &found);
    right = at && fabs(found - answer->number) <= answer->tolerance;
    while (right && (at = answer_number(at, &next)))
        right = next == found;
    buf_release(&folded);
    return right;
}

/* ---- all ---- */

static bool is_like(const struct task_answer *answer, const char *said,
                    bool *right, struct err *err)
{
    struct regex *pattern;

    if (!regex_open(answer->pattern, REGEX_CASELESS, &pattern, err))
        return err_wrap(err, "the answer's pattern");
    *right = regex_matches(pattern, said);
    regex_close(pattern);
    return true;
}

bool answer_check(const struct task_answer *answer, const char *said,
                  bool *right, struct err *err)
{
    switch (answer->kind) {
    case TASK_ANSWER_EXACT:
        *right = is_exact(answer, said);
        return true;
    case TASK_ANSWER_NUMBER:
        *right = is_number(answer, said);
        return true;
    case TASK_ANSWER_PATTERN:
        return is_like(answer, said, right, err);
    case TASK_ANSWER_NONE:
        break;
    }
    *right = true;
    return true;
}

/* An escaped literal text, without the escapes. */
static bool is_literal(const char *pattern, struct buf *text)
{
    for (; *pattern; pattern++) {
        bool escaped = *pattern == '\\';

        pattern += escaped;
        if (escaped ? !*pattern || isalnum((unsigned char)*pattern)
                    : strchr("^$.[]|()?*+{}", *pattern) != NULL)
            return false;
        buf_byte(text, *pattern);
    }
    return true;
}

static void describe_pattern(const char *pattern, struct buf *out)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    if (is_literal(pattern, &text))
        buf_printf(out, "one with '%s'", buf_cstr(&text));
    else
        buf_printf(out, "like /%s/", pattern);
    buf_release(&text);
}

void answer_describe(const struct task_answer *answer, char *text, size_t size)
{
    struct buf out = BUF_INIT(TEXT_MAX);

    switch (answer->kind) {
    case TASK_ANSWER_EXACT:
        for (size_t i = 0; i < answer->values.count; i++)
            buf_printf(&out, "%s'%s'", i ? " or " : "",
                       answer->values.items[i]);
        break;
    case TASK_ANSWER_NUMBER:
        buf_printf(&out, "%g", answer->number);
        if (answer->tolerance > 0)
            buf_printf(&out, " ± %g", answer->tolerance);
        break;
    case TASK_ANSWER_PATTERN:
        describe_pattern(answer->pattern, &out);
        break;
    case TASK_ANSWER_NONE:
        break;
    }
    snprintf(text, size, "%s", buf_cstr(&out));
    buf_release(&out);
}
