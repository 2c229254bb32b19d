/*
 * The device role: an adbd without a phone.
 *
 * It accepts several hosts over TCP, authenticates them by its policy, and
 * serves the registered services, each stream in its own thread. Other services
 * are refused.
 */
#ifndef ADB_DAEMON_DAEMON_H
#define ADB_DAEMON_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/connection/conn.h"

/*
 * The maximum number of accepted hosts, of streams of one host, and of streams
 * of all hosts. Further ones are refused. Unread data of a stream is limited
 * too (adb/connection/conn_flow.c), to 3 MiB: all of them together hold less
 * than 768 MiB, whatever hosts send.
 */
#define DAEMON_HOSTS_MAX 128
#define DAEMON_STREAMS_MAX 128
#define DAEMON_ALL_STREAMS_MAX 256

/*
 * The maximum number of hosts in the handshake. For a further one, the
 * connection that has been in the handshake for the longest time is closed, so
 * hosts that connect and stall do not keep others out.
 */
#define DAEMON_GREETING_MAX 64

/*
 * An adbd before Android 5 answers one host at a time: a connection that is
 * made while another is open, or within this many milliseconds of its end,
 * never gets an answer, also when the other one has gone.
 */
#define DAEMON_ONE_HOST_MS 50

/*
 * Serve one stream; it is closed when this returns. argument is the part after
 * the registered name. conn is the host's connection, for opening streams to it
 * ("reverse:"). Every call on the stream ends when the daemon stops.
 */
typedef void daemon_serve_fn(void *context, const char *argument,
                             struct stream *stream, struct conn *conn);

struct daemon_service {
    const char *name; /* the start of the service name, such as "shell" */
    bool exact;       /* it serves only exactly that name */
    daemon_serve_fn *serve;
    void *context;
};

/*
 * Called when an accepted host has left and its streams have ended. conn is
 * lost, and must not be used after this returns.
 */
typedef void daemon_left_fn(void *context, struct conn *conn);

/*
 * Called for each new host: returns the transport to use instead of transport,
 * which the returned one owns.
 */
typedef struct transport *daemon_wrap_fn(void *context,
                                         struct transport *transport);

struct daemon_options {
    struct banner banner;
    uint32_t version;                 /* as in struct conn_options */
    uint32_t max_payload;             /* as in struct conn_options */
    const struct auth_policy *policy; /* NULL: every host is accepted */
    bool one_host; /* see DAEMON_ONE_HOST_MS; false by default */
    const struct daemon_service *services;
    size_t service_count;
    /* which of them are there now, by their whole names; NULL: all */
    conn_wanted_fn *offers;
    void *offers_context;
    daemon_left_fn *left; /* may be NULL */
    void *left_context;
    daemon_wrap_fn *wrap; /* may be NULL */
    void *wrap_context;
    const struct log *log; /* may be NULL */
};

struct daemon;

/* Everything in options is borrowed until daemon_stop. */
MUST_USE bool daemon_start(const struct daemon_options *options,
                           struct daemon **daemon, struct err *err);

/* Wait until every adopted host has disconnected. Not while listening. */
void daemon_wait(struct daemon *daemon);

/* Disconnect every host, without waiting. New hosts are accepted. */
void daemon_hang_up(struct daemon *daemon);

/*
 * Disconnect every host and wait until they are gone, as when a phone reboots.
 * New hosts wait until daemon_resume. Must not be called by a service, which
 * would wait for itself.
 */
void daemon_rest(struct daemon *daemon);
void daemon_resume(struct daemon *daemon);

/* Disconnect every host, and wait for all threads. NULL is fine. */
void daemon_stop(struct daemon *daemon);

/*
 * Listen for hosts on address, such as "127.0.0.1", and port; *bound is the
 * port, also when port 0 let the system choose one. At most once per daemon.
 */
MUST_USE bool daemon_listen(struct daemon *daemon, const char *address,
                            uint16_t port, uint16_t *bound, struct err *err);

/* Serve the host at the other end of a socket, which the daemon then owns. */
void daemon_adopt(struct daemon *daemon, int fd);

#endif
