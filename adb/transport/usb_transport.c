/*
 * Each direction is a ring of transfers, used in the order of the stream:
 *
 *            submitted                    completed
 *   free ────────────────▶ flying ───────────────────▶ free, for writing
 *                                 in_done │ out_done
 *                                         ▼
 *                                       filled ─────▶ free, for reading
 *                                              usb_read
 *
 * There is no thread here: a waiting thread runs libusb's event handling, which
 * calls in_done and out_done; they wake the other waiting threads.
 */
#include "adb/transport/usb_transport.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/transport/usb_read_plan.h"
#include "adb/transport/usb_write_plan.h"
#include "adb/transport/wakeup.h"
#include "base/mem.h"

/*
 * Transfers in flight each way: enough to keep the bus busy, and few enough
 * that ten phones fit into the 16 MiB that Linux allows for all of USB.
 */
#define SLOT_SIZE (32U * 1024U)
#define SLOT_COUNT 16

/* Silence after which a phone has nothing left for an earlier user. */
#define QUIET_MS 10

/*
 * A phone answers a greeting at once, unless it takes it for the rest of a
 * packet that another program began to send.
 */
#define ANSWER_MS 2000

/* How long written data may take to be sent after the last call. */
#define FLUSH_MS 300

struct usb;

struct usb_slot {
    struct usb *usb;
    struct libusb_transfer *transfer; /* owned; NULL until it is used */
    bool flying;
    struct usb_read read; /* what was requested */
    size_t begin, end;    /* bytes to be read, or filled so far */
};

struct usb_ring {
    uint8_t endpoint;
    libusb_transfer_cb_fn done;
    struct usb_slot slots[SLOT_COUNT];
    size_t first; /* the oldest in use */
    size_t count; /* in use, from there on */
};

struct usb {
    struct transport transport;
    struct usb_claim claim;      /* owned */
    const struct cancel *cancel; /* borrowed; may be NULL */
    struct wakeup wakeup;

    pthread_mutex_t lock; /* guards all below */
    struct usb_ring reads;
    struct usb_ring writes; /* the slot behind the last one is being filled */
    struct usb_read_plan read_plan;
    struct usb_write_plan write_plan;
    struct deadline answer_by; /* to our greeting */
    size_t flying;
    unsigned readers; /* sleeping now, to be woken */
    unsigned writers;
    struct err
        lost;    /* why the connection is unusable; ERR_NONE: it is usable */
    bool gone;   /* the phone is unplugged */
    bool broken; /* packet boundaries are lost */
};

static struct usb *usb_of(struct transport *transport)
{
    return (struct usb *)transport;
}

/* ---- waking ---- */

static void wake_sleepers(struct usb *usb)
{
    wakeup_send(&usb->wakeup,
                (usb->readers ? (unsigned)TRANSPORT_READ : 0U) |
                    (usb->writers ? (unsigned)TRANSPORT_WRITE : 0U));
}

/* ---- failing ---- */

/* All callers get the first reason. */
static void lose(struct usb *usb, const struct err *why)
{
    if (usb->lost.code == ERR_NONE)
        usb->lost = *why;
    wake_sleepers(usb);
}

static bool still_there(const struct usb *usb, struct err *err)
{
    if (usb->lost.code == ERR_NONE)
        return true;
    *err = usb->lost;
    return false;
}

static bool fail_unplugged(struct usb *usb, struct err *err)
{
    usb->gone = true;
    return err_set(err, ERR_LOST, "the phone was unplugged");
}

static bool fail_status(struct usb *usb, enum libusb_transfer_status status,
                        struct err *err)
{
    usb->broken = true;
    switch (status) {
    case LIBUSB_TRANSFER_NO_DEVICE:
        return fail_unplugged(usb, err);
    case LIBUSB_TRANSFER_STALL:
        return err_set(err, ERR_LOST, "the phone stalled the USB connection");
    case LIBUSB_TRANSFER_OVERFLOW:
        return err_set(err, ERR_LOST,
                       "the phone sent more than it had announced");
    case LIBUSB_TRANSFER_CANCELLED:
        return err_set(err, ERR_LOST, "the USB connection was closed");
    case LIBUSB_TRANSFER_COMPLETED:
    case LIBUSB_TRANSFER_ERROR:
    case LIBUSB_TRANSFER_TIMED_OUT:
        break;
    }
    return err_set(err, ERR_LOST,
                   "the phone was unplugged, or its cable is bad");
}

