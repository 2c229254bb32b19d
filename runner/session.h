/*
 * A phone while an episode uses it: its lease, and who sees and acts on it.
 *
 * A connection that is lost is made again, and what was asked is asked again,
 * within bounds: seeing twice does no harm. An action is repeated only where
 * that does none either; session_act says when.
 */
#ifndef RUNNER_SESSION_H
#define RUNNER_SESSION_H

#include "base/cancel.h"
#include "runner/act.h"
#include "runner/find.h"
#include "runner/observe.h"
#include "runner/prepare.h"
#include "runner/source.h"

#define SESSION_DOUBT_MAX 160

/* All of it is borrowed. */
struct session_options {
    struct source *source;
    const char *cache; /* what is remembered of phones; NULL: nothing */
    struct prepare_options prepare;
    const char *keyboard_apk; /* NULL: none may be installed */
    struct frames *frames;    /* NULL: its own */
    const struct cancel *cancel;
    const struct log *log;
};

struct session {
    struct session_options options;
    struct lease *lease; /* borrowed */
    struct preparation *preparation;
    struct observer *observer;
    struct actor *actor;
    int losses; /* of the connection, so far */
};

/*
 * Begin to use the phone. Fails as prepare_open, observer_open and actor_open
 * do.
 */
MUST_USE bool session_open(struct session *session,
                           const struct session_options *options,
                           struct lease *lease, struct err *err);
void session_close(struct session *session); /* an empty one is fine */

/* Have the phone as new, or as in a snapshot: see source_ops.refresh. */
MUST_USE bool session_refresh(struct session *session, const char *snapshot,
                              const char *locale, struct err *err);

/* observer_look, observer_read_tree, and both. */
MUST_USE bool session_look(struct session *session, struct observation *seen,
                           struct err *err);
MUST_USE bool session_read_tree(struct session *session,
                                struct observation *seen, struct err *err);
MUST_USE bool session_see(struct session *session, struct observation *seen,
                          struct err *err);

/* Wait for a thing to be on the screen: see find_wait. */
MUST_USE bool session_find(struct session *session,
                           const struct selector *selector,
                           int64_t milliseconds, struct observation *seen,
                           struct found *found, struct err *err);

/*
 * Run a command that may be run twice, and append what it prints to text, up
 * to its limit; what is more is left out.
 */
MUST_USE bool session_run(struct session *session, const char *command,
                          struct buf *text, struct err *err);

/* Something done to a phone, of which text says what. */
typedef bool session_fn(struct device *device, const char *text,
                        struct deadline by, struct err *err);

/* Do what may be done twice. Fails as function does. */
MUST_USE bool session_do(struct session *session, session_fn *function,
                         const char *text, struct err *err);

/*
 * Carry out an action on the screen that was seen. When the connection is
 * lost meanwhile, nobody knows whether it was done. On a phone made of
 * software the screen tells: the action is repeated if it looks as before.
 * doubt then says so, and is "" otherwise. Somebody's phone is not to be
 * tapped twice: that fails.
 */
MUST_USE bool session_act(struct session *session, const struct action *action,
                          const struct observation *seen,
                          char doubt[SESSION_DOUBT_MAX], struct err *err);

/* Was the connection, or the phone, what failed? */
bool session_is_loss(enum err_code code);

#endif
