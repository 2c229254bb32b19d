#include "adb/device/server_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "base/clean_text.h"
#include "base/mem.h"

/* The largest number with four hexadecimal digits. */
#define REQUEST_MAX 0xffff

/* A request; submit() checks its length. */
#define REQUEST_INIT BUF_INIT(SIZE_MAX)

static bool address_from_socket(const char *socket,
                                struct server_client *server, struct err *err)
{
    const char *address = socket + strlen("tcp:");
    char text[TCP_HOST_MAX + 16];

    if (strncmp(socket, "tcp:", strlen("tcp:")) != 0)
        return err_set(err, ERR_INVALID,
                       "ADB_SERVER_SOCKET is \"%.100s\": only tcp:HOST:PORT "
                       "is understood",
                       socket);
    /* "tcp:5037" is a port on this computer. */
    snprintf(text, sizeof(text), "%s%s",
             strchr(address, ':') ? "" : "127.0.0.1:", address);
    if (!tcp_parse_address(text, SERVER_CLIENT_DEFAULT_PORT, server->host,
                           &server->port, err))
        return err_wrap(err, "ADB_SERVER_SOCKET");
    return true;
}

bool server_client_from_environment(struct server_client *server,
                                    struct err *err)
{
    const char *socket = getenv("ADB_SERVER_SOCKET");
    const char *host = getenv("ANDROID_ADB_SERVER_ADDRESS");
    const char *port = getenv("ANDROID_ADB_SERVER_PORT");
    struct server_client found = {.port = SERVER_CLIENT_DEFAULT_PORT};
    char text[TCP_HOST_MAX + 16];

    if (socket && *socket) {
        if (!address_from_socket(socket, &found, err))
            return false;
        *server = found;
        return true;
    }
    snprintf(text, sizeof(text), "[%s]:%s", host && *host ? host : "127.0.0.1",
             port && *port ? port : "5037");
    if (!tcp_parse_address(text, SERVER_CLIENT_DEFAULT_PORT, found.host,
                           &found.port, err))
        return err_wrap(err, "ANDROID_ADB_SERVER_ADDRESS and _PORT");
    *server = found;
    return true;
}

static bool connect_to(const struct server_client *server, struct deadline by,
                       struct stream **stream, struct err *err)
{
    struct transport *transport;

    if (!tcp_open(server->host, server->port, (struct tcp_keepalive){0},
                  server->cancel, by, &transport, err))
        return err_wrap(err, "no adb server");
    *stream = stream_over_transport(transport);
    return true;
}

/* Send one request and read OKAY or FAIL. */
static bool submit(struct stream *stream, const char *request,
                   struct deadline by, struct err *err)
{
    struct buf framed = BUF_INIT(STATUS_REPLY_DIGITS + REQUEST_MAX);
    size_t length = strlen(request);
    bool okay;

    if (length > REQUEST_MAX)
        return err_set(
            err, ERR_LIMIT,
            "an adb server accepts requests of at most %d bytes, not %zu",
            REQUEST_MAX, length);
    buf_printf(&framed, "%04zx%s", length, request);
    okay = stream_write(stream, framed.data, framed.length, by, err) ||
           err_wrap(err, "asking the adb server");
    buf_release(&framed);
    return okay && status_reply_read_status(stream, by, err);
}

bool server_client_begin(const struct server_client *server,
                         const char *request, struct deadline by,
                         struct stream **stream, struct err *err)
{
    struct stream *opened;

    log_trace(server->log, LOG_SERVER, "%s", request);
    if (!connect_to(server, by, &opened, err))
        return false;
    if (!submit(opened, request, by, err)) {
        stream_close(opened);
        return false;
    }
    *stream = opened;
    return true;
}

bool server_client_ask(const struct server_client *server, const char *request,
                       struct deadline by, struct buf *reply, struct err *err)
{
    struct buf block = STATUS_REPLY_BLOCK_INIT;
    struct stream *stream;
    bool done;

    if (!server_client_begin(server, request, by, &stream, err))
        return false;
    done = !reply || status_reply_read_block(stream, by, &block, err);
    stream_close(stream);
    if (done && reply) {
        buf_append(reply, block.data, block.length);
        if (reply->overflow)
            done = err_set(err, ERR_LIMIT,
                           "the adb server's answer is too long: %zu bytes",
                           block.length);
    }
    buf_release(&block);
    return done;
}

