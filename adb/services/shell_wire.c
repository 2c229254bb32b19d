#include "adb/services/shell_wire.h"

#include <string.h>

#include "base/bytes.h"

static bool check_header(const struct shell_wire *wire, struct err *err)
{
    switch (wire->header[0]) {
    case SHELL_WIRE_STDOUT:
    case SHELL_WIRE_STDERR:
        return true;
    case SHELL_WIRE_EXIT:
        if (wire->left == 1)
            return true;
        return err_set(err, ERR_PROTOCOL,
                       "the device sent an exit status of %lu bytes",
                       (unsigned long)wire->left);
    default:
        return err_set(err, ERR_PROTOCOL,
                       "the device sent a shell packet with the unknown id %u",
                       wire->header[0]);
    }
}

/* Collect the header; empty packets are skipped. */
static bool take_header(struct shell_wire *wire, const uint8_t *data,
                        size_t size, size_t *used, struct err *err)
{
    size_t missing = SHELL_WIRE_HEADER_SIZE - wire->header_length;
    size_t take = size < missing ? size : missing;

    memcpy(wire->header + wire->header_length, data, take);
    wire->header_length += take;
    *used += take;
    if (wire->header_length < SHELL_WIRE_HEADER_SIZE)
        return true;
    wire->header_length = 0;
    wire->left = get_u32le(wire->header + 1);
    return check_header(wire, err);
}

bool shell_wire_next(struct shell_wire *wire, const uint8_t *data, size_t size,
                     size_t *used, struct shell_wire_piece *piece,
                     struct err *err)
{
    size_t at = 0;
    size_t rest;

    while (at < size && wire->left == 0) {
        if (!take_header(wire, data + at, size - at, &at, err))
            return false;
    }
    rest = size - at;
    piece->id = (enum shell_wire_id)wire->header[0];
    piece->data = data + at;
    piece->length = rest < wire->left ? rest : wire->left;
    wire->left -= (uint32_t)piece->length;
    *used = at + piece->length;
    return true;
}

void shell_wire_put(struct buf *packet, enum shell_wire_id id, const void *data,
                    size_t size)
{
    buf_byte(packet, (char)id);
    buf_u32le(packet, (uint32_t)size);
    buf_append(packet, data, size);
}
