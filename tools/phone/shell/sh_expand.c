#include "tools/phone/shell/sh_expand.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/shell/sh_quote.h"
#include "tools/phone/files/glob.h"
#include "tools/phone/shell/sh_arith.h"
#include "tools/phone/shell/sh_expander.h"

bool sh_expander_complain(struct sh_expander *expander, const char *what)
{
    sh_complain(expander->ports->errors, expander->shell->name, "%s", what);
    return false;
}

/* ---- fields ---- */

void sh_fields_release(struct sh_fields *fields)
{
    free(fields->items);
    arena_release(&fields->arena);
    fields->items = NULL;
    fields->count = 0;
}

static bool fields_add(struct sh_fields *fields, const char *text)
{
    char *copy = arena_text(&fields->arena, text, strlen(text));

    if (!copy || fields->count >= SH_FIELDS_MAX)
        return false;
    if ((fields->count & (fields->count + 1)) == 0)
        fields->items =
            mem_resize(fields->items, 2 * fields->count + 2, sizeof(char *));
    fields->items[fields->count++] = copy;
    fields->items[fields->count] = NULL;
    return true;
}

bool sh_fields_add_all(struct sh_fields *fields, char *const *words,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!fields_add(fields, words[i]))
            return false;
    }
    return true;
}

static bool add_field(struct sh_expander *expander, const char *text)
{
    return fields_add(expander->fields, text) ||
           sh_expander_complain(expander, "Argument list too long");
}

/* Add the files that match the field; without a match, the field itself. */
static bool add_matches(struct sh_expander *expander)
{
    struct sh_session *session = expander->shell->session;
    struct phone_glob glob = GLOB_INIT;
    bool done;
    int number;

    done = glob_find(session->options.files, expander->shell->directory,
                     buf_cstr(&expander->pattern), &glob, &number);
    if (!done)
        return sh_expander_complain(expander, files_reason(number));
    if (!glob.count)
        done = add_field(expander, buf_cstr(&expander->text));
    for (size_t i = 0; done && i < glob.count; i++)
        done = add_field(expander, glob.paths[i]);
    glob_release(&glob);
    return done;
}

bool sh_expander_end_field(struct sh_expander *expander)
{
    bool done = true;

    if (!expander->open)
        return true;
    if (expander->text.overflow || expander->pattern.overflow)
        return sh_expander_complain(expander, "Argument list too long");
    if (glob_is_pattern(buf_cstr(&expander->pattern)))
        done = add_matches(expander);
    else
        done = add_field(expander, buf_cstr(&expander->text));
    buf_clear(&expander->text);
    buf_clear(&expander->pattern);
    expander->open = false;
    return done;
}

void sh_expander_put(struct sh_expander *expander, char c, bool quoted)
{
    expander->open = true;
    buf_byte(&expander->text, c);
    if (!expander->fields && !expander->keeps_pattern)
        return;
    if (quoted && strchr("*?[]!^-\\", c))
        buf_byte(&expander->pattern, '\\');
    buf_byte(&expander->pattern, c);
}

bool sh_expander_put_value(struct sh_expander *expander, const char *value,
                           bool quoted)
{
    /* A stop request is noticed before the next command. */
    (void)!sh_step(expander->shell->session, strlen(value) / SH_STEP_BYTES);
    for (; *value; value++) {
        bool blank = *value == ' ' || *value == '\t' || *value == '\n';

        if (quoted || !expander->fields || !blank)
            sh_expander_put(expander, *value, quoted || *value == '\\');
        else if (!sh_expander_end_field(expander))
            return false;
    }
    return true;
}

/* ---- substitutions ---- */

static bool put_output(struct sh_expander *expander, const char *text,
                       size_t length, bool quoted)
{
    struct buf output = BUF_INIT(SH_CAPTURE_MAX);
    bool done;

    sh_capture(expander->shell, text, length, expander->ports, &output);
    while (output.length && output.data[output.length - 1] == '\n')
        buf_truncate(&output, output.length - 1);
    done = sh_expander_put_value(expander, buf_cstr(&output), quoted);
    buf_release(&output);
    return done;
}

