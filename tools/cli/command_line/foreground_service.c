#include "tools/cli/command_line/foreground_service.h"

#include <poll.h>
#include <stdio.h>

/* How long a lost phone may go unnoticed. */
#define LOOK_EVERY_MS 500

bool foreground_service_wait(const struct cli_context *cli,
                             struct device *device, struct err *err)
{
    struct conn *conn = device ? device_conn(device) : NULL;
    struct pollfd interrupt = {.fd = cancel_fd(cli->cancel), .events = POLLIN};

    while (!cancel_fired(cli->cancel)) {
        struct deadline look = deadline_in_ms(LOOK_EVERY_MS);

        if (conn && conn_is_lost(conn, err))
            return false;
        if (deadline_passed(cli->by))
            return err_set(err, ERR_TIMEOUT,
                           "the time given by --timeout is over");
        poll(&interrupt, 1, deadline_left_ms(deadline_sooner(look, cli->by)));
    }
    return err_set(err, ERR_CANCELLED, "interrupted");
}

bool foreground_service_print_port(struct cli_context *cli, unsigned port,
                                   struct err *err)
{
    char line[16];
    int length = snprintf(line, sizeof(line), "%u\n", port);

    return output_stream_write(&cli->out, line, (size_t)length, err);
}

void foreground_service_tell_refused(void *context, size_t count,
                                     const struct err *why)
{
    if (count == 1)
        cli_message(context, "proctor: a connection was refused: %s",
                    why->text);
    else
        cli_message(context,
                    "proctor: %zu connections were refused, the last: %s",
                    count, why->text);
}
