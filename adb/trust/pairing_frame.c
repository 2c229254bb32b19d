#include "adb/trust/pairing_frame.h"

#include "base/bytes.h"

#define VERSION 1

/* The offset of each field. */
enum {
    AT_VERSION = 0,
    AT_KIND = 1,
    AT_LENGTH = 2,
};

void pairing_frame_encode(const struct pairing_frame *frame,
                          uint8_t bytes[PAIRING_FRAME_HEADER_SIZE])
{
    bytes[AT_VERSION] = VERSION;
    bytes[AT_KIND] = (uint8_t)frame->kind;
    put_u32be(bytes + AT_LENGTH, frame->length);
}

bool pairing_frame_expect(const uint8_t bytes[PAIRING_FRAME_HEADER_SIZE],
                          const struct pairing_frame *due, struct err *err)
{
    uint32_t length = get_u32be(bytes + AT_LENGTH);

    if (bytes[AT_VERSION] != VERSION)
        return err_set(err, ERR_PROTOCOL,
                       "the peer speaks version %u of pairing",
                       bytes[AT_VERSION]);
    if (bytes[AT_KIND] != due->kind)
        return err_set(err, ERR_PROTOCOL,
                       "the peer sent a frame of kind %u instead of %u",
                       bytes[AT_KIND], (unsigned)due->kind);
    if (length != due->length)
        return err_set(err, ERR_PROTOCOL,
                       "the peer announced %u bytes instead of %u", length,
                       due->length);
    return true;
}
