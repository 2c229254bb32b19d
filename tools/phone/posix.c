#include "tools/phone/posix.h"

#include <string.h>

#include "base/buf.h"

/* ---- from POSIX to PCRE ---- */

/* A set in brackets, in which POSIX knows no escapes; returns its end. */
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

/* What stands behind a backslash. */
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

/* Does a "*" here repeat nothing, and stand for itself? */
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

/* ---- the pattern ---- */

bool posix_open(const char *text, enum posix_kind kind, bool ignore_case,
                struct pattern **pattern, struct err *err)
{
    unsigned flags = PATTERN_BYTES | (ignore_case ? PATTERN_CASELESS : 0);
    struct buf translated = BUF_INIT(PATTERN_MAX);
    bool done;

    if (kind == POSIX_FIXED)
        return pattern_open(text, flags | PATTERN_LITERAL, pattern, err);
    put_posix(&translated, text, kind == POSIX_BASIC);
    if (translated.overflow)
        done = err_set(err, ERR_LIMIT, "the pattern is too long");
    else
        done = pattern_open(buf_cstr(&translated), flags, pattern, err);
    if (!done && err->code == ERR_INVALID) /* the place is not the caller's */
        err_set(err, ERR_INVALID, "bad pattern");
    buf_release(&translated);
    return done;
}
