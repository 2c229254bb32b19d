/*
 * The device side of sync, versions 1 and 2: a phone's files to and from hosts.
 *
 * What it says and when it hangs up is what adbd does, so that hosts print
 * what they print with a phone. A pushed file counts against the tree's limit
 * while it grows, and takes its name when it is whole.
 */
#ifndef PHONE_SYNC_SERVER_H
#define PHONE_SYNC_SERVER_H

#include "adb/daemon.h"
#include "tools/phone/files.h"

/* What all transfers together may hold beside the files themselves. */
#define SYNC_SERVER_MEMORY ((uint64_t)256 << 20)

struct sync_server {
    struct files *files;  /* borrowed */
    struct space *memory; /* owned */
};

/* files, with the user that hosts are, must live longer. */
void sync_server_init(struct sync_server *server, struct files *files);
void sync_server_release(struct sync_server *server);

/* A daemon_serve_fn for "sync:", to which context is the server. */
void sync_server_serve(void *context, const char *argument,
                       struct stream *stream, struct conn *conn);

#endif
