/* Expansion of variables: $name, ${name}, ${name#pattern} and similar. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/files/glob.h"
#include "tools/phone/shell/sh_arith.h"
#include "tools/phone/shell/sh_expander.h"

#define NAME_MAX_LENGTH 64

/*
 * ${name-word} and similar expansions; operand is the text behind the operator.
 */
struct sh_parameter {
    char name[NAME_MAX_LENGTH];
    const char *value; /* NULL: not set */
    char number[16];
    char operation; /* '-', '=', '+', '?', '#', '%', ':', '/'; 0: none */
    bool doubled;   /* "##", "%%", "//" */
    struct sh_span operand;
};

/* ---- names and values ---- */

static const char *positional(const struct sh *shell, size_t index)
{
    if (index == 0)
        return shell->name;
    return index <= shell->arg_count ? shell->args[index - 1] : NULL;
}

/* The value of a variable or special parameter; NULL if it is not set. */
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
        snprintf(number, 16, "%u", shell->pid);
        return number;
    case '!':
        if (!shell->background_pid)
            return NULL;
        snprintf(number, 16, "%u", shell->background_pid);
        return number;
    case '-':
        snprintf(number, 16, "%s%s%s", shell->errexit ? "e" : "",
                 shell->nounset ? "u" : "", shell->xtrace ? "x" : "");
        return number;
    default:
        return sh_vars_get(&shell->vars, name);
    }
}

