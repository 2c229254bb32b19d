#include "tools/phone/sh_expand.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/glob.h"
#include "tools/phone/sh_arith.h"

#define NAME_MAX_LENGTH 64

/* A word under way. */
struct expander {
    struct sh *shell;
    const struct sh_ports *ports;
    struct sh_fields *fields; /* NULL: everything is one text */
    struct buf text;          /* of the field under way */
    struct buf pattern;       /* the same, with a backslash where quoted */
    bool open;                /* there is a field, even if it is empty */
};

static bool expand(struct expander *expander, const char *at, const char *end,
                   bool quoted);

static bool complain(struct expander *expander, const char *what)
{
    sh_complain(expander->ports->errors, SH_NAME, "%s", what);
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

static bool add_field(struct expander *expander, const char *text)
{
    struct sh_fields *fields = expander->fields;
    char *copy = arena_text(&fields->arena, text, strlen(text));

    if (!copy || fields->count >= SH_FIELDS_MAX)
        return complain(expander, "Argument list too long");
    if ((fields->count & (fields->count + 1)) == 0)
        fields->items =
            mem_resize(fields->items, 2 * fields->count + 2, sizeof(char *));
    fields->items[fields->count++] = copy;
    fields->items[fields->count] = NULL;
    return true;
}

/* The files that the field matches; none: the field itself. */
static bool add_matches(struct expander *expander)
{
    struct sh_session *session = expander->shell->session;
    struct glob glob = GLOB_INIT;
    bool done;
    int number;

    done = glob_find(session->options.files, expander->shell->directory,
                     buf_cstr(&expander->pattern), &glob, &number);
    if (!done)
        return complain(expander, files_reason(number));
    if (!glob.count)
        done = add_field(expander, buf_cstr(&expander->text));
    for (size_t i = 0; done && i < glob.count; i++)
        done = add_field(expander, glob.paths[i]);
    glob_release(&glob);
    return done;
}

static bool end_field(struct expander *expander)
{
    bool done = true;

    if (!expander->open)
        return true;
    if (expander->text.overflow || expander->pattern.overflow)
        return complain(expander, "Argument list too long");
    if (glob_is_pattern(buf_cstr(&expander->pattern)))
        done = add_matches(expander);
    else
        done = add_field(expander, buf_cstr(&expander->text));
    buf_clear(&expander->text);
    buf_clear(&expander->pattern);
    expander->open = false;
    return done;
}

static void put(struct expander *expander, char c, bool quoted)
{
    expander->open = true;
    buf_byte(&expander->text, c);
    if (!expander->fields)
        return;
    if (quoted && strchr("*?[]!^-\\", c))
        buf_byte(&expander->pattern, '\\');
    buf_byte(&expander->pattern, c);
}

/* What a variable or command gave: outside quotes, blanks separate fields. */
static bool put_value(struct expander *expander, const char *value, bool quoted)
{
    for (; *value; value++) {
        bool blank = *value == ' ' || *value == '\t' || *value == '\n';

        if (quoted || !expander->fields || !blank)
            put(expander, *value, quoted || *value == '\\');
        else if (!end_field(expander))
            return false;
    }
    return true;
}

/* ---- substitutions ---- */

static bool put_output(struct expander *expander, const char *text,
                       size_t length, bool quoted)
{
    struct buf output = BUF_INIT(SH_CAPTURE_MAX);
    bool done;

    sh_capture(expander->shell, text, length, expander->ports, &output);
    while (output.length && output.data[output.length - 1] == '\n')
        buf_truncate(&output, output.length - 1);
    done = put_value(expander, buf_cstr(&output), quoted);
    buf_release(&output);
    return done;
}

/* In backquotes, a backslash goes before '`', '$' and itself. */
static bool put_backquoted(struct expander *expander, const char *at,
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

static bool put_sum(struct expander *expander, const char *at, const char *end,
                    bool quoted)
{
    struct buf text = BUF_INIT(SH_TEXT_MAX);
    char value[16];
    struct err err = ERR_INIT;
    int32_t sum = 0;
    bool done;

    done = sh_expand_text(expander->shell,
                          (struct sh_span){at, (size_t)(end - at)},
                          expander->ports, &text);
    if (done && !sh_arith(buf_cstr(&text), &expander->shell->vars, &sum, &err))
        done = complain(expander, err.text);
    buf_release(&text);
    snprintf(value, sizeof(value), "%ld", (long)sum);
    return done && put_value(expander, value, quoted);
}

/* ---- variables ---- */

static const char *positional(const struct sh *shell, size_t index)
{
    if (index == 0)
        return shell->name;
    return index <= shell->arg_count ? shell->args[index - 1] : NULL;
}

/* The value of a variable or of a special one; NULL when it is not set. */
static const char *value_of(const struct sh *shell, const char *name,
                            char number[static 16])
{
    if (isdigit((unsigned char)*name))
        return positional(shell, (size_t)strtoul(name, NULL, 10));
    switch (*name) {
    case '?':
        snprintf(number, 16, "%d", shell->status);
        return number;
    case '#':
        snprintf(number, 16, "%zu", shell->arg_count);
        return number;
    case '$':
        return "4242";
    case '!':
    case '-':
        return "";
    default:
        return sh_vars_get(&shell->vars, name);
    }
}

/* How many bytes at the front of text name something that has a value. */
static size_t parameter_length(const char *text, size_t length)
{
    size_t digits = 0;

    if (length && strchr("?#$!-@*", *text) && *text)
        return 1;
    while (digits < length && isdigit((unsigned char)text[digits]))
        digits++;
    return digits ? digits : sh_name_length(text, length);
}

static bool put_arguments(struct expander *expander, bool quoted)
{
    const struct sh *shell = expander->shell;

    for (size_t i = 0; i < shell->arg_count; i++) {
        if (i && expander->fields && !end_field(expander))
            return false;
        if (i && !expander->fields)
            put(expander, ' ', quoted);
        expander->open = expander->open || quoted;
        if (!put_value(expander, shell->args[i], quoted))
            return false;
    }
    return true;
}

/* ${name-word} and its kin; operand stands behind the operator. */
struct parameter {
    char name[NAME_MAX_LENGTH];
    const char *value; /* NULL: not set */
    char number[16];
    char operation; /* '-', '=', '+', '?', '#', '%'; 0: none */
    bool doubled;   /* "##", "%%" */
    struct sh_span operand;
};

/* How much of value a pattern covers at its front (or end). */
static size_t covered(const char *value, const char *pattern, bool at_end,
                      bool longest)
{
    size_t length = strlen(value);
    char *part = mem_dup(value);
    size_t found = 0;

    for (size_t n = 0; n <= length; n++) {
        size_t size = longest ? length - n : n;
        bool matches;

        if (at_end) {
            matches = glob_match(pattern, value + length - size);
        } else {
            part[size] = '\0';
            matches = glob_match(pattern, part);
            part[size] = value[size];
        }
        if (matches) {
            found = size;
            break;
        }
    }
    free(part);
    return found;
}

static bool put_trimmed(struct expander *expander,
                        const struct parameter *parameter, bool quoted)
{
    struct buf pattern = BUF_INIT(SH_TEXT_MAX);
    const char *value = parameter->value ? parameter->value : "";
    bool at_end = parameter->operation == '%';
    size_t length = strlen(value);
    char *kept;
    size_t cut;
    bool done;

    /* Both lengths multiply: keep their product small. */
    if (length > 4096 || parameter->operand.length > 256)
        return complain(expander, "bad substitution");
    if (!sh_expand_text(expander->shell, parameter->operand, expander->ports,
                        &pattern)) {
        buf_release(&pattern);
        return false;
    }
    cut = covered(value, buf_cstr(&pattern), at_end, parameter->doubled);
    kept = mem_dup_n(value + (at_end ? 0 : cut), length - cut);
    done = put_value(expander, kept, quoted);
    free(kept);
    buf_release(&pattern);
    return done;
}

static bool assign(struct expander *expander, const struct parameter *parameter,
                   bool quoted)
{
    struct buf value = BUF_INIT(SH_FIELD_BYTES_MAX);
    bool done = sh_expand_text(expander->shell, parameter->operand,
                               expander->ports, &value);

    if (done &&
        !sh_vars_set(&expander->shell->vars, parameter->name, buf_cstr(&value)))
        done = complain(expander, "out of memory");
    done = done && put_value(expander, buf_cstr(&value), quoted);
    buf_release(&value);
    return done;
}

static bool put_parameter(struct expander *expander,
                          const struct parameter *parameter, bool quoted)
{
    const char *operand = parameter->operand.data;
    const char *end = operand + parameter->operand.length;

    switch (parameter->operation) {
    case '-':
        return parameter->value ? put_value(expander, parameter->value, quoted)
                                : expand(expander, operand, end, quoted);
    case '+':
        return !parameter->value || expand(expander, operand, end, quoted);
    case '=':
        return parameter->value ? put_value(expander, parameter->value, quoted)
                                : assign(expander, parameter, quoted);
    case '?':
        if (parameter->value)
            return put_value(expander, parameter->value, quoted);
        sh_complain(expander->ports->errors, SH_NAME,
                    "%s: parameter null or not set", parameter->name);
        return false;
    case '#':
    case '%':
        return put_trimmed(expander, parameter, quoted);
    default:
        return !parameter->value ||
               put_value(expander, parameter->value, quoted);
    }
}

static bool put_length(struct expander *expander, const char *name, bool quoted)
{
    char number[16];
    const char *value = value_of(expander->shell, name, number);
    char length[24];

    snprintf(length, sizeof(length), "%zu", value ? strlen(value) : 0);
    return put_value(expander, length, quoted);
}

static bool read_name(char name[static NAME_MAX_LENGTH], const char *text,
                      size_t length)
{
    if (!length || length >= NAME_MAX_LENGTH)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    return true;
}

/* The operator behind a name, and what it works with. */
static bool read_operation(struct parameter *parameter, const char *at,
                           const char *end)
{
    bool colon = at < end && *at == ':';

    at += colon;
    if (colon && parameter->value && !*parameter->value)
        parameter->value = NULL;
    if (at == end)
        return !colon;
    if (!strchr(colon ? "-=+?" : "-=+?#%", *at))
        return false;
    parameter->operation = *at++;
    if (strchr("#%", parameter->operation) && at < end &&
        *at == parameter->operation) {
        parameter->doubled = true;
        at++;
    }
    parameter->operand = (struct sh_span){at, (size_t)(end - at)};
    return true;
}

/* What stands between the braces of ${...}. */
static bool put_braced(struct expander *expander, const char *at,
                       const char *end, bool quoted)
{
    struct parameter parameter = {.operand = {"", 0}};
    bool length = end - at > 1 && *at == '#';
    size_t named;

    at += length;
    named = parameter_length(at, (size_t)(end - at));
    if (!read_name(parameter.name, at, named) || (length && at + named != end))
        return complain(expander, "bad substitution");
    if (length)
        return put_length(expander, parameter.name, quoted);
    if (strchr("@*", *parameter.name))
        return put_arguments(expander, quoted);
    parameter.value =
        value_of(expander->shell, parameter.name, parameter.number);
    if (!read_operation(&parameter, at + named, end))
        return complain(expander, "bad substitution");
    return put_parameter(expander, &parameter, quoted);
}

static bool put_plain(struct expander *expander, const char *name,
                      size_t length, bool quoted)
{
    struct parameter parameter = {.operand = {"", 0}};

    if (!read_name(parameter.name, name, length))
        return complain(expander, "bad substitution");
    if (strchr("@*", *parameter.name))
        return put_arguments(expander, quoted);
    parameter.value =
        value_of(expander->shell, parameter.name, parameter.number);
    return put_parameter(expander, &parameter, quoted);
}

/* ---- text ---- */

/* A '$' and what belongs to it; *at is then behind it. */
static bool expand_dollar(struct expander *expander, const char **at,
                          const char *end, bool quoted)
{
    const char *begin = *at;
    size_t length;

    if (end - begin > 1 && (begin[1] == '(' || begin[1] == '{')) {
        *at = sh_lex_piece_end(begin, end);
        if (!*at)
            return complain(expander, "no closing quote");
        if (begin[1] == '{')
            return put_braced(expander, begin + 2, *at - 1, quoted);
        if (begin[2] == '(' && *at - begin > 4 && (*at)[-2] == ')')
            return put_sum(expander, begin + 3, *at - 2, quoted);
        return put_output(expander, begin + 2, (size_t)(*at - begin - 3),
                          quoted);
    }
    length = parameter_length(begin + 1, (size_t)(end - begin - 1));
    if (length > 1 && isdigit((unsigned char)begin[1]))
        length = 1; /* $10 is $1 and a 0 */
    *at = begin + 1 + length;
    if (!length) {
        put(expander, '$', quoted);
        return true;
    }
    return put_plain(expander, begin + 1, length, quoted);
}

/* A backslash; inside quotes it is one unless it takes a meaning away. */
static const char *expand_backslash(struct expander *expander, const char *at,
                                    const char *end, bool quoted)
{
    if (end - at < 2) {
        put(expander, '\\', true);
        return at + 1;
    }
    if (at[1] == '\n')
        return at + 2;
    if (quoted && !strchr("$`\"\\", at[1]))
        put(expander, '\\', true);
    put(expander, at[1], true);
    return at + 2;
}

/* A piece in quotes or backquotes; *at is then behind it. */
static bool expand_quoted(struct expander *expander, const char **at,
                          const char *end, bool quoted)
{
    const char *begin = *at;

    *at = sh_lex_piece_end(begin, end);
    if (!*at)
        return complain(expander, "no closing quote");
    if (*begin == '`')
        return put_backquoted(expander, begin + 1, *at - 1, quoted);
    expander->open = true;
    if (*begin == '"')
        return expand(expander, begin + 1, *at - 1, true);
    for (begin++; begin < *at - 1; begin++)
        put(expander, *begin, true);
    return true;
}

static bool expand(struct expander *expander, const char *at, const char *end,
                   bool quoted)
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
            put(expander, *at, quoted);
            at++;
        }
    }
    return done;
}

