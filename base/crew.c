#include "base/crew.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

struct member {
    struct crew *crew;
    crew_work_fn *work;
    void *context;
    pthread_t thread;
    struct member *next; /* in crew->done */
};

void crew_init(struct crew *crew, size_t limit)
{
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->ended, NULL);
    crew->count = 0;
    crew->limit = limit;
    crew->done = NULL;
}

void crew_release(struct crew *crew)
{
    assert(!crew->count && !crew->done);
    pthread_cond_destroy(&crew->ended);
    pthread_mutex_destroy(&crew->lock);
}

static void *member_main(void *context)
{
    struct member *self = context;
    struct crew *crew = self->crew;

    self->work(self->context);
    pthread_mutex_lock(&crew->lock);
    crew->count--;
    self->next = crew->done;
    crew->done = self;
    pthread_cond_broadcast(&crew->ended);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* Join those that have ended. Lock held: they no longer need it. */
static void join_done(struct crew *crew)
{
    while (crew->done) {
        struct member *member = crew->done;

        crew->done = member->next;
        pthread_join(member->thread, NULL);
        free(member);
    }
}

bool crew_start(struct crew *crew, crew_work_fn *work, void *context)
{
    struct member *member = mem_new(1, sizeof(*member));
    bool started;

    *member = (struct member){.crew = crew, .work = work, .context = context};
    pthread_mutex_lock(&crew->lock);
    join_done(crew);
    started = crew->count < crew->limit &&
              !pthread_create(&member->thread, NULL, member_main, member);
    crew->count += started;
    pthread_mutex_unlock(&crew->lock);
    if (!started)
        free(member);
    return started;
}

void crew_wait(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->count)
        pthread_cond_wait(&crew->ended, &crew->lock);
    join_done(crew);
    pthread_mutex_unlock(&crew->lock);
}

void crew_share(size_t threads, crew_work_fn *work, void *context)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = threads ? threads : cores > 1 ? (size_t)cores : 1;
    struct crew crew;

    crew_init(&crew, wanted - 1);
    for (size_t i = 1; i < wanted; i++) {
        if (!crew_start(&crew, work, context))
            break;
    }
    work(context);
    crew_wait(&crew);
    crew_release(&crew);
}
