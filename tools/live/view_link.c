#include "tools/live/view_link.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/device/device.h"
#include "base/cancel.h"
#include "base/mem.h"
#include "tools/live/lent_device.h"
#include "tools/live/live_control.h"
#include "tools/live/live_source.h"
#include "tools/live/rung_cost.h"
#include "tools/live/source_video.h"

#define CONNECT_MS 20000

/* Pause between two attempts to connect, doubled up to the longest one. */
#define RETRY_MS 500
#define RETRY_MS_MAX 5000

/* A rung that failed is tried again after this time. */
#define RUNG_REST_NS INT64_C(10000000000)

/* How often it is looked how a rung does that is tried. */
#define TRY_MS 50

struct view_link {
    struct phone_view_options options;
    struct watched_screen *screen; /* borrowed */
    struct cancel cancel;          /* fires at the end */
    pthread_t thread;

    struct device *device;   /* owned; NULL: a built-in phone, or none; used by
                                the thread */
    struct lent_device lent; /* the same, to others */
    pthread_rwlock_t control_lock; /* held while control is used */
    struct live_control *control;  /* owned; NULL: not connected; changed only
                                      by the thread */
    pthread_mutex_t acting;        /* held while control acts */

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    bool connected;
    struct err why; /* why it is not */
    enum live_rung wanted;
    enum live_rung rung; /* in use; AUTO: none */
    bool chosen;         /* wanted has changed: start again */
    bool failed;         /* the source has failed: failure */
    struct err failure;
    bool tries;      /* the rung has not been measured yet */
    bool outdone;    /* it has, and another one may be better */
    int64_t began;   /* when it was started */
    bool key_wanted; /* passed on to the source by the thread, as the next */
    bool hurry;
    struct live_rung_status rungs[LIVE_RUNGS];
    int64_t rests[LIVE_RUNGS]; /* until when a failed rung is not tried */
    bool stopped;
};

/* ---- rungs ---- */

static const char *const rung_names[LIVE_RUNGS] = {
    [LIVE_RUNG_AUTO] = "auto",
    [LIVE_RUNG_BUILTIN] = "builtin",
    [LIVE_RUNG_SCRCPY] = "scrcpy",
    [LIVE_RUNG_SCREENRECORD] = "screenrecord",
    [LIVE_RUNG_SCREENCAP] = "screencap",
};

const char *live_rung_name(enum live_rung rung)
{
    return rung_names[rung];
}

bool live_rung_parse(const char *name, enum live_rung *rung)
{
    for (size_t i = 0; i < LIVE_RUNGS; i++) {
        if (!strcmp(rung_names[i], name)) {
            *rung = (enum live_rung)i;
            return true;
        }
    }
    return false;
}

/* Does this phone have the rung, as far as can be said beforehand? */
static bool has_rung(const struct view_link *link, enum live_rung rung)
{
    return link->options.phone ? rung == LIVE_RUNG_BUILTIN
                               : rung != LIVE_RUNG_BUILTIN;
}

/*
 * With scrcpy's server, commands are carried out by it, too. Those that read
 * go on meanwhile, since they do not use it.
 */
static void use_scrcpy(struct view_link *link, struct scrcpy_client *client)
{
    pthread_mutex_lock(&link->acting);
    control_adb_use_scrcpy(link->control, client);
    pthread_mutex_unlock(&link->acting);
}

static bool start_scrcpy(struct view_link *link, const struct live_sink *sink,
                         struct live_source **source, struct err *err)
{
    struct scrcpy_client *client;

    if (!source_scrcpy_start(link->device, link->options.scrcpy_server, sink,
                             source, &client, err))
        return false;
    use_scrcpy(link, client);
    return true;
}

static bool start_source(struct view_link *link, enum live_rung rung,
                         struct live_source **source, struct err *err)
{
    const struct live_sink sink = watched_screen_sink(link->screen);

    switch (rung) {
    case LIVE_RUNG_BUILTIN:
        return source_builtin_start(link->options.phone, &sink, source, err);
    case LIVE_RUNG_SCREENCAP:
        return source_screencap_start(link->device, &sink, source, err);
    case LIVE_RUNG_SCRCPY:
        return start_scrcpy(link, &sink, source, err);
    case LIVE_RUNG_SCREENRECORD:
        return source_screenrecord_start(link->device, &sink, source, err);
    case LIVE_RUNG_AUTO:
    case LIVE_RUNGS:
        break;
    }
    return err_set(err, ERR_UNSUPPORTED, "there is no such way to the screen");
}

