/* A built-in phone of this process: driven by calls, in virtual time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "runner/device/actor.h"
#include "runner/observe/settle.h"
#include "tools/env/env_phone.h"
#include "tools/phone/phone.h"
#include "tools/phone/truths/truth_session.h"
#include "tools/phone_source/phone_device.h"

#define SERIAL "phone"
#define OUTPUT_MAX ((size_t)1 << 20)
#define VERDICT_MAX ((size_t)1 << 20)

/* As the observer of runs has them for a phone with virtual time. */
#define LOOK_MS 100
#define PATIENCE_MS 1200
#define PART_MS 2000
#define SETTLE_MS 5000
#define SMALL_PART 8

struct builtin_phone {
    struct env_phone base;
    const struct env_builtin_maker *maker; /* borrowed */
    struct phone_options options;
    struct phone *phone;   /* owned; NULL before the first reset */
    struct device *device; /* owned */
    struct actor *actor;   /* owned */
    struct truth_session *truth;
    char *truth_name;        /* owned; of the session */
    int64_t looks;           /* so far */
    bool acted;              /* since the last observation */
    struct phone_tiles last; /* of the last observation; width 0: none */
};

static struct builtin_phone *self_of(struct env_phone *phone)
{
    return (struct builtin_phone *)phone;
}

/* Nothing on such a phone waits for anything. */
static struct deadline never(void)
{
    return DEADLINE_NEVER;
}

/* ---- switching it on and off ---- */

static void switch_off(struct builtin_phone *self)
{
    actor_close(self->actor);
    device_close(self->device);
    truth_session_close(self->truth);
    phone_stop(self->phone);
    free(self->truth_name);
    self->actor = NULL;
    self->device = NULL;
    self->truth = NULL;
    self->phone = NULL;
    self->truth_name = NULL;
    self->looks = 0;
    self->acted = false;
    self->last.width = 0;
}

/* Needs a phone that is switched on. */
static bool attach(struct builtin_phone *self, struct err *err)
{
    const struct actor_options acting = {.keyboard_apk = NULL};

    self->device = phone_device_open(self->phone, SERIAL);
    return actor_open(self->device, &acting, never(), &self->actor, err);
}

static bool builtin_reset(struct env_phone *phone,
                          const struct env_phone_start *start, struct err *err)
{
    struct builtin_phone *self = self_of(phone);
    bool chinese = start->locale && !strncmp(start->locale, "zh", 2);

    switch_off(self);
    self->options = (struct phone_options){
        .fonts = self->maker->fonts,
        .seed = start->seed,
        .skin = self->maker->skin,
        .dark = self->maker->dark,
        .locale = chinese ? LOCALE_ZH : LOCALE_EN,
        .adb_keyboard = true,
        .unreachable = true,
    };
    self->base.locale = chinese ? "zh" : "en";
    if (start->task->reset == TASK_RESET_SNAPSHOT && start->task->snapshot)
        return err_set(err, ERR_UNSUPPORTED,
                       "task %s starts from snapshot %.60s: environments "
                       "start from a new phone",
                       start->task->id, start->task->snapshot);
    return phone_start(&self->options, &self->phone, err) && attach(self, err);
}

static void builtin_close(struct env_phone *phone)
{
    switch_off(self_of(phone));
    free(phone);
}

/* ---- commands ---- */

static bool builtin_run(struct env_phone *phone, const char *command,
                        struct buf *text, struct err *err)
{
    struct buf errors = BUF_INIT(OUTPUT_MAX);

    (void)err;
    (void)phone_run(self_of(phone)->phone, command, text, &errors);
    buf_release(&errors);
    return true;
}

/* A setup command that fails would change the task. */
static bool run_setup(struct builtin_phone *self, const char *command,
                      struct err *err)
{
    struct shell_result result;
    char words[120];
    bool done;

    if (!shell_run(self->device, command, OUTPUT_MAX, never(), &result, err))
        return false;
    shell_result_words(&result, words, sizeof(words));
    done = result.status <= 0 ||
           err_set(err, ERR_REMOTE, "set up: %.80s: status %d: %s", command,
                   result.status, words);
    shell_result_release(&result);
    return done;
}

