#include "adb/services/pump_set.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/services/pump.h"
#include "base/cancel.h"
#include "base/mem.h"

#define REPORT_NS INT64_C(1000000000)

/* The number of slots to keep free, or to free, while others linger. */
#define ROOM_MIN 16

struct pump_slot {
    struct pump_set *pump_set;
    bool started; /* thread is to be joined */
    bool ended;   /* and joining it takes no time */
    pthread_t thread;
    struct pump_ends ends;     /* the thread's own */
    char *target;              /* owned */
    struct stream *live;       /* borrowed; what pump_set_stop must interrupt */
    struct cancel stop_linger; /* owned while the thread runs */
    int64_t lingers_ns;        /* since when it lingers; 0: it does not */
    bool evicted;
};

struct pump_set {
    pump_open_fn *open;
    void *context;
    bool serves;
    const struct log *log;
    struct cancel cancel;
    pthread_mutex_t
        lock; /* over what pump_set_add and pump_set_stop see of slots */
    pthread_cond_t slot_ended;
    bool closed; /* nothing waits for room any more */
    bool stopping;
    pump_set_refused_fn *refused;
    void *refused_context;
    size_t unreported;     /* refused connections that were not reported yet */
    struct err last_cause; /* of the last one of them */
    int64_t reported_ns;   /* time of the last report */
    struct pump_slot slots[PUMP_SET_MAX];
};

static void close_ends(struct pump_ends *ends)
{
    stream_close(ends->stream);
    if (ends->fd >= 0)
        close(ends->fd);
    *ends = (struct pump_ends){.fd = -1};
}

bool pump_set_start(pump_open_fn *open, void *context, bool serves,
                    const struct log *log, struct pump_set **pump_set,
                    struct err *err)
{
    struct pump_set *started = mem_new(1, sizeof(*started));

    if (!cancel_init(&started->cancel, err)) {
        free(started);
        return false;
    }
    started->open = open;
    started->context = context;
    started->serves = serves;
    started->log = log;
    pthread_mutex_init(&started->lock, NULL);
    deadline_cond_init(&started->slot_ended);
    for (size_t i = 0; i < PUMP_SET_MAX; i++)
        started->slots[i].pump_set = started;
    *pump_set = started;
    return true;
}

void pump_set_watch(struct pump_set *pump_set, pump_set_refused_fn *refused,
                    void *context)
{
    pthread_mutex_lock(&pump_set->lock);
    pump_set->refused = refused;
    pump_set->refused_context = context;
    pthread_mutex_unlock(&pump_set->lock);
}

/* Under the lock. */
static void report_unreported(struct pump_set *pump_set)
{
    if (!pump_set->refused || !pump_set->unreported)
        return;
    pump_set->refused(pump_set->refused_context, pump_set->unreported,
                      &pump_set->last_cause);
    pump_set->unreported = 0;
    pump_set->reported_ns = clock_ns();
}

/* The same, if the last report is long enough ago. */
static void report_if_due(struct pump_set *pump_set)
{
    if (pump_set->unreported &&
        (!pump_set->reported_ns ||
         clock_ns() - pump_set->reported_ns >= REPORT_NS))
        report_unreported(pump_set);
}

/* One connection could not be served; under the lock. */
static void report(struct pump_set *pump_set, const char *target,
                   const struct err *why)
{
    log_trace(pump_set->log, LOG_CONN, "forward: %s: %s", target, why->text);
    pump_set->unreported++;
    pump_set->last_cause = *why;
    report_if_due(pump_set);
}

/* Let pump_set_stop find the stream; false when it has been called already. */
static bool set_live(struct pump_slot *slot, struct stream *stream)
{
    struct pump_set *pump_set = slot->pump_set;
    bool going;

    pthread_mutex_lock(&pump_set->lock);
    slot->live = stream;
    going = !pump_set->stopping;
    pthread_mutex_unlock(&pump_set->lock);
    return going;
}

static void on_linger_begin(void *context)
{
    struct pump_slot *slot = context;

    pthread_mutex_lock(&slot->pump_set->lock);
    slot->lingers_ns = clock_ns();
    if (slot->pump_set->serves)
        cancel_fire(&slot->stop_linger);
    pthread_mutex_unlock(&slot->pump_set->lock);
}

static void *run_slot(void *context)
{
    struct pump_slot *slot = context;
    struct pump_set *pump_set = slot->pump_set;
    const struct pump_linger linger = {on_linger_begin, slot,
                                       &slot->stop_linger};
    struct err err = ERR_INIT;
    bool good;

    good = pump_set->open(pump_set->context, slot->target,
                          deadline_in_ms(PUMP_SET_OPEN_MS), &slot->ends, &err);
    if (good && set_live(slot, slot->ends.stream))
        good = pump_run(slot->ends.stream, slot->ends.fd, &pump_set->cancel,
                        &linger, &err);
    pthread_mutex_lock(&pump_set->lock);
    slot->live = NULL;
    if (!good && !pump_set->stopping)
        report(pump_set, slot->target, &err);
    else
        report_if_due(pump_set);
    pthread_mutex_unlock(&pump_set->lock);
    close_ends(&slot->ends);
    pthread_mutex_lock(&pump_set->lock);
    slot->ended = true;
    slot->lingers_ns = 0;
    cancel_release(&slot->stop_linger);
    pthread_cond_signal(&pump_set->slot_ended);
    pthread_mutex_unlock(&pump_set->lock);
    free(slot->target);
    return NULL;
}

