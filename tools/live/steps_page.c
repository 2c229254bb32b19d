/*
 * Steps of a person who uses a viewed phone through its view: touches become
 * gestures, texts and keys actions, each with the screen before it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/keycode.h"
#include "base/mem.h"
#include "runner/hand/gesture_recognizer.h"
#include "tasks/task/action_key.h"
#include "tools/live/live_recorder_private.h"

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

struct page_steps {
    struct live_steps steps; /* first */
    struct live_recorder *live;
    struct record_phone *phone; /* the two of live */
    struct recorder *recorder;

    pthread_mutex_t lock; /* guards all below */
    struct gesture_recognizer gestures;
    struct seen_touch touches[TOUCHES_MAX]; /* not recorded yet */
    size_t touch_count;
    int64_t touched_ms; /* the last one, on the clock of the touches */
    struct buf text;    /* typed, and not recorded yet */
    int64_t text_began_ms;
    int64_t text_ended_ms;
    bool observed; /* over ADB: the recorder has the screen of now */
};

static bool is_builtin(const struct page_steps *page)
{
    return page->live->options.phone != NULL;
}

static int64_t now_ms(const struct page_steps *page)
{
    return page->phone->ops->now_ms(page->phone);
}

/* ---- the screen before ---- */

static bool observe(struct page_steps *page, struct err *err)
{
    if (page->observed)
        return true;
    if (!recorder_observe(page->recorder, err))
        return false;
    page->observed = true;
    live_recorder_set_ready(page->live, true);
    return true;
}

/* The recorder gets the screen as it is before a key or a text. */
static bool see_screen(struct page_steps *page, struct err *err)
{
    struct record_screen screen;
    bool done;

    if (!is_builtin(page))
        return observe(page, err);
    record_screen_init(&screen);
    done = page->phone->ops->capture(page->phone, &screen, err) &&
           recorder_before(page->recorder, &screen, err);
    record_screen_release(&screen);
    return done;
}

/* ---- recording ---- */

static bool record(struct page_steps *page, const struct action *action,
                   int64_t at_ms, const char *flag, struct err *err)
{
    const struct recorder_action acted = {
        .action = action, .at_ms = at_ms, .flag = flag};

    if (!recorder_acted(page->recorder, &acted, NULL, err))
        return false;
    page->observed = false;
    if (!is_builtin(page))
        live_recorder_set_ready(page->live, false);
    return true;
}

static bool record_text(struct page_steps *page, struct err *err)
{
    struct action action = {.kind = ACTION_TYPE};
    bool done;

    if (!page->text.length)
        return true;
    action.text = mem_dup(buf_cstr(&page->text));
    buf_clear(&page->text);
    done = record(page, &action, page->text_began_ms, NULL, err);
    action_release(&action);
    return done;
}

/* The recorder gets the screen of a touch. */
static bool give_touch(struct page_steps *page, struct seen_touch *touch,
                       struct err *err)
{
    if (touch->given)
        return true;
    touch->given = recorder_before(page->recorder, &touch->screen, err);
    return touch->given;
}

/* Forget touches up to that time; their memory is used again. */
static void drop_touches(struct page_steps *page, int64_t until_ms)
{
    size_t kept = 0;

    for (size_t i = 0; i < page->touch_count; i++) {
        struct seen_touch *touch = &page->touches[i];

        if (touch->down_ms <= until_ms)
            continue;
        if (kept != i) {
            struct seen_touch free_one = page->touches[kept];

            page->touches[kept] = *touch;
            *touch = free_one;
        }
        kept++;
    }
    page->touch_count = kept;
}

static struct seen_touch *find_touch(struct page_steps *page, int64_t down_ms)
{
    for (size_t i = 0; i < page->touch_count; i++) {
        if (page->touches[i].down_ms == down_ms)
            return &page->touches[i];
    }
    return NULL;
}

/*
 * A second touch that was no double tap gives its screen only now. Over ADB
 * there was no time for one.
 */
