/* which, command, type: what a name refers to. */
#include <string.h>

#include "base/macros.h"
#include "tools/phone/shell/sh_builtins.h"

static bool is_command(struct command_call *call, const char *name)
{
    void *context;

    return sh_find_command(call->shell->session, name, &context);
}

const char *const sh_files[] = {"[",    "env",   "false", "kill", "nohup",
                                "pwd",  "sh",    "test",  "time", "timeout",
                                "true", "which", "xargs"};

const size_t sh_file_count = ARRAY_LEN(sh_files);

/* Builtins for which there is no file. */
static bool is_builtin(const char *name)
{
    for (size_t i = 0; i < sh_file_count; i++) {
        if (!strcmp(sh_files[i], name))
            return false;
    }
    for (size_t i = 0; i < sh_builtins.count; i++) {
        if (!strcmp(sh_builtins.commands[i].name, name))
            return true;
    }
    return false;
}

static void print_path(struct command_call *call, const char *name)
{
    call_print(call, "%s%s\n", *name == '/' ? "" : "/system/bin/", name);
}

int sh_builtin_which(struct command_call *call)
{
    int status = 0;

    for (size_t i = 1; i < call->argc; i++) {
        const char *name = call->argv[i];

        if (is_command(call, name) && !is_builtin(name))
            print_path(call, name);
        else
            status = 1;
    }
    return status;
}

/* command -v: say what a name refers to. */
int sh_builtin_command(struct command_call *call)
{
    const char *name = call->argc > 2 ? call->argv[2] : "";

    if (call->argc < 2 || strcmp(call->argv[1], "-v") != 0)
        return sh_builtin_run_rest(call, 1);
    if (sh_vars_get(&call->shell->functions, name) || is_builtin(name))
        call_print(call, "%s\n", name);
    else if (is_command(call, name))
        print_path(call, name);
    else
        return 1;
    return 0;
}

int sh_builtin_type(struct command_call *call)
{
    int status = 0;

    for (size_t i = 1; i < call->argc; i++) {
        const char *name = call->argv[i];

        if (sh_vars_get(&call->shell->functions, name)) {
            call_print(call, "%s is a function\n", name);
        } else if (is_builtin(name)) {
            call_print(call, "%s is a shell builtin\n", name);
        } else if (is_command(call, name)) {
            call_print(call, "%s is a tracked alias for /system/bin/%s\n", name,
                       name);
        } else {
            call_print(call, "%s not found\n", name);
            status = 1;
        }
    }
    return status;
}
