/* proctor devices: which phones are there, and how they are reached. */
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/cli/terminal/text_table.h"

/* How often to look for changes that are not reported. */
#define LOOK_EVERY_MS 1000

/* How long a phone that does not answer may keep the list waiting. */
#define ANSWER_MS 3000

struct devices_args {
    bool details;
    bool quiet;
    bool watch;
};

static enum text_style state_style(const struct discover_entry *entry)
{
    return discover_usable(entry) ? TEXT_STYLE_GREEN : TEXT_STYLE_YELLOW;
}

static const struct {
    const char *words;
    const char *json;
} routes[] = {
    [DISCOVER_USB] = {"USB", "usb"},
    [DISCOVER_DIRECT] = {"direct", "direct"},
    [DISCOVER_SERVER] = {"adb server", "server"},
};

static void put_row(struct text_table *table,
                    const struct discover_entry *entry, bool details)
{
    char transport[32] = "";

    text_table_cell(table, TEXT_STYLE_PLAIN, entry->serial);
    text_table_cell(table, state_style(entry), entry->state);
    text_table_cell(table, TEXT_STYLE_PLAIN, routes[entry->route].words);
    if (details) {
        if (entry->transport_id)
            snprintf(transport, sizeof(transport), "%llu",
                     (unsigned long long)entry->transport_id);
        text_table_cell(table, TEXT_STYLE_PLAIN, entry->product);
        text_table_cell(table, TEXT_STYLE_PLAIN, entry->device);
        text_table_cell(table, TEXT_STYLE_PLAIN, transport);
    }
    text_table_cell(table, TEXT_STYLE_PLAIN,
                    discover_usable(entry) || !entry->reason[0]
                        ? entry->model
                        : entry->reason);
}

static void put_heading(struct text_table *table, bool details)
{
    static const char *const basic[] = {"SERIAL", "STATE", "HOW"};
    static const char *const more[] = {"PRODUCT", "DEVICE", "ID"};

    for (size_t i = 0; i < ARRAY_LEN(basic); i++)
        text_table_cell(table, TEXT_STYLE_BOLD, basic[i]);
    for (size_t i = 0; details && i < ARRAY_LEN(more); i++)
        text_table_cell(table, TEXT_STYLE_BOLD, more[i]);
    text_table_cell(table, TEXT_STYLE_BOLD, "MODEL");
}

static bool print_table(struct cli_context *cli,
                        const struct discover_entries *entries, bool details,
                        struct err *err)
{
    struct text_table table;
    struct text_page page;
    bool done;

    if (!entries->count) {
        cli_message(cli, "no phone is connected (see: proctor doctor)");
        return true;
    }
    text_table_init(&table, details ? 7 : 4);
    text_page_init(&page, cli->out.fd);
    put_heading(&table, details);
    for (size_t i = 0; i < entries->count; i++)
        put_row(&table, &entries->items[i], details);
    text_table_write(&table, &page);
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    text_table_release(&table);
    return done;
}

static bool print_serials(struct cli_context *cli,
                          const struct discover_entries *entries,
                          struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    for (size_t i = 0; i < entries->count; i++) {
        text_page_untrusted(&page, TEXT_STYLE_PLAIN, entries->items[i].serial);
        text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    }
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static void add_text(struct cJSON *object, const char *key, const char *text)
{
    if (text[0])
        json_add_string(object, key, text);
}

static bool print_json(struct cli_context *cli,
                       const struct discover_entries *entries, struct err *err)
{
    struct cJSON *tree = json_new_array();
    bool done;

    for (size_t i = 0; i < entries->count; i++) {
        const struct discover_entry *entry = &entries->items[i];
        struct cJSON *object = json_add_object(tree, NULL);

        json_add_string(object, "serial", entry->serial);
        json_add_string(object, "state", entry->state);
        json_add_string(object, "how", routes[entry->route].json);
        add_text(object, "product", entry->product);
        add_text(object, "model", entry->model);
        add_text(object, "device", entry->device);
        add_text(object, "reason", entry->reason);
        if (entry->transport_id)
            json_add_int(object, "transport_id", (int64_t)entry->transport_id);
    }
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool print(struct cli_context *cli, const struct devices_args *args,
                  const struct discover_entries *entries, struct err *err)
{
    if (cli->shared.json)
        return print_json(cli, entries, err);
    if (args->quiet)
        return print_serials(cli, entries, err);
    return print_table(cli, entries, args->details, err);
}

static bool look(const struct cli_context *cli,
                 const struct discover_config *discover_config,
                 struct discover_entries *entries, struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(ANSWER_MS));

    return discover_list(&discover_config->discover, by, entries, err);
}

static bool equal(const struct discover_entries *a,
                  const struct discover_entries *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->items[i].serial, b->items[i].serial) ||
            strcmp(a->items[i].state, b->items[i].state) ||
            a->items[i].route != b->items[i].route)
            return false;
    }
    return true;
}

