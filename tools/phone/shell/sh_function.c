/* Functions: stored by name as text, with arguments and local variables. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_private.h"

/* Limit of local variables in one function. */
#define LOCALS_MAX 256U

struct sh_frame {
    struct sh_vars before; /* "=VALUE", or "" for a variable that was not set */
};

static void put_back(struct sh *shell, const struct sh_var *saved)
{
    bool was_set = saved->value[0] == '=';

    /* A value that does not fit is not restored. */
    if (!was_set || !sh_vars_set(&shell->vars, saved->name, saved->value + 1))
        sh_vars_unset(&shell->vars, saved->name);
    if (saved->exported)
        sh_vars_export(&shell->vars, saved->name);
}

static void frame_end(struct sh *shell, struct sh_frame *frame)
{
    for (size_t i = 0; i < frame->before.count; i++)
        put_back(shell, &frame->before.vars[i]);
    sh_vars_release(&frame->before);
}

int sh_function_call(struct sh *shell, const char *text, char **words,
                     size_t count, const struct sh_ports *ports)
{
    struct sh_frame frame = {.before =
                                 SH_VARS_INIT(shell->vars.memory_account)};
    const struct sh outer = *shell;
    char *copy = mem_dup(text); /* the function may redefine itself */
    int status;

    shell->frame = &frame;
    shell->args = words + 1;
    shell->arg_count = count - 1;
    shell->own_args = NULL;
    shell->loops = 0;
    status = sh_run_text(shell, copy, strlen(copy), ports, NULL);
    if (shell->flow == SH_FLOW_RETURN)
        shell->flow = SH_FLOW_ON;
    sh_set_release(shell);
    frame_end(shell, &frame);
    shell->frame = outer.frame;
    shell->args = outer.args;
    shell->arg_count = outer.arg_count;
    shell->own_args = outer.own_args;
    shell->loops = outer.loops;
    free(copy);
    return status;
}

/* ---- local, typeset ---- */

static bool save(struct sh *shell, const char *name)
{
    struct sh_vars *before = &shell->frame->before;
    const char *value = sh_vars_get(&shell->vars, name);
    char *saved;
    bool done;

    if (sh_vars_get(before, name))
        return true;
    if (before->count >= LOCALS_MAX)
        return false;
    saved = mem_new((value ? strlen(value) + 1 : 0) + 1, 1);
    if (value) {
        saved[0] = '=';
        memcpy(saved + 1, value, strlen(value));
    }
    done = sh_vars_set(before, name, saved);
    if (done && sh_vars_is_exported(&shell->vars, name))
        sh_vars_export(before, name);
    free(saved);
    return done;
}

/* NAME or NAME=VALUE; ends the name in place. */
static bool local_one(struct sh *shell, char *word)
{
    size_t length = sh_name_length(word, strlen(word));
    const char *value = word[length] == '=' ? word + length + 1 : NULL;

    if (!length || (word[length] && !value))
        return false;
    word[length] = '\0';
    if (shell->frame && !save(shell, word))
        return false;
    if (value)
        return sh_vars_set(&shell->vars, word, value);
    if (shell->frame)
        sh_vars_unset(&shell->vars, word);
    return true;
}

int sh_local(struct command_call *call)
{
    struct sh *shell = call->shell;
    bool export = false;
    int status = 0;

    for (size_t i = 1; i < call->argc; i++) {
        if (call->argv[i][0] == '-' || call->argv[i][0] == '+') {
            export = call->argv[i][0] == '-' && strchr(call->argv[i], 'x');
            continue;
        }
        if (!local_one(shell, call->argv[i])) {
            sh_complain(call->ports.errors, shell->name,
                        "%s: %.100s: is not an identifier", call->command->name,
                        call->argv[i]);
            status = 1;
        } else if (export) {
            sh_vars_export(&shell->vars, call->argv[i]);
        }
    }
    return status;
}

/* ---- return ---- */

int sh_return(struct command_call *call)
{
    struct sh *shell = call->shell;
    long long status = shell->status;

    if (call->argc > 1 &&
        !call_number(call, call->argv[1], INT32_MIN, INT32_MAX, &status))
        status = 1;
    shell->flow =
        shell->frame || shell->scripts ? SH_FLOW_RETURN : SH_FLOW_EXIT;
    return (int)(status & 0xff);
}
