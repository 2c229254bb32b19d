#include "tools/live/lent_device.h"

#include <stdlib.h>

#include "base/mem.h"

struct lent_stream {
    struct stream stream;     /* first */
    struct lent_device *lent; /* borrowed */
    struct stream *inner;     /* owned */
    struct lent_stream *next; /* guarded by the lock of lent */
};

void lent_device_init(struct lent_device *lent, const char *why_not)
{
    *lent = (struct lent_device){.why_not = why_not};
    pthread_mutex_init(&lent->lock, NULL);
    pthread_cond_init(&lent->unused, NULL);
}

void lent_device_release(struct lent_device *lent)
{
    pthread_cond_destroy(&lent->unused);
    pthread_mutex_destroy(&lent->lock);
}

/* ---- streams ---- */

static struct stream *inner_of(struct stream *stream)
{
    return ((struct lent_stream *)stream)->inner;
}

static bool lent_stream_read(struct stream *stream, void *data, size_t size,
                             struct deadline by, size_t *got, struct err *err)
{
    return stream_read(inner_of(stream), data, size, by, got, err);
}

static bool lent_stream_write(struct stream *stream, const void *data,
                              size_t size, struct deadline by, struct err *err)
{
    return stream_write(inner_of(stream), data, size, by, err);
}

static void lent_stream_interrupt(struct stream *stream)
{
    stream_interrupt(inner_of(stream));
}

static bool lent_stream_is_writable(struct stream *stream)
{
    return stream_is_writable(inner_of(stream));
}

static void lent_stream_close(struct stream *stream)
{
    struct lent_stream *self = (struct lent_stream *)stream;
    struct lent_device *lent = self->lent;
    struct lent_stream **at = &lent->streams;

    pthread_mutex_lock(&lent->lock);
    while (*at != self)
        at = &(*at)->next;
    *at = self->next;
    stream_close(self->inner);
    pthread_cond_broadcast(&lent->unused);
    pthread_mutex_unlock(&lent->lock);
    free(self);
}

static struct lent_stream *new_stream(struct lent_device *lent,
                                      struct stream *inner)
{
    static const struct stream_ops ops = {
        .read = lent_stream_read,
        .write = lent_stream_write,
        .interrupt = lent_stream_interrupt,
        .close = lent_stream_close,
        .is_writable = lent_stream_is_writable,
    };
    struct lent_stream *made = mem_new(1, sizeof(*made));

    *made =
        (struct lent_stream){.stream.ops = &ops, .lent = lent, .inner = inner};
    return made;
}

/* ---- services ---- */

static struct device *begin_opening(struct lent_device *lent)
{
    struct device *device;

    pthread_mutex_lock(&lent->lock);
    device = lent->device;
    if (device)
        lent->opening++;
    pthread_mutex_unlock(&lent->lock);
    return device;
}

/* One that was opened after the withdrawal is interrupted at once. */
static struct stream *end_opening(struct lent_device *lent,
                                  struct stream *inner)
{
    struct lent_stream *made = inner ? new_stream(lent, inner) : NULL;

    pthread_mutex_lock(&lent->lock);
    if (made) {
        made->next = lent->streams;
        lent->streams = made;
        if (!lent->device)
            stream_interrupt(inner);
    }
    lent->opening--;
    pthread_cond_broadcast(&lent->unused);
    pthread_mutex_unlock(&lent->lock);
    return made ? &made->stream : NULL;
}

static bool open_service(void *context, const char *service, struct deadline by,
                         struct stream **stream, struct err *err)
{
    struct lent_device *lent = context;
    struct device *device = begin_opening(lent);
    struct stream *inner = NULL;
    bool done;

    if (!device)
        return err_set(err, ERR_LOST, "%s", lent->why_not);
    done = device_open_service(device, service, by, &inner, err);
    if (done)
        *stream = end_opening(lent, inner);
    else
        (void)end_opening(lent, NULL);
    return done;
}

bool lent_device_open(struct lent_device *lent, struct device **device,
                      struct err *err)
{
    const struct device_services services = {.open = open_service,
                                             .context = lent};
    struct device *made = NULL;

    pthread_mutex_lock(&lent->lock);
    if (lent->device)
        made = device_over_services(&services, device_serial(lent->device),
                                    device_features(lent->device));
    pthread_mutex_unlock(&lent->lock);
    if (!made)
        return err_set(err, ERR_BUSY, "%s", lent->why_not);
    *device = made;
    return true;
}

/* ---- the owner ---- */

void lent_device_give(struct lent_device *lent, struct device *device)
{
    pthread_mutex_lock(&lent->lock);
    lent->device = device;
    pthread_mutex_unlock(&lent->lock);
}

void lent_device_withdraw(struct lent_device *lent)
{
    pthread_mutex_lock(&lent->lock);
    lent->device = NULL;
    for (struct lent_stream *at = lent->streams; at; at = at->next)
        stream_interrupt(at->inner);
    while (lent->streams || lent->opening)
        pthread_cond_wait(&lent->unused, &lent->lock);
    pthread_mutex_unlock(&lent->lock);
}
