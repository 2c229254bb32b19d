#include "tools/phone/toybox/sed_script.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/toybox/grep_pattern.h"

struct sed_parser {
    const char *at;
    bool extended;
    struct sed_script *script;
    size_t open[SED_DEPTH_MAX]; /* commands '{' that are not closed */
    size_t depth;
    struct err *err;
};

void sed_script_release(struct sed_script *script)
{
    for (size_t i = 0; i < script->count; i++) {
        struct sed_command *command = &script->commands[i];

        regex_close(command->from.pattern);
        regex_close(command->to.pattern);
        regex_close(command->pattern);
        free(command->text);
        free(command->other);
    }
    free(script->commands);
    *script = (struct sed_script){.count = 0};
}

static bool bad(struct sed_parser *parser)
{
    return err_set(parser->err, ERR_INVALID, "bad pattern '%.40s'", parser->at);
}

static void skip_blanks(struct sed_parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\t')
        parser->at++;
}

/*
 * Read up to the next delimiter, which is skipped. A delimiter is part of the
 * text behind a backslash and inside brackets.
 */
static bool take_until(struct sed_parser *parser, char delimiter, bool regex,
                       struct buf *text)
{
    const char *at = parser->at;
    bool set = false;

    for (; *at && (*at != delimiter || set); at++) {
        if (*at == '\\' && at[1] && !set) {
            if (at[1] == delimiter) {
                at++;
            } else if (at[1] == 'n') {
                buf_byte(text, regex ? '\n' : '\\');
                if (!regex)
                    buf_byte(text, 'n');
                at++;
                continue;
            } else {
                buf_byte(text, *at++);
            }
        } else if (regex && *at == '[' && !set) {
            set = true;
            buf_byte(text, *at);
            if (at[1] == '^')
                buf_byte(text, *++at);
            if (at[1] == ']')
                buf_byte(text, *++at);
            continue;
        } else if (*at == ']') {
            set = false;
        }
        buf_byte(text, *at);
    }
    if (!*at)
        return err_set(parser->err, ERR_INVALID, "no '%c'", delimiter);
    parser->at = at + 1;
    return true;
}

/* An empty regular expression stands for the one used last. */
static bool open_pattern(struct sed_parser *parser, const char *text,
                         bool caseless, struct regex **pattern)
{
    *pattern = NULL;
    return !*text || grep_pattern_open(text,
                                       parser->extended ? GREP_PATTERN_EXTENDED
                                                        : GREP_PATTERN_BASIC,
                                       caseless, pattern, parser->err);
}

/* ---- addresses ---- */

static long long take_number(struct sed_parser *parser)
{
    char *end;
    long long number = strtoll(parser->at, &end, 10);

    parser->at = end;
    return number;
}

static bool take_pattern_address(struct sed_parser *parser,
                                 struct sed_address *address)
{
    struct buf text = BUF_INIT(PATTERN_MAX);
    char delimiter;
    bool done;

    if (*parser->at == '\\')
        parser->at++;
    delimiter = *parser->at++;
    done = take_until(parser, delimiter, true, &text);
    if (done) {
        bool caseless = *parser->at == 'I';

        parser->at += caseless;
        done =
            open_pattern(parser, buf_cstr(&text), caseless, &address->pattern);
        address->kind = SED_ADDRESS_PATTERN;
    }
    buf_release(&text);
    return done;
}

static bool take_address(struct sed_parser *parser, struct sed_address *address)
{
    char c = *parser->at;

    if (isdigit((unsigned char)c)) {
        address->kind = SED_ADDRESS_LINE;
        address->number = take_number(parser);
        if (*parser->at == '~') {
            parser->at++;
            address->kind = SED_ADDRESS_STEP;
            address->step = take_number(parser);
        }
    } else if (c == '$') {
        parser->at++;
        address->kind = SED_ADDRESS_LAST;
    } else if (c == '/' || (c == '\\' && parser->at[1])) {
        return take_pattern_address(parser, address);
    }
    return true;
}

static bool take_addresses(struct sed_parser *parser,
                           struct sed_command *command)
{
    if (!take_address(parser, &command->from))
        return false;
    skip_blanks(parser);
    if (command->from.kind == SED_ADDRESS_NONE || *parser->at != ',')
        return true;
    parser->at++;
    skip_blanks(parser);
    if (*parser->at == '+') {
        parser->at++;
        command->to.kind = SED_ADDRESS_COUNT;
        command->to.number = take_number(parser);
        return true;
    }
    if (!take_address(parser, &command->to))
        return false;
    return command->to.kind != SED_ADDRESS_NONE || bad(parser);
}

/* ---- commands ---- */

static bool take_flags(struct sed_parser *parser, struct sed_command *command,
                       bool *caseless)
{
    for (;; parser->at++) {
        switch (*parser->at) {
        case 'g':
            command->global = true;
            break;
        case 'p':
            command->prints = true;
            break;
        case 'i':
        case 'I':
            *caseless = true;
            break;
        default:
            if (!isdigit((unsigned char)*parser->at))
                return true;
            command->nth = take_number(parser);
            parser->at--;
            break;
        }
    }
}

static bool take_substitution(struct sed_parser *parser,
                              struct sed_command *command)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX);
    struct buf text = BUF_INIT(SED_SCRIPT_MAX);
    char delimiter = *parser->at;
    bool caseless = false;
    bool done = delimiter && delimiter != '\n' && delimiter != '\\';

    if (!done) {
        bad(parser);
    } else {
        parser->at++;
        done = take_until(parser, delimiter, true, &pattern) &&
               take_until(parser, delimiter, false, &text) &&
               take_flags(parser, command, &caseless) &&
               open_pattern(parser, buf_cstr(&pattern), caseless,
                            &command->pattern);
    }
    command->text = mem_dup(buf_cstr(&text));
    buf_release(&pattern);
    buf_release(&text);
    return done;
}

