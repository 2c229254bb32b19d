#include "adb/server/server_phone.h"

#include <stdlib.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "base/mem.h"

/* For the phone to remove forwards at the end. */
#define REMOVE_MS 3000

struct server_phone {
    struct device *device;   /* borrowed */
    struct reverse *reverse; /* owned */
};

/* The answer of AOSP's device when it cannot carry a request out. */
static void format_failure(const char *why, struct buf *reply)
{
    buf_clear(reply);
    buf_printf(reply, "FAIL%04zx%s", strlen(why), why);
}

static bool open_reverse(struct server_phone *phone, const char *service,
                         struct deadline by, struct stream **stream,
                         struct err *err)
{
    struct buf reply = STATUS_REPLY_BLOCK_INIT;
    bool answered = reverse_request(phone->reverse, service, by, &reply, err);

    if (!answered && err->code == ERR_INVALID) {
        format_failure(err->text, &reply);
        answered = true;
    }
    if (answered)
        *stream = stream_over_bytes(buf_cstr(&reply), reply.length);
    buf_release(&reply);
    return answered;
}

static bool phone_open(void *context, const char *service, struct deadline by,
                       struct stream **stream, struct err *err)
{
    struct server_phone *phone = context;

    if (!strncmp(service, "reverse:", strlen("reverse:")))
        return open_reverse(phone, service, by, stream, err);
    return device_open_service(phone->device, service, by, stream, err);
}

static bool phone_is_lost(void *context)
{
    const struct server_phone *phone = context;
    struct conn *conn = device_conn(phone->device);

    return conn && conn_is_lost(conn, NULL);
}

static const struct adb_server_phone_ops phone_ops = {
    .open = phone_open,
    .is_lost = phone_is_lost,
};

bool server_phone_open(struct device *device,
                       const struct local_network *network,
                       const struct log *log, struct server_phone **phone,
                       struct err *err)
{
    struct server_phone *opened = mem_new(1, sizeof(*opened));

    opened->device = device;
    if (!reverse_start(device, log, &opened->reverse, err)) {
        free(opened);
        return false;
    }
    reverse_set_network(opened->reverse, network);
    *phone = opened;
    return true;
}

void server_phone_set_wrap(struct server_phone *phone, reverse_wrap_fn *wrap,
                           void *context)
{
    reverse_set_wrap(phone->reverse, wrap, context);
}

void server_phone_close(struct server_phone *phone)
{
    struct err ignored; /* a phone that is gone has no forwards */

    if (!phone)
        return;
    (void)!reverse_remove_added(phone->reverse, deadline_in_ms(REMOVE_MS),
                                &ignored);
    reverse_stop(phone->reverse);
    free(phone);
}

/* Over an adb server, only the features are known. */
static struct banner banner_of(const struct device *device)
{
    struct banner banner = {.state = "device"};

    if (device_conn(device))
        return *conn_peer(device_conn(device));
    for (enum feature i = 0; i < FEATURE_COUNT; i++) {
        if (device_has(device, i))
            banner.features |= FEATURE_BIT(i);
    }
    return banner;
}

struct adb_server_phone server_phone_show(struct server_phone *phone)
{
    return (struct adb_server_phone){
        .serial = device_serial(phone->device),
        .banner = banner_of(phone->device),
        .devpath = device_usb_place(phone->device),
        .usb = device_usb_place(phone->device) != NULL,
        .ops = &phone_ops,
        .context = phone,
    };
}
