/* proctor install: an app from this computer. */
#include "adb/install.h"

#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/progress.h"

struct install_args {
    bool reinstall;
    bool test;
    bool grant;
    bool downgrade;
};

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct install_args *install_args = args;
    struct progress progress;
    struct install_options options = {
        .reinstall = install_args->reinstall,
        .test = install_args->test,
        .grant = install_args->grant,
        .downgrade = install_args->downgrade,
        .progress = progress_update,
        .context = &progress,
    };
    struct device *device = NULL;
    bool done;

    (void)status;
    progress_init(&progress, true, cli->cancel);
    done = cli_open_device(cli, &device, err) &&
           install_apk(device, words->items[0], &options, cli->by, err);
    progress_clear(&progress);
    if (done)
        cli_say(cli, "installed %s", words->items[0]);
    device_close(device);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct install_args, reinstall, "reinstall", 'r',
                "Over an existing one, and keep its data"),
    OPTION_FLAG(struct install_args, test, "test", 't',
                "Also an app that is marked as for tests only"),
    OPTION_FLAG(struct install_args, grant, "grant", 'g',
                "Grant all permissions that it asks for"),
    OPTION_FLAG(struct install_args, downgrade, "downgrade", 'd',
                "Also an older version than the one that is there"),
};

static const struct operand operands[] = {
    {.name = "APK",
     .help = "The app's file",
     .completes = COMPLETE_FILE,
     .min = 1,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor install -r app.apk", "Install it, or bring it up to date."},
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
