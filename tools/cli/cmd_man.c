/* proctor man: the manual page, for the build. */
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/man.h"

#define MAN_LIMIT ((size_t)1024 * 1024)

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    struct buf text = BUF_INIT(MAN_LIMIT);
    bool done;

    (void)args;
    (void)words;
    (void)status;
    man_page(&text);
    done = output_buf(&cli->out, &text, err);
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
