#include "tools/phone_source/record_builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/device/actor.h"
#include "runner/observe/observer.h"
#include "runner/record/observed_screen.h"
#include "tools/phone_source/phone_device.h"

#define CALL_MS 120000

struct record_builtin {
    struct record_phone phone; /* first */
    struct phone *builtin;     /* borrowed */
    struct device *device;
    struct observer *observer;
    struct actor *actor;
    struct observation seen;
    struct buf states[RECORD_SLOTS];
};

static int64_t record_builtin_now_ms(struct record_phone *phone)
{
    const struct record_builtin *self = (struct record_builtin *)phone;

    return observer_now_ms(self->observer);
}

/* ---- screens ---- */

/* The frame is shared with the phone: its pixels are copied. */
static bool copy_frame(struct record_builtin *self,
                       struct record_screen *screen, struct err *err)
{
    struct phone_frame *frame;
    bool done;

    if (!phone_frame(self->builtin, &frame, err))
        return false;
    done = picture_resize(&screen->picture, frame->picture.width,
                          frame->picture.height, err);
    for (uint32_t y = 0; done && y < frame->picture.height; y++)
        memcpy(picture_row(&screen->picture, y),
               picture_row(&frame->picture, y),
               (size_t)frame->picture.width * PICTURE_PIXEL);
    screen_frame_drop(frame);
    return done;
}

/* The tree and the frame change together: a frame before and after is equal. */
static bool record_builtin_capture(struct record_phone *phone,
                                   struct record_screen *screen,
                                   struct err *err)
{
    struct record_builtin *self = (struct record_builtin *)phone;
    struct phone_component front;

    buf_clear(&screen->png);
    buf_clear(&screen->xml);
    if (!copy_frame(self, screen, err))
        return false;
    phone_tree(self->builtin, &screen->xml);
    phone_front(self->builtin, &front);
    snprintf(screen->package, sizeof(screen->package), "%s", front.package);
    snprintf(screen->activity, sizeof(screen->activity), "%s", front.class);
    screen->doubt[0] = '\0';
    screen->keyboard_top = phone_keyboard_top(self->builtin);
    screen->at_ms = record_builtin_now_ms(phone);
    screen->settle_ms = 0;
    return true;
}

static bool record_builtin_observe(struct record_phone *phone,
                                   struct record_screen *screen,
                                   struct err *err)
{
    struct record_builtin *self = (struct record_builtin *)phone;

    if (!observer_observe(self->observer, deadline_in_ms(CALL_MS), &self->seen,
                          err))
        return false;
    observed_screen_set(screen, &self->seen, record_builtin_now_ms(phone));
    screen->keyboard_top = phone_keyboard_top(self->builtin);
    return true;
}

static bool record_builtin_perform(struct record_phone *phone,
                                   const struct action *action,
                                   struct record_done *done, struct err *err)
{
    struct record_builtin *self = (struct record_builtin *)phone;
    struct phone_size size = phone_screen_size(self->builtin);
    bool acted;

    done->doubt[0] = '\0';
    observer_begin_action(self->observer);
    acted = actor_perform(self->actor, action,
                          (struct extent){size.width, size.height},
                          deadline_in_ms(CALL_MS), err);
    observer_note_action(self->observer);
    return acted;
}

/* ---- states ---- */

static bool record_builtin_save(struct record_phone *phone, unsigned slot,
                                struct err *err)
{
    struct record_builtin *self = (struct record_builtin *)phone;

    buf_clear(&self->states[slot]);
    return phone_keep_state(self->builtin, &self->states[slot], err);
}

static bool record_builtin_restore(struct record_phone *phone, unsigned slot,
                                   struct err *err)
{
    struct record_builtin *self = (struct record_builtin *)phone;

    return phone_return_to_state(self->builtin, &self->states[slot], err);
}

/* ---- opening ---- */

static void record_builtin_close(struct record_phone *phone)
{
    struct record_builtin *self = (struct record_builtin *)phone;

    actor_close(self->actor);
    observer_close(self->observer);
    device_close(self->device);
    observation_release(&self->seen);
    for (size_t i = 0; i < RECORD_SLOTS; i++)
        buf_release(&self->states[i]);
    free(self);
}

bool record_builtin_open(const struct record_builtin_options *options,
                         struct record_phone **phone, struct err *err)
{
    static const struct record_phone_ops ops = {
        .now_ms = record_builtin_now_ms,
        .capture = record_builtin_capture,
        .observe = record_builtin_observe,
        .perform = record_builtin_perform,
        .save = record_builtin_save,
        .restore = record_builtin_restore,
        .close = record_builtin_close,
    };
    const struct observer_options observer = {.cancel = options->cancel,
                                              .log = options->log};
    const struct actor_options actor = {.cancel = options->cancel,
                                        .log = options->log};
    struct phone_size size = phone_screen_size(options->phone);
    struct phone_content content = phone_content(options->phone);
    struct record_builtin *made = mem_new(1, sizeof(*made));

    made->phone = (struct record_phone){
        .ops = &ops,
        .width = size.width,
        .height = size.height,
        .locale = content.locale == LOCALE_ZH ? "zh" : "en",
        .builtin = true,
        .seed = (int64_t)content.seed,
        .skin = (int)content.skin};
    snprintf(made->phone.serial, sizeof(made->phone.serial), "%s",
             options->serial);
    made->builtin = options->phone;
    for (size_t i = 0; i < RECORD_SLOTS; i++)
        made->states[i] = (struct buf)BUF_INIT(PHONE_STATE_MAX);
    observation_init(&made->seen);
    made->device = phone_device_open(options->phone, options->serial);
    if (!observer_open(made->device, &observer, deadline_in_ms(CALL_MS),
                       &made->observer, err) ||
        !actor_open(made->device, &actor, deadline_in_ms(CALL_MS), &made->actor,
                    err)) {
        record_builtin_close(&made->phone);
        return false;
    }
    *phone = &made->phone;
    return true;
}
