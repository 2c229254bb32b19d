/* proctor push: files and folders to the phone. */
#include <sys/stat.h>

#include "base/macros.h"
#include "tools/cli/cmd.h"
#include "tools/cli/transfer.h"

static bool check_target(struct sync *sync, const struct cli *cli,
                         const char *remote, struct err *err)
{
    struct sync_stat stat;

    if (!sync_stat(sync, remote, true, cli_soon(cli), &stat, err))
        return false;
    return S_ISDIR(stat.mode) ||
           err_set(err, ERR_INVALID,
                   "%s is no directory on the phone, and several files cannot "
                   "become one",
                   remote);
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct transfer_job job = {
        .sources = words->items,
        .count = words->count - 1,
        .target = words->items[words->count - 1],
        .done = "pushed",
        .check = check_target,
        .move = sync_push,
    };

    (void)status;
    return transfer_run(cli, args, &job, err);
}

static const struct operand operands[] = {
    {.name = "LOCAL",
     .help = "Files and folders of this computer",
     .completes = COMPLETE_FILE,
     .min = 1,
     .max = OPERAND_MANY},
    {.name = "REMOTE",
     .help = "Where they go on the phone: a directory, or a new name",
     .min = 1,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor push photo.jpg /sdcard/Pictures/", "Copy a file into a folder."},
    {"proctor push -z none movies /sdcard",
     "Copy a folder, and do not try to compress it."},
};

const struct command cmd_push = {
    .name = "push",
    .section = "Use a phone",
    .summary = "Copy files and folders to the phone",
    .description =
        "Copies files and whole folders to the phone, with their permissions "
        "and times. What is there under the same name is replaced.",
    .options = transfer_options,
    .option_count = TRANSFER_OPTION_COUNT,
    .args_size = sizeof(struct transfer_args),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