static bool record_gesture(struct page_steps *page,
                           const struct recognized_gesture *gesture,
                           struct err *err)
{
    struct seen_touch *touch = find_touch(page, gesture->down_ms);
    const bool late = !is_builtin(page) && !page->observed;

    if (gesture->kind == GESTURE_CANCELLED || !touch)
        return true;
    touch->screen.late = !touch->given;
    if (is_builtin(page) ? !give_touch(page, touch, err) : !observe(page, err))
        return false;
    return record(page, &gesture->action, touch->at_ms,
                  late ? "the screen was taken after the touch" : NULL, err);
}

static bool record_gestures(struct page_steps *page, struct err *err)
{
    struct recognized_gesture gesture;
    bool done = true;

    while (gesture_recognizer_next(&page->gestures, &gesture)) {
        done = done && record_gesture(page, &gesture, err);
        drop_touches(page, gesture.up_ms);
        recognized_gesture_release(&gesture);
    }
    return done;
}

static bool is_touched(const struct page_steps *page)
{
    int64_t since;

    return gesture_recognizer_is_touched(&page->gestures, &since);
}

/* All that was done so far; a finger that is down is forgotten. */
static bool record_rest(struct page_steps *page, struct err *err)
{
    gesture_recognizer_end(&page->gestures);
    return record_gestures(page, err) && record_text(page, err);
}

/* ---- touches ---- */

static void add_contact(struct page_steps *page,
                        const struct view_command *touch,
                        enum contact_phase phase)
{
    const struct record_phone *phone = page->phone;
    /* A video may be smaller than the screen. */
    const bool scaled =
        !is_builtin(page) && touch->width > 0 && touch->height > 0;
    const struct touch_contact contact = {
        .phase = phase,
        .pointer = (uint64_t)touch->pointer,
        .x = scaled ? touch->x * phone->width / touch->width : touch->x,
        .y = scaled ? touch->y * phone->height / touch->height : touch->y,
        .at_ms = touch->ms,
    };

    page->touched_ms = touch->ms;
    gesture_recognizer_add(&page->gestures, &contact);
}

/* The first finger: its screen is what it was decided on. */
static bool see_touch(struct page_steps *page, const struct view_command *touch,
                      struct err *err)
{
    struct seen_touch *seen;

    if (page->touch_count == TOUCHES_MAX)
        return err_set(err, ERR_LIMIT, "too many taps wait to be recorded");
    seen = &page->touches[page->touch_count];
    if (is_builtin(page) &&
        !page->phone->ops->capture(page->phone, &seen->screen, err))
        return false;
    seen->down_ms = touch->ms;
    seen->at_ms = now_ms(page);
    seen->given = false;
    seen->screen.late = false;
    page->touch_count++;
    return true;
}

/* Another page has another clock. */
static bool follow_clock(struct page_steps *page,
                         const struct view_command *touch, struct err *err)
{
    const struct gesture_options options = {
        .screen = {page->phone->width, page->phone->height},
        .double_taps = true};

    if (touch->ms >= page->touched_ms) {
        gesture_recognizer_set_options(&page->gestures, &options);
        return true;
    }
    gesture_recognizer_end(&page->gestures);
    if (!record_gestures(page, err))
        return false;
    drop_touches(page, INT64_MAX);
    gesture_recognizer_release(&page->gestures);
    gesture_recognizer_init(&page->gestures, &options);
    return true;
}

/* Taps that are no part of a double tap are recorded before the finger comes
 * down, and the phone over ADB is observed. */
static bool record_before_touch(struct page_steps *page, struct err *err)
{
    if (!record_gestures(page, err))
        return false;
    if (page->touch_count > 1) /* perhaps a double tap */
        return true;
    return is_builtin(page) ? give_touch(page, &page->touches[0], err)
                            : observe(page, err);
}

