#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/usb.h"
#include "adb/usb_find.h"
#include "base/mem.h"
#include "base/text.h"

/* A bus has seven levels at most, by the USB specification. */
#define PORTS_MAX 7

/* Bulk packets are 8 bytes to 1 KiB, by the USB specification. */
#define PACKET_SIZE_MIN 8
#define PACKET_SIZE_MAX 1024

void usb_phones_release(struct usb_phones *phones)
{
    free(phones->items);
    *phones = (struct usb_phones){0};
}

/* ---- the interface ---- */

/* Android's own interface, or the same through a debug port (DbC). */
static bool speaks_adb(const struct libusb_interface_descriptor *setting)
{
    static const uint8_t kinds[][3] = {{0xff, 0x42, 0x01}, {0xdc, 0x02, 0x01}};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (setting->bInterfaceClass == kinds[i][0] &&
            setting->bInterfaceSubClass == kinds[i][1] &&
            setting->bInterfaceProtocol == kinds[i][2])
            return true;
    }
    return false;
}

/* A power of two within bounds: transfers are made of whole packets. */
static bool is_packet_size(uint16_t size)
{
    return size >= PACKET_SIZE_MIN && size <= PACKET_SIZE_MAX &&
           (size & (size - 1)) == 0;
}

static bool find_endpoints(const struct libusb_interface_descriptor *setting,
                           struct usb_interface *found)
{
    for (int i = 0; i < setting->bNumEndpoints; i++) {
        const struct libusb_endpoint_descriptor *end = &setting->endpoint[i];
        bool in = end->bEndpointAddress & LIBUSB_ENDPOINT_IN;

        if ((end->bmAttributes & LIBUSB_TRANSFER_TYPE_MASK) !=
                LIBUSB_TRANSFER_TYPE_BULK ||
            !is_packet_size(end->wMaxPacketSize))
            continue;
        if (in && !found->in) {
            found->in = end->bEndpointAddress;
            found->in_packet_size = end->wMaxPacketSize;
        } else if (!in && !found->out) {
            found->out = end->bEndpointAddress;
            found->out_packet_size = end->wMaxPacketSize;
        }
    }
    return found->in && found->out;
}

static bool find_setting(const struct libusb_interface *interface,
                         struct usb_interface *found)
{
    for (int i = 0; i < interface->num_altsetting; i++) {
        const struct libusb_interface_descriptor *setting =
            &interface->altsetting[i];

        *found = (struct usb_interface){.number = setting->bInterfaceNumber,
                                        .setting = setting->bAlternateSetting};
        if (speaks_adb(setting) && find_endpoints(setting, found))
            return true;
    }
    return false;
}

bool usb_find_interface(libusb_device *device, struct usb_interface *found)
{
    struct libusb_config_descriptor *config;
    bool is_there = false;

    if (libusb_get_active_config_descriptor(device, &config))
        return false;
    for (int i = 0; i < config->bNumInterfaces && !is_there; i++)
        is_there = find_setting(&config->interface[i], found);
    libusb_free_config_descriptor(config);
    return is_there;
}

/* ---- the phone ---- */

/* "1-2.3": the bus, and the ports on the way. */
static void format_path(libusb_device *device, char path[USB_PATH_MAX])
{
    uint8_t ports[PORTS_MAX];
    int count = libusb_get_port_numbers(device, ports, PORTS_MAX);
    size_t used;

    snprintf(path, USB_PATH_MAX, "%u", (unsigned)libusb_get_bus_number(device));
    for (int i = 0; i < count; i++) {
        used = strlen(path);
        snprintf(path + used, USB_PATH_MAX - used, "%c%u", i ? '.' : '-',
                 (unsigned)ports[i]);
    }
}

/* The kernel has asked for these texts already, and tells everybody. */
static void read_attribute(const char *path, const char *name, char *text,
                           size_t size)
{
    char file[96];
    char line[256] = "";
    FILE *in;

    snprintf(file, sizeof(file), "/sys/bus/usb/devices/%s/%s", path, name);
    in = fopen(file, "re");
    if (!in)
        return;
    if (fgets(line, sizeof(line), in))
        text_copy_clean(text, size, line, strcspn(line, "\n"));
    fclose(in);
}

void usb_describe(libusb_device *device, struct usb_phone *phone)
{
    struct libusb_device_descriptor descriptor = {0};

    *phone = (struct usb_phone){0};
    (void)libusb_get_device_descriptor(device, &descriptor); /* cannot fail */
    phone->vendor = descriptor.idVendor;
    phone->model = descriptor.idProduct;
    format_path(device, phone->path);
    snprintf(phone->place, sizeof(phone->place), "usb:%s", phone->path);
    snprintf(phone->node, sizeof(phone->node), "/dev/bus/usb/%03u/%03u",
             (unsigned)libusb_get_bus_number(device),
             (unsigned)libusb_get_device_address(device));
    phone->open_to_us = !access(phone->node, R_OK | W_OK);
    read_attribute(phone->path, "serial", phone->serial, sizeof(phone->serial));
    read_attribute(phone->path, "product", phone->product,
                   sizeof(phone->product));
    read_attribute(phone->path, "manufacturer", phone->manufacturer,
                   sizeof(phone->manufacturer));
    if (!phone->serial[0])
        snprintf(phone->serial, sizeof(phone->serial), "%s", phone->path);
}

bool usb_list(struct usb_phones *phones, struct err *err)
{
    struct usb_phones found = {0};
    struct usb_events events;
    struct usb_interface interface;
    libusb_device **devices;
    ssize_t count;

    if (!usb_events_init(&events, err))
        return false;
    count = libusb_get_device_list(events.context, &devices);
    for (ssize_t i = 0; i < count; i++) {
        if (!usb_find_interface(devices[i], &interface))
            continue;
        found.items =
            mem_resize(found.items, found.count + 1, sizeof(*found.items));
        usb_describe(devices[i], &found.items[found.count++]);
    }
    if (count >= 0)
        libusb_free_device_list(devices, 1);
    usb_events_release(&events);
    if (count < 0)
        return err_set(err, ERR_IO, "listing USB devices: %s",
                       libusb_strerror((int)count));
    *phones = found;
    return true;
}
