/* The least server of models: takes a request, and says always the same. */
#ifndef TOOLS_BENCHMARK_HTTP_SINK_H
#define TOOLS_BENCHMARK_HTTP_SINK_H

#include <stddef.h>

#include "base/err.h"

/* For socket_serve. The slow one thinks for a second before it answers. */
void http_sink_serve(int fd);
void http_sink_serve_slowly(int fd);

/* Ask it without any library: a head, a body, and the answer read. */
MUST_USE bool http_sink_ask(int fd, const char *body, size_t length,
                            struct err *err);

#endif