static void init_rungs(struct view_link *link)
{
    for (size_t i = 0; i < LIVE_RUNGS; i++) {
        struct live_rung_status *rung = &link->rungs[i];

        rung->usable = has_rung(link, (enum live_rung)i);
        rung->first_ms = -1;
        if (link->options.measured) {
            rung->first_ms = link->options.measured[i].first_ms;
            rung->fps = link->options.measured[i].fps;
            rung->frames = link->options.measured[i].frames;
        }
        if (!rung->usable)
            snprintf(rung->why, sizeof(rung->why), "%s",
                     link->options.phone ? "the phone is built in"
                                         : "the phone is not built in");
    }
}

/* The rung to use now; AUTO: none is left. Locked. */
static enum live_rung pick_rung(const struct view_link *link)
{
    const int64_t now = clock_ns();
    bool may_use[LIVE_RUNGS] = {false};

    if (link->wanted != LIVE_RUNG_AUTO && has_rung(link, link->wanted) &&
        link->rests[link->wanted] <= now)
        return link->wanted;
    for (size_t i = LIVE_RUNG_AUTO + 1; i < LIVE_RUNGS; i++)
        may_use[i] = has_rung(link, (enum live_rung)i) && link->rests[i] <= now;
    return rung_cost_best(link->rungs, may_use);
}

static void note_rung_failure(struct view_link *link, enum live_rung rung,
                              const struct err *why)
{
    struct live_rung_status *status = &link->rungs[rung];

    pthread_mutex_lock(&link->lock);
    status->usable = false;
    snprintf(status->why, sizeof(status->why), "%s", why->text);
    link->rests[rung] = clock_ns() + RUNG_REST_NS;
    pthread_mutex_unlock(&link->lock);
}

static void tell_status(const struct view_link *link)
{
    if (link->options.on_status)
        link->options.on_status(link->options.status_context);
}

/* ---- using a rung ---- */

/* Has the source failed, or is another one wanted? Locked. */
static bool is_source_over(const struct view_link *link)
{
    return link->stopped || link->chosen || link->failed || link->outdone;
}

/*
 * A rung that is tried for the first time: until its first picture its cost
 * grows with the time. Is there one that may be better? Locked.
 */
static void compare_rungs(struct view_link *link)
{
    struct live_rung_status *tried = &link->rungs[link->rung];
    struct watched_screen_status seen;

    watched_screen_status(link->screen, &seen);
    if (!seen.watched && seen.first_ms < 0) {
        link->began = clock_ns();
        return;
    }
    link->tries = seen.first_ms < 0;
    tried->first_ms = link->tries ? (int)((clock_ns() - link->began) / 1000000)
                                  : seen.first_ms;
    link->outdone =
        link->wanted == LIVE_RUNG_AUTO && pick_rung(link) != link->rung;
}

/* Requests are passed on to the source here, since they may block. */
static void pass_requests(struct view_link *link, struct live_source *source)
{
    const bool key = link->key_wanted && source->ops->request_key;
    const bool hurry = link->hurry && source->ops->hurry;

    link->key_wanted = false;
    link->hurry = false;
    pthread_mutex_unlock(&link->lock);
    if (key)
        source->ops->request_key(source);
    if (hurry)
        source->ops->hurry(source);
    pthread_mutex_lock(&link->lock);
}

/* Until something happens; while a rung is tried, not for long. */
static void await_change(struct view_link *link)
{
    const struct timespec end = deadline_timespec(deadline_in_ms(TRY_MS));

    if (link->tries)
        (void)pthread_cond_timedwait(&link->changed, &link->lock, &end);
    else
        pthread_cond_wait(&link->changed, &link->lock);
}

static void await_source_end(struct view_link *link, struct live_source *source)
{
    pthread_mutex_lock(&link->lock);
    while (!is_source_over(link)) {
        pass_requests(link, source);
        if (!is_source_over(link) && link->tries)
            compare_rungs(link);
        if (!is_source_over(link) && !link->key_wanted && !link->hurry)
            await_change(link);
    }
    pthread_mutex_unlock(&link->lock);
}

/* The next source has neither failed nor been asked for anything. */
static void forget_source(struct view_link *link, enum live_rung rung)
{
    pthread_mutex_lock(&link->lock);
    link->failed = false;
    link->key_wanted = false;
    link->outdone = false;
    link->tries = link->rungs[rung].first_ms < 0;
    link->began = clock_ns();
    pthread_mutex_unlock(&link->lock);
}

static void set_rung(struct view_link *link, enum live_rung rung)
{
    pthread_mutex_lock(&link->lock);
    link->rung = rung;
    if (rung != LIVE_RUNG_AUTO) {
        link->rungs[rung].usable = true;
        link->rungs[rung].why[0] = '\0';
    }
    pthread_mutex_unlock(&link->lock);
    tell_status(link);
}

/* Keep what was measured. */
static void note_figures(struct view_link *link, enum live_rung rung)
{
    struct watched_screen_status seen;

    watched_screen_status(link->screen, &seen);
    pthread_mutex_lock(&link->lock);
    if (seen.first_ms >= 0) {
        link->rungs[rung].first_ms = seen.first_ms;
        link->rungs[rung].fps = seen.best_fps;
        link->rungs[rung].frames = seen.frames;
    }
    pthread_mutex_unlock(&link->lock);
}

