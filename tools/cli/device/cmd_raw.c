/* proctor raw: any service of the phone, byte for byte. */
#include <stdlib.h>
#include <unistd.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/device/stdin_forwarder.h"

#define PIECE_SIZE ((size_t)256 * 1024)

struct raw_args {
    bool no_input;
};

static bool feed_write(void *context, const void *data, size_t size,
                       struct deadline by, struct err *err)
{
    return stream_write(context, data, size, by, err);
}

static void feed_interrupt(void *context)
{
    stream_interrupt(context);
}

/* Print what arrives until the phone ends the stream. */
static bool show(struct cli_context *cli, struct stream *stream,
                 struct err *err)
{
    char *piece = mem_new(PIECE_SIZE, 1);
    size_t got;
    bool done;

    do
        done = stream_read(stream, piece, PIECE_SIZE, cli->by, &got, err) &&
               output_stream_write(&cli->out, piece, got, err);
    while (done && got);
    free(piece);
    return done;
}

static bool copy(struct cli_context *cli, struct stream *stream, bool no_input,
                 struct err *err)
{
    struct stdin_forwarder stdin_forwarder = {
        .sink = {.context = stream,
                 .write = feed_write,
                 .interrupt = feed_interrupt},
        .fd = no_input ? -1 : STDIN_FILENO,
        .by = cli->by,
    };
    bool done = stdin_forwarder_start(&stdin_forwarder, err);

    if (done) {
        done = show(cli, stream, err);
        stdin_forwarder_stop(&stdin_forwarder);
    }
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct raw_args *raw_args = args;
    struct device *device = NULL;
    struct stream *stream = NULL;
    bool done;

    (void)status;
    done = cli_open_device(cli, &device, err) &&
           device_open_service(device, words->items[0], cli_short_deadline(cli),
                               &stream, err) &&
           copy(cli, stream, raw_args->no_input, err);
    stream_close(stream);
    device_close(device);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct raw_args, no_input, "no-stdin", 'n',
                "Do not read standard input"),
};

static const struct operand operands[] = {
    {.name = "SERVICE",
     .help = "Its name on the wire, such as exec:COMMAND or tcp:PORT",
     .min = 1,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor raw 'exec:cat /proc/version'",
     "One command, with its output unchanged."},
};

const struct command cmd_raw = {
    .name = "raw",
    .section = "Use a phone",
    .summary = "Open a service of the phone, with unchanged bytes",
    .description = "Opens a service by its name in the ADB protocol. The "
                   "output of the phone is printed unchanged, and standard "
                   "input is sent to it, until the phone ends the stream. The "
                   "protocol cannot signal the end of the input.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct raw_args),
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = run,
};
