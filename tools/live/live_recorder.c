#include "tools/live/live_recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/keycode.h"
#include "base/mem.h"
#include "runner/hand/gesture_recognizer.h"
#include "tasks/task/action_key.h"
#include "tools/live/record_view.h"
#include "tools/phone_source/record_builtin.h"

/* A text is complete when nothing was typed for so long. */
#define TEXT_REST_MS 1500

/* Of a tap, and of a second one that may make it a double tap. */
#define TOUCHES_MAX 2

/* The first finger came down on this screen. */
struct seen_touch {
    int64_t down_ms;             /* on the clock of the touches */
    int64_t at_ms;               /* on that of the recording */
    bool given;                  /* the recorder has its screen */
    struct record_screen screen; /* otherwise, of a built-in phone */
};

struct live_recorder {
    struct live_recorder_options options;
    struct record_phone *phone; /* owned */
    struct recorder *recorder;  /* owned */

    pthread_mutex_t lock; /* guards all below */
    struct gesture_recognizer gestures;
    struct seen_touch touches[TOUCHES_MAX]; /* not recorded yet */
    size_t touch_count;
    int64_t touched_ms; /* the last one, on the clock of the touches */
    struct buf text;    /* typed, and not recorded yet */
    int64_t text_began_ms;
    int64_t text_ended_ms;
    bool observed; /* over ADB: the recorder has the screen of now */

    pthread_mutex_t state; /* guards all below; is not held for long */
    bool ready;
    struct err failure;
};

static bool is_builtin(const struct live_recorder *live)
{
    return live->options.phone != NULL;
}

static int64_t now_ms(const struct live_recorder *live)
{
    return live->phone->ops->now_ms(live->phone);
}

/* ---- what others see ---- */

static void tell(const struct live_recorder *live)
{
    if (live->options.on_change)
        live->options.on_change(live->options.context);
}

static void set_ready(struct live_recorder *live, bool ready)
{
    pthread_mutex_lock(&live->state);
    live->ready = ready;
    pthread_mutex_unlock(&live->state);
    tell(live);
}

static void note_failure(struct live_recorder *live, const struct err *err)
{
    pthread_mutex_lock(&live->state);
    if (live->failure.code == ERR_NONE)
        live->failure = *err;
    pthread_mutex_unlock(&live->state);
    tell(live);
}

bool live_recorder_is_ready(struct live_recorder *live, struct err *failure)
{
    bool ready;

    pthread_mutex_lock(&live->state);
    ready = live->ready;
    if (failure)
        *failure = live->failure;
    pthread_mutex_unlock(&live->state);
    return ready;
}

static void on_step(void *context, int step)
{
    (void)step;
    tell(context);
}

static void on_failure(void *context, const struct err *err)
{
    note_failure(context, err);
}

/* ---- the screen before ---- */

static bool observe(struct live_recorder *live, struct err *err)
{
    if (live->observed)
        return true;
    if (!recorder_observe(live->recorder, err))
        return false;
    live->observed = true;
    set_ready(live, true);
    return true;
}

/* The recorder gets the screen as it is before a key or a text. */
static bool see_screen(struct live_recorder *live, struct err *err)
{
    struct record_screen screen;
    bool done;

    if (!is_builtin(live))
        return observe(live, err);
    record_screen_init(&screen);
    done = live->phone->ops->capture(live->phone, &screen, err) &&
           recorder_before(live->recorder, &screen, err);
    record_screen_release(&screen);
    return done;
}

/* ---- recording ---- */

static bool record(struct live_recorder *live, const struct action *action,
                   int64_t at_ms, const char *flag, struct err *err)
{
    const struct recorder_action acted = {
        .action = action, .at_ms = at_ms, .flag = flag};

    if (!recorder_acted(live->recorder, &acted, NULL, err))
        return false;
    live->observed = false;
    if (!is_builtin(live))
        set_ready(live, false);
    return true;
}

