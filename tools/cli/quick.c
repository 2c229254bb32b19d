/*
 * The proctor that people start: it does what is quick to do with a phone, and
 * leaves everything else to the program that has all commands, or to that which
 * is a phone.
 *
 * Judging and the phone made of software need many libraries. Loading them
 * takes longer than most of what a shell or a small file needs.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/program.h"

/* clang-format off */
const struct command *const commands[] = {
    &cmd_devices,
    &cmd_connect,
    &cmd_disconnect,
    &cmd_shell,
    &cmd_push,
    &cmd_pull,
    &cmd_ls,
    &cmd_install,
    &cmd_shot,
    &cmd_raw,
    &cmd_forward,
    &cmd_reverse,
    &cmd_reboot,
    &cmd_root,
    &cmd_unroot,
    &cmd_tcpip,
    NULL,
};
/* clang-format on */

/* The name of the command that is called; "" for none. */
static const char *called(int argc, char **argv)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t group_count = command_groups(NULL, NULL, NULL, groups);
    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    size_t at = option_skip(groups, group_count, argv + 1, count);

    return at < count ? argv[1 + at] : "";
}

static bool is_quick(const char *name)
{
    for (size_t i = 0; commands[i]; i++) {
        if (!strcmp(commands[i]->name, name))
            return true;
    }
    return false;
}

/* Become another program of ours. Returns when it is not there. */
static void become(const char *program, char **argv)
{
    /* Where it is installed, and where it is built. */
    static const char *const places[] = {"../" PROCTOR_LIBEXEC, "."};
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    const char *folder;

    own[length > 0 ? length : 0] = '\0';
    folder = dirname(own);
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        char path[PATH_MAX + 64];

        snprintf(path, sizeof(path), "%s/%s/%s", folder, places[i], program);
        execv(path, argv);
    }
}

int main(int argc, char **argv)
{
    const char *name = called(argc, argv);

    if (is_quick(name))
        return program_main(argc, argv);
    if (!strcmp(name, "phone"))
        become("proctor-phone", argv);
    become("proctor-all", argv);
    fprintf(stderr, "proctor: its other half, proctor-all, is missing: %s\n",
            strerror(errno));
    return cli_exit_code(ERR_NOT_FOUND);
}
