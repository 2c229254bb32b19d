#include "runner/hand/hand_session.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "runner/device/device_info.h"
#include "runner/hand/getevent_reader.h"
#include "runner/hand/hand_steps.h"

#define OUTPUT_MAX ((size_t)1 << 20) /* of a command */
#define OPEN_MS 30000
#define CLOCK_READINGS 3

/* With so many, the reader thread waits. */
#define EVENTS_MAX 64

/* With room for what the last contact and the end of a tap may add. */
#define EVENTS_ROOM (EVENTS_MAX + 2 * GESTURE_QUEUE)

/* No second tap comes any more: Android's time, and the way to here. */
#define TAP_WAIT_MS 400

/* A screen may change alone: it is observed again after this time. */
#define REFRESH_MS 500

/* A gesture or a key that a person has made. */
struct hand_event {
    struct recognized_gesture gesture;
    int key; /* -1: it is a gesture */
    struct event_moment down;
    struct event_moment up;
};

struct hand_session {
    struct hand_session_options options;
    struct device_info facts;
    struct hand_steps steps;
    struct shell *shell;
    pthread_t thread;
    bool has_thread;

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct getevent_reader reader;
    struct gesture_recognizer recognizer;
    struct gesture_options gestures;
    struct extent screen; /* not turned */
    struct extent panel;
    struct event_clock clock;
    int64_t now_ms;     /* when the bytes came that are being read */
    int64_t arrived_ms; /* when the last contact came */
    struct hand_event events[EVENTS_ROOM];
    size_t event_count;
    unsigned reads; /* how often the reader thread had something */
    bool closing;
    struct err lost; /* why nothing comes any more; ERR_NONE: it does */
};

static int64_t now_ms(void)
{
    return clock_ns() / 1000000;
}

/* ---- events, with the lock held ---- */

static void report_read(struct hand_session *self)
{
    self->reads++;
    pthread_cond_broadcast(&self->changed);
}

/*
 * Called by the reader thread only, before the recognizer gets anything: so
 * add_event never blocks. False: the session is being closed.
 */
static bool wait_for_room(struct hand_session *self)
{
    if (self->event_count >= EVENTS_MAX)
        report_read(self);
    while (self->event_count >= EVENTS_MAX && !self->closing)
        pthread_cond_wait(&self->changed, &self->lock);
    return !self->closing;
}

static void add_event(struct hand_session *self, const struct hand_event *event)
{
    assert(self->event_count < EVENTS_ROOM);
    self->events[self->event_count++] = *event;
}

static void take_gestures(struct hand_session *self)
{
    struct hand_event event = {.key = -1};

    while (gesture_recognizer_next(&self->recognizer, &event.gesture)) {
        event.down = event_clock_moment(&self->clock, event.gesture.down_ms);
        event.up = event_clock_moment(&self->clock, event.gesture.up_ms);
        add_event(self, &event);
    }
}

static void take_contact(void *context, const struct touch_contact *contact)
{
    struct hand_session *self = context;

    if (!wait_for_room(self))
        return;
    event_clock_arrived(&self->clock, contact->at_ms, self->now_ms);
    self->arrived_ms = self->now_ms;
    gesture_recognizer_add(&self->recognizer, contact);
    take_gestures(self);
}

static void take_key(void *context, const struct getevent_key *key)
{
    struct hand_session *self = context;
    struct hand_event event = {.key = key->key};

    if (!wait_for_room(self))
        return;
    event_clock_arrived(&self->clock, key->at_ms, self->now_ms);
    if (!key->down)
        return;
    gesture_recognizer_pass(&self->recognizer, INT64_MAX);
    take_gestures(self);
    event.down = event.up = event_clock_moment(&self->clock, key->at_ms);
    add_event(self, &event);
}

/* ---- the reader thread ---- */

static void feed(struct hand_session *self, const struct shell_event *event)
{
    pthread_mutex_lock(&self->lock);
    self->now_ms = now_ms();
    getevent_reader_feed(&self->reader, event->data, event->length,
                         self->now_ms);
    report_read(self);
    pthread_mutex_unlock(&self->lock);
}

