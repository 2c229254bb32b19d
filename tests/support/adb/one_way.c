#include "tests/support/adb/one_way.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/services/local_endpoint.h"
#include "base/mem.h"
#include "tests/support/adb/echo_server.h"
#include "tests/support/adb/send_all.h"

#define PIECE ((size_t)64 * 1024)

static char byte_at(size_t at)
{
    return (char)(at * 31 + at / 509);
}

static void pause_ms(long ms)
{
    const struct timespec pause = {.tv_nsec = ms * 1000000};

    nanosleep(&pause, NULL);
}

/* Blocking calls time out after a minute. */
static void set_blocking(int fd)
{
    const struct timeval minute = {.tv_sec = 60};

    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof(minute));
}

void one_way_start(struct one_way *server)
{
    struct local_endpoint endpoint;
    struct err err = ERR_INIT;

    if (!local_endpoint_parse("tcp:0", &endpoint, &err) ||
        !local_endpoint_listen(&endpoint, &server->listener, &err))
        fail_msg("%s", err.text);
    snprintf(server->endpoint, sizeof(server->endpoint), "tcp:%u",
             (unsigned)endpoint.port);
    set_blocking(server->listener);
}

void one_way_stop(struct one_way *server)
{
    close(server->listener);
}

struct one_way_client {
    const char *entry;
    size_t size;
};

static void *send_and_close(void *context)
{
    const struct one_way_client *client = context;
    char *data = mem_new(client->size, 1);
    int fd = echo_connect(client->entry);

    if (fd >= 0) {
        /* AOSP drops data of a client that closes before it is connected. */
        bool connected = recv(fd, data, 1, 0) == 1;

        for (size_t i = 0; i < client->size; i++)
            data[i] = byte_at(i);
        (void)!(connected && send_all(fd, data, client->size));
        close(fd);
    }
    free(data);
    return NULL;
}

/* Read slowly up to the end; returns the number of correct bytes. */
static size_t receive(int fd)
{
    char *data = mem_new(PIECE, 1);
    size_t right = 0;
    ssize_t got;

    pause_ms(200);
    while ((got = recv(fd, data, PIECE, 0)) > 0) {
        ssize_t same = 0;

        while (same < got && data[same] == byte_at(right + (size_t)same))
            same++;
        right += (size_t)same;
        if (same < got)
            break;
        pause_ms(2);
    }
    free(data);
    return right;
}

size_t one_way_send(const struct one_way *server, const char *entry,
                    size_t size)
{
    struct one_way_client client = {entry, size};
    size_t right = 0;
    pthread_t thread;
    int fd;

    assert_int_equal(pthread_create(&thread, NULL, send_and_close, &client), 0);
    fd = accept(server->listener, NULL, NULL);
    if (fd >= 0) {
        set_blocking(fd);
        (void)!send_all(fd, "!", 1);
        right = receive(fd);
        close(fd);
    }
    pthread_join(thread, NULL);
    return right;
}
