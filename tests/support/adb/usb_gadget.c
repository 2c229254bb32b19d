#include "tests/support/adb/usb_gadget.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/wire/packet.h"
#include "base/bytes.h"
#include "base/mem.h"

/* Limit of what the phone sends at once. */
struct outgoing {
    struct outgoing *next;
    uint8_t *data; /* owned */
    size_t size;
    size_t sent;
    size_t cut; /* the cable is unplugged after that many bytes */
    bool stall;
};

struct usb_gadget {
    int socket; /* owned; -1: none */
    pthread_t thread;

    pthread_mutex_t lock; /* guards everything below */
    struct urb *asked;    /* requests of the computer that wait for bytes */
    struct urb *done;
    struct outgoing *outgoing;
    enum usb_gadget_fault wire_fault; /* the fault, which strikes once */
    enum usb_gadget_part fault_part;
    bool unplugged;
    struct packet packet; /* the packet being received, while in payload */
    size_t missing;       /* bytes of its payload so far */
    unsigned zeros;
    unsigned breaches;
    const char *breach;
};

void urb_free(struct urb *urb)
{
    if (urb)
        free(urb->data);
    free(urb);
}

static void append_urb(struct urb **list, struct urb *urb)
{
    while (*list)
        list = &(*list)->next;
    urb->next = NULL;
    *list = urb;
}

static void finish(struct usb_gadget *phone, struct urb *urb, int status)
{
    urb->status = status;
    append_urb(&phone->done, urb);
}

static void finish_all(struct usb_gadget *phone, int status)
{
    while (phone->asked) {
        struct urb *urb = phone->asked;

        phone->asked = urb->next;
        finish(phone, urb, status);
    }
}

static void unplug(struct usb_gadget *phone)
{
    phone->unplugged = true;
    finish_all(phone, -ESHUTDOWN);
    if (phone->socket >= 0)
        shutdown(phone->socket, SHUT_RDWR);
}

static void pop_outgoing(struct usb_gadget *phone)
{
    struct outgoing *first = phone->outgoing;

    phone->outgoing = first->next;
    free(first->data);
    free(first);
}

/* ---- to the computer ---- */

/* Send one packet into the oldest request. */
static void send_packet(struct usb_gadget *phone)
{
    struct outgoing *first = phone->outgoing;
    struct urb *urb = phone->asked;
    size_t size = first->size - first->sent;
    int status = 0;

    if (size > USB_GADGET_PACKET)
        size = USB_GADGET_PACKET;
    if (size > urb->size - urb->actual) {
        size = urb->size - urb->actual;
        status = -EOVERFLOW;
    }
    if (size)
        memcpy(urb->data + urb->actual, first->data + first->sent, size);
    urb->actual += size;
    first->sent += size;
    if (status || size < USB_GADGET_PACKET || urb->actual == urb->size) {
        phone->asked = urb->next;
        finish(phone, urb, status);
    }
    if (status || first->sent == first->size)
        pop_outgoing(phone);
}

/* Send as much as was requested. */
static void send_ready(struct usb_gadget *phone)
{
    while (phone->asked && phone->outgoing && !phone->unplugged) {
        if (phone->outgoing->stall) {
            pop_outgoing(phone);
            finish_all(phone, -EPIPE);
        } else if (phone->outgoing->cut &&
                   phone->outgoing->sent >= phone->outgoing->cut) {
            unplug(phone);
        } else {
            send_packet(phone);
        }
    }
}

static void spoil(struct outgoing *outgoing, enum usb_gadget_fault wire_fault)
{
    switch (wire_fault) {
    case USB_GADGET_NONE:
        break;
    case USB_GADGET_STALL:
        outgoing->stall = true;
        break;
    case USB_GADGET_SHORT:
        outgoing->size--;
        break;
    case USB_GADGET_LONG:
        outgoing->data =
            mem_resize(outgoing->data, outgoing->size + USB_GADGET_PACKET, 1);
        memset(outgoing->data + outgoing->size, 0x55, USB_GADGET_PACKET);
        outgoing->size += USB_GADGET_PACKET;
        break;
    case USB_GADGET_UNPLUG:
        outgoing->cut = outgoing->size / 2;
        break;
    case USB_GADGET_LIE:
        put_u32le(outgoing->data + 12, 0x7fffffff);
        break;
    }
}

