/* The WebSocket part of the server, with honest, slow and hostile clients. */
#include "tools/http_server/http_server.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/heap.h"
#include "tests/support/web_client.h"

#define CLIENTS 4
#define MESSAGE_MAX ((size_t)256 * 1024)
#define QUEUE_MAX ((size_t)8 << 20)
#define PICTURE ((size_t)1 << 20)
#define PICTURE_KEY 7
#define FLOOD 20000

/* What has happened, by clients in the order of their coming. */
struct fixture {
    struct http_server *server;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t clients[16];
    size_t opened;
    size_t left;
    size_t messages;
    size_t asked; /* HTTP requests */
};

static void count(struct fixture *fixture, size_t *number)
{
    pthread_mutex_lock(&fixture->lock);
    ++*number;
    pthread_cond_broadcast(&fixture->changed);
    pthread_mutex_unlock(&fixture->lock);
}

static void wait_for(struct fixture *fixture, const size_t *number,
                     size_t least)
{
    const struct timespec by =
        deadline_timespec(deadline_in_ms(WEB_CLIENT_WAIT_S * INT64_C(1000)));

    pthread_mutex_lock(&fixture->lock);
    while (*number < least)
        assert_int_equal(
            pthread_cond_timedwait(&fixture->changed, &fixture->lock, &by), 0);
    pthread_mutex_unlock(&fixture->lock);
}

static size_t number_of(struct fixture *fixture, const size_t *number)
{
    size_t found;

    pthread_mutex_lock(&fixture->lock);
    found = *number;
    pthread_mutex_unlock(&fixture->lock);
    return found;
}

/* ---- the server ---- */

static void handle(void *context, const struct http_request *request)
{
    struct fixture *fixture = context;
    struct http_answer answer = {
        .status = 200, .type = "text/plain", .body = BUF_INIT(64)};

    buf_text(&answer.body, "served");
    http_server_answer(fixture->server, request->id, &answer);
    count(fixture, &fixture->asked);
}

static void on_open(void *context, uint64_t client)
{
    struct fixture *fixture = context;

    fixture->clients[fixture->opened % ARRAY_LEN(fixture->clients)] = client;
    count(fixture, &fixture->opened);
}

/* Text and binary come back, but for "quiet". */
static void on_message(void *context, uint64_t client,
                       const struct socket_message *message)
{
    struct fixture *fixture = context;

    assert_int_equal(((const char *)message->data)[message->length], 0);
    if (strcmp(message->data, "quiet") != 0)
        http_server_send(fixture->server, message, &client, 1);
    count(fixture, &fixture->messages);
}

static void on_left(void *context, uint64_t client)
{
    struct fixture *fixture = context;

    (void)client;
    count(fixture, &fixture->left);
}

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    const struct http_server_options options = {
        .handle = handle,
        .sockets = {.clients = CLIENTS,
                    .message_max = MESSAGE_MAX,
                    .queue_max = QUEUE_MAX,
                    .on_open = on_open,
                    .on_message = on_message,
                    .on_left = on_left},
        .context = fixture,
    };
    struct err err = ERR_INIT;

    pthread_mutex_init(&fixture->lock, NULL);
    deadline_cond_init(&fixture->changed);
    *state = fixture;
    return !http_server_open(&options, &fixture->server, &err) ||
           !http_server_start(fixture->server, &err);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    http_server_close(fixture->server);
    pthread_cond_destroy(&fixture->changed);
    pthread_mutex_destroy(&fixture->lock);
    free(fixture);
    return 0;
}

/* ---- clients ---- */

static int open_socket(const struct fixture *fixture)
{
    return web_client_open_socket(http_server_port(fixture->server),
                                  "Host: x\r\n");
}

/* One that reads little, and then nothing. */
static int open_slow_socket(const struct fixture *fixture)
{
    struct buf answer = BUF_INIT(4096);
    int fd = web_client_connect_small(http_server_port(fixture->server));

    web_client_upgrade(fd, "Host: x\r\n", &answer);
    web_client_expect(&answer, "HTTP/1.1 101");
    buf_release(&answer);
    return fd;
}

static void expect_frame(int fd, enum web_opcode opcode, const char *text)
{
    struct buf payload = BUF_INIT(2 * PICTURE);

    assert_int_equal(web_client_receive(fd, &payload), opcode);
    assert_string_equal(buf_cstr(&payload), text);
    buf_release(&payload);
}

