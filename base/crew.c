#include "base/crew.h"

#include <stdlib.h>

#include "base/mem.h"

struct job {
    struct crew *crew;
    crew_work_fn *work;
    void *context;
};

void crew_init(struct crew *crew, size_t limit)
{
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->ended, NULL);
    crew->count = 0;
    crew->limit = limit;
}

void crew_release(struct crew *crew)
{
    pthread_cond_destroy(&crew->ended);
    pthread_mutex_destroy(&crew->lock);
}

static bool count_in(struct crew *crew)
{
    bool fits;

    pthread_mutex_lock(&crew->lock);
    fits = crew->count < crew->limit;
    crew->count += fits;
    pthread_mutex_unlock(&crew->lock);
    return fits;
}

static void count_out(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    crew->count--;
    pthread_cond_broadcast(&crew->ended);
    pthread_mutex_unlock(&crew->lock);
}

static void *do_job(void *context)
{
    struct job job = *(struct job *)context;

    free(context);
    job.work(job.context);
    count_out(job.crew);
    return NULL;
}

static bool start_detached(struct job *job)
{
    pthread_attr_t attributes;
    pthread_t thread;
    bool started;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    started = !pthread_create(&thread, &attributes, do_job, job);
    pthread_attr_destroy(&attributes);
    return started;
}

bool crew_start(struct crew *crew, crew_work_fn *work, void *context)
{
    struct job *job;

    if (!count_in(crew))
        return false;
    job = mem_new(1, sizeof(*job));
    *job = (struct job){crew, work, context};
    if (start_detached(job))
        return true;
    free(job);
    count_out(crew);
    return false;
}

void crew_wait(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->count)
        pthread_cond_wait(&crew->ended, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}
