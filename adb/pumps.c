#include "adb/pumps.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "adb/pump.h"
#include "base/cancel.h"
#include "base/mem.h"

struct slot {
    struct pumps *pumps;
    bool started; /* thread is to be joined */
    bool ended;   /* and joining it takes no time */
    pthread_t thread;
    struct pump_ends ends; /* the thread's own */
    char *target;          /* owned */
    struct stream *live;   /* borrowed; what pumps_stop must interrupt */
};

struct pumps {
    pump_open_fn *open;
    void *context;
    const struct log *log;
    struct cancel cancel;
    pthread_mutex_t lock; /* over what pumps_add and pumps_stop see of slots */
    bool stopping;
    struct slot slots[PUMPS_MAX];
};

static void close_ends(struct pump_ends *ends)
{
    stream_close(ends->stream);
    if (ends->fd >= 0)
        close(ends->fd);
    *ends = (struct pump_ends){.fd = -1};
}

bool pumps_start(pump_open_fn *open, void *context, const struct log *log,
                 struct pumps **pumps, struct err *err)
{
    struct pumps *started = mem_new(1, sizeof(*started));

    if (!cancel_init(&started->cancel, err)) {
        free(started);
        return false;
    }
    started->open = open;
    started->context = context;
    started->log = log;
    pthread_mutex_init(&started->lock, NULL);
    for (size_t i = 0; i < PUMPS_MAX; i++)
        started->slots[i].pumps = started;
    *pumps = started;
    return true;
}

/* Let pumps_stop find the stream; false when it has been called already. */
static bool set_live(struct slot *slot, struct stream *stream)
{
    struct pumps *pumps = slot->pumps;
    bool going;

    pthread_mutex_lock(&pumps->lock);
    slot->live = stream;
    going = !pumps->stopping;
    pthread_mutex_unlock(&pumps->lock);
    return going;
}

static void *run_slot(void *context)
{
    struct slot *slot = context;
    struct pumps *pumps = slot->pumps;
    struct err err = ERR_INIT;
    bool good;

    good = pumps->open(pumps->context, slot->target,
                       deadline_in_ms(PUMPS_OPEN_MS), &slot->ends, &err);
    if (good && set_live(slot, slot->ends.stream))
        good = pump_run(slot->ends.stream, slot->ends.fd, &pumps->cancel, &err);
    if (!good)
        log_trace(pumps->log, LOG_CONN, "forward: %s: %s", slot->target,
                  err.text);
    pthread_mutex_lock(&pumps->lock);
    slot->live = NULL;
    slot->ended = true;
    pthread_mutex_unlock(&pumps->lock);
    close_ends(&slot->ends);
    free(slot->target);
    return NULL;
}

/* A slot to use, under the lock; NULL when all run. */
static struct slot *reap(struct pumps *pumps)
{
    for (size_t i = 0; i < PUMPS_MAX; i++) {
        struct slot *slot = &pumps->slots[i];

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

static bool start_slot(struct pumps *pumps, struct pump_ends ends,
                       const char *target, struct err *err)
{
    struct slot *slot = reap(pumps);
    int failed;

    if (!slot)
        return err_set(err, ERR_LIMIT, "%d connections are open already",
                       PUMPS_MAX);
    slot->ends = ends;
    slot->target = mem_dup(target);
    failed = pthread_create(&slot->thread, NULL, run_slot, slot);
    if (failed) {
        free(slot->target);
        return err_errno(err, failed, "starting a thread");
    }
    slot->started = true;
    return true;
}

bool pumps_add(struct pumps *pumps, struct pump_ends ends, const char *target,
               struct err *err)
{
    bool started;

    pthread_mutex_lock(&pumps->lock);
    assert(!pumps->stopping);
    started = start_slot(pumps, ends, target, err);
    pthread_mutex_unlock(&pumps->lock);
    if (!started)
        close_ends(&ends);
    return started;
}

void pumps_stop(struct pumps *pumps)
{
    if (!pumps)
        return;
    cancel_fire(&pumps->cancel);
    pthread_mutex_lock(&pumps->lock);
    pumps->stopping = true;
    for (size_t i = 0; i < PUMPS_MAX; i++) {
        if (pumps->slots[i].live)
            stream_interrupt(pumps->slots[i].live);
    }
    pthread_mutex_unlock(&pumps->lock);
    for (size_t i = 0; i < PUMPS_MAX; i++) {
        if (pumps->slots[i].started)
            pthread_join(pumps->slots[i].thread, NULL);
    }
    cancel_release(&pumps->cancel);
    pthread_mutex_destroy(&pumps->lock);
    free(pumps);
}
