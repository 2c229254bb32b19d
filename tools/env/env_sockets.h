/*
 * Environments over WebSocket, in the messages of OpenEnv
 * (https://github.com/meta-pytorch/OpenEnv). Each connection is one
 * environment, which is closed with it.
 *
 *     {"type": "reset", "data": {"seed": 7, "task": "shop.cheapest"}}
 *     {"type": "step", "data": {"action": "click", "x": 540, "y": 300}}
 *     {"type": "state"}  {"type": "close"}
 */
#ifndef TOOLS_ENV_ENV_SOCKETS_H
#define TOOLS_ENV_ENV_SOCKETS_H

#include "base/cancel.h"
#include "tools/env/env_hub.h"

struct env_sockets;

/*
 * hub is borrowed. clients is how many environments it allows; some more
 * connections wait for one. Fails as http_server_open.
 */
MUST_USE bool env_sockets_open(struct env_hub *hub, uint16_t port,
                               size_t clients, struct env_sockets **sockets,
                               struct err *err);
uint16_t env_sockets_port(const struct env_sockets *sockets);

/* Serve until cancel is fired. Always false, with ERR_CANCELLED or ERR_IO. */
bool env_sockets_serve(struct env_sockets *sockets, const struct cancel *cancel,
                       struct err *err);

/* NULL is fine. */
void env_sockets_close(struct env_sockets *sockets);

#endif
