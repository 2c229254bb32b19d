#include "tools/live/phone_view.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/live/command_queue.h"
#include "tools/live/view_link.h"
#include "tools/live/watched_screen.h"

struct phone_view {
    struct phone_view_options options;
    struct control_lease own_lease;
    struct control_lease *lease;   /* own_lease, or that of the options */
    struct watched_screen *screen; /* owned */
    struct view_link *link;        /* owned */
    struct command_queue *acting;  /* owned */
    struct command_queue *reading; /* owned */
    pthread_mutex_t recording;     /* held from before a command to after it */
    struct view_recorder recorder; /* guarded by it; before is NULL: none */
    pthread_mutex_t lock;          /* guards everything below */
    struct view_finger {
        bool down;
        struct view_command last; /* its last touch */
    } fingers[VIEW_POINTERS];
};

/* ---- the parts ---- */

static void on_status(void *context)
{
    struct phone_view *view = context;

    if (view->options.on_status)
        view->options.on_status(view->options.status_context);
}

static void on_failed(void *context, const struct err *err)
{
    struct phone_view *view = context;

    view_link_note_failure(view->link, err);
}

static void on_key_wanted(void *context)
{
    struct phone_view *view = context;

    view_link_want_key(view->link);
}

static bool acts(enum view_command_kind kind)
{
    return kind <= VIEW_SHELL;
}

/* Carry out a command that acts; a recorder sees it before and after. */
static void run_recorded(struct phone_view *view,
                         const struct view_command *command,
                         struct view_answer *answer)
{
    const struct view_recorder *recorder = &view->recorder;

    pthread_mutex_lock(&view->recording);
    if (!recorder->before) {
        view_link_run(view->link, command, answer);
    } else if (recorder->before(recorder->context, command, &answer->err)) {
        view_link_run(view->link, command, answer);
        recorder->after(recorder->context, command, answer->done);
    }
    pthread_mutex_unlock(&view->recording);
}

/* The new holder of control finds no finger of another on the screen. */
static void cancel_touch(struct phone_view *view,
                         const struct view_command *touch)
{
    struct view_command cancel = *touch;
    struct view_answer ignored = {.bytes = BUF_INIT(0)};

    cancel.touch = VIEW_CANCEL;
    run_recorded(view, &cancel, &ignored);
}

static void run_alone(struct phone_view *view,
                      const struct view_command *command,
                      struct view_answer *answer)
{
    if (!control_lease_enter(view->lease, command->epoch, &answer->err)) {
        if (command->kind == VIEW_TOUCH && command->touch == VIEW_UP)
            cancel_touch(view, command);
        return;
    }
    run_recorded(view, command, answer);
    control_lease_leave(view->lease);
}

/* For what may take long: no touch waits for its end. */
static void run_beside(struct phone_view *view,
                       const struct view_command *command,
                       struct view_answer *answer)
{
    if (control_lease_check(view->lease, command->epoch, &answer->err))
        view_link_run(view->link, command, answer);
}

/* Control may have passed on while the command waited. */
static void run_command(void *context, const struct view_command *command,
                        struct view_answer *answer)
{
    struct phone_view *view = context;
    const bool cancels =
        command->kind == VIEW_TOUCH && command->touch == VIEW_CANCEL;

    if (!acts(command->kind))
        view_link_run(view->link, command, answer);
    else if (cancels)
        run_recorded(view, command, answer);
    else if (command->kind == VIEW_SHELL)
        run_beside(view, command, answer);
    else
        run_alone(view, command, answer);
}

static bool rest(void *context)
{
    struct phone_view *view = context;
    bool again;

    pthread_mutex_lock(&view->recording);
    again = view->recorder.rest && view->recorder.rest(view->recorder.context);
    pthread_mutex_unlock(&view->recording);
    return again;
}

bool phone_view_open(const struct phone_view_options *options,
                     struct phone_view **view, struct err *err)
{
    struct phone_view *made = mem_new(1, sizeof(*made));
    const struct watched_screen_options screen = {on_status, on_failed,
                                                  on_key_wanted, made};
    const struct command_queue_options reading = {.run = run_command,
                                                  .context = made};
    struct command_queue_options acting = reading;

    acting.rest = rest;
    acting.rest_ms = options->rest_ms ? options->rest_ms : PHONE_VIEW_REST_MS;
    made->options = *options;
    control_lease_init(&made->own_lease, NULL, NULL);
    made->lease = options->lease ? options->lease : &made->own_lease;
    pthread_mutex_init(&made->recording, NULL);
    pthread_mutex_init(&made->lock, NULL);
    if (!watched_screen_start(&screen, &made->screen, err) ||
        !command_queue_start(&acting, &made->acting, err) ||
        !command_queue_start(&reading, &made->reading, err) ||
        !view_link_start(options, made->screen, &made->link, err)) {
        phone_view_close(made);
        return false;
    }
    *view = made;
    return true;
}

void phone_view_close(struct phone_view *view)
{
    if (!view)
        return;
    if (view->link)
        view_link_cancel(view->link);
    command_queue_stop(view->acting);
    command_queue_stop(view->reading);
    view_link_stop(view->link);
    watched_screen_stop(view->screen);
    pthread_mutex_destroy(&view->lock);
    pthread_mutex_destroy(&view->recording);
    control_lease_release(&view->own_lease);
    free(view);
}

void phone_view_status(struct phone_view *view,
                       struct phone_view_status *status)
{
    struct watched_screen_status screen;

