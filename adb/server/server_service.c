#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/server/guarded_service.h"
#include "adb/server/server_private.h"
#include "adb/services/pump.h"

/* How long a phone may take to open a service. */
#define OPEN_MS 60000

static const char *failure_text(const struct err *err)
{
    switch ((int)err->code) {
    case ERR_LOST:
        return "device offline (transport offline)";
    case ERR_DENIED:
        return err->text;
    default:
        return "closed";
    }
}

static bool open_service(struct adb_client *client, const char *service,
                         struct stream **stream)
{
    const struct adb_server_phone *phone = client->phone;
    struct err err = ERR_INIT;

    if (guarded_service_answer(&client->server->options.policy, service,
                               stream)) {
        if (!*stream)
            (void)!adb_client_fail(client, "closed");
        return *stream;
    }
    if (phone->ops->open(phone->context, service, deadline_in_ms(OPEN_MS),
                         stream, &err))
        return true;
    (void)!adb_client_fail(client, failure_text(&err));
    return false;
}

/* Let adb_server_stop find the stream; false when it was called already. */
static bool set_live(struct adb_client *client, struct stream *stream)
{
    struct adb_server *server = client->server;
    bool going;

    pthread_mutex_lock(&server->lock);
    client->live = stream;
    going = !server->stopping;
    pthread_mutex_unlock(&server->lock);
    return going;
}

static void on_linger(void *context)
{
    (void)context;
}

/*
 * As with AOSP's server, a client that has no more to send ends the service;
 * what the phone is just sending is still delivered.
 */
static void pump(struct adb_client *client, struct stream *stream)
{
    struct cancel at_once = CANCEL_INIT;
    struct pump_linger linger = {.on_begin = on_linger, .stop = &at_once};
    struct err err = ERR_INIT;

    if (!cancel_init(&at_once, &err))
        return;
    cancel_fire(&at_once);
    if (!pump_run(stream, client->fd, &client->server->stop, &linger, &err))
        log_trace(client->server->options.log, LOG_SERVER, "client: %s",
                  err.text);
    cancel_release(&at_once);
}

void server_service_run(struct adb_client *client, const char *service)
{
    struct stream *stream = NULL;

    if (!client->phone) {
        (void)!adb_client_fail(client, "device offline (no transport)");
        return;
    }
    if (!open_service(client, service, &stream))
        return;
    if (set_live(client, stream) && adb_client_okay(client))
        pump(client, stream);
    (void)set_live(client, NULL);
    stream_close(stream);
}
