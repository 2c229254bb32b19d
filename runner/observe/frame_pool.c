#include "runner/observe/frame_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/picture/png.h"

#define SPARE 2 /* beyond one per core */
#define FRAMES_MAX 64

struct frame_pool {
    pthread_mutex_t lock; /* guards all below, but not the content of frames */
    pthread_cond_t given;
    struct pool_frame frames[FRAMES_MAX]; /* each belongs to its user */
    bool used[FRAMES_MAX];
    size_t limit;
    size_t on_cores; /* frames in use */
    size_t on_wires;
};

static size_t limit_by_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t limit = cores > 0 ? (size_t)cores + SPARE : 1 + SPARE;

    return limit < FRAMES_MAX ? limit : FRAMES_MAX;
}

struct frame_pool *frame_pool_open(void)
{
    struct frame_pool *frames = mem_new(1, sizeof(*frames));

    frames->limit = limit_by_cores();
    for (size_t i = 0; i < frames->limit; i++)
        frames->frames[i] = (struct pool_frame)POOL_FRAME_INIT;
    pthread_mutex_init(&frames->lock, NULL);
    pthread_cond_init(&frames->given, NULL);
    return frames;
}

void pool_frame_release(struct pool_frame *frame)
{
    screenshot_release(&frame->shot);
    picture_release(&frame->scaled);
}

void frame_pool_close(struct frame_pool *frames)
{
    if (!frames)
        return;
    for (size_t i = 0; i < frames->limit; i++)
        pool_frame_release(&frames->frames[i]);
    pthread_mutex_destroy(&frames->lock);
    pthread_cond_destroy(&frames->given);
    free(frames);
}

bool pool_frame_encode(struct pool_frame *frame, const struct picture *picture,
                       struct buf *png, struct err *err)
{
    struct buf *made = &frame->shot.packed;

    buf_clear(made);
    if (!png_encode_by(picture, PNG_FAST, &frame->shot.bytes, made, err))
        return false;
    buf_append(png, made->data, made->length);
    return !png->overflow ||
           err_set(err, ERR_LIMIT, "the picture is too large: %zu bytes",
                   made->length);
}

/*
 * A free frame: from one end for transfers and from the other for processing,
 * so that few frames hold decoded pictures.
 */
static struct pool_frame *find_free(struct frame_pool *frames, bool for_wire)
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

static struct pool_frame *take(struct frame_pool *frames, bool for_wire)
{
    struct pool_frame *frame;

    pthread_mutex_lock(&frames->lock);
    while (!(frame = find_free(frames, for_wire)))
        pthread_cond_wait(&frames->given, &frames->lock);
    frames->used[frame - frames->frames] = true;
    frames->on_wires += for_wire;
    frames->on_cores += !for_wire;
    pthread_mutex_unlock(&frames->lock);
    return frame;
}

static void give(struct frame_pool *frames, const struct pool_frame *frame,
                 bool from_wire)
{
    pthread_mutex_lock(&frames->lock);
    frames->used[frame - frames->frames] = false;
    frames->on_wires -= from_wire;
    frames->on_cores -= !from_wire;
    /* Wake all, as one thread may not be allowed to take it. */
    pthread_cond_broadcast(&frames->given);
    pthread_mutex_unlock(&frames->lock);
}

struct pool_frame *frame_pool_take(struct frame_pool *frames)
{
    return take(frames, false);
}

void frame_pool_give(struct frame_pool *frames, struct pool_frame *frame)
{
    give(frames, frame, false);
}

struct pool_frame *frame_pool_take_for_transfer(struct frame_pool *frames)
{
    return take(frames, true);
}

void frame_pool_give_from_transfer(struct frame_pool *frames,
                                   struct pool_frame *frame)
{
    give(frames, frame, true);
}
