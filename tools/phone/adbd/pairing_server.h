/*
 * The port where computers pair with the phone, as while its pairing code is
 * displayed: it stays open, for any number of computers.
 */
#ifndef TOOLS_PHONE_ADBD_PAIRING_SERVER_H
#define TOOLS_PHONE_ADBD_PAIRING_SERVER_H

#include <stdint.h>

#include "adb/trust/key.h"
#include "base/log.h"
#include "tools/phone/adbd/host_trust.h"

/* Clients at the same time, and wrong codes until pairing is closed. */
#define PAIRING_SERVER_HOSTS_MAX 10
#define PAIRING_SERVER_TRIES_MAX 20

/* Timeout of one client. */
#define PAIRING_SERVER_MS 30000

/* Everything is borrowed until pairing_server_stop. */
struct pairing_server_options {
    const char *code;
    const struct key *own; /* key of the phone */
    const char *guid;
    struct host_trust *trust; /* gets the keys of paired computers */
    uint16_t port;            /* on 127.0.0.1; 0 chooses a free one */
};

struct pairing_server;

MUST_USE bool pairing_server_start(const struct pairing_server_options *options,
                                   struct pairing_server **server,
                                   struct err *err);

/* Disconnect all clients. NULL is fine. */
void pairing_server_stop(struct pairing_server *server);

uint16_t pairing_server_port(const struct pairing_server *server);

#endif
