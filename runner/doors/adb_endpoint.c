#include "runner/doors/adb_endpoint.h"

#include <stdlib.h>
#include <string.h>

#include "adb/daemon/daemon.h"
#include "adb/server/guarded_service.h"
#include "adb/services/stream_relay.h"
#include "base/mem.h"

/* How long the phone may take to open a service. */
#define OPEN_MS 30000

struct adb_endpoint {
    const struct adb_server_phone *phone; /* borrowed */
    struct daemon_service services[1];
    struct daemon *daemon;
};

/* Open the same service on the phone, and pass bytes both ways. */
static void adb_endpoint_serve(void *context, const char *service,
                               struct stream *stream, struct conn *conn)
{
    const struct adb_server_phone *phone =
        ((struct adb_endpoint *)context)->phone;
    const struct adb_server_policy nothing = {.reboot = false};
    struct stream *inner = NULL;
    struct err ignored; /* the host sees that the stream ends */

    (void)conn;
    if (!guarded_service_answer(&nothing, service, &inner) &&
        !phone->ops->open(phone->context, service, deadline_in_ms(OPEN_MS),
                          &inner, &ignored))
        return;
    if (!inner)
        return;
    stream_relay(stream, inner);
    stream_close(inner);
}

bool adb_endpoint_open(const struct adb_server_phone *phone,
                       const struct log *log, struct adb_endpoint **endpoint,
                       uint16_t *port, struct err *err)
{
    struct adb_endpoint *made = mem_new(1, sizeof(*made));
    struct daemon_options options = {
        .banner = phone->banner,
        .services = made->services,
        .service_count = ARRAY_LEN(made->services),
        .log = log,
    };

    made->phone = phone;
    made->services[0] = (struct daemon_service){
        .name = "", /* every service */
        .serve = adb_endpoint_serve,
        .context = made,
    };
    if (!daemon_start(&options, &made->daemon, err)) {
        free(made);
        return false;
    }
    if (!daemon_listen(made->daemon, "127.0.0.1", 0, port, err)) {
        adb_endpoint_close(made);
        return false;
    }
    *endpoint = made;
    return true;
}

void adb_endpoint_close(struct adb_endpoint *endpoint)
{
    if (!endpoint)
        return;
    daemon_stop(endpoint->daemon);
    free(endpoint);
}
