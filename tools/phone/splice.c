#include "tools/phone/splice.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

#define PIECE_SIZE ((size_t)64 * 1024)

struct splice {
    struct stream *near;
    struct stream *far;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    bool far_ended;
    unsigned long answers;
};

/* How the two ends end is no error of anybody's. */
static bool copy_piece(struct stream *from, struct stream *to, char *piece)
{
    struct err err;
    size_t got;

    return stream_read(from, piece, PIECE_SIZE, DEADLINE_NEVER, &got, &err) &&
           got && stream_write(to, piece, got, DEADLINE_NEVER, &err);
}

static void *from_far(void *context)
{
    struct splice *splice = context;
    char *piece = mem_resize(NULL, PIECE_SIZE, 1);
    bool more = true;

    while (more) {
        more = copy_piece(splice->far, splice->near, piece);
        pthread_mutex_lock(&splice->lock);
        splice->answers++;
        splice->far_ended = !more;
        pthread_cond_signal(&splice->changed);
        pthread_mutex_unlock(&splice->lock);
    }
    stream_interrupt(splice->near);
    stream_interrupt(splice->far);
    free(piece);
    return NULL;
}

static void to_far(struct splice *splice)
{
    char *piece = mem_resize(NULL, PIECE_SIZE, 1);

    while (copy_piece(splice->near, splice->far, piece))
        continue;
    free(piece);
}

/* Hear far out, while it says something now and then. */
static void linger(struct splice *splice)
{
    unsigned long before;

    pthread_mutex_lock(&splice->lock);
    do {
        struct timespec until =
            deadline_timespec(deadline_in_ms(SPLICE_LINGER_MS));
        int late = 0;

        before = splice->answers;
        while (!late && !splice->far_ended && splice->answers == before)
            late =
                pthread_cond_timedwait(&splice->changed, &splice->lock, &until);
    } while (!splice->far_ended && splice->answers != before);
    pthread_mutex_unlock(&splice->lock);
}

void splice(struct stream *near, struct stream *far)
{
    struct splice splice = {.near = near, .far = far};
    pthread_t answers;

    pthread_mutex_init(&splice.lock, NULL);
    deadline_cond_init(&splice.changed);
    if (!pthread_create(&answers, NULL, from_far, &splice)) {
        to_far(&splice);
        linger(&splice);
        stream_interrupt(far);
        pthread_join(answers, NULL);
    }
    pthread_cond_destroy(&splice.changed);
    pthread_mutex_destroy(&splice.lock);
}
