/* trap and kill: signals and their handlers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_private.h"
#include "tools/phone/shell/signals.h"

/* ---- running ---- */

bool sh_trap_run(struct sh *shell, const char *name,
                 const struct sh_ports *ports)
{
    const char *action = sh_vars_get(&shell->traps, name);
    int status = shell->status;
    char *copy;

    if (!action)
        return false;
    copy = mem_dup(action); /* the trap may replace itself */
    (void)sh_run_text(shell, copy, strlen(copy), ports, NULL);
    free(copy);
    if (shell->flow == SH_FLOW_ON)
        shell->status = status;
    return true;
}

int sh_trap_exit(struct sh *shell, const struct sh_ports *ports)
{
    struct sh_vars traps = shell->traps;
    const char *action = sh_vars_get(&traps, "EXIT");
    int status = shell->status;

    if (!action || shell->signal)
        return status;
    shell->traps = (struct sh_vars)SH_VARS_INIT(traps.memory_account);
    shell->flow = SH_FLOW_ON;
    (void)sh_run_text(shell, action, strlen(action), ports, NULL);
    if (shell->flow != SH_FLOW_EXIT)
        shell->status = status;
    shell->flow = SH_FLOW_EXIT;
    sh_vars_release(&traps);
    return shell->status;
}

static void take_signal(struct sh *shell, int number,
                        const struct sh_ports *ports)
{
    const char *name = signals_name(number);

    if (number != SIGNALS_KILL && sh_trap_run(shell, name, ports))
        return;
    if (!signals_ends(number))
        return;
    shell->signal = number;
    shell->status = 128 + number;
    shell->flow = SH_FLOW_EXIT;
}

void sh_trap_check(struct sh *shell, const struct sh_ports *ports)
{
    struct phone_processes *processes = shell->session->options.processes;
    int number;

    if (!processes || shell->flow == SH_FLOW_EXIT)
        return;
    number = processes_take_signal(processes, shell->pid);
    if (number)
        take_signal(shell, number, ports);
}

/* ---- trap ---- */

static void print_traps(struct command_call *call)
{
    const struct sh_vars *traps = &call->shell->traps;

    for (size_t i = 0; i < traps->count; i++)
        call_print(call, "trap -- '%s' %s\n", traps->vars[i].value,
                   traps->vars[i].name);
}

static int complain(struct command_call *call, const char *what,
                    const char *why)
{
    sh_complain(call->ports.errors, call->shell->name, "%s: %.100s: %s",
                call->command->name, what, why);
    return 1;
}

int sh_trap(struct command_call *call)
{
    struct sh_vars *traps = &call->shell->traps;
    const char *action = call->argc > 1 ? call->argv[1] : NULL;
    size_t first = 2;
    int status = 0;
    int number;

    if (!action) {
        print_traps(call);
        return 0;
    }
    if (!strcmp(action, "--"))
        action = first < call->argc ? call->argv[first++] : "-";
    /* "trap SIGNAL" is "trap - SIGNAL". */
    if (call->argc == 2 && signals_find(action, &number)) {
        action = "-";
        first = 1;
    }
    for (size_t i = first; i < call->argc; i++) {
        if (!signals_find(call->argv[i], &number)) {
            status = complain(call, call->argv[i], "bad signal");
            continue;
        }
        if (!strcmp(action, "-"))
            sh_vars_unset(traps, signals_name(number));
        else if (!sh_vars_set(traps, signals_name(number), action))
            status = complain(call, call->argv[i], "out of memory");
    }
    return status;
}

/* ---- kill ---- */

static int list_signals(struct command_call *call)
{
    for (int i = 1; i < SIGNALS_COUNT; i++)
        call_print(call, "%2d %s\n", i, signals_name(i));
    return 0;
}

static int kill_one(struct command_call *call, const char *word, int number)
{
    struct phone_processes *processes = call->shell->session->options.processes;
    char *end;
    long pid = strtol(word, &end, 10);
    int reason = 0;

    if (end == word || *end || pid < INT32_MIN || pid > INT32_MAX)
        return complain(call, word, "arguments must be jobs or process IDs");
    if (pid < 0)
        pid = -pid;
    if (!processes)
        reason = ESRCH;
    else
        reason = processes_signal(processes, (unsigned)pid, number);
    return reason ? complain(call, word, files_reason(reason)) : 0;
}

int sh_kill(struct command_call *call)
{
    int number = SIGNALS_TERM;
    size_t at = 1;
    int status = 0;

    if (at < call->argc && !strcmp(call->argv[at], "-l"))
        return list_signals(call);
    if (at + 1 < call->argc && !strcmp(call->argv[at], "-s")) {
        if (!signals_find(call->argv[at + 1], &number))
            return complain(call, call->argv[at + 1], "bad signal");
        at += 2;
    } else if (at < call->argc && call->argv[at][0] == '-' &&
               strcmp(call->argv[at], "--") != 0) {
        if (!signals_find(call->argv[at] + 1, &number))
            return complain(call, call->argv[at] + 1, "bad signal");
        at++;
    }
    at += at < call->argc && !strcmp(call->argv[at], "--");
    if (at >= call->argc) {
        sh_complain(call->ports.errors, call->shell->name,
                    "kill: usage: kill [-s signame | -signum | -signame] "
                    "{ job | pid | pgrp } ...");
        return 1;
    }
    for (; at < call->argc; at++)
        status |= kill_one(call, call->argv[at], number);
    sh_trap_check(call->shell, &call->ports);
    return call->shell->flow == SH_FLOW_EXIT ? call->shell->status : status;
}
