/* A configuration's number, followed by the descriptors of a device. */
#include "adb/transport/usb_descriptors.h"
#include "tests/fuzz/fuzz.h"

static bool is_packet_size(uint16_t size)
{
    return size >= 8 && size <= 1024 && (size & (size - 1)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct usb_interface found;
    uint16_t vendor;
    uint16_t product;

    if (!size)
        return 0;
    usb_descriptors_ids(data + 1, size - 1, &vendor, &product);
    if (!usb_descriptors_find(data + 1, size - 1, data[0], &found))
        return 0;
    fuzz_expect(found.in & 0x80 && found.out && !(found.out & 0x80));
    fuzz_expect(is_packet_size(found.in_packet_size));
    fuzz_expect(is_packet_size(found.out_packet_size));
    return 0;
}
