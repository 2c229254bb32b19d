#include "tools/phone/core/timers.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/mem.h"

/* Later than any clock, but small enough to add times to it. */
#define DUE_MAX (INT64_MAX / 2)

void timers_init(struct phone_timers *timers)
{
    *timers = (struct phone_timers){
        .timers = mem_new(TIMERS_MAX, sizeof(*timers->timers)),
    };
    pthread_mutex_init(&timers->lock, NULL);
    deadline_cond_init(&timers->changed);
}

void timers_release(struct phone_timers *timers)
{
    free(timers->timers);
    pthread_cond_destroy(&timers->changed);
    pthread_mutex_destroy(&timers->lock);
}

void timers_own(struct phone_timers *timers, const struct timers_owner *owner)
{
    assert(timers->owner_count < TIMERS_OWNERS_MAX);
    timers->owners[timers->owner_count++] = *owner;
}

/* ---- with the lock held ---- */

static void insert(struct phone_timers *timers, const struct phone_timer *timer)
{
    size_t at = timers->count;

    while (at && timers->timers[at - 1].due > timer->due)
        at--;
    memmove(timers->timers + at + 1, timers->timers + at,
            (timers->count - at) * sizeof(*timer));
    timers->timers[at] = *timer;
    timers->count++;
}

static void take_out(struct phone_timers *timers, size_t at)
{
    timers->count--;
    memmove(timers->timers + at, timers->timers + at + 1,
            (timers->count - at) * sizeof(*timers->timers));
}

/* ---- functions that take the lock ---- */

bool timers_set(struct phone_timers *timers, const struct phone_timer *timer,
                uint64_t *id)
{
    struct phone_timer set = *timer;
    bool fits;

    pthread_mutex_lock(&timers->lock);
    fits = timers->count < TIMERS_MAX;
    if (fits) {
        set.id = ++timers->last_id;
        insert(timers, &set);
        *id = set.id;
        pthread_cond_broadcast(&timers->changed);
    }
    pthread_mutex_unlock(&timers->lock);
    return fits;
}

bool timers_cancel(struct phone_timers *timers, uint64_t id)
{
    bool found = false;

    pthread_mutex_lock(&timers->lock);
    for (size_t i = 0; i < timers->count && !found; i++) {
        found = timers->timers[i].id == id;
        if (found)
            take_out(timers, i);
    }
    pthread_mutex_unlock(&timers->lock);
    return found;
}

void timers_forget(struct phone_timers *timers, const char *owner,
                   const char *about)
{
    pthread_mutex_lock(&timers->lock);
    for (size_t i = timers->count; i-- > 0;) {
        const struct phone_timer *timer = &timers->timers[i];

        if (!strcmp(timer->owner, owner) && !strcmp(timer->about, about))
            take_out(timers, i);
    }
    pthread_mutex_unlock(&timers->lock);
}

bool timers_take(struct phone_timers *timers, int64_t by,
                 struct phone_timer *timer)
{
    bool due;

    pthread_mutex_lock(&timers->lock);
    due = timers->count && timers->timers[0].due <= by;
    if (due) {
        *timer = timers->timers[0];
        take_out(timers, 0);
    }
    pthread_mutex_unlock(&timers->lock);
    return due;
}

void timers_fire(struct phone_timers *timers, const struct phone_timer *timer)
{
    for (size_t i = 0; i < timers->owner_count; i++) {
        const struct timers_owner *owner = &timers->owners[i];

        if (!strcmp(owner->name, timer->owner))
            owner->fire(owner->context, timer);
    }
}

/* ---- for a real clock ---- */

void timers_sleep(struct phone_timers *timers, int64_t ahead)
{
    pthread_mutex_lock(&timers->lock);
    while (!timers->awake) {
        struct deadline by = DEADLINE_NEVER;
        struct timespec until;

        if (timers->count)
            by.at_ns = timers->timers[0].due - ahead;
        if (deadline_passed(by))
            break;
        until = deadline_timespec(by);
        pthread_cond_timedwait(&timers->changed, &timers->lock, &until);
    }
    pthread_mutex_unlock(&timers->lock);
}

void timers_wake(struct phone_timers *timers)
{
    pthread_mutex_lock(&timers->lock);
    timers->awake = true;
    pthread_cond_broadcast(&timers->changed);
    pthread_mutex_unlock(&timers->lock);
}

/* ---- snapshots ---- */

void timers_save(struct phone_timers *timers, struct buf *out)
{
    pthread_mutex_lock(&timers->lock);
    saved_state_put_u64(out, timers->last_id);
    saved_state_put_u64(out, timers->count);
    for (size_t i = 0; i < timers->count; i++) {
        const struct phone_timer *timer = &timers->timers[i];

        saved_state_put_u64(out, timer->id);
        saved_state_put_i64(out, timer->due);
        saved_state_put_text(out, timer->owner);
        saved_state_put_text(out, timer->about);
        saved_state_put_i64(out, timer->what);
    }
    pthread_mutex_unlock(&timers->lock);
}

static void load_timer(struct saved_state *in, struct phone_timer *timer)
{
    timer->id = saved_state_u64(in);
    timer->due = saved_state_i64(in, 0, DUE_MAX);
    saved_state_text(in, timer->owner, sizeof(timer->owner));
    saved_state_text(in, timer->about, sizeof(timer->about));
    timer->what = saved_state_i64(in, INT64_MIN, INT64_MAX);
}

void timers_load(struct phone_timers *timers, int64_t later,
                 struct saved_state *in)
{
    uint64_t last_id = saved_state_u64(in);
    size_t count = saved_state_count(in, TIMERS_MAX);
    struct phone_timer *loaded = mem_new(TIMERS_MAX, sizeof(*loaded));

    for (size_t i = 0; i < count; i++) {
        load_timer(in, &loaded[i]);
        loaded[i].due += later;
        if (i && loaded[i].due < loaded[i - 1].due)
            saved_state_break(in);
    }
    pthread_mutex_lock(&timers->lock);
    if (!in->trial && !in->broken) {
        struct phone_timer *old = timers->timers;

        timers->timers = loaded;
        timers->count = count;
        timers->last_id = last_id;
        pthread_cond_broadcast(&timers->changed);
        loaded = old;
    }
    pthread_mutex_unlock(&timers->lock);
    free(loaded);
}
