#include "runner/session/device_session.h"

#include <stdio.h>
#include <string.h>

#include "adb/services/shell.h"

/*
 * Time for one call to a phone of normal speed. With the reconnection and the
 * probe behind it, a silent phone is given up within a minute.
 */
#define CALL_MS 40000
#define RENEW_MS 30000    /* time to reconnect a phone */
#define REFRESH_MS 120000 /* a snapshot of an emulator has some gigabytes */
#define LOSSES_MAX 10     /* in a row */
#define TIMEOUTS_MAX 2    /* in a row */
#define PROBE_MS 10000    /* a phone that does not answer `echo` is silent */

/* A call may run a few dozen commands, each as long as the phone's latency. */
#define CALL_COMMANDS 40
#define PROBE_COMMANDS 4
#define PROBE_SLOW_MS 5000 /* what a slow phone gets in addition, at most */
#define HELPER_MS 15000    /* for scrcpy's server to start */
#define OUTPUT_MAX ((size_t)1 << 20)

bool device_session_is_loss(enum err_code code)
{
    return code == ERR_LOST || code == ERR_CLOSED || code == ERR_IO ||
           code == ERR_PROTOCOL || code == ERR_TIMEOUT ||
           code == ERR_UNREACHABLE;
}

/* ---- time ---- */

static int64_t latency_ms(const struct device_session *session)
{
    return session->observer ? observer_latency_ms(session->observer) : 0;
}

void device_session_set_budget(struct device_session *session,
                               struct deadline by)
{
    session->budget_ns = by.at_ns == DEADLINE_NEVER.at_ns ? 0 : by.at_ns;
}

/* When a call with that much time after the budget must have ended. */
static struct deadline budget_deadline(const struct device_session *session,
                                       int64_t overtime_ms)
{
    struct deadline by = deadline_later((struct deadline){session->budget_ns},
                                        deadline_in_ms(0));

    if (!session->budget_ns)
        return DEADLINE_NEVER;
    by.at_ns += overtime_ms * 1000000;
    return by;
}

/* A call begins: its deadline. extra_ms is time that it waits on purpose. */
static struct deadline call_deadline(struct device_session *session,
                                     int64_t extra_ms)
{
    int64_t call_ms =
        session->options.call_ms ? session->options.call_ms : CALL_MS;

    if (!session->unanswered_ns)
        session->unanswered_ns = clock_ns();
    return deadline_sooner(deadline_in_ms(call_ms +
                                          CALL_COMMANDS * latency_ms(session) +
                                          extra_ms),
                           budget_deadline(session, call_ms / 2 + extra_ms));
}

/* The phone answered. Always true. */
static bool note_answer(struct device_session *session)
{
    session->unanswered_ns = 0;
    session->silent = false;
    return true;
}

/* Does the phone answer a short command? */
static bool probe(struct device_session *session, struct err *err)
{
    int64_t call_ms = session->options.call_ms;
    int64_t probe_ms = call_ms && call_ms < PROBE_MS ? call_ms : PROBE_MS;
    int64_t slow_ms = PROBE_COMMANDS * latency_ms(session);
    struct shell_result result;

    probe_ms += slow_ms < PROBE_SLOW_MS ? slow_ms : PROBE_SLOW_MS;
    if (!shell_run(session->lease->device, "echo", OUTPUT_MAX,
                   deadline_in_ms(probe_ms), &result, err)) {
        session->silent = err->code == ERR_TIMEOUT;
        return err_wrap(err, "%s does not answer", session->lease->serial);
    }
    shell_result_release(&result);
    return note_answer(session);
}

/* Is there a phone to call? One that was given up is not called again. */
static bool can_call(const struct device_session *session, struct err *err)
{
    const struct device_lease *lease = session->lease;

    if (session->silent)
        return err_set(err, ERR_TIMEOUT, "%s does not answer", lease->serial);
    return lease->device ||
           err_set(err, ERR_LOST, "%s is not there", lease->serial);
}

