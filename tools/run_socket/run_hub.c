#include "tools/run_socket/run_hub.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "tools/run_socket/run_socket.h"

#define READ_BYTES ((size_t)64 << 10)

/* How long to wait when this process has too many files open. */
#define NO_FILES_MS 100

/* Wake-up and listener come before the connections. */
#define FIXED_FDS 2

/* Made and freed by the hub's thread, but for run_hub_add. */
struct hub_client {
    struct hub_client *next;
    uint64_t id;
    int fd;        /* owned */
    struct buf in; /* of the thread alone: received, and not handled */

    struct buf out; /* guarded by the hub's lock, as all below */
    size_t sent;    /* bytes of out */
    bool over;
};

struct run_hub {
    struct run_hub_options options;
    pthread_t thread;
    int wake; /* owned; an eventfd */

    pthread_mutex_t lock; /* guards all below */
    struct hub_client *clients;
    size_t count;
    uint64_t last_id;
    bool stopping; /* written only by run_hub_stop */
};

static void wake(const struct run_hub *hub)
{
    const uint64_t one = 1;

    (void)!write(hub->wake, &one, sizeof(one));
}

/* ---- connections ---- */

static void free_client(struct hub_client *client)
{
    close(client->fd);
    buf_release(&client->in);
    buf_release(&client->out);
    free(client);
}

uint64_t run_hub_add(struct run_hub *hub, int fd)
{
    struct hub_client *made = NULL;
    uint64_t id = 0;

    pthread_mutex_lock(&hub->lock);
    if (hub->count < hub->options.clients_max) {
        made = mem_new(1, sizeof(*made));
        *made = (struct hub_client){
            .next = hub->clients,
            .id = ++hub->last_id,
            .fd = fd,
            .in = BUF_INIT(hub->options.message_max + RUN_FRAME_HEADER +
                           READ_BYTES),
            .out = BUF_INIT(SIZE_MAX),
        };
        hub->clients = made;
        hub->count++;
        id = made->id;
    }
    pthread_mutex_unlock(&hub->lock);
    if (!made)
        close(fd);
    wake(hub);
    return id;
}

static struct hub_client *find(const struct run_hub *hub, uint64_t id)
{
    struct hub_client *client = hub->clients;

    while (client && client->id != id)
        client = client->next;
    return client;
}

void run_hub_send(struct run_hub *hub, uint64_t id,
                  const struct run_frame *message)
{
    struct hub_client *client;

    pthread_mutex_lock(&hub->lock);
    client = find(hub, id);
    if (client && !client->over) {
        run_frame_write(message, &client->out);
        client->over =
            client->out.length - client->sent > hub->options.queue_max;
    }
    pthread_mutex_unlock(&hub->lock);
    wake(hub);
}

void run_hub_drop(struct run_hub *hub, uint64_t id)
{
    struct hub_client *client;

    pthread_mutex_lock(&hub->lock);
    client = find(hub, id);
    if (client)
        client->over = true;
    pthread_mutex_unlock(&hub->lock);
    wake(hub);
}

/* ---- the thread ---- */

static void set_over(struct run_hub *hub, struct hub_client *client)
{
    pthread_mutex_lock(&hub->lock);
    client->over = true;
    pthread_mutex_unlock(&hub->lock);
}

/* Send what waits, as much as is accepted now. */
static void write_some(struct run_hub *hub, struct hub_client *client)
{
    ssize_t count;

    pthread_mutex_lock(&hub->lock);
    count =
        send(client->fd, client->out.data + client->sent,
             client->out.length - client->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0)
        client->sent += (size_t)count;
    else if (errno != EAGAIN && errno != EINTR)
        client->over = true;
    if (client->sent > client->out.length / 2) {
        buf_consume(&client->out, client->sent);
        client->sent = 0;
    }
    pthread_mutex_unlock(&hub->lock);
}

/* Handle all messages that are complete. False: the peer breaks the rules. */
static bool handle_received(struct run_hub *hub, struct hub_client *client)
{
    struct run_frame frame;
    struct err err;
    size_t at = 0;
    size_t used;
    bool fine;

    while ((fine = run_frame_read(client->in.data + at, client->in.length - at,
                                  hub->options.message_max, &frame, &used,
                                  &err)) &&
           used) {
        hub->options.on_message(hub->options.context, client->id, &frame);
        at += used;
    }
    buf_consume(&client->in, at);
    return fine;
}

static void read_some(struct run_hub *hub, struct hub_client *client)
{
    char *space = buf_reserve(&client->in, READ_BYTES);
    ssize_t count =
        space ? recv(client->fd, space, READ_BYTES, MSG_DONTWAIT) : 0;

    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count > 0)
        buf_commit(&client->in, (size_t)count);
    if (count <= 0 || !handle_received(hub, client))
        set_over(hub, client);
}

