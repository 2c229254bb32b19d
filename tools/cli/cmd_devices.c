/* proctor devices: which phones are there, and how they are reached. */
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"
#include "tools/cli/table.h"

/* How soon a change that nobody tells us about is noticed. */
#define LOOK_EVERY_MS 1000

/* How long a phone that does not answer may keep the list waiting. */
#define ANSWER_MS 3000

struct devices_args {
    bool details;
    bool quiet;
    bool watch;
};

static enum page_style state_style(const struct discover_entry *entry)
{
    return discover_usable(entry) ? PAGE_GREEN : PAGE_YELLOW;
}

static const struct {
    const char *words;
    const char *json;
} routes[] = {
    [DISCOVER_USB] = {"USB", "usb"},
    [DISCOVER_DIRECT] = {"direct", "direct"},
    [DISCOVER_SERVER] = {"adb server", "server"},
};

static void put_row(struct table *table, const struct discover_entry *entry,
                    bool details)
{
    char transport[32] = "";

    table_cell(table, PAGE_PLAIN, entry->serial);
    table_cell(table, state_style(entry), entry->state);
    table_cell(table, PAGE_PLAIN, routes[entry->route].words);
    if (details) {
        if (entry->transport_id)
            snprintf(transport, sizeof(transport), "%llu",
                     (unsigned long long)entry->transport_id);
        table_cell(table, PAGE_PLAIN, entry->product);
        table_cell(table, PAGE_PLAIN, entry->device);
        table_cell(table, PAGE_PLAIN, transport);
    }
    table_cell(table, PAGE_PLAIN,
               discover_usable(entry) || !entry->reason[0] ? entry->model
                                                           : entry->reason);
}

static void put_heading(struct table *table, bool details)
{
    static const char *const basic[] = {"SERIAL", "STATE", "HOW"};
    static const char *const more[] = {"PRODUCT", "DEVICE", "ID"};

    for (size_t i = 0; i < ARRAY_LEN(basic); i++)
        table_cell(table, PAGE_BOLD, basic[i]);
    for (size_t i = 0; details && i < ARRAY_LEN(more); i++)
        table_cell(table, PAGE_BOLD, more[i]);
    table_cell(table, PAGE_BOLD, "MODEL");
}

static bool print_table(struct cli *cli, const struct discover_entries *entries,
                        bool details, struct err *err)
{
    struct table table;
    struct page page;
    bool done;

    if (!entries->count) {
        cli_say(cli, "no phone is there (proctor doctor says what to do)");
        return true;
    }
    table_init(&table, details ? 7 : 4);
    page_init(&page, cli->out.fd);
    put_heading(&table, details);
    for (size_t i = 0; i < entries->count; i++)
        put_row(&table, &entries->items[i], details);
    table_write(&table, &page);
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    table_release(&table);
    return done;
}

static bool print_serials(struct cli *cli,
                          const struct discover_entries *entries,
                          struct err *err)
{
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    for (size_t i = 0; i < entries->count; i++) {
        page_foreign(&page, PAGE_PLAIN, entries->items[i].serial);
        page_text(&page, PAGE_PLAIN, "\n");
    }
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static void add_text(struct cJSON *object, const char *key, const char *text)
{
    if (text[0])
        json_add_string(object, key, text);
}

static bool print_json(struct cli *cli, const struct discover_entries *entries,
                       struct err *err)
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
    done = output_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool print(struct cli *cli, const struct devices_args *args,
                  const struct discover_entries *entries, struct err *err)
{
    if (cli->shared.json)
        return print_json(cli, entries, err);
    if (args->quiet)
        return print_serials(cli, entries, err);
    return print_table(cli, entries, args->details, err);
}

static bool look(const struct cli *cli, const struct places *places,
                 struct discover_entries *entries, struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(ANSWER_MS));

    return discover_list(&places->discover, by, entries, err);
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

/* Who tells of changes; each may be NULL. */
struct tellers {
    struct server_tracker *server;
    struct usb_watch *usb;
};

/* Without a server, which would also tell what is plugged in. */
static void wait_alone(const struct cli *cli, struct usb_watch *usb,
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
static bool wait_for_change(const struct cli *cli, const struct server *server,
                            struct tellers *tellers, struct err *err)
{
    struct deadline by = deadline_in_ms(LOOK_EVERY_MS);
    struct server_devices devices = {0};
    struct err why;

    if (!tellers->server && !server_track(server, by, &tellers->server, &why))
        wait_alone(cli, tellers->usb, by);
    if (tellers->server) {
        if (server_track_next(tellers->server, by, &devices, &why)) {
            server_devices_release(&devices);
        } else if (why.code != ERR_TIMEOUT) {
            server_track_close(tellers->server);
            tellers->server = NULL;
        }
    }
    if (cancel_fired(cli->cancel))
        return err_set(err, ERR_CANCELLED, "interrupted");
    if (deadline_passed(cli->by))
        return err_set(err, ERR_TIMEOUT, "the time is over");
    return true;
}

/* Print the list now and whenever it has changed, until interrupted. */
static bool watch(struct cli *cli, const struct devices_args *args,
                  const struct places *places, struct err *err)
{
    struct tellers tellers = {0};
    struct discover_entries shown = {0};
    struct err no_usb;
    bool first = true;
    bool done;

    (void)!usb_watch_open(cli->cancel, &tellers.usb, &no_usb);
    do {
        struct discover_entries now = {0};

        done = look(cli, places, &now, err);
        if (done && (first || !equal(&shown, &now)))
            done = print(cli, args, &now, err);
        discover_entries_release(&shown);
        shown = now;
        first = false;
    } while (done && wait_for_change(cli, &places->server, &tellers, err));
    discover_entries_release(&shown);
    server_track_close(tellers.server);
    usb_watch_close(tellers.usb);
    return false;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct devices_args *devices_args = args;
    struct discover_entries entries = {0};
    struct places places;
    bool done = cli_places(cli, &places, err);

    (void)words;
    (void)status;
    if (done && devices_args->watch)
        done = watch(cli, devices_args, &places, err);
    else if (done)
        done = look(cli, &places, &entries, err) &&
               print(cli, devices_args, &entries, err);
    discover_entries_release(&entries);
    places_release(&places);
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
    .summary = "List the phones that are there",
    .description =
        "Lists phones on USB, phones that were connected to before, emulators "
        "on this computer, and all that a running adb server has; each once, "
        "by the best way there is to it.",
    COMMAND_OPTIONS(options_table),
    .args_size = sizeof(struct devices_args),
    .takes = TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
