#include "tools/phone/toybox/grep_pattern.h"

#include <string.h>

#include "base/buf.h"

/* ---- from POSIX to PCRE ---- */

/* A bracket expression, in which POSIX has no escapes; returns its end. */
static const char *put_set(struct buf *out, const char *at)
{
    const char *first = at + 1;

    buf_byte(out, *at++);
    if (*at == '^') {
        buf_byte(out, *at++);
        first++;
    }
    while (*at && (*at != ']' || at == first)) {
        if (*at == '[' && at[1] && strchr(":.=", at[1])) {
            const char *end = strchr(at + 2, ']');

            while (end && at < end)
                buf_byte(out, *at++);
        }
        if (!*at)
            break;
        if (*at == '\\' || (*at == '[' && !strchr(":.=", at[1])))
            buf_byte(out, '\\');
        buf_byte(out, *at++);
    }
    if (*at)
        buf_byte(out, *at++);
    return at;
}

/* An escape behind a backslash. */
static void put_escaped(struct buf *out, char c, bool basic)
{
    if (c == '<' || c == '>') {
        buf_text(out, "\\b");
        return;
    }
    if (!basic || !strchr("(){}|+?", c))
        buf_byte(out, '\\');
    buf_byte(out, c);
}

/* Is a "*" at this position a plain character? */
static bool begins(const char *text, const char *at, bool basic)
{
    if (at == text || (at == text + 1 && *text == '^'))
        return true;
    if (basic)
        return at - text >= 2 && at[-2] == '\\' && strchr("(|", at[-1]);
    return strchr("(|", at[-1]);
}

static void put_posix(struct buf *out, const char *text, bool basic)
{
    const char *at = text;

    while (*at) {
        if (*at == '[') {
            at = put_set(out, at);
            continue;
        }
        if (*at == '\\' && at[1]) {
            put_escaped(out, *++at, basic);
        } else {
            if ((basic && strchr("(){}|+?", *at)) ||
                (*at == '*' && begins(text, at, basic)))
                buf_byte(out, '\\');
            buf_byte(out, *at);
        }
        at++;
    }
}

/* ---- compiling ---- */

bool grep_pattern_open(const char *text, enum grep_pattern_kind kind,
                       bool ignore_case, struct regex **pattern,
                       struct err *err)
{
    unsigned flags = REGEX_BYTES | (ignore_case ? REGEX_CASELESS : 0);
    struct buf translated = BUF_INIT(PATTERN_MAX);
    bool done;

    if (kind == GREP_PATTERN_FIXED)
        return regex_open(text, flags | REGEX_LITERAL, pattern, err);
    put_posix(&translated, text, kind == GREP_PATTERN_BASIC);
    if (translated.overflow)
        done = err_set(err, ERR_LIMIT, "the pattern is too long");
    else
        done = regex_open(buf_cstr(&translated), flags, pattern, err);
    if (!done &&
        err->code ==
            ERR_INVALID) /* its offset is not one of the caller's text */
        err_set(err, ERR_INVALID, "bad pattern");
    buf_release(&translated);
    return done;
}