static void expander_release(struct expander *expander)
{
    buf_release(&expander->text);
    buf_release(&expander->pattern);
}

bool sh_expand_words(struct sh *shell, const struct sh_word *words,
                     const struct sh_ports *ports, struct sh_fields *fields)
{
    struct expander expander = {
        .shell = shell,
        .ports = ports,
        .fields = fields,
        .text = BUF_INIT(SH_FIELD_BYTES_MAX),
        .pattern = BUF_INIT(SH_FIELD_BYTES_MAX),
    };
    bool done = true;

    for (; done && words; words = words->next) {
        const char *text = words->text.data;

        done = expand(&expander, text, text + words->text.length, false) &&
               end_field(&expander);
    }
    expander_release(&expander);
    return done;
}

bool sh_expand_text(struct sh *shell, struct sh_span text,
                    const struct sh_ports *ports, struct buf *out)
{
    struct expander expander = {
        .shell = shell,
        .ports = ports,
        .text = BUF_INIT(SH_FIELD_BYTES_MAX),
    };
    bool done = expand(&expander, text.data, text.data + text.length, false);

    if (done)
        buf_append(out, buf_cstr(&expander.text), expander.text.length);
    if (done && (expander.text.overflow || out->overflow))
        done = complain(&expander, "Argument list too long");
    expander_release(&expander);
    return done;
}
