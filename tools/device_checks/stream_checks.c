/* Bytes through many streams at once, through ports, and as fast as can be. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/services/forward.h"
#include "adb/services/local_endpoint.h"
#include "adb/services/reverse.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/thread_group.h"
#include "tools/device_checks/device_check.h"

#define STREAMS 16
#define STREAM_BYTES (256 * KIB)
#define PORT_BYTES (256 * KIB)
#define PORT_PIECE (16 * KIB)

/* One of many streams; each sends other bytes than the rest. */
struct echoer {
    struct device_check_context *test;
    const uint8_t *data;
    bool done;
    struct err err;
};

static void run_echoer(void *context)
{
    struct echoer *echoer = context;
    struct device_check_context *test = echoer->test;
    struct stream *stream;

    if (!shell_exec_open(test->device, "cat", test->by, &stream, &echoer->err))
        return;
    echoer->done = device_check_echo(stream, echoer->data, STREAM_BYTES,
                                     test->by, &echoer->err);
    stream_close(stream);
}

static bool check_many(struct device_check_context *test, struct err *err)
{
    struct echoer echoers[STREAMS];
    int64_t start = clock_ns();
    struct thread_group thread_group;

    thread_group_init(&thread_group, STREAMS);
    for (size_t i = 0; i < STREAMS; i++) {
        echoers[i] = (struct echoer){
            .test = test, .data = test->data + i * (STREAM_BYTES + 1)};
        if (!thread_group_start(&thread_group, run_echoer, &echoers[i]))
            err_fill(&echoers[i].err, ERR_IO, "no thread can be created");
    }
    thread_group_wait(&thread_group);
    thread_group_release(&thread_group);
    for (size_t i = 0; i < STREAMS; i++) {
        if (!echoers[i].done) {
            *err = echoers[i].err;
            return err_wrap(err, "stream %zu of %d", i + 1, STREAMS);
        }
    }
    device_check_say(
        test, "256 KiB each, unchanged; %.1f MiB/s in all",
        device_check_speed(2 * STREAMS * STREAM_BYTES, clock_ns() - start));
    return true;
}

/* ---- a connection that leads to the phone and back here ---- */

/*
 *     outer ──▶ forward ──▶ the phone's socket ──▶ reverse ──▶ inner
 */
struct loop {
    struct local_endpoint endpoint; /* here, where the phone is led to */
    int listener;
    struct reverse *reverse;
    struct forward *forward;
    struct stream *outer;
    struct stream *inner;
};

static bool wrap(struct device_check_context *test, int fd,
                 struct stream **stream, struct err *err)
{
    struct transport *transport;

    if (!tcp_wrap(fd, (struct tcp_keepalive){0}, test->cancel, &transport, err))
        return false;
    *stream = stream_over_transport(transport);
    return true;
}

static bool connect_outer(struct device_check_context *test, struct loop *loop,
                          struct err *err)
{
    struct local_endpoint endpoint;
    int fd;

    return local_endpoint_parse(forward_local(loop->forward), &endpoint, err) &&
           local_endpoint_connect(&endpoint, test->cancel, test->by, &fd,
                                  err) &&
           wrap(test, fd, &loop->outer, err);
}

static bool accept_inner(struct device_check_context *test, struct loop *loop,
                         struct err *err)
{
    struct pollfd fds[] = {
        {.fd = loop->listener, .events = POLLIN},
        {.fd = cancel_fd(test->cancel), .events = POLLIN},
    };
    int fd;

    while (poll(fds, 2, deadline_left_ms(test->by)) < 0 && errno == EINTR)
        continue;
    if (fds[1].revents)
        return err_set(err, ERR_CANCELLED, "interrupted");
    if (!fds[0].revents)
        return err_set(err, ERR_TIMEOUT, "the phone did not connect back");
    fd = accept4(loop->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return err_errno(err, errno, "accepting a connection");
    return wrap(test, fd, &loop->inner, err);
}

static bool open_loop(struct device_check_context *test, struct loop *loop,
                      struct err *err)
{
    const struct log *log = device_log(test->device);
    const char *socket = cleanup_list_plan_socket(test->cleanup_list);
    struct buf local = BUF_INIT(64);
    bool done;