/* In backquotes, a backslash is removed before '`', '$' and '\'. */
static bool put_backquoted(struct sh_expander *expander, const char *at,
                           const char *end, bool quoted)
{
    struct buf text = BUF_INIT(SH_TEXT_MAX);
    bool done;

    for (; at < end; at++) {
        if (*at == '\\' && end - at > 1 && strchr("`$\\", at[1]))
            at++;
        buf_byte(&text, *at);
    }
    done = put_output(expander, buf_cstr(&text), text.length, quoted);
    buf_release(&text);
    return done;
}

static bool put_sum(struct sh_expander *expander, const char *at,
                    const char *end, bool quoted)
{
    struct buf text = BUF_INIT(SH_TEXT_MAX);
    char value[16];
    struct err err = ERR_INIT;
    int32_t sum = 0;
    bool done;

    done = sh_expand_text(expander->shell,
                          (struct sh_span){at, (size_t)(end - at)},
                          expander->ports, &text);
    if (done &&
        !sh_arith(buf_cstr(&text), &expander->shell->vars, &sum, &err)) {
        sh_complain(expander->ports->errors, expander->shell->name,
                    "%.200s: %s", buf_cstr(&text), err.text);
        done = false;
    }
    buf_release(&text);
    snprintf(value, sizeof(value), "%ld", (long)sum);
    return done && sh_expander_put_value(expander, value, quoted);
}

/* ---- text ---- */

/* Expand $'...', and move *at behind it. */
static bool put_dollar_quoted(struct sh_expander *expander, const char **at,
                              const char *end)
{
    const char *begin = *at;
    struct buf text = BUF_INIT(SH_FIELD_BYTES_MAX);

    *at = sh_lex_piece_end(begin, end);
    if (!*at)
        return sh_expander_complain(expander, "no closing quote");
    sh_quote_text((struct sh_span){begin + 2, (size_t)(*at - begin) - 3},
                  &text);
    expander->open = true;
    for (size_t i = 0; i < text.length && text.data[i]; i++)
        sh_expander_put(expander, text.data[i], true);
    buf_release(&text);
    return true;
}

/* Expand a '$' and what belongs to it, and move *at behind it. */
static bool expand_dollar(struct sh_expander *expander, const char **at,
                          const char *end, bool quoted)
{
    const char *begin = *at;
    size_t length;

    if (end - begin > 1 && (begin[1] == '(' || begin[1] == '{')) {
        *at = sh_lex_piece_end(begin, end);
        if (!*at)
            return sh_expander_complain(expander, "no closing quote");
        if (begin[1] == '{')
            return sh_expander_put_braced(expander, begin + 2, *at - 1, quoted);
        if (begin[2] == '(' && *at - begin > 4 && (*at)[-2] == ')')
            return put_sum(expander, begin + 3, *at - 2, quoted);
        return put_output(expander, begin + 2, (size_t)(*at - begin - 3),
                          quoted);
    }
    if (end - begin > 1 && begin[1] == '\'' && !quoted)
        return put_dollar_quoted(expander, at, end);
    length = sh_parameter_length(begin + 1, (size_t)(end - begin - 1));
    if (length > 1 && isdigit((unsigned char)begin[1]))
        length = 1; /* $10 is $1 followed by 0 */
    *at = begin + 1 + length;
    if (!length) {
        sh_expander_put(expander, '$', quoted);
        return true;
    }
    return sh_expander_put_plain(expander, begin + 1, length, quoted);
}

