/*
 * A client of a web server that writes to its socket directly, so that it can
 * also send what no library would. Failures end the test.
 */
#ifndef TESTS_SUPPORT_WEB_CLIENT_H
#define TESTS_SUPPORT_WEB_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* How long anything may take on a busy machine. */
#define WEB_CLIENT_WAIT_S 60

enum web_opcode {
    WEB_CONTINUATION = 0,
    WEB_TEXT = 1,
    WEB_BINARY = 2,
    WEB_CLOSE = 8,
    WEB_PING = 9,
    WEB_PONG = 10,
};
#define WEB_FINAL 0x80 /* added to the opcode of the last fragment */

/* A socket that is connected to 127.0.0.1. */
int web_client_connect(uint16_t port);
/* The same, with little room for what was not read. */
int web_client_connect_small(uint16_t port);

void web_client_put(int fd, const char *text);
void web_client_put_bytes(int fd, const void *data, size_t length);

/* Read one answer with its body, as its Content-Length says. */
void web_client_get(int fd, struct buf *answer);
/* The same for a request, which is sent first. */
void web_client_ask(int fd, const char *request, struct buf *answer);

/* Read until the server closes the connection. */
void web_client_read_to_end(int fd, struct buf *read);

/* Does the answer have this part? */
void web_client_expect(const struct buf *answer, const char *part);

/*
 * Ask for a WebSocket; headers are more lines, each with CR and LF. Read the
 * answer, which has no body if it is 101.
 */
void web_client_upgrade(int fd, const char *headers, struct buf *answer);

/* The same, and it must be accepted. */
int web_client_open_socket(uint16_t port, const char *headers);

/* Send a frame with a mask; first is the opcode, with WEB_FINAL. */
void web_client_send(int fd, int first, const void *data, size_t length);

/* Wait until the server closes the WebSocket, and close it. */
void web_client_expect_hang_up(int fd);

/* Read the next frame; its opcode. */
enum web_opcode web_client_receive(int fd, struct buf *payload);

#endif
