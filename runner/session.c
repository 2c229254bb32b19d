#include "runner/session.h"

#include <stdio.h>
#include <string.h>

#include "adb/shell.h"

#define CALL_MS 60000     /* one thing asked of a phone */
#define RENEW_MS 30000    /* a phone that was unplugged for a moment */
#define REFRESH_MS 120000 /* an emulator's snapshot is some gigabytes */
#define UNDO_MS 10000
#define LOSSES_MAX 10 /* in a row */
#define OUTPUT_MAX ((size_t)1 << 20)

bool session_is_loss(enum err_code code)
{
    return code == ERR_LOST || code == ERR_CLOSED || code == ERR_IO ||
           code == ERR_PROTOCOL || code == ERR_TIMEOUT ||
           code == ERR_UNREACHABLE;
}

/* ---- opening ---- */

static bool open_observer(struct session *session, struct err *err)
{
    const struct session_options *options = &session->options;
    const struct observer_options seeing = {.cache = options->cache,
                                            .frames = options->frames,
                                            .cancel = options->cancel,
                                            .log = options->log};

    return session->observer ||
           observer_open(session->lease->device, &seeing,
                         deadline_in_ms(CALL_MS), &session->observer, err);
}

static bool open_actor(struct session *session, struct err *err)
{
    const struct session_options *options = &session->options;
    const struct actor_options acting = {
        .keyboard_apk = options->keyboard_apk,
        .journal = prepare_journal(session->preparation),
        .cancel = options->cancel,
        .log = options->log};

    return session->actor ||
           actor_open(session->lease->device, &acting, deadline_in_ms(CALL_MS),
                      &session->actor, err);
}

/* What is not there yet. */
static bool open_parts(struct session *session, struct err *err)
{
    if (!session->lease->device)
        return err_set(err, ERR_LOST, "%s is not there",
                       session->lease->serial);
    return (session->preparation ||
            prepare_open(session->lease->device, session->lease->serial,
                         &session->options.prepare, deadline_in_ms(CALL_MS),
                         &session->preparation, err)) &&
           open_observer(session, err) && open_actor(session, err);
}

/* A phone that is lost cannot be put right; its journal is kept for later. */
static void close_parts(struct session *session)
{
    struct err ignored;

    actor_close(session->actor);
    observer_close(session->observer);
    if (session->preparation && session->lease->device)
        (void)!prepare_undo(session->preparation, session->lease->device,
                            deadline_in_ms(UNDO_MS), &ignored);
    prepare_close(session->preparation);
    session->actor = NULL;
    session->observer = NULL;
    session->preparation = NULL;
}

static void use_device(struct session *session)
{
    if (session->observer)
        observer_use(session->observer, session->lease->device);
    if (session->actor)
        actor_use(session->actor, session->lease->device);
}

/* Have another connection; false: err says why that did not help. */
static bool recover(struct session *session, int tries, struct err *err)
{
    const struct session_options *options = &session->options;
    struct source *source = options->source;
    struct err why = ERR_INIT;

    if (!session_is_loss(err->code) || tries >= LOSSES_MAX ||
        cancel_fired(options->cancel))
        return false;
    session->losses++;
    if (err->code == ERR_CLOSED) /* only the service ended: ask again */
        return true;
    if (source->ops->renew(source, session->lease, deadline_in_ms(RENEW_MS),
                           &why)) {
        use_device(session);
        return true;
    }
    use_device(session); /* there may be none now */
    *err = why;
    return err_wrap(err, "have %s back", session->lease->serial);
}

/* Have all parts, though connections may be lost meanwhile. */
static bool reopen(struct session *session, struct err *err)
{
    for (int tries = 0; !open_parts(session, err); tries++) {
        if (!recover(session, tries, err))
            return false;
    }
    return true;
}

bool session_open(struct session *session,
                  const struct session_options *options, struct lease *lease,
                  struct err *err)
{
    *session = (struct session){.options = *options, .lease = lease};
    if (reopen(session, err))
        return true;
    session_close(session);
    return false;
}

void session_close(struct session *session)
{
    close_parts(session);
    *session = (struct session){.lease = NULL};
}

