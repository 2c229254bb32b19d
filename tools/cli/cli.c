#include "tools/cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define SOON_MS 10000

int cli_exit_code(enum err_code code)
{
    switch (code) {
    case ERR_NONE:
        return 0;
    case ERR_INVALID:
    case ERR_NOT_FOUND:
        return 2;
    case ERR_LOST:
        return 5;
    case ERR_CANCELLED:
        return 130;
    case ERR_IO:
    case ERR_TIMEOUT:
    case ERR_PROTOCOL:
    case ERR_CLOSED:
    case ERR_UNREACHABLE:
    case ERR_REFUSED:
    case ERR_REMOTE:
    case ERR_UNAUTHORIZED:
    case ERR_BUSY:
    case ERR_DENIED:
    case ERR_LIMIT:
    case ERR_NO_SPACE:
    case ERR_UNSUPPORTED:
        break;
    }
    return 1;
}

struct deadline cli_soon(const struct cli *cli)
{
    return deadline_sooner(cli->by, deadline_in_ms(SOON_MS));
}

void cli_say(const struct cli *cli, const char *fmt, ...)
{
    char text[1024];
    char clean[sizeof(text)];
    va_list args;

    if (cli->shared.json)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    text_copy_clean(clean, sizeof(clean), text, strlen(text));
    fprintf(stderr, "%s\n", clean);
}

static void say_line(void *context, const char *line)
{
    cli_say(context, "%s", line);
}

bool cli_places(const struct cli *cli, struct places *places, struct err *err)
{
    return places_init(places, say_line, (void *)(uintptr_t)cli, cli->cancel,
                       cli->log, err);
}

bool cli_open_device(const struct cli *cli, struct device **device,
                     struct err *err)
{
    struct places places;
    bool done = cli_places(cli, &places, err) &&
                discover_open(&places.discover, cli->shared.device,
                              cli_soon(cli), device, err);

    places_release(&places);
    return done;
}

bool cli_open_address(const struct cli *cli, const char *host, uint16_t port,
                      struct device **device, struct err *err)
{
    struct places places;
    const struct device_options options = {.credentials = &places.credentials,
                                           .cancel = cli->cancel,
                                           .log = cli->log};
    bool done =
        cli_places(cli, &places, err) &&
        device_open_tcp(host, port, &options, cli_soon(cli), device, err);

    places_release(&places);
    return done;
}