/* Sources of change notifications; each may be NULL. */
struct tellers {
    struct server_tracker *server;
    struct usb_watch *usb;
};

/* Without a server, which would also report USB phones. */
static void wait_alone(const struct cli_context *cli, struct usb_watch *usb,
                       struct deadline by)
{
    struct pollfd interrupt = {.fd = cancel_fd(cli->cancel), .events = POLLIN};
    struct err why; /* whichever it is, the list is looked at again */

    if (!usb)
        poll(&interrupt, 1, deadline_left_ms(by));
    else
        (void)!usb_watch_wait(usb, by, &why);
}

/*
 * Wait until the server tells of a change, or a moment has passed. A tracker
 * that fails is closed: the server was stopped, and another may be started.
 */
static bool wait_for_change(const struct cli_context *cli,
                            const struct server_client *server,
                            struct tellers *tellers, struct err *err)
{
    struct deadline by = deadline_in_ms(LOOK_EVERY_MS);
    struct server_device_list devices = {0};
    struct err why;

    if (!tellers->server &&
        !server_client_track(server, by, &tellers->server, &why))
        wait_alone(cli, tellers->usb, by);
    if (tellers->server) {
        if (server_client_track_next(tellers->server, by, &devices, &why)) {
            server_device_list_release(&devices);
        } else if (why.code != ERR_TIMEOUT) {
            server_client_track_close(tellers->server);
            tellers->server = NULL;
        }
    }
    if (cancel_fired(cli->cancel))
        return err_set(err, ERR_CANCELLED, "interrupted");
    if (deadline_passed(cli->by))
        return err_set(err, ERR_TIMEOUT, "the time given by --timeout is over");
    return true;
}

/* Print the list now and whenever it has changed, until interrupted. */
static bool watch(struct cli_context *cli, const struct devices_args *args,
                  const struct discover_config *discover_config,
                  struct err *err)
{
    struct tellers tellers = {0};
    struct discover_entries shown = {0};
    struct err no_usb;
    bool first = true;
    bool done;

    (void)!usb_watch_open(cli->cancel, &tellers.usb, &no_usb);
    do {
        struct discover_entries now = {0};

        done = look(cli, discover_config, &now, err);
        if (done && (first || !equal(&shown, &now)))
            done = print(cli, args, &now, err);
        discover_entries_release(&shown);
        shown = now;
        first = false;
    } while (done &&
             wait_for_change(cli, &discover_config->server, &tellers, err));
    discover_entries_release(&shown);
    server_client_track_close(tellers.server);
    usb_watch_close(tellers.usb);
    return false;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct devices_args *devices_args = args;
    struct discover_entries entries = {0};
    struct discover_config discover_config;
    bool done = cli_discover_config(cli, &discover_config, err);

    (void)words;
    (void)status;
    if (done && devices_args->watch)
        done = watch(cli, devices_args, &discover_config, err);
    else if (done)
        done = look(cli, &discover_config, &entries, err) &&
               print(cli, devices_args, &entries, err);
    discover_entries_release(&entries);
    discover_config_release(&discover_config);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct devices_args, details, "long", 'l',
                "Also product, device and the server's number for it"),
    OPTION_FLAG(struct devices_args, quiet, "quiet", 'q', "Only the serials"),
    OPTION_FLAG(struct devices_args, watch, "watch", 'w',
                "Print the list again whenever it changes"),
};

const struct command cmd_devices = {
    .name = "devices",
    .section = "Look around",
    .summary = "List connected phones",
    .description = "Lists phones on USB, phones that were connected before, "
                   "emulators on this computer, and all phones of a running "
                   "adb server; each once, by the best route to it.",
    COMMAND_OPTIONS(options_table),
    .args_size = sizeof(struct devices_args),
    .takes = TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
