#include "runner/frames.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

#define SPARE 2 /* beyond one per core */
#define KEPT_MAX 64

struct frames {
    pthread_mutex_t lock;
    pthread_cond_t given;
    struct picture kept[KEPT_MAX]; /* owned; those that nobody uses */
    size_t count;
    size_t used;
    size_t limit; /* of both together */
};

struct frames *frames_open(void)
{
    struct frames *frames = mem_new(1, sizeof(*frames));
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    frames->limit = cores > 0 ? (size_t)cores + SPARE : 1 + SPARE;
    if (frames->limit > KEPT_MAX)
        frames->limit = KEPT_MAX;
    pthread_mutex_init(&frames->lock, NULL);
    pthread_cond_init(&frames->given, NULL);
    return frames;
}

void frames_close(struct frames *frames)
{
    if (!frames)
        return;
    while (frames->count)
        picture_release(&frames->kept[--frames->count]);
    pthread_mutex_destroy(&frames->lock);
    pthread_cond_destroy(&frames->given);
    free(frames);
}

struct picture frames_take(struct frames *frames)
{
    struct picture picture = PICTURE_INIT;

    pthread_mutex_lock(&frames->lock);
    while (frames->used == frames->limit)
        pthread_cond_wait(&frames->given, &frames->lock);
    frames->used++;
    if (frames->count)
        picture = frames->kept[--frames->count];
    pthread_mutex_unlock(&frames->lock);
    return picture;
}

void frames_give(struct frames *frames, struct picture *picture)
{
    pthread_mutex_lock(&frames->lock);
    frames->used--;
    if (picture->pixels)
        frames->kept[frames->count++] = *picture;
    pthread_cond_signal(&frames->given);
    pthread_mutex_unlock(&frames->lock);
    *picture = (struct picture)PICTURE_INIT;
}
