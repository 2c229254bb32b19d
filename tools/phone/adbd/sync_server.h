/*
 * The device side of sync, versions 1 and 2: file transfers. Messages and the
 * end of streams are as in adbd, so that hosts print the same as with a phone.
 *
 * A pushed file counts against the tree's limit while it is received, and gets
 * its name when it is complete.
 */
#ifndef TOOLS_PHONE_ADBD_SYNC_SERVER_H
#define TOOLS_PHONE_ADBD_SYNC_SERVER_H

#include "adb/daemon/daemon.h"
#include "tools/phone/files/files.h"

/* Memory limit of all transfers together, apart from the files. */
#define SYNC_SERVER_MEMORY ((uint64_t)256 << 20)

struct sync_server {
    struct phone_files *files; /* borrowed */
    struct space *memory;      /* owned */
    bool v1;   /* only STAT, LIST, SEND and RECV; false by default */
    bool once; /* a stream ends after a SEND; false by default */
};

/* files, with the hosts' user, must outlive the server. */
void sync_server_init(struct sync_server *server, struct phone_files *files);
void sync_server_release(struct sync_server *server);

/* A daemon_serve_fn for "sync:"; context is the server. */
void sync_server_serve(void *context, const char *argument,
                       struct stream *stream, struct conn *conn);

#endif
