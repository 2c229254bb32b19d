#include "runner/frames.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

#define SPARE 2 /* beyond one per core */
#define FRAMES_MAX 64

/* Each is a frame as it came, and again as a picture. */
#define SHOTS 4

/* Who uses which of some things. */
struct turns_at {
    pthread_cond_t given;
    size_t limit;
    bool used[FRAMES_MAX];
};

struct frames {
    pthread_mutex_t lock; /* guards both below */
    struct turns_at at_frames;
    struct turns_at at_shots;
    struct frame frames[FRAMES_MAX]; /* owned by who uses them, as the shots */
    struct screenshot shots[SHOTS];
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

    frames->at_frames.limit = limit_by_cores();
    frames->at_shots.limit = SHOTS;
    for (size_t i = 0; i < SHOTS; i++)
        frames->shots[i] = (struct screenshot)SCREENSHOT_INIT;
    pthread_mutex_init(&frames->lock, NULL);
    pthread_cond_init(&frames->at_frames.given, NULL);
    pthread_cond_init(&frames->at_shots.given, NULL);
    return frames;
}

void frame_release(struct frame *frame)
{
    picture_release(&frame->screen);
    picture_release(&frame->scaled);
}

void frames_close(struct frames *frames)
{
    if (!frames)
        return;
    for (size_t i = 0; i < FRAMES_MAX; i++)
        frame_release(&frames->frames[i]);
    for (size_t i = 0; i < SHOTS; i++)
        screenshot_release(&frames->shots[i]);
    pthread_mutex_destroy(&frames->lock);
    pthread_cond_destroy(&frames->at_frames.given);
    pthread_cond_destroy(&frames->at_shots.given);
    free(frames);
}

/* The first that nobody uses: its memory is the warmest. */
static size_t first_free(const struct turns_at *turns)
{
    size_t i = 0;

    while (i < turns->limit && turns->used[i])
        i++;
    return i;
}

static size_t take(struct frames *frames, struct turns_at *turns)
{
    size_t place;

    pthread_mutex_lock(&frames->lock);
    while ((place = first_free(turns)) == turns->limit)
        pthread_cond_wait(&turns->given, &frames->lock);
    turns->used[place] = true;
    pthread_mutex_unlock(&frames->lock);
    return place;
}

static void give(struct frames *frames, struct turns_at *turns, size_t place)
{
    pthread_mutex_lock(&frames->lock);
    turns->used[place] = false;
    pthread_cond_signal(&turns->given);
    pthread_mutex_unlock(&frames->lock);
}

struct frame *frames_take(struct frames *frames)
{
    return &frames->frames[take(frames, &frames->at_frames)];
}

void frames_give(struct frames *frames, struct frame *frame)
{
    give(frames, &frames->at_frames, (size_t)(frame - frames->frames));
}

struct screenshot *frames_take_shot(struct frames *frames)
{
    return &frames->shots[take(frames, &frames->at_shots)];
}

void frames_give_shot(struct frames *frames, struct screenshot *shot)
{
    give(frames, &frames->at_shots, (size_t)(shot - frames->shots));
}
