#include "tools/phone/shell/sh_collect.h"

#include <string.h>

struct collect_io {
    struct sh_io io;
    struct buf *sides[2]; /* borrowed; by enum sh_side */
};

static bool collect_read(struct sh_io *io, void *data, size_t size, size_t *got)
{
    (void)io, (void)data, (void)size;
    *got = 0;
    return true;
}

static bool collect_write(struct sh_io *io, enum sh_side side, const void *data,
                          size_t size)
{
    struct buf *out = ((struct collect_io *)io)->sides[side];

    buf_append(out, data, size);
    return !out->overflow;
}

/* Nothing arrives later: what would wait is stopped. */
static bool collect_wait(struct sh_io *io, struct deadline by)
{
    (void)io;
    return deadline_passed(by);
}

static bool collect_resume(struct sh_io *io)
{
    (void)io;
    return true;
}

static const struct sh_io_ops collect_ops = {
    .read = collect_read,
    .write = collect_write,
    .wait = collect_wait,
    .resume = collect_resume,
};

int sh_collect(const struct sh_options *options, const char *command,
               struct buf *out, struct buf *errors)
{
    struct collect_io collect = {
        .io = {&collect_ops},
        .sides = {[SH_OUT] = out, [SH_ERRORS] = errors},
    };
    struct sh_options own = *options;
    struct sh *shell;
    int status;

    own.io = &collect.io;
    own.command = command;
    shell = sh_open(&own);
    sh_export(shell, "TERM", "dumb");
    (void)sh_run(shell, command, strlen(command), NULL);
    status = sh_finish(shell);
    sh_close(shell);
    return status;
}
