/* proctor connect and disconnect: which addresses are remembered. */
#include "adb/discover/known_hosts.h"
#include "adb/discover/new_phone.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"

#define PATH_LIMIT 4096

/* Try the address, and remember it if a phone answers there. */
static bool connect_run(struct cli_context *cli, const void *args,
                        const struct operand_words *words, int *status,
                        struct err *err)
{
    struct discover_config discover_config;
    char address[TCP_ADDRESS_MAX];
    bool done;

    (void)args;
    (void)status;
    done = cli_discover_config(cli, &discover_config, err) &&
           new_phone_connect(&discover_config.discover, words->items[0],
                             cli_short_deadline(cli), address, err);
    if (done)
        cli_message(cli, "%s answers, and is remembered", address);
    discover_config_release(&discover_config);
    return done;
}

struct disconnect_args {
    bool all;
};

static bool forget_all(const struct cli_context *cli, const char *path,
                       struct err *err)
{
    struct known_hosts known_hosts = {0};
    bool done = known_hosts_read(path, &known_hosts, err);

    for (size_t i = 0; done && i < known_hosts.count; i++)
        done = known_hosts_remove(path, known_hosts.addresses[i], err);
    if (done)
        cli_message(cli, "forgot %zu address%s", known_hosts.count,
                    known_hosts.count == 1 ? "" : "es");
    known_hosts_release(&known_hosts);
    return done;
}

static bool forget_one(const struct cli_context *cli, const char *path,
                       const char *text, struct err *err)
{
    char host[TCP_HOST_MAX];
    char address[TCP_ADDRESS_MAX];
    uint16_t port;

    if (!tcp_parse_address(text, NEW_PHONE_PORT, host, &port, err))
        return false;
    tcp_format_address(host, port, address);
    if (!known_hosts_remove(path, address, err))
        return false;
    cli_message(cli, "forgot %s", address);
    return true;
}

static bool disconnect_run(struct cli_context *cli, const void *args,
                           const struct operand_words *words, int *status,
                           struct err *err)
{
    const struct disconnect_args *disconnect_args = args;
    struct buf path = BUF_INIT(PATH_LIMIT);
    bool done;

    (void)status;
    if (disconnect_args->all == (words->count > 0))
        return err_set(err, ERR_INVALID,
                       "disconnect: give either an address or --all "
                       "(see: proctor disconnect --help)");
    done = known_hosts_path(&path, err);
    if (done && disconnect_args->all)
        done = forget_all(cli, buf_cstr(&path), err);
    else if (done)
        done = forget_one(cli, buf_cstr(&path), words->items[0], err);
    buf_release(&path);
    return done;
}

static const struct operand connect_operands[] = {
    {.name = "ADDRESS",
     .help = "HOST, HOST:PORT or [IPV6]:PORT; the default port is 5555",
     .min = 1,
     .max = 1},
};

static const struct example connect_examples[] = {
    {"proctor connect 192.168.1.20", "A phone on the network, port 5555."},
};

const struct command cmd_connect = {
    .name = "connect",
    .section = "Look around",
    .summary = "Connect to a phone at an address, and remember it",
    .description = "Checks whether a phone answers at ADDRESS. If so, the "
                   "address is remembered, and the phone is listed and used "
                   "from then on. No connection stays open.",
    COMMAND_OPERANDS(connect_operands),
    COMMAND_EXAMPLES(connect_examples),
    .takes = TAKES_TIMEOUT,
    .run = connect_run,
};

static const struct option disconnect_options[] = {
    OPTION_FLAG(struct disconnect_args, all, "all", 'a',
                "Forget every address"),
};

static const struct operand disconnect_operands[] = {
    {.name = "ADDRESS", .help = "As it was given to connect", .max = 1},
};

const struct command cmd_disconnect = {
    .name = "disconnect",
    .section = "Look around",
    .summary = "Forget an address",
    .description = "Forgets an address that connect has remembered.",
    COMMAND_OPTIONS(disconnect_options),
    COMMAND_OPERANDS(disconnect_operands),
    .args_size = sizeof(struct disconnect_args),
    .run = disconnect_run,
};
