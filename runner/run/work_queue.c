#include "runner/run/work_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/deadline.h"
#include "base/mem.h"

enum queue_state { WAITING, TAKEN, DONE, GIVEN_UP };

struct queue_entry {
    enum queue_state state;
    int attempt;   /* number of the next attempt's folder */
    int tries;     /* attempts of this start */
    uint64_t turn; /* order of return: the last one waits longest */
};

struct work_queue {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct queue_entry *entries; /* owned; by repeat */
    size_t tasks;
    size_t count;
    int tries;
    uint64_t turns;
    bool stopped;
};

struct work_queue *work_queue_open(size_t tasks, int repeats, int tries)
{
    struct work_queue *work = mem_new(1, sizeof(*work));

    work->tasks = tasks;
    work->count = tasks * (size_t)repeats;
    work->entries = mem_new(work->count + 1, sizeof(*work->entries));
    work->tries = tries;
    pthread_mutex_init(&work->lock, NULL);
    deadline_cond_init(&work->changed);
    return work;
}

void work_queue_close(struct work_queue *work)
{
    if (!work)
        return;
    pthread_cond_destroy(&work->changed);
    pthread_mutex_destroy(&work->lock);
    free(work->entries);
    free(work);
}

static struct queue_entry *entry_of(struct work_queue *work, size_t task,
                                    int repeat)
{
    return &work->entries[(size_t)repeat * work->tasks + task];
}

/* Count an attempt. */
static void count(struct work_queue *work, struct queue_entry *entry,
                  enum work_queue_outcome outcome)
{
    entry->tries += outcome != WORK_QUEUE_RETURNED;
    if (outcome == WORK_QUEUE_ENDED || entry->state == DONE)
        entry->state = DONE;
    else if (entry->tries >= work->tries)
        entry->state = GIVEN_UP;
    else
        entry->state = WAITING;
}

void work_queue_add_known(struct work_queue *work,
                          const struct work_queue_item *item,
                          enum work_queue_outcome outcome)
{
    struct queue_entry *entry = entry_of(work, item->task, item->repeat);

    pthread_mutex_lock(&work->lock);
    if (item->attempt >= entry->attempt)
        entry->attempt = item->attempt + 1;
    count(work, entry, outcome);
    pthread_mutex_unlock(&work->lock);
}

/* The next entry; NULL: none is waiting. *left: some may return. */
static struct queue_entry *next(struct work_queue *work, bool *left)
{
    struct queue_entry *found = NULL;

    *left = false;
    for (size_t i = 0; i < work->count; i++) {
        struct queue_entry *entry = &work->entries[i];

        *left = *left || entry->state == TAKEN;
        if (entry->state == WAITING && (!found || entry->turn < found->turn))
            found = entry;
    }
    return found;
}

bool work_queue_claim(struct work_queue *work, struct work_queue_item *item)
{
    struct queue_entry *entry = NULL;
    bool left = true;

    pthread_mutex_lock(&work->lock);
    while (!work->stopped && !(entry = next(work, &left)) && left)
        pthread_cond_wait(&work->changed, &work->lock);
    if (entry && !work->stopped) {
        size_t place = (size_t)(entry - work->entries);

        entry->state = TAKEN;
        *item = (struct work_queue_item){.task = place % work->tasks,
                                         .repeat = (int)(place / work->tasks),
                                         .attempt = entry->attempt};
    } else {
        entry = NULL;
    }
    pthread_mutex_unlock(&work->lock);
    return entry != NULL;
}

bool work_queue_heartbeat(struct work_queue *work,
                          const struct work_queue_item *item)
{
    bool goes_on;

    (void)item;
    pthread_mutex_lock(&work->lock);
    goes_on = !work->stopped;
    pthread_mutex_unlock(&work->lock);
    return goes_on;
}

void work_queue_finish(struct work_queue *work,
                       const struct work_queue_item *item,
                       enum work_queue_outcome outcome)
{
    struct queue_entry *entry;

    pthread_mutex_lock(&work->lock);
    entry = entry_of(work, item->task, item->repeat);
    entry->turn = ++work->turns;
    entry->attempt = item->attempt + 1; /* its folder may exist */
    count(work, entry, outcome);
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
}

void work_queue_stop(struct work_queue *work)
{
    pthread_mutex_lock(&work->lock);
    work->stopped = true;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
}

static bool anything_left(const struct work_queue *work)
{
    for (size_t i = 0; i < work->count; i++) {
        if (work->entries[i].state == WAITING ||
            work->entries[i].state == TAKEN)
            return true;
    }
    return false;
}

void work_queue_wait(struct work_queue *work, int64_t ms)
{
    struct timespec until = deadline_timespec(deadline_in_ms(ms));
    int error = 0;

    pthread_mutex_lock(&work->lock);
    while (!error && !work->stopped && anything_left(work))
        error = pthread_cond_timedwait(&work->changed, &work->lock, &until);
    pthread_mutex_unlock(&work->lock);
}

void work_queue_get_state(struct work_queue *work,
                          struct work_queue_state *state)
{
    pthread_mutex_lock(&work->lock);
    *state =
        (struct work_queue_state){.all = work->count, .stopped = work->stopped};
    for (size_t i = 0; i < work->count; i++) {
        state->ended += work->entries[i].state == DONE;
        state->given_up += work->entries[i].state == GIVEN_UP;
        state->taken += work->entries[i].state == TAKEN;
    }
    pthread_mutex_unlock(&work->lock);
}
