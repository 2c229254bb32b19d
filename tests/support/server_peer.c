#include "tests/support/server_peer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/support/listener.h"

struct server_peer {
    struct listener *listener;                /* owned */
    const struct server_peer_answer *answers; /* borrowed */
    size_t count;
};

static bool hear(int fd, char *data, size_t size)
{
    return recv(fd, data, size, MSG_WAITALL) == (ssize_t)size;
}

static bool hear_request(int fd, char *request, size_t size)
{
    char digits[5] = "";
    size_t length;

    if (!hear(fd, digits, 4))
        return false;
    length = strtoul(digits, NULL, 16);
    if (length >= size || !hear(fd, request, length))
        return false;
    request[length] = '\0';
    return true;
}

static const struct server_peer_answer *find_answer(
    const struct server_peer *peer, const char *request)
{
    for (size_t i = 0; i < peer->count; i++) {
        if (!strcmp(peer->answers[i].request, request))
            return &peer->answers[i];
    }
    return NULL;
}

static void say(int fd, const struct server_peer_answer *answer)
{
    for (size_t i = 0; i < answer->length; i++) {
        if (send(fd, answer->bytes + i, 1, MSG_NOSIGNAL) != 1)
            return;
    }
}

/* Closing with bytes unread would reset the connection: read them first. */
static void hang_up(int fd)
{
    char rest[512];

    shutdown(fd, SHUT_WR);
    while (recv(fd, rest, sizeof(rest), 0) > 0)
        ;
}

static void serve(int fd, void *context)
{
    const struct server_peer *peer = context;
    const struct server_peer_answer *answer = NULL;
    char request[1024];

    do {
        if (!hear_request(fd, request, sizeof(request)))
            break;
        answer = find_answer(peer, request);
        if (answer)
            say(fd, answer);
    } while (answer && !answer->hang_up);
    hang_up(fd);
    close(fd);
}

struct server_peer *server_peer_start(const struct server_peer_answer *answers,
                                      size_t count)
{
    struct server_peer *peer = mem_new(1, sizeof(*peer));

    peer->answers = answers;
    peer->count = count;
    peer->listener = listener_start(0, serve, peer);
    return peer;
}

void server_peer_stop(struct server_peer *peer)
{
    listener_stop(peer->listener);
    free(peer);
}

struct server server_peer_address(const struct server_peer *peer)
{
    return (struct server){.host = "127.0.0.1",
                           .port = listener_port(peer->listener)};
}
