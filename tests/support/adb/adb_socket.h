/*
 * A client of an adb server on plain sockets, for tests that look at the bytes.
 * All functions fail the running test if something goes wrong.
 */
#ifndef TESTS_SUPPORT_ADB_ADB_SOCKET_H
#define TESTS_SUPPORT_ADB_ADB_SOCKET_H

#include <stdint.h>

#include "base/buf.h"

/* A blocking socket with time-outs to port of 127.0.0.1. */
int adb_socket_connect(uint16_t port);

/* Send a request with its length. */
void adb_socket_request(int fd, const char *request);

/* Read and append everything up to the end. */
void adb_socket_read_end(int fd, struct buf *all);

/* Read so many bytes: are they these? */
void adb_socket_expect(int fd, const char *expected);

/*
 * Send requests, separated by '|', on a new connection, and compare all that
 * comes back. "OKAY{text}": braces enclose a block, which has a length.
 */
void adb_socket_answers(uint16_t port, const char *requests,
                        const char *expected);

#endif