/* ---- opening ---- */

static bool open_observer(struct device_session *session, struct err *err)
{
    const struct device_session_options *options = &session->options;
    const struct observer_options observing = {.cache = options->cache,
                                               .frames = options->frames,
                                               .cancel = options->cancel,
                                               .log = options->log};

    return session->observer ||
           observer_open(session->lease->device, &observing,
                         call_deadline(session, 0), &session->observer, err);
}

static bool open_actor(struct device_session *session, struct err *err)
{
    const struct device_session_options *options = &session->options;
    const struct actor_options acting = {
        .keyboard_apk = options->keyboard_apk,
        .journal = device_settings_journal(session->device_settings),
        .cancel = options->cancel,
        .log = options->log};

    return session->actor ||
           actor_open(session->lease->device, &acting,
                      call_deadline(session, 0), &session->actor, err);
}

/* ---- the helper for fast input ---- */

static void use_helper(struct device_session *session,
                       struct screen_helper *helper)
{
    observer_set_helper(session->observer, helper);
    actor_set_helper(session->actor, helper);
    session->helper = helper;
}

static void close_helper(struct device_session *session)
{
    struct screen_helper *helper = session->helper;

    session->tried_helper = false;
    if (!helper)
        return;
    use_helper(session, NULL);
    screen_helper_close(helper);
}

/* It is an improvement only: without it, commands do the same. */
static void open_helper(struct device_session *session)
{
    const struct device_session_options *options = &session->options;
    struct screen_helper *helper = NULL;

    if (!options->fast_input || session->tried_helper ||
        !observer_time_passes(session->observer))
        return;
    session->tried_helper = true;
    if (screen_helper_open(session->lease->device, options->scrcpy_server,
                           options->cancel, deadline_in_ms(HELPER_MS), &helper,
                           &session->no_helper))
        use_helper(session, helper);
}

bool device_session_is_fast(const struct device_session *session)
{
    return screen_helper_works(session->helper);
}

/* ---- all parts ---- */

/* Open the parts that are not open. */
static bool open_parts(struct device_session *session, struct err *err)
{
    if (!can_call(session, err) || !probe(session, err) ||
        (!session->device_settings &&
         !device_settings_open(session->lease->device, session->lease->serial,
                               &session->options.prepare,
                               call_deadline(session, 0),
                               &session->device_settings, err)) ||
        !open_observer(session, err) || !open_actor(session, err))
        return false;
    open_helper(session);
    return true;
}

static bool restore(struct device_session *session, struct err *err)
{
    if (!session->device_settings)
        return true;
    if (session->lease->device && !session->silent)
        return device_settings_undo(session->device_settings,
                                    session->lease->device, err);
    return !device_settings_count(session->device_settings) ||
           err_set(err, ERR_LOST, "the phone is %s",
                   session->silent ? "silent" : "gone");
}

/* False: the phone is not restored; its journal is kept for later. */
static bool close_parts(struct device_session *session, struct err *err)
{
    bool restored;

    close_helper(session);
    actor_close(session->actor);
    observer_close(session->observer);
    restored = restore(session, err);
    device_settings_close(session->device_settings);
    session->actor = NULL;
    session->observer = NULL;
    session->device_settings = NULL;
    return restored ||
           err_wrap(err, "%s is not restored yet", session->lease->serial);
}

static void use_device(struct device_session *session)
{
    if (session->observer)
        observer_set_device(session->observer, session->lease->device);
    if (session->actor)
        actor_set_device(session->actor, session->lease->device);
}

