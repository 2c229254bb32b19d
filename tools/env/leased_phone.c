/* Any phone over ADB: leased from a source, driven by a device session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/device/phone_lock.h"
#include "runner/replay/task_setup.h"
#include "tools/env/env_phone.h"

#define ACQUIRE_MS 60000

struct leased_phone {
    struct env_phone base;
    struct device_source *source; /* borrowed */
    struct phone_lock lock;
    struct device_lease *lease;
    struct device_session session;
    bool open; /* the session is */
    char locale[8];
};

static struct leased_phone *self_of(struct env_phone *phone)
{
    return (struct leased_phone *)phone;
}

static bool leased_reset(struct env_phone *phone,
                         const struct env_phone_start *start, struct err *err)
{
    struct leased_phone *self = self_of(phone);
    const char *locale = start->locale;

    if (!task_setup_reset(&self->session, start->task, locale, start->folder,
                          err))
        return false;
    if (!locale)
        locale = observer_facts(self->session.observer)->locale;
    snprintf(self->locale, sizeof(self->locale), "%s",
             strncmp(locale, "zh", 2) ? "en" : "zh");
    return true;
}

static bool leased_run(struct env_phone *phone, const char *command,
                       struct buf *text, struct err *err)
{
    return device_session_run(&self_of(phone)->session, command, text, err);
}

static bool leased_set_up(struct env_phone *phone, const struct task *asked,
                          struct err *err)
{
    struct device_session *session = &self_of(phone)->session;
    struct observation seen;
    bool done;

    observation_init(&seen);
    done = task_setup_run_commands(session, asked, err) &&
           task_setup_require_apps(session, asked, err) &&
           task_setup_launch(session,
                             asked->apps.count ? asked->apps.items[0] : NULL,
                             &seen, err);
    observation_release(&seen);
    return done;
}

static bool leased_settle(struct env_phone *phone, struct observation *seen,
                          struct err *err)
{
    if (!device_session_capture(&self_of(phone)->session, seen, err))
        return false;
    phone->screen = seen->screen;
    return true;
}

/* Settling has taken it. */
static bool leased_screenshot(struct env_phone *phone, struct observation *seen,
                              struct err *err)
{
    (void)phone;
    return seen->png.length || err_set(err, ERR_IO, "there is no screenshot");
}

static bool leased_tree(struct env_phone *phone, struct observation *seen,
                        struct err *err)
{
    return device_session_read_tree(&self_of(phone)->session, seen, err);
}

static bool leased_perform(struct env_phone *phone, const struct action *action,
                           const struct observation *seen,
                           char doubt[DEVICE_SESSION_DOUBT_MAX],
                           struct err *err)
{
    return device_session_perform(&self_of(phone)->session, action, seen, doubt,
                                  err);
}

static void let_go(struct leased_phone *self)
{
    if (self->lease)
        self->source->ops->release(self->source, self->lease);
    self->lease = NULL;
    phone_lock_release(&self->lock);
}

static void leased_close(struct env_phone *phone)
{
    struct leased_phone *self = self_of(phone);
    struct err ignored;

    /* What is not restored stays in the phone's journal for the next session */
    if (self->open)
        (void)!device_session_close(&self->session, &ignored);
    let_go(self);
    free(self);
}

/* ---- truth, where the phone reports it ---- */

static bool leased_facts(struct env_phone *phone, const char *truth,
                         struct cJSON **facts, struct err *err)
{
    struct truth_source *source = self_of(phone)->lease->truth_source;

    return source->ops->facts(source, truth, facts, err);
}

static bool leased_judge(struct env_phone *phone, const char *truth,
                         const char *answer, struct cJSON **verdict,
                         struct err *err)
{
    struct truth_source *source = self_of(phone)->lease->truth_source;

    return source->ops->judge(source, truth, answer, verdict, err);
}

/* ---- making them ---- */

#define COMMON_OPS                                                             \
    .reset = leased_reset, .run = leased_run, .set_up = leased_set_up,         \
    .settle = leased_settle, .screenshot = leased_screenshot,                  \
    .tree = leased_tree, .perform = leased_perform, .close = leased_close

static const struct env_phone_ops plain_ops = {COMMON_OPS};
static const struct env_phone_ops truth_ops = {
    COMMON_OPS, .facts = leased_facts, .judge = leased_judge};

/* Fails with ERR_BUSY for a phone that an environment or another program has */
static bool acquire(struct leased_phone *self, const char *serial,
                    struct deadline by, struct err *err)
{
    if (phone_lock_take(&self->lock, serial, err) &&
        self->source->ops->acquire(self->source, serial, by, &self->lease,
                                   err) &&
        phone_lock_identify(&self->lock, self->lease->device, by, err))
        return true;
    let_go(self);
    return false;
}

/* The first free phone of the source. */
static bool acquire_any(struct leased_phone *self, struct err *err)
{
    struct deadline by = deadline_in_ms(ACQUIRE_MS);
    char **serials = NULL;
    size_t count = 0;
    bool done = false;

    if (!self->source->ops->list(self->source, by, &serials, &count, err))
        return false;
    err_fill(err, ERR_NOT_FOUND, "there is no phone: connect one");
    for (size_t i = 0; i < count; i++) {
        done = done || acquire(self, serials[i], by, err);
        free(serials[i]);
    }
    free(serials);
    return done || err_wrap(err, "no phone is free");
}

static bool make_phone(struct env_phone_maker *maker, struct env_phone **phone,
                       struct err *err)
{
    const struct env_leased_maker *leased = (struct env_leased_maker *)maker;
    struct leased_phone *made = mem_new(1, sizeof(*made));

    made->source = leased->session.source;
    made->lock = (struct phone_lock)PHONE_LOCK_INIT;
    made->base.ops = &plain_ops;
    made->base.locale = made->locale;
    if (!acquire_any(made, err)) {
        leased_close(&made->base);
        return false;
    }
    if (!device_session_open(&made->session, &leased->session, made->lease,
                             err)) {
        leased_close(&made->base);
        return false;
    }
    made->open = true;
    if (made->lease->truth_source)
        made->base.ops = &truth_ops;
    made->base.serial = made->lease->serial;
    made->base.user_owned = made->lease->user_owned;
    *phone = &made->base;
    return true;
}

void env_leased_maker_init(struct env_leased_maker *maker,
                           const struct device_session_options *session)
{
    *maker =
        (struct env_leased_maker){.maker = {make_phone}, .session = *session};
}
