#include "adb/handshake.h"

#include <string.h>

#include "adb/packet.h"

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t our_version(const struct conn_options *options)
{
    return options->version ? options->version : PACKET_VERSION_SKIP_CHECKSUM;
}

static uint32_t our_max_payload(const struct conn_options *options)
{
    return options->max_payload ? options->max_payload : PACKET_MAX_PAYLOAD;
}

static bool send_greeting(struct transport *transport,
                          const struct conn_options *options,
                          struct deadline by, struct err *err)
{
    struct buf banner = BUF_INIT(PACKET_MAX_PAYLOAD_V1);
    struct buf message = BUF_INIT(PACKET_HEADER_SIZE + PACKET_MAX_PAYLOAD_V1);
    uint8_t header[PACKET_HEADER_SIZE];
    bool sent;

    banner_format(&options->banner, &banner);
    packet_encode(
        &(struct packet){
            .command = PACKET_CNXN,
            .arg0 = our_version(options),
            .arg1 = our_max_payload(options),
            .length = (uint32_t)banner.length,
            /* The peer's version is not known yet, so the sum is sent. */
            .check = packet_checksum(banner.data, banner.length),
        },
        header);
    buf_append(&message, header, sizeof(header));
    buf_append(&message, banner.data, banner.length);
    sent =
        transport_write_all(transport, message.data, message.length, by, err);
    buf_release(&banner);
    buf_release(&message);
    return sent;
}

static bool check_command(const struct packet *packet, struct err *err)
{
    switch (packet->command) {
    case PACKET_CNXN:
        return true;
    case PACKET_AUTH:
        return err_set(err, ERR_UNAUTHORIZED,
                       "the device asks for an authorized key; "
                       "use it through an adb server that it trusts");
    case PACKET_STLS:
        return err_set(err, ERR_UNAUTHORIZED,
                       "the device wants an encrypted connection; "
                       "use it through an adb server that it is paired with");
    default:
        return err_set(err, ERR_PROTOCOL,
                       "the peer began with %s instead of a greeting",
                       packet_command_name(packet->command));
    }
}

static bool receive_greeting(struct transport *transport,
                             const struct conn_options *options,
                             struct deadline by, struct handshake *agreed,
                             struct err *err)
{
    uint8_t header[PACKET_HEADER_SIZE];
    char text[PACKET_MAX_PAYLOAD_V1];
    struct packet packet;
    struct banner peer;

    if (!transport_read_exact(transport, header, sizeof(header), by, err) ||
        !packet_decode(header, sizeof(text), &packet, err) ||
        !check_command(&packet, err) ||
        !transport_read_exact(transport, text, packet.length, by, err))
        return false;
    if (packet.check != packet_checksum(text, packet.length) &&
        packet.arg0 < PACKET_VERSION_SKIP_CHECKSUM)
        return err_set(err, ERR_PROTOCOL,
                       "the peer's greeting has a wrong check sum");
    if (packet.arg0 < PACKET_VERSION_MIN || packet.arg1 == 0)
        return err_set(err, ERR_PROTOCOL,
                       "the peer speaks version 0x%08x with payloads of %u "
                       "bytes, which no ADB does",
                       packet.arg0, packet.arg1);
    if (!banner_parse(text, packet.length, &peer, err))
        return false;
    agreed->peer = peer;
    agreed->version = smaller(packet.arg0, our_version(options));
    agreed->max_payload = smaller(packet.arg1, our_max_payload(options));
    return true;
}

bool handshake_run(struct transport *transport,
                   const struct conn_options *options, struct deadline by,
                   struct handshake *agreed, struct err *err)
{
    bool done;

    if (options->role == CONN_HOST)
        done = send_greeting(transport, options, by, err) &&
               receive_greeting(transport, options, by, agreed, err);
    else
        done = receive_greeting(transport, options, by, agreed, err) &&
               send_greeting(transport, options, by, err);
    if (!done && err->code == ERR_CLOSED)
        err->code = ERR_LOST;
    return done || err_wrap(err, "greeting the peer");
}