/*
 * Use a rung until it fails or another one is wanted. False: it failed, and
 * *why says so.
 */
static bool use_rung(struct view_link *link, enum live_rung rung,
                     struct err *why)
{
    struct live_source *source;
    bool failed;

    forget_source(link, rung);
    watched_screen_begin_source(link->screen);
    if (!start_source(link, rung, &source, why))
        return false;
    set_rung(link, rung);
    await_source_end(link, source);
    watched_screen_end_source(link->screen);
    if (rung == LIVE_RUNG_SCRCPY)
        use_scrcpy(link, NULL);
    source->ops->stop(source);
    note_figures(link, rung);
    pthread_mutex_lock(&link->lock);
    failed = link->failed;
    if (failed)
        *why = link->failure;
    pthread_mutex_unlock(&link->lock);
    set_rung(link, LIVE_RUNG_AUTO);
    return !failed;
}

static bool is_lost(const struct err *err)
{
    return err->code == ERR_LOST || err->code == ERR_CANCELLED;
}

static bool is_stopped(struct view_link *link)
{
    bool stopped;

    pthread_mutex_lock(&link->lock);
    stopped = link->stopped;
    pthread_mutex_unlock(&link->lock);
    return stopped;
}

/* Use the phone while it is connected; *why: why that ended. */
static void use_phone(struct view_link *link, struct err *why)
{
    (void)err_set(why, ERR_UNSUPPORTED, "there is no way to see its screen");
    while (!is_stopped(link)) {
        enum live_rung rung;

        pthread_mutex_lock(&link->lock);
        rung = pick_rung(link);
        link->chosen = false; /* a choice from now on is for the next one */
        pthread_mutex_unlock(&link->lock);
        if (rung == LIVE_RUNG_AUTO)
            return;
        if (use_rung(link, rung, why))
            continue;
        note_rung_failure(link, rung, why);
        tell_status(link);
        if (is_lost(why))
            return;
    }
}

/* ---- connecting ---- */

static void set_control(struct view_link *link, struct live_control *control)
{
    struct live_control *before;

    pthread_rwlock_wrlock(&link->control_lock);
    before = link->control;
    link->control = control;
    pthread_rwlock_unlock(&link->control_lock);
    if (before)
        before->ops->close(before);
}

static bool connect_phone(struct view_link *link, struct err *err)
{
    const struct phone_view_options *options = &link->options;
    const struct deadline by = deadline_in_ms(CONNECT_MS);
    struct live_control *control;
    struct device *device;

    if (options->phone)
        return true;
    if (!options->open(options->open_context, &link->cancel, by, &device, err))
        return false;
    if (!control_adb_open(device, &link->cancel, by, &control, err)) {
        device_close(device);
        return false;
    }
    link->device = device;
    lent_device_give(&link->lent, device);
    set_control(link, control);
    return true;
}

static void disconnect_phone(struct view_link *link)
{
    if (link->options.phone)
        return;
    set_control(link, NULL);
    lent_device_withdraw(&link->lent);
    device_close(link->device);
    link->device = NULL;
}

static void set_connected(struct view_link *link, bool connected,
                          const struct err *why)
{
    pthread_mutex_lock(&link->lock);
    link->connected = connected;
    link->why = why ? *why : (struct err)ERR_INIT;
    if (connected)
        memset(link->rests, 0, sizeof(link->rests));
    pthread_mutex_unlock(&link->lock);
    tell_status(link);
}

/* Until the time is over, or another rung was chosen. */
static void rest(struct view_link *link, int64_t ms)
{
    const struct timespec end = deadline_timespec(deadline_in_ms(ms));
    int number = 0;

    pthread_mutex_lock(&link->lock);
    while (!number && !link->stopped && !link->chosen)
        number = pthread_cond_timedwait(&link->changed, &link->lock, &end);
    link->chosen = false;
    pthread_mutex_unlock(&link->lock);
}

static void *keep_linked(void *context)
{
    struct view_link *link = context;
    int64_t pause = RETRY_MS;

    while (!is_stopped(link)) {
        struct err why;

        if (connect_phone(link, &why)) {
            set_connected(link, true, NULL);
            pause = RETRY_MS;
            use_phone(link, &why);
            disconnect_phone(link);
        }
        if (is_stopped(link))
            break;
        set_connected(link, false, &why);
        rest(link, pause);
        pause = pause * 2 < RETRY_MS_MAX ? pause * 2 : RETRY_MS_MAX;
    }
    return NULL;
}

/* ---- from other threads ---- */