/* Reconnect after a failure; false: err says why that did not help. */
static bool recover(struct device_session *session, int tries, struct err *err)
{
    const struct device_session_options *options = &session->options;
    struct device_source *source = options->source;
    bool timed_out = err->code == ERR_TIMEOUT;
    struct err why = ERR_INIT;

    if (!device_session_is_loss(err->code) || session->silent ||
        tries >= (timed_out ? TIMEOUTS_MAX : LOSSES_MAX) ||
        cancel_fired(options->cancel))
        return false;
    session->losses++;
    if (err->code ==
        ERR_CLOSED) /* only the stream was closed: repeat the call */
        return true;
    close_helper(session); /* it uses the connection */
    if (source->ops->renew(source, session->lease,
                           deadline_in_ms(timed_out ? PROBE_MS : RENEW_MS),
                           &why)) {
        use_device(session);
        if (timed_out && !probe(session, err))
            return false;
        if (session->actor && session->observer)
            open_helper(session);
        return true;
    }
    use_device(session); /* it may be NULL now */
    session->silent = timed_out && why.code == ERR_TIMEOUT;
    *err = why;
    if (why.code == ERR_NOT_FOUND) /* of this phone, which was there before */
        err->code = ERR_LOST;
    return err_wrap(err, "reconnecting to %s", session->lease->serial);
}

/* Open all parts, and reconnect if necessary. */
static bool reopen(struct device_session *session, struct err *err)
{
    session->silent = false;
    for (int tries = 0; !open_parts(session, err); tries++) {
        if (!recover(session, tries, err))
            return false;
    }
    return note_answer(session);
}

bool device_session_open(struct device_session *session,
                         const struct device_session_options *options,
                         struct device_lease *lease, struct err *err)
{
    struct err ignored; /* the first error is more important */

    *session = (struct device_session){.options = *options, .lease = lease};
    if (reopen(session, err))
        return true;
    (void)!device_session_close(session, &ignored);
    return false;
}

bool device_session_close(struct device_session *session, struct err *err)
{
    bool restored = close_parts(session, err);

    *session = (struct device_session){.lease = NULL};
    return restored;
}

bool device_session_refresh(struct device_session *session,
                            const char *snapshot, const char *locale,
                            struct err *err)
{
    struct device_source *source = session->options.source;
    struct err why;
    bool done;

    (void)!close_parts(session, &why); /* reopen tries it again */
    done = source->ops->refresh(source, session->lease, snapshot, locale,
                                deadline_in_ms(REFRESH_MS), err);
    if (!done &&
        (device_session_is_loss(err->code) || err->code == ERR_CANCELLED))
        return false;
    why = *err;
    if (!reopen(session, err))
        return false;
    *err = why;
    return done; /* a phone that cannot be reset can still be used */
}

/* ---- observing ---- */

typedef bool observe_fn(struct observer *observer, struct deadline by,
                        struct observation *seen, struct err *err);

static bool observe_with_retries(struct device_session *session,
                                 observe_fn *function, struct observation *seen,
                                 struct err *err)
{
    if (!can_call(session, err))
        return false;
    for (int tries = 0;
         !function(session->observer, call_deadline(session, 0), seen, err);
         tries++) {
        if (!recover(session, tries, err))
            return false;
    }
    return note_answer(session);
}

bool device_session_capture(struct device_session *session,
                            struct observation *seen, struct err *err)
{
    return observe_with_retries(session, observer_capture, seen, err);
}

bool device_session_read_tree(struct device_session *session,
                              struct observation *seen, struct err *err)
{
    return observe_with_retries(session, observer_read_tree, seen, err);
}

bool device_session_observe(struct device_session *session,
                            struct observation *seen, struct err *err)
{
    return observe_with_retries(session, observer_observe, seen, err);
}

bool device_session_adopt(struct device_session *session, const struct buf *png,
                          const struct buf *xml, struct observation *seen,
                          struct err *err)
{
    return observer_adopt(session->observer, call_deadline(session, 0), png,
                          xml, seen, err) &&
           note_answer(session);
}

bool device_session_find(struct device_session *session,
                         const struct node_selector *selector,
                         int64_t milliseconds, struct observation *seen,
                         struct selector_match *found, struct err *err)
{
    const struct selector_wait wait = {.observer = session->observer,
                                       .truth_source =
                                           session->lease->truth_source,
                                       .milliseconds = milliseconds};

