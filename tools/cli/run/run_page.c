#include "tools/cli/run/run_page.h"

#include <stdlib.h>
#include <string.h>

#include "adb/transport/tcp.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/cli/serve/open_browser.h"
#include "tools/cli/serve/serve_phone_page.h"
#include "tools/serve/serve_run.h"

bool run_page_is_wanted(const struct run_page_options *options)
{
    return options && (options->serve || options->open || options->port);
}

static bool read_port(const struct run_page_options *options, uint16_t *port,
                      struct err *err)
{
    return !options || !options->port || !strcmp(options->port, "0") ||
           tcp_parse_port(options->port, port) ||
           err_set(err, ERR_INVALID,
                   "--serve-port %.40s: give a port from 1 to 65535, or 0 for "
                   "a free one",
                   options->port);
}

/* Phones that share a source share the one around it. */
static void show_phones(struct run_page *page, struct run_phones *phones)
{
    struct device_source **inner = mem_new(phones->count, sizeof(*inner));

    for (size_t i = 0; i < phones->count; i++) {
        struct run_phone *phone = &phones->items[i];
        size_t same = 0;

        inner[i] = phone->source;
        while (inner[same] != inner[i])
            same++;
        phone->source =
            same < i ? phones->items[same].source
                     : serve_run_source(page->serve, inner[i], phone->ours);
        phone->takeover = serve_run_takeover(page->serve, i);
    }
    free(inner);
}

bool run_page_open(struct run_page *page, struct cli_context *cli,
                   const char *folder, const char *agent,
                   const struct run_page_options *options,
                   struct run_phones *phones, struct err *err)
{
    const struct serve_run_options run = {.folder = folder,
                                          .agent = agent,
                                          .phones = phones->items,
                                          .count = phones->count};
    const bool wanted = run_page_is_wanted(options);
    struct serve_options serve = {
        .no_pages = !wanted, .run = &run, .log = cli->log};

    *page = (struct run_page){.serve = NULL};
    if (!read_port(options, &serve.port, err))
        return false;
    if (!serve_start(&serve, &page->serve, err)) {
        if (wanted)
            return false;
        log_trace(cli->log, LOG_CONN, "no one can meet this run: %s",
                  err->text);
        return true;
    }
    show_phones(page, phones);
    if (wanted)
        page->file = serve_show_url(
            cli, page->serve, (struct serve_place){NULL, NULL}, options->open);
    return true;
}

void run_page_close(struct run_page *page)
{
    serve_stop(page->serve);
    browser_file_remove(page->file);
    *page = (struct run_page){.serve = NULL};
}

/* ---- progress ---- */

static void on_progress(void *context, const struct run_phone_state *state)
{
    struct run_page *page = context;

    serve_run_note(page->serve, state);
    if (page->watcher.on_progress)
        page->watcher.on_progress(page->watcher.context, state);
}

static void on_result(void *context, const struct run_result *result,
                      const struct work_queue_state *state)
{
    struct run_page *page = context;

    if (page->watcher.on_result)
        page->watcher.on_result(page->watcher.context, result, state);
}

static void on_warning(void *context, size_t phone, const char *text)
{
    struct run_page *page = context;

    if (page->watcher.on_warning)
        page->watcher.on_warning(page->watcher.context, phone, text);
}

struct run_watcher run_page_watcher(struct run_page *page,
                                    const struct run_watcher *watcher)
{
    if (!page->serve)
        return *watcher;
    page->watcher = *watcher;
    return (struct run_watcher){.on_progress = on_progress,
                                .on_result = on_result,
                                .on_warning = on_warning,
                                .context = page};
}
