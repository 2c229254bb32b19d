/* proctor pull: files and folders from the phone. */
#include <sys/stat.h>

#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/device/transfer.h"

static bool is_directory(const char *path)
{
    struct stat facts;

    return !stat(path, &facts) && S_ISDIR(facts.st_mode);
}

static bool check_target(struct sync *sync, const struct cli_context *cli,
                         const char *local, struct err *err)
{
    (void)sync;
    (void)cli;
    return is_directory(local) ||
           err_set(err, ERR_INVALID,
                   "%s is not a directory on this computer, and several files "
                   "need one",
                   local);
}

/* The last of several words is the target. */
static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    bool named = words->count > 1;
    const struct transfer_job job = {
        .sources = words->items,
        .count = named ? words->count - 1 : 1,
        .target = named ? words->items[words->count - 1] : ".",
        .done = "pulled",
        .check = check_target,
        .move = sync_pull,
    };

    (void)status;
    return transfer_run(cli, args, &job, err);
}

static const struct operand operands[] = {
    {.name = "REMOTE",
     .help = "Files and folders of the phone",
     .min = 1,
     .max = OPERAND_MANY},
    {.name = "LOCAL",
     .help = "Where they go: a directory, or a new name (here)",
     .completes = COMPLETE_FILE,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor pull /sdcard/DCIM photos", "Copy a folder, as photos."},
    {"proctor pull /sdcard/a.txt /sdcard/b.txt .", "Copy two files here."},
};

const struct command cmd_pull = {
    .name = "pull",
    .section = "Use a phone",
    .summary = "Copy files and folders from the phone",
    .description =
        "Copies files and whole folders from the phone, with their permissions "
        "and times. A file gets its name only when it is complete, so an "
        "interrupted pull leaves no partial file under that name.",
    .options = transfer_options,
    .option_count = TRANSFER_OPTION_COUNT,
    .args_size = sizeof(struct transfer_args),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
