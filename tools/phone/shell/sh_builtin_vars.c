/* export, unset, shift, let. */
#include <string.h>

#include "tools/phone/shell/sh_arith.h"
#include "tools/phone/shell/sh_builtins.h"

void sh_builtin_print_exported(struct command_call *call)
{
    const struct sh_vars *vars = &call->shell->vars;

    for (size_t i = 0; i < vars->count; i++) {
        if (vars->vars[i].exported)
            call_print(call, "%s=%s\n", vars->vars[i].name,
                       vars->vars[i].value);
    }
}

static void print_exported_names(struct command_call *call)
{
    const struct sh_vars *vars = &call->shell->vars;

    for (size_t i = 0; i < vars->count; i++) {
        if (vars->vars[i].exported)
            call_print(call, "%s\n", vars->vars[i].name);
    }
}

/* NAME or NAME=VALUE; ends the name in place. */
static int export_one(struct command_call *call, char *word)
{
    size_t length = sh_name_length(word, strlen(word));
    struct sh_vars *vars = &call->shell->vars;
    const char *value = NULL;

    if (!length || (word[length] && word[length] != '='))
        return sh_builtin_fail(call, word, "is not an identifier");
    if (word[length] == '=') {
        word[length] = '\0';
        value = word + length + 1;
    } else if (!sh_vars_get(vars, word)) {
        value = "";
    }
    if (value && !sh_vars_set(vars, word, value))
        return sh_builtin_fail(call, word, "out of memory");
    sh_vars_export(vars, word);
    return 0;
}

int sh_builtin_export(struct command_call *call)
{
    int status = 0;

    if (call->argc == 1 && call->shell->session->options.dialect->exports_names)
        print_exported_names(call);
    else if (call->argc == 1)
        sh_builtin_print_exported(call);
    for (size_t i = 1; i < call->argc; i++)
        status |= export_one(call, call->argv[i]);
    return status;
}

int sh_builtin_unset(struct command_call *call)
{
    struct sh *shell = call->shell;
    struct sh_vars *vars = &shell->vars;

    for (size_t i = 1; i < call->argc; i++) {
        if (!strcmp(call->argv[i], "-f"))
            vars = &shell->functions;
        else if (!strcmp(call->argv[i], "-v"))
            vars = &shell->vars;
        else
            sh_vars_unset(vars, call->argv[i]);
    }
    return 0;
}

int sh_builtin_shift(struct command_call *call)
{
    struct sh *shell = call->shell;
    long long count = 1;

    if (call->argc > 1 &&
        !call_number(call, call->argv[1], 0, SH_FIELDS_MAX, &count))
        return 1;
    if ((size_t)count > shell->arg_count)
        return sh_builtin_fail(call, call->argc > 1 ? call->argv[1] : "1",
                               "nothing to shift");
    shell->args += count;
    shell->arg_count -= (size_t)count;
    return 0;
}

int sh_builtin_let(struct command_call *call)
{
    int32_t value = 0;

    for (size_t i = 1; i < call->argc; i++) {
        struct err err = ERR_INIT;

        if (!sh_arith(call->argv[i], &call->shell->vars, &value, &err)) {
            sh_complain(call->ports.errors, call->shell->name, "%.200s: %s",
                        call->argv[i], err.text);
            return 2;
        }
    }
    return value == 0;
}
