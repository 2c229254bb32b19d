/*
 * Phones, live, in the browser: a web server with one page (docs/serve.md).
 *
 *     phone_finder ──▶ served phones ◀── built-in phones of this process,
 *                          │             phones of a run (serve_run.h)
 *     browser ◀──▶ page ◀──┴──▶ phone_view (tools/live)
 *
 * Threads: that of the HTTP server handles messages; one thread pushes what has
 * changed; one searches for phones; slow requests have a thread each; the views
 * have theirs.
 */
#ifndef TOOLS_SERVE_SERVE_H
#define TOOLS_SERVE_SERVE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"

struct phone;
struct serve;
struct serve_run_options;

struct serve_options {
    const char *address;     /* to listen on; NULL: 127.0.0.1 */
    uint16_t port;           /* 0: a free one */
    const char *certificate; /* PEM files; both NULL: no TLS */
    const char *private_key;
    bool read_only; /* nothing can be changed */
    bool no_pages;  /* no web server: only the socket of the run */
    bool attach;    /* show the phones of runs in other processes */
    /* show the phones of a run in this process (serve_run.h); NULL: none */
    const struct serve_run_options *run;
    bool search;      /* for phones that can be reached */
    const char *only; /* serial of the only phone shown; NULL: all */
    /* answers for phones that announce themselves; NULL: the local networks */
    const struct sockaddr_in *mdns; /* borrowed */
    const char *recordings; /* folder of recordings; NULL: "recordings" */
    const struct log *log;  /* borrowed; may be NULL */
};

/* Start to serve. options are copied. Fails as http_server_open, and with a run
 * as run_socket_listen. */
MUST_USE bool serve_start(const struct serve_options *options,
                          struct serve **serve, struct err *err);

/* End it, with the phones that it started. NULL is fine. */
void serve_stop(struct serve *serve);

/*
 * Show a built-in phone of the caller, which is borrowed and must use the
 * computer's clock, under this serial. Fails with ERR_BUSY while a phone of
 * this serial is being closed, with ERR_LIMIT when there are too many.
 */
MUST_USE bool serve_add_phone(struct serve *serve, struct phone *phone,
                              const char *serial, struct err *err);

/* The page of one phone, or of one recording. */
struct serve_place {
    const char *page; /* "phone", "recording"; NULL: the first page */
    const char *name; /* its serial, or its name */
};

/* Append the address to open in a browser, with the token. */
void serve_url(const struct serve *serve, struct serve_place place,
               struct buf *url);

/*
 * The same for a link in a file: a page at this address logs in. Without it the
 * browser, which comes from elsewhere, would not send the cookie along.
 */
void serve_open_url(const struct serve *serve, struct serve_place place,
                    struct buf *url);

uint16_t serve_port(const struct serve *serve);

#endif
