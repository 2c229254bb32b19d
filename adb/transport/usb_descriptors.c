#include "adb/transport/usb_descriptors.h"

#include "base/macros.h"

/* bDescriptorType, and the minimum length of each kind. */
enum {
    TYPE_CONFIGURATION = 2,
    TYPE_INTERFACE = 4,
    TYPE_ENDPOINT = 5,
};
#define DEVICE_SIZE 18U
#define CONFIGURATION_SIZE 9U
#define INTERFACE_SIZE 9U
#define ENDPOINT_SIZE 7U

/* bmAttributes of an endpoint */
#define TRANSFER_MASK 0x03U
#define TRANSFER_BULK 0x02U

#define ADDRESS_IN 0x80U

/* Bulk packets are 8 bytes to 1 KiB. */
#define PACKET_SIZE_MIN 8
#define PACKET_SIZE_MAX 1024

static uint16_t get_u16le(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

void usb_descriptors_ids(const uint8_t *bytes, size_t length, uint16_t *vendor,
                         uint16_t *product)
{
    bool present = length >= DEVICE_SIZE;

    *vendor = present ? get_u16le(bytes + 8) : 0;
    *product = present ? get_u16le(bytes + 10) : 0;
}

/* Android's own interface, or the same through a debug port (DbC). */
static bool speaks_adb(const uint8_t *interface)
{
    static const uint8_t kinds[][3] = {{0xff, 0x42, 0x01}, {0xdc, 0x02, 0x01}};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (interface[5] == kinds[i][0] && interface[6] == kinds[i][1] &&
            interface[7] == kinds[i][2])
            return true;
    }
    return false;
}

/* A power of two within limits: transfers consist of whole packets. */
static bool is_packet_size(uint16_t size)
{
    return size >= PACKET_SIZE_MIN && size <= PACKET_SIZE_MAX &&
           (size & (size - 1)) == 0;
}

static void add_endpoint(struct usb_interface *interface, const uint8_t *end)
{
    uint16_t packet_size = get_u16le(end + 4);
    uint8_t address = end[2];

    if ((end[3] & TRANSFER_MASK) != TRANSFER_BULK ||
        !is_packet_size(packet_size))
        return;
    if (address & ADDRESS_IN && !interface->in) {
        interface->in = address;
        interface->in_packet_size = packet_size;
    } else if (!(address & ADDRESS_IN) && !interface->out) {
        interface->out = address;
        interface->out_packet_size = packet_size;
    }
}

/* The position in the descriptors. */
struct descriptor_walk {
    bool wanted; /* in the requested configuration */
    bool adb;    /* in an ADB interface of it */
    struct usb_interface interface;
};

static void step(struct descriptor_walk *walk, const uint8_t *bytes,
                 size_t size)
{
    if (bytes[1] == TYPE_INTERFACE && size >= INTERFACE_SIZE) {
        walk->adb = walk->wanted && speaks_adb(bytes);
        walk->interface =
            (struct usb_interface){.number = bytes[2], .setting = bytes[3]};
    } else if (bytes[1] == TYPE_ENDPOINT && size >= ENDPOINT_SIZE &&
               walk->adb) {
        add_endpoint(&walk->interface, bytes);
    }
}

bool usb_descriptors_find(const uint8_t *bytes, size_t length,
                          uint8_t configuration, struct usb_interface *found)
{
    struct descriptor_walk walk = {0};
    size_t size;

    for (; length >= 2; bytes += size, length -= size) {
        size = bytes[0];
        if (size < 2 || size > length)
            return false;
        if (bytes[1] == TYPE_CONFIGURATION && size >= CONFIGURATION_SIZE)
            walk =
                (struct descriptor_walk){.wanted = bytes[5] == configuration};
        step(&walk, bytes, size);
        if (walk.interface.in && walk.interface.out) {
            *found = walk.interface;
            return true;
        }
    }
    return false;
}