bool session_refresh(struct session *session, const char *snapshot,
                     const char *locale, struct err *err)
{
    struct source *source = session->options.source;
    struct err why;
    bool done;

    close_parts(session);
    done = source->ops->refresh(source, session->lease, snapshot, locale,
                                deadline_in_ms(REFRESH_MS), err);
    if (!done && (session_is_loss(err->code) || err->code == ERR_CANCELLED))
        return false;
    why = *err;
    if (!reopen(session, err))
        return false;
    *err = why;
    return done; /* a phone that cannot be as new can still be used */
}

/* ---- seeing ---- */

typedef bool see_fn(struct observer *observer, struct deadline by,
                    struct observation *seen, struct err *err);

static bool see(struct session *session, see_fn *function,
                struct observation *seen, struct err *err)
{
    for (int tries = 0;
         !function(session->observer, deadline_in_ms(CALL_MS), seen, err);
         tries++) {
        if (!recover(session, tries, err))
            return false;
    }
    return true;
}

bool session_look(struct session *session, struct observation *seen,
                  struct err *err)
{
    return see(session, observer_look, seen, err);
}

bool session_read_tree(struct session *session, struct observation *seen,
                       struct err *err)
{
    return see(session, observer_read_tree, seen, err);
}

bool session_see(struct session *session, struct observation *seen,
                 struct err *err)
{
    return see(session, observer_see, seen, err);
}

bool session_find(struct session *session, const struct selector *selector,
                  int64_t milliseconds, struct observation *seen,
                  struct found *found, struct err *err)
{
    const struct find_wait wait = {.observer = session->observer,
                                   .oracle = session->lease->oracle,
                                   .milliseconds = milliseconds};

    for (int tries = 0;
         !find_wait(&wait, selector, deadline_in_ms(CALL_MS + milliseconds),
                    seen, found, err);
         tries++) {
        if (!recover(session, tries, err))
            return false;
    }
    return true;
}

bool session_run(struct session *session, const char *command, struct buf *text,
                 struct err *err)
{
    struct shell_result result;

    for (int tries = 0; !shell_run(session->lease->device, command, OUTPUT_MAX,
                                   deadline_in_ms(CALL_MS), &result, err);
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
    return true;
}

bool session_do(struct session *session, session_fn *function, const char *text,
                struct err *err)
{
    for (int tries = 0;
         !function(session->lease->device, text, deadline_in_ms(CALL_MS), err);
         tries++) {
        if (!recover(session, tries, err))
            return false;
    }
    return true;
}

/* ---- acting ---- */

/* Does the screen still look as it did? */
static bool unchanged(struct session *session, const struct observation *seen,
                      bool *same, struct err *err)
{
    struct observation now;
    bool done;

    observation_init(&now);
    done = session_look(session, &now, err);
    *same = now.looks == seen->looks;
    observation_release(&now);
    return done;
}

/*
 * After a loss: is the action to be done again? Fails where it must not be,
 * and nobody knows whether it was.
 */
static bool decide_again(struct session *session, const struct action *action,
                         const struct observation *seen, int tries, bool *again,
                         struct err *err)
{
    const struct err why = *err;

    if (session->lease->somebodys || !recover(session, tries, err) ||
        !unchanged(session, seen, again, err))
        return false;
    if (*again || action->kind != ACTION_TYPE)
        return true;
    *err = why; /* half of a text may be there */
    return false;
}

/* Is the phone to do anything? */
static bool touches(enum action_kind kind)
{
    return kind != ACTION_WAIT && kind != ACTION_ASK && kind != ACTION_ANSWER &&
           kind != ACTION_COMPLETE && kind != ACTION_FAIL;
}

bool session_act(struct session *session, const struct action *action,
                 const struct observation *seen, char doubt[SESSION_DOUBT_MAX],
                 struct err *err)
{
    bool again = true;

    doubt[0] = '\0';
    for (int tries = 0; again; tries++) {
        if (actor_do(session->actor, action, seen->screen,
                     deadline_in_ms(CALL_MS + action->milliseconds), err))
            break;
        if (!session_is_loss(err->code) ||
            !decide_again(session, action, seen, tries, &again, err))
            return false;
        snprintf(doubt, SESSION_DOUBT_MAX,
                 "the connection was lost meanwhile; %s",
                 again ? "nothing had changed, and it was done again"
                       : "it seems to have been done");
    }
    if (touches(action->kind))
        observer_acted(session->observer);
    return true;
}