static bool fail_submit(struct usb *usb, int code, struct err *err)
{
    usb->broken = true;
    if (code == LIBUSB_ERROR_NO_DEVICE)
        return fail_unplugged(usb, err);
    if (code == LIBUSB_ERROR_NO_MEM)
        return err_set(err, ERR_LOST,
                       "Linux has no memory left for USB; raise "
                       "/sys/module/usbcore/parameters/usbfs_memory_mb");
    return err_set(err, ERR_LOST, "the USB connection broke: %s",
                   libusb_strerror(code));
}

static void lose_silent(struct usb *usb)
{
    struct err why;

    err_set(&why, ERR_LOST, "the phone does not answer; plug it in again");
    pthread_mutex_lock(&usb->lock);
    usb->broken = true;
    lose(usb, &why);
    pthread_mutex_unlock(&usb->lock);
}

/* ---- transfers ---- */

/* The slot after those in use. Most commands never need all of them. */
static struct usb_slot *next_slot(struct usb *usb, struct usb_ring *ring)
{
    struct usb_slot *slot =
        &ring->slots[(ring->first + ring->count) % SLOT_COUNT];

    if (slot->transfer)
        return slot;
    slot->usb = usb;
    slot->transfer = libusb_alloc_transfer(0);
    if (!slot->transfer)
        mem_out();
    libusb_fill_bulk_transfer(slot->transfer, usb->claim.handle, ring->endpoint,
                              mem_new(SLOT_SIZE, 1), 0, ring->done, slot, 0);
    return slot;
}

static bool submit(struct usb_slot *slot, size_t size, struct err *err)
{
    struct usb *usb = slot->usb;
    int failed;

    slot->transfer->length = (int)size;
    failed = libusb_submit_transfer(slot->transfer);
    if (failed)
        return fail_submit(usb, failed, err);
    slot->flying = true;
    usb->flying++;
    return true;
}

/* Request everything that is known to come. */
static bool ask(struct usb *usb, struct err *err)
{
    struct usb_ring *ring = &usb->reads;

    while (ring->count < SLOT_COUNT) {
        struct usb_slot *slot = next_slot(usb, ring);

        if (!usb_read_plan_next(&usb->read_plan, SLOT_SIZE, &slot->read))
            return true;
        if (!submit(slot, slot->read.size, err))
            return false;
        ring->count++;
    }
    return true;
}

/* Free the slots at the front that have no data left. */
static void drop_empty(struct usb_ring *ring)
{
    while (ring->count && !ring->slots[ring->first].flying &&
           ring->slots[ring->first].begin == ring->slots[ring->first].end) {
        ring->first = (ring->first + 1) % SLOT_COUNT;
        ring->count--;
    }
}

static bool take(struct usb_slot *slot, struct err *err)
{
    struct libusb_transfer *transfer = slot->transfer;
    struct usb *usb = slot->usb;
    size_t length = (size_t)transfer->actual_length;

    if (transfer->status != LIBUSB_TRANSFER_COMPLETED)
        return fail_status(usb, transfer->status, err);
    if (!usb_read_plan_take(&usb->read_plan, &slot->read, transfer->buffer,
                            length, &slot->begin, err)) {
        usb->broken = true;
        return false;
    }
    slot->end = length;
    if (!usb->read_plan.seeking)
        usb->answer_by = DEADLINE_NEVER;
    drop_empty(&usb->reads);
    return ask(usb, err);
}