/* A backslash: inside double quotes it escapes only special characters. */
static const char *expand_backslash(struct sh_expander *expander,
                                    const char *at, const char *end,
                                    bool quoted)
{
    if (end - at < 2) {
        sh_expander_put(expander, '\\', true);
        return at + 1;
    }
    if (at[1] == '\n')
        return at + 2;
    if (quoted && !strchr("$`\"\\", at[1]))
        sh_expander_put(expander, '\\', true);
    sh_expander_put(expander, at[1], true);
    return at + 2;
}

/* A quoted or backquoted piece; moves *at behind it. */
static bool expand_quoted(struct sh_expander *expander, const char **at,
                          const char *end, bool quoted)
{
    const char *begin = *at;

    *at = sh_lex_piece_end(begin, end);
    if (!*at)
        return sh_expander_complain(expander, "no closing quote");
    if (*begin == '`')
        return put_backquoted(expander, begin + 1, *at - 1, quoted);
    expander->open = true;
    if (*begin == '"')
        return sh_expander_expand(expander, begin + 1, *at - 1, true);
    for (begin++; begin < *at - 1; begin++)
        sh_expander_put(expander, *begin, true);
    return true;
}

bool sh_expander_expand(struct sh_expander *expander, const char *at,
                        const char *end, bool quoted)
{
    bool done = true;

    while (done && at < end) {
        if (*at == '\\') {
            at = expand_backslash(expander, at, end, quoted);
        } else if (*at == '$') {
            done = expand_dollar(expander, &at, end, quoted);
        } else if (*at == '`' || (!quoted && (*at == '"' || *at == '\''))) {
            done = expand_quoted(expander, &at, end, quoted);
        } else {
            sh_expander_put(expander, *at, quoted);
            at++;
        }
    }
    return done;
}

static void expander_release(struct sh_expander *expander)
{
    buf_release(&expander->text);
    buf_release(&expander->pattern);
}

bool sh_expand_words(struct sh *shell, const struct sh_word *words,
                     const struct sh_ports *ports, struct sh_fields *fields)
{
    struct sh_expander expander = {
        .shell = shell,
        .ports = ports,
        .fields = fields,
        .text = BUF_INIT(SH_FIELD_BYTES_MAX),
        .pattern = BUF_INIT(SH_FIELD_BYTES_MAX),
    };
    bool done = true;

    for (; done && words; words = words->next) {
        const char *text = words->text.data;

        done = sh_expander_expand(&expander, text, text + words->text.length,
                                  false) &&
               sh_expander_end_field(&expander);
    }
    expander_release(&expander);
    return done;
}

/*
 * The expansion as one text; pattern: with a backslash before quoted
 * characters.
 */
static bool expand_one(struct sh *shell, struct sh_span text,
                       const struct sh_ports *ports, bool quoted, bool pattern,
                       struct buf *out)
{
    struct sh_expander expander = {
        .shell = shell,
        .ports = ports,
        .text = BUF_INIT(SH_FIELD_BYTES_MAX),
        .pattern = BUF_INIT(SH_FIELD_BYTES_MAX),
        .keeps_pattern = pattern,
    };
    struct buf *made = pattern ? &expander.pattern : &expander.text;
    bool done = sh_expander_expand(&expander, text.data,
                                   text.data + text.length, quoted);

    if (done)
        buf_append(out, buf_cstr(made), made->length);
    if (done && (made->overflow || out->overflow))
        done = sh_expander_complain(&expander, "Argument list too long");
    expander_release(&expander);
    return done;
}

bool sh_expand_text(struct sh *shell, struct sh_span text,
                    const struct sh_ports *ports, struct buf *out)
{
    return expand_one(shell, text, ports, false, false, out);
}

bool sh_expand_pattern(struct sh *shell, struct sh_span text,
                       const struct sh_ports *ports, struct buf *out)
{
    return expand_one(shell, text, ports, false, true, out);
}

bool sh_expand_here(struct sh *shell, struct sh_span text,
                    const struct sh_ports *ports, struct buf *out)
{
    return expand_one(shell, text, ports, true, false, out);
}
