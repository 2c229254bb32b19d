/* proctor pull: files and folders from the phone. */
#include <sys/stat.h>

#include "base/macros.h"
#include "tools/cli/cmd.h"
#include "tools/cli/transfer.h"

/* What is pulled, and where to. */
struct pull {
    const char **remotes;
    size_t count;
    const char *local;
};

/* The last of several words is the destination. */
static struct pull split_words(const struct words *words)
{
    bool named = words->count > 1;

    return (struct pull){
        .remotes = words->items,
        .count = named ? words->count - 1 : 1,
        .local = named ? words->items[words->count - 1] : ".",
    };
}

static bool check_destination(const struct pull *pull, struct err *err)
{
    struct stat destination;

    if (pull->count > 1 &&
        (stat(pull->local, &destination) || !S_ISDIR(destination.st_mode)))
        return err_set(err, ERR_INVALID,
                       "%s is no directory here, and several files cannot "
                       "become one",
                       pull->local);
    return true;
}

static bool pull_all(struct transfer *transfer, struct cli *cli,
                     const struct pull *pull, struct err *err)
{
    for (size_t i = 0; i < pull->count; i++) {
        struct sync_totals totals = {0};
        bool done = sync_pull(transfer->sync, pull->remotes[i], pull->local,
                              cli->by, &totals, err);

        transfer_add(transfer, &totals);
        if (!done)
            return false;
    }
    return true;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    struct pull pull = split_words(words);
    struct transfer transfer;
    bool done;

    (void)status;
    if (!check_destination(&pull, err))
        return false;
    done = transfer_open(&transfer, cli, args, err) &&
           pull_all(&transfer, cli, &pull, err) &&
           transfer_report(&transfer, cli, "pulled", err);
    transfer_close(&transfer);
    return done;
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
        "Copies files and whole folders from the phone, with their "
        "permissions and times. A file gets its name only when all of it is "
        "here, so an interrupted pull leaves nothing that looks whole.",
    .options = transfer_options,
    .option_count = TRANSFER_OPTION_COUNT,
    .args_size = sizeof(struct transfer_args),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