static bool builtin_set_up(struct env_phone *phone, const struct task *asked,
                           struct err *err)
{
    struct builtin_phone *self = self_of(phone);
    const struct phone_size size = phone_screen_size(self->phone);
    struct action open = {.kind = ACTION_OPEN_APP};

    for (size_t i = 0; i < asked->set_up.count; i++) {
        if (!run_setup(self, asked->set_up.items[i], err))
            return false;
    }
    if (!asked->apps.count)
        return true;
    open.text = asked->apps.items[0];
    return actor_perform(self->actor, &open,
                         (struct extent){size.width, size.height}, never(),
                         err) ||
           err_wrap(err, "start %.80s", open.text);
}

/* ---- settling ---- */

/* How the screen changed since the look before, as frame_tracker compares. */
static enum settle_frame compare(const struct phone_tiles *before,
                                 const struct phone_tiles *now,
                                 struct box *animated)
{
    int64_t whole = (int64_t)now->width * now->height;
    struct box where, all;

    if (!screen_tiles_differ(before, now, &where))
        return SETTLE_SAME;
    all = box_is_empty(*animated) ? where : box_join(*animated, where);
    if ((int64_t)box_width(all) * box_height(all) > whole / SMALL_PART) {
        *animated = (struct box){0};
        return SETTLE_CHANGED;
    }
    *animated = all;
    return SETTLE_SMALL_CHANGE;
}

/* Look until the screen is settled; false when it never is. */
static bool rest(struct builtin_phone *self, struct phone_tiles *now)
{
    static const struct settle_options options = {
        .quiet_ms = LOOK_MS,
        .timeout_ms = PATIENCE_MS,
        .part_ms = PART_MS,
        .bound_ms = SETTLE_MS,
    };
    struct phone_tiles before = self->last;
    struct box animated = {0};
    enum settle_next next;
    struct settle settle;

    settle_begin(&settle, &options, self->looks * LOOK_MS,
                 self->acted && self->last.width);
    do {
        enum settle_frame frame;

        phone_look(self->phone, now);
        self->looks++;
        frame = compare(&before, now, &animated);
        if (!settle.seen)
            animated = (struct box){0};
        next = settle_frame(&settle, self->looks * LOOK_MS, frame,
                            screen_tiles_differ(&self->last, now, NULL));
        before = *now;
    } while (next == SETTLE_AGAIN);
    return next == SETTLE_STILL;
}

static bool builtin_settle(struct env_phone *phone, struct observation *seen,
                           struct err *err)
{
    struct builtin_phone *self = self_of(phone);
    int64_t began = self->looks;
    struct phone_tiles now;
    struct phone_component front;

    (void)err;
    observation_clear(seen);
    if (!rest(self, &now))
        observation_doubt(seen, "the screen did not settle");
    self->acted = false;
    self->last = now;
    phone_front(self->phone, &front);
    snprintf(seen->package, sizeof(seen->package), "%s", front.package);
    snprintf(seen->activity, sizeof(seen->activity), "%s", front.class);
    seen->screen = (struct extent){now.width, now.height};
    seen->screen_hash = screen_tiles_digest(&now);
    seen->settle_ms = (self->looks - began) * LOOK_MS;
    self->base.screen = seen->screen;
    return true;
}

/* ---- observing: no time passes ---- */

static bool builtin_screenshot(struct env_phone *phone,
                               struct observation *seen, struct err *err)
{
    struct builtin_phone *self = self_of(phone);
    bool done;

    buf_clear(&seen->png);
    done = phone_screenshot(self->phone, &seen->png, err);
    phone_forget_frame(self->phone);
    return done;
}

static bool builtin_tree(struct env_phone *phone, struct observation *seen,
                         struct err *err)
{
    buf_clear(&seen->xml);
    tree_release(&seen->tree);
    seen->has_tree = false;
    phone_tree(self_of(phone)->phone, &seen->xml);
    seen->has_tree =
        tree_read(&seen->tree, buf_cstr(&seen->xml), seen->xml.length, err);
    return seen->has_tree || err_wrap(err, "reading the tree");
}

