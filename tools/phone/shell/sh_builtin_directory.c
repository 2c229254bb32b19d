/* cd, pwd. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_builtins.h"

/* Remove the last component of an absolute path. */
static void drop_name(struct buf *path)
{
    const char *slash = strrchr(buf_cstr(path), '/');

    buf_truncate(path, slash ? (size_t)(slash - path->data) : 0);
}

/* The path without ".", ".." and repeated slashes; links are not resolved. */
static char *tidy(const char *path)
{
    struct buf tidied = BUF_INIT(FILES_PATH_MAX);
    char *text;

    while (*path) {
        size_t length = strcspn(path, "/");

        if (length == 2 && !strncmp(path, "..", 2))
            drop_name(&tidied);
        else if (length && !(length == 1 && *path == '.'))
            buf_printf(&tidied, "/%.*s", (int)length, path);
        path += length;
        path += strspn(path, "/");
    }
    text = mem_dup(tidied.length ? buf_cstr(&tidied) : "/");
    buf_release(&tidied);
    return text;
}

static bool may_enter(struct command_call *call, const char *path, int *number)
{
    struct files_stat stat;

    if (!files_stat(call->files, path, true, &stat, number))
        return false;
    *number = ENOTDIR;
    return S_ISDIR(stat.mode) && files_access(call->files, path, 1, number);
}

int sh_builtin_cd(struct command_call *call)
{
    struct sh *shell = call->shell;
    const char *name =
        call->argc > 1 ? call->argv[1] : sh_vars_get(&shell->vars, "HOME");
    int number = ENAMETOOLONG;
    char *path;
    char *tidied;

    if (name && !strcmp(name, "-"))
        name = sh_vars_get(&shell->vars, "OLDPWD");
    if (!name)
        return sh_builtin_fail(call, "-", "not set");
    path = sh_path(shell, name);
    tidied = path ? tidy(path) : NULL;
    free(path);
    if (!tidied || !may_enter(call, tidied, &number)) {
        free(tidied);
        sh_builtin_fail(call, name, files_reason(number));
        return 2;
    }
    (void)!sh_vars_set(&shell->vars, "OLDPWD", shell->directory);
    (void)!sh_vars_set(&shell->vars, "PWD", tidied);
    free(shell->directory);
    shell->directory = tidied;
    return 0;
}

int sh_builtin_pwd(struct command_call *call)
{
    call_print(call, "%s\n", call->shell->directory);
    return 0;
}