static void *read_events(void *context)
{
    struct hand_session *self = context;
    struct shell_event event = {.kind = SHELL_OUT};
    struct err err = ERR_INIT;

    while (event.kind != SHELL_EXIT &&
           shell_next(self->shell, DEADLINE_NEVER, &event, &err)) {
        if (event.kind == SHELL_OUT)
            feed(self, &event);
    }
    pthread_mutex_lock(&self->lock);
    if (err.code == ERR_NONE)
        (void)err_set(&err, ERR_LOST, "getevent has ended");
    self->lost = err;
    report_read(self);
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* ---- steps ---- */

static bool record_steps(struct hand_session *self, struct hand_turn *turn,
                         struct err *err)
{
    struct hand_step step;
    bool done = true;

    while (done && hand_steps_next(&self->steps, &step)) {
        const struct recorder_action action = {
            .action = &step.action,
            .at_ms = step.at_ms,
            .flag = step.flag[0] ? step.flag : NULL,
        };

        done =
            recorder_before(self->options.recorder, &step.screen, err) &&
            recorder_acted(self->options.recorder, &action, &turn->last, err);
        turn->steps += done;
        hand_step_release(&step);
    }
    return done;
}

/* The first event that began before a time; false: there is none. */
static bool pop_event(struct hand_session *self, int64_t before_ms,
                      struct hand_event *event)
{
    bool found;

    pthread_mutex_lock(&self->lock);
    found = self->event_count && self->events[0].down.latest < before_ms;
    if (found) {
        *event = self->events[0];
        self->event_count--;
        memmove(self->events, self->events + 1,
                self->event_count * sizeof(*self->events));
        pthread_cond_broadcast(&self->changed);
    }
    pthread_mutex_unlock(&self->lock);
    return found;
}

/* Take what began before a time. */
static bool take_events(struct hand_session *self, int64_t before_ms,
                        struct hand_turn *turn, struct err *err)
{
    struct hand_event event;

    while (pop_event(self, before_ms, &event)) {
        if (event.key >= 0) {
            hand_steps_key(&self->steps, event.key, event.down);
        } else {
            hand_steps_gesture(&self->steps, &event.gesture, event.down,
                               event.up);
            recognized_gesture_release(&event.gesture);
        }
        turn->events++;
        if (!record_steps(self, turn, err))
            return false;
    }
    return true;
}

/* ---- what is going on ---- */

struct hand_state {
    bool touched;     /* a finger is down */
    bool tapped;      /* a tap may become a double tap */
    int64_t since_ms; /* when either began, at the earliest */
    bool has_events;
    unsigned reads; /* of the session, at that time */
};

static struct hand_state look(struct hand_session *self)
{
    struct hand_state state = {.touched = false};
    int64_t since;

    pthread_mutex_lock(&self->lock);
    if (self->recognizer.has_tap && now_ms() - self->arrived_ms > TAP_WAIT_MS) {
        gesture_recognizer_pass(&self->recognizer, INT64_MAX);
        take_gestures(self);
    }
    state.touched = gesture_recognizer_is_touched(&self->recognizer, &since);
    state.tapped = self->recognizer.has_tap;
    if (state.tapped)
        since = self->recognizer.tap.down_ms;
    if (state.touched || state.tapped)
        state.since_ms = event_clock_moment(&self->clock, since).earliest;
    state.has_events = self->event_count > 0;
    state.reads = self->reads;
    pthread_mutex_unlock(&self->lock);
    return state;
}

/* Until the reader thread has something that it did not have at a time. */
static void wait_for_events(struct hand_session *self,
                            const struct hand_state *since, int64_t wait_ms)
{
    int64_t until = clock_ns() + wait_ms * 1000000;
    struct timespec by = {.tv_sec = (time_t)(until / 1000000000),
                          .tv_nsec = (long)(until % 1000000000)};

    pthread_mutex_lock(&self->lock);
    while (self->reads == since->reads &&
           !pthread_cond_timedwait(&self->changed, &self->lock, &by))
        ;
    pthread_mutex_unlock(&self->lock);
}

static bool is_lost(struct hand_session *self, struct err *err)
{
    bool lost;

    pthread_mutex_lock(&self->lock);
    lost = self->lost.code != ERR_NONE;
    if (lost)
        *err = self->lost;
    pthread_mutex_unlock(&self->lock);
    return lost;
}

/* ---- screens ---- */

/* The phone may have been turned. */
static void set_display(struct hand_session *self)
{
    const struct ring_frame *frame = frame_ring_newest(&self->steps.ring);
    struct touch_display display = {.panel = self->panel};

    pthread_mutex_lock(&self->lock);
    if (frame && frame->has_tree && frame->tree.rotation > 0)
        display.rotation = frame->tree.rotation % 4;
    display.size = self->screen;
    if (display.rotation % 2)
        display.size = (struct extent){self->screen.height, self->screen.width};
    self->gestures.screen = display.size;
    getevent_reader_set_display(&self->reader, &display);
    gesture_recognizer_set_options(&self->recognizer, &self->gestures);
    pthread_mutex_unlock(&self->lock);
}

/*
 * Observe the phone. A touch that began before is taken first. A finger that
 * came down meanwhile makes the screen useless: it is observed again.
 */
static bool observe(struct hand_session *self, struct hand_turn *turn,
                    struct err *err)
{
    struct record_phone *phone = self->options.phone;
    struct record_screen screen;
    struct hand_state state;
    int64_t begin = now_ms();
    int64_t end;
    bool done;

    record_screen_init(&screen);
    done = phone->ops->observe(phone, &screen, err);
    end = now_ms();
    for (state = look(self); done && state.tapped && !state.touched;
         state = look(self))
        wait_for_events(self, &state, TAP_WAIT_MS / 4);
    done = done && take_events(self, begin, turn, err);
    if (done && !(state.touched && state.since_ms < begin)) {
        hand_steps_see(&self->steps, &screen, begin, end);
        set_display(self);
        done = record_steps(self, turn, err);
    }
    record_screen_release(&screen);
    return done && take_events(self, INT64_MAX, turn, err);
}

static bool is_old(const struct hand_session *self)
{
    const struct ring_frame *newest = frame_ring_newest(&self->steps.ring);

    return !hand_steps_ready(&self->steps) ||
           now_ms() - newest->end_ms > REFRESH_MS;
}

/* No more gestures come: take those that were not complete. */
static bool end_gestures(struct hand_session *self, struct hand_turn *turn,
                         struct err *err)
{
    pthread_mutex_lock(&self->lock);
    gesture_recognizer_end(&self->recognizer);
    take_gestures(self);
    pthread_mutex_unlock(&self->lock);
    return take_events(self, INT64_MAX, turn, err);
}

static bool end_steps(struct hand_session *self, struct hand_turn *turn,
                      struct err *err)
{
    hand_steps_end(&self->steps);
    return record_steps(self, turn, err);
}

bool hand_session_turn(struct hand_session *self, int64_t wait_ms,
                       struct hand_turn *turn, struct err *err)
{
    struct hand_state state = look(self);
    struct err ignored;

    *turn = (struct hand_turn){.last = -1};
    if (is_lost(self, err)) {
        (void)!(end_gestures(self, turn, &ignored) &&
                end_steps(self, turn, &ignored));
        return err_wrap(err, "listening to the touch screen");
    }
    if (!take_events(self, INT64_MAX, turn, err))
        return false;
    if (!state.touched && is_old(self)) {
        if (!observe(self, turn, err))
            return false;
    } else if (!turn->steps) {
        wait_for_events(self, &state, wait_ms);
    }
    state = look(self);
    turn->ready = hand_steps_ready(&self->steps) && !state.touched &&
                  !state.tapped && !state.has_events;
    return true;
}

bool hand_session_end(struct hand_session *self, struct hand_turn *turn,
                      struct err *err)
{
    struct err ignored;

    *turn = (struct hand_turn){.last = -1};
    if (!end_gestures(self, turn, err))
        return false;
    if (!observe(self, turn, err)) {
        (void)!end_steps(self, turn, &ignored);
        return false;
    }
    return end_steps(self, turn, err) &&
           recorder_observe(self->options.recorder, err);
}

/* ---- opening ---- */

static bool read_text(struct hand_session *self, const char *command,
                      struct shell_result *result, struct err *err)
{
    return shell_run(self->options.device, command, OUTPUT_MAX,
                     deadline_in_ms(OPEN_MS), result, err);
}

static bool read_devices(struct hand_session *self, struct err *err)
{
    const struct getevent_sink sink = {take_contact, take_key, self};
    struct touch_display display = {.size = self->facts.screen,
                                    .panel = self->facts.panel};
    struct touch_devices devices;
    struct shell_result result;

    if (!read_text(self, "getevent -lp", &result, err))
        return false;
    touch_devices_parse(buf_cstr(&result.out), result.out.length, &devices);
    shell_result_release(&result);
    if (!devices.count)
        return err_set(err, ERR_UNSUPPORTED,
                       "getevent lists no touch screen of this phone");
    self->screen = self->facts.screen;
    self->panel = self->facts.panel;
    getevent_reader_init(&self->reader, &devices, &display, &sink);
    return true;
}

/* 2 is navigation by gestures; phones before Android 10 have no such setting.
 */
static bool read_navigation(struct hand_session *self, struct err *err)
{
    struct shell_result result;

    if (!read_text(self, "settings get secure navigation_mode", &result, err))
        return false;
    self->gestures = (struct gesture_options){
        .screen = self->facts.screen,
        .density = self->facts.density,
        .edge_gestures = buf_cstr(&result.out)[0] == '2',
        .double_taps = true,
    };
    shell_result_release(&result);
    gesture_recognizer_init(&self->recognizer, &self->gestures);
    return true;
}

static bool read_clock(struct hand_session *self, struct err *err)
{
    for (int i = 0; i < CLOCK_READINGS; i++) {
        int64_t before = now_ms();
        struct shell_result result;
        double uptime;

        if (!read_text(self, "cat /proc/uptime", &result, err))
            return false;
        uptime = strtod(buf_cstr(&result.out), NULL);
        shell_result_release(&result);
        if (uptime > 0 && uptime < 1e9)
            event_clock_read(&self->clock, (int64_t)(uptime * 1000), before);
    }
    return true;
}

static bool start_reader(struct hand_session *self, struct err *err)
{
    /* On a terminal, as getevent writes each line at once only there. */
    const struct shell_options options = {.command = "getevent -lt",
                                          .pty = true};

    if (!shell_open(self->options.device, &options, deadline_in_ms(OPEN_MS),
                    &self->shell, err))
        return false;
    if (pthread_create(&self->thread, NULL, read_events, self) != 0)
        return err_set(err, ERR_LIMIT, "no thread could be started");
    self->has_thread = true;
    return true;
}

bool hand_session_open(const struct hand_session_options *options,
                       struct hand_session **session, struct err *err)
{
    struct hand_session *self = mem_new(1, sizeof(*self));
    pthread_condattr_t monotonic;
    bool done;

    self->options = *options;
    hand_steps_init(&self->steps);
    pthread_mutex_init(&self->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&self->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    done = device_info_read(options->device, deadline_in_ms(OPEN_MS),
                            &self->facts, err);
    if (done && self->facts.virtual_time)
        done = err_set(err, ERR_UNSUPPORTED,
                       "the time of this phone stands still: start it with "
                       "proctor phone --realtime");
    done = done && read_devices(self, err) && read_navigation(self, err) &&
           read_clock(self, err) && start_reader(self, err);
    if (!done) {
        hand_session_close(self);
        return err_wrap(err, "listening to the touch screen");
    }
    *session = self;
    return true;
}

void hand_session_close(struct hand_session *self)
{
    if (!self)
        return;
    pthread_mutex_lock(&self->lock);
    self->closing = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (self->has_thread) {
        shell_interrupt(self->shell);
        pthread_join(self->thread, NULL);
    }
    shell_close(self->shell);
    for (size_t i = 0; i < self->event_count; i++)
        recognized_gesture_release(&self->events[i].gesture);
    gesture_recognizer_release(&self->recognizer);
    hand_steps_release(&self->steps);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    free(self);
}