    if (!local_endpoint_parse("tcp:0", &loop->endpoint, err) ||
        !local_endpoint_listen(&loop->endpoint, &loop->listener, err) ||
        !reverse_start(test->device, log, &loop->reverse, err))
        return false;
    buf_printf(&local, "tcp:%u", loop->endpoint.port);
    done = reverse_add(loop->reverse, socket, buf_cstr(&local), false, test->by,
                       NULL, err) &&
           forward_start(test->device, "tcp:0", socket, log, &loop->forward,
                         err) &&
           connect_outer(test, loop, err) && accept_inner(test, loop, err);
    buf_release(&local);
    return done;
}

/* The listener on the phone is removed with the rest of the cleanup list. */
static void close_loop(struct loop *loop)
{
    stream_close(loop->outer);
    stream_close(loop->inner);
    forward_stop(loop->forward);
    reverse_stop(loop->reverse);
    if (loop->listener >= 0)
        local_endpoint_unlisten(&loop->endpoint, loop->listener);
}

static bool send_through(const struct device_check_context *test,
                         struct stream *from, struct stream *to,
                         struct err *err)
{
    uint8_t back[PORT_PIECE];

    for (size_t at = 0; at < PORT_BYTES; at += PORT_PIECE) {
        if (!stream_write(from, test->data + at, PORT_PIECE, test->by, err) ||
            !stream_read_exact(to, back, PORT_PIECE, test->by, err))
            return false;
        if (memcmp(test->data + at, back, PORT_PIECE) != 0)
            return err_set(err, ERR_REMOTE, "bytes arrived changed");
    }
    return true;
}

/* A server opens the local end itself, and would do so on its own computer. */
static bool need_nearby_server(struct device_check_context *test,
                               struct err *err)
{
    const struct server_client *server = device_server(test->device);

    return !server || !strncmp(server->host, "127.", 4) ||
           !strcmp(server->host, "::1") || !strcmp(server->host, "localhost") ||
           err_set(err, ERR_UNSUPPORTED,
                   "the adb server is on another computer");
}

static bool check_ports(struct device_check_context *test, struct err *err)
{
    struct loop loop = {.listener = -1};
    bool done = need_nearby_server(test, err) && open_loop(test, &loop, err) &&
                send_through(test, loop.outer, loop.inner, err) &&
                send_through(test, loop.inner, loop.outer, err);

    close_loop(&loop);
    if (done)
        device_check_say(test, "256 KiB each way, to the phone and back");
    return done;
}

/* ---- how fast bytes can be ---- */

/* adbd itself consumes and produces the bytes: no shell, no disk. */
static bool open_service(struct device_check_context *test, const char *name,
                         struct stream **stream, struct err *err)
{
    char service[64];

    snprintf(service, sizeof(service), "%s:%zu", name, CHECK_DATA_SIZE);
    return device_open_service(test->device, service, test->by, stream, err);
}

static bool fill_sink(struct device_check_context *test, struct err *err)
{
    struct stream *stream;
    size_t got = 0;
    char byte;
    bool done;

    if (!open_service(test, "sink", &stream, err))
        return false;
    /* The phone ends the stream when it has everything. */
    done = stream_write(stream, test->data, CHECK_DATA_SIZE, test->by, err) &&
           stream_read(stream, &byte, 1, test->by, &got, err);
    stream_close(stream);
    return done;
}

static bool drain_source(struct device_check_context *test, struct err *err)
{
    uint8_t *back = mem_new(MIB, 1);
    struct stream *stream = NULL;
    bool done = open_service(test, "source", &stream, err);

    for (size_t at = 0; at < CHECK_DATA_SIZE && done; at += MIB)
        done = stream_read_exact(stream, back, MIB, test->by, err);
    stream_close(stream);
    free(back);
    return done;
}

static bool check_raw_speed(struct device_check_context *test, struct err *err)
{
    int64_t start = clock_ns();
    int64_t middle;

    if (!fill_sink(test, err))
        return false;
    middle = clock_ns();
    if (!drain_source(test, err))
        return false;
    device_check_say(test, "16 MiB: there %.0f, back %.0f MiB/s",
                     device_check_speed(CHECK_DATA_SIZE, middle - start),
                     device_check_speed(CHECK_DATA_SIZE, clock_ns() - middle));
    return true;
}

static const struct device_check checks[] = {
    {"16 at once", check_many, false},
    {"forward and reverse", check_ports, false},
    {"raw speed", check_raw_speed, false},
};

const struct device_check_group stream_checks = {"Streams", checks,
                                                 ARRAY_LEN(checks)};
