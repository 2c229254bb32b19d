#include "runner/frames.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/png.h"

#define SPARE 2 /* beyond one per core */
#define FRAMES_MAX 64

struct frames {
    pthread_mutex_t lock; /* guards all below, but not what a frame holds */
    pthread_cond_t given;
    struct frame frames[FRAMES_MAX]; /* each is its user's */
    bool used[FRAMES_MAX];
    size_t limit;
    size_t on_cores; /* of those in use */
    size_t on_wires;
};

static size_t limit_by_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t limit = cores > 0 ? (size_t)cores + SPARE : 1 + SPARE;

    return limit < FRAMES_MAX ? limit : FRAMES_MAX;
}

struct frames *frames_open(void)
{
    struct frames *frames = mem_new(1, sizeof(*frames));

    frames->limit = limit_by_cores();
    for (size_t i = 0; i < frames->limit; i++)
        frames->frames[i] = (struct frame)FRAME_INIT;
    pthread_mutex_init(&frames->lock, NULL);
    pthread_cond_init(&frames->given, NULL);
    return frames;
}

void frame_release(struct frame *frame)
{
    screenshot_release(&frame->shot);
    picture_release(&frame->scaled);
}

void frames_close(struct frames *frames)
{
    if (!frames)
        return;
    for (size_t i = 0; i < frames->limit; i++)
        frame_release(&frames->frames[i]);
    pthread_mutex_destroy(&frames->lock);
    pthread_cond_destroy(&frames->given);
    free(frames);
}

bool frame_encode(struct frame *frame, const struct picture *picture,
                  struct buf *png, struct err *err)
{
    struct buf *made = &frame->shot.packed;

    buf_clear(made);
    if (!png_encode_by(picture, PNG_QUICK, &frame->shot.bytes, made, err))
        return false;
    buf_append(png, made->data, made->length);
    return !png->overflow ||
           err_set(err, ERR_LIMIT, "a picture of %zu bytes", made->length);
}

/*
 * One that nobody uses: from one end for wires and from the other for cores, so
 * that few have memory for the pictures that only cores make.
 */
static struct frame *find_free(struct frames *frames, bool for_wire)
{
    if (for_wire ? frames->on_wires + 1 >= frames->limit
                 : frames->on_cores + SPARE >= frames->limit)
        return NULL;
    for (size_t i = 0; i < frames->limit; i++) {
        size_t place = for_wire ? frames->limit - 1 - i : i;

        if (!frames->used[place])
            return &frames->frames[place];
    }
    return NULL;
}

static struct frame *take(struct frames *frames, bool for_wire)
{
    struct frame *frame;

    pthread_mutex_lock(&frames->lock);
    while (!(frame = find_free(frames, for_wire)))
        pthread_cond_wait(&frames->given, &frames->lock);
    frames->used[frame - frames->frames] = true;
    frames->on_wires += for_wire;
    frames->on_cores += !for_wire;
    pthread_mutex_unlock(&frames->lock);
    return frame;
}

static void give(struct frames *frames, const struct frame *frame,
                 bool from_wire)
{
    pthread_mutex_lock(&frames->lock);
    frames->used[frame - frames->frames] = false;
    frames->on_wires -= from_wire;
    frames->on_cores -= !from_wire;
    /* Who is woken may be one for whom there is none yet: wake all. */
    pthread_cond_broadcast(&frames->given);
    pthread_mutex_unlock(&frames->lock);
}

struct frame *frames_take(struct frames *frames)
{
    return take(frames, false);
}

void frames_give(struct frames *frames, struct frame *frame)
{
    give(frames, frame, false);
}

struct frame *frames_take_for_wire(struct frames *frames)
{
    return take(frames, true);
}

void frames_give_from_wire(struct frames *frames, struct frame *frame)
{
    give(frames, frame, true);
}