static bool builtin_perform(struct env_phone *phone,
                            const struct action *action,
                            const struct observation *seen,
                            char doubt[DEVICE_SESSION_DOUBT_MAX],
                            struct err *err)
{
    struct builtin_phone *self = self_of(phone);

    doubt[0] = '\0';
    self->acted = true;
    return actor_perform(self->actor, action, seen->screen, never(), err);
}

/* ---- truth ---- */

static bool parse(const struct buf *text, struct cJSON **json, struct err *err)
{
    *json =
        text->overflow ? NULL : cJSON_ParseWithLength(text->data, text->length);
    return *json || err_set(err, ERR_LIMIT, "the truth is too long");
}

static bool open_truth(struct builtin_phone *self, const char *truth,
                       struct err *err)
{
    if (self->truth && !strcmp(self->truth_name, truth))
        return true;
    truth_session_close(self->truth);
    free(self->truth_name);
    self->truth = NULL;
    self->truth_name = mem_dup(truth);
    return truth_session_open(truth, &self->truth, err);
}

static bool builtin_facts(struct env_phone *phone, const char *truth,
                          struct cJSON **facts, struct err *err)
{
    struct builtin_phone *self = self_of(phone);
    struct buf text = BUF_INIT(VERDICT_MAX);
    bool done = open_truth(self, truth, err) &&
                phone_session_facts(self->phone, self->truth, &text, err) &&
                parse(&text, facts, err);

    buf_release(&text);
    return done;
}

static bool builtin_judge(struct env_phone *phone, const char *truth,
                          const char *answer, struct cJSON **verdict,
                          struct err *err)
{
    struct builtin_phone *self = self_of(phone);
    struct buf text = BUF_INIT(VERDICT_MAX);
    bool done =
        open_truth(self, truth, err) &&
        phone_session_judge(self->phone, self->truth, answer, &text, err) &&
        parse(&text, verdict, err);

    buf_release(&text);
    return done;
}

/* ---- making them ---- */

static struct builtin_phone *new_phone(const struct env_builtin_maker *maker);

static bool builtin_fork(struct env_phone *phone, struct env_phone **copy,
                         struct err *err)
{
    struct builtin_phone *self = self_of(phone);
    struct builtin_phone *made = new_phone(self->maker);

    made->options = self->options;
    made->base.locale = self->base.locale;
    made->base.screen = self->base.screen;
    made->looks = self->looks;
    made->acted = self->acted;
    made->last = self->last;
    if (!phone_fork(self->phone, &self->options, &made->phone, err) ||
        !attach(made, err)) {
        builtin_close(&made->base);
        return false;
    }
    actor_continue(made->actor, self->actor);
    *copy = &made->base;
    return true;
}

static struct builtin_phone *new_phone(const struct env_builtin_maker *maker)
{
    static const struct env_phone_ops ops = {
        .reset = builtin_reset,
        .run = builtin_run,
        .set_up = builtin_set_up,
        .settle = builtin_settle,
        .screenshot = builtin_screenshot,
        .tree = builtin_tree,
        .perform = builtin_perform,
        .facts = builtin_facts,
        .judge = builtin_judge,
        .fork = builtin_fork,
        .close = builtin_close,
    };
    struct builtin_phone *made = mem_new(1, sizeof(*made));

    made->base =
        (struct env_phone){.ops = &ops, .serial = SERIAL, .locale = "en"};
    made->maker = maker;
    return made;
}

static bool make_phone(struct env_phone_maker *maker, struct env_phone **phone,
                       struct err *err)
{
    (void)err;
    *phone = &new_phone((struct env_builtin_maker *)maker)->base;
    return true;
}

void env_builtin_maker_init(struct env_builtin_maker *maker,
                            struct phone_fonts *fonts)
{
    *maker = (struct env_builtin_maker){.maker = {make_phone}, .fonts = fonts};
}
