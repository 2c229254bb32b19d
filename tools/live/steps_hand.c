/*
 * Steps of a person who holds the viewed phone: a thread takes the turns of a
 * hand session, over the connection of the view.
 */
#include <pthread.h>
#include <stdlib.h>

#include "adb/device/device.h"
#include "base/mem.h"
#include "runner/hand/hand_session.h"
#include "tools/live/live_recorder_private.h"

/* How long a turn may wait for a touch. */
#define WAIT_MS 100

struct in_hand {
    struct live_steps steps; /* first */
    struct live_recorder *live;
    struct device *device;     /* owned */
    struct hand_session *hand; /* owned; used by the thread */
    pthread_t thread;

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    bool in_turn; /* the thread uses the recorder */
    int holds;    /* how many want that it does not */
    bool ending;
    struct err over; /* why the last turn has failed; ERR_NONE: it has not */
};

/* ---- the thread ---- */

/* False: it is over. */
static bool begin_turn(struct in_hand *self)
{
    bool goes_on;

    pthread_mutex_lock(&self->lock);
    while (self->holds && !self->ending)
        pthread_cond_wait(&self->changed, &self->lock);
    goes_on = !self->ending;
    self->in_turn = goes_on;
    pthread_mutex_unlock(&self->lock);
    return goes_on;
}

static void end_turn(struct in_hand *self)
{
    pthread_mutex_lock(&self->lock);
    self->in_turn = false;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

static bool take_turns(struct in_hand *self, struct err *err)
{
    bool ready = false, done = true;

    while (done && begin_turn(self)) {
        struct hand_turn turn;

        done = hand_session_turn(self->hand, WAIT_MS, &turn, err);
        if (done && turn.ready != ready) {
            ready = turn.ready;
            live_recorder_set_ready(self->live, ready);
        }
        end_turn(self);
    }
    return done;
}

/* The connection is given back here: the view waits for that to close it. */
static void *record(void *context)
{
    struct in_hand *self = context;
    struct err err = ERR_INIT;
    struct hand_turn turn;
    bool done = take_turns(self, &err);

    if (!done)
        live_recorder_note_failure(self->live, &err);
    else
        done = hand_session_end(self->hand, &turn, &err);
    hand_session_close(self->hand);
    device_close(self->device);
    if (!done)
        self->over = err;
    return NULL;
}

/* ---- the view ---- */

/* What is done on the page would not come from the touch screen. */
static bool refuse(void *context, const struct view_command *command,
                   struct err *err)
{
    (void)context;
    (void)command;
    return err_set(err, ERR_REFUSED,
                   "the phone is recorded in the hand: touch the phone itself");
}

static void after(void *context, const struct view_command *command, bool done)
{
    (void)context;
    (void)command;
    (void)done;
}

/* ---- for the recorder ---- */

static struct in_hand *hand_of(struct live_steps *steps)
{
    return (struct in_hand *)steps;
}

static bool in_hand_hold(struct live_steps *steps, struct err *err)
{
    struct in_hand *self = hand_of(steps);

    (void)err;
    pthread_mutex_lock(&self->lock);
    self->holds++;
    while (self->in_turn)
        pthread_cond_wait(&self->changed, &self->lock);
    pthread_mutex_unlock(&self->lock);
    return true;
}

static void in_hand_resume(struct live_steps *steps, bool undone)
{
    struct in_hand *self = hand_of(steps);

    (void)undone;
    pthread_mutex_lock(&self->lock);
    self->holds--;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

static bool in_hand_end(struct live_steps *steps, bool finish, struct err *err)
{
    struct in_hand *self = hand_of(steps);

    (void)finish;
    phone_view_record(self->live->options.view, NULL);
    pthread_mutex_lock(&self->lock);
    self->ending = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    pthread_join(self->thread, NULL);
    if (self->over.code == ERR_NONE)
        return true;
    *err = self->over;
    return false;
}

static void in_hand_close(struct live_steps *steps)
{
    struct in_hand *self = hand_of(steps);

    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

static bool open_session(struct in_hand *self, struct err *err)
{
    const struct live_recorder *live = self->live;
    const struct hand_session_options options = {
        .device = self->device,
        .phone = live->phone,
        .recorder = live->recorder,
    };
    int number;

    if (!hand_session_open(&options, &self->hand, err))
        return false;
    number = pthread_create(&self->thread, NULL, record, self);
    if (!number)
        return true;
    hand_session_close(self->hand);
    return err_errno(err, number, "starting a thread for the recording");
}

bool steps_hand_open(struct live_recorder *live, struct live_steps **steps,
                     struct err *err)
{
    static const struct live_steps_ops ops = {in_hand_hold, in_hand_resume,
                                              in_hand_end, in_hand_close};
    const struct view_recorder refusal = {.before = refuse, .after = after};
    struct phone_view *view = live->options.view;
    struct in_hand *self = mem_new(1, sizeof(*self));

    self->steps.ops = &ops;
    self->live = live;
    self->over = (struct err)ERR_INIT;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    phone_view_record(view, &refusal);
    if (phone_view_borrow(view, &self->device, err)) {
        if (open_session(self, err)) {
            *steps = &self->steps;
            return true;
        }
        device_close(self->device);
    }
    phone_view_record(view, NULL);
    in_hand_close(&self->steps);
    return false;
}
