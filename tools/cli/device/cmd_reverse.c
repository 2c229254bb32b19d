/* proctor reverse: a port of the phone that leads here. */
#include "adb/services/reverse.h"

#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/command_line/foreground_service.h"
#include "tools/cli/terminal/text_page.h"

#define REMOVE_MS 3000

struct reverse_args {
    bool list;
    bool remove_all;
    bool no_rebind;
    const char *remove;
};

/*
 * Remove what was registered. A direct connection does that when it is closed.
 * A server remembers it, and must be asked without the interrupt that has just
 * ended everything else.
 */
static bool take_back(const struct cli_context *cli, struct device *device,
                      const char *remote, struct err *err)
{
    struct deadline by = deadline_in_ms(REMOVE_MS);
    struct device *again = NULL;
    struct reverse *reverse = NULL;
    struct server_client server;
    bool done;

    if (!device_server(device))
        return true;
    server = *device_server(device);
    server.cancel = NULL;
    done =
        device_open_server(&server, device_serial(device), by, &again, err) &&
        reverse_start(again, cli->log, &reverse, err) &&
        reverse_remove(reverse, remote, by, err);
    reverse_stop(reverse);
    device_close(again);
    return done;
}

/* Run until interrupted; that error counts more than one of cleaning up. */
static bool serve(struct cli_context *cli, struct device *device,
                  struct reverse *reverse, const struct operand_words *words,
                  bool rebind, struct err *err)
{
    const char *remote = words->items[0];
    const char *local = words->items[1];
    char picked[32];
    struct err leftover;
    uint16_t port = 0;

    reverse_watch(reverse, foreground_service_tell_refused, cli);
    if (!reverse_add(reverse, remote, local, rebind, cli_short_deadline(cli),
                     &port, err))
        return false;
    if (port) {
        snprintf(picked, sizeof(picked), "tcp:%u", port);
        remote = picked;
    }
    if (!port || foreground_service_print_port(cli, port, err)) {
        cli_message(cli, "forwarding %s on the phone to %s until interrupted",
                    remote, local);
        foreground_service_wait(cli, device, err);
    }
    if (err->code != ERR_LOST && !take_back(cli, device, remote, &leftover))
        cli_message(cli, "proctor: %s stays registered: %s", remote,
                    leftover.text);
    return false;
}

static void add_json(void *context, const char *remote, const char *local)
{
    struct cJSON *object = json_add_object(context, NULL);

    json_add_string(object, "remote", remote);
    json_add_string(object, "local", local);
}

static void add_line(void *context, const char *remote, const char *local)
{
    struct text_page *page = context;

    text_page_untrusted(page, TEXT_STYLE_PLAIN, remote);
    text_page_add(page, TEXT_STYLE_PLAIN, " ");
    text_page_untrusted(page, TEXT_STYLE_PLAIN, local);
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
}

static bool list_json(struct cli_context *cli, struct device *device,
                      struct err *err)
{
    struct cJSON *tree = json_new_array();
    bool done =
        reverse_list(device, add_json, tree, cli_short_deadline(cli), err) &&
        output_stream_json(&cli->out, tree, err);

    cJSON_Delete(tree);
    return done;
}

static bool list_text(struct cli_context *cli, struct device *device,
                      struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    done =
        reverse_list(device, add_line, &page, cli_short_deadline(cli), err) &&
        output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool check_words(const struct reverse_args *args,
                        const struct operand_words *words, struct err *err)
{
    int managing = args->list + args->remove_all + (args->remove != NULL);

    if (managing > 1)
        return err_set(
            err, ERR_INVALID,
            "reverse: give only one of --list, --remove and --remove-all");
    if (managing && words->count)
        return err_set(err, ERR_INVALID,
                       "reverse: \"%.60s\" cannot be given with --list, "
                       "--remove or --remove-all",
                       words->items[0]);
    if (!managing && words->count < 2)
        return err_set(err, ERR_INVALID,
                       "reverse: %s is missing (see: proctor reverse --help)",
                       words->count ? "LOCAL" : "REMOTE");
    return true;
}

static bool act(struct cli_context *cli, const struct reverse_args *args,
                const struct operand_words *words, struct device *device,
                struct err *err)
{
    struct reverse *reverse = NULL;
    bool done;

    if (args->list)
        return cli->shared.json ? list_json(cli, device, err)
                                : list_text(cli, device, err);
    if (!reverse_start(device, cli->log, &reverse, err))
        return false;
    if (args->remove)
        done =
            reverse_remove(reverse, args->remove, cli_short_deadline(cli), err);
    else if (args->remove_all)
        done = reverse_remove_all(reverse, cli_short_deadline(cli), err);
    else
        done = serve(cli, device, reverse, words, !args->no_rebind, err);
    reverse_stop(reverse);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct device *device = NULL;
    bool done;

    (void)status;
    done = check_words(args, words, err) &&
           cli_open_device(cli, &device, err) &&
           act(cli, args, words, device, err);
    device_close(device);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct reverse_args, list, "list", 'l',
                "List the listeners on the phone"),
    OPTION_TEXT(struct reverse_args, remove, "remove", 0, "REMOTE",
                COMPLETE_NOTHING, "Remove one"),
    OPTION_FLAG(struct reverse_args, remove_all, "remove-all", 0, "Remove all"),
    OPTION_FLAG(struct reverse_args, no_rebind, "no-rebind", 0,
                "Fail if REMOTE is already in use"),
};

static const struct operand operands[] = {
    {.name = "REMOTE",
     .help = "On the phone: tcp:PORT, localabstract:NAME or "
             "localfilesystem:PATH; tcp:0 picks a free port and prints it",
     .max = 1},
    {.name = "LOCAL",
     .help = "Here: tcp:PORT, tcp:HOST:PORT, localabstract:NAME or "
             "localfilesystem:PATH",
     .max = 1},
};

static const struct example examples[] = {
    {"proctor reverse tcp:8000 tcp:8000",
     "Port 8000 of the phone is forwarded to port 8000 of this computer."},
    {"proctor reverse --list", "The listeners on the phone."},
};

const struct command cmd_reverse = {
    .name = "reverse",
    .section = "Ports",
    .summary = "Forward a port of the phone to this computer",
    .description = "Makes the phone listen on REMOTE and forwards each "
                   "connection to LOCAL on this computer, until it is "
                   "interrupted. The phone can reach only LOCAL.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct reverse_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
