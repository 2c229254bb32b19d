#include "tools/phone/pattern.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/buf.h"
#include "base/mem.h"

#define PATTERN_MAX ((size_t)4096)

/* What one match may take: more is the work of somebody who means harm. */
#define STEPS_MAX 100000U
#define HEAP_KIB_MAX 4096U
#define NESTING_MAX 32U

struct pattern {
    pcre2_code *code;
    pcre2_match_data *found;
    pcre2_match_context *limits;
};

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

static bool compile(struct pattern *pattern, const struct buf *text,
                    uint32_t flags, struct err *err)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    PCRE2_SIZE offset;
    int number;

    if (!context)
        mem_out();
    pcre2_set_parens_nest_limit(context, NESTING_MAX);
    pattern->code = pcre2_compile((PCRE2_SPTR)buf_cstr(text), text->length,
                                  flags, &number, &offset, context);
    pcre2_compile_context_free(context);
    if (!pattern->code)
        return err_set(err, ERR_INVALID, "bad pattern");
    pattern->found = pcre2_match_data_create(1, NULL);
    pattern->limits = pcre2_match_context_create(NULL);
    if (!pattern->found || !pattern->limits)
        mem_out();
    pcre2_set_match_limit(pattern->limits, STEPS_MAX);
    pcre2_set_depth_limit(pattern->limits, STEPS_MAX);
    pcre2_set_heap_limit(pattern->limits, HEAP_KIB_MAX);
    return true;
}

bool pattern_open(const char *text, enum pattern_kind kind, bool ignore_case,
                  struct pattern **pattern, struct err *err)
{
    struct buf translated = BUF_INIT(PATTERN_MAX);
    uint32_t flags = PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_UTF;
    struct pattern *opened = mem_new(1, sizeof(*opened));
    bool done;

    if (ignore_case)
        flags |= PCRE2_CASELESS;
    if (kind == PATTERN_FIXED) {
        flags = (flags & PCRE2_CASELESS) | PCRE2_LITERAL;
        buf_text(&translated, text);
    } else {
        put_posix(&translated, text, kind == PATTERN_BASIC);
    }
    if (translated.overflow)
        done = err_set(err, ERR_LIMIT, "the pattern is too long");
    else
        done = compile(opened, &translated, flags, err);
    buf_release(&translated);
    if (done)
        *pattern = opened;
    else
        pattern_close(opened);
    return done;
}

void pattern_close(struct pattern *pattern)
{
    if (!pattern)
        return;
    pcre2_match_context_free(pattern->limits);
    pcre2_match_data_free(pattern->found);
    pcre2_code_free(pattern->code);
    free(pattern);
}

bool pattern_find(struct pattern *pattern, const char *text, size_t length,
                  size_t *begin, size_t *end)
{
    const PCRE2_SIZE *found;

    if (pcre2_match(pattern->code, (PCRE2_SPTR)text, length, 0, 0,
                    pattern->found, pattern->limits) < 0)
        return false;
    found = pcre2_get_ovector_pointer(pattern->found);
    *begin = found[0];
    *end = found[1];
    return true;
}