/* The finger does not come down: the rest of its touch is ignored. */
static void refuse_touch(struct page_steps *page,
                         const struct view_command *touch)
{
    struct err ignored; /* a cancelled gesture is not recorded */

    add_contact(page, touch, CONTACT_CANCEL);
    (void)!record_gestures(page, &ignored);
}

static bool begin_touch(struct page_steps *page,
                        const struct view_command *touch, struct err *err)
{
    if (is_touched(page)) {
        add_contact(page, touch, CONTACT_DOWN);
        return true;
    }
    if (!follow_clock(page, touch, err) || !record_text(page, err) ||
        !see_touch(page, touch, err))
        return false;
    add_contact(page, touch, CONTACT_DOWN);
    if (record_before_touch(page, err))
        return true;
    refuse_touch(page, touch);
    return false;
}

static bool end_touch(struct page_steps *page, const struct view_command *touch,
                      bool done, struct err *err)
{
    static const enum contact_phase phases[] = {
        [VIEW_DOWN] = CONTACT_MOVE,
        [VIEW_MOVE] = CONTACT_MOVE,
        [VIEW_UP] = CONTACT_UP,
        [VIEW_CANCEL] = CONTACT_CANCEL,
    };

    if (touch->touch == VIEW_UP && done)
        add_contact(page, touch, CONTACT_MOVE);
    if (!record_gestures(page, err))
        return false;
    add_contact(page, touch, done ? phases[touch->touch] : CONTACT_CANCEL);
    return record_gestures(page, err);
}

/* ---- texts and keys ---- */

static bool begin_text(struct page_steps *page, const char *text,
                       struct err *err)
{
    if (page->text.length + strlen(text) > ACTION_TEXT_MAX &&
        !record_text(page, err))
        return false;
    if (page->text.length)
        return true;
    page->text_began_ms = now_ms(page);
    return record_rest(page, err) && see_screen(page, err);
}

/* A deleted character was never typed. */
static bool takes_back(const struct page_steps *page, int key)
{
    return key == KEY_DELETE && page->text.length;
}

static void take_back_character(struct page_steps *page)
{
    const struct buf *text = &page->text;
    size_t length = text->length - 1;

    while (length && ((unsigned char)text->data[length] & 0xc0) == 0x80)
        length--;
    buf_truncate(&page->text, length);
}

static int key_of(const struct view_command *command)
{
    return command->kind == VIEW_LOCK ? KEY_POWER : command->key;
}

static bool begin_key(struct page_steps *page, int key, struct err *err)
{
    if (takes_back(page, key))
        return true;
    return record_rest(page, err) && see_screen(page, err);
}

static bool end_key(struct page_steps *page, int key, struct err *err)
{
    struct action action;
    bool done;

    page->text_ended_ms = now_ms(page);
    if (takes_back(page, key)) {
        take_back_character(page);
        return true;
    }
    action = action_of_key(key);
    done = record(page, &action, page->text_ended_ms, NULL, err);
    action_release(&action);
    return done;
}

/* ---- the view's recorder ---- */