/* A slot to use, under the lock; NULL when all run. */
static struct pump_slot *reap(struct pump_set *pump_set)
{
    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        struct pump_slot *slot = &pump_set->slots[i];

        if (slot->ended)
            pthread_join(slot->thread, NULL);
        if (slot->ended || !slot->started) {
            slot->started = false;
            slot->ended = false;
            return slot;
        }
    }
    return NULL;
}

/* Stop the pump that has lingered longest. False: no other lingers. */
static bool evict_one(struct pump_set *pump_set)
{
    struct pump_slot *longest = NULL;

    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        struct pump_slot *slot = &pump_set->slots[i];

        if (slot->lingers_ns && !slot->evicted &&
            (!longest || slot->lingers_ns < longest->lingers_ns))
            longest = slot;
    }
    if (!longest)
        return false;
    cancel_fire(&longest->stop_linger);
    longest->evicted = true;
    return true;
}

/* How many slots are free, and how many will be soon. */
static void count_room(const struct pump_set *pump_set, size_t *room,
                       size_t *evicted)
{
    *room = 0;
    *evicted = 0;
    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        const struct pump_slot *slot = &pump_set->slots[i];

        *room += !slot->started || slot->ended;
        *evicted += slot->started && !slot->ended && slot->evicted;
    }
}

/* Stop lingering pumps early enough for the next connections. */
static void keep_room(struct pump_set *pump_set)
{
    size_t room;
    size_t evicted;

    count_room(pump_set, &room, &evicted);
    while (room + evicted < ROOM_MIN && evict_one(pump_set))
        evicted++;
}

/* Is a slot about to become free? */
static bool expects_room(const struct pump_set *pump_set)
{
    size_t room;
    size_t evicted;

    count_room(pump_set, &room, &evicted);
    return evicted;
}

/* A free slot, under the lock, which is released while waiting for one. */
static struct pump_slot *find_room(struct pump_set *pump_set)
{
    struct timespec until = deadline_timespec(deadline_in_ms(PUMP_SET_ROOM_MS));
    struct pump_slot *slot;

    keep_room(pump_set);
    while (!(slot = reap(pump_set)) && expects_room(pump_set) &&
           !pump_set->closed) {
        if (pthread_cond_timedwait(&pump_set->slot_ended, &pump_set->lock,
                                   &until))
            return reap(pump_set);
    }
    return slot;
}

static bool start_slot(struct pump_set *pump_set, struct pump_ends ends,
                       const char *target, struct err *err)
{
    struct pump_slot *slot = find_room(pump_set);
    int failed;

    if (!slot)
        return err_set(err, ERR_LIMIT, "%d connections are open already",
                       PUMP_SET_MAX);
    if (!cancel_init(&slot->stop_linger, err))
        return false;
    slot->evicted = false;
    slot->ends = ends;
    slot->target = mem_dup(target);
    failed = pthread_create(&slot->thread, NULL, run_slot, slot);
    if (failed) {
        cancel_release(&slot->stop_linger);
        free(slot->target);
        return err_errno(err, failed, "starting a thread");
    }
    slot->started = true;
    return true;
}

/* Close with a reset, so that the client sees that it was refused. */
static void reset_ends(struct pump_ends *ends)
{
    const struct linger at_once = {.l_onoff = 1};

    if (ends->fd >= 0)
        (void)setsockopt(ends->fd, SOL_SOCKET, SO_LINGER, &at_once,
                         sizeof(at_once));
    close_ends(ends);
}

bool pump_set_add(struct pump_set *pump_set, struct pump_ends ends,
                  const char *target, struct err *err)
{
    bool started;

    pthread_mutex_lock(&pump_set->lock);
    assert(!pump_set->stopping);
    started = start_slot(pump_set, ends, target, err);
    if (!started)
        report(pump_set, target, err);
    pthread_mutex_unlock(&pump_set->lock);
    if (!started)
        reset_ends(&ends);
    return started;
}

void pump_set_close(struct pump_set *pump_set)
{
    pthread_mutex_lock(&pump_set->lock);
    pump_set->closed = true;
    pthread_cond_broadcast(&pump_set->slot_ended);
    pthread_mutex_unlock(&pump_set->lock);
}

void pump_set_stop(struct pump_set *pump_set)
{
    if (!pump_set)
        return;
    cancel_fire(&pump_set->cancel);
    pthread_mutex_lock(&pump_set->lock);
    pump_set->stopping = true;
    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        if (pump_set->slots[i].live)
            stream_interrupt(pump_set->slots[i].live);
    }
    pthread_mutex_unlock(&pump_set->lock);
    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        if (pump_set->slots[i].started)
            pthread_join(pump_set->slots[i].thread, NULL);
    }
    report_unreported(pump_set); /* no other thread is left */
    cancel_release(&pump_set->cancel);
    pthread_cond_destroy(&pump_set->slot_ended);
    pthread_mutex_destroy(&pump_set->lock);
    free(pump_set);
}
