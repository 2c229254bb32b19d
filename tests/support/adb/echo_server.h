/*
 * Client and server of an echo on this computer, for tests that transfer data.
 */
#ifndef TESTS_SUPPORT_ADB_ECHO_SERVER_H
#define TESTS_SUPPORT_ADB_ECHO_SERVER_H

#include <stdbool.h>
#include <stddef.h>

/* A blocking socket to an endpoint, with timeouts; -1 if nothing listens. */
int echo_connect(const char *text);

/* Send size bytes and read at the same time; true if they are echoed. */
bool echo_check(int fd, size_t size, unsigned seed);

/* The same on count connections in parallel. True if all were good. */
bool echo_check_many(const char *endpoint, size_t count, size_t size);

/*
 * One connection after the other, 100 bytes each. Returns the number of good
 * ones.
 */
size_t echo_check_in_a_row(const char *endpoint, size_t count);

struct echo_server;

/* Echo all bytes, on any number of connections. */
struct echo_server *echo_server_start(void);
void echo_server_stop(struct echo_server *server);

/* Its address, such as "tcp:40123". */
const char *echo_server_endpoint(const struct echo_server *server);

#endif
