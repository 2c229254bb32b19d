/*
 * The bare device role: what a phone's adbd is, with no phone behind it.
 *
 * It accepts hosts over TCP, several at once, demands what its gate says, and
 * serves the services it was given, each stream on a thread of its own. What
 * is not registered is refused.
 */
#ifndef ADB_DAEMON_H
#define ADB_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/conn.h"

/*
 * As many hosts that were let in, streams of one host, and streams of all of
 * them, at once; more are turned away. What a stream holds that nobody has
 * read is bounded, too (adb/conn_flow.c), by 3 MiB: all of them hold less than
 * 768 MiB, whatever hosts send.
 */
#define DAEMON_HOSTS_MAX 128
#define DAEMON_STREAMS_MAX 128
#define DAEMON_ALL_STREAMS_MAX 256

/*
 * As many more that are still to be let in. When another one comes, we hang up
 * on the one that has been at it for longest: those that connect and stall do
 * not keep anybody out.
 */
#define DAEMON_GREETING_MAX 64

/*
 * Serve one stream; it is closed when this returns. argument is what follows
 * the registered name. conn is the host's connection, for opening streams back
 * ("reverse:"). Every call on the stream ends when the daemon stops.
 */
typedef void daemon_serve_fn(void *context, const char *argument,
                             struct stream *stream, struct conn *conn);

struct daemon_service {
    const char *name; /* how what it serves begins, such as "shell" */
    bool exact;       /* it serves nothing but that very name */
    daemon_serve_fn *serve;
    void *context;
};

/*
 * Told when a host that was let in has left and its streams have ended. conn
 * is lost, and nobody may be in a call on it when this returns.
 */
typedef void daemon_left_fn(void *context, struct conn *conn);

/*
 * Stand between a new host and the daemon: returns what to use in the place of
 * transport, and what is returned owns it.
 */
typedef struct transport *daemon_wrap_fn(void *context,
                                         struct transport *transport);

struct daemon_options {
    struct banner banner;
    uint32_t version;             /* as in struct conn_options */
    uint32_t max_payload;         /* likewise */
    const struct auth_gate *gate; /* NULL: everybody may come in */
    const struct daemon_service *services;
    size_t service_count;
    daemon_left_fn *left; /* may be NULL */
    void *left_context;
    daemon_wrap_fn *wrap; /* may be NULL */
    void *wrap_context;
    const struct log *log; /* may be NULL */
};

struct daemon;

/* Everything that options point to is borrowed until daemon_stop. */
MUST_USE bool daemon_start(const struct daemon_options *options,
                           struct daemon **daemon, struct err *err);

/* Wait until every adopted host has hung up. For one that does not listen. */
void daemon_wait(struct daemon *daemon);

/* Hang up on every host, and wait for nothing. Others may come at once. */
void daemon_hang_up(struct daemon *daemon);

/*
 * Hang up on every host and wait until they are gone, as a phone does that
 * reboots. Who comes then waits at the door until daemon_resume. Not from
 * within a service, which would wait for itself.
 */
void daemon_rest(struct daemon *daemon);
void daemon_resume(struct daemon *daemon);

/* Hang up on every host, and wait for all threads. NULL is fine. */
void daemon_stop(struct daemon *daemon);

/*
 * Listen for hosts on address, such as "127.0.0.1", and port; *bound is the
 * port, also when 0 let the system choose. Once for each daemon.
 */
MUST_USE bool daemon_listen(struct daemon *daemon, const char *address,
                            uint16_t port, uint16_t *bound, struct err *err);

/* Serve the host at the other end of a socket, which the daemon then owns. */
void daemon_adopt(struct daemon *daemon, int fd);

#endif
