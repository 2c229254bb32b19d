/*
 * nc -l: accepts one connection to a port of the phone. The connecting thread
 * writes what it receives to the command's output; the command's own thread
 * sends its input. Each waits for the other to end.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_private.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/toybox/cmd.h"

#define PIECE ((size_t)16 * 1024)
#define LOOK_EVERY_MS 20
#define SEND_MS 30000

struct nc_listener {
    struct command_call *call;
    struct sh_turns *turns;
    struct sh_turn writing; /* owned by the connecting thread */

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    struct stream *stream; /* while a client is connected */
    bool taken;            /* a client has connected */
    bool sending;          /* the command's thread uses stream */
    bool ended;            /* the client has closed its direction */
    bool closed;           /* the command has ended */
    unsigned holders;      /* references: the command, and the listener */
};

static void drop(struct nc_listener *listener)
{
    bool last;

    pthread_mutex_lock(&listener->lock);
    last = --listener->holders == 0;
    pthread_mutex_unlock(&listener->lock);
    if (!last)
        return;
    pthread_cond_destroy(&listener->changed);
    pthread_mutex_destroy(&listener->lock);
    free(listener);
}

/* ---- the connecting thread ---- */

static bool take(struct nc_listener *listener, struct stream *stream)
{
    bool taken;

    pthread_mutex_lock(&listener->lock);
    taken = !listener->taken && !listener->closed;
    if (taken) {
        listener->taken = true;
        listener->stream = stream;
    }
    pthread_mutex_unlock(&listener->lock);
    return taken;
}

static void serve(void *context, struct stream *stream)
{
    struct nc_listener *listener = context;
    char data[PIECE];
    struct err err;
    size_t got = 1;
    bool fine = take(listener, stream);

    if (!fine)
        return;
    while (fine && got) {
        fine =
            stream_read(stream, data, sizeof(data), DEADLINE_NEVER, &got, &err);
        if (!fine || !got)
            break;
        sh_turns_return(listener->turns, &listener->writing);
        fine = call_step(listener->call) &&
               sh_out_write(listener->call->ports.out, data, got);
        sh_turns_leave(listener->turns);
    }
    pthread_mutex_lock(&listener->lock);
    listener->ended = true;
    while (listener->sending)
        pthread_cond_wait(&listener->changed, &listener->lock);
    listener->stream = NULL;
    pthread_cond_broadcast(&listener->changed);
    pthread_mutex_unlock(&listener->lock);
}

static void release(void *context)
{
    drop(context);
}

/* ---- the command's thread ---- */

static bool is_connected(struct nc_listener *listener)
{
    bool is;

    pthread_mutex_lock(&listener->lock);
    is = listener->stream && !listener->ended;
    pthread_mutex_unlock(&listener->lock);
    return is;
}

/* Wait for a client; false when the command must end. */
static bool wait_for_host(struct nc_listener *listener)
{
    for (;;) {
        bool taken;

        pthread_mutex_lock(&listener->lock);
        taken = listener->taken;
        pthread_mutex_unlock(&listener->lock);
        if (taken)
            return true;
        if (!call_wait(listener->call, deadline_in_ms(LOOK_EVERY_MS)))
            return false;
    }
}

static bool send_piece(struct nc_listener *listener, const char *data,
                       size_t size)
{
    struct sh_turn *turn;
    struct stream *stream;
    struct err err;
    bool sent;

    pthread_mutex_lock(&listener->lock);
    stream = listener->ended ? NULL : listener->stream;
    listener->sending = stream != NULL;
    pthread_mutex_unlock(&listener->lock);
    if (!stream)
        return false;
    turn = sh_turns_leave(listener->turns);
    sent = stream_write(stream, data, size, deadline_in_ms(SEND_MS), &err);
    sh_turns_return(listener->turns, turn);
    pthread_mutex_lock(&listener->lock);
    listener->sending = false;
    pthread_cond_broadcast(&listener->changed);
    pthread_mutex_unlock(&listener->lock);
    return sent;
}

static void send_input(struct nc_listener *listener)
{
    char data[PIECE];
    size_t got = 1;

    while (got &&
           call_read(listener->call, listener->call->ports.in, data,
                     sizeof(data), &got) &&
           got && send_piece(listener, data, got)) {
    }
}

/* Wait until the other thread has ended; cancel it if necessary. */
static void wait_for_end(struct nc_listener *listener)
{
    struct sh_turn *turn;

    while (is_connected(listener)) {
        if (!call_wait(listener->call, deadline_in_ms(LOOK_EVERY_MS)))
            break;
    }
    turn = sh_turns_leave(listener->turns);
    pthread_mutex_lock(&listener->lock);
    if (listener->stream && !listener->ended)
        stream_interrupt(listener->stream);
    while (listener->stream)
        pthread_cond_wait(&listener->changed, &listener->lock);
    pthread_mutex_unlock(&listener->lock);
    sh_turns_return(listener->turns, turn);
}

static struct nc_listener *listener_new(struct command_call *call)
{
    struct nc_listener *listener = mem_new(1, sizeof(*listener));

    listener->call = call;
    listener->turns = &call->shell->session->turns;
    listener->holders = 2;
    pthread_mutex_init(&listener->lock, NULL);
    pthread_cond_init(&listener->changed, NULL);
    return listener;
}

int do_nc_listen(struct command_call *call, const char *port)
{
    struct handset *handset = call->context;
    struct nc_listener *listener = listener_new(call);
    const struct socket_service service = {serve, release, listener};
    char spec[SOCKETS_NAME_MAX];
    uint16_t picked = 0; /* chosen for port 0 */
    struct err err;
    int status = 0;

    snprintf(spec, sizeof(spec), "tcp:%.20s", port);
    sh_turns_list(listener->turns, &listener->writing, SH_TURN_OUTSIDE);
    if (!sockets_listen(&handset->sockets, spec, service, &picked, &err)) {
        status = call_fail(call, "bind: %s", err.text);
    } else {
        bool connected = wait_for_host(listener);

        if (picked)
            snprintf(spec, sizeof(spec), "tcp:%u", (unsigned)picked);
        sockets_unlisten(&handset->sockets, spec);
        if (connected)
            send_input(listener);
        pthread_mutex_lock(&listener->lock);
        listener->closed = true;
        pthread_mutex_unlock(&listener->lock);
        wait_for_end(listener);
    }
    sh_turns_unlist(listener->turns, &listener->writing);
    drop(listener);
    return status;
}
