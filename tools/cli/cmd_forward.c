/* proctor forward: a port here that leads to the phone. */
#include "adb/forward.h"

#include <string.h>

#include "adb/endpoint.h"
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/serve.h"

static bool announce(struct cli *cli, const struct forward *forward,
                     const char *asked, const char *remote, struct err *err)
{
    const char *local = forward_local(forward);
    struct endpoint endpoint;

    if (!endpoint_parse(local, &endpoint, err))
        return false;
    if (!strcmp(asked, "tcp:0") && !serve_print_port(cli, endpoint.port, err))
        return false;
    cli_say(cli, "%s leads to %s on the phone until this is interrupted", local,
            remote);
    return true;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
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
           announce(cli, forward, local, remote, err) &&
           serve_until_interrupted(cli, device, err);
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
     "Port 8080 here leads to port 80 of the phone."},
    {"proctor forward tcp:0 localabstract:chrome_devtools_remote",
     "A port of the system's choice, printed first."},
};

const struct command cmd_forward = {
    .name = "forward",
    .section = "Ports",
    .summary = "Let a port here lead to the phone",
    .description =
        "Listens on LOCAL and connects whoever comes to REMOTE on the phone. "
        "It listens for this computer only, and until it is interrupted.",
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = run,
};
