#include "tools/phone/shell/sh_builtins.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "tools/phone/shell/sh_test.h"

int sh_builtin_fail(struct command_call *call, const char *what,
                    const char *why)
{
    sh_complain(call->ports.errors, call->shell->name, "%s: %s: %s",
                call->command->name, what, why);
    return 1;
}

/* ---- true, false, : ---- */

static int run_true(struct command_call *call)
{
    (void)call;
    return 0;
}

static int run_false(struct command_call *call)
{
    (void)call;
    return 1;
}

/* ---- exit, break, continue ---- */

static int run_exit(struct command_call *call)
{
    struct sh *shell = call->shell;
    long status = shell->status;
    char *end;

    if (call->argc > 1) {
        status = strtol(call->argv[1], &end, 10);
        if (*end || end == call->argv[1])
            status = sh_builtin_fail(call, call->argv[1], "bad number");
    }
    shell->flow = SH_FLOW_EXIT;
    return (int)(status & 0xff);
}

/* break and continue: leave one loop, or the given number of them. */
static int leave_loops(struct command_call *call, enum sh_flow flow)
{
    struct sh *shell = call->shell;
    long long levels = 1;

    if (call->argc > 1 &&
        !call_number(call, call->argv[1], 1, SH_DEPTH_MAX, &levels))
        return 1;
    if (!shell->loops)
        return 0;
    shell->flow = flow;
    shell->flow_levels = levels < shell->loops ? (long)levels : shell->loops;
    return 0;
}

static int run_break(struct command_call *call)
{
    return leave_loops(call, SH_FLOW_BREAK);
}

static int run_continue(struct command_call *call)
{
    return leave_loops(call, SH_FLOW_CONTINUE);
}

/* ---- commands that run others ---- */

int sh_builtin_run_rest(struct command_call *call, size_t n)
{
    if (n >= call->argc)
        return 0;
    return sh_run_words(call->shell, call->argv + n, call->argc - n,
                        &call->ports);
}

static int run_exec(struct command_call *call)
{
    int status = sh_builtin_run_rest(call, 1);

    if (call->argc > 1)
        call->shell->flow = SH_FLOW_EXIT;
    return status;
}

/* Only waiting takes time on the phone's clock. */
static int run_time(struct command_call *call)
{
    int status = sh_builtin_run_rest(call, 1);

    call_error(call, "    0m00.00s real     0m00.00s user     0m00.00s "
                     "system\n");
    return status;
}

static int run_nohup(struct command_call *call)
{
    return sh_builtin_run_rest(call, 1);
}

/* env [NAME=VALUE...] [COMMAND...] */
static int run_env(struct command_call *call)
{
    struct sh sub;
    size_t at = 1;
    int status = 0;

    if (!sh_init_sub(&sub, call->shell, call->ports.errors))
        return 126;
    for (; at < call->argc && strchr(call->argv[at], '='); at++) {
        char *word = call->argv[at];
        char *value = strchr(word, '=');

        *value = '\0';
        sh_export(&sub, word, value + 1);
    }
    if (at < call->argc) {
        status =
            sh_run_words(&sub, call->argv + at, call->argc - at, &call->ports);
    } else {
        struct command_call own = *call;

        own.shell = &sub;
        sh_builtin_print_exported(&own);
    }
    sh_release(&sub);
    return status;
}

/* wait: background commands have ended already. */
static int run_wait(struct command_call *call)
{
    struct sh *shell = call->shell;
    unsigned long pid = call->argc > 1 ? strtoul(call->argv[1], NULL, 10) : 0;

    if (!pid)
        return 0;
    return pid == shell->background_pid ? shell->background_status : 127;
}

/* ---- the table ---- */

static const struct phone_command commands[] = {
    {".", sh_builtin_dot, "FILE"},
    {":", run_true, ""},
    {"[", sh_test, "EXPRESSION ]"},
    {"break", run_break, "[N]"},
    {"cd", sh_builtin_cd, "[DIRECTORY]"},
    {"command", sh_builtin_command, "[-v] COMMAND [ARGUMENT...]"},
    {"continue", run_continue, "[N]"},
    {"env", run_env, "[NAME=VALUE...] [COMMAND [ARGUMENT...]]"},
    {"eval", sh_builtin_eval, "TEXT..."},
    {"exec", run_exec, "[COMMAND [ARGUMENT...]]"},
    {"exit", run_exit, "[STATUS]"},
    {"export", sh_builtin_export, "[NAME[=VALUE]...]"},
    {"false", run_false, ""},
    {"kill", sh_kill, "[-SIGNAL] PID..."},
    {"let", sh_builtin_let, "EXPRESSION..."},
    {"local", sh_local, "[NAME[=VALUE]...]"},
    {"nohup", run_nohup, "COMMAND [ARGUMENT...]"},
    {"pwd", sh_builtin_pwd, ""},
    {"read", sh_builtin_read, "[-r] [-n BYTES] [NAME...]"},
    {"return", sh_return, "[STATUS]"},
    {"set", sh_set, "[-eux] [--] [ARGUMENT...]"},
    {"sh", sh_builtin_sh, "[-c TEXT | FILE] [ARGUMENT...]"},
    {"shift", sh_builtin_shift, "[N]"},
    {"source", sh_builtin_dot, "FILE"},
    {"test", sh_test, "EXPRESSION"},
    {"time", run_time, "COMMAND [ARGUMENT...]"},
    {"timeout", sh_timeout,
     "[-k DURATION] [-s SIGNAL] DURATION COMMAND [ARGUMENT...]"},
    {"trap", sh_trap, "[ACTION SIGNAL...]"},
    {"true", run_true, ""},
    {"type", sh_builtin_type, "NAME..."},
    {"typeset", sh_local, "[NAME[=VALUE]...]"},
    {"unset", sh_builtin_unset, "[-fv] NAME..."},
    {"wait", run_wait, "[PID]"},
    {"which", sh_builtin_which, "COMMAND..."},
    {"xargs", sh_builtin_xargs, "[-0] [-n COUNT] [COMMAND [ARGUMENT...]]"},
};

const struct command_set sh_builtins = {commands, ARRAY_LEN(commands)};