    if (!can_call(session, err))
        return false;
    for (int tries = 0;
         !selector_wait(&wait, selector, call_deadline(session, milliseconds),
                        seen, found, err);
         tries++) {
        if (!recover(session, tries, err))
            return false;
    }
    return note_answer(session);
}

bool device_session_note(struct device_session *session,
                         device_session_note_fn *note, const char *name,
                         struct err *err)
{
    struct undo_journal *journal =
        device_settings_agent_journal(session->device_settings);

    if (!can_call(session, err))
        return false;
    if (!note(journal, session->lease->device, name, call_deadline(session, 0),
              err) &&
        device_session_is_loss(err->code))
        return false;
    return note_answer(session);
}

bool device_session_undo_agent(struct device_session *session, struct err *err)
{
    return !session->device_settings ||
           (can_call(session, err) &&
            device_settings_undo_agent(session->device_settings,
                                       session->lease->device, err));
}

bool device_session_run(struct device_session *session, const char *command,
                        struct buf *text, struct err *err)
{
    struct shell_result result;

    if (!can_call(session, err))
        return err_wrap(err, "run %.60s", command);
    for (int tries = 0; !shell_run(session->lease->device, command, OUTPUT_MAX,
                                   call_deadline(session, 0), &result, err);
         tries++) {
        if (!recover(session, tries, err))
            return err_wrap(err, "run %.60s", command);
    }
    if (text) {
        size_t room = text->limit - text->length;

        buf_append(text, buf_cstr(&result.out),
                   result.out.length < room ? result.out.length : room);
    }
    shell_result_release(&result);
    return note_answer(session);
}

bool device_session_call(struct device_session *session,
                         device_session_fn *function, const char *text,
                         struct err *err)
{
    if (!can_call(session, err))
        return false;
    for (int tries = 0; !function(session->lease->device, text,
                                  call_deadline(session, 0), err);
         tries++) {
        if (!recover(session, tries, err))
            return false;
    }
    return note_answer(session);
}

/* ---- acting ---- */

/* Does the screen look as before? */
static bool unchanged(struct device_session *session,
                      const struct observation *seen, bool *same,
                      struct err *err)
{
    struct observation now;
    bool done;

    observation_init(&now);
    done = device_session_capture(session, &now, err);
    *same = now.screen_hash == seen->screen_hash;
    observation_release(&now);
    return done;
}

/*
 * After a lost connection: repeat the action? Fails where it must not be
 * repeated and it is not known whether it was done.
 */
static bool decide_again(struct device_session *session,
                         const struct action *action,
                         const struct observation *seen, int tries, bool *again,
                         struct err *err)
{
    const struct err why = *err;

    if (session->lease->user_owned || !recover(session, tries, err) ||
        !unchanged(session, seen, again, err))
        return false;
    if (*again || action->kind != ACTION_TYPE)
        return true;
    *err = why; /* a part of the text may have been typed */
    return false;
}

bool device_session_perform(struct device_session *session,
                            const struct action *action,
                            const struct observation *seen,
                            char doubt[DEVICE_SESSION_DOUBT_MAX],
                            struct err *err)
{
    bool again = true;

    doubt[0] = '\0';
    if (!can_call(session, err))
        return false;
    observer_begin_action(session->observer);
    for (int tries = 0; again; tries++) {
        if (actor_perform(session->actor, action, seen->screen,
                          call_deadline(session, action->milliseconds), err))
            break;
        if (!device_session_is_loss(err->code) ||
            !decide_again(session, action, seen, tries, &again, err))
            return false;
        snprintf(doubt, DEVICE_SESSION_DOUBT_MAX,
                 "the connection was lost meanwhile; %s",
                 again ? "nothing had changed, and it was done again"
                       : "it seems to have been done");
    }
    if (action_is_on_phone(action->kind))
        observer_note_action(session->observer);
    return note_answer(session);
}
