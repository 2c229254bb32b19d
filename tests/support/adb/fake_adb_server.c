#include "tests/support/adb/fake_adb_server.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/thread_group.h"
#include "tests/support/adb/tcp_listener.h"

/* More connections than any test makes. */
#define CONVERSATIONS_MAX 16

struct fake_adb_server {
    struct tcp_listener *listener;                /* owned */
    const struct fake_adb_server_answer *answers; /* borrowed */
    size_t count;
    struct thread_group thread_group; /* one thread a connection */
};

static bool receive(int fd, char *data, size_t size)
{
    return recv(fd, data, size, MSG_WAITALL) == (ssize_t)size;
}

static bool hear_request(int fd, char *request, size_t size)
{
    char digits[5] = "";
    size_t length;

    if (!receive(fd, digits, 4))
        return false;
    length = strtoul(digits, NULL, 16);
    if (length >= size || !receive(fd, request, length))
        return false;
    request[length] = '\0';
    return true;
}

static const struct fake_adb_server_answer *find_answer(
    const struct fake_adb_server *peer, const char *request)
{
    for (size_t i = 0; i < peer->count; i++) {
        if (!strcmp(peer->answers[i].request, request))
            return &peer->answers[i];
    }
    return NULL;
}

static void say(int fd, const struct fake_adb_server_answer *answer)
{
    for (size_t i = 0; i < answer->length; i++) {
        if (send(fd, answer->bytes + i, 1, MSG_NOSIGNAL) != 1)
            return;
    }
}

/* Closing with unread bytes would reset the connection: read them first. */
static void disconnect(int fd)
{
    char rest[512];

    shutdown(fd, SHUT_WR);
    while (recv(fd, rest, sizeof(rest), 0) > 0)
        ;
}

/* A connection being served on a separate thread. */
struct server_conversation {
    const struct fake_adb_server *peer;
    int fd; /* owned */
};

static void converse(void *context)
{
    struct server_conversation *conversation = context;
    const struct fake_adb_server_answer *answer = NULL;
    int fd = conversation->fd;
    char request[1024];

    do {
        if (!hear_request(fd, request, sizeof(request)))
            break;
        answer = find_answer(conversation->peer, request);
        if (answer)
            say(fd, answer);
    } while (answer && !answer->disconnect);
    disconnect(fd);
    close(fd);
    free(conversation);
}

static void serve(int fd, void *context)
{
    struct server_conversation *conversation =
        mem_new(1, sizeof(*conversation));
    struct fake_adb_server *peer = context;

    *conversation = (struct server_conversation){.peer = peer, .fd = fd};
    if (!thread_group_start(&peer->thread_group, converse, conversation))
        converse(conversation);
}

struct fake_adb_server *fake_adb_server_start(
    const struct fake_adb_server_answer *answers, size_t count)
{
    struct fake_adb_server *peer = mem_new(1, sizeof(*peer));

    peer->answers = answers;
    peer->count = count;
    thread_group_init(&peer->thread_group, CONVERSATIONS_MAX);
    peer->listener = tcp_listener_start(0, serve, peer);
    return peer;
}

void fake_adb_server_stop(struct fake_adb_server *peer)
{
    tcp_listener_stop(peer->listener);
    thread_group_wait(&peer->thread_group);
    thread_group_release(&peer->thread_group);
    free(peer);
}

struct server_client fake_adb_server_address(const struct fake_adb_server *peer)
{
    return (struct server_client){.host = "127.0.0.1",
                                  .port = tcp_listener_port(peer->listener)};
}
