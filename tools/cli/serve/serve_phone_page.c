/* The page of proctor phone --open. */
#include "tools/cli/serve/serve_phone_page.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tools/cli/serve/open_browser.h"
#include "tools/serve/serve.h"

#define URL_MAX 1024

struct open_page {
    struct serve *serve;
    char *file; /* owned; of the browser, or NULL */
};

char *serve_show_address(struct cli_context *cli, const char *url,
                         const char *open_url, bool open)
{
    char *file = NULL;
    struct err err;

    cli_message(cli, "open %s", url);
    if (open && !open_browser(open_url, &file, &err))
        cli_message(cli, "%s; open the address yourself", err.text);
    return file;
}

char *serve_show_url(struct cli_context *cli, const struct serve *serve,
                     struct serve_place place, bool open)
{
    struct buf url = BUF_INIT(URL_MAX);
    struct buf open_url = BUF_INIT(URL_MAX);
    char *file;

    serve_url(serve, place, &url);
    serve_open_url(serve, place, &open_url);
    file = serve_show_address(cli, buf_cstr(&url), buf_cstr(&open_url), open);
    buf_release(&url);
    buf_release(&open_url);
    return file;
}

static bool open_page(struct cli_context *cli, struct phone *phone,
                      const char *serial, struct open_page **page,
                      struct err *err)
{
    const struct serve_options options = {.log = cli->log};
    struct serve *serve = NULL;

    if (!serve_start(&options, &serve, err))
        return false;
    if (!serve_add_phone(serve, phone, serial, err)) {
        serve_stop(serve);
        return false;
    }
    *page = mem_new(1, sizeof(**page));
    (*page)->serve = serve;
    (*page)->file =
        serve_show_url(cli, serve, (struct serve_place){"phone", serial}, true);
    return true;
}

static void close_page(struct open_page *page)
{
    serve_stop(page->serve);
    browser_file_remove(page->file);
    free(page);
}

const struct phone_page serve_phone_page = {.open = open_page,
                                            .close = close_page};
