/* A minimal model server: reads a request, and always gives the same answer. */
#ifndef TOOLS_BENCHMARK_PEERS_HTTP_SINK_H
#define TOOLS_BENCHMARK_PEERS_HTTP_SINK_H

#include <stddef.h>

#include "base/err.h"

/* For loopback_socket_serve. The slow one waits a second before it answers. */
void http_sink_serve(int fd);
void http_sink_serve_slowly(int fd);

/* Send a request without any library, and read the answer. */
MUST_USE bool http_sink_ask(int fd, const char *body, size_t length,
                            struct err *err);

#endif
