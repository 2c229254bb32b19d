#include "runner/device/control_lease.h"

void control_lease_init(struct control_lease *lease,
                        void (*on_change)(void *context), void *context)
{
    *lease = (struct control_lease){.on_change = on_change, .context = context};
    pthread_mutex_init(&lease->lock, NULL);
    pthread_cond_init(&lease->idle, NULL);
}

void control_lease_release(struct control_lease *lease)
{
    pthread_cond_destroy(&lease->idle);
    pthread_mutex_destroy(&lease->lock);
}

const char *control_holder_name(enum control_holder holder)
{
    static const char *const names[] = {
        [CONTROL_FREE] = "",
        [CONTROL_AGENT] = "agent",
        [CONTROL_PERSON] = "person",
        [CONTROL_RECORDER] = "recorder",
    };

    return names[holder];
}

/* ---- changes of the holder ---- */

static void tell(const struct control_lease *lease)
{
    if (lease->on_change)
        lease->on_change(lease->context);
}

uint32_t control_lease_take(struct control_lease *lease,
                            enum control_holder holder)
{
    uint32_t epoch;

    pthread_mutex_lock(&lease->lock);
    lease->holder = holder;
    epoch = ++lease->epoch;
    pthread_mutex_unlock(&lease->lock);
    tell(lease);
    return epoch;
}

bool control_lease_take_free(struct control_lease *lease,
                             enum control_holder holder, uint32_t *epoch,
                             struct err *err)
{
    enum control_holder current;

    pthread_mutex_lock(&lease->lock);
    current = lease->holder;
    if (current == CONTROL_FREE) {
        lease->holder = holder;
        *epoch = ++lease->epoch;
    }
    pthread_mutex_unlock(&lease->lock);
    if (current != CONTROL_FREE)
        return err_set(err, ERR_BUSY, "the phone is driven by: %s",
                       control_holder_name(current));
    tell(lease);
    return true;
}

void control_lease_give_back(struct control_lease *lease, uint32_t epoch)
{
    bool held;

    pthread_mutex_lock(&lease->lock);
    held = lease->epoch == epoch && lease->holder != CONTROL_FREE;
    if (held)
        lease->holder = CONTROL_FREE;
    pthread_mutex_unlock(&lease->lock);
    if (held)
        tell(lease);
}

/* ---- commands ---- */

/* With the lock held. */
static bool is_current(const struct control_lease *lease, uint32_t epoch,
                       struct err *err)
{
    if (lease->holder == CONTROL_FREE)
        return err_set(err, ERR_REFUSED,
                       "no one drives the phone: take control first");
    return epoch == lease->epoch ||
           err_set(err, ERR_REFUSED,
                   "control has passed on: the phone is driven by: %s",
                   control_holder_name(lease->holder));
}

bool control_lease_check(struct control_lease *lease, uint32_t epoch,
                         struct err *err)
{
    bool current;

    pthread_mutex_lock(&lease->lock);
    current = is_current(lease, epoch, err);
    pthread_mutex_unlock(&lease->lock);
    return current;
}

bool control_lease_enter(struct control_lease *lease, uint32_t epoch,
                         struct err *err)
{
    bool current;

    pthread_mutex_lock(&lease->lock);
    while ((current = is_current(lease, epoch, err)) && lease->busy)
        pthread_cond_wait(&lease->idle, &lease->lock);
    if (current)
        lease->busy = true;
    pthread_mutex_unlock(&lease->lock);
    return current;
}

void control_lease_leave(struct control_lease *lease)
{
    pthread_mutex_lock(&lease->lock);
    lease->busy = false;
    pthread_cond_broadcast(&lease->idle);
    pthread_mutex_unlock(&lease->lock);
}

enum control_holder control_lease_holder(struct control_lease *lease,
                                         uint32_t *epoch)
{
    enum control_holder holder;

    pthread_mutex_lock(&lease->lock);
    holder = lease->holder;
    if (epoch)
        *epoch = lease->epoch;
    pthread_mutex_unlock(&lease->lock);
    return holder;
}
