/* proctor forward: a port here that leads to the phone. */
#include "adb/services/forward.h"

#include <string.h>

#include "adb/services/local_endpoint.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/command_line/foreground_service.h"

static bool announce(struct cli_context *cli, const struct forward *forward,
                     const char *asked, const char *remote, struct err *err)
{
    const char *local = forward_local(forward);
    struct local_endpoint endpoint;

    if (!local_endpoint_parse(local, &endpoint, err))
        return false;
    if (!strcmp(asked, "tcp:0") &&
        !foreground_service_print_port(cli, endpoint.port, err))
        return false;
    cli_message(cli, "forwarding %s to %s on the phone until interrupted",
                local, remote);
    return true;
}

static bool serve(struct cli_context *cli, struct device *device,
                  struct forward *forward, const char *asked,
                  const char *remote, struct err *err)
{
    forward_watch(forward, foreground_service_tell_refused, cli);
    return announce(cli, forward, asked, remote, err) &&
           foreground_service_wait(cli, device, err);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const char *local = words->items[0];
    const char *remote = words->items[1];
    struct device *device = NULL;
    struct forward *forward = NULL;
    bool done;

    (void)args;
    (void)status;
    done = cli_open_device(cli, &device, err) &&
           forward_start(device, local, remote, cli->log, &forward, err) &&
           serve(cli, device, forward, local, remote, err);
    forward_stop(forward);
    device_close(device);
    return done;
}

static const struct operand operands[] = {
    {.name = "LOCAL",
     .help = "tcp:PORT, localabstract:NAME or localfilesystem:PATH; tcp:0 "
             "picks a free port and prints it",
     .min = 1,
     .max = 1},
    {.name = "REMOTE",
     .help = "On the phone: tcp:PORT, localabstract:NAME, "
             "localfilesystem:PATH, jdwp:PID, dev:PATH",
     .min = 1,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor forward tcp:8080 tcp:80",
     "Port 8080 of this computer is forwarded to port 80 of the phone."},
    {"proctor forward tcp:0 localabstract:chrome_devtools_remote",
     "A free port, which is printed first."},
};

const struct command cmd_forward = {
    .name = "forward",
    .section = "Ports",
    .summary = "Forward a port of this computer to the phone",
    .description =
        "Listens on LOCAL and forwards each connection to REMOTE on the phone. "
        "Only this computer can connect. It runs until it is interrupted.",
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = run,
};
