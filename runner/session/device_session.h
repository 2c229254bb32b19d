/*
 * A phone during an episode: its lease, observer, actor and settings.
 *
 * A lost connection is opened again, and the request is repeated within bounds,
 * as observing twice is harmless. An action is repeated only under the
 * conditions of device_session_perform.
 *
 * A call that times out is repeated only if the phone answers a short command
 * afterwards; otherwise the phone is silent, and all calls fail at once until
 * the session is opened again.
 *
 * A phone that falls silent within the time of an episode is given up less than
 * a minute after that time: a call ends half its usual time after it (30 s),
 * reconnecting takes 10 s at most, and the short command 15 s.
 */
#ifndef RUNNER_SESSION_DEVICE_SESSION_H
#define RUNNER_SESSION_DEVICE_SESSION_H

#include "base/cancel.h"
#include "runner/device/actor.h"
#include "runner/device/device_settings.h"
#include "runner/device/device_source.h"
#include "runner/observe/observer.h"
#include "runner/observe/selector_find.h"

#define DEVICE_SESSION_DOUBT_MAX 160

/* All of it is borrowed. */
struct device_session_options {
    struct device_source *source;
    /* folder of the cache of screenshot methods; NULL: none */
    const char *cache;
    struct device_settings_options prepare;
    const char *keyboard_apk;  /* ADBKeyboard; NULL: it is not installed */
    struct frame_pool *frames; /* NULL: an own one */
    /*
     * Act and watch through scrcpy's server (screen_helper.h), where the phone
     * can run it, and time is real; scrcpy_server as for screen_helper_open.
     */
    bool fast_input;
    const char *scrcpy_server;
    int64_t call_ms; /* for one call to a phone of normal speed; 0: default */
    const struct cancel *cancel;
    const struct log *log;
};

struct device_session {
    struct device_session_options options;
    struct device_lease *lease; /* borrowed */
    struct device_settings *device_settings;
    struct observer *observer;
    struct actor *actor;
    struct screen_helper *helper; /* NULL: none */
    bool tried_helper;            /* on this connection */
    struct err no_helper;         /* why there is none; ERR_NONE: no failure */
    int losses;                   /* lost connections so far */
    int64_t unanswered_ns;        /* since when a call has no answer; 0: none */
    int64_t budget_ns; /* when the time of the episode is over; 0: never */
    bool silent;       /* the phone does not even answer a short command */
};

/*
 * Open the session. lease is borrowed. Fails as device_settings_open,
 * observer_open and actor_open.
 */
MUST_USE bool device_session_open(struct device_session *session,
                                  const struct device_session_options *options,
                                  struct device_lease *lease, struct err *err);

/*
 * Restore the phone and close the session; an empty one is fine. False: the
 * phone is not restored, and err says why; the rest stays in the journal.
 */
MUST_USE bool device_session_close(struct device_session *session,
                                   struct err *err);

/* The episode must end at by; DEADLINE_NEVER removes the limit. */
void device_session_set_budget(struct device_session *session,
                               struct deadline by);

/* Reset the phone: see device_source_ops.refresh. */
MUST_USE bool device_session_refresh(struct device_session *session,
                                     const char *snapshot, const char *locale,
                                     struct err *err);

/* observer_capture, observer_read_tree and observer_observe, with retries. */
MUST_USE bool device_session_capture(struct device_session *session,
                                     struct observation *seen, struct err *err);
MUST_USE bool device_session_read_tree(struct device_session *session,
                                       struct observation *seen,
                                       struct err *err);
MUST_USE bool device_session_observe(struct device_session *session,
                                     struct observation *seen, struct err *err);

/* observer_adopt, once. */
MUST_USE bool device_session_adopt(struct device_session *session,
                                   const struct buf *png, const struct buf *xml,
                                   struct observation *seen, struct err *err);

/* Wait for an element: see selector_wait. */
MUST_USE bool device_session_find(struct device_session *session,
                                  const struct node_selector *selector,
                                  int64_t milliseconds,
                                  struct observation *seen,
                                  struct selector_match *found,
                                  struct err *err);

/*
 * Run a command that may run twice, and append its output to text (may be
 * NULL), truncated at the limit of text.
 */
MUST_USE bool device_session_run(struct device_session *session,
                                 const char *command, struct buf *text,
                                 struct err *err);

/*
 * Record the old value of what an agent is about to change, by
 * undo_journal_note_ setting, _keyboard or _file. Fails as they do: the change
 * stays then.
 */
typedef bool device_session_note_fn(struct undo_journal *journal,
                                    struct device *device, const char *name,
                                    struct deadline by, struct err *err);
MUST_USE bool device_session_note(struct device_session *session,
                                  device_session_note_fn *note,
                                  const char *name, struct err *err);

/*
 * Restore what the agent has changed. What is not restored is tried again when
 * the session is closed.
 */
MUST_USE bool device_session_undo_agent(struct device_session *session,
                                        struct err *err);

/* An operation on a phone with a text argument. */
typedef bool device_session_fn(struct device *device, const char *text,
                               struct deadline by, struct err *err);

/* Call an operation that may be done twice. Fails as it does. */
MUST_USE bool device_session_call(struct device_session *session,
                                  device_session_fn *function, const char *text,
                                  struct err *err);

/*
 * Perform an action on the observed screen. If the connection is lost during
 * it, it is not known whether it was done. On a built-in phone the action is
 * repeated if the screen looks as before, and doubt says so; otherwise doubt is
 * "". On a user's own phone it fails: a tap must not be repeated.
 */
MUST_USE bool device_session_perform(struct device_session *session,
                                     const struct action *action,
                                     const struct observation *seen,
                                     char doubt[DEVICE_SESSION_DOUBT_MAX],
                                     struct err *err);

/* Does it act and watch through the helper? */
bool device_session_is_fast(const struct device_session *session);

/* Is it an error of the connection or the phone? */
bool device_session_is_loss(enum err_code code);

#endif
