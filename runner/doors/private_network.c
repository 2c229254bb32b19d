#include "runner/doors/private_network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/services/forward.h"
#include "base/mem.h"
#include "runner/doors/private_network_wire.h"

#define LOOPBACK INADDR_LOOPBACK
/* Hosts get addresses from here on: 127.64.0.1, 127.64.0.2, ... */
#define HOSTS_FROM 0x7f400000
#define REPLY_MS 30000

/* A place of the outside that may be reached. */
struct network_place {
    struct private_network *network;
    char host[TCP_HOST_MAX];
    uint16_t port;
    uint32_t address;           /* in the network */
    struct local_network local; /* listens at that address */
    struct forward *forward;
};

struct private_network {
    const struct log *log; /* borrowed; may be NULL */
    struct network_place *places;
    size_t count;
    int child_end; /* the supervisor's end; -1: given away */
    struct local_network local;

    pthread_mutex_t lock; /* guards the socket: one request at a time */
    int socket;
};

/* ---- requests ---- */

/* The descriptor that came with a message; -1: none. */
static int descriptor_of(struct msghdr *message)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    int fd = -1;

    if (header && header->cmsg_level == SOL_SOCKET &&
        header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(fd)))
        memcpy(&fd, CMSG_DATA(header), sizeof(fd));
    return fd;
}

static bool read_reply(int socket, struct network_reply *reply, int *fd)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec text = {.iov_base = reply, .iov_len = sizeof(*reply)};
    struct msghdr message = {
        .msg_iov = &text,
        .msg_iovlen = 1,
        .msg_control = &control,
        .msg_controllen = sizeof(control),
    };
    struct pollfd ready = {.fd = socket, .events = POLLIN};

    *fd = -1;
    if (poll(&ready, 1, REPLY_MS) <= 0 ||
        recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != sizeof(*reply))
        return false;
    *fd = descriptor_of(&message);
    return true;
}

static bool ask(struct private_network *network,
                const struct network_request *request,
                struct network_reply *reply, int *fd, struct err *err)
{
    bool answered;

    pthread_mutex_lock(&network->lock);
    answered = send(network->socket, request, sizeof(*request), MSG_NOSIGNAL) ==
                   sizeof(*request) &&
               read_reply(network->socket, reply, fd);
    pthread_mutex_unlock(&network->lock);
    if (!answered)
        return err_set(err, ERR_UNSUPPORTED,
                       "a private network is not possible on this computer");
    return !reply->error ||
           err_errno(err, reply->error, "port %u of the private network",
                     request->port);
}

static bool listen_at(struct private_network *network, uint32_t address,
                      uint16_t port, uint16_t *bound, int *listener,
                      struct err *err)
{
    const struct network_request request = {
        .kind = NETWORK_LISTEN, .address = address, .port = port};
    struct network_reply reply;

    if (!ask(network, &request, &reply, listener, err))
        return false;
    *bound = reply.port;
    return *listener >= 0 ||
           err_set(err, ERR_PROTOCOL, "the supervisor sent no socket");
}

/* ---- as the place of forwards ---- */

static bool is_tcp(const struct local_endpoint *endpoint, struct err *err)
{
    return endpoint->kind == LOCAL_ENDPOINT_TCP ||
           err_set(err, ERR_UNSUPPORTED,
                   "a private network has TCP ports only");
}

static bool private_network_listen_local(void *context,
                                         struct local_endpoint *endpoint,
                                         int *listener, struct err *err)
{
    return is_tcp(endpoint, err) && listen_at(context, LOOPBACK, endpoint->port,
                                              &endpoint->port, listener, err);
}

static bool private_network_connect_local(void *context,
                                          const struct local_endpoint *endpoint,
                                          struct deadline by, int *fd,
                                          struct err *err)
{
    const struct network_request request = {
        .kind = NETWORK_CONNECT, .address = LOOPBACK, .port = endpoint->port};
    struct network_reply reply;

    (void)by;
    return is_tcp(endpoint, err) && ask(context, &request, &reply, fd, err);
}

const struct local_network *private_network_local(
    struct private_network *network)
{
    return &network->local;
}

/* ---- places of the outside ---- */

static bool network_place_listen(void *context, struct local_endpoint *endpoint,
                                 int *listener, struct err *err)
{
    struct network_place *place = context;

    return listen_at(place->network, place->address, endpoint->port,
                     &endpoint->port, listener, err);
}

