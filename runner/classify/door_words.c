#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/shell/sh_quote.h"
#include "runner/classify/door_shell.h"

struct expansion {
    struct door_shell *shell;
    struct buf text;
    bool known;
};

static void expand(struct expansion *expansion, const char *at, const char *end,
                   bool quoted);

/* ---- variables ---- */

/* As Android's init sets them. */
static const struct {
    const char *name;
    const char *value;
} defaults[] = {
    {"EXTERNAL_STORAGE", "/sdcard"},
    {"ANDROID_DATA", "/data"},
    {"ANDROID_ROOT", "/system"},
    {"TMPDIR", "/data/local/tmp"},
};

static struct door_variable *find_variable(struct door_shell *shell,
                                           const char *name, size_t length)
{
    for (size_t i = 0; i < shell->variable_count; i++) {
        struct door_variable *variable = &shell->variables[i];

        if (strlen(variable->name) == length &&
            !memcmp(variable->name, name, length))
            return variable;
    }
    return NULL;
}

const char *door_shell_variable(const struct door_shell *shell,
                                const char *name, size_t length)
{
    const struct door_variable *variable =
        find_variable((struct door_shell *)shell, name, length);

    if (variable)
        return variable->known ? variable->value : NULL;
    for (size_t i = 0; i < ARRAY_LEN(defaults); i++) {
        if (strlen(defaults[i].name) == length &&
            !memcmp(defaults[i].name, name, length))
            return defaults[i].value;
    }
    return NULL;
}

void door_shell_set(struct door_shell *shell, const char *name, size_t length,
                    const char *value)
{
    struct door_variable *variable = find_variable(shell, name, length);

    if (!variable && shell->variable_count < DOOR_VARIABLES_MAX)
        variable = &shell->variables[shell->variable_count++];
    if (!variable)
        return;
    if (length >= sizeof(variable->name))
        length = 0; /* a name that nothing matches */
    memcpy(variable->name, name, length);
    variable->name[length] = '\0';
    variable->known = value && strlen(value) < sizeof(variable->value);
    if (variable->known)
        memcpy(variable->value, value, strlen(value) + 1);
}

/* Unquoted, a value that would become several words is not known. */
static void put_variable(struct expansion *expansion, const char *name,
                         size_t length, bool quoted)
{
    const char *value = door_shell_variable(expansion->shell, name, length);

    if (!value || (!quoted && (!*value || strpbrk(value, " \t\n*?[")))) {
        expansion->known = false;
        return;
    }
    buf_text(&expansion->text, value);
}

/* ---- substitutions ---- */

/* The commands run, and what they print is not known. */
static void substitute(struct expansion *expansion, const char *begin,
                       size_t length)
{
    struct door_shell *shell = expansion->shell;
    struct door_context context = shell->context;

    expansion->known = false;
    shell->context.piped = true;
    shell->context.output = NULL;
    door_shell_run(shell, begin, length);
    context.now = shell->context.now;
    shell->context = context;
}

static bool holds_command(const char *begin, const char *end)
{
    size_t length = (size_t)(end - begin);

    return memchr(begin, '`', length) || memmem(begin, length, "$(", 2);
}

/* ${name}, or something else that is not known; it may run commands. */
static void put_braced(struct expansion *expansion, const char *begin,
                       const char *end, bool quoted)
{
    size_t length = (size_t)(end - begin);

    if (length && sh_name_length(begin, length) == length) {
        put_variable(expansion, begin, length, quoted);
        return;
    }
    expansion->known = false;
    if (holds_command(begin, end))
        door_record_raw(&expansion->shell->context, EFFECT_UNKNOWN);
}

/* ---- pieces ---- */

/* A '$' and what belongs to it; the place behind it. */
static const char *put_dollar(struct expansion *expansion, const char *at,
                              const char *end, bool quoted)
{
    const char *behind;
    size_t length;

    if (end - at > 1 &&
        (at[1] == '(' || at[1] == '{' || (at[1] == '\'' && !quoted))) {
        behind = sh_lex_piece_end(at, end);
        if (!behind) {
            expansion->known = false;
            return end;
        }
        if (at[1] == '\'')
            sh_quote_text((struct sh_span){at + 2, (size_t)(behind - at) - 3},
                          &expansion->text);
        else if (at[1] == '{')
            put_braced(expansion, at + 2, behind - 1, quoted);
        else if (at[2] == '(' && !holds_command(at + 3, behind))
            expansion->known = false; /* arithmetic */
        else
            substitute(expansion, at + 2, (size_t)(behind - at) - 3);
        return behind;
    }
    length = sh_name_length(at + 1, (size_t)(end - at - 1));
    if (length) {
        put_variable(expansion, at + 1, length, quoted);
        return at + 1 + length;
    }
    if (end - at > 1 && strchr("?$!#*@-0123456789", at[1])) {
        expansion->known = false;
        return at + 2;
    }
    buf_byte(&expansion->text, '$');
    return at + 1;
}

