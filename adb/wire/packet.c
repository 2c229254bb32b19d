#include "adb/wire/packet.h"

#include "base/bytes.h"

void packet_encode(const struct packet *packet,
                   uint8_t bytes[PACKET_HEADER_SIZE])
{
    put_u32le(bytes, packet->command);
    put_u32le(bytes + 4, packet->arg0);
    put_u32le(bytes + 8, packet->arg1);
    put_u32le(bytes + 12, packet->length);
    put_u32le(bytes + 16, packet->check);
    put_u32le(bytes + 20, ~packet->command);
}

static bool is_command(uint32_t command)
{
    switch (command) {
    case PACKET_SYNC:
    case PACKET_CNXN:
    case PACKET_AUTH:
    case PACKET_OPEN:
    case PACKET_OKAY:
    case PACKET_CLSE:
    case PACKET_WRTE:
    case PACKET_STLS:
        return true;
    default:
        return false;
    }
}

bool packet_decode(const uint8_t bytes[PACKET_HEADER_SIZE],
                   uint32_t max_payload, struct packet *packet, struct err *err)
{
    const struct packet read = {
        .command = get_u32le(bytes),
        .arg0 = get_u32le(bytes + 4),
        .arg1 = get_u32le(bytes + 8),
        .length = get_u32le(bytes + 12),
        .check = get_u32le(bytes + 16),
    };
    uint32_t magic = get_u32le(bytes + 20);

    if (!is_command(read.command))
        return err_set(err, ERR_PROTOCOL,
                       "the peer sent an unknown command 0x%08x "
                       "(is this an ADB port?)",
                       read.command);
    if (magic != ~read.command)
        return err_set(err, ERR_PROTOCOL,
                       "the peer sent %s with a wrong magic 0x%08x",
                       packet_command_name(read.command), magic);
    if (read.length > max_payload)
        return err_set(err, ERR_PROTOCOL,
                       "the peer announced %s with %u bytes; "
                       "at most %u were agreed",
                       packet_command_name(read.command), read.length,
                       max_payload);
    *packet = read;
    return true;
}

uint32_t packet_checksum(const void *data, size_t length)
{
    const uint8_t *bytes = data;
    uint32_t sum = 0;

    for (size_t i = 0; i < length; i++)
        sum += bytes[i];
    return sum;
}

const char *packet_command_name(uint32_t command)
{
    switch (command) {
    case PACKET_SYNC:
        return "SYNC";
    case PACKET_CNXN:
        return "CNXN";
    case PACKET_AUTH:
        return "AUTH";
    case PACKET_OPEN:
        return "OPEN";
    case PACKET_OKAY:
        return "OKAY";
    case PACKET_CLSE:
        return "CLSE";
    case PACKET_WRTE:
        return "WRTE";
    case PACKET_STLS:
        return "STLS";
    default:
        return "????";
    }
}