/* A connection to the place itself, from this computer's network. */
static bool network_place_open(void *context, const char *remote,
                               struct deadline by, struct stream **stream,
                               struct err *err)
{
    const struct network_place *place = context;
    struct transport *transport;

    (void)remote;
    if (!tcp_open(place->host, place->port, (struct tcp_keepalive){0}, NULL, by,
                  &transport, err))
        return false;
    *stream = stream_over_transport(transport);
    return true;
}

static bool network_place_forward(struct network_place *place, struct err *err)
{
    const struct forward_options options = {
        .open = network_place_open,
        .context = place,
        .network = &place->local,
        .log = place->network->log,
    };
    char local[32];

    snprintf(local, sizeof(local), "tcp:%u", place->port);
    return forward_start_with(&options, local, place->host, &place->forward,
                              err) ||
           err_wrap(err, "%s", place->host);
}

/* A host name has an address of ours; an address has itself. */
static uint32_t address_of(const char *host, size_t place)
{
    struct in_addr address;

    if (!strcmp(host, "localhost"))
        return LOOPBACK;
    return inet_pton(AF_INET, host, &address) == 1
               ? ntohl(address.s_addr)
               : HOSTS_FROM + 1 + (uint32_t)place;
}

static bool add_place(struct private_network *network, const char *text,
                      struct err *err)
{
    struct network_place *place = &network->places[network->count];

    if (!strrchr(text, ':') ||
        !tcp_parse_address(text, 0, place->host, &place->port, err) ||
        !place->port)
        return err_set(err, ERR_INVALID, "%.80s is not HOST:PORT", text);
    place->network = network;
    place->address = address_of(place->host, network->count);
    place->local = (struct local_network){.listen = network_place_listen,
                                          .context = place};
    network->count++;
    return true;
}

void private_network_write_hosts(const struct private_network *network,
                                 struct buf *hosts)
{
    buf_text(hosts, "127.0.0.1 localhost\n");
    for (size_t i = 0; i < network->count; i++) {
        const struct network_place *place = &network->places[i];

        if (place->address > HOSTS_FROM &&
            place->address <= HOSTS_FROM + PRIVATE_NETWORK_PLACES_MAX)
            buf_printf(hosts, "127.64.0.%u %s\n", place->address & 0xff,
                       place->host);
    }
}

/* ---- life ---- */

bool private_network_open(const char *const *places, size_t count,
                          const struct log *log,
                          struct private_network **network, struct err *err)
{
    struct private_network *made;
    int ends[2];
    bool done = true;

    if (count > PRIVATE_NETWORK_PLACES_MAX)
        return err_set(err, ERR_INVALID, "more than %d places are allowed",
                       PRIVATE_NETWORK_PLACES_MAX);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return err_errno(err, errno, "making a socket");
    made = mem_new(1, sizeof(*made));
    *made = (struct private_network){
        .log = log,
        .places = mem_new(count ? count : 1, sizeof(*made->places)),
        .socket = ends[0],
        .child_end = ends[1],
        .local = {.listen = private_network_listen_local,
                  .connect = private_network_connect_local,
                  .context = made},
    };
    pthread_mutex_init(&made->lock, NULL);
    for (size_t i = 0; done && i < count; i++)
        done = add_place(made, places[i], err);
    if (done)
        *network = made;
    else
        private_network_close(made);
    return done;
}

static void close_child_end(struct private_network *network)
{
    if (network->child_end >= 0)
        close(network->child_end);
    network->child_end = -1;
}

void private_network_close(struct private_network *network)
{
    if (!network)
        return;
    for (size_t i = 0; i < network->count; i++)
        forward_stop(network->places[i].forward);
    close_child_end(network);
    close(network->socket);
    pthread_mutex_destroy(&network->lock);
    free(network->places);
    free(network);
}

int private_network_socket(const struct private_network *network)
{
    return network->child_end;
}

bool private_network_connect(struct private_network *network, struct err *err)
{
    close_child_end(network);
    for (size_t i = 0; i < network->count; i++) {
        if (!network_place_forward(&network->places[i], err))
            return false;
    }
    return true;
}

bool private_network_listen(struct private_network *network, uint16_t port,
                            int *listener, struct err *err)
{
    return listen_at(network, LOOPBACK, port, &port, listener, err);
}

bool private_network_start(struct private_network *network, struct err *err)
{
    const struct network_request request = {.kind = NETWORK_START};
    struct network_reply reply;
    int none;

    return ask(network, &request, &reply, &none, err);
}
