/*
 * Recordings that stay on the computer of a worker, for those who read them: an
 * HTTP server with the archives in a folder.
 *
 *     GET /SIGNATURE/RUN/.workers/12/episodes/settings.dark/0/0.zip
 *
 * The signature is a hash of the path and a secret that is in the folder, so an
 * address opens one recording, and cannot be guessed; it stays the same when
 * the worker is started again.
 */
#ifndef TOOLS_FARM_QUEUE_RECORDING_SERVER_H
#define TOOLS_FARM_QUEUE_RECORDING_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct recording_server;

/* All of it is borrowed. */
struct recording_server_options {
    const char *folder;      /* with folders of runs; it is made */
    const char *address;     /* to listen on, a numeric one */
    uint16_t port;           /* 0: a free one */
    const char *certificate; /* PEM files; both NULL: no TLS */
    const char *private_key;
    const char *url; /* how others reach it; NULL: by address and port */
};

/* Fails as http_server_open and secret_token_load, and with ERR_INVALID for a
 * url that is none, or none where the address does not say how others reach it
 * ("0.0.0.0"). */
MUST_USE bool recording_server_start(
    const struct recording_server_options *options,
    struct recording_server **server, struct err *err);
void recording_server_stop(struct recording_server *server); /* NULL is fine */

/* Append the address of a file in the folder; path begins with the folder. */
void recording_server_locate(const struct recording_server *server,
                             const char *path, struct buf *url);

#endif
