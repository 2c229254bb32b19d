/* proctor man: the manual page, for the build. */
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/command_line/man_page.h"

#define MAN_LIMIT ((size_t)1024 * 1024)

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct buf text = BUF_INIT(MAN_LIMIT);
    bool done;

    (void)args;
    (void)words;
    (void)status;
    man_page(&text);
    done = output_stream_buf(&cli->out, &text, err);
    buf_release(&text);
    return done;
}

const struct command cmd_man = {
    .name = "man",
    .section = "This program",
    .summary = "Print the manual page",
    .description = "Prints the source of the manual page proctor(1).",
    .hidden = true,
    .run = run,
};
