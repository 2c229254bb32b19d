#include "adb/transport/usb_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean_text.h"

#define DEVICES "/sys/bus/usb/devices"

/* More than any phone has; interfaces beyond it are not found. */
#define DESCRIPTORS_MAX 8192

bool usb_scan_open(struct usb_scan *scan, struct err *err)
{
    scan->devices = opendir(DEVICES);
    return scan->devices ||
           err_set(err, ERR_UNSUPPORTED, "there is no USB here: %s",
                   strerror(errno));
}

void usb_scan_close(struct usb_scan *scan)
{
    closedir(scan->devices);
}

/* Read the start of a device attribute; a missing one is empty. */
static size_t read_bytes(const char *path, const char *name, void *bytes,
                         size_t size)
{
    char file[sizeof(DEVICES) + USB_PATH_MAX + 32];
    ssize_t n = -1;
    int fd;

    snprintf(file, sizeof(file), DEVICES "/%s/%s", path, name);
    fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = read(fd, bytes, size);
        close(fd);
    }
    return n > 0 ? (size_t)n : 0;
}

static void read_text(const char *path, const char *name, char *text,
                      size_t size)
{
    char line[256];
    size_t length = read_bytes(path, name, line, sizeof(line) - 1);

    line[length] = '\0';
    clean_text_copy(text, size, line, strcspn(line, "\n"));
}

static unsigned long read_number(const char *path, const char *name)
{
    char digits[24];

    read_text(path, name, digits, sizeof(digits));
    return strtoul(digits, NULL, 10);
}

static void describe(const char *path, struct usb_phone *phone)
{
    snprintf(phone->path, sizeof(phone->path), "%s", path);
    snprintf(phone->place, sizeof(phone->place), "usb:%s", phone->path);
    snprintf(phone->node, sizeof(phone->node), "/dev/bus/usb/%03lu/%03lu",
             read_number(path, "busnum"), read_number(path, "devnum"));
    phone->open_to_us = !access(phone->node, R_OK | W_OK);
    read_text(path, "serial", phone->serial, sizeof(phone->serial));
    read_text(path, "product", phone->product, sizeof(phone->product));
    read_text(path, "manufacturer", phone->manufacturer,
              sizeof(phone->manufacturer));
    if (!phone->serial[0])
        snprintf(phone->serial, sizeof(phone->serial), "%s", phone->path);
}

/* "1-2.3" is a device; "usb1" is a bus, "1-2.3:1.0" an interface. */
static bool is_device(const char *name)
{
    return strchr(name, '-') && !strchr(name, ':') &&
           strlen(name) < USB_PATH_MAX;
}

static bool look_at(const char *path, struct usb_found *found)
{
    uint8_t bytes[DESCRIPTORS_MAX];
    size_t length = read_bytes(path, "descriptors", bytes, sizeof(bytes));
    uint8_t active = (uint8_t)read_number(path, "bConfigurationValue");

    *found = (struct usb_found){0};
    if (!usb_descriptors_find(bytes, length, active, &found->interface))
        return false;
    usb_descriptors_ids(bytes, length, &found->phone.vendor,
                        &found->phone.model);
    describe(path, &found->phone);
    return true;
}

bool usb_scan_next(struct usb_scan *scan, struct usb_found *found)
{
    struct dirent *entry;

    while ((entry = readdir(scan->devices))) {
        if (is_device(entry->d_name) && look_at(entry->d_name, found))
            return true;
    }
    return false;
}
