/*
 * Shared by the files of reverse: reverse.c has the targets and their
 * connections, reverse_request.c answers requests of clients.
 */
#ifndef ADB_SERVICES_REVERSE_PRIVATE_H
#define ADB_SERVICES_REVERSE_PRIVATE_H

#include <pthread.h>

#include "adb/services/reverse.h"
#include "adb/services/reverse_relay.h"

/* Longer specs are refused: the name of a socket has at most 108 bytes. */
#define SPEC_MAX 512

/* A local end that the device may open. */
struct reverse_target {
    struct reverse_target *next;
    char remote[SPEC_MAX];
    char local[SPEC_MAX];
    struct local_endpoint endpoint;
    struct reverse_relay *relay; /* owned; NULL: the device opens local */
};

struct reverse {
    struct device *device;               /* borrowed */
    const struct log *log;               /* borrowed; may be NULL */
    const struct local_network *network; /* borrowed; NULL: this process's */
    reverse_wrap_fn *wrap;               /* NULL: none */
    void *wrap_context;

    struct conn *conn;         /* borrowed; NULL through an adb server */
    struct pump_set *pump_set; /* owned */
    pthread_t acceptor;        /* of conn: passes its streams to pump_set */
    pthread_mutex_t lock;      /* guards targets; innermost lock */
    struct reverse_target *targets;
};

/* A new target, not registered yet. Fails with ERR_INVALID. */
MUST_USE bool reverse_make_target(const char *remote, const char *local,
                                  struct reverse_target **target,
                                  struct err *err);

/* The device may open it before it has answered, so it is added first. */
void reverse_register_target(struct reverse *reverse,
                             struct reverse_target *target);
void reverse_unregister_target(struct reverse *reverse,
                               struct reverse_target *target);

/*
 * The device listens for target, which replaces earlier ones of its remote end.
 * port: the one that was picked; 0: none. Another thread may have removed it.
 */
void reverse_settle_target(struct reverse *reverse,
                           struct reverse_target *target, const char *remote,
                           uint16_t port);

/* Remove the targets of remote (NULL: all) except keep. */
void reverse_forget(struct reverse *reverse, const char *remote,
                    const struct reverse_target *keep);

/* Without the lock: a relay may be waiting for it. */
void reverse_free_targets(struct reverse_target *targets);

/* Ask the device for a forward; the reply is read from stream. */
MUST_USE bool reverse_ask(struct device *device, const char *request,
                          struct deadline by, struct stream **stream,
                          struct err *err);

#endif
