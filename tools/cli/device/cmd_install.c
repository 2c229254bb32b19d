/* proctor install: an app from this computer. */
#include "adb/install/install.h"

#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/transfer_progress.h"

struct install_args {
    bool reinstall;
    bool test;
    bool grant;
    bool downgrade;
};

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct install_args *install_args = args;
    struct transfer_progress progress;
    struct install_options options = {
        .reinstall = install_args->reinstall,
        .test = install_args->test,
        .grant = install_args->grant,
        .downgrade = install_args->downgrade,
        .progress = transfer_progress_update,
        .context = &progress,
    };
    struct device *device = NULL;
    bool done;

    (void)status;
    transfer_progress_init(&progress, true, cli->cancel);
    done = cli_open_device(cli, &device, err) &&
           install_apk(device, words->items[0], &options, cli->by, err);
    transfer_progress_clear(&progress);
    if (done)
        cli_message(cli, "installed %s", words->items[0]);
    device_close(device);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct install_args, reinstall, "reinstall", 'r',
                "Replace an installed app, and keep its data"),
    OPTION_FLAG(struct install_args, test, "test", 't',
                "Allow an app that is marked as for tests only"),
    OPTION_FLAG(struct install_args, grant, "grant", 'g',
                "Grant all permissions that the app requests"),
    OPTION_FLAG(struct install_args, downgrade, "downgrade", 'd',
                "Allow an older version than the installed one"),
};

static const struct operand operands[] = {
    {.name = "APK",
     .help = "The app's file",
     .completes = COMPLETE_FILE,
     .min = 1,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor install -r app.apk", "Install or update it."},
};

const struct command cmd_install = {
    .name = "install",
    .section = "Use a phone",
    .summary = "Install an app on the phone",
    .description = "Installs an app from a file of this computer.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct install_args),
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = run,
};
