/* proctor help: the same as --help. */
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/command_line/help.h"

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct command *command = NULL;

    (void)args;
    (void)status;
    if (words->count && !command_find(words->items[0], &command, err))
        return false;
    return help_print(command, &cli->out, err);
}

static const struct operand operands[] = {
    {.name = "COMMAND", .help = "The command to explain", .max = 1},
};

const struct command cmd_help = {
    .name = "help",
    .section = "This program",
    .summary = "Explain a command",
    .description = "Prints what proctor COMMAND --help prints.",
    COMMAND_OPERANDS(operands),
    .run = run,
};
