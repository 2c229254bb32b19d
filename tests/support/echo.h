/* Both ends of an echo on this computer, for tests that carry data. */
#ifndef TESTS_SUPPORT_ECHO_H
#define TESTS_SUPPORT_ECHO_H

#include <stdbool.h>
#include <stddef.h>

/* A blocking socket to an endpoint, with time-outs; -1 when nobody is there. */
int echo_connect(const char *text);

/* Send size bytes and read at the same time: do the same come back? */
bool echo_check(int fd, size_t size, unsigned seed);

/* Do that from count connections at once. True when all were good. */
bool echo_check_many(const char *endpoint, size_t count, size_t size);

struct echo_server;

/* Send back whatever comes, on any number of connections. */
struct echo_server *echo_server_start(void);
void echo_server_stop(struct echo_server *server);

/* Where it listens, such as "tcp:40123". */
const char *echo_server_endpoint(const struct echo_server *server);

#endif