static void expect_echo(int fd, const char *text)
{
    web_client_send(fd, WEB_TEXT | WEB_FINAL, text, strlen(text));
    expect_frame(fd, WEB_TEXT, text);
}

/* Others are served. */
static void expect_served(const struct fixture *fixture)
{
    struct buf answer = BUF_INIT(4096);
    int fd = web_client_connect(http_server_port(fixture->server));

    web_client_ask(fd, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", &answer);
    web_client_expect(&answer, "served");
    close(fd);
    buf_release(&answer);
}

static void send_text(struct fixture *fixture, uint64_t client, uint32_t key,
                      const char *text)
{
    http_server_send(fixture->server,
                     &(struct socket_message){
                         .key = key, .data = text, .length = strlen(text)},
                     &client, 1);
}

static void send_picture(struct fixture *fixture, uint64_t client, uint32_t key)
{
    char *picture = mem_new(1, PICTURE);

    http_server_send(
        fixture->server,
        &(struct socket_message){
            .binary = true, .key = key, .data = picture, .length = PICTURE},
        &client, 1);
    free(picture);
}

/* ---- the tests ---- */

static void messages_come_and_go(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_socket(fixture);

    expect_echo(fd, "hello");
    expect_echo(fd, "");
    web_client_send(fd, WEB_BINARY | WEB_FINAL, "\xff\xfe", 2);
    expect_frame(fd, WEB_BINARY, "\xff\xfe");
    expect_served(fixture);
    close(fd);
    wait_for(fixture, &fixture->left, 1);
}

static void messages_may_come_in_fragments(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_socket(fixture);

    web_client_send(fd, WEB_TEXT, "one ", 4);
    web_client_send(fd, WEB_CONTINUATION, "two ", 4);
    web_client_send(fd, WEB_PING | WEB_FINAL, "p", 1);
    web_client_send(fd, WEB_CONTINUATION | WEB_FINAL, "three", 5);
    expect_frame(fd, WEB_PONG, "p");
    expect_frame(fd, WEB_TEXT, "one two three");
    close(fd);
}

static void a_message_goes_to_many(void **state)
{
    struct fixture *fixture = *state;
    int first = open_socket(fixture);
    int second = open_socket(fixture);
    uint64_t clients[3];

    wait_for(fixture, &fixture->opened, 2);
    memcpy(clients, fixture->clients, sizeof(clients));
    clients[2] = 12345; /* there is no such client */
    http_server_send(fixture->server,
                     &(struct socket_message){.data = "all", .length = 3},
                     clients, ARRAY_LEN(clients));
    expect_frame(first, WEB_TEXT, "all");
    expect_frame(second, WEB_TEXT, "all");
    close(first);
    close(second);
}

/* The pictures do not fit into the buffers of the sockets. */
static void a_newer_message_replaces_one_with_its_key(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_slow_socket(fixture);
    struct buf payload = BUF_INIT(2 * PICTURE);
    uint64_t client;

    wait_for(fixture, &fixture->opened, 1);
    client = fixture->clients[0];
    send_picture(fixture, client, 0);
    send_picture(fixture, client, 0);
    send_text(fixture, client, PICTURE_KEY, "old");
    send_text(fixture, client, 0, "kept");
    send_text(fixture, client, PICTURE_KEY + 1, "of another key");
    send_text(fixture, client, PICTURE_KEY, "old, too");
    send_text(fixture, client, PICTURE_KEY, "new");
    assert_int_equal(web_client_receive(fd, &payload), WEB_BINARY);
    assert_int_equal(web_client_receive(fd, &payload), WEB_BINARY);
    assert_int_equal(payload.length, PICTURE);
    expect_frame(fd, WEB_TEXT, "kept");
    expect_frame(fd, WEB_TEXT, "of another key");
    expect_frame(fd, WEB_TEXT, "new");
    close(fd);
    buf_release(&payload);
}

/* Of each picture, the server keeps the newest and the one that is on its way.
 */
static void a_slow_viewer_costs_little_memory(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_slow_socket(fixture);
    size_t before, after;

    wait_for(fixture, &fixture->opened, 1);
    before = heap_in_use();
    for (size_t i = 0; i < 200; i++)
        send_picture(fixture, fixture->clients[0], PICTURE_KEY);
    expect_served(fixture);
    after = heap_in_use();
    assert_true(after < before + 4 * PICTURE);
    assert_int_equal(number_of(fixture, &fixture->left), 0);
    close(fd);
    wait_for(fixture, &fixture->left, 1);
}

static void a_client_with_too_much_to_read_is_dropped(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_slow_socket(fixture);
    size_t before = heap_in_use();

    wait_for(fixture, &fixture->opened, 1);
    for (size_t i = 0; i < 200; i++)
        send_picture(fixture, fixture->clients[0], 0);
    wait_for(fixture, &fixture->left, 1);
    assert_true(heap_in_use() < before + PICTURE);
    expect_served(fixture);
    close(fd);
}

static void a_client_that_is_hung_up_on_gets_all_before(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_slow_socket(fixture);
    struct buf payload = BUF_INIT(2 * PICTURE);

    wait_for(fixture, &fixture->opened, 1);
    send_picture(fixture, fixture->clients[0], 0);
    send_text(fixture, fixture->clients[0], 0, "last");
    http_server_disconnect(fixture->server, fixture->clients[0]);
    assert_int_equal(web_client_receive(fd, &payload), WEB_BINARY);
    expect_frame(fd, WEB_TEXT, "last");
    assert_int_equal(web_client_receive(fd, &payload), WEB_CLOSE);
    close(fd);
    wait_for(fixture, &fixture->left, 1);
    buf_release(&payload);
}

static void *stop(void *context)
{
    http_server_stop(context);
    return NULL;
}

static void messages_are_sent_before_it_stops(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_slow_socket(fixture);
    struct buf payload = BUF_INIT(2 * PICTURE);
    pthread_t thread;

    wait_for(fixture, &fixture->opened, 1);
    send_picture(fixture, fixture->clients[0], 0);
    send_text(fixture, fixture->clients[0], 0, "last");
    assert_int_equal(pthread_create(&thread, NULL, stop, fixture->server), 0);
    assert_int_equal(web_client_receive(fd, &payload), WEB_BINARY);
    expect_frame(fd, WEB_TEXT, "last");
    assert_int_equal(pthread_join(thread, NULL), 0);
    close(fd);
    buf_release(&payload);
}

/* ---- who may come ---- */

static void expect_refused(const struct fixture *fixture, const char *headers,
                           const char *status)
{
    struct buf answer = BUF_INIT(4096);
    int fd = web_client_connect(http_server_port(fixture->server));

    web_client_upgrade(fd, headers, &answer);
    web_client_expect(&answer, status);
    close(fd);
    buf_release(&answer);
}

static void pages_are_refused_unless_the_owner_admits_them(void **state)
{
    expect_refused(*state, "Host: x\r\nOrigin: http://127.0.0.1\r\n", " 403 ");
}

static void there_is_a_limit_of_clients(void **state)
{
    struct fixture *fixture = *state;
    int fds[CLIENTS];

    for (size_t i = 0; i < CLIENTS; i++)
        fds[i] = open_socket(fixture);
    expect_refused(fixture, "Host: x\r\n", " 503 ");
    expect_served(fixture);
    close(fds[0]);
    wait_for(fixture, &fixture->left, 1);
    fds[0] = open_socket(fixture);
    expect_echo(fds[0], "again");
    for (size_t i = 0; i < CLIENTS; i++)
        close(fds[i]);
}

/* ---- hostile clients ---- */

static void long_messages_end_the_connection(void **state)
{
    static const unsigned char endless[] = {0x82, 0xff, 0x00, 0x00, 0x7f,
                                            0xff, 0xff, 0xff, 0xff, 0xff,
                                            'm',  'a',  's',  'k',  'x'};
    struct fixture *fixture = *state;
    char *large = mem_new(1, MESSAGE_MAX);
    int fd = open_socket(fixture);
    size_t before = heap_in_use();

    web_client_put_bytes(fd, endless, sizeof(endless));
    web_client_expect_hang_up(fd);
    wait_for(fixture, &fixture->left, 1);
    /* The same in fragments, each within the limit. */
    fd = open_socket(fixture);
    web_client_send(fd, WEB_BINARY, large, MESSAGE_MAX);
    web_client_send(fd, WEB_CONTINUATION, large, 1);
    web_client_expect_hang_up(fd);
    wait_for(fixture, &fixture->left, 2);
    assert_int_equal(number_of(fixture, &fixture->messages), 0);
    assert_true(heap_in_use() < before + PICTURE);
    expect_served(fixture);
    free(large);
}

static void malformed_frames_end_the_connection(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {
#define FRAME(bytes_) {bytes_, sizeof(bytes_) - 1}
        FRAME("\xc1\x81maskx"),                    /* a reserved bit */
        FRAME("\x83\x81maskx"),                    /* an unknown opcode */
        FRAME("\x8b\x81maskx"),                    /* an unknown control one */
        FRAME("\x09\x81maskx"),                    /* a ping in fragments */
        FRAME("\x89\xfe\x00\x80mask"),             /* a long ping */
        FRAME("\x80\x81maskx"),                    /* nothing to continue */
        FRAME("\x81\x82\x00\x00\x00\x00\xc3\x28"), /* no UTF-8 */
        FRAME("\x88\x81mask\x00"),                 /* half a close code */
        FRAME("\x01\x81mask\x00\x81\x81mask\x00"), /* two beginnings */
#undef FRAME
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int fd = open_socket(fixture);

        web_client_put_bytes(fd, cases[i].bytes, cases[i].length);
        web_client_expect_hang_up(fd);
        wait_for(fixture, &fixture->left, i + 1);
        if (number_of(fixture, &fixture->messages))
            fail_msg("frame %zu was taken", i);
    }
    expect_served(fixture);
}

static void a_flood_of_messages_leaves_others_served(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_socket(fixture);
    int other = open_socket(fixture);
    size_t before = heap_in_use();

    for (size_t i = 0; i < FLOOD; i++) {
        web_client_send(fd, WEB_TEXT | WEB_FINAL, "quiet", 5);
        if (i == FLOOD / 2)
            expect_echo(other, "in between");
    }
    wait_for(fixture, &fixture->messages, FLOOD + 1);
    assert_true(heap_in_use() < before + PICTURE);
    close(fd);
    close(other);
}

/* One that never reads its echoes. */
static void a_flood_without_reading_ends(void **state)
{
    struct fixture *fixture = *state;
    int fd = open_slow_socket(fixture);
    const struct timeval timeout = {.tv_sec = WEB_CLIENT_WAIT_S};
    char *large = mem_new(1, MESSAGE_MAX);
    size_t before = heap_in_use();
    unsigned char header[] = {0x82, 0xff, 0, 0,   0,   0,   0,
                              4,    0,    0, 'm', 'a', 's', 'k'};

    assert_int_equal(
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)), 0);
    while (send(fd, header, sizeof(header), MSG_NOSIGNAL) > 0 &&
           send(fd, large, MESSAGE_MAX, MSG_NOSIGNAL) > 0)
        continue;
    wait_for(fixture, &fixture->left, 1);
    assert_true(heap_in_use() < before + PICTURE);
    expect_served(fixture);
    close(fd);
    free(large);
}

int main(void)
{
#define SOCKET_TEST(name_)                                                     \
    cmocka_unit_test_setup_teardown(name_, setup, teardown)
    const struct CMUnitTest tests[] = {
        SOCKET_TEST(messages_come_and_go),
        SOCKET_TEST(messages_may_come_in_fragments),
        SOCKET_TEST(a_message_goes_to_many),
        SOCKET_TEST(a_newer_message_replaces_one_with_its_key),
        SOCKET_TEST(a_slow_viewer_costs_little_memory),
        SOCKET_TEST(a_client_with_too_much_to_read_is_dropped),
        SOCKET_TEST(a_client_that_is_hung_up_on_gets_all_before),
        SOCKET_TEST(messages_are_sent_before_it_stops),
        SOCKET_TEST(pages_are_refused_unless_the_owner_admits_them),
        SOCKET_TEST(there_is_a_limit_of_clients),
        SOCKET_TEST(long_messages_end_the_connection),
        SOCKET_TEST(malformed_frames_end_the_connection),
        SOCKET_TEST(a_flood_of_messages_leaves_others_served),
        SOCKET_TEST(a_flood_without_reading_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
