/*
 * What a USB device says of itself, in the bytes that the USB specification
 * (chapter 9) has for it: a device descriptor, then all of its configurations.
 *
 * Pure: bytes in, values out.
 */
#ifndef ADB_USB_DESCRIPTORS_H
#define ADB_USB_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An interface through which a phone offers ADB. */
struct usb_interface {
    uint8_t number;
    uint8_t setting; /* bAlternateSetting */
    uint8_t in;      /* endpoint addresses */
    uint8_t out;
    uint16_t in_packet_size;
    uint16_t out_packet_size;
};

/* The numbers that udev rules know; 0 when it does not tell. */
void usb_descriptors_ids(const uint8_t *bytes, size_t length, uint16_t *vendor,
                         uint16_t *product);

/*
 * Look in that configuration (bConfigurationValue) for the first interface
 * through which a device offers ADB. False: it does not.
 */
bool usb_descriptors_find(const uint8_t *bytes, size_t length,
                          uint8_t configuration, struct usb_interface *found);

#endif
