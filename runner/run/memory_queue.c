#include "runner/run/memory_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/deadline.h"
#include "base/mem.h"

enum queue_state { WAITING, TAKEN, DONE, GIVEN_UP, NOT_OURS };

struct queue_entry {
    enum queue_state state;
    int attempt;   /* number of the next attempt's folder */
    int tries;     /* attempts of this start */
    uint64_t turn; /* order of return: the last one waits longest */
};

struct memory_queue {
    struct work_queue interface; /* first */
    pthread_mutex_t lock;        /* guards all below */
    pthread_cond_t changed;
    struct queue_entry *entries; /* owned; by repeat */
    size_t tasks;
    size_t count;
    size_t ours; /* entries that are not NOT_OURS */
    int tries;
    uint64_t turns;
    bool stopped;
};

static struct memory_queue *of(struct work_queue *work)
{
    return (struct memory_queue *)work;
}

static struct queue_entry *entry_of(struct memory_queue *queue, size_t task,
                                    int repeat)
{
    return &queue->entries[(size_t)repeat * queue->tasks + task];
}

/* Count an attempt. */
static void count(const struct memory_queue *queue, struct queue_entry *entry,
                  enum work_queue_outcome outcome)
{
    entry->tries += outcome != WORK_QUEUE_RETURNED;
    if (outcome == WORK_QUEUE_ENDED || entry->state == DONE)
        entry->state = DONE;
    else if (entry->tries >= queue->tries || outcome == WORK_QUEUE_HOPELESS)
        entry->state = GIVEN_UP;
    else
        entry->state = WAITING;
}

void memory_queue_add_known(struct work_queue *work,
                            const struct work_queue_item *item,
                            enum work_queue_outcome outcome)
{
    struct memory_queue *queue = of(work);
    struct queue_entry *entry = entry_of(queue, item->task, item->repeat);

    if (entry->state == NOT_OURS)
        return;
    pthread_mutex_lock(&queue->lock);
    if (item->attempt >= entry->attempt)
        entry->attempt = item->attempt + 1;
    count(queue, entry, outcome);
    pthread_mutex_unlock(&queue->lock);
}

/* The next entry; NULL: none is waiting. *left: some may return. */
static struct queue_entry *next(struct memory_queue *queue, bool *left)
{
    struct queue_entry *found = NULL;

    *left = false;
    for (size_t i = 0; i < queue->count; i++) {
        struct queue_entry *entry = &queue->entries[i];

        *left = *left || entry->state == TAKEN;
        if (entry->state == WAITING && (!found || entry->turn < found->turn))
            found = entry;
    }
    return found;
}

static bool memory_queue_claim(struct work_queue *work, size_t phone,
                               struct work_queue_item *item)
{
    struct memory_queue *queue = of(work);
    struct queue_entry *entry = NULL;
    bool left = true;

    (void)phone;
    pthread_mutex_lock(&queue->lock);
    while (!queue->stopped && !(entry = next(queue, &left)) && left)
        pthread_cond_wait(&queue->changed, &queue->lock);
    if (entry && !queue->stopped) {
        size_t place = (size_t)(entry - queue->entries);

        entry->state = TAKEN;
        *item = (struct work_queue_item){.task = place % queue->tasks,
                                         .repeat = (int)(place / queue->tasks),
                                         .attempt = entry->attempt};
    } else {
        entry = NULL;
    }
    pthread_mutex_unlock(&queue->lock);
    return entry != NULL;
}

static bool memory_queue_heartbeat(struct work_queue *work,
                                   const struct work_queue_item *item)
{
    struct memory_queue *queue = of(work);
    bool goes_on;

    (void)item;
    pthread_mutex_lock(&queue->lock);
    goes_on = !queue->stopped;
    pthread_mutex_unlock(&queue->lock);
    return goes_on;
}

static bool memory_queue_finish(struct work_queue *work,
                                const struct work_queue_item *item,
                                enum work_queue_outcome outcome,
                                const struct run_result *result)
{
    struct memory_queue *queue = of(work);
    struct queue_entry *entry;

    (void)result;
    pthread_mutex_lock(&queue->lock);
    entry = entry_of(queue, item->task, item->repeat);
    entry->turn = ++queue->turns;
    entry->attempt = item->attempt + 1; /* its folder may exist */
    count(queue, entry, outcome);
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return true;
}

static void memory_queue_stop(struct work_queue *work)
{
    struct memory_queue *queue = of(work);

    pthread_mutex_lock(&queue->lock);
    queue->stopped = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static bool anything_left(const struct memory_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        if (queue->entries[i].state == WAITING ||
            queue->entries[i].state == TAKEN)
            return true;
    }
    return false;
}

static void memory_queue_wait(struct work_queue *work, int64_t ms)
{
    struct memory_queue *queue = of(work);
    struct timespec until = deadline_timespec(deadline_in_ms(ms));
    int error = 0;

    pthread_mutex_lock(&queue->lock);
    while (!error && !queue->stopped && anything_left(queue))
        error = pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
    pthread_mutex_unlock(&queue->lock);
}

static void memory_queue_get_state(struct work_queue *work,
                                   struct work_queue_state *state)
{
    struct memory_queue *queue = of(work);

    pthread_mutex_lock(&queue->lock);
    *state = (struct work_queue_state){
        .all = queue->ours, .stopped = queue->stopped || !queue->ours};
    for (size_t i = 0; i < queue->count; i++) {
        state->ended += queue->entries[i].state == DONE;
        state->given_up += queue->entries[i].state == GIVEN_UP;
        state->taken += queue->entries[i].state == TAKEN;
    }
    pthread_mutex_unlock(&queue->lock);
}

static void memory_queue_close(struct work_queue *work)
{
    struct memory_queue *queue = of(work);

    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue->entries);
    free(queue);
}

void memory_queue_keep_shard(struct work_queue *work, int index, int count)
{
    struct memory_queue *queue = of(work);

    for (size_t i = 0; i < queue->count; i++) {
        if (i % (size_t)count == (size_t)index)
            continue;
        queue->entries[i].state = NOT_OURS;
        queue->ours--;
    }
}

struct work_queue *memory_queue_open(size_t tasks, int repeats, int tries)
{
    static const struct work_queue_ops ops = {
        .claim = memory_queue_claim,
        .heartbeat = memory_queue_heartbeat,
        .finish = memory_queue_finish,
        .stop = memory_queue_stop,
        .wait = memory_queue_wait,
        .get_state = memory_queue_get_state,
        .close = memory_queue_close,
    };
    struct memory_queue *queue = mem_new(1, sizeof(*queue));

    queue->interface.ops = &ops;
    queue->tasks = tasks;
    queue->count = tasks * (size_t)repeats;
    queue->ours = queue->count;
    queue->entries = mem_new(queue->count + 1, sizeof(*queue->entries));
    queue->tries = tries;
    pthread_mutex_init(&queue->lock, NULL);
    deadline_cond_init(&queue->changed);
    return &queue->interface;
}