static bool record_text(struct live_recorder *live, struct err *err)
{
    struct action action = {.kind = ACTION_TYPE};
    bool done;

    if (!live->text.length)
        return true;
    action.text = mem_dup(buf_cstr(&live->text));
    buf_clear(&live->text);
    done = record(live, &action, live->text_began_ms, NULL, err);
    action_release(&action);
    return done;
}

/* The recorder gets the screen of a touch. */
static bool give_touch(struct live_recorder *live, struct seen_touch *touch,
                       struct err *err)
{
    if (touch->given)
        return true;
    touch->given = recorder_before(live->recorder, &touch->screen, err);
    return touch->given;
}

/* Forget touches up to that time; their memory is used again. */
static void drop_touches(struct live_recorder *live, int64_t until_ms)
{
    size_t kept = 0;

    for (size_t i = 0; i < live->touch_count; i++) {
        struct seen_touch *touch = &live->touches[i];

        if (touch->down_ms <= until_ms)
            continue;
        if (kept != i) {
            struct seen_touch free_one = live->touches[kept];

            live->touches[kept] = *touch;
            *touch = free_one;
        }
        kept++;
    }
    live->touch_count = kept;
}

static struct seen_touch *find_touch(struct live_recorder *live,
                                     int64_t down_ms)
{
    for (size_t i = 0; i < live->touch_count; i++) {
        if (live->touches[i].down_ms == down_ms)
            return &live->touches[i];
    }
    return NULL;
}

/*
 * A second touch that was no double tap gives its screen only now. Over ADB
 * there was no time for one.
 */
static bool record_gesture(struct live_recorder *live,
                           const struct recognized_gesture *gesture,
                           struct err *err)
{
    struct seen_touch *touch = find_touch(live, gesture->down_ms);
    const bool late = !is_builtin(live) && !live->observed;

    if (gesture->kind == GESTURE_CANCELLED || !touch)
        return true;
    touch->screen.late = !touch->given;
    if (is_builtin(live) ? !give_touch(live, touch, err) : !observe(live, err))
        return false;
    return record(live, &gesture->action, touch->at_ms,
                  late ? "the screen was taken after the touch" : NULL, err);
}

static bool record_gestures(struct live_recorder *live, struct err *err)
{
    struct recognized_gesture gesture;
    bool done = true;

    while (gesture_recognizer_next(&live->gestures, &gesture)) {
        done = done && record_gesture(live, &gesture, err);
        drop_touches(live, gesture.up_ms);
        recognized_gesture_release(&gesture);
    }
    return done;
}

static bool is_touched(const struct live_recorder *live)
{
    int64_t since;

    return gesture_recognizer_is_touched(&live->gestures, &since);
}

/* All that was done so far; a finger that is down is forgotten. */
static bool record_rest(struct live_recorder *live, struct err *err)
{
    gesture_recognizer_end(&live->gestures);
    return record_gestures(live, err) && record_text(live, err);
}

/* ---- touches ---- */

static void add_contact(struct live_recorder *live,
                        const struct view_command *touch,
                        enum contact_phase phase)
{
    const struct record_phone *phone = live->phone;
    /* A video may be smaller than the screen. */
    const bool scaled =
        !is_builtin(live) && touch->width > 0 && touch->height > 0;
    const struct touch_contact contact = {
        .phase = phase,
        .pointer = (uint64_t)touch->pointer,
        .x = scaled ? touch->x * phone->width / touch->width : touch->x,
        .y = scaled ? touch->y * phone->height / touch->height : touch->y,
        .at_ms = touch->ms,
    };

    live->touched_ms = touch->ms;
    gesture_recognizer_add(&live->gestures, &contact);
}

