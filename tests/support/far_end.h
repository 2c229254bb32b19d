/*
 * The far end of a USB cable: what a phone's controller does with requests
 * (URBs), on the wire's terms of packets. Behind it speaks whoever is given
 * the other end of a socket, such as a loop_device.
 *
 * It is as strict as a phone: headers and payloads must come as transfers of
 * their own, with an empty packet behind a payload that ends with a full one.
 */
#ifndef TESTS_SUPPORT_FAR_END_H
#define TESTS_SUPPORT_FAR_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAR_END_PACKET 512U

/* One request of the computer's. */
struct urb {
    struct urb *next;
    uint64_t id; /* the computer's name for it */
    bool in;
    bool zero;     /* an empty packet is to follow */
    uint8_t *data; /* owned */
    size_t size;
    size_t actual;
    int status; /* 0 or a negative errno */
    void *tag;  /* the caller's */
};

/* What goes wrong with the first data (WRTE) that the phone sends. */
enum far_end_fault {
    FAR_END_NONE,
    FAR_END_STALL,  /* it is refused */
    FAR_END_SHORT,  /* its last byte is missing */
    FAR_END_LONG,   /* it has a packet more than it should */
    FAR_END_UNPLUG, /* the cable comes out at its half */
    FAR_END_LIE,    /* a header announces another length */
};

/* With which transfer of it. */
enum far_end_part {
    FAR_END_HEADER,
    FAR_END_PAYLOAD,
};

struct far_end;

/* socket is its own from now on; -1: it never says anything. */
struct far_end *far_end_start(int socket);
void far_end_stop(struct far_end *phone);

void far_end_fail(struct far_end *phone, enum far_end_fault fault,
                  enum far_end_part part);

/* Have bytes on their way to the computer, as one transfer. */
void far_end_send(struct far_end *phone, const void *data, size_t size);

/* Pull the cable. */
void far_end_unplug(struct far_end *phone);
bool far_end_is_unplugged(struct far_end *phone);

/* Take a request, which becomes the phone's until it is given back. */
void far_end_submit(struct far_end *phone, struct urb *urb);

/* Give a request back at once, done or not. */
void far_end_discard(struct far_end *phone, uint64_t id);

/* A request that is done; NULL: none is. The caller frees it. */
struct urb *far_end_reap(struct far_end *phone);

/* How often the computer broke the rules; why, in words. */
unsigned far_end_breaches(struct far_end *phone, const char **why);

/* How many empty packets have come. */
unsigned far_end_zeros(struct far_end *phone);

void urb_free(struct urb *urb);

#endif