/* y/abc/xyz/ */
static bool take_letters(struct sed_parser *parser, struct sed_command *command)
{
    struct buf from = BUF_INIT(SED_SCRIPT_MAX);
    struct buf to = BUF_INIT(SED_SCRIPT_MAX);
    char delimiter = *parser->at;
    bool done = delimiter && delimiter != '\n';

    if (!done) {
        bad(parser);
    } else {
        parser->at++;
        done = take_until(parser, delimiter, true, &from) &&
               take_until(parser, delimiter, true, &to);
        if (done && from.length != to.length)
            done = err_set(parser->err, ERR_INVALID, "bad y length");
    }
    command->text = mem_dup(buf_cstr(&from));
    command->other = mem_dup(buf_cstr(&to));
    buf_release(&from);
    buf_release(&to);
    return done;
}

/* The text of a, i and c: the rest of the line, or joined lines. */
static void take_text(struct sed_parser *parser, struct sed_command *command)
{
    struct buf text = BUF_INIT(SED_SCRIPT_MAX);

    skip_blanks(parser);
    if (*parser->at == '\\') {
        parser->at++;
        skip_blanks(parser);
        parser->at += *parser->at == '\n';
    }
    for (; *parser->at && *parser->at != '\n'; parser->at++) {
        if (*parser->at == '\\' && parser->at[1])
            parser->at++;
        buf_byte(&text, *parser->at);
    }
    buf_byte(&text, '\n');
    command->text = mem_dup(buf_cstr(&text));
    buf_release(&text);
}

static void take_label(struct sed_parser *parser, struct sed_command *command)
{
    size_t length;

    skip_blanks(parser);
    length = strcspn(parser->at, command->name == ':' ? "\n;" : "\n;}");
    while (length && isspace((unsigned char)parser->at[length - 1]))
        length--;
    command->text = mem_dup_n(parser->at, length);
    parser->at += length;
}

static bool open_block(struct sed_parser *parser)
{
    if (parser->depth >= SED_DEPTH_MAX)
        return err_set(parser->err, ERR_INVALID, "too many '{'");
    parser->open[parser->depth++] = parser->script->count - 1;
    return true;
}

static bool close_block(struct sed_parser *parser)
{
    if (!parser->depth)
        return err_set(parser->err, ERR_INVALID, "unexpected '}'");
    parser->script->commands[parser->open[--parser->depth]].jump =
        parser->script->count;
    return true;
}

static bool take_arguments(struct sed_parser *parser,
                           struct sed_command *command)
{
    switch (command->name) {
    case 's':
        return take_substitution(parser, command);
    case 'y':
        return take_letters(parser, command);
    case 'a':
    case 'i':
    case 'c':
        take_text(parser, command);
        return true;
    case ':':
    case 'b':
    case 't':
    case 'T':
        take_label(parser, command);
        return true;
    case '{':
        return open_block(parser);
    case '}':
        return close_block(parser);
    case 'q':
    case 'Q':
        skip_blanks(parser);
        command->nth = take_number(parser);
        return true;
    default:
        return strchr("pPdDnNhHgGxl=", command->name) || bad(parser);
    }
}

static bool take_command(struct sed_parser *parser)
{
    struct sed_script *script = parser->script;
    struct sed_command *command;

    if (script->count >= SED_COMMANDS_MAX)
        return err_set(parser->err, ERR_INVALID, "too many commands");
    script->commands = mem_resize(script->commands, script->count + 1,
                                  sizeof(*script->commands));
    command = &script->commands[script->count++];
    *command = (struct sed_command){.name = 0};
    if (!take_addresses(parser, command))
        return false;
    skip_blanks(parser);
    while (*parser->at == '!') {
        command->negated = true;
        parser->at++;
        skip_blanks(parser);
    }
    if (!*parser->at)
        return err_set(parser->err, ERR_INVALID, "no command");
    command->name = *parser->at++;
    if (!take_arguments(parser, command))
        return false;
    skip_blanks(parser);
    if (*parser->at && !strchr(";\n}#", *parser->at) && command->name != '{')
        return bad(parser);
    return true;
}

/* Resolve labels and jumps. */
static bool resolve(struct sed_script *script, struct err *err)
{
    for (size_t i = 0; i < script->count; i++) {
        struct sed_command *command = &script->commands[i];
        size_t to;

        if (!strchr("btT", command->name))
            continue;
        to = *command->text ? 0 : script->count;
        for (; to < script->count; to++) {
            if (script->commands[to].name == ':' &&
                !strcmp(script->commands[to].text, command->text))
                break;
        }
        if (*command->text && to == script->count)
            return err_set(err, ERR_INVALID, "no label '%.40s'", command->text);
        command->jump = to;
    }
    return true;
}

bool sed_script_parse(struct sed_script *script, const char *text,
                      bool extended, struct err *err)
{
    struct sed_parser parser = {
        .at = text, .extended = extended, .script = script, .err = err};

    for (;;) {
        while (*parser.at && strchr(" \t\n;", *parser.at))
            parser.at++;
        if (*parser.at == '#') {
            parser.at += strcspn(parser.at, "\n");
            continue;
        }
        if (!*parser.at)
            break;
        if (!take_command(&parser))
            return false;
    }
    if (parser.depth)
        return err_set(err, ERR_INVALID, "unclosed '{'");
    return resolve(script, err);
}
