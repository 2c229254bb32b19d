/*
 * The page of a farm: its runs, the phones of all workers with what they do,
 * and the newest episodes. It only reads; proctor_viewer may.
 *
 *     browser ── GET farm.json ──▶ server's thread: the newest snapshot
 *                                        ▲
 *     database ◀── requests ── reader's thread, while a page asks
 */
#ifndef TOOLS_FARM_PAGE_FARM_PAGE_H
#define TOOLS_FARM_PAGE_FARM_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct farm_page;

struct farm_page_options {
    const char *url;         /* of the queue's database */
    const char *address;     /* to listen on; NULL: 127.0.0.1 */
    uint16_t port;           /* 0: a free one */
    const char *certificate; /* PEM files; both NULL: no TLS */
    const char *private_key;
};

/*
 * Start to serve. Fails as farm_db_open, farm_schema_check, and
 * http_server_open.
 */
MUST_USE bool farm_page_start(const struct farm_page_options *options,
                              struct farm_page **page, struct err *err);
void farm_page_stop(struct farm_page *page); /* NULL is fine */

/* Append the address to open in a browser, with the token. */
void farm_page_url(const struct farm_page *page, struct buf *url);
/* The same for a link in a file, as serve_open_url. */
void farm_page_open_url(const struct farm_page *page, struct buf *url);
uint16_t farm_page_port(const struct farm_page *page);

#endif
