#include "tests/support/adb/loopback_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "adb/daemon/daemon.h"
#include "adb/transport/tcp.h"
#include "base/mem.h"

#define PIECE (256U * 1024U)

struct loopback_device {
    struct daemon *daemon;           /* owned; NULL once it was lost */
    struct daemon_service *services; /* owned */
};

static void say(struct stream *stream, const char *text)
{
    struct err err;

    if (!stream_write(stream, text, strlen(text), DEADLINE_NEVER, &err))
        printf("saying \"%.40s\": %s\n", text, err.text);
}

static void serve_say(void *context, const char *text, struct stream *stream,
                      struct conn *conn)
{
    (void)context, (void)conn;
    say(stream, text);
}

static void serve_echo(void *context, const char *argument,
                       struct stream *stream, struct conn *conn)
{
    char *data = mem_new(PIECE, 1);
    struct err err;
    size_t got;

    (void)context, (void)argument, (void)conn;
    while (stream_read(stream, data, PIECE, DEADLINE_NEVER, &got, &err) &&
           got && stream_write(stream, data, got, DEADLINE_NEVER, &err))
        ;
    free(data);
}

static void serve_source(void *context, const char *count,
                         struct stream *stream, struct conn *conn)
{
    size_t size = strtoul(count, NULL, 10);
    char *data = mem_new(PIECE, 1);
    struct err err;
    size_t sent = 0;

    (void)context, (void)conn;
    while (sent < size) {
        size_t part = size - sent < PIECE ? size - sent : PIECE;

        for (size_t i = 0; i < part; i++)
            data[i] = (char)((sent + i) % 251);
        if (!stream_write(stream, data, part, DEADLINE_NEVER, &err))
            break;
        sent += part;
    }
    free(data);
}

static void serve_sink(void *context, const char *argument,
                       struct stream *stream, struct conn *conn)
{
    char *data = mem_new(PIECE, 1);
    char answer[32];
    struct err err;
    size_t total = 0;
    size_t got;

    (void)context, (void)argument, (void)conn;
    while (stream_read(stream, data, PIECE, DEADLINE_NEVER, &got, &err) &&
           got) {
        total += got;
        if (data[got - 1] == '.') {
            snprintf(answer, sizeof(answer), "%zu", total);
            say(stream, answer);
        }
    }
    free(data);
}

static void serve_silent(void *context, const char *argument,
                         struct stream *stream, struct conn *conn)
{
    char byte;
    struct err err;
    size_t got;

    (void)context, (void)argument, (void)conn;
    while (stream_read(stream, &byte, 1, DEADLINE_NEVER, &got, &err) && got)
        ;
}

/* Handle "open:": open something on the host and read from it. */
static void serve_open(void *context, const char *spec, struct stream *stream,
                       struct conn *conn)
{
    char data[4096];
    struct stream *back;
    struct err err;
    size_t got;

    (void)context;
    if (!conn_open_stream(conn, spec, DEADLINE_NEVER, &back, &err)) {
        say(stream, "refused");
        return;
    }
    while (stream_read(back, data, sizeof(data), DEADLINE_NEVER, &got, &err) &&
           got && stream_write(stream, data, got, DEADLINE_NEVER, &err))
        ;
    stream_close(back);
}

static void serve_answer(void *context, const char *argument,
                         struct stream *stream, struct conn *conn)
{
    const struct loopback_answer *answer = context;
    char *taken;
    struct err err;

    (void)argument, (void)conn;
    if (answer->serve) {
        answer->serve(answer->context, stream);
        return;
    }
    taken = mem_new(answer->takes + 1, 1);
    if (!stream_read_exact(stream, taken, answer->takes, DEADLINE_NEVER,
                           &err) ||
        !stream_write(stream, answer->bytes, answer->length, DEADLINE_NEVER,
                      &err))
        printf("%s: %s\n", answer->service, err.text);
    free(taken);
}

static const struct daemon_service always[] = {
    {"echo:", true, serve_echo, NULL},      {"say:", false, serve_say, NULL},
    {"source:", false, serve_source, NULL}, {"sink:", true, serve_sink, NULL},
    {"silent:", true, serve_silent, NULL},  {"open:", false, serve_open, NULL},
};

/* Services of the options come first, then the default ones. */
static struct daemon_service *list_services(
    const struct loopback_device_options *options)
{
    size_t named = options->answer_count;
    struct daemon_service *services =
        mem_new(named + ARRAY_LEN(always), sizeof(*services));

    for (size_t i = 0; i < named; i++)
        services[i] = (struct daemon_service){
            .name = options->answers[i].service,
            .exact = true,
            .serve = serve_answer,
            .context = (void *)(uintptr_t)&options->answers[i],
        };
    memcpy(services + named, always, sizeof(always));
    return services;
}

struct loopback_device *loopback_device_serve(
    const struct loopback_device_options *wanted, int fd)
{
    static const struct loopback_device_options defaults = {
        .features = FEATURE_BIT(FEATURE_COUNT) - 1, /* all features */
    };
    const struct loopback_device_options *options = wanted ? wanted : &defaults;
    struct loopback_device *device = mem_new(1, sizeof(*device));
    struct daemon_options daemon = {
        .banner = {.state = "device",
                   .product = "loop",
                   .model = "Loop Device",
                   .device = "loop",
                   .features = options->features},
        .version = options->version,
        .max_payload = options->max_payload,
        .policy = options->policy,
        .service_count = options->answer_count + ARRAY_LEN(always),
    };
    struct err err;

    device->services = list_services(options);
    daemon.services = device->services;
    assert_true(daemon_start(&daemon, &device->daemon, &err));
    daemon_adopt(device->daemon, fd);
    return device;
}

struct loopback_device *loopback_device_start(
    const struct loopback_device_options *options, struct transport **host)
{
    struct err err;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    assert_true(tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, host, &err));
    return loopback_device_serve(options, ends[1]);
}

void loopback_device_wait(struct loopback_device *device)
{
    daemon_wait(device->daemon);
}

void loopback_device_vanish(struct loopback_device *device)
{
    daemon_stop(device->daemon);
    device->daemon = NULL;
}

void loopback_device_stop(struct loopback_device *device)
{
    daemon_stop(device->daemon);
    free(device->services);
    free(device);
}

struct conn *loopback_device_connect(struct transport *host)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host", .features = conn_host_features},
    };
    struct conn *conn = NULL;
    struct err err = ERR_INIT;

    if (!conn_open(host, &options, deadline_in_ms(60000), &conn, &err))
        fail_msg("%s", err.text);
    return conn;
}

struct device *loopback_device_phone(
    const struct loopback_device_options *options,
    struct loopback_device **loop)
{
    struct transport *host;

    *loop = loopback_device_start(options, &host);
    return device_over_conn(loopback_device_connect(host), "loop");
}