static const char *put_backslash(struct expansion *expansion, const char *at,
                                 const char *end, bool quoted)
{
    if (end - at < 2) {
        buf_byte(&expansion->text, '\\');
        return at + 1;
    }
    if (at[1] == '\n')
        return at + 2;
    if (quoted && !strchr("$`\"\\", at[1]))
        buf_byte(&expansion->text, '\\');
    buf_byte(&expansion->text, at[1]);
    return at + 2;
}

static const char *put_quoted(struct expansion *expansion, const char *at,
                              const char *end)
{
    const char *behind = sh_lex_piece_end(at, end);

    if (!behind) {
        expansion->known = false;
        return end;
    }
    if (*at == '`')
        substitute(expansion, at + 1, (size_t)(behind - at) - 2);
    else if (*at == '"')
        expand(expansion, at + 1, behind - 1, true);
    else
        buf_append(&expansion->text, at + 1, (size_t)(behind - at) - 2);
    return behind;
}

/* {a,b} becomes two words. */
static bool opens_braces(const char *at, const char *end)
{
    const char *close = memchr(at, '}', (size_t)(end - at));

    return close && memchr(at, ',', (size_t)(close - at));
}

static void expand(struct expansion *expansion, const char *at, const char *end,
                   bool quoted)
{
    while (at < end) {
        if (*at == '\\') {
            at = put_backslash(expansion, at, end, quoted);
        } else if (*at == '$') {
            at = put_dollar(expansion, at, end, quoted);
        } else if (*at == '`' || (!quoted && (*at == '"' || *at == '\''))) {
            at = put_quoted(expansion, at, end);
        } else {
            if (!quoted && *at == '{' && opens_braces(at, end))
                expansion->known = false;
            buf_byte(&expansion->text, *at++);
        }
    }
}

/* ---- words ---- */

char *door_words_expand_one(struct door_shell *shell, struct sh_span text,
                            bool *known)
{
    struct expansion expansion = {
        .shell = shell, .text = BUF_INIT(DOOR_LINE_MAX), .known = true};
    char *word;

    expand(&expansion, text.data, text.data + text.length, false);
    *known = expansion.known && !expansion.text.overflow &&
             !memchr(buf_cstr(&expansion.text), '\0', expansion.text.length);
    word = *known ? mem_dup(buf_cstr(&expansion.text))
                  : mem_dup_n(text.data, text.length);
    buf_release(&expansion.text);
    return word;
}

void door_words_expand(struct door_shell *shell, const struct sh_word *words,
                       struct door_words *expanded)
{
    size_t count = 0;

    for (const struct sh_word *word = words; word; word = word->next)
        count++;
    count = count < DOOR_WORDS_MAX ? count : DOOR_WORDS_MAX;
    expanded->items = mem_new(count + 1, sizeof(expanded->items[0]));
    expanded->known = mem_new(count + 1, sizeof(expanded->known[0]));
    expanded->count = 0;
    for (; words && expanded->count < count; words = words->next) {
        bool known;
        char *word = door_words_expand_one(shell, words->text, &known);

        expanded->items[expanded->count] = word;
        expanded->known[expanded->count++] = known;
    }
    if (words && expanded->count)
        expanded->known[0] = false; /* too many to be understood */
}

void door_words_release(struct door_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    free(words->items);
    free(words->known);
    *words = (struct door_words){.count = 0};
}

/* ---- arguments ---- */

struct door_args door_args_skip(struct door_args args, size_t count)
{
    if (count > args.count)
        count = args.count;
    return (struct door_args){args.words + count, args.known + count,
                              args.count - count};
}

bool door_args_all_known(struct door_args args)
{
    for (size_t i = 0; i < args.count; i++) {
        if (!args.known[i])
            return false;
    }
    return true;
}

const char *door_args_at(struct door_args args, size_t index)
{
    return index < args.count && args.known[index] ? args.words[index] : NULL;
}

bool door_args_is(struct door_args args, size_t index, const char *text)
{
    const char *word = door_args_at(args, index);

    return word && !strcmp(word, text);
}

bool door_args_number(struct door_args args, size_t index, int min, int max,
                      int *number)
{
    const char *word = door_args_at(args, index);
    char *end;
    double read;

    if (!word || !*word)
        return false;
    read = strtod(word, &end);
    if (*end || !(read >= min) || !(read <= max))
        return false;
    *number = (int)read - (read < (int)read);
    return true;
}
