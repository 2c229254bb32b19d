/* proctor help: the same as --help, for who asks that way. */
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/help.h"

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct command *command = NULL;

    (void)args;
    (void)status;
    if (words->count && !command_find(words->items[0], &command, err))
        return false;
    return help_print(command, &cli->out, err);
}

static const struct operand operands[] = {
    {.name = "COMMAND", .help = "What to explain; else all", .max = 1},
};

const struct command cmd_help = {
    .name = "help",
    .section = "This program",
    .summary = "Explain a command",
    .description = "Prints what proctor COMMAND --help prints.",
    COMMAND_OPERANDS(operands),
    .run = run,
};
