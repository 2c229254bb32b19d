#include "tests/support/loop_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "adb/tcp.h"
#include "base/mem.h"

#define MAX_SERVED 256
#define PIECE (256U * 1024U)

struct served {
    struct loop_device *device;
    struct conn *conn;
    struct stream *stream;
    struct buf service;
    pthread_t thread;
};

struct loop_device {
    struct loop_device_options options;
    struct transport *transport; /* the connection's, once it is open */
    struct cancel vanish;
    pthread_t thread;
    struct served served[MAX_SERVED];
    size_t count;
};

static void serve_echo(struct served *served)
{
    char *data = mem_new(PIECE, 1);
    struct err err;
    size_t got;

    while (
        stream_read(served->stream, data, PIECE, DEADLINE_NEVER, &got, &err) &&
        got && stream_write(served->stream, data, got, DEADLINE_NEVER, &err))
        ;
    free(data);
}

static void serve_say(struct served *served, const char *text)
{
    struct err err;

    if (!stream_write(served->stream, text, strlen(text), DEADLINE_NEVER, &err))
        return;
}

static void serve_source(struct served *served, size_t size)
{
    char *data = mem_new(PIECE, 1);
    struct err err;
    size_t sent = 0;

    while (sent < size) {
        size_t part = size - sent < PIECE ? size - sent : PIECE;

        for (size_t i = 0; i < part; i++)
            data[i] = (char)((sent + i) % 251);
        if (!stream_write(served->stream, data, part, DEADLINE_NEVER, &err))
            break;
        sent += part;
    }
    free(data);
}

static void serve_sink(struct served *served)
{
    char *data = mem_new(PIECE, 1);
    char answer[32];
    struct err err;
    size_t total = 0;
    size_t got;

    while (
        stream_read(served->stream, data, PIECE, DEADLINE_NEVER, &got, &err) &&
        got) {
        total += got;
        if (data[got - 1] == '.') {
            snprintf(answer, sizeof(answer), "%zu", total);
            serve_say(served, answer);
        }
    }
    free(data);
}

static void serve_silent(struct served *served)
{
    char byte;
    struct err err;
    size_t got;

    while (stream_read(served->stream, &byte, 1, DEADLINE_NEVER, &got, &err) &&
           got)
        ;
}

/* Do what "reverse" leads to: open something on the host and listen to it. */
static void serve_open(struct served *served, const char *spec)
{
    char data[4096];
    struct stream *back;
    struct err err;
    size_t got;

    if (!conn_open_stream(served->conn, spec, DEADLINE_NEVER, &back, &err)) {
        serve_say(served, "refused");
        return;
    }
    while (stream_read(back, data, sizeof(data), DEADLINE_NEVER, &got, &err) &&
           got && stream_write(served->stream, data, got, DEADLINE_NEVER, &err))
        ;
    stream_close(back);
}

static const char *after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) ? NULL : text + length;
}

static const struct loop_answer *find_answer(const struct loop_device *device,
                                             const char *service)
{
    for (size_t i = 0; i < device->options.answer_count; i++) {
        if (!strcmp(device->options.answers[i].service, service))
            return &device->options.answers[i];
    }
    return NULL;
}

static void serve_answer(struct served *served,
                         const struct loop_answer *answer)
{
    char *taken = mem_new(answer->takes + 1, 1);
    struct err err;

    if (!stream_read_exact(served->stream, taken, answer->takes, DEADLINE_NEVER,
                           &err) ||
        !stream_write(served->stream, answer->bytes, answer->length,
                      DEADLINE_NEVER, &err))
        printf("%s: %s\n", answer->service, err.text);
    free(taken);
}