static void release(struct view_link *link)
{
    if (link->control) {
        live_control_lift(link->control, deadline_in_ms(0));
        link->control->ops->close(link->control);
    }
    cancel_release(&link->cancel);
    lent_device_release(&link->lent);
    pthread_mutex_destroy(&link->acting);
    pthread_rwlock_destroy(&link->control_lock);
    pthread_cond_destroy(&link->changed);
    pthread_mutex_destroy(&link->lock);
    free(link);
}

/* Commands that follow each other without a gap do not keep it from being
 * changed. */
static void init_control_lock(pthread_rwlock_t *lock)
{
    pthread_rwlockattr_t attributes;

    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes,
                                  PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
}

bool view_link_start(const struct phone_view_options *options,
                     struct watched_screen *screen, struct view_link **link,
                     struct err *err)
{
    struct view_link *made = mem_new(1, sizeof(*made));
    int number;

    made->options = *options;
    made->screen = screen;
    made->wanted = options->rung;
    made->cancel = (struct cancel)CANCEL_INIT;
    lent_device_init(&made->lent, "the phone is not connected");
    init_control_lock(&made->control_lock);
    pthread_mutex_init(&made->acting, NULL);
    pthread_mutex_init(&made->lock, NULL);
    deadline_cond_init(&made->changed);
    init_rungs(made);
    if (options->phone)
        made->control = control_builtin_open(options->phone);
    if (!cancel_init(&made->cancel, err)) {
        release(made);
        return false;
    }
    *link = made; /* the source may fail before this function returns */
    number = pthread_create(&made->thread, NULL, keep_linked, made);
    if (number) {
        *link = NULL;
        release(made);
        return err_errno(err, number, "starting a thread for the phone");
    }
    return true;
}

void view_link_cancel(struct view_link *link)
{
    cancel_fire(&link->cancel);
    pthread_mutex_lock(&link->lock);
    link->stopped = true;
    pthread_cond_broadcast(&link->changed);
    pthread_mutex_unlock(&link->lock);
}

void view_link_stop(struct view_link *link)
{
    if (!link)
        return;
    view_link_cancel(link);
    pthread_join(link->thread, NULL);
    disconnect_phone(link);
    release(link);
}

void view_link_status(struct view_link *link, struct phone_view_status *status)
{
    pthread_mutex_lock(&link->lock);
    status->connected = link->connected;
    snprintf(status->why, sizeof(status->why), "%s", link->why.text);
    status->rung = link->rung;
    status->wanted = link->wanted;
    memcpy(status->rungs, link->rungs, sizeof(status->rungs));
    pthread_mutex_unlock(&link->lock);
}

bool view_link_choose(struct view_link *link, enum live_rung rung,
                      struct err *err)
{
    if (rung != LIVE_RUNG_AUTO && !has_rung(link, rung))
        return err_set(err, ERR_UNSUPPORTED, "%s cannot be used: %s",
                       live_rung_name(rung), link->rungs[rung].why);
    pthread_mutex_lock(&link->lock);
    link->wanted = rung;
    link->chosen = true;
    memset(link->rests, 0, sizeof(link->rests));
    pthread_cond_broadcast(&link->changed);
    pthread_mutex_unlock(&link->lock);
    return true;
}

bool view_link_borrow(struct view_link *link, struct device **device,
                      struct err *err)
{
    if (link->options.phone)
        return err_set(err, ERR_UNSUPPORTED, "the phone is built in");
    return lent_device_open(&link->lent, device, err);
}

/* The shell is used as by commands that read. */
static void run_command(struct view_link *link,
                        const struct view_command *command,
                        struct view_answer *answer)
{
    const bool acts = command->kind < VIEW_SHELL;

    if (acts)
        pthread_mutex_lock(&link->acting);
    live_control_run(link->control, command, answer);
    if (acts)
        pthread_mutex_unlock(&link->acting);
}

void view_link_run(struct view_link *link, const struct view_command *command,
                   struct view_answer *answer)
{
    pthread_rwlock_rdlock(&link->control_lock);
    if (link->control)
        run_command(link, command, answer);
    else
        (void)err_set(&answer->err, ERR_LOST, "the phone is not connected");
    pthread_rwlock_unlock(&link->control_lock);
    pthread_mutex_lock(&link->lock);
    link->hurry = true;
    pthread_cond_broadcast(&link->changed);
    pthread_mutex_unlock(&link->lock);
}

void view_link_note_failure(struct view_link *link, const struct err *err)
{
    pthread_mutex_lock(&link->lock);
    link->failed = true;
    link->failure = *err;
    pthread_cond_broadcast(&link->changed);
    pthread_mutex_unlock(&link->lock);
}

void view_link_want_key(struct view_link *link)
{
    pthread_mutex_lock(&link->lock);
    link->key_wanted = true;
    pthread_cond_broadcast(&link->changed);
    pthread_mutex_unlock(&link->lock);
}