static void accept_client(struct run_hub *hub)
{
    struct err ignored;
    int fd = accept4(hub->options.listener, NULL, NULL, SOCK_CLOEXEC);
    uint64_t id;

    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE)
            (void)poll(NULL, 0, NO_FILES_MS);
        return;
    }
    if (!run_socket_check_peer(fd, &ignored)) {
        close(fd);
        return;
    }
    id = run_hub_add(hub, fd);
    if (id)
        hub->options.on_open(hub->options.context, id);
}

/* Take a connection that is over out of the list; NULL: there is none. */
static struct hub_client *take_over_one(struct run_hub *hub)
{
    struct hub_client **at = &hub->clients;
    struct hub_client *found;

    pthread_mutex_lock(&hub->lock);
    while (*at && !(*at)->over)
        at = &(*at)->next;
    found = *at;
    if (found) {
        *at = found->next;
        hub->count--;
    }
    pthread_mutex_unlock(&hub->lock);
    return found;
}

static void drop_ended(struct run_hub *hub)
{
    struct hub_client *client;

    while ((client = take_over_one(hub)) != NULL) {
        hub->options.on_left(hub->options.context, client->id);
        free_client(client);
    }
}

/* What the thread waits for; clients are those of fds from FIXED_FDS on. */
struct hub_poll {
    struct pollfd *fds;          /* owned */
    struct hub_client **clients; /* owned */
    size_t count;
};

/* False: the hub is to stop. */
static bool fill_poll(struct run_hub *hub, struct hub_poll *waits)
{
    bool goes_on;

    waits->count = 0;
    waits->fds[0] = (struct pollfd){.fd = hub->wake, .events = POLLIN};
    waits->fds[1] =
        (struct pollfd){.fd = hub->options.listener, .events = POLLIN};
    pthread_mutex_lock(&hub->lock);
    goes_on = !hub->stopping;
    for (struct hub_client *client = hub->clients; client;
         client = client->next) {
        const bool waiting = client->out.length > client->sent;

        waits->clients[waits->count] = client;
        waits->fds[FIXED_FDS + waits->count++] = (struct pollfd){
            .fd = client->fd, .events = waiting ? POLLIN | POLLOUT : POLLIN};
    }
    pthread_mutex_unlock(&hub->lock);
    return goes_on;
}

static void serve_clients(struct run_hub *hub, const struct hub_poll *waits)
{
    for (size_t i = 0; i < waits->count; i++) {
        const short events = waits->fds[FIXED_FDS + i].revents;

        if (events & POLLOUT)
            write_some(hub, waits->clients[i]);
        if (events & (POLLIN | POLLHUP | POLLERR))
            read_some(hub, waits->clients[i]);
    }
}

static void *work(void *context)
{
    struct run_hub *hub = context;
    const size_t most = hub->options.clients_max;
    struct hub_poll waits = {
        .fds = mem_new(FIXED_FDS + most, sizeof(*waits.fds)),
        .clients = mem_new(most, sizeof(struct hub_client *)),
    };
    uint64_t ignored;

    while (fill_poll(hub, &waits)) {
        if (poll(waits.fds, (nfds_t)(FIXED_FDS + waits.count), -1) < 0)
            continue;
        if (waits.fds[0].revents)
            (void)!read(hub->wake, &ignored, sizeof(ignored));
        serve_clients(hub, &waits);
        if (waits.fds[1].revents)
            accept_client(hub);
        drop_ended(hub);
    }
    free(waits.fds);
    free(waits.clients);
    return NULL;
}

/* ---- start and stop ---- */

static void release(struct run_hub *hub)
{
    if (hub->wake >= 0)
        close(hub->wake);
    if (hub->options.listener >= 0)
        close(hub->options.listener);
    pthread_mutex_destroy(&hub->lock);
    free(hub);
}

bool run_hub_start(const struct run_hub_options *options, struct run_hub **hub,
                   struct err *err)
{
    struct run_hub *made = mem_new(1, sizeof(*made));
    int failure;

    made->options = *options;
    pthread_mutex_init(&made->lock, NULL);
    made->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (made->wake < 0) {
        failure = errno;
        release(made);
        return err_errno(err, failure, "making an eventfd");
    }
    *hub = made; /* callbacks may come before this function returns */
    failure = pthread_create(&made->thread, NULL, work, made);
    if (failure) {
        *hub = NULL;
        release(made);
        return err_errno(err, failure, "starting a thread for the socket");
    }
    return true;
}

void run_hub_stop(struct run_hub *hub)
{
    if (!hub || hub->stopping)
        return;
    pthread_mutex_lock(&hub->lock);
    hub->stopping = true;
    pthread_mutex_unlock(&hub->lock);
    wake(hub);
    pthread_join(hub->thread, NULL);
    pthread_mutex_lock(&hub->lock);
    while (hub->clients) {
        struct hub_client *client = hub->clients;

        hub->clients = client->next;
        free_client(client);
    }
    hub->count = hub->options.clients_max; /* no more */
    pthread_mutex_unlock(&hub->lock);
}

void run_hub_close(struct run_hub *hub)
{
    if (!hub)
        return;
    run_hub_stop(hub);
    release(hub);
}
