/* proctor completion: what a shell needs to complete our command lines. */
#include <string.h>

#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/command_line/completion.h"

#define SCRIPT_LIMIT ((size_t)1024 * 1024)

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct buf script = BUF_INIT(SCRIPT_LIMIT);
    bool done;

    (void)args;
    (void)status;
    if (!strcmp(words->items[0], "bash"))
        completion_bash(&script);
    else if (!strcmp(words->items[0], "zsh"))
        completion_zsh(&script);
    else
        completion_fish(&script);
    done = output_stream_buf(&cli->out, &script, err);
    buf_release(&script);
    return done;
}

static const struct operand operands[] = {
    {.name = "SHELL",
     .help = "bash, zsh or fish",
     .choices = shells,
     .min = 1,
     .max = 1},
};

static const struct example examples[] = {
    {". <(proctor completion bash)",
     "Complete in this bash; put it into ~/.bashrc to keep it."},
    {"proctor completion zsh > ~/.zfunc/_proctor",
     "For zsh, when ~/.zfunc is in fpath."},
    {"proctor completion fish > ~/.config/fish/completions/proctor.fish",
     "For fish."},
};

const struct command cmd_completion = {
    .name = "completion",
    .section = "This program",
    .summary = "Print a script that completes command lines",
    .description =
        "Prints a script for your shell. With it, Tab completes commands, "
        "options and their values: files, serials of phones, agents, suites, "
        "tasks and profiles.",
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .run = run,
};
