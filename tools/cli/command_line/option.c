#include "tools/cli/command_line/option.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/nearest_word.h"

/* A day is the longest timeout of one command. */
#define SECONDS_MAX 86400.0

/* The state of parsing a command line. */
struct parser {
    const struct syntax *syntax;
    char *const *argv;
    size_t count;
    size_t next; /* the argument to be read next */
    struct operand_words *words;
};

/* An option that was found, and the struct that it fills. */
struct found {
    const struct option *option;
    void *args;
};

void operand_words_release(struct operand_words *words)
{
    free(words->items);
    *words = (struct operand_words){0};
}

static void words_append(struct operand_words *words, const char *word)
{
    words->items = mem_resize(words->items, words->count + 1, sizeof(char *));
    words->items[words->count++] = word;
}

/* "proctor push", as people type it. */
static void name_command(const struct syntax *syntax, struct buf *text)
{
    buf_text(text, "proctor");
    if (syntax->command)
        buf_printf(text, " %s", syntax->command);
}

/* Fail with a message that ends in where to read on. Always false. */
static bool usage_error(const struct syntax *syntax, const char *problem,
                        struct err *err)
{
    struct buf command = BUF_INIT(64);

    name_command(syntax, &command);
    err_set(err, ERR_INVALID, "%s (see: %s --help)", problem,
            buf_cstr(&command));
    if (syntax->command)
        err_wrap(err, "%s", syntax->command);
    buf_release(&command);
    return false;
}

static bool find_letter(const struct option_group *groups, size_t group_count,
                        char letter, struct found *found)
{
    for (size_t g = 0; g < group_count; g++) {
        for (size_t i = 0; i < groups[g].count; i++) {
            if (groups[g].options[i].letter != letter)
                continue;
            *found = (struct found){&groups[g].options[i], groups[g].args};
            return true;
        }
    }
    return false;
}

static bool find_name(const struct option_group *groups, size_t group_count,
                      const char *name, size_t length, struct found *found)
{
    for (size_t g = 0; g < group_count; g++) {
        for (size_t i = 0; i < groups[g].count; i++) {
            const char *candidate = groups[g].options[i].name;

            if (strncmp(candidate, name, length) || candidate[length])
                continue;
            *found = (struct found){&groups[g].options[i], groups[g].args};
            return true;
        }
    }
    return false;
}

static bool unknown_name(const struct parser *parser, const char *name,
                         struct err *err)
{
    const struct syntax *syntax = parser->syntax;
    struct nearest_word nearest;
    char problem[160];

    nearest_word_init(&nearest, name);
    for (size_t g = 0; g < syntax->group_count; g++) {
        for (size_t i = 0; i < syntax->groups[g].count; i++)
            nearest_word_offer(&nearest, syntax->groups[g].options[i].name);
    }
    if (nearest.best)
        snprintf(problem, sizeof(problem),
                 "there is no option --%.40s; did you mean --%s?", name,
                 nearest.best);
    else
        snprintf(problem, sizeof(problem), "there is no option --%.40s", name);
    return usage_error(syntax, problem, err);
}

/* "any, none, brotli": for messages. */
static void list_choices(const char *const *choices, struct buf *text)
{
    for (size_t i = 0; choices[i]; i++)
        buf_printf(text, "%s%s", i ? ", " : "", choices[i]);
}

static bool find_choice(const char *const *choices, const char *value,
                        int *index)
{
    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], value))
            continue;
        *index = i;
        return true;
    }
    return false;
}

static bool parse_seconds(const char *value, double *seconds)
{
    char *end;
    double number;

    errno = 0;
    number = strtod(value, &end);
    if (errno || end == value || *end || !isfinite(number) || number <= 0 ||
        number > SECONDS_MAX)
        return false;
    *seconds = number;
    return true;
}

static bool bad_value(const struct parser *parser, const struct option *option,
                      const char *value, struct err *err)
{
    struct buf expected = BUF_INIT(256);
    char problem[256];

    if (option->choices)
        list_choices(option->choices, &expected);
    else
        buf_text(&expected, "a number of seconds such as 2.5, up to a day");
    snprintf(problem, sizeof(problem), "--%s cannot be \"%.40s\": give %s",
             option->name, value, buf_cstr(&expected));
    buf_release(&expected);
    return usage_error(parser->syntax, problem, err);
}

static bool add_text(const struct parser *parser, const struct option *option,
                     const char *value, struct option_texts *texts,
                     struct err *err)
{
    char problem[128];

    if (texts->count < OPTION_TEXTS_MAX) {
        texts->items[texts->count++] = value;
        return true;
    }
    snprintf(problem, sizeof(problem), "--%s may be given %d times at most",
             option->name, OPTION_TEXTS_MAX);
    return usage_error(parser->syntax, problem, err);
}

/* Put an option's value (NULL for a flag) where it belongs. */
static bool store(const struct parser *parser, struct found found,
                  const char *value, struct err *err)
{
    void *field = (char *)found.args + found.option->offset;

    assert(value || found.option->type == OPTION_FLAG);
    switch (found.option->type) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_TEXT:
        *(const char **)field = value;
        return true;
    case OPTION_TEXTS:
        return add_text(parser, found.option, value, field, err);
    case OPTION_SECONDS:
        return parse_seconds(value, field) ||
               bad_value(parser, found.option, value, err);
    case OPTION_CHOICE:
        return find_choice(found.option->choices, value, field) ||
               bad_value(parser, found.option, value, err);
    }
    return true;
}

/* The value of an option is the next argument. */
static bool take_value(struct parser *parser, const struct option *option,
                       const char **value, struct err *err)
{
    char problem[128];

    if (parser->next < parser->count) {
        *value = parser->argv[parser->next++];
        return true;
    }
    snprintf(problem, sizeof(problem), "--%s needs its %s: --%s=%s",
             option->name, option->argument, option->name, option->argument);
    return usage_error(parser->syntax, problem, err);
}

