/*
 * A run that people can watch, and take over: at its socket by `proctor serve`
 * in another process, and with --serve on its own page.
 */
#ifndef TOOLS_CLI_RUN_RUN_PAGE_H
#define TOOLS_CLI_RUN_RUN_PAGE_H

#include "runner/run/run.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/run_phones.h"

/* Options of the page. Borrowed. */
struct run_page_options {
    bool serve;
    const char *port; /* NULL: a free one */
    bool open;        /* in the browser; means serve, too */
};

struct run_page {
    struct serve *serve;        /* owned; NULL: people cannot meet the run */
    char *file;                 /* owned; of the browser; NULL: none */
    struct run_watcher watcher; /* where progress is passed on to */
};

/* Is there to be a page? */
bool run_page_is_wanted(const struct run_page_options *options);

/*
 * Let people meet the run in folder: its phones get another source and a
 * takeover. Without a page a failure is only logged. Fails with ERR_INVALID for
 * an invalid port, and as serve_start.
 */
MUST_USE bool run_page_open(struct run_page *page, struct cli_context *cli,
                            const char *folder, const char *agent,
                            const struct run_page_options *options,
                            struct run_phones *phones, struct err *err);

/* After the run, before its phones are released. All zeros is fine. */
void run_page_close(struct run_page *page);

/* What the run is to call instead of watcher, which is called, too. */
struct run_watcher run_page_watcher(struct run_page *page,
                                    const struct run_watcher *watcher);

#endif
