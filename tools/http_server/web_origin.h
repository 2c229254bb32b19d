/*
 * From where a request comes, and to whom it believes to speak: its Origin and
 * Host headers. Both are untrusted.
 */
#ifndef TOOLS_HTTP_SERVER_WEB_ORIGIN_H
#define TOOLS_HTTP_SERVER_WEB_ORIGIN_H

#include "tools/http_server/http_server.h"

/* Is it a name of this computer, "localhost:80"? */
bool web_origin_is_loopback_host(const char *host);

/* Does the page come from a server on this computer? */
bool web_origin_is_loopback(const char *origin);

/*
 * Does the Host header name this server? Its names are those of loopback, the
 * address it listens on, and those in its certificate. The port is any, as it
 * may be forwarded.
 */
bool web_origin_names_server(const struct http_server *server,
                             const char *host);

/* Is the Origin the one of pages of this server under this Host? */
bool web_origin_is_same(const struct http_server *server, const char *origin,
                        const char *host);

#endif
