#include "tests/support/adb/mock_usb.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/usbdevice_fs.h>
#include <umockdev.h>

#include <cmocka.h>

#include "base/mem.h"

/* Capabilities of current controllers. */
#define ABILITIES                                                              \
    (USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_NO_PACKET_SIZE_LIM |              \
     USBDEVFS_CAP_BULK_SCATTER_GATHER | USBDEVFS_CAP_REAP_AFTER_DISCONNECT)

struct mock_usb {
    UMockdevTestbed *bed;
    UMockdevIoctlBase *handler;
    struct usb_gadget *_Atomic phone; /* borrowed */
    _Atomic int claim_errno;
    _Atomic unsigned resets;
};

/* A device as the kernel shows it: its path and its descriptors. */
struct listing {
    const char *path;
    unsigned number;
    const char *texts; /* further attributes */
    const char *descriptors;
};

static const struct listing root = {
    "/devices/usb1", 1, "",
    "12010002090001406B1D0200010603020101"
    "0902190001010000000904000001090000000705810304000C"};

static const struct listing hub = {
    "/devices/usb1/1-2", 2, "",
    "12010002090001406B1D0200010603020101"
    "0902190001010000000904000001090000000705810304000C"};

/* Class EF; another interface, then ADB's bulk endpoints. */
#define PHONE_TEXTS                                                            \
    "A: serial=" MOCK_USB_SERIAL "\\n\n"                                       \
    "A: product=Mock Phone\\n\n"                                               \
    "A: manufacturer=Example\\n\n"
#define PHONE_DESCRIPTORS                                                      \
    "12010002EF020140D118E74E000101020301"                                     \
    "0902290002010080FA"                                                       \
    "0904000000FFFF0000"                                                       \
    "0904010002FF420100"                                                       \
    "07050102000200"                                                           \
    "07058102000200"

static const struct listing phone_listing = {"/devices/usb1/1-2/1-2.3", 7,
                                             PHONE_TEXTS, PHONE_DESCRIPTORS};

static const struct listing twin_listing = {"/devices/usb1/1-2/1-2.5", 9,
                                            PHONE_TEXTS, PHONE_DESCRIPTORS};

static const struct listing mouse_listing = {
    "/devices/usb1/1-2/1-2.4", 8, "",
    "12010002000000086D0401C0000101020001"
    "0902190001010080FA"
    "090400000103010200"
    "0705810304000A"};

static void add(struct mock_usb *usb, const struct listing *listing)
{
    char text[2048];
    GError *error = NULL;

    snprintf(text, sizeof(text),
             "P: %s\nN: bus/usb/001/%03u=%s\n"
             "E: DEVNAME=/dev/bus/usb/001/%03u\nE: DEVTYPE=usb_device\n"
             "E: BUSNUM=001\nE: DEVNUM=%03u\nE: SUBSYSTEM=usb\n"
             "A: bConfigurationValue=1\\n\nA: busnum=1\\n\n"
             "A: devnum=%u\\n\nA: speed=480\\n\n%sH: descriptors=%s\n",
             listing->path, listing->number, listing->descriptors,
             listing->number, listing->number, listing->number, listing->texts,
             listing->descriptors);
    if (!umockdev_testbed_add_from_string(usb->bed, text, &error))
        fail_msg("%s", error->message);
}

/* ---- requests of libusb to the kernel ---- */

static uint64_t pointer_of(const UMockdevIoctlData *argument)
{
    return (uint64_t) * (const gsize *)(const void *)argument->data;
}

static void submit(struct usb_gadget *phone, UMockdevIoctlData *argument)
{
    UMockdevIoctlData *data = umockdev_ioctl_data_resolve(
        argument, 0, sizeof(struct usbdevfs_urb), NULL);
    const struct usbdevfs_urb *asked = (const void *)data->data;
    UMockdevIoctlData *buffer =
        umockdev_ioctl_data_resolve(data, offsetof(struct usbdevfs_urb, buffer),
                                    (gsize)asked->buffer_length, NULL);
    struct urb *urb = mem_new(1, sizeof(*urb));

    urb->id = data->client_addr;
    urb->in = asked->endpoint & 0x80;
    urb->zero = asked->flags & USBDEVFS_URB_ZERO_PACKET;
    urb->size = (size_t)asked->buffer_length;
    urb->data = mem_new(urb->size + 1, 1);
    if (!urb->in)
        memcpy(urb->data, buffer->data, urb->size);
    urb->tag = data;
    g_object_unref(buffer); /* data keeps it */
    usb_gadget_submit(phone, urb);
}

static void update_int(UMockdevIoctlData *data, size_t offset, int value)
{
    umockdev_ioctl_data_update(data, offset, (guint8 *)&value, sizeof(value));
}

