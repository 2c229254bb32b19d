/*
 * The port where computers pair with the phone, as while its owner looks at
 * the code: it stays open, for any number of computers.
 */
#ifndef PHONE_PAIRING_SERVER_H
#define PHONE_PAIRING_SERVER_H

#include <stdint.h>

#include "adb/key.h"
#include "base/log.h"
#include "tools/phone/trust.h"

/* At once; and wrong codes, after which nobody may try any more. */
#define PAIRING_SERVER_HOSTS_MAX 10
#define PAIRING_SERVER_TRIES_MAX 20

/* How long one computer may take. */
#define PAIRING_SERVER_MS 30000

/* Everything is borrowed until pairing_server_stop. */
struct pairing_server_options {
    const char *code;
    const struct key *own; /* the phone's */
    const char *guid;
    struct trust *trust; /* gets to know who has paired */
    uint16_t port;       /* on this computer only; 0: a free one */
};

struct pairing_server;

MUST_USE bool pairing_server_start(const struct pairing_server_options *options,
                                   struct pairing_server **server,
                                   struct err *err);

/* Hang up on all. NULL is fine. */
void pairing_server_stop(struct pairing_server *server);

uint16_t pairing_server_port(const struct pairing_server *server);

#endif
