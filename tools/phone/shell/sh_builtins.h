/*
 * Commands that change the shell itself, or run other commands. Those that are
 * in files of their kind (sh_builtin_*.c) return their exit status.
 */
#ifndef TOOLS_PHONE_SHELL_SH_BUILTINS_H
#define TOOLS_PHONE_SHELL_SH_BUILTINS_H

#include "tools/phone/shell/sh_private.h"

/* Print an error of a builtin. Always 1. */
int sh_builtin_fail(struct command_call *call, const char *what,
                    const char *why);

/* Run the command argv[n] with the arguments after it. */
int sh_builtin_run_rest(struct command_call *call, size_t n);

/* Print NAME=VALUE of each exported variable. */
void sh_builtin_print_exported(struct command_call *call);

int sh_builtin_cd(struct command_call *call);
int sh_builtin_pwd(struct command_call *call);

int sh_builtin_export(struct command_call *call);
int sh_builtin_unset(struct command_call *call);
int sh_builtin_shift(struct command_call *call);

/* Evaluate expressions; 1 if the last value is 0. */
int sh_builtin_let(struct command_call *call);

int sh_builtin_read(struct command_call *call);

int sh_builtin_eval(struct command_call *call);
int sh_builtin_dot(struct command_call *call);

/* sh, sh -c TEXT [NAME [ARGUMENT...]], sh FILE [...]: a separate shell. */
int sh_builtin_sh(struct command_call *call);

int sh_builtin_which(struct command_call *call);
int sh_builtin_command(struct command_call *call);
int sh_builtin_type(struct command_call *call);

int sh_builtin_xargs(struct command_call *call);

#endif
