/* proctor shell: a command, or a whole session, on the phone. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/shell.h"
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/feeder.h"
#include "tools/cli/terminal.h"

/* As much as any device takes as one service name. */
#define COMMAND_LIMIT ((size_t)1024 * 1024)

struct shell_args {
    bool pty;
    bool no_pty;
    bool no_input;
};

/* Print what arrives until the shell ends. */
static bool show(struct cli *cli, struct shell *shell, struct output *errors,
                 int *status, struct err *err)
{
    struct shell_event event;

    while (shell_next(shell, cli->by, &event, err)) {
        switch (event.kind) {
        case SHELL_OUT:
            if (!output_write(&cli->out, event.data, event.length, err))
                return false;
            break;
        case SHELL_ERRORS:
            if (!output_write(errors, event.data, event.length, err))
                return false;
            break;
        case SHELL_EXIT:
            *status = event.status < 0 ? 0 : event.status;
            return true;
        }
    }
    return false;
}

static bool feed_write(void *context, const void *data, size_t size,
                       struct deadline by, struct err *err)
{
    return shell_write(context, data, size, by, err);
}

static void feed_end(void *context, struct deadline by)
{
    struct err err;
    bool ended = shell_end_input(context, by, &err);

    (void)ended; /* old phones cannot be told */
}

static void feed_resize(void *context, unsigned rows, unsigned columns,
                        struct deadline by)
{
    struct err err;
    bool told = shell_resize(context, rows, columns, by, &err);

    (void)told; /* whoever reads notices a phone that is gone */
}

static void feed_interrupt(void *context)
{
    shell_interrupt(context);
}

/* Give an interactive session the user's terminal for as long as it runs. */
static bool run_session(struct cli *cli, struct shell *shell, bool terminal,
                        bool no_input, int *status, struct err *err)
{
    struct terminal saved = TERMINAL_INIT;
    struct output errors;
    struct feeder feeder = {
        .sink = {.context = shell,
                 .write = feed_write,
                 .end = feed_end,
                 .resize = feed_resize,
                 .interrupt = feed_interrupt},
        .fd = no_input ? -1 : STDIN_FILENO,
        .terminal = terminal,
        .by = cli->by,
    };
    bool done;

    if (terminal && !terminal_make_raw(&saved, STDIN_FILENO, err))
        return false;
    output_init(&errors, STDERR_FILENO, cli->cancel);
    done = feeder_start(&feeder, err);
    if (done) {
        done = show(cli, shell, &errors, status, err);
        feeder_stop(&feeder);
    }
    output_release(&errors);
    terminal_restore(&saved);
    return done;
}

static void join_words(const struct words *words, struct buf *command)
{
    for (size_t i = 0; i < words->count; i++) {
        if (i)
            buf_byte(command, ' ');
        buf_text(command, words->items[i]);
    }
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct shell_args *shell_args = args;
    bool terminal = isatty(STDIN_FILENO) && !shell_args->no_input;
    struct buf command = BUF_INIT(COMMAND_LIMIT);
    struct shell_options options = {.term = getenv("TERM")};
    struct device *device = NULL;
    struct shell *shell = NULL;
    bool done = false;

    options.pty =
        !shell_args->no_pty && (shell_args->pty || (terminal && !words->count));
    join_words(words, &command);
    options.command = buf_cstr(&command);
    if (command.overflow)
        err_set(err, ERR_LIMIT, "the command is longer than a phone takes");
    else
        done = cli_open_device(cli, &device, err) &&
               shell_open(device, &options, cli_soon(cli), &shell, err) &&
               run_session(cli, shell, options.pty && terminal,
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
                "Give it none, even if it is a whole session"),
    OPTION_FLAG(struct shell_args, no_input, "no-stdin", 'n',
                "Do not read standard input"),
};

static const struct operand operands[] = {
    {.name = "COMMAND",
     .help = "What to run; without it, a shell to type into",
     .max = OPERAND_MANY,
     .foreign = true},
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
