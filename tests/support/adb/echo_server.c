#include "tests/support/adb/echo_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/services/local_endpoint.h"
#include "base/mem.h"
#include "tests/support/adb/send_all.h"

/* Connections at the same time. */
#define MAX_CONNECTIONS 256

static void set_blocking(int fd)
{
    const struct timeval timeout = {.tv_sec = 60};

    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
}

int echo_connect(const char *text)
{
    struct local_endpoint endpoint;
    struct err err;
    int fd;

    if (!local_endpoint_parse(text, &endpoint, &err) ||
        !local_endpoint_connect(&endpoint, NULL, deadline_in_ms(60000), &fd,
                                &err))
        return -1;
    set_blocking(fd);
    return fd;
}

struct sender {
    int fd;
    const char *data;
    size_t size;
};

static void *run_sender(void *context)
{
    struct sender *sender = context;

    if (!send_all(sender->fd, sender->data, sender->size))
        shutdown(sender->fd, SHUT_RDWR);
    return NULL;
}

bool echo_check(int fd, size_t size, unsigned seed)
{
    char *sent = mem_new(size, 1);
    char *got = mem_new(size, 1);
    struct sender sender = {fd, sent, size};
    pthread_t thread;
    bool same;

    for (size_t i = 0; i < size; i++)
        sent[i] = (char)(i * 7 + i / 251 + seed);
    if (pthread_create(&thread, NULL, run_sender, &sender))
        abort();
    same = recv(fd, got, size, MSG_WAITALL) == (ssize_t)size &&
           !memcmp(sent, got, size);
    if (!same)
        shutdown(fd, SHUT_RDWR);
    pthread_join(thread, NULL);
    free(sent);
    free(got);
    return same;
}

struct checker {
    const char *endpoint;
    size_t size;
    unsigned seed;
    bool good;
    pthread_t thread;
};

static void *run_checker(void *context)
{
    struct checker *checker = context;
    int fd = echo_connect(checker->endpoint);

    checker->good = fd >= 0 && echo_check(fd, checker->size, checker->seed);
    if (fd >= 0)
        close(fd);
    return NULL;
}

bool echo_check_many(const char *endpoint, size_t count, size_t size)
{
    struct checker *checkers = mem_new(count, sizeof(*checkers));
    bool good = true;

    for (size_t i = 0; i < count; i++) {
        checkers[i] = (struct checker){
            .endpoint = endpoint, .size = size, .seed = (unsigned)i};
        if (pthread_create(&checkers[i].thread, NULL, run_checker,
                           &checkers[i]))
            abort();
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(checkers[i].thread, NULL);
        good = good && checkers[i].good;
    }
    free(checkers);
    return good;
}

size_t echo_check_in_a_row(const char *endpoint, size_t count)
{
    size_t good = 0;

    for (size_t i = 0; i < count; i++) {
        int fd = echo_connect(endpoint);

        good += fd >= 0 && echo_check(fd, 100, (unsigned)i);
        if (fd >= 0)
            close(fd);
    }
    return good;
}

struct echo_server {
    struct local_endpoint endpoint;
    struct buf text;
    int listener;
    struct cancel stop;
    pthread_t thread;
};

/* One connection; its thread is joined when it has ended or at the end. */
struct echo_connection {
    int fd;
    bool used;
    atomic_bool ended;
    pthread_t thread;
};

static void *serve_one(void *context)
{
    struct echo_connection *connection = context;
    char data[16384];
    ssize_t n;

    while ((n = recv(connection->fd, data, sizeof(data), 0)) > 0 &&
           send_all(connection->fd, data, (size_t)n))
        ;
    shutdown(connection->fd, SHUT_RDWR);
    atomic_store(&connection->ended, true);
    return NULL;
}

static void end_connection(struct echo_connection *connection)
{
    shutdown(connection->fd, SHUT_RDWR);
    pthread_join(connection->thread, NULL);
    close(connection->fd);
    connection->used = false;
}

static void accept_one(int listener, struct echo_connection *connection)
{
    int fd = accept(listener, NULL, NULL);

    if (fd < 0)
        return;
    set_blocking(fd);
    connection->fd = fd;
    connection->used = true;
    atomic_store(&connection->ended, false);
    if (pthread_create(&connection->thread, NULL, serve_one, connection))
        abort();
}

/* A free slot; NULL: all are in use. */
static struct echo_connection *find_free(struct echo_connection *connections)
{
    for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
        if (connections[i].used && atomic_load(&connections[i].ended))
            end_connection(&connections[i]);
        if (!connections[i].used)
            return &connections[i];
    }
    return NULL;
}

static void *serve(void *context)
{
    struct echo_server *server = context;
    struct pollfd polls[] = {
        {.fd = server->listener, .events = POLLIN},
        {.fd = cancel_fd(&server->stop), .events = POLLIN},
    };
    struct echo_connection *connections =
        mem_new(MAX_CONNECTIONS, sizeof(*connections));

    while (poll(polls, 2, -1) > 0 && !polls[1].revents) {
        struct echo_connection *connection = find_free(connections);

        if (!connection)
            abort();
        accept_one(server->listener, connection);
    }
    for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
        if (connections[i].used)
            end_connection(&connections[i]);
    }
    free(connections);
    return NULL;
}

struct echo_server *echo_server_start(void)
{
    struct echo_server *server = mem_new(1, sizeof(*server));
    struct err err;

    server->text = (struct buf)BUF_INIT(512);
    assert_true(local_endpoint_parse("tcp:0", &server->endpoint, &err));
    assert_true(
        local_endpoint_listen(&server->endpoint, &server->listener, &err));
    assert_true(cancel_init(&server->stop, &err));
    local_endpoint_format(&server->endpoint, &server->text);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
    return server;
}

const char *echo_server_endpoint(const struct echo_server *server)
{
    return buf_cstr(&server->text);
}

void echo_server_stop(struct echo_server *server)
{
    cancel_fire(&server->stop);
    pthread_join(server->thread, NULL);
    local_endpoint_unlisten(&server->endpoint, server->listener);
    cancel_release(&server->stop);
    buf_release(&server->text);
    free(server);
}