bool server_client_version(const struct server_client *server,
                           struct deadline by, unsigned *version,
                           struct err *err)
{
    struct buf reply = STATUS_REPLY_BLOCK_INIT;
    size_t number = 0;
    bool known = server_client_ask(server, "host:version", by, &reply, err);

    if (known && reply.length != STATUS_REPLY_DIGITS)
        known = err_set(
            err, ERR_PROTOCOL,
            "the adb server sent its version in %zu bytes instead of %d",
            reply.length, STATUS_REPLY_DIGITS);
    known = known && status_reply_parse_hex4(reply.data, &number, err);
    buf_release(&reply);
    if (known)
        *version = (unsigned)number;
    return known;
}

bool server_client_list(const struct server_client *server, struct deadline by,
                        struct server_device_list *devices, struct err *err)
{
    struct buf reply = STATUS_REPLY_BLOCK_INIT;
    bool listed = server_client_ask(server, "host:devices-l", by, &reply, err);

    if (listed)
        server_device_list_parse(buf_cstr(&reply), reply.length, devices);
    buf_release(&reply);
    return listed;
}

struct server_tracker {
    struct stream *stream; /* owned */
    struct buf block;      /* the part of the next list that has arrived */
};

bool server_client_track(const struct server_client *server, struct deadline by,
                         struct server_tracker **tracker, struct err *err)
{
    struct server_tracker *opened;
    struct stream *stream;

    if (!server_client_begin(server, "host:track-devices-l", by, &stream, err))
        return false;
    opened = mem_new(1, sizeof(*opened));
    *opened = (struct server_tracker){.stream = stream,
                                      .block = STATUS_REPLY_BLOCK_INIT};
    *tracker = opened;
    return true;
}

bool server_client_track_next(struct server_tracker *tracker,
                              struct deadline by,
                              struct server_device_list *devices,
                              struct err *err)
{
    struct buf *block = &tracker->block;

    if (!status_reply_read_block(tracker->stream, by, block, err))
        return false;
    server_device_list_parse(buf_cstr(block), block->length, devices);
    buf_clear(block);
    return true;
}

void server_client_track_close(struct server_tracker *tracker)
{
    if (!tracker)
        return;
    stream_close(tracker->stream);
    buf_release(&tracker->block);
    free(tracker);
}

bool server_client_features(const struct server_client *server,
                            const char *serial, struct deadline by,
                            feature_set *features, struct err *err)
{
    struct buf request = REQUEST_INIT;
    struct buf reply = STATUS_REPLY_BLOCK_INIT;
    bool done;

    buf_printf(&request, "host-serial:%s:features", serial);
    done = server_client_ask(server, buf_cstr(&request), by, &reply, err);
    if (done)
        *features = features_parse(buf_cstr(&reply), reply.length);
    buf_release(&request);
    buf_release(&reply);
    return done;
}

/* Request the service on a connection that the server has bound to a device. */
static bool submit_service(struct stream *stream, const char *service,
                           struct deadline by, struct err *err)
{
    if (submit(stream, service, by, err))
        return true;
    if (err->code == ERR_REFUSED)
        /* Only its name: the rest may be private. */
        return err_set(err, ERR_REFUSED, "the device does not offer %.*s",
                       (int)strcspn(service, ":"), service);
    return false;
}

bool server_client_open_service(const struct server_client *server,
                                const char *serial, const char *service,
                                struct deadline by, struct stream **stream,
                                struct err *err)
{
    struct buf request = REQUEST_INIT;
    struct stream *opened = NULL;
    bool begun;

    /* All server versions support this form. */
    buf_printf(&request, "host:transport:%s", serial);
    begun = server_client_begin(server, buf_cstr(&request), by, &opened, err);
    buf_release(&request);
    if (!begun)
        return false;
    /* The rest of the service may be text that the user typed. */
    log_trace(server->log, LOG_SERVER, "%s: %.*s, %zu bytes", serial,
              (int)strcspn(service, ":,"), service, strlen(service));
    if (!submit_service(opened, service, by, err)) {
        stream_close(opened);
        return false;
    }
    *stream = opened;
    return true;
}