/* The first finger: its screen is what it was decided on. */
static bool see_touch(struct live_recorder *live,
                      const struct view_command *touch, struct err *err)
{
    struct seen_touch *seen;

    if (live->touch_count == TOUCHES_MAX)
        return err_set(err, ERR_LIMIT, "too many taps wait to be recorded");
    seen = &live->touches[live->touch_count];
    if (is_builtin(live) &&
        !live->phone->ops->capture(live->phone, &seen->screen, err))
        return false;
    seen->down_ms = touch->ms;
    seen->at_ms = now_ms(live);
    seen->given = false;
    seen->screen.late = false;
    live->touch_count++;
    return true;
}

/* Another page has another clock. */
static bool follow_clock(struct live_recorder *live,
                         const struct view_command *touch, struct err *err)
{
    const struct gesture_options options = {
        .screen = {live->phone->width, live->phone->height},
        .double_taps = true};

    if (touch->ms >= live->touched_ms) {
        gesture_recognizer_set_options(&live->gestures, &options);
        return true;
    }
    gesture_recognizer_end(&live->gestures);
    if (!record_gestures(live, err))
        return false;
    drop_touches(live, INT64_MAX);
    gesture_recognizer_release(&live->gestures);
    gesture_recognizer_init(&live->gestures, &options);
    return true;
}

/* Taps that are no part of a double tap are recorded before the finger comes
 * down, and the phone over ADB is observed. */
static bool record_before_touch(struct live_recorder *live, struct err *err)
{
    if (!record_gestures(live, err))
        return false;
    if (live->touch_count > 1) /* perhaps a double tap */
        return true;
    return is_builtin(live) ? give_touch(live, &live->touches[0], err)
                            : observe(live, err);
}

/* The finger does not come down: the rest of its touch is ignored. */
static void refuse_touch(struct live_recorder *live,
                         const struct view_command *touch)
{
    struct err ignored; /* a cancelled gesture is not recorded */

    add_contact(live, touch, CONTACT_CANCEL);
    (void)!record_gestures(live, &ignored);
}

static bool begin_touch(struct live_recorder *live,
                        const struct view_command *touch, struct err *err)
{
    if (is_touched(live)) {
        add_contact(live, touch, CONTACT_DOWN);
        return true;
    }
    if (!follow_clock(live, touch, err) || !record_text(live, err) ||
        !see_touch(live, touch, err))
        return false;
    add_contact(live, touch, CONTACT_DOWN);
    if (record_before_touch(live, err))
        return true;
    refuse_touch(live, touch);
    return false;
}

static bool end_touch(struct live_recorder *live,
                      const struct view_command *touch, bool done,
                      struct err *err)
{
    static const enum contact_phase phases[] = {
        [VIEW_DOWN] = CONTACT_MOVE,
        [VIEW_MOVE] = CONTACT_MOVE,
        [VIEW_UP] = CONTACT_UP,
        [VIEW_CANCEL] = CONTACT_CANCEL,
    };

    if (touch->touch == VIEW_UP && done)
        add_contact(live, touch, CONTACT_MOVE);
    if (!record_gestures(live, err))
        return false;
    add_contact(live, touch, done ? phases[touch->touch] : CONTACT_CANCEL);
    return record_gestures(live, err);
}

/* ---- texts and keys ---- */

static bool begin_text(struct live_recorder *live, const char *text,
                       struct err *err)
{
    if (live->text.length + strlen(text) > ACTION_TEXT_MAX &&
        !record_text(live, err))
        return false;
    if (live->text.length)
        return true;
    live->text_began_ms = now_ms(live);
    return record_rest(live, err) && see_screen(live, err);
}

/* A deleted character was never typed. */
static bool takes_back(const struct live_recorder *live, int key)
{
    return key == KEY_DELETE && live->text.length;
}

static void take_back_character(struct live_recorder *live)
{
    const struct buf *text = &live->text;
    size_t length = text->length - 1;

    while (length && ((unsigned char)text->data[length] & 0xc0) == 0x80)
        length--;
    buf_truncate(&live->text, length);
}

static int key_of(const struct view_command *command)
{
    return command->kind == VIEW_LOCK ? KEY_POWER : command->key;
}

