#include "tools/run_socket/run_hub.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"

#define MESSAGE_MAX 1000
#define QUEUE_MAX ((size_t)1 << 20)

/* What the callbacks were given. */
struct received {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct buf texts; /* of all messages */
    uint64_t left;    /* the last that has left */
    size_t left_count;
};

static void on_message(void *context, uint64_t id,
                       const struct run_frame *message)
{
    struct received *received = context;

    (void)id;
    pthread_mutex_lock(&received->lock);
    buf_append(&received->texts, message->data, message->length);
    pthread_cond_broadcast(&received->changed);
    pthread_mutex_unlock(&received->lock);
}

static void on_left(void *context, uint64_t id)
{
    struct received *received = context;

    pthread_mutex_lock(&received->lock);
    received->left = id;
    received->left_count++;
    pthread_cond_broadcast(&received->changed);
    pthread_mutex_unlock(&received->lock);
}

static struct run_hub *start(struct received *received)
{
    const struct run_hub_options options = {
        .listener = -1,
        .clients_max = 2,
        .message_max = MESSAGE_MAX,
        .queue_max = QUEUE_MAX,
        .on_message = on_message,
        .on_left = on_left,
        .context = received,
    };
    struct run_hub *hub = NULL;
    struct err err;

    *received = (struct received){.texts = BUF_INIT(MESSAGE_MAX)};
    pthread_mutex_init(&received->lock, NULL);
    pthread_cond_init(&received->changed, NULL);
    if (!run_hub_start(&options, &hub, &err))
        fail_msg("%s", err.text);
    return hub;
}

static void stop(struct run_hub *hub, struct received *received)
{
    run_hub_close(hub);
    buf_release(&received->texts);
    pthread_cond_destroy(&received->changed);
    pthread_mutex_destroy(&received->lock);
}

/* A connection: the id of this end, and the other end. */
static uint64_t connect_peer(struct run_hub *hub, int *peer)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    *peer = ends[1];
    return run_hub_add(hub, ends[0]);
}

static void await_left(struct received *received, uint64_t id)
{
    pthread_mutex_lock(&received->lock);
    while (received->left != id)
        pthread_cond_wait(&received->changed, &received->lock);
    pthread_mutex_unlock(&received->lock);
}

static void await_text(struct received *received, const char *text)
{
    pthread_mutex_lock(&received->lock);
    while (strcmp(buf_cstr(&received->texts), text) != 0)
        pthread_cond_wait(&received->changed, &received->lock);
    pthread_mutex_unlock(&received->lock);
}

static void messages_go_both_ways(void **state)
{
    static const char sent[] = "\0\0\0\2\1ab\0\0\0\1\1c";
    struct received received;
    struct run_hub *hub = start(&received);
    char got[16];
    int peer;
    uint64_t id = connect_peer(hub, &peer);

    (void)state;
    for (size_t i = 0; i < sizeof(sent) - 1; i++) /* in the smallest pieces */
        assert_int_equal(send(peer, sent + i, 1, 0), 1);
    await_text(&received, "abc");
    run_hub_send(hub, id, &(struct run_frame){RUN_FRAME_BINARY, "xyz", 3});
    assert_int_equal(recv(peer, got, 8, MSG_WAITALL), 8);
    assert_memory_equal(got, "\0\0\0\3\2xyz", 8);
    close(peer);
    await_left(&received, id);
    run_hub_send(hub, id, &(struct run_frame){RUN_FRAME_TEXT, "late", 4});
    stop(hub, &received);
}

static void a_peer_that_does_not_read_is_disconnected(void **state)
{
    static char large[64 << 10];
    struct received received;
    struct run_hub *hub = start(&received);
    int slow, other;
    uint64_t id = connect_peer(hub, &slow);
    uint64_t reader = connect_peer(hub, &other);
    char got[RUN_FRAME_HEADER + 2];

    (void)state;
    for (size_t sent = 0; sent < 4 * QUEUE_MAX; sent += sizeof(large))
        run_hub_send(
            hub, id,
            &(struct run_frame){RUN_FRAME_BINARY, large, sizeof(large)});
    await_left(&received, id);
    run_hub_send(hub, reader, &(struct run_frame){RUN_FRAME_TEXT, "ok", 2});
    assert_int_equal(recv(other, got, sizeof(got), MSG_WAITALL), sizeof(got));
    close(slow);
    close(other);
    stop(hub, &received);
}

static void a_message_that_is_too_long_ends_the_connection(void **state)
{
    static const char header[] = "\0\1\0\0\1";
    struct received received;
    struct run_hub *hub = start(&received);
    char end;
    int peer;
    uint64_t id = connect_peer(hub, &peer);

    (void)state;
    assert_int_equal(send(peer, header, RUN_FRAME_HEADER, 0), RUN_FRAME_HEADER);
    await_left(&received, id);
    assert_int_equal(recv(peer, &end, 1, 0), 0);
    close(peer);
    stop(hub, &received);
}

static void there_is_a_limit_to_connections(void **state)
{
    struct received received;
    struct run_hub *hub = start(&received);
    int peers[3];
    char end;

    (void)state;
    assert_int_not_equal(connect_peer(hub, &peers[0]), 0);
    assert_int_not_equal(connect_peer(hub, &peers[1]), 0);
    assert_int_equal(connect_peer(hub, &peers[2]), 0);
    assert_int_equal(recv(peers[2], &end, 1, 0), 0);
    for (size_t i = 0; i < 3; i++)
        close(peers[i]);
    stop(hub, &received);
}

static void a_dropped_connection_is_closed(void **state)
{
    struct received received;
    struct run_hub *hub = start(&received);
    char end;
    int peer;
    uint64_t id = connect_peer(hub, &peer);

    (void)state;
    run_hub_drop(hub, id);
    await_left(&received, id);
    assert_int_equal(recv(peer, &end, 1, 0), 0);
    assert_int_equal(received.left_count, 1);
    close(peer);
    stop(hub, &received);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_go_both_ways),
        cmocka_unit_test(a_peer_that_does_not_read_is_disconnected),
        cmocka_unit_test(a_message_that_is_too_long_ends_the_connection),
        cmocka_unit_test(there_is_a_limit_to_connections),
        cmocka_unit_test(a_dropped_connection_is_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
