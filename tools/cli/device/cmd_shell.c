/* proctor shell: a command, or a whole session, on the phone. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/device/shell_session.h"

/* As much as any device takes as one service name. */
#define COMMAND_LIMIT ((size_t)1024 * 1024)

struct shell_args {
    bool pty;
    bool no_pty;
    bool no_input;
};

/* An old phone tells no status of a whole session, only of a command. */
static bool take_status(int reported, bool is_command, int *status,
                        struct err *err)
{
    if (reported < 0 && is_command)
        return err_set(err, ERR_CLOSED,
                       "the command ended without an exit status: the phone's "
                       "shell did not understand it, or was ended");
    *status = reported < 0 ? 0 : reported;
    return true;
}

static bool run_session(struct cli_context *cli, struct shell *shell,
                        bool is_command, bool terminal, bool no_input,
                        int *status, struct err *err)
{
    const struct shell_session session = {
        .shell = shell,
        .out = &cli->out,
        .terminal = terminal,
        .no_input = no_input,
        .cancel = cli->cancel,
        .by = cli->by,
    };
    int reported;

    return shell_session_run(&session, &reported, err) &&
           take_status(reported, is_command, status, err);
}

static void join_words(const struct operand_words *words, struct buf *command)
{
    for (size_t i = 0; i < words->count; i++) {
        if (i)
            buf_byte(command, ' ');
        buf_text(command, words->items[i]);
    }
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct shell_args *shell_args = args;
    bool terminal = isatty(STDIN_FILENO) && !shell_args->no_input;
    struct buf command = BUF_INIT(COMMAND_LIMIT);
    struct shell_options options = {.term = getenv("TERM"), .status = true};
    struct device *device = NULL;
    struct shell *shell = NULL;
    bool done = false;

    options.pty =
        !shell_args->no_pty && (shell_args->pty || (terminal && !words->count));
    join_words(words, &command);
    options.command = buf_cstr(&command);
    if (command.overflow)
        err_set(err, ERR_LIMIT, "the command is too long for the phone");
    else
        done =
            cli_open_device(cli, &device, err) &&
            shell_open(device, &options, cli_short_deadline(cli), &shell,
                       err) &&
            run_session(cli, shell, *options.command, options.pty && terminal,
                        shell_args->no_input, status, err);
    shell_close(shell);
    device_close(device);
    buf_release(&command);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct shell_args, pty, "tty", 't',
                "Give the command a terminal on the phone"),
    OPTION_FLAG(struct shell_args, no_pty, "no-tty", 'T',
                "Give it none, even for an interactive shell"),
    OPTION_FLAG(struct shell_args, no_input, "no-stdin", 'n',
                "Do not read standard input"),
};

static const struct operand operands[] = {
    {.name = "COMMAND",
     .help = "What to run; without it, a shell to type into",
     .max = OPERAND_MANY,
     .verbatim = true},
};

static const struct example examples[] = {
    {"proctor shell", "A shell on the phone."},
    {"proctor shell ls -l /sdcard", "Run one command there."},
    {"proctor shell 'cat > /data/local/tmp/note' < note",
     "Standard input goes to the command."},
    {"proctor shell -t top", "A program that needs a terminal."},
};

const struct command cmd_shell = {
    .name = "shell",
    .section = "Use a phone",
    .summary = "Run a command on the phone, or a shell to type into",
    .description =
        "Runs COMMAND in the phone's shell. Its words are joined with spaces, "
        "so quote twice what the phone's shell must not take apart. Output, "
        "errors and the exit code arrive as the command gave them.\n\n"
        "Without COMMAND you get a shell on the phone, with your terminal's "
        "size and keys. To leave one that hangs, type Enter ~ and a full "
        "stop.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct shell_args),
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = run,
};