/* Write back the result of a request, and complete it. */
static bool reap(struct usb_gadget *phone, UMockdevIoctlData *argument)
{
    struct urb *urb = usb_gadget_reap(phone);
    UMockdevIoctlData *inner;

    if (!urb)
        return false;
    update_int(urb->tag, offsetof(struct usbdevfs_urb, status), urb->status);
    update_int(urb->tag, offsetof(struct usbdevfs_urb, actual_length),
               (int)urb->actual);
    if (urb->in && urb->actual) {
        inner = umockdev_ioctl_data_resolve(
            urb->tag, offsetof(struct usbdevfs_urb, buffer), urb->size, NULL);
        umockdev_ioctl_data_update(inner, 0, urb->data, (gint)urb->actual);
        g_object_unref(inner);
    }
    inner = umockdev_ioctl_data_resolve(argument, 0, sizeof(gpointer), NULL);
    umockdev_ioctl_data_set_ptr(inner, 0, urb->tag);
    g_object_unref(inner);
    g_object_unref(urb->tag);
    urb_free(urb);
    return true;
}

/* The errno of a request; 0: success. */
static int handle(struct mock_usb *usb, unsigned long request,
                  UMockdevIoctlData *argument)
{
    struct usb_gadget *phone = usb->phone;
    const unsigned abilities = ABILITIES;
    const struct usbdevfs_connectinfo where = {.devnum = 7};
    UMockdevIoctlData *data;

    switch (request) {
    case USBDEVFS_GET_CAPABILITIES:
        data =
            umockdev_ioctl_data_resolve(argument, 0, sizeof(abilities), NULL);
        umockdev_ioctl_data_update(data, 0, (guint8 *)(uintptr_t)&abilities,
                                   sizeof(abilities));
        g_object_unref(data);
        return 0;
    case USBDEVFS_CONNECTINFO:
        data = umockdev_ioctl_data_resolve(argument, 0, sizeof(where), NULL);
        umockdev_ioctl_data_update(data, 0, (guint8 *)(uintptr_t)&where,
                                   sizeof(where));
        g_object_unref(data);
        return 0;
    case USBDEVFS_CLAIMINTERFACE:
        return usb->claim_errno;
    case USBDEVFS_RELEASEINTERFACE:
        return 0;
    case USBDEVFS_RESET:
        usb->resets++;
        return 0;
    case USBDEVFS_SUBMITURB:
        if (!phone || usb_gadget_is_unplugged(phone))
            return ENODEV;
        submit(phone, argument);
        return 0;
    case USBDEVFS_DISCARDURB:
        if (phone)
            usb_gadget_discard(phone, pointer_of(argument));
        return 0;
    case USBDEVFS_REAPURBNDELAY:
        if (phone && reap(phone, argument))
            return 0;
        return phone && usb_gadget_is_unplugged(phone) ? ENODEV : EAGAIN;
    default:
        return ENOTTY;
    }
}

static gboolean on_ioctl(UMockdevIoctlBase *handler,
                         UMockdevIoctlClient *client, struct mock_usb *usb)
{
    UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);
    int number =
        handle(usb, umockdev_ioctl_client_get_request(client), argument);

    (void)handler;
    umockdev_ioctl_client_complete(client, number ? -1 : 0, number);
    return TRUE;
}

/* ---- the bus ---- */

struct mock_usb *mock_usb_start(void)
{
    struct mock_usb *usb = mem_new(1, sizeof(*usb));

    usb->bed = umockdev_testbed_new();
    usb->handler = umockdev_ioctl_base_new();
    g_signal_connect(usb->handler, "handle-ioctl", G_CALLBACK(on_ioctl), usb);
    add(usb, &root);
    add(usb, &hub);
    return usb;
}

void mock_usb_stop(struct mock_usb *usb)
{
    if (usb->phone)
        mock_usb_unplug(usb);
    g_object_unref(usb->handler);
    g_object_unref(usb->bed);
    free(usb);
}

void mock_usb_plug(struct mock_usb *usb, struct usb_gadget *phone)
{
    GError *error = NULL;

    usb->phone = phone;
    add(usb, &phone_listing);
    if (!umockdev_testbed_attach_ioctl(usb->bed, MOCK_USB_NODE, usb->handler,
                                       &error))
        fail_msg("%s", error->message);
    umockdev_testbed_uevent(usb->bed, "/sys/devices/usb1/1-2/1-2.3", "add");
}

void mock_usb_plug_twin(struct mock_usb *usb)
{
    add(usb, &twin_listing);
}

void mock_usb_plug_mouse(struct mock_usb *usb)
{
    add(usb, &mouse_listing);
}

void mock_usb_unplug(struct mock_usb *usb)
{
    GError *error = NULL;

    usb_gadget_unplug(usb->phone);
    umockdev_testbed_detach_ioctl(usb->bed, MOCK_USB_NODE, &error);
    umockdev_testbed_uevent(usb->bed, "/sys/devices/usb1/1-2/1-2.3", "remove");
    umockdev_testbed_remove_device(usb->bed, "/sys/devices/usb1/1-2/1-2.3");
    usb->phone = NULL;
}

void mock_usb_refuse_claim(struct mock_usb *usb, int number)
{
    usb->claim_errno = number;
}

unsigned mock_usb_resets(struct mock_usb *usb)
{
    return usb->resets;
}