static void LIBUSB_CALL in_done(struct libusb_transfer *transfer)
{
    struct usb_slot *slot = transfer->user_data;
    struct usb *usb = slot->usb;
    struct err why;

    pthread_mutex_lock(&usb->lock);
    slot->flying = false;
    slot->begin = 0;
    slot->end = 0;
    usb->flying--;
    if (usb->lost.code == ERR_NONE && !take(slot, &why))
        lose(usb, &why);
    wake_sleepers(usb);
    pthread_mutex_unlock(&usb->lock);
}

static void LIBUSB_CALL out_done(struct libusb_transfer *transfer)
{
    struct usb_slot *slot = transfer->user_data;
    struct usb *usb = slot->usb;
    struct usb_ring *ring = &usb->writes;
    struct err why;

    pthread_mutex_lock(&usb->lock);
    slot->flying = false;
    slot->end = 0;
    usb->flying--;
    ring->first = (ring->first + 1) % SLOT_COUNT;
    ring->count--;
    if (transfer->status != LIBUSB_TRANSFER_COMPLETED) {
        fail_status(usb, transfer->status, &why);
        lose(usb, &why);
    }
    wake_sleepers(usb);
    pthread_mutex_unlock(&usb->lock);
}

/* ---- the transport's functions ---- */

/* Copy available data to data. */
static size_t take_bytes(struct usb_ring *ring, uint8_t *data, size_t size)
{
    size_t got = 0;

    while (got < size && ring->count && !ring->slots[ring->first].flying) {
        struct usb_slot *slot = &ring->slots[ring->first];
        size_t part = slot->end - slot->begin;

        if (part > size - got)
            part = size - got;
        memcpy(data + got, slot->transfer->buffer + slot->begin, part);
        slot->begin += part;
        got += part;
        drop_empty(ring);
    }
    return got;
}

static bool usb_read(struct transport *transport, void *data, size_t size,
                     size_t *got, struct err *err)
{
    struct usb *usb = usb_of(transport);
    bool fine = true;
    size_t n;

    pthread_mutex_lock(&usb->lock);
    n = take_bytes(&usb->reads, data, size);
    if (usb->lost.code == ERR_NONE) {
        struct err why;

        if (!ask(usb, &why))
            lose(usb, &why);
    }
    if (!n)
        fine = still_there(usb, err);
    pthread_mutex_unlock(&usb->lock);
    if (fine)
        *got = n;
    return fine;
}

static bool send_slot(struct usb *usb, struct usb_slot *slot,
                      enum usb_write_step cut, struct err *err)
{
    slot->transfer->flags =
        cut == USB_WRITE_SEND_ZERO ? LIBUSB_TRANSFER_ADD_ZERO_PACKET : 0;
    if (!submit(slot, slot->end, err))
        return false;
    usb->writes.count++;
    return true;
}

/* Put bytes into transfers, and submit those that are full or complete. */
static bool put_bytes(struct usb *usb, const uint8_t *data, size_t size,
                      size_t *put, struct err *err)
{
    struct usb_ring *ring = &usb->writes;
    size_t done = 0;

    while (done < size && ring->count < SLOT_COUNT) {
        struct usb_slot *slot = next_slot(usb, ring);
        uint8_t *buffer = slot->transfer->buffer;
        size_t part = SLOT_SIZE - slot->end;
        enum usb_write_step cut;

        if (part > size - done)
            part = size - done;
        if (part > usb->write_plan.left)
            part = usb->write_plan.left;
        memcpy(buffer + slot->end, data + done, part);
        slot->end += part;
        done += part;
        if (!usb_write_plan_add(&usb->write_plan, buffer, slot->end, part, &cut,
                                err))
            return false;
        if ((cut != USB_WRITE_MORE || slot->end == SLOT_SIZE) &&
            !send_slot(usb, slot, cut, err))
            return false;
    }
    *put = done;
    return true;
}

