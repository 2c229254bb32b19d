/* Pages of phones in the user's browser. */
#ifndef TOOLS_CLI_SERVE_SERVE_PHONE_PAGE_H
#define TOOLS_CLI_SERVE_SERVE_PHONE_PAGE_H

#include "tools/cli/command_line/phone_page.h"
#include "tools/serve/serve.h"

extern const struct phone_page serve_phone_page;

/*
 * Print the address of a page, and show it in the user's browser if open is
 * set. Returns what the caller gives to browser_file_remove at the end; NULL:
 * nothing.
 */
char *serve_show_url(struct cli_context *cli, const struct serve *serve,
                     struct serve_place place, bool open);

/* The same for any page; open_url is its address for a link in a file. */
char *serve_show_address(struct cli_context *cli, const char *url,
                         const char *open_url, bool open);

#endif
