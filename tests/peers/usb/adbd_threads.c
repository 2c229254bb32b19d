/*
 * Preloaded into adbd: let pthread_kill fail with ESRCH for a thread that has
 * ended, as it does in Android's C library. glibc returns 0, and adbd would
 * never stop waiting for its USB thread to end when the cable was unplugged.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#define THREADS_MAX 4096

struct thread {
    void *(*run)(void *);
    void *argument;
    pthread_t id;
    bool ended;
    bool used;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread threads[THREADS_MAX];

static void *run_thread(void *context)
{
    struct thread *thread = context;
    void *result = thread->run(thread->argument);

    pthread_mutex_lock(&lock);
    thread->ended = true;
    pthread_mutex_unlock(&lock);
    return result;
}

/* A place for a new thread: one of an ended thread when all are used. */
static struct thread *find_place(void)
{
    for (size_t i = 0; i < THREADS_MAX; i++) {
        if (!threads[i].used)
            return &threads[i];
    }
    for (size_t i = 0; i < THREADS_MAX; i++) {
        if (threads[i].ended)
            return &threads[i];
    }
    abort();
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes,
                   void *(*run)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                  void *);
    struct thread *thread;
    int failed;

    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    pthread_mutex_lock(&lock);
    thread = find_place();
    *thread = (struct thread){.run = run, .argument = argument, .used = true};
    failed = create(id, attributes, run_thread, thread);
    thread->used = !failed;
    thread->id = failed ? 0 : *id;
    /* An ended thread's id is used again. */
    for (size_t i = 0; !failed && i < THREADS_MAX; i++) {
        if (&threads[i] != thread && threads[i].id == *id)
            threads[i].used = false;
    }
    pthread_mutex_unlock(&lock);
    return failed;
}

int pthread_kill(pthread_t id, int number)
{
    int (*send)(pthread_t, int);
    bool ended = false;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < THREADS_MAX; i++)
        ended = ended || (threads[i].used && threads[i].ended &&
                          pthread_equal(threads[i].id, id));
    pthread_mutex_unlock(&lock);
    if (ended)
        return ESRCH;
    *(void **)&send = dlsym(RTLD_NEXT, "pthread_kill");
    return send(id, number);
}