size_t sh_parameter_length(const char *text, size_t length)
{
    size_t digits = 0;

    if (length && strchr("?#$!-@*", *text) && *text)
        return 1;
    while (digits < length && isdigit((unsigned char)text[digits]))
        digits++;
    return digits ? digits : sh_name_length(text, length);
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

static bool put_arguments(struct sh_expander *expander, bool quoted)
{
    const struct sh *shell = expander->shell;

    for (size_t i = 0; i < shell->arg_count; i++) {
        if (i && expander->fields && !sh_expander_end_field(expander))
            return false;
        if (i && !expander->fields)
            sh_expander_put(expander, ' ', quoted);
        expander->open = expander->open || quoted;
        if (!sh_expander_put_value(expander, shell->args[i], quoted))
            return false;
    }
    return true;
}

/* ---- parts and replacements of a value ---- */

/* How many bytes of value a pattern matches at its start (or end). */
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

static bool put_trimmed(struct sh_expander *expander,
                        const struct sh_parameter *parameter, bool quoted)
{
    struct buf pattern = BUF_INIT(SH_TEXT_MAX);
    const char *value = parameter->value;
    bool at_end = parameter->operation == '%';
    size_t length = strlen(value);
    char *kept;
    size_t cut;
    bool done;

    /* The work grows with the product of both lengths: limit it. */
    if (length > 4096 || parameter->operand.length > 256)
        return sh_expander_complain(expander, "bad substitution");
    if (!sh_expand_pattern(expander->shell, parameter->operand, expander->ports,
                           &pattern)) {
        buf_release(&pattern);
        return false;
    }
    cut = covered(value, buf_cstr(&pattern), at_end, parameter->doubled);
    kept = mem_dup_n(value + (at_end ? 0 : cut), length - cut);
    done = sh_expander_put_value(expander, kept, quoted);
    free(kept);
    buf_release(&pattern);
    return done;
}

/*
 * ${name:offset:length}: both are expressions; a negative offset counts from
 * the end.
 */
static bool put_part(struct sh_expander *expander,
                     const struct sh_parameter *parameter, bool quoted)
{
    const char *value = parameter->value;
    struct buf text = BUF_INIT(SH_TEXT_MAX);
    struct err err = ERR_INIT;
    int64_t size = (int64_t)strlen(value);
    int32_t numbers[2] = {0, INT32_MAX};
    bool done = sh_expand_text(expander->shell, parameter->operand,
                               expander->ports, &text);
    char *offset = mem_dup(buf_cstr(&text));
    char *length = strchr(offset, ':');
    int64_t begin;
    int64_t end;

    if (length)
        *length++ = '\0';
    if (done && (!sh_arith(offset, &expander->shell->vars, &numbers[0], &err) ||
                 (length && !sh_arith(length, &expander->shell->vars,
                                      &numbers[1], &err))))
        done = sh_expander_complain(expander, "bad substitution");
    begin = numbers[0] < 0 ? size + numbers[0] : numbers[0];
    end = numbers[1] < 0 ? size + numbers[1] : begin + numbers[1];
    if (end > size)
        end = size;
    if (done && begin >= 0 && begin < end) {
        char *part = mem_dup_n(value + begin, (size_t)(end - begin));

        done = sh_expander_put_value(expander, part, quoted);
        free(part);
    }
    free(offset);
    buf_release(&text);
    return done;
}

/* The longest match of a pattern at the start of text; 0: none. */
static size_t covered_front(const char *text, const char *pattern)
{
    size_t length = strlen(pattern);

    if (!glob_is_pattern(pattern))
        return strncmp(text, pattern, length) ? 0 : length;
    return covered(text, pattern, false, true);
}

/* ${name/pattern/text}; with "//" all matches are replaced. */
static bool put_replaced(struct sh_expander *expander,
                         const struct sh_parameter *parameter, bool quoted)
{
    const char *value = parameter->value;
    const char *operand = parameter->operand.data;
    const char *end = operand + parameter->operand.length;
    const char *slash = memchr(operand, '/', parameter->operand.length);
    struct buf pattern = BUF_INIT(SH_TEXT_MAX);
    struct buf by = BUF_INIT(SH_TEXT_MAX);
    struct buf text = BUF_INIT(SH_FIELD_BYTES_MAX);
    bool done;

    slash = slash ? slash : end;
    done =
        sh_expand_pattern(expander->shell,
                          (struct sh_span){operand, (size_t)(slash - operand)},
                          expander->ports, &pattern) &&
        (slash == end ||
         sh_expand_text(expander->shell,
                        (struct sh_span){slash + 1, (size_t)(end - slash - 1)},
                        expander->ports, &by));
    /* Every position is tried with every length: limit the product. */
    if (done && glob_is_pattern(buf_cstr(&pattern)) &&
        (strlen(value) > 512 || pattern.length > 64))
        done = sh_expander_complain(expander, "bad substitution");
    for (bool again = true; done && *value;) {
        size_t found = again && pattern.length
                           ? covered_front(value, buf_cstr(&pattern))
                           : 0;

        if (found)
            buf_append(&text, buf_cstr(&by), by.length);
        else
            buf_byte(&text, *value);
        value += found ? found : 1;
        again = again && (!found || parameter->doubled);
    }
    done = done && sh_expander_put_value(expander, buf_cstr(&text), quoted);
    buf_release(&pattern);
    buf_release(&by);
    buf_release(&text);
    return done;
}

/* ---- operators ---- */

static bool assign(struct sh_expander *expander,
                   const struct sh_parameter *parameter, bool quoted)
{
    struct buf value = BUF_INIT(SH_FIELD_BYTES_MAX);
    bool done = sh_expand_text(expander->shell, parameter->operand,
                               expander->ports, &value);

    if (done &&
        !sh_vars_set(&expander->shell->vars, parameter->name, buf_cstr(&value)))
        done = sh_expander_complain(expander, "out of memory");
    done = done && sh_expander_put_value(expander, buf_cstr(&value), quoted);
    buf_release(&value);
    return done;
}

/* ${name?word}: the word is the message. */
static bool complain_unset(struct sh_expander *expander,
                           const struct sh_parameter *parameter)
{
    struct buf why = BUF_INIT(SH_FIELD_BYTES_MAX);

    if (sh_expand_text(expander->shell, parameter->operand, expander->ports,
                       &why))
        sh_complain(expander->ports->errors, expander->shell->name, "%s: %s",
                    parameter->name,
                    why.length ? buf_cstr(&why) : "parameter null or not set");
    buf_release(&why);
    return false;
}

/*
 * A part of the value. The value is copied first: expanding the operand may
 * change the variable, as in ${x#$((x=1))}.
 */
static bool put_changed(struct sh_expander *expander,
                        const struct sh_parameter *parameter, bool quoted)
{
    struct sh_parameter own = *parameter;
    char *value = mem_dup(parameter->value ? parameter->value : "");
    bool done;

    own.value = value;
    done = own.operation == ':'   ? put_part(expander, &own, quoted)
           : own.operation == '/' ? put_replaced(expander, &own, quoted)
                                  : put_trimmed(expander, &own, quoted);
    free(value);
    return done;
}

static bool put_parameter(struct sh_expander *expander,
                          const struct sh_parameter *parameter, bool quoted)
{
    const char *operand = parameter->operand.data;
    const char *end = operand + parameter->operand.length;

    switch (parameter->operation) {
    case '-':
        return parameter->value
                   ? sh_expander_put_value(expander, parameter->value, quoted)
                   : sh_expander_expand(expander, operand, end, quoted);
    case '+':
        return !parameter->value ||
               sh_expander_expand(expander, operand, end, quoted);
    case '=':
        return parameter->value
                   ? sh_expander_put_value(expander, parameter->value, quoted)
                   : assign(expander, parameter, quoted);
    case '?':
        if (parameter->value)
            return sh_expander_put_value(expander, parameter->value, quoted);
        return complain_unset(expander, parameter);
    case '#':
    case '%':
    case ':':
    case '/':
        return put_changed(expander, parameter, quoted);
    default:
        if (parameter->value)
            return sh_expander_put_value(expander, parameter->value, quoted);
        if (!expander->shell->nounset)
            return true;
        sh_complain(expander->ports->errors, expander->shell->name,
                    "%s: parameter not set", parameter->name);
        return false;
    }
}

static bool put_length(struct sh_expander *expander, const char *name,
                       bool quoted)
{
    char number[16];
    const char *value = value_of(expander->shell, name, number);
    char length[24];

    snprintf(length, sizeof(length), "%zu", value ? strlen(value) : 0);
    return sh_expander_put_value(expander, length, quoted);
}

/* Parse the operator behind a name and its operand. */
static bool read_operation(struct sh_parameter *parameter, const char *at,
                           const char *end)
{
    bool colon = at < end && *at == ':';

    at += colon;
    if (at == end)
        return !colon;
    if (colon && !strchr("-=+?", *at)) {
        parameter->operation = ':';
        parameter->operand = (struct sh_span){at, (size_t)(end - at)};
        return true;
    }
    if (colon && parameter->value && !*parameter->value)
        parameter->value = NULL;
    if (!strchr(colon ? "-=+?" : "-=+?#%/", *at))
        return false;
    parameter->operation = *at++;
    if (strchr("#%/", parameter->operation) && at < end &&
        *at == parameter->operation) {
        parameter->doubled = true;
        at++;
    }
    parameter->operand = (struct sh_span){at, (size_t)(end - at)};
    return true;
}

/* ---- ${name} and $name ---- */

bool sh_expander_put_braced(struct sh_expander *expander, const char *at,
                            const char *end, bool quoted)
{
    struct sh_parameter parameter = {.operand = {"", 0}};
    bool length = end - at > 1 && *at == '#';
    size_t named;

    at += length;
    named = sh_parameter_length(at, (size_t)(end - at));
    if (!read_name(parameter.name, at, named) || (length && at + named != end))
        return sh_expander_complain(expander, "bad substitution");
    if (length)
        return put_length(expander, parameter.name, quoted);
    if (strchr("@*", *parameter.name))
        return put_arguments(expander, quoted);
    parameter.value =
        value_of(expander->shell, parameter.name, parameter.number);
    if (!read_operation(&parameter, at + named, end))
        return sh_expander_complain(expander, "bad substitution");
    return put_parameter(expander, &parameter, quoted);
}

bool sh_expander_put_plain(struct sh_expander *expander, const char *name,
                           size_t length, bool quoted)
{
    struct sh_parameter parameter = {.operand = {"", 0}};

    if (!read_name(parameter.name, name, length))
        return sh_expander_complain(expander, "bad substitution");
    if (strchr("@*", *parameter.name))
        return put_arguments(expander, quoted);
    parameter.value =
        value_of(expander->shell, parameter.name, parameter.number);
    return put_parameter(expander, &parameter, quoted);
}
