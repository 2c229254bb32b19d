/* proctor serve: phones, live, in the browser. */
#include <stdlib.h>
#include <string.h>

#include "adb/transport/tcp.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/foreground_service.h"
#include "tools/cli/command_line/queue_operands.h"
#include "tools/cli/serve/open_browser.h"
#include "tools/cli/serve/serve_farm.h"
#include "tools/cli/serve/serve_phone_page.h"
#include "tools/phone/phone.h"
#include "tools/serve/serve.h"

struct serve_args {
    const char *port;
    const char *listen;
    const char *certificate;
    const char *private_key;
    const char *device;
    const char *recordings;
    bool read_only;
    bool open;
};

static bool read_options(const struct cli_context *cli,
                         const struct serve_args *args,
                         struct serve_options *options, struct err *err)
{
    *options = (struct serve_options){
        .address = args->listen,
        .certificate = args->certificate,
        .private_key = args->private_key,
        .read_only = args->read_only,
        .search = true,
        .attach = !args->device,
        .recordings = args->recordings,
        .log = cli->log,
    };
    if (!args->certificate != !args->private_key)
        return err_set(err, ERR_INVALID,
                       "--tls-cert and --tls-key need each other");
    return !args->port || !strcmp(args->port, "0") ||
           tcp_parse_port(args->port, &options->port) ||
           err_set(err, ERR_INVALID,
                   "--port %.40s: give a port from 1 to 65535, or 0 for a "
                   "free one",
                   args->port);
}

/* A built-in phone, or the only phone that is shown. */
static bool choose_device(struct serve_options *options, const char *device,
                          const struct cli_context *cli, struct phone **phone,
                          struct err *err)
{
    const struct phone_options phone_options = {.realtime = true,
                                                .log = cli->log};

    if (!device)
        return true;
    options->search = strcmp(device, "phone") != 0;
    if (!options->search)
        return phone_start(&phone_options, phone, err);
    options->only = device;
    return true;
}

static bool serve_until_interrupted(struct cli_context *cli,
                                    const struct serve_args *args,
                                    const struct serve_options *options,
                                    struct phone *phone, struct err *err)
{
    const char *shown = options->only;
    char serial[TCP_ADDRESS_MAX];
    struct serve *serve = NULL;
    char *file = NULL;
    bool done = serve_start(options, &serve, err);

    if (done && phone) {
        tcp_format_address("127.0.0.1", phone_port(phone), serial);
        done = serve_add_phone(serve, phone, serial, err);
        shown = serial;
    }
    if (done) {
        file = serve_show_url(
            cli, serve, (struct serve_place){shown ? "phone" : NULL, shown},
            args->open);
        done = foreground_service_print_port(cli, serve_port(serve), err) &&
               foreground_service_wait(cli, NULL, err);
    }
    serve_stop(serve);
    browser_file_remove(file);
    return done;
}

/* The page of a queue shows phones of workers, none that is reached here. */
static bool serve_queue(struct cli_context *cli, const struct serve_args *args,
                        const struct serve_options *options,
                        const struct operand_words *words, struct err *err)
{
    struct farm_page_options farm = {.address = options->address,
                                     .port = options->port,
                                     .certificate = options->certificate,
                                     .private_key = options->private_key};
    const char *rest;
    char *url;
    bool done;

    if (args->device || args->recordings)
        return err_set(err, ERR_INVALID,
                       "--device and --recordings are for phones of this "
                       "computer: give them without the address of a queue");
    if (!queue_operands_read(words, 0, &url, &rest, err))
        return false;
    farm.url = url;
    done = rest ? err_set(err, ERR_INVALID,
                          "%.100s is not the address of a queue: give "
                          "postgresql://…",
                          rest)
                : serve_farm(cli, &farm, args->open, err);
    free(url);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct serve_args *given = args;
    struct serve_options options;
    struct phone *phone = NULL;
    bool done;

    (void)status;
    if (!read_options(cli, given, &options, err))
        return false;
    if (words->count)
        return serve_queue(cli, given, &options, words, err);
    done = choose_device(&options, given->device, cli, &phone, err) &&
           serve_until_interrupted(cli, given, &options, phone, err);
    phone_stop(phone);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct serve_args, port, "port", 0, "PORT", COMPLETE_NOTHING,
                "Where it listens (a free port)"),
    OPTION_TEXT(struct serve_args, listen, "listen", 0, "ADDRESS",
                COMPLETE_NOTHING,
                "Listen on this numeric address, so that other computers can "
                "connect; beyond this computer only with TLS (127.0.0.1)"),
    OPTION_TEXT(struct serve_args, certificate, "tls-cert", 0, "FILE",
                COMPLETE_FILE, "Certificate for HTTPS, in PEM"),
    OPTION_TEXT(struct serve_args, private_key, "tls-key", 0, "FILE",
                COMPLETE_FILE, "The key of the certificate, in PEM"),
    OPTION_TEXT(struct serve_args, device, "device", 's', "DEVICE",
                COMPLETE_RUN_DEVICE,
                "Show only this phone: a serial, or phone for a built-in one"),
    OPTION_TEXT(struct serve_args, recordings, "recordings", 0, "FOLDER",
                COMPLETE_FILE, "Where recordings are (recordings)"),
    OPTION_FLAG(struct serve_args, read_only, "read-only", 0,
                "Only watch: the pages can change nothing"),
    OPTION_FLAG(struct serve_args, open, "open", 0,
                "Show the page in your browser"),
};

static const struct operand operands[] = {
    {.name = "QUEUE",
     .help = "The database of a farm, postgresql://…: its runs, the phones of "
             "all workers and the newest episodes are shown instead",
     .max = 1,
     .completes = COMPLETE_NOTHING},
};

static const struct example examples[] = {
    {"proctor serve --open", "All phones, in your browser."},
    {"proctor serve --device phone --open", "A built-in phone alone."},
    {"proctor serve --read-only", "A page on which phones are only watched."},
    {"proctor serve postgresql://viewer@db.example.org/proctor --open",
     "A farm: its queue, its workers and their phones."},
};

const struct command cmd_serve = {
    .name = "serve",
    .section = "Look around",
    .summary = "Show phones live in the browser, and use them there",
    .description =
        "Serves a page with every phone that can be reached, until it is "
        "interrupted: their live screens, mouse and keyboard on them, their UI "
        "tree and shell. It also connects and pairs phones, and starts "
        "built-in ones. The address that is printed holds a token: a "
        "browser that opens it may use the phones.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct serve_args),
    .takes = TAKES_TIMEOUT,
    .run = run,
};