static bool begin(struct page_steps *page, const struct view_command *command,
                  struct err *err)
{
    switch (command->kind) {
    case VIEW_TOUCH:
        return command->touch != VIEW_DOWN || begin_touch(page, command, err);
    case VIEW_TEXT:
    case VIEW_PASTE:
        return begin_text(page, command->text, err);
    case VIEW_KEY:
    case VIEW_LOCK:
        return begin_key(page, key_of(command), err);
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

static bool end(struct page_steps *page, const struct view_command *command,
                bool done, struct err *err)
{
    switch (command->kind) {
    case VIEW_TOUCH:
        return end_touch(page, command, done, err);
    case VIEW_TEXT:
    case VIEW_PASTE:
        if (done)
            buf_text(&page->text, command->text);
        page->text_ended_ms = now_ms(page);
        return true;
    case VIEW_KEY:
    case VIEW_LOCK:
        return !done || end_key(page, key_of(command), err);
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
    struct page_steps *page = context;
    struct err failure;
    bool done;

    (void)live_recorder_is_ready(page->live, &failure);
    if (failure.code != ERR_NONE)
        return err_set(err, failure.code, "nothing is recorded any more: %s",
                       failure.text);
    pthread_mutex_lock(&page->lock);
    done = begin(page, command, err);
    pthread_mutex_unlock(&page->lock);
    return done;
}

static void after(void *context, const struct view_command *command, bool done)
{
    struct page_steps *page = context;
    struct err err;

    pthread_mutex_lock(&page->lock);
    if (!end(page, command, done, &err))
        live_recorder_note_failure(page->live, &err);
    pthread_mutex_unlock(&page->lock);
}

/* What waited for more is complete; true: a text may still grow. */
static bool settle(struct page_steps *page, bool *again, struct err *err)
{
    gesture_recognizer_pass(&page->gestures,
                            page->touched_ms + PHONE_VIEW_REST_MS);
    *again =
        page->text.length && now_ms(page) - page->text_ended_ms < TEXT_REST_MS;
    return record_gestures(page, err) && (*again || record_text(page, err)) &&
           (*again || is_builtin(page) || observe(page, err));
}

static bool rest(void *context)
{
    struct page_steps *page = context;
    bool again = false;
    struct err err;

    pthread_mutex_lock(&page->lock);
    if (!is_touched(page) && !settle(page, &again, &err))
        live_recorder_note_failure(page->live, &err);
    pthread_mutex_unlock(&page->lock);
    return again;
}

/* ---- for the recorder ---- */

static struct page_steps *page_of(struct live_steps *steps)
{
    return (struct page_steps *)steps;
}

/* A command that is carried out has been seen before and after. */
static bool page_hold(struct live_steps *steps, struct err *err)
{
    struct page_steps *page = page_of(steps);

    phone_view_hold(page->live->options.view);
    pthread_mutex_lock(&page->lock);
    return record_rest(page, err);
}

static void page_resume(struct live_steps *steps, bool undone)
{
    struct page_steps *page = page_of(steps);

    if (undone)
        page->observed = true;
    pthread_mutex_unlock(&page->lock);
    phone_view_resume(page->live->options.view);
    if (undone)
        live_recorder_set_ready(page->live, true);
}

/* The screen at the end is a part of it. */
static bool page_end(struct live_steps *steps, bool finish, struct err *err)
{
    struct page_steps *page = page_of(steps);
    bool done;

    phone_view_record(page->live->options.view, NULL);
    pthread_mutex_lock(&page->lock);
    done = record_rest(page, err) &&
           (!finish || recorder_observe(page->recorder, err));
    pthread_mutex_unlock(&page->lock);
    return done;
}

static void page_close(struct live_steps *steps)
{
    struct page_steps *page = page_of(steps);

    gesture_recognizer_release(&page->gestures);
    for (size_t i = 0; i < TOUCHES_MAX; i++)
        record_screen_release(&page->touches[i].screen);
    buf_release(&page->text);
    pthread_mutex_destroy(&page->lock);
    free(page);
}

struct live_steps *steps_page_open(struct live_recorder *live)
{
    static const struct live_steps_ops ops = {page_hold, page_resume, page_end,
                                              page_close};
    struct page_steps *page = mem_new(1, sizeof(*page));
    const struct view_recorder seen = {before, after, rest, page};

    page->steps.ops = &ops;
    page->live = live;
    page->phone = live->phone;
    page->recorder = live->recorder;
    page->text = (struct buf)BUF_INIT(ACTION_TEXT_MAX);
    gesture_recognizer_init(&page->gestures,
                            &(struct gesture_options){.double_taps = true});
    for (size_t i = 0; i < TOUCHES_MAX; i++)
        record_screen_init(&page->touches[i].screen);
    pthread_mutex_init(&page->lock, NULL);
    live_recorder_set_ready(live, is_builtin(page));
    phone_view_record(live->options.view, &seen);
    return &page->steps;
}