static bool usb_write(struct transport *transport, const struct iovec *parts,
                      int count, size_t *put, struct err *err)
{
    struct usb *usb = usb_of(transport);
    size_t total = 0;
    bool fine;

    pthread_mutex_lock(&usb->lock);
    if (!usb->read_plan.greeted)
        usb->answer_by = deadline_in_ms(ANSWER_MS);
    usb->read_plan.greeted = true;
    fine = still_there(usb, err);
    for (int i = 0; fine && i < count; i++) {
        size_t n = 0;

        fine = put_bytes(usb, parts[i].iov_base, parts[i].iov_len, &n, err);
        if (!fine)
            lose(usb, err);
        total += n;
        if (n < parts[i].iov_len)
            break;
    }
    pthread_mutex_unlock(&usb->lock);
    if (fine)
        *put = total;
    return fine;
}

static bool is_ready(const struct usb *usb, unsigned wants)
{
    const struct usb_ring *reads = &usb->reads;

    if (usb->lost.code != ERR_NONE)
        return true;
    if (wants & TRANSPORT_READ && reads->count &&
        !reads->slots[reads->first].flying)
        return true;
    return wants & TRANSPORT_WRITE && usb->writes.count < SLOT_COUNT;
}

/* Register as a sleeper, unless there is no need to sleep. */
static bool fall_asleep(struct usb *usb, unsigned wants, unsigned *sleepers,
                        struct deadline *answer_by)
{
    bool ready;

    pthread_mutex_lock(&usb->lock);
    ready = is_ready(usb, wants);
    *sleepers += !ready;
    *answer_by = usb->answer_by;
    pthread_mutex_unlock(&usb->lock);
    return !ready;
}

static void wake_up(struct usb *usb, unsigned *sleepers)
{
    pthread_mutex_lock(&usb->lock);
    --*sleepers;
    pthread_mutex_unlock(&usb->lock);
}

/* Nothing came in time: for the caller, or in answer to the greeting. */
static bool give_up(struct usb *usb, struct deadline by, struct err *err)
{
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT, "no answer in time");
    lose_silent(usb);
    return true;
}

static bool usb_wait(struct transport *transport, unsigned wants,
                     struct deadline by, struct err *err)
{
    struct usb *usb = usb_of(transport);
    unsigned *sleepers = wants & TRANSPORT_READ ? &usb->readers : &usb->writers;
    struct pollfd own[] = {
        {.fd = cancel_fd(usb->cancel), .events = POLLIN},
        {.fd = wakeup_fd(&usb->wakeup, wants), .events = POLLIN},
    };
    struct deadline until;
    bool in_time;

    if (!fall_asleep(usb, wants, sleepers, &until))
        return true;
    until = deadline_sooner(until, by);
    in_time = usb_events_poll(&usb->claim.events, own, 2, until, err);
    wake_up(usb, sleepers);
    if (!in_time && err->code != ERR_TIMEOUT)
        return false;
    if (in_time && own[0].revents)
        return err_set(err, ERR_CANCELLED, "interrupted");
    if (in_time && own[1].revents)
        wakeup_clear(&usb->wakeup, wants);
    if (in_time)
        usb_events_handle(&usb->claim.events);
    return !deadline_passed(until) || give_up(usb, by, err);
}

static void usb_wake(struct transport *transport, unsigned whom)
{
    wakeup_send(&usb_of(transport)->wakeup, whom);
}

static void usb_shut(struct transport *transport)
{
    struct usb *usb = usb_of(transport);
    struct err why;

    err_set(&why, ERR_LOST, "the USB connection was closed");
    pthread_mutex_lock(&usb->lock);
    lose(usb, &why);
    pthread_mutex_unlock(&usb->lock);
}

/* ---- closing ---- */

/* Let written data be sent: a truncated packet would confuse the phone. */
static void flush(struct usb *usb)
{
    struct deadline by = deadline_in_ms(FLUSH_MS);
    struct err ignored;

    while (usb->writes.count && !usb->broken &&
           usb_events_poll(&usb->claim.events, NULL, 0, by, &ignored) &&
           !deadline_passed(by))
        usb_events_handle(&usb->claim.events);
}

