/*
 * The program that users start. It has the commands for a device, and executes
 * proctor-all or proctor-phone for everything else.
 *
 * Judging and the built-in phone need many libraries. Loading them takes longer
 * than most shell commands and small transfers.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/macros.h"
#include "tools/cli/cli_main.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"

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
static const char *command_name(int argc, char **argv)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t group_count = command_groups(NULL, NULL, NULL, groups);
    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    size_t at = option_skip(groups, group_count, argv + 1, count);

    return at < count ? argv[1 + at] : "";
}

static bool is_front_command(const char *name)
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

/* The page of a phone needs more than the phone alone. */
static bool has_argument(int argc, char **argv, const char *wanted)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], wanted))
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    const char *name = command_name(argc, argv);

    if (is_front_command(name))
        return cli_main(argc, argv);
    if (!strcmp(name, "phone") && !has_argument(argc, argv, "--open"))
        become("proctor-phone", argv);
    become("proctor-all", argv);
    fprintf(stderr,
            "proctor: cannot run proctor-all: %s; install proctor again\n",
            strerror(errno));
    return cli_exit_code(ERR_NOT_FOUND);
}
