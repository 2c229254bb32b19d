/*
 * Parses USB descriptors (USB specification, chapter 9): a device descriptor,
 * then all of its configurations.
 *
 * Pure: bytes in, values out.
 */
#ifndef ADB_TRANSPORT_USB_DESCRIPTORS_H
#define ADB_TRANSPORT_USB_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An interface that offers ADB. */
struct usb_interface {
    uint8_t number;
    uint8_t setting; /* bAlternateSetting */
    uint8_t in;      /* endpoint addresses */
    uint8_t out;
    uint16_t in_packet_size;
    uint16_t out_packet_size;
};

/* The numbers used in udev rules; 0 if not present. */
void usb_descriptors_ids(const uint8_t *bytes, size_t length, uint16_t *vendor,
                         uint16_t *product);

/*
 * Find the first interface of that configuration (bConfigurationValue) that
 * offers ADB. False: there is none.
 */
bool usb_descriptors_find(const uint8_t *bytes, size_t length,
                          uint8_t configuration, struct usb_interface *found);

#endif