static void send_as(struct usb_gadget *phone, const void *data, size_t size,
                    enum usb_gadget_fault wire_fault)
{
    struct outgoing *outgoing = mem_new(1, sizeof(*outgoing));
    struct outgoing **link;

    outgoing->data = mem_new(size + 1, 1);
    outgoing->size = size;
    if (size)
        memcpy(outgoing->data, data, size);
    spoil(outgoing, wire_fault);
    pthread_mutex_lock(&phone->lock);
    for (link = &phone->outgoing; *link; link = &(*link)->next)
        ;
    *link = outgoing;
    send_ready(phone);
    pthread_mutex_unlock(&phone->lock);
}

void usb_gadget_send(struct usb_gadget *phone, const void *data, size_t size)
{
    send_as(phone, data, size, USB_GADGET_NONE);
}

/* The fault for this part of some data; it strikes once. */
static enum usb_gadget_fault take_fault(struct usb_gadget *phone,
                                        uint32_t command,
                                        enum usb_gadget_part part)
{
    enum usb_gadget_fault wire_fault = USB_GADGET_NONE;

    pthread_mutex_lock(&phone->lock);
    if (command == PACKET_WRTE && part == phone->fault_part) {
        wire_fault = phone->wire_fault;
        phone->wire_fault = USB_GADGET_NONE;
    }
    pthread_mutex_unlock(&phone->lock);
    return wire_fault;
}

static bool receive_all(int socket, uint8_t *data, size_t size)
{
    return !size || recv(socket, data, size, MSG_WAITALL) == (ssize_t)size;
}

/* Split the device's bytes into transfers. */
static void *speak(void *context)
{
    struct usb_gadget *phone = context;
    uint8_t header[PACKET_HEADER_SIZE];

    while (receive_all(phone->socket, header, sizeof(header))) {
        uint32_t command = get_u32le(header);
        size_t size = get_u32le(header + 12);
        uint8_t *payload = mem_new(size + 1, 1);
        bool whole = receive_all(phone->socket, payload, size);

        send_as(phone, header, sizeof(header),
                take_fault(phone, command, USB_GADGET_HEADER));
        if (whole && size)
            send_as(phone, payload, size,
                    take_fault(phone, command, USB_GADGET_PAYLOAD));
        free(payload);
        if (!whole)
            break;
    }
    return NULL;
}

/* ---- from the computer ---- */

static void breach(struct usb_gadget *phone, const char *why)
{
    phone->breaches++;
    phone->breach = why;
}

static void hear_header(struct usb_gadget *phone, const struct urb *urb)
{
    struct err err;

    if (urb->size != PACKET_HEADER_SIZE ||
        !packet_decode(urb->data, PACKET_MAX_PAYLOAD, &phone->packet, &err))
        breach(phone, "a transfer that should be a header is none");
    else
        phone->missing = phone->packet.length;
    if (urb->zero)
        breach(phone, "an empty packet follows a header");
}

static void hear_payload(struct usb_gadget *phone, const struct urb *urb)
{
    bool full = phone->packet.length % USB_GADGET_PACKET == 0;

    if (urb->size > phone->missing) {
        breach(phone, "a payload is longer than announced");
        phone->missing = 0;
        return;
    }
    phone->missing -= urb->size;
    if (phone->missing && urb->size % USB_GADGET_PACKET)
        breach(phone, "a payload ends early");
    if (!phone->missing && full != urb->zero)
        breach(phone, full ? "no empty packet ends a payload of full ones"
                           : "an empty packet follows a short one");
}

