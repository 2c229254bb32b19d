/*
 * The console on a TCP port of this computer. One thread serves all clients,
 * and none can block it: the commands of a client that does not read its
 * replies are not executed.
 */
#ifndef TOOLS_PHONE_CONSOLE_CONSOLE_SERVER_H
#define TOOLS_PHONE_CONSOLE_CONSOLE_SERVER_H

#include <stdint.h>

#include "tools/phone/console/console.h"

/*
 * Clients at the same time. When another one connects, the oldest one without a
 * token is disconnected; if all have sent the token, the new one is.
 */
#define CONSOLE_SERVER_CLIENTS 16U

struct console_server;

/* console is borrowed until console_server_stop; port 0 chooses a free one. */
MUST_USE bool console_server_start(const struct phone_console *console,
                                   uint16_t port,
                                   struct console_server **server,
                                   struct err *err);
void console_server_stop(struct console_server *server); /* NULL is fine */

uint16_t console_server_port(const struct console_server *server);

#endif
