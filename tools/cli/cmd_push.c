/* proctor push: files and folders to the phone. */
#include <sys/stat.h>

#include "base/macros.h"
#include "tools/cli/cmd.h"
#include "tools/cli/transfer.h"

/* Several sources need a directory to go into. */
static bool check_destination(struct transfer *transfer, const struct cli *cli,
                              const char *remote, struct err *err)
{
    struct sync_stat stat;

    if (!sync_stat(transfer->sync, remote, true, cli_soon(cli), &stat, err))
        return false;
    if (!S_ISDIR(stat.mode))
        return err_set(err, ERR_INVALID,
                       "%s is no directory on the phone, and several files "
                       "cannot become one",
                       remote);
    return true;
}

static bool push_all(struct transfer *transfer, struct cli *cli,
                     const struct words *words, struct err *err)
{
    size_t sources = words->count - 1;
    const char *remote = words->items[sources];

    if (sources > 1 && !check_destination(transfer, cli, remote, err))
        return false;
    for (size_t i = 0; i < sources; i++) {
        struct sync_totals totals = {0};
        bool done = sync_push(transfer->sync, words->items[i], remote, cli->by,
                              &totals, err);

        transfer_add(transfer, &totals);
        if (!done)
            return false;
    }
    return true;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    struct transfer transfer;
    bool done;

    (void)status;
    done = transfer_open(&transfer, cli, args, err) &&
           push_all(&transfer, cli, words, err) &&
           transfer_report(&transfer, cli, "pushed", err);
    transfer_close(&transfer);
    return done;
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
