/* install-multiple and install-multi-package, by sessions of the manager. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "tools/adb_cli/package_command.h"

#define SESSION_MAX 32

/* ---- one session ---- */

/* The id in "Success: created install session [1234]". */
static bool parse_session(const struct buf *answer, char id[SESSION_MAX])
{
    const char *open = strchr(buf_cstr(answer), '[');

    return package_command_succeeded(answer) && open &&
           sscanf(open, "[%31[0-9]]", id) == 1;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Copy a file into a session, under a name. */
static bool write_one(struct adb_cli *cli, const char *id, const char *path,
                      const char *name)
{
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct buf answer = BUF_INIT(PACKAGE_ANSWER_MAX);
    unsigned long long size;
    struct err err = ERR_INIT;
    bool done;
    int fd;

    if (!package_file_open(path, &fd, &size))
        return false;
    buf_printf(&command, "cmd package install-write -S %llu %s ", size, id);
    shell_quote(&command, name);
    buf_text(&command, " -");
    done = package_command_run(cli, &command, fd, &answer, &err);
    if (!done)
        adb_cli_fail("connect error for write: %s", adb_cli_reason(cli, &err));
    else if (!package_command_succeeded(&answer))
        adb_cli_fail("failed to write %s\n%s", path, buf_cstr(&answer));
    done = done && package_command_succeeded(&answer);
    close(fd);
    buf_release(&command);
    buf_release(&answer);
    return done;
}

/* Run "install-create" with more words; what: what it creates, for errors. */
static bool create_session(struct adb_cli *cli, const struct buf *command,
                           const char *what, char id[SESSION_MAX])
{
    struct buf answer = BUF_INIT(PACKAGE_ANSWER_MAX);
    struct err err = ERR_INIT;
    bool done = package_command_run(cli, command, -1, &answer, &err);

    if (!done)
        adb_cli_fail("connect error for create%s: %s", what,
                     adb_cli_reason(cli, &err));
    else if (!parse_session(&answer, id))
        adb_cli_fail("failed to create%s session\n%s", what, buf_cstr(&answer));
    done = done && parse_session(&answer, id);
    buf_release(&answer);
    return done;
}

/* Commit the session, or abandon it. */
static bool finish_session(struct adb_cli *cli, const char *verb,
                           const char *id)
{
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct buf answer = BUF_INIT(PACKAGE_ANSWER_MAX);
    struct err err = ERR_INIT;
    bool done;

    buf_printf(&command, "cmd package install-%s %s", verb, id);
    done = package_command_run(cli, &command, -1, &answer, &err);
    if (!done)
        adb_cli_fail("connect error for finalize: %s",
                     adb_cli_reason(cli, &err));
    else if (package_command_succeeded(&answer))
        fputs(buf_cstr(&answer), stdout);
    else
        adb_cli_fail("failed to finalize session\n%s", buf_cstr(&answer));
    done = done && package_command_succeeded(&answer);
    buf_release(&command);
    buf_release(&answer);
    return done;
}

/* ---- install-multiple: one package of several files ---- */

static bool create_for_files(struct adb_cli *cli, int argc, char **argv,
                             char id[SESSION_MAX])
{
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    unsigned long long total = 0;
    struct stat facts;
    bool done;

    for (int i = 1; i < argc; i++) {
        if (package_file_is(argv[i]) && !stat(argv[i], &facts))
            total += (unsigned long long)facts.st_size;
    }
    buf_printf(&command, "cmd package install-create -S %llu", total);
    package_options_put(&command, argc, argv);
    done = create_session(cli, &command, "", id);
    buf_release(&command);
    return done;
}

static int run_install_multiple(struct adb_cli *cli, int argc, char **argv)
{
    char id[SESSION_MAX];
    bool written = true;
    int files = 0;

    if (argc < 2)
        return adb_cli_fail("install-multiple requires an argument");
    for (int i = 1; i < argc; i++)
        files += package_file_is(argv[i]);
    if (!files)
        return adb_cli_fail("need APK file on command line");
    if (!create_for_files(cli, argc, argv, id))
        return 1;
    for (int i = 1; i < argc && written; i++)
        written = !package_file_is(argv[i]) ||
                  write_one(cli, id, argv[i], name_of(argv[i]));
    if (written)
        return finish_session(cli, "commit", id) ? 0 : 1;
    (void)!finish_session(cli, "abandon", id);
    return 1;
}

/* ---- install-multi-package: several packages at once ---- */

/* A parent session and its children. */
struct session_family {
    char parent[SESSION_MAX];
    char (*children)[SESSION_MAX]; /* owned */
    int count;
};

/* first: the first file on the command line. */
static bool create_member(struct adb_cli *cli, int first, char **argv,
                          bool staged, const char *options,
                          char id[SESSION_MAX])
{
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    bool parent = !strcmp(options, " --multi-package");
    bool done;

    buf_printf(&command, "cmd package install-create%s", options);
    package_options_put(&command, first, argv);
    if (staged)
        buf_text(&command, " --staged");
    done = create_session(cli, &command, parent ? " multi-package" : "", id);
    if (done)
        printf("Created %s session ID %s.\n", parent ? "parent" : "child", id);
    buf_release(&command);
    return done;
}

/* "base.apk:split.apk" are the files of one package; place: its number. */
static bool write_package(struct adb_cli *cli, const char *id, char *files,
                          int place)
{
    bool done = true;
    char *file;

    while (done && (file = strsep(&files, ":"))) {
        struct buf name = BUF_INIT(8192);

        if (!*file)
            continue;
        buf_printf(&name, "%d_%s", place, name_of(file));
        done = write_one(cli, id, file, buf_cstr(&name));
        buf_release(&name);
    }
    return done;
}

static bool write_children(struct adb_cli *cli, int argc, int first,
                           char **argv, bool staged,
                           struct session_family *family)
{
    for (int i = first; i < argc; i++) {
        char *id = family->children[family->count];

        if (!create_member(
                cli, first, argv, staged,
                package_file_ends_with(argv[i], ".apex") ? " --apex" : "", id))
            return false;
        family->count++;
        if (!write_package(cli, id, argv[i], i))
            return false;
    }
    return true;
}

static bool add_children(struct adb_cli *cli,
                         const struct session_family *family)
{
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct buf answer = BUF_INIT(PACKAGE_ANSWER_MAX);
    struct err err = ERR_INIT;
    bool done;

    buf_printf(&command, "cmd package install-add-session %s", family->parent);
    for (int i = 0; i < family->count; i++)
        buf_printf(&command, " %s", family->children[i]);
    done = package_command_run(cli, &command, -1, &answer, &err);
    if (!done)
        adb_cli_fail("connect error for install-add-session: %s",
                     adb_cli_reason(cli, &err));
    else if (!package_command_succeeded(&answer))
        adb_cli_fail("install-add-session failed\n%s", buf_cstr(&answer));
    done = done && package_command_succeeded(&answer);
    buf_release(&command);
    buf_release(&answer);
    return done;
}

/* Whatever of them is left. */
static void abandon(struct adb_cli *cli, const char *id)
{
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct buf answer = BUF_INIT(PACKAGE_ANSWER_MAX);
    struct err ignored;

    fprintf(stderr, "Attempting to abandon session ID %s\n", id);
    buf_printf(&command, "cmd package install-abandon %s", id);
    (void)!package_command_run(cli, &command, -1, &answer, &ignored);
    buf_release(&command);
    buf_release(&answer);
}

static int install_family(struct adb_cli *cli, int argc, int first, char **argv,
                          bool staged, struct session_family *family)
{
    bool written;

    if (!create_member(cli, first, argv, staged, " --multi-package",
                       family->parent))
        return 1;
    written = write_children(cli, argc, first, argv, staged, family) &&
              add_children(cli, family);
    if (finish_session(cli, written ? "commit" : "abandon", family->parent) &&
        written)
        return 0;
    for (int i = 0; i < family->count; i++)
        abandon(cli, family->children[i]);
    abandon(cli, family->parent);
    return 1;
}

static int run_install_multi_package(struct adb_cli *cli, int argc, char **argv)
{
    struct session_family family = {.count = 0};
    int first = argc;
    bool staged = false;
    int code;

    if (argc < 2)
        return adb_cli_fail("install-multi-package requires an argument");
    while (first > 1 && (package_file_ends_with(argv[first - 1], ".apk") ||
                         package_file_ends_with(argv[first - 1], ".apex")))
        staged |= package_file_ends_with(argv[--first], ".apex");
    if (first == argc)
        return adb_cli_fail("need APK or APEX files on command line");
    family.children =
        mem_new((size_t)(argc - first), sizeof(family.children[0]));
    code = install_family(cli, argc, first, argv, staged, &family);
    free(family.children);
    return code;
}

const struct adb_cli_command adb_cli_session_commands[] = {
    {"install-multiple", run_install_multiple},
    {"install-multi-package", run_install_multi_package},
    {NULL, NULL},
};
