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

/* Remembered addresses; without a place to remember there are none. */
static bool read_known(struct known *known, struct err *err)
{
    struct buf path = BUF_INIT(4096);
    struct err no_home;
    bool done;

    done =
        !known_path(&path, &no_home) || known_read(buf_cstr(&path), known, err);
    buf_release(&path);
    return done;
}

static void say_waiting(void *context)
{
    cli_say(context, "unauthorized: accept the prompt on the phone");
}

bool places_init(struct places *places, const struct cli *cli, struct err *err)
{
    struct err no_keys; /* most phones then say that they want one */

    *places = (struct places){0};
    (void)!keyring_load(&places->keys, &no_keys);
    places->credentials =
        (struct auth_credentials){.keys = &places->keys,
                                  .waiting = say_waiting,
                                  .context = (void *)(uintptr_t)cli};
    places->mdns = (struct mdns){.cancel = cli->cancel};
    places->discover = (struct discover){
        .server = &places->server,
        .known = &places->known,
        .usb = true,
        .emulators = true,
        .mdns = &places->mdns,
        .credentials = &places->credentials,
        .cancel = cli->cancel,
        .log = cli->log,
    };
    if (!read_known(&places->known, err) ||
        !server_from_environment(&places->server, err))
        return false;
    places->server.cancel = cli->cancel;
    places->server.log = cli->log;
    return true;
}

void places_release(struct places *places)
{
    known_release(&places->known);
    keyring_release(&places->keys);
}

bool cli_open_device(const struct cli *cli, struct device **device,
                     struct err *err)
{
    struct places places;
    bool done = places_init(&places, cli, err) &&
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
        places_init(&places, cli, err) &&
        device_open_tcp(host, port, &options, cli_soon(cli), device, err);

    places_release(&places);
    return done;
}