static void *serve_one(void *context)
{
    struct served *served = context;
    const char *name = buf_cstr(&served->service);
    const struct loop_answer *answer = find_answer(served->device, name);
    const char *rest;

    if (answer && answer->serve)
        answer->serve(answer->context, served->stream);
    else if (answer)
        serve_answer(served, answer);
    else if (!strcmp(name, "echo:"))
        serve_echo(served);
    else if ((rest = after(name, "say:")))
        serve_say(served, rest);
    else if ((rest = after(name, "source:")))
        serve_source(served, strtoul(rest, NULL, 10));
    else if (!strcmp(name, "sink:"))
        serve_sink(served);
    else if (!strcmp(name, "silent:"))
        serve_silent(served);
    else if ((rest = after(name, "open:")))
        serve_open(served, rest);
    stream_close(served->stream);
    return NULL;
}

static bool is_served(void *context, const char *service)
{
    return find_answer(context, service) || !strcmp(service, "echo:") ||
           !strcmp(service, "sink:") || !strcmp(service, "silent:") ||
           after(service, "say:") || after(service, "source:") ||
           after(service, "open:");
}

static void serve_all(struct loop_device *device, struct conn *conn)
{
    struct err err;

    while (device->count < MAX_SERVED) {
        struct served *served = &device->served[device->count];

        if (!conn_accept(conn, DEADLINE_NEVER, &served->service,
                         &served->stream, &err))
            break;
        served->device = device;
        served->conn = conn;
        if (!conn_confirm(served->stream, &err)) {
            stream_close(served->stream);
            buf_release(&served->service);
        } else if (!pthread_create(&served->thread, NULL, serve_one, served)) {
            device->count++;
        }
    }
    for (size_t i = 0; i < device->count; i++) {
        pthread_join(device->served[i].thread, NULL);
        buf_release(&device->served[i].service);
    }
}

static void *device_main(void *context)
{
    struct loop_device *device = context;
    const struct conn_options options = {
        .role = CONN_DEVICE,
        .banner = {.state = "device",
                   .product = "loop",
                   .model = "Loop Device",
                   .device = "loop",
                   .features = device->options.features},
        .version = device->options.version,
        .max_payload = device->options.max_payload,
        .gate = device->options.gate,
        .wanted = is_served,
        .wanted_context = device,
    };
    struct conn *conn;
    struct err err;

    if (!conn_open(device->transport, &options, deadline_in_ms(10000), &conn,
                   &err))
        return NULL;
    serve_all(device, conn);
    conn_close(conn);
    return NULL;
}

struct loop_device *loop_device_serve(const struct loop_device_options *options,
                                      int fd)
{
    struct loop_device *device = mem_new(1, sizeof(*device));
    struct err err;

    if (options)
        device->options = *options;
    else
        device->options.features = conn_host_features;
    assert_true(cancel_init(&device->vanish, &err));
    assert_true(tcp_wrap(fd, (struct tcp_keepalive){0}, &device->vanish,
                         &device->transport, &err));
    assert_int_equal(pthread_create(&device->thread, NULL, device_main, device),
                     0);
    return device;
}

struct loop_device *loop_device_start(const struct loop_device_options *options,
                                      struct transport **host)
{
    struct err err;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    assert_true(tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, host, &err));
    return loop_device_serve(options, ends[1]);
}

void loop_device_vanish(struct loop_device *device)
{
    cancel_fire(&device->vanish);
}

void loop_device_stop(struct loop_device *device)
{
    pthread_join(device->thread, NULL);
    cancel_release(&device->vanish);
    free(device);
}

struct conn *loop_device_connect(struct transport *host)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host", .features = conn_host_features},
    };
    struct conn *conn = NULL;
    struct err err = ERR_INIT;

    if (!conn_open(host, &options, deadline_in_ms(10000), &conn, &err))
        fail_msg("%s", err.text);
    return conn;
}

struct device *loop_device_phone(const struct loop_device_options *options,
                                 struct loop_device **loop)
{
    struct transport *host;

    *loop = loop_device_start(options, &host);
    return device_over_conn(loop_device_connect(host), "loop");
}
