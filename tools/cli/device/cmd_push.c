/* proctor push: files and folders to the phone. */
#include <sys/stat.h>

#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/device/transfer.h"

static bool check_target(struct sync *sync, const struct cli_context *cli,
                         const char *remote, struct err *err)
{
    struct sync_stat stat;

    if (!sync_stat(sync, remote, true, cli_short_deadline(cli), &stat, err))
        return false;
    return S_ISDIR(stat.mode) ||
           err_set(
               err, ERR_INVALID,
               "%s is not a directory on the phone, and several files need one",
               remote);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
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
     "Copy a folder without compression."},
};

const struct command cmd_push = {
    .name = "push",
    .section = "Use a phone",
    .summary = "Copy files and folders to the phone",
    .description =
        "Copies files and whole folders to the phone, with their permissions "
        "and times. Existing files of the same name are replaced.",
    .options = transfer_options,
    .option_count = TRANSFER_OPTION_COUNT,
    .args_size = sizeof(struct transfer_args),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
