/* proctor pair: make a phone trust this computer, by the code it shows. */
#include <string.h>

#include "adb/discover/new_phone.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/device/secret_prompt.h"

/* How long a person may take to bring up the dialog on the phone. */
#define FIND_MS 30000

/* How long a phone may take to announce where it can be connected to. */
#define CONNECT_MS 3000

/* The address of the phone that shows a code: as given, or discovered. */
static bool find_phone(const struct cli_context *cli,
                       const struct discover_config *discover_config,
                       const struct operand_words *words,
                       char host[TCP_HOST_MAX], uint16_t *port, struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(FIND_MS));
    struct mdns_service service;

    if (words->count) {
        if (!tcp_parse_address(words->items[0], 0, host, port, err))
            return false;
        return *port || err_set(err, ERR_INVALID,
                                "the phone shows a port next to its address: "
                                "give HOST:PORT");
    }
    cli_message(cli,
                "looking for a phone that shows a code (Developer options, "
                "Wireless debugging, Pair device with pairing code)");
    if (!mdns_find(&discover_config->mdns, MDNS_PAIRING, NULL, by, &service,
                   err))
        return err_wrap(err, "pair");
    memcpy(host, service.host, sizeof(service.host));
    *port = service.port;
    cli_message(cli, "%s at %s port %u", service.instance, service.host,
                (unsigned)service.port);
    return true;
}

/* The phone listens on another port now; remember it if it says which. */
static bool remember(const struct cli_context *cli,
                     const struct discover_config *discover_config,
                     const char *guid, struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(CONNECT_MS));
    char address[TCP_ADDRESS_MAX];

    if (!new_phone_find(&discover_config->discover, guid, by, address, err)) {
        if (err->code == ERR_CANCELLED)
            return false;
        cli_message(cli,
                    "paired with %s; connect to the address that Wireless "
                    "debugging shows: proctor connect HOST:PORT",
                    guid);
        return true;
    }
    if (!new_phone_remember(address, err))
        return false;
    cli_message(cli, "paired with %s, which is remembered at %s", guid,
                address);
    return true;
}

static bool run_in(const struct cli_context *cli,
                   const struct discover_config *discover_config,
                   const struct operand_words *words, struct err *err)
{
    char code[PAIRING_CODE_MAX + 1];
    char guid[PAIRING_GUID_SIZE];
    char host[TCP_HOST_MAX];
    uint16_t port;
    bool done;

    if (!find_phone(cli, discover_config, words, host, &port, err))
        return false;
    done = secret_prompt_get(cli, "The code that the phone shows: ",
                             words->count > 1 ? words->items[1] : NULL, code,
                             sizeof(code), err) &&
           new_phone_pair(&discover_config->discover, host, port, code,
                          cli_short_deadline(cli), guid, err);
    secret_prompt_wipe(code, sizeof(code));
    return done && remember(cli, discover_config, guid, err);
}

static bool pair_run(struct cli_context *cli, const void *args,
                     const struct operand_words *words, int *status,
                     struct err *err)
{
    struct discover_config discover_config;
    bool done;

    (void)args;
    (void)status;
    done = cli_discover_config(cli, &discover_config, err) &&
           run_in(cli, &discover_config, words, err);
    discover_config_release(&discover_config);
    return done;
}

static const struct operand pair_operands[] = {
    {.name = "ADDRESS",
     .help = "HOST:PORT as the phone shows it next to the code; by default, "
             "the phone on this network that shows a code",
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