/* Pass the computer's bytes to the device, which always reads them. */
static void receive(struct usb_gadget *phone, const struct urb *urb)
{
    size_t sent = 0;

    if (phone->missing)
        hear_payload(phone, urb);
    else
        hear_header(phone, urb);
    phone->zeros += urb->zero;
    while (phone->socket >= 0 && sent < urb->size) {
        ssize_t n = send(phone->socket, urb->data + sent, urb->size - sent,
                         MSG_NOSIGNAL);

        if (n <= 0)
            break;
        sent += (size_t)n;
    }
}

/* ---- requests ---- */

void usb_gadget_submit(struct usb_gadget *phone, struct urb *urb)
{
    pthread_mutex_lock(&phone->lock);
    if (phone->unplugged) {
        finish(phone, urb, -ESHUTDOWN);
    } else if (urb->in) {
        append_urb(&phone->asked, urb);
        send_ready(phone);
    } else {
        receive(phone, urb);
        urb->actual = urb->size;
        finish(phone, urb, 0);
    }
    pthread_mutex_unlock(&phone->lock);
}

void usb_gadget_discard(struct usb_gadget *phone, uint64_t id)
{
    pthread_mutex_lock(&phone->lock);
    for (struct urb **link = &phone->asked; *link; link = &(*link)->next) {
        struct urb *urb = *link;

        if (urb->id == id) {
            *link = urb->next;
            finish(phone, urb, -ENOENT);
            break;
        }
    }
    pthread_mutex_unlock(&phone->lock);
}

struct urb *usb_gadget_reap(struct usb_gadget *phone)
{
    struct urb *urb;

    pthread_mutex_lock(&phone->lock);
    urb = phone->done;
    if (urb)
        phone->done = urb->next;
    pthread_mutex_unlock(&phone->lock);
    return urb;
}

/* ---- the phone ---- */

struct usb_gadget *usb_gadget_start(int socket)
{
    struct usb_gadget *phone = mem_new(1, sizeof(*phone));

    phone->socket = socket;
    pthread_mutex_init(&phone->lock, NULL);
    if (socket >= 0 && pthread_create(&phone->thread, NULL, speak, phone))
        abort();
    return phone;
}

void usb_gadget_stop(struct usb_gadget *phone)
{
    usb_gadget_unplug(phone);
    if (phone->socket >= 0) {
        pthread_join(phone->thread, NULL);
        close(phone->socket);
    }
    while (phone->outgoing)
        pop_outgoing(phone);
    for (struct urb *urb = phone->done; urb; urb = phone->done) {
        phone->done = urb->next;
        urb_free(urb);
    }
    pthread_mutex_destroy(&phone->lock);
    free(phone);
}

void usb_gadget_fail(struct usb_gadget *phone, enum usb_gadget_fault wire_fault,
                     enum usb_gadget_part part)
{
    pthread_mutex_lock(&phone->lock);
    phone->wire_fault = wire_fault;
    phone->fault_part = part;
    pthread_mutex_unlock(&phone->lock);
}

void usb_gadget_unplug(struct usb_gadget *phone)
{
    pthread_mutex_lock(&phone->lock);
    unplug(phone);
    pthread_mutex_unlock(&phone->lock);
}

bool usb_gadget_is_unplugged(struct usb_gadget *phone)
{
    bool unplugged;

    pthread_mutex_lock(&phone->lock);
    unplugged = phone->unplugged;
    pthread_mutex_unlock(&phone->lock);
    return unplugged;
}

unsigned usb_gadget_breaches(struct usb_gadget *phone, const char **why)
{
    unsigned breaches;

    pthread_mutex_lock(&phone->lock);
    breaches = phone->breaches;
    *why = phone->breach;
    pthread_mutex_unlock(&phone->lock);
    return breaches;
}

unsigned usb_gadget_zeros(struct usb_gadget *phone)
{
    unsigned zeros;

    pthread_mutex_lock(&phone->lock);
    zeros = phone->zeros;
    pthread_mutex_unlock(&phone->lock);
    return zeros;
}
