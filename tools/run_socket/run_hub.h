/*
 * Connections over Unix sockets that carry messages (run_frame.h): a thread
 * reads and writes all of them, and never waits for one.
 *
 * A peer that reads too slowly is disconnected when more than queue_max bytes
 * wait for it; so is one that sends a message that is too long.
 */
#ifndef TOOLS_RUN_SOCKET_RUN_HUB_H
#define TOOLS_RUN_SOCKET_RUN_HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/run_socket/run_frame.h"

struct run_hub;

/* Callbacks are called by the hub's thread, without a lock of the hub. */
struct run_hub_options {
    int listener;       /* a listening socket, owned by the hub; -1: none */
    size_t clients_max; /* connections at a time; further ones are closed */
    size_t message_max; /* length of a received message */
    size_t queue_max;   /* bytes that wait for one peer */
    /* A peer has connected; not called for those of run_hub_add. */
    void (*on_open)(void *context, uint64_t id);
    void (*on_message)(void *context, uint64_t id,
                       const struct run_frame *message);
    /* The connection is over; not called by run_hub_stop. */
    void (*on_left)(void *context, uint64_t id);
    void *context;
};

/*
 * Start the thread. The listener is closed on failure, too, which is when no
 * thread or eventfd can be made.
 */
MUST_USE bool run_hub_start(const struct run_hub_options *options,
                            struct run_hub **hub, struct err *err);

/*
 * End the thread and close all connections; what is sent afterwards is lost.
 * Then free the hub. NULL is fine for both.
 */
void run_hub_stop(struct run_hub *hub);
void run_hub_close(struct run_hub *hub);

/*
 * Add a connected socket, which the hub then owns; it is closed if there are
 * too many. Returns its id; 0: there are too many. From any thread.
 */
uint64_t run_hub_add(struct run_hub *hub, int fd);

/*
 * Send a message, which is copied; nothing happens if the connection is over.
 * Does not block. From any thread.
 */
void run_hub_send(struct run_hub *hub, uint64_t id,
                  const struct run_frame *message);

/* End a connection soon; on_left is called. From any thread. */
void run_hub_drop(struct run_hub *hub, uint64_t id);

#endif