static void cancel_flying(struct usb_ring *ring)
{
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        if (ring->slots[i].flying)
            (void)libusb_cancel_transfer(ring->slots[i].transfer);
    }
}

/*
 * Leave the phone in a state in which the next program can use it: after a
 * reset, as after plugging it in, both ends forget halts and partial packets.
 */
static void mend(struct usb *usb, bool cut_short)
{
    if (!usb->gone && (usb->broken || cut_short))
        (void)libusb_reset_device(usb->claim.handle); /* or it leaves the bus */
}

/* Wait for cancelled transfers, even if signals interrupt that. */
static void land_flying(struct usb *usb)
{
    int failed = 0;

    while (usb->flying && (!failed || failed == LIBUSB_ERROR_INTERRUPTED))
        failed = libusb_handle_events(usb->claim.events.context);
}

/* Transfers that libusb does not return are leaked. */
static void free_ring(struct usb_ring *ring)
{
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        if (!ring->slots[i].transfer || ring->slots[i].flying)
            continue;
        free(ring->slots[i].transfer->buffer);
        libusb_free_transfer(ring->slots[i].transfer);
    }
}

static void release_claim(struct usb_claim *claim)
{
    (void)libusb_release_interface(claim->handle, claim->interface.number);
    libusb_close(claim->handle);
    usb_events_release(&claim->events);
    close(claim->fd);
}

static void usb_close(struct transport *transport)
{
    struct usb *usb = usb_of(transport);
    bool cut_short;

    flush(usb);
    cut_short =
        usb->writes.count || !usb_write_plan_is_between(&usb->write_plan);
    usb_shut(transport);
    cancel_flying(&usb->reads);
    cancel_flying(&usb->writes);
    land_flying(usb);
    free_ring(&usb->reads);
    free_ring(&usb->writes);
    mend(usb, cut_short);
    release_claim(&usb->claim);
    wakeup_release(&usb->wakeup);
    pthread_mutex_destroy(&usb->lock);
    free(usb);
}

static const struct transport_ops usb_ops = {
    .read = usb_read,
    .write = usb_write,
    .wait = usb_wait,
    .wake = usb_wake,
    .shut = usb_shut,
    .close = usb_close,
};

/* ---- opening ---- */

/* Read until the phone has nothing left for an earlier user. */
static bool await_quiet(struct usb *usb, struct deadline by, struct err *err)
{
    struct deadline quiet = deadline_in_ms(QUIET_MS);
    size_t dropped = 0;

    while (still_there(usb, err)) {
        if (usb->read_plan.dropped != dropped)
            quiet = deadline_in_ms(QUIET_MS);
        dropped = usb->read_plan.dropped;
        if (usb_wait(&usb->transport, TRANSPORT_READ,
                     deadline_sooner(quiet, by), err))
            continue;
        return err->code == ERR_TIMEOUT && !deadline_passed(by);
    }
    return false;
}

bool usb_transport_open(struct usb_claim *claim, const struct cancel *cancel,
                        struct deadline by, struct transport **transport,
                        struct err *err)
{
    struct usb *usb = mem_new(1, sizeof(*usb));
    const struct usb_interface *interface = &claim->interface;

    usb->transport.ops = &usb_ops;
    usb->claim = *claim;
    usb->cancel = cancel;
    usb->answer_by = DEADLINE_NEVER;
    pthread_mutex_init(&usb->lock, NULL);
    usb->reads.endpoint = interface->in;
    usb->reads.done = in_done;
    usb->writes.endpoint = interface->out;
    usb->writes.done = out_done;
    usb_read_plan_init(&usb->read_plan, interface->in_packet_size);
    usb_write_plan_init(&usb->write_plan, interface->out_packet_size);
    if (wakeup_init(&usb->wakeup, err) && ask(usb, err) &&
        await_quiet(usb, by, err)) {
        *transport = &usb->transport;
        return true;
    }
    usb_close(&usb->transport);
    return false;
}
