/* Declarations shared by the files of the server role. */
#ifndef ADB_SERVER_SERVER_PRIVATE_H
#define ADB_SERVER_SERVER_PRIVATE_H

#include <pthread.h>

#include "adb/server/adb_server.h"
#include "adb/server/server_request.h"
#include "base/cancel.h"
#include "base/thread_group.h"

struct server_forward;

/*
 * A client's connection. Its thread owns it; under the server's lock others
 * shut its socket down, which ends whatever the thread waits for.
 *
 *   adb_server_adopt      a request came
 *   ───────────▶ waiting ──────────────▶ busy ──▶ gone
 *                   ▲  a phone was selected │
 *                   └───────────────────────┘
 */
struct adb_client {
    struct adb_server *server;
    int fd;                               /* owned; blocking */
    const struct adb_server_phone *phone; /* selected; NULL: none */

    /* Guarded by the server's lock. */
    bool busy;
    struct stream *live; /* borrowed; to be interrupted by adb_server_stop */
    struct adb_client *next;
};

struct adb_server {
    struct adb_server_options options;
    struct cancel stop;
    struct tcp_acceptor *acceptor; /* owned; NULL: does not listen */
    struct thread_group threads;   /* one for each client */

    pthread_mutex_t lock; /* guards all below */
    bool stopping;
    struct adb_client *clients; /* oldest first */
    size_t client_count;

    pthread_mutex_t forward_lock;    /* guards forwards */
    struct server_forward *forwards; /* owned; oldest first */
};

/* ---- server_client_io.c: what is sent to a client; false: it is gone ---- */

MUST_USE bool adb_client_read(struct adb_client *client, void *data,
                              size_t size);
MUST_USE bool adb_client_send(struct adb_client *client, const void *data,
                              size_t size);
/* OKAY, or FAIL and why. */
MUST_USE bool adb_client_okay(struct adb_client *client);
MUST_USE bool adb_client_fail(struct adb_client *client, const char *why);
/* A block; OKAY and a block. */
MUST_USE bool adb_client_block(struct adb_client *client, const char *text);
MUST_USE bool adb_client_okay_block(struct adb_client *client,
                                    const char *text);
/* Wait until the client disconnects, but not longer than ms. False: it did. */
MUST_USE bool adb_client_wait(struct adb_client *client, int ms);

/* ---- server_phones.c: the phones ---- */

/*
 * The phone that target names; offline ones only if any_state. NULL: there is
 * none, or several; why receives AOSP's message.
 */
#define SERVER_WHY_MAX (SERVER_SERIAL_MAX + 64)
const struct adb_server_phone *server_phones_find(
    const struct adb_server *server, const struct server_target *target,
    bool any_state, char why[SERVER_WHY_MAX]);

/* How many are in that state: lost, or not. */
size_t server_phones_count(const struct adb_server *server,
                           const struct server_target *target, bool lost);

uint64_t server_phones_id(const struct adb_server *server,
                          const struct adb_server_phone *phone);

const char *server_phones_state(const struct adb_server_phone *phone);

/* The lines of "devices" and "devices -l". */
void server_phones_list(const struct adb_server *server, bool with_details,
                        struct buf *text);

/* The names of features, as the requests for them answer. */
void server_phones_features(feature_set features, struct buf *text);

/* ---- server_host.c: requests to the server ---- */

/*
 * Answer a request to the server itself. True: the client has selected a phone
 * and may send a further request; false: the connection is to be closed.
 */
MUST_USE bool server_host_answer(struct adb_client *client,
                                 const struct server_request *request);

/* ---- server_forward.c: forwards of all phones ---- */

/*
 * Answer "forward:...", "killforward:...", "killforward-all" or "list-forward";
 * phone may be NULL where the command does not need one, with why.
 */
void server_forward_answer(struct adb_client *client, const char *command,
                           const struct adb_server_phone *phone,
                           const char *why);
bool server_forward_is_command(const char *command);

/* End all of them. */
void server_forward_release(struct adb_server *server);

/* ---- server_service.c: services of a phone ---- */

/* Serve one, until it or the client ends. */
void server_service_run(struct adb_client *client, const char *service);

#endif