/* --name, --name=value, --name value */
static bool parse_long(struct parser *parser, const char *text, struct err *err)
{
    const struct syntax *syntax = parser->syntax;
    size_t length = strcspn(text, "=");
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    struct found found;
    char name[48];
    char problem[128];

    snprintf(name, sizeof(name), "%.*s", length > 40 ? 40 : (int)length, text);
    if (!find_name(syntax->groups, syntax->group_count, text, length, &found))
        return unknown_name(parser, name, err);
    if (value && !found.option->argument) {
        snprintf(problem, sizeof(problem), "--%s takes no value", name);
        return usage_error(syntax, problem, err);
    }
    if (!value && found.option->argument &&
        !take_value(parser, found.option, &value, err))
        return false;
    return store(parser, found, value, err);
}

/* -l, -lq, -s X, -sX */
static bool parse_letters(struct parser *parser, const char *letters,
                          struct err *err)
{
    const struct syntax *syntax = parser->syntax;
    struct found found;
    char problem[128];

    for (; *letters; letters++) {
        const char *value = NULL;

        if (!find_letter(syntax->groups, syntax->group_count, *letters,
                         &found)) {
            snprintf(problem, sizeof(problem), "there is no option -%c",
                     *letters);
            return usage_error(syntax, problem, err);
        }
        if (!found.option->argument) {
            if (!store(parser, found, NULL, err))
                return false;
            continue;
        }
        if (letters[1])
            value = letters + 1;
        else if (!take_value(parser, found.option, &value, err))
            return false;
        return store(parser, found, value, err);
    }
    return true;
}

/* How many words may come before a command line for the device. */
static size_t words_before_verbatim(const struct syntax *syntax)
{
    size_t before = 0;

    for (size_t i = 0; i < syntax->operand_count; i++) {
        if (syntax->operands[i].verbatim)
            return before;
        before += syntax->operands[i].max;
    }
    return SIZE_MAX;
}

bool option_parse(const struct syntax *syntax, char *const *argv, size_t count,
                  struct operand_words *words, struct err *err)
{
    struct parser parser = {syntax, argv, count, 0, words};
    size_t verbatim = words_before_verbatim(syntax);
    bool options_end = false;

    while (parser.next < count) {
        const char *text = argv[parser.next++];

        if (options_end || text[0] != '-' || !text[1]) {
            words_append(words, text);
            options_end = options_end || words->count > verbatim;
        } else if (!strcmp(text, "--")) {
            options_end = true;
        } else if (text[1] == '-') {
            if (!parse_long(&parser, text + 2, err))
                return false;
        } else if (!parse_letters(&parser, text + 1, err)) {
            return false;
        }
    }
    return true;
}

/* The operand that word number index of count falls to. */
static const struct operand *operand_of(const struct syntax *syntax,
                                        size_t index, size_t count)
{
    size_t spare = count; /* words beyond the required operands */
    size_t end = 0;

    for (size_t i = 0; i < syntax->operand_count; i++)
        spare -= syntax->operands[i].min;
    for (size_t i = 0; i < syntax->operand_count; i++) {
        const struct operand *operand = &syntax->operands[i];
        size_t more = operand->max - operand->min;

        more = more < spare ? more : spare;
        spare -= more;
        end += operand->min + more;
        if (index < end)
            return operand;
    }
    return NULL;
}

static bool check_choices(const struct syntax *syntax,
                          const struct operand_words *words, struct err *err)
{
    for (size_t i = 0; i < words->count; i++) {
        const struct operand *operand = operand_of(syntax, i, words->count);
        struct buf choices = BUF_INIT(160);
        char problem[240];
        int index;

        if (!operand || !operand->choices ||
            find_choice(operand->choices, words->items[i], &index))
            continue;
        list_choices(operand->choices, &choices);
        snprintf(problem, sizeof(problem), "%s cannot be \"%.40s\": give %s",
                 operand->name, words->items[i], buf_cstr(&choices));
        buf_release(&choices);
        return usage_error(syntax, problem, err);
    }
    return true;
}

bool option_check_words(const struct syntax *syntax,
                        const struct operand_words *words, struct err *err)
{
    size_t min = 0;
    size_t max = 0;
    char problem[128];

    for (size_t i = 0; i < syntax->operand_count; i++) {
        min += syntax->operands[i].min;
        max += syntax->operands[i].max;
        if (words->count >= min)
            continue;
        snprintf(problem, sizeof(problem), "%s is missing",
                 syntax->operands[i].name);
        return usage_error(syntax, problem, err);
    }
    if (words->count > max) {
        snprintf(problem, sizeof(problem), "\"%.60s\" is one argument too many",
                 words->items[max]);
        return usage_error(syntax, problem, err);
    }
    return check_choices(syntax, words, err);
}

/* Is the value of this option the next argument? */
static bool takes_next(const struct option_group *groups, size_t group_count,
                       const char *text)
{
    struct found found;

    if (text[1] == '-')
        return find_name(groups, group_count, text + 2, strlen(text + 2),
                         &found) &&
               found.option->argument;
    for (text++; *text; text++) {
        if (find_letter(groups, group_count, *text, &found) &&
            found.option->argument)
            return !text[1];
    }
    return false;
}

size_t option_skip(const struct option_group *groups, size_t group_count,
                   char *const *argv, size_t count)
{
    size_t next = 0;

    while (next < count && argv[next][0] == '-' && argv[next][1])
        next += takes_next(groups, group_count, argv[next]) ? 2 : 1;
    return next < count ? next : count;
}