    *status = (struct phone_view_status){.connected = false};
    view_link_status(view->link, status);
    watched_screen_status(view->screen, &screen);
    status->holder = control_lease_holder(view->lease, &status->epoch);
    status->width = screen.width;
    status->height = screen.height;
    status->fps = screen.fps;
    status->frame = screen.frame;
    if (status->rung != LIVE_RUNG_AUTO && screen.first_ms >= 0) {
        status->rungs[status->rung].first_ms = screen.first_ms;
        status->rungs[status->rung].fps = screen.best_fps;
        status->rungs[status->rung].frames = screen.frames;
    }
}

bool phone_view_choose(struct phone_view *view, enum live_rung rung,
                       struct err *err)
{
    return view_link_choose(view->link, rung, err);
}

struct phone_watcher *phone_view_watch(struct phone_view *view, int width,
                                       void (*on_packet)(void *context),
                                       void *context)
{
    return watched_screen_watch(view->screen, width, on_packet, context);
}

/* ---- who drives ---- */

struct control_lease *phone_view_lease(struct phone_view *view)
{
    return view->lease;
}

/* A finger of someone who does not drive any more is lifted. */
void phone_view_note_control(struct phone_view *view)
{
    enum control_holder holder;
    uint32_t epoch;
    struct err err;

    holder = control_lease_holder(view->lease, &epoch);
    pthread_mutex_lock(&view->lock);
    for (size_t i = 0; i < VIEW_POINTERS; i++) {
        struct view_finger *finger = &view->fingers[i];

        if (!finger->down ||
            (holder != CONTROL_FREE && finger->last.epoch == epoch))
            continue;
        finger->last.touch = VIEW_CANCEL;
        finger->down =
            !command_queue_push(view->acting, &finger->last, NULL, NULL, &err);
    }
    pthread_mutex_unlock(&view->lock);
    on_status(view);
}

/* ---- commands ---- */

static bool check_text(const char *text, struct err *err)
{
    if (!text)
        return err_set(err, ERR_INVALID, "the text is missing");
    return strnlen(text, VIEW_TEXT_MAX + 1) <= VIEW_TEXT_MAX ||
           err_set(err, ERR_LIMIT, "the text is longer than %zu bytes",
                   VIEW_TEXT_MAX);
}

static bool check_values(const struct view_command *command, struct err *err)
{
    switch (command->kind) {
    case VIEW_TOUCH:
        return (command->pointer >= 0 && command->pointer < VIEW_POINTERS) ||
               err_set(err, ERR_INVALID, "there is no finger %d",
                       command->pointer);
    case VIEW_KEY:
        return (command->key >= 0 && command->key <= KEY_LAST) ||
               err_set(err, ERR_INVALID, "there is no key %d", command->key);
    case VIEW_TEXT:
    case VIEW_PASTE:
    case VIEW_SHELL:
        return check_text(command->text, err);
    case VIEW_ROTATE:
    case VIEW_LOCK:
    case VIEW_TREE:
    case VIEW_DESCRIBE:
    case VIEW_SCREENSHOT:
    case VIEW_DUMP:
        return true;
    }
    return err_set(err, ERR_INVALID, "there is no such command");
}

/* Only the first touch of a finger is compared with the screen. Locked. */
static bool check_finger(struct phone_view *view,
                         const struct view_command *touch, struct err *err)
{
    const struct view_finger *finger = &view->fingers[touch->pointer];

    if (touch->touch == VIEW_DOWN)
        return watched_screen_check_touch(view->screen, touch, err);
    return (finger->down && finger->last.epoch == touch->epoch) ||
           err_set(err, ERR_REFUSED, "the finger is not on the screen");
}

static bool send_touch(struct phone_view *view,
                       const struct view_command *touch, view_answer_fn *answer,
                       void *context, struct err *err)
{
    struct view_finger *finger = &view->fingers[touch->pointer];
    bool done;

    pthread_mutex_lock(&view->lock);
    done = check_finger(view, touch, err) &&
           command_queue_push(view->acting, touch, answer, context, err);
    if (done) {
        finger->down = touch->touch == VIEW_DOWN || touch->touch == VIEW_MOVE;
        finger->last = *touch;
    }
    pthread_mutex_unlock(&view->lock);
    return done;
}

bool phone_view_send(struct phone_view *view,
                     const struct view_command *command, view_answer_fn *answer,
                     void *context, struct err *err)
{
    const bool reads = !acts(command->kind) || command->kind == VIEW_SHELL;

    if (!check_values(command, err) ||
        (acts(command->kind) &&
         !control_lease_check(view->lease, command->epoch, err)))
        return false;
    if (command->kind == VIEW_TOUCH)
        return send_touch(view, command, answer, context, err);
    return command_queue_push(reads ? view->reading : view->acting, command,
                              answer, context, err);
}

/* ---- recording ---- */

void phone_view_record(struct phone_view *view,
                       const struct view_recorder *recorder)
{
    pthread_mutex_lock(&view->recording);
    view->recorder = recorder ? *recorder : (struct view_recorder){NULL};
    pthread_mutex_unlock(&view->recording);
}

void phone_view_hold(struct phone_view *view)
{
    pthread_mutex_lock(&view->recording);
}

void phone_view_resume(struct phone_view *view)
{
    pthread_mutex_unlock(&view->recording);
}

bool phone_view_borrow(struct phone_view *view, struct device **device,
                       struct err *err)
{
    return view_link_borrow(view->link, device, err);
}

void phone_view_read(struct phone_view *view,
                     const struct view_command *command,
                     struct view_answer *answer)
{
    *answer = (struct view_answer){.bytes = BUF_INIT(COMMAND_ANSWER_MAX)};
    view_link_run(view->link, command, answer);
}
