/* proctor pair: make a phone trust this computer, by the code it shows. */
#include <string.h>

#include "adb/known.h"
#include "adb/pairing.h"
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/secret.h"

#define PATH_LIMIT 4096

/* How long a person may take to bring up the dialog on the phone. */
#define FIND_MS 30000

/* How long a phone may take to announce where it can be connected to. */
#define CONNECT_MS 3000

/* Where the phone shows its code: as given, or whoever does so right now. */
static bool find_phone(const struct cli *cli, const struct places *places,
                       const struct words *words, char host[TCP_HOST_MAX],
                       uint16_t *port, struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(FIND_MS));
    struct mdns_service service;

    if (words->count) {
        if (!tcp_parse_address(words->items[0], 0, host, port, err))
            return false;
        return *port ||
               err_set(err, ERR_INVALID,
                       "the phone shows a port beside its address: give "
                       "HOST:PORT");
    }
    cli_say(cli, "looking for a phone that shows a code (Developer options, "
                 "Wireless debugging, Pair device with pairing code)");
    if (!mdns_find(&places->mdns, MDNS_PAIRING, NULL, by, &service, err))
        return err_wrap(err, "pair");
    memcpy(host, service.host, sizeof(service.host));
    *port = service.port;
    cli_say(cli, "%s at %s port %u", service.instance, service.host,
            (unsigned)service.port);
    return true;
}

static bool pair(const struct cli *cli, const struct places *places,
                 const char *host, uint16_t port, const char *code,
                 char guid[PAIRING_GUID_SIZE], struct err *err)
{
    const struct keyring *keys = auth_keys(&places->credentials);
    struct transport *transport;

    if (!keys)
        return err_set(err, ERR_NOT_FOUND,
                       "this computer has no key (proctor doctor says why)");
    return tcp_open(host, port, (struct tcp_keepalive){0}, cli->cancel,
                    cli_soon(cli), &transport, err) &&
           pairing_host(transport, code, keys, cli_soon(cli), guid, err);
}

/* The phone listens on another port now; remember it if it says which. */
static bool remember(const struct cli *cli, const struct places *places,
                     const char *guid, struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(CONNECT_MS));
    struct buf path = BUF_INIT(PATH_LIMIT);
    struct mdns_service service;
    char address[TCP_ADDRESS_MAX];
    bool done;

    if (!mdns_find(&places->mdns, MDNS_SECURE, guid, by, &service, err)) {
        if (err->code == ERR_CANCELLED)
            return false;
        cli_say(cli,
                "paired with %s; connect to the address that Wireless "
                "debugging shows: proctor connect HOST:PORT",
                guid);
        return true;
    }
    tcp_format_address(service.host, service.port, address);
    done = known_path(&path, err) && known_add(buf_cstr(&path), address, err);
    if (done)
        cli_say(cli, "paired with %s, which is remembered at %s", guid,
                address);
    buf_release(&path);
    return done;
}

static bool run_in(const struct cli *cli, const struct places *places,
                   const struct words *words, struct err *err)
{
    char code[PAIRING_CODE_MAX + 1];
    char guid[PAIRING_GUID_SIZE];
    char host[TCP_HOST_MAX];
    uint16_t port;
    bool done;

    if (!find_phone(cli, places, words, host, &port, err))
        return false;
    done = secret_get(cli, "The code that the phone shows: ",
                      words->count > 1 ? words->items[1] : NULL, code,
                      sizeof(code), err) &&
           pair(cli, places, host, port, code, guid, err);
    secret_wipe(code, sizeof(code));
    return done && remember(cli, places, guid, err);
}

static bool pair_run(struct cli *cli, const void *args,
                     const struct words *words, int *status, struct err *err)
{
    struct places places;
    bool done;

    (void)args;
    (void)status;
    done = cli_places(cli, &places, err) && run_in(cli, &places, words, err);
    places_release(&places);
    return done;
}

static const struct operand pair_operands[] = {
    {.name = "ADDRESS",
     .help = "HOST:PORT as the phone shows it beside the code; without it, "
             "the phone that shows a code on this network",
     .max = 1},
    {.name = "CODE",
     .help = "The six digits; asked for if not given",
     .max = 1},
};

static const struct example pair_examples[] = {
    {"proctor pair", "The phone on this network that shows a code."},
    {"proctor pair 192.168.1.20:37123", "A phone by its address."},
};

const struct command cmd_pair = {
    .name = "pair",
    .section = "Look around",
    .summary = "Make a phone on Wi-Fi trust this computer",
    .description =
        "On the phone, open Developer options, Wireless debugging, Pair "
        "device with pairing code. It shows an address and six digits. Once "
        "paired, the phone is remembered, and the code is not needed again.",
    COMMAND_OPERANDS(pair_operands),
    COMMAND_EXAMPLES(pair_examples),
    .takes = TAKES_TIMEOUT,
    .run = pair_run,
};
