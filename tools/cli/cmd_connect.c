/* proctor connect and disconnect: which addresses are remembered. */
#include "adb/known.h"
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"

#define PATH_LIMIT 4096
#define ADB_PORT 5555

/* Say what to look at when nobody answers. Always false. */
static bool advise(struct err *err)
{
    struct err why = *err;

    if (why.code != ERR_UNREACHABLE)
        return false;
    return err_set(err, why.code,
                   "%.180s; is the phone on this network, and does it listen "
                   "for ADB there?",
                   why.text);
}

/* Try the address, and remember it if a phone answers there. */
static bool connect_run(struct cli *cli, const void *args,
                        const struct words *words, int *status, struct err *err)
{
    struct buf path = BUF_INIT(PATH_LIMIT);
    char host[TCP_HOST_MAX];
    char address[TCP_ADDRESS_MAX];
    struct device *device = NULL;
    uint16_t port;
    bool done;

    (void)args;
    (void)status;
    if (!tcp_parse_address(words->items[0], ADB_PORT, host, &port, err))
        return false;
    tcp_format_address(host, port, address);
    if (!cli_open_address(cli, host, port, &device, err))
        return advise(err);
    done = known_path(&path, err) && known_add(buf_cstr(&path), address, err);
    if (done)
        cli_say(cli, "%s answers, and is remembered", address);
    device_close(device);
    buf_release(&path);
    return done;
}

struct disconnect_args {
    bool all;
};

static bool forget_all(const struct cli *cli, const char *path, struct err *err)
{
    struct known known = {0};
    bool done = known_read(path, &known, err);

    for (size_t i = 0; done && i < known.count; i++)
        done = known_remove(path, known.addresses[i], err);
    if (done)
        cli_say(cli, "forgot %zu address%s", known.count,
                known.count == 1 ? "" : "es");
    known_release(&known);
    return done;
}

static bool forget_one(const struct cli *cli, const char *path,
                       const char *text, struct err *err)
{
    char host[TCP_HOST_MAX];
    char address[TCP_ADDRESS_MAX];
    uint16_t port;

    if (!tcp_parse_address(text, ADB_PORT, host, &port, err))
        return false;
    tcp_format_address(host, port, address);
    if (!known_remove(path, address, err))
        return false;
    cli_say(cli, "forgot %s", address);
    return true;
}

static bool disconnect_run(struct cli *cli, const void *args,
                           const struct words *words, int *status,
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
    done = known_path(&path, err);
    if (done && disconnect_args->all)
        done = forget_all(cli, buf_cstr(&path), err);
    else if (done)
        done = forget_one(cli, buf_cstr(&path), words->items[0], err);
    buf_release(&path);
    return done;
}

static const struct operand connect_operands[] = {
    {.name = "ADDRESS",
     .help = "HOST, HOST:PORT or [IPV6]:PORT; the port is 5555 unless told",
     .min = 1,
     .max = 1},
};

static const struct example connect_examples[] = {
    {"proctor connect 192.168.1.20", "A phone on the network, port 5555."},
};

const struct command cmd_connect = {
    .name = "connect",
    .section = "Look around",
    .summary = "Find a phone at an address, and remember it",
    .description =
        "Tries whether a phone answers at ADDRESS. If so, the address is "
        "remembered, and the phone is listed and used from then on. Nothing "
        "stays open in between.",
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
