#include "base/thread_group.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

struct thread_group_member {
    struct thread_group *thread_group;
    thread_group_work_fn *work;
    void *context;
    pthread_t thread;
    struct thread_group_member *next; /* in thread_group->done */
};

void thread_group_init(struct thread_group *thread_group, size_t limit)
{
    pthread_mutex_init(&thread_group->lock, NULL);
    pthread_cond_init(&thread_group->ended, NULL);
    thread_group->count = 0;
    thread_group->limit = limit;
    thread_group->done = NULL;
}

void thread_group_release(struct thread_group *thread_group)
{
    assert(!thread_group->count && !thread_group->done);
    pthread_cond_destroy(&thread_group->ended);
    pthread_mutex_destroy(&thread_group->lock);
}

static void *member_main(void *context)
{
    struct thread_group_member *self = context;
    struct thread_group *thread_group = self->thread_group;

    self->work(self->context);
    pthread_mutex_lock(&thread_group->lock);
    thread_group->count--;
    self->next = thread_group->done;
    thread_group->done = self;
    pthread_cond_broadcast(&thread_group->ended);
    pthread_mutex_unlock(&thread_group->lock);
    return NULL;
}

/* Join threads that have ended. With the lock held: they no longer need it. */
static void join_done(struct thread_group *thread_group)
{
    while (thread_group->done) {
        struct thread_group_member *member = thread_group->done;

        thread_group->done = member->next;
        pthread_join(member->thread, NULL);
        free(member);
    }
}

bool thread_group_start(struct thread_group *thread_group,
                        thread_group_work_fn *work, void *context)
{
    struct thread_group_member *member = mem_new(1, sizeof(*member));
    bool started;

    *member = (struct thread_group_member){
        .thread_group = thread_group, .work = work, .context = context};
    pthread_mutex_lock(&thread_group->lock);
    join_done(thread_group);
    started = thread_group->count < thread_group->limit &&
              !pthread_create(&member->thread, NULL, member_main, member);
    thread_group->count += started;
    pthread_mutex_unlock(&thread_group->lock);
    if (!started)
        free(member);
    return started;
}

void thread_group_wait(struct thread_group *thread_group)
{
    pthread_mutex_lock(&thread_group->lock);
    while (thread_group->count)
        pthread_cond_wait(&thread_group->ended, &thread_group->lock);
    join_done(thread_group);
    pthread_mutex_unlock(&thread_group->lock);
}

size_t thread_group_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores > 1 ? (size_t)cores : 1;
}

void thread_group_share(size_t threads, thread_group_work_fn *work,
                        void *context)
{
    size_t wanted = threads ? threads : thread_group_cores();
    struct thread_group thread_group;

    thread_group_init(&thread_group, wanted - 1);
    for (size_t i = 1; i < wanted; i++) {
        if (!thread_group_start(&thread_group, work, context))
            break;
    }
    work(context);
    thread_group_wait(&thread_group);
    thread_group_release(&thread_group);
}
