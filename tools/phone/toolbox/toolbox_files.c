/*
 * Commands that change the tree of files: with few options, "--" is a name, and
 * they exit with 255 at the first failure.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/phone/toolbox/toolbox.h"

#define STATUS_FAILED 255 /* -1 */

static int fail(struct command_call *call, const char *name, const char *behind,
                int number)
{
    call_error(call, "%s failed for %.500s%s, %s\n", call->command->name, name,
               behind, files_reason(number));
    return STATUS_FAILED;
}

/*
 * The path of a name, which the caller frees; NULL, with an errno value, on
 * failure.
 */
static char *path_of(struct command_call *call, const char *name, int *number)
{
    char *path = call_path(call, name);

    if (!path)
        *number = ENAMETOOLONG;
    return path;
}

int toolbox_mkdir(struct command_call *call)
{
    bool parents = call->argc > 1 && !strcmp(call->argv[1], "-p");
    size_t first = parents ? 2 : 1;

    if (first >= call->argc) {
        call_error(call, "USAGE: mkdir [OPTION] <target>\n"
                         "    --help           display usage and exit\n"
                         "    -p, --parents    create parent directories as "
                         "needed\n");
        return STATUS_FAILED;
    }
    for (size_t i = first; i < call->argc; i++) {
        int number = 0;
        char *path = path_of(call, call->argv[i], &number);
        bool made = path && files_make_directory(call->files, path, 0777,
                                                 parents, &number);

        free(path);
        if (!made)
            return fail(call, call->argv[i], parents ? "/" : "", number);
    }
    return 0;
}

/* Is a flag given before the names? Flags may be joined. */
static bool has_flag(const struct command_call *call, size_t first,
                     const char *letters)
{
    for (size_t i = 1; i < first; i++) {
        if (strpbrk(call->argv[i], letters))
            return true;
    }
    return false;
}

/* A file system that cannot be written says so before it looks for a name. */
static bool is_read_only(struct command_call *call, const char *path)
{
    int number = 0;

    return !files_may_replace(call->files, path, &number) && number == EROFS;
}

static bool remove_one(struct command_call *call, const char *name,
                       bool recursive, int *number)
{
    char *path = path_of(call, name, number);
    struct files_stat stat;
    bool removed = false;

    if (path && files_stat(call->files, path, false, &stat, number)) {
        *number = EISDIR;
        removed = (recursive || !S_ISDIR(stat.mode)) &&
                  files_remove(call->files, path, recursive, number);
    } else if (path && !recursive && is_read_only(call, path)) {
        *number = EROFS;
    }
    free(path);
    return removed;
}

/* An unknown option is reported and ignored. */
static void report_options(struct command_call *call, const char *word)
{
    for (word++; *word; word++) {
        if (!strchr("-rRfi", *word))
            call_error(call, "rm: invalid option -- %c\n", *word);
    }
}

int toolbox_rm(struct command_call *call)
{
    size_t first = 1;
    bool forced, recursive;

    while (first < call->argc && call->argv[first][0] == '-')
        report_options(call, call->argv[first++]);
    if (first >= call->argc) {
        call_error(call, "Usage: rm [-rR] [-f] <target>\n");
        return STATUS_FAILED;
    }
    forced = has_flag(call, first, "f");
    recursive = has_flag(call, first, "rR");
    for (size_t i = first; i < call->argc; i++) {
        int number = 0;

        if (!remove_one(call, call->argv[i], recursive, &number) &&
            !(forced && number == ENOENT))
            return fail(call, call->argv[i], "", number);
    }
    return 0;
}

/* ---- mv and chmod ---- */

#define STATUS_BAD_MODE 10

static bool is_directory(struct command_call *call, const char *path)
{
    struct files_stat stat;
    int number;

    return files_stat(call->files, path, true, &stat, &number) &&
           S_ISDIR(stat.mode);
}

/* Move it to a path, or into a directory. */
static bool move_one(struct command_call *call, const char *name,
                     const char *to, bool into, int *number)
{
    const char *slash = strrchr(name, '/');
    struct buf target = BUF_INIT(FILES_PATH_MAX);
    char *from = path_of(call, name, number);
    bool moved;

    buf_text(&target, to);
    if (into)
        buf_printf(&target, "/%s", slash ? slash + 1 : name);
    moved = from && !target.overflow &&
            files_rename(call->files, from, buf_cstr(&target), number);
    buf_release(&target);
    free(from);
    return moved;
}

int toolbox_mv(struct command_call *call)
{
    size_t last = call->argc - 1;
    int number = ENAMETOOLONG;
    int status = 0;
    char *to;
    bool into;

    if (call->argc < 3) {
        call_error(call, "USAGE: mv <source...> <destination>\n");
        return STATUS_FAILED;
    }
    to = path_of(call, call->argv[last], &number);
    into = to && is_directory(call, to);
    for (size_t i = 1; i < last && !status; i++) {
        if (to && move_one(call, call->argv[i], to, into, &number))
            continue;
        call_error(call, "failed on '%.500s' - %s\n", call->argv[i],
                   files_reason(number));
        status = STATUS_FAILED;
    }
    free(to);
    return status;
}

/* Modes are octal numbers only. */
int toolbox_chmod(struct command_call *call)
{
    const char *mode = call->argc > 1 ? call->argv[1] : "";

    if (call->argc < 3) {
        call_error(call, "Usage: chmod [OPTION] <MODE> <FILE>\n");
        return STATUS_BAD_MODE;
    }
    for (const char *at = mode; *at; at++) {
        if (*at >= '0' && *at <= '7')
            continue;
        call_error(call, "Bad mode\n");
        return STATUS_BAD_MODE;
    }
    return call_inherited(call);
}
