/*
 * The console on a port of this computer. One thread serves all clients, and
 * none of them can make it wait: who does not read is not answered further.
 */
#ifndef PHONE_CONSOLE_SERVER_H
#define PHONE_CONSOLE_SERVER_H

#include <stdint.h>

#include "tools/phone/console.h"

/*
 * At once. When another one comes, the one that has told no token for longest
 * has to go; if all have, it is turned away.
 */
#define CONSOLE_SERVER_CLIENTS 16U

struct console_server;

/* console is borrowed until console_server_stop; port 0 is a free one. */
MUST_USE bool console_server_start(const struct console *console, uint16_t port,
                                   struct console_server **server,
                                   struct err *err);
void console_server_stop(struct console_server *server); /* NULL is fine */

uint16_t console_server_port(const struct console_server *server);

#endif
