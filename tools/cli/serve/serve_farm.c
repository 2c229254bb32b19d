#include "tools/cli/serve/serve_farm.h"

#include "tools/cli/command_line/foreground_service.h"
#include "tools/cli/serve/open_browser.h"
#include "tools/cli/serve/serve_phone_page.h"

#define URL_MAX 1024

bool serve_farm(struct cli_context *cli,
                const struct farm_page_options *options, bool open,
                struct err *err)
{
    struct buf url = BUF_INIT(URL_MAX);
    struct buf open_url = BUF_INIT(URL_MAX);
    struct farm_page *page;
    char *file;
    bool done;

    if (!farm_page_start(options, &page, err))
        return false;
    farm_page_url(page, &url);
    farm_page_open_url(page, &open_url);
    file = serve_show_address(cli, buf_cstr(&url), buf_cstr(&open_url), open);
    done = foreground_service_print_port(cli, farm_page_port(page), err) &&
           foreground_service_wait(cli, NULL, err);
    farm_page_stop(page);
    browser_file_remove(file);
    buf_release(&url);
    buf_release(&open_url);
    return done;
}
