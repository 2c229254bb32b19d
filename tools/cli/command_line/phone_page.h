/*
 * The page of a built-in phone, for proctor phone --open. The programs that
 * have no web server define it as NULL.
 */
#ifndef TOOLS_CLI_COMMAND_LINE_PHONE_PAGE_H
#define TOOLS_CLI_COMMAND_LINE_PHONE_PAGE_H

#include "tools/cli/command_line/cli_context.h"

struct phone;
struct open_page;

struct phone_page {
    /* Serve the page of this phone, and show it in the user's browser. */
    bool (*open)(struct cli_context *cli, struct phone *phone,
                 const char *serial, struct open_page **page, struct err *err);
    void (*close)(struct open_page *page);
};

extern const struct phone_page *const phone_page;

#endif
