#include "adb/services/stream_relay.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

#define PIECE_SIZE ((size_t)64 * 1024)

struct stream_relay {
    struct stream *near;
    struct stream *far;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    bool far_ended;
    unsigned long answers;
};

/* The end of either stream is no error. */
static bool copy_piece(struct stream *from, struct stream *to, char *piece)
{
    struct err err;
    size_t got;

    return stream_read(from, piece, PIECE_SIZE, DEADLINE_NEVER, &got, &err) &&
           got && stream_write(to, piece, got, DEADLINE_NEVER, &err);
}

static void *from_far(void *context)
{
    struct stream_relay *stream_relay = context;
    char *piece = mem_resize(NULL, PIECE_SIZE, 1);
    bool more = true;

    while (more) {
        more = copy_piece(stream_relay->far, stream_relay->near, piece);
        pthread_mutex_lock(&stream_relay->lock);
        stream_relay->answers++;
        stream_relay->far_ended = !more;
        pthread_cond_signal(&stream_relay->changed);
        pthread_mutex_unlock(&stream_relay->lock);
    }
    stream_interrupt(stream_relay->near);
    stream_interrupt(stream_relay->far);
    free(piece);
    return NULL;
}

static void to_far(struct stream_relay *stream_relay)
{
    char *piece = mem_resize(NULL, PIECE_SIZE, 1);

    while (copy_piece(stream_relay->near, stream_relay->far, piece))
        continue;
    free(piece);
}

/* Forward what far still sends, until it is silent for a while. */
static void linger(struct stream_relay *stream_relay)
{
    unsigned long before;

    pthread_mutex_lock(&stream_relay->lock);
    do {
        struct timespec until =
            deadline_timespec(deadline_in_ms(STREAM_RELAY_LINGER_MS));
        int late = 0;

        before = stream_relay->answers;
        while (!late && !stream_relay->far_ended &&
               stream_relay->answers == before)
            late = pthread_cond_timedwait(&stream_relay->changed,
                                          &stream_relay->lock, &until);
    } while (!stream_relay->far_ended && stream_relay->answers != before);
    pthread_mutex_unlock(&stream_relay->lock);
}

void stream_relay(struct stream *near, struct stream *far)
{
    struct stream_relay stream_relay = {.near = near, .far = far};
    pthread_t answers;

    pthread_mutex_init(&stream_relay.lock, NULL);
    deadline_cond_init(&stream_relay.changed);
    if (!pthread_create(&answers, NULL, from_far, &stream_relay)) {
        to_far(&stream_relay);
        if (stream_is_writable(near))
            linger(&stream_relay);
        stream_interrupt(far);
        pthread_join(answers, NULL);
    }
    pthread_cond_destroy(&stream_relay.changed);
    pthread_mutex_destroy(&stream_relay.lock);
}
