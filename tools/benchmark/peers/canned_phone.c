#include "tools/benchmark/peers/canned_phone.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/png.h"
#include "tools/benchmark/loads/dump_maker.h"
#include "tools/benchmark/loads/screen_maker.h"
#include "tools/benchmark/peers/loopback_socket.h"
#include "tools/benchmark/peers/packet_socket.h"

#define PNG_MAX ((size_t)32 << 20)

/* Virtual time that moves only by observing: nothing waits for it. */
static const char facts[] =
    "ro.product.model=canned\nro.build.version.release=14\n"
    "ro.hardware=proctor\nro.proctor.clock=virtual\n"
    "Physical size: 1080x2400\nPhysical density: 440\n";

static const char focus[] =
    "  mCurrentFocus=Window{1 u0 org.app/org.app.Main}\n"
    "  mFocusedApp=ActivityRecord{2 u0 org.app/.Main t1}\n";

struct canned_phone {
    struct packet_socket packet_socket;
    uint32_t next_local;
    bool sheet;
    struct buf screens[2]; /* as PNG, without the sheet and with it */
    struct buf dump;
    char *message; /* owned; a header and the largest payload */
};

static bool make_screen(bool sheet, struct buf *png, struct err *err)
{
    struct picture picture = PICTURE_INIT;
    bool done = screen_make(&picture, sheet, err) &&
                png_encode(&picture, PNG_FAST, png, err);

    picture_release(&picture);
    return done;
}

bool canned_phone_picture(struct buf *png, struct err *err)
{
    return make_screen(false, png, err);
}

/* One payload and the wait for its acknowledgement. */
static bool send_part(struct canned_phone *phone, struct packet data,
                      const char *bytes, struct err *err)
{
    struct packet answer = {.command = 0};
    const char *payload;

    packet_encode(&data, (uint8_t *)phone->message);
    memcpy(phone->message + PACKET_HEADER_SIZE, bytes, data.length);
    if (!loopback_socket_write(phone->packet_socket.fd, phone->message,
                               PACKET_HEADER_SIZE + data.length, err))
        return false;
    while (answer.command != PACKET_OKAY) {
        if (!packet_socket_next(&phone->packet_socket, &answer, &payload, err))
            return false;
        if (answer.command == PACKET_CLSE)
            return err_set(err, ERR_CLOSED, "the host wants no more");
    }
    return true;
}

static bool send_all(struct canned_phone *phone, uint32_t remote,
                     const char *bytes, size_t length, struct err *err)
{
    uint32_t local = phone->next_local++;

    packet_socket_put(&phone->packet_socket, PACKET_OKAY, local, remote, NULL,
                      0);
    if (!packet_socket_flush(&phone->packet_socket, err))
        return false;
    while (length) {
        size_t part = length < PACKET_MAX_PAYLOAD ? length : PACKET_MAX_PAYLOAD;

        if (!send_part(phone,
                       (struct packet){.command = PACKET_WRTE,
                                       .arg0 = local,
                                       .arg1 = remote,
                                       .length = (uint32_t)part},
                       bytes, err))
            return false;
        bytes += part;
        length -= part;
    }
    packet_socket_put(&phone->packet_socket, PACKET_CLSE, local, remote, NULL,
                      0);
    return packet_socket_flush(&phone->packet_socket, err);
}

static bool answer_open(struct canned_phone *phone, uint32_t remote,
                        const char *service, struct err *err)
{
    const struct buf *screen = &phone->screens[phone->sheet];

    if (strstr(service, "screencap"))
        return send_all(phone, remote, screen->data, screen->length, err);
    if (strstr(service, "uiautomator"))
        return send_all(phone, remote, phone->dump.data, phone->dump.length,
                        err);
    if (strstr(service, "getprop"))
        return send_all(phone, remote, facts, strlen(facts), err);
    if (strstr(service, "dumpsys"))
        return send_all(phone, remote, focus, strlen(focus), err);
    phone->sheet = !phone->sheet;
    return send_all(phone, remote, "", 0, err);
}

static bool answer(struct canned_phone *phone, const struct packet *packet,
                   const char *payload, struct err *err)
{
    if (packet->command == PACKET_CNXN) {
        packet_socket_put_greeting(&phone->packet_socket,
                                   "device::ro.product.name=canned;");
        return packet_socket_flush(&phone->packet_socket, err);
    }
    if (packet->command == PACKET_OPEN)
        return answer_open(phone, packet->arg0, payload, err);
    return true;
}

void canned_phone_serve(int fd)
{
    struct canned_phone *phone = mem_new(1, sizeof(*phone));
    const char *payload;
    struct packet packet;
    struct err err;
    bool made = true;

    phone->packet_socket.fd = fd;
    phone->next_local = 1;
    phone->message = mem_new(PACKET_HEADER_SIZE + PACKET_MAX_PAYLOAD, 1);
    phone->dump = (struct buf)BUF_INIT(PNG_MAX);
    dump_make(&phone->dump, CANNED_NODES);
    for (size_t i = 0; made && i < ARRAY_LEN(phone->screens); i++) {
        phone->screens[i] = (struct buf)BUF_INIT(PNG_MAX);
        made = make_screen(i == 1, &phone->screens[i], &err);
    }
    while (made &&
           packet_socket_next(&phone->packet_socket, &packet, &payload, &err) &&
           answer(phone, &packet, payload, &err))
        ;
    for (size_t i = 0; i < ARRAY_LEN(phone->screens); i++)
        buf_release(&phone->screens[i]);
    buf_release(&phone->dump);
    free(phone->message);
    free(phone);
}