static bool begin_key(struct live_recorder *live, int key, struct err *err)
{
    if (takes_back(live, key))
        return true;
    return record_rest(live, err) && see_screen(live, err);
}

static bool end_key(struct live_recorder *live, int key, struct err *err)
{
    struct action action;
    bool done;

    live->text_ended_ms = now_ms(live);
    if (takes_back(live, key)) {
        take_back_character(live);
        return true;
    }
    action = action_of_key(key);
    done = record(live, &action, live->text_ended_ms, NULL, err);
    action_release(&action);
    return done;
}

/* ---- the view's recorder ---- */

static bool begin(struct live_recorder *live,
                  const struct view_command *command, struct err *err)
{
    switch (command->kind) {
    case VIEW_TOUCH:
        return command->touch != VIEW_DOWN || begin_touch(live, command, err);
    case VIEW_TEXT:
    case VIEW_PASTE:
        return begin_text(live, command->text, err);
    case VIEW_KEY:
    case VIEW_LOCK:
        return begin_key(live, key_of(command), err);
    case VIEW_ROTATE:
        return err_set(err, ERR_UNSUPPORTED,
                       "a recording cannot hold that the phone was turned: "
                       "turn it before you record");
    case VIEW_SHELL:
    case VIEW_TREE:
    case VIEW_DESCRIBE:
    case VIEW_SCREENSHOT:
    case VIEW_DUMP:
        break;
    }
    return true;
}

static bool end(struct live_recorder *live, const struct view_command *command,
                bool done, struct err *err)
{
    switch (command->kind) {
    case VIEW_TOUCH:
        return end_touch(live, command, done, err);
    case VIEW_TEXT:
    case VIEW_PASTE:
        if (done)
            buf_text(&live->text, command->text);
        live->text_ended_ms = now_ms(live);
        return true;
    case VIEW_KEY:
    case VIEW_LOCK:
        return !done || end_key(live, key_of(command), err);
    case VIEW_ROTATE:
    case VIEW_SHELL:
    case VIEW_TREE:
    case VIEW_DESCRIBE:
    case VIEW_SCREENSHOT:
    case VIEW_DUMP:
        break;
    }
    return true;
}

/* What cannot be recorded is not done. */
static bool before(void *context, const struct view_command *command,
                   struct err *err)
{
    struct live_recorder *live = context;
    struct err failure;
    bool done;

    (void)live_recorder_is_ready(live, &failure);
    if (failure.code != ERR_NONE)
        return err_set(err, failure.code, "nothing is recorded any more: %s",
                       failure.text);
    pthread_mutex_lock(&live->lock);
    done = begin(live, command, err);
    pthread_mutex_unlock(&live->lock);
    return done;
}

static void after(void *context, const struct view_command *command, bool done)
{
    struct live_recorder *live = context;
    struct err err;

    pthread_mutex_lock(&live->lock);
    if (!end(live, command, done, &err))
        note_failure(live, &err);
    pthread_mutex_unlock(&live->lock);
}

/* What waited for more is complete; true: a text may still grow. */
static bool settle(struct live_recorder *live, bool *again, struct err *err)
{
    gesture_recognizer_pass(&live->gestures,
                            live->touched_ms + PHONE_VIEW_REST_MS);
    *again =
        live->text.length && now_ms(live) - live->text_ended_ms < TEXT_REST_MS;
    return record_gestures(live, err) && (*again || record_text(live, err)) &&
           (*again || is_builtin(live) || observe(live, err));
}

static bool rest(void *context)
{
    struct live_recorder *live = context;
    bool again = false;
    struct err err;

    pthread_mutex_lock(&live->lock);
    if (!is_touched(live) && !settle(live, &again, &err))
        note_failure(live, &err);
    pthread_mutex_unlock(&live->lock);
    return again;
}

/* ---- from other threads ---- */

struct phone_view *live_recorder_view(const struct live_recorder *live)
{
    return live->options.view;
}

