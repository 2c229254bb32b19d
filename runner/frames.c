#include "runner/frames.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

#define SPARE 2 /* beyond one per core */
#define KEPT_MAX 64

struct frames {
    pthread_mutex_t lock;
    struct picture kept[KEPT_MAX]; /* owned */
    size_t count;
    size_t limit; /* of those that are kept */
};

struct frames *frames_open(void)
{
    struct frames *frames = mem_new(1, sizeof(*frames));
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    frames->limit = cores > 0 ? (size_t)cores + SPARE : 1 + SPARE;
    if (frames->limit > KEPT_MAX)
        frames->limit = KEPT_MAX;
    pthread_mutex_init(&frames->lock, NULL);
    return frames;
}

void frames_close(struct frames *frames)
{
    if (!frames)
        return;
    while (frames->count)
        picture_release(&frames->kept[--frames->count]);
    pthread_mutex_destroy(&frames->lock);
    free(frames);
}

struct picture frames_take(struct frames *frames)
{
    struct picture picture = PICTURE_INIT;

    pthread_mutex_lock(&frames->lock);
    if (frames->count)
        picture = frames->kept[--frames->count];
    pthread_mutex_unlock(&frames->lock);
    return picture;
}

void frames_give(struct frames *frames, struct picture *picture)
{
    bool kept = false;

    pthread_mutex_lock(&frames->lock);
    if (picture->pixels && frames->count < frames->limit) {
        frames->kept[frames->count++] = *picture;
        kept = true;
    }
    pthread_mutex_unlock(&frames->lock);
    if (kept)
        *picture = (struct picture)PICTURE_INIT;
    picture_release(picture);
}
