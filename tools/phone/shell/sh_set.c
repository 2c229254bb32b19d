/* set: options and arguments of the shell. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_expand.h"

void sh_set_release(struct sh *shell)
{
    if (!shell->own_args)
        return;
    sh_fields_release(shell->own_args);
    free(shell->own_args);
    shell->own_args = NULL;
}

bool sh_set_arguments(struct sh *shell, char *const *words, size_t count)
{
    struct sh_fields *fields = mem_new(1, sizeof(*fields));

    *fields = (struct sh_fields)SH_FIELDS_INIT(shell->vars.memory_account);
    if (!sh_fields_add_all(fields, words, count)) {
        sh_fields_release(fields);
        free(fields);
        return false;
    }
    sh_set_release(shell);
    shell->own_args = fields;
    shell->args = fields->items;
    shell->arg_count = count;
    return true;
}

static bool *option_of(struct sh *shell, char letter)
{
    switch (letter) {
    case 'e':
        return &shell->errexit;
    case 'u':
        return &shell->nounset;
    case 'x':
        return &shell->xtrace;
    default:
        return NULL;
    }
}

/* Options that have no effect here. */
static bool is_without_effect(char letter)
{
    return letter && strchr("abCfhmno", letter);
}

static bool set_letters(struct sh *shell, const char *word)
{
    for (const char *at = word + 1; *at; at++) {
        bool *option = option_of(shell, *at);

        if (option)
            *option = *word == '-';
        else if (!is_without_effect(*at))
            return false;
    }
    return true;
}

/* -o NAME */
static bool set_named(struct sh *shell, const char *name, bool on)
{
    static const struct {
        const char *name;
        char letter;
    } names[] = {
        {"errexit", 'e'}, {"nounset", 'u'}, {"xtrace", 'x'}, {"posix", 0},
        {"pipefail", 0},  {"monitor", 0},   {"vi", 0},       {"emacs", 0},
        {"noglob", 0},    {"allexport", 0}, {"sh", 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        bool *option = option_of(shell, names[i].letter);

        if (strcmp(names[i].name, name) != 0)
            continue;
        if (option)
            *option = on;
        return true;
    }
    return false;
}

static void print_all(struct command_call *call)
{
    const struct sh_vars *vars = &call->shell->vars;

    for (size_t i = 0; i < vars->count; i++)
        call_print(call, "%s=%s\n", vars->vars[i].name, vars->vars[i].value);
}

static int refuse(struct command_call *call, const char *word)
{
    sh_complain(call->ports.errors, call->shell->name,
                "set: %.100s: unknown option", word);
    sh_abort(call->shell, 1);
    return 1;
}

int sh_set(struct command_call *call)
{
    struct sh *shell = call->shell;
    size_t at = 1;

    if (call->argc == 1) {
        print_all(call);
        return 0;
    }
    for (; at < call->argc; at++) {
        const char *word = call->argv[at];

        if (!strcmp(word, "--"))
            break;
        if ((*word != '-' && *word != '+') || !word[1])
            break;
        if (!strcmp(word + 1, "o")) {
            if (at + 1 < call->argc &&
                !set_named(shell, call->argv[++at], *word == '-'))
                return refuse(call, call->argv[at]);
        } else if (!set_letters(shell, word)) {
            return refuse(call, word);
        }
    }
    if (at == call->argc)
        return 0;
    at += !strcmp(call->argv[at], "--");
    if (sh_set_arguments(shell, call->argv + at, call->argc - at))
        return 0;
    sh_complain(call->ports.errors, shell->name, "out of memory");
    return 1;
}