/* A command that is carried out has been seen before and after. */
static void hold(struct live_recorder *live)
{
    phone_view_hold(live->options.view);
    pthread_mutex_lock(&live->lock);
}

static void resume(struct live_recorder *live)
{
    pthread_mutex_unlock(&live->lock);
    phone_view_resume(live->options.view);
}

bool live_recorder_undo(struct live_recorder *live,
                        struct recorder_undone *undone, struct err *err)
{
    bool done;

    hold(live);
    done = record_rest(live, err) && recorder_undo(live->recorder, undone, err);
    if (done)
        live->observed = true;
    resume(live);
    if (done)
        set_ready(live, true);
    return done;
}

bool live_recorder_next_step(struct live_recorder *live, int *step,
                             struct err *err)
{
    bool done;

    hold(live);
    done = record_rest(live, err);
    if (done)
        *step = recorder_next_step(live->recorder);
    resume(live);
    return done;
}

/* ---- opening and closing ---- */

static void release(struct live_recorder *live)
{
    record_phone_close(live->phone);
    gesture_recognizer_release(&live->gestures);
    for (size_t i = 0; i < TOUCHES_MAX; i++)
        record_screen_release(&live->touches[i].screen);
    buf_release(&live->text);
    pthread_mutex_destroy(&live->lock);
    pthread_mutex_destroy(&live->state);
    free(live);
}

static bool open_phone(struct live_recorder *live, struct err *err)
{
    const struct live_recorder_options *options = &live->options;
    const struct record_builtin_options builtin = {.phone = options->phone,
                                                   .serial = options->serial};

    if (is_builtin(live))
        return record_builtin_open(&builtin, &live->phone, err);
    live->phone = record_view_open(options->view, options->serial);
    return true;
}

static bool open_recorder(struct live_recorder *live, struct err *err)
{
    const struct recorder_options options = {
        .recordings = live->options.recordings,
        .name = live->options.name,
        .phone = live->phone,
        .on_step = on_step,
        .on_failure = on_failure,
        .context = live,
    };

    return recorder_open(&options, &live->recorder, err);
}

bool live_recorder_open(const struct live_recorder_options *options,
                        struct live_recorder **recorder, struct err *err)
{
    struct live_recorder *live = mem_new(1, sizeof(*live));
    const struct view_recorder seen = {before, after, rest, live};

    live->options = *options;
    live->text = (struct buf)BUF_INIT(ACTION_TEXT_MAX);
    live->ready = options->phone != NULL;
    live->failure = (struct err)ERR_INIT;
    gesture_recognizer_init(&live->gestures,
                            &(struct gesture_options){.double_taps = true});
    for (size_t i = 0; i < TOUCHES_MAX; i++)
        record_screen_init(&live->touches[i].screen);
    pthread_mutex_init(&live->lock, NULL);
    pthread_mutex_init(&live->state, NULL);
    if (!open_phone(live, err) || !open_recorder(live, err)) {
        release(live);
        return false;
    }
    phone_view_record(options->view, &seen);
    *recorder = live;
    return true;
}

/* The screen at the end is a part of it. */
static bool finish(struct live_recorder *live, struct err *err)
{
    struct err why = ERR_INIT;
    bool done =
        record_rest(live, &why) && recorder_observe(live->recorder, &why);

    if (!recorder_finish(live->recorder, err))
        return false;
    if (!done)
        *err = why;
    return done;
}

bool live_recorder_close(struct live_recorder *live, bool finished,
                         struct err *err)
{
    bool done = true;

    phone_view_record(live->options.view, NULL);
    pthread_mutex_lock(&live->lock);
    if (finished) {
        done = finish(live, err);
    } else {
        struct err ignored; /* the writer has reported it */

        (void)!record_rest(live, &ignored);
        recorder_close(live->recorder);
    }
    pthread_mutex_unlock(&live->lock);
    release(live);
    return done;
}
