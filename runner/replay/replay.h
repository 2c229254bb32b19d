/*
 * Repeats a recorded episode: each target is found again on the current screen
 * (runner/observe/screen_match.h), and after each step the screen is compared
 * with the recorded one. Both may have other words, another language, other ids
 * and another size. Where a target is not found with enough confidence, or the
 * screen is another, it stops.
 */
#ifndef RUNNER_REPLAY_REPLAY_H
#define RUNNER_REPLAY_REPLAY_H

#include <stdbool.h>

#include "base/picture/picture.h"
#include "runner/observe/screen_match.h"
#include "runner/session/device_session.h"
#include "runner/session/popup_handlers.h"
#include "tasks/trajectory/trajectory.h"

#define REPLAY_WHY_MAX 256

/* Why a replay stopped. */
enum replay_stop {
    REPLAY_STOP_NONE,   /* it did not */
    REPLAY_STOP_TARGET, /* the target of a step is not on the screen */
    REPLAY_STOP_SCREEN, /* the screen is another than recorded */
    REPLAY_STOP_STATE,  /* a control has another state than recorded */
    REPLAY_STOP_TEXT,   /* the typed text did not arrive */
    REPLAY_STOP_PHONE,  /* the phone cannot do the action */
    REPLAY_STOPS,
};

/* "target", "screen", ... */
const char *replay_stop_name(enum replay_stop stop);

/* One step that was done. */
struct replay_step {
    int step;          /* its number in the recording */
    bool has_target;   /* confidence and reason are of its target */
    bool skipped;      /* it was not necessary: reason says why */
    double confidence; /* from 0 to 1 */
    double similarity; /* of the screen after it; negative: not compared */
    char reason[SCREEN_MATCH_REASON_MAX];
};

/* Changes by a person to a recorded step. */
struct replay_edit {
    bool left_out; /* it is not repeated */
    bool waits; /* until its screen shows what is here in the recorded one: */
    struct action_point at;
};

/* All of it is borrowed. */
struct replay_options {
    struct device_session *session;
    const struct trajectory *recorded;
    const struct replay_edit *edits;   /* for each step; NULL: none */
    const char *locale;                /* of the phone; NULL: as recorded */
    const struct carried_texts *texts; /* NULL: none */
    struct popup_handlers *popups;     /* NULL: none are dismissed */
    struct trajectory_writer *writer;  /* records the replay; NULL: none */
    struct picture *picture; /* gets the expected and the actual screen side by
                                side when it stops; NULL: none */
};

/* The result of a replay. */
struct replay_end {
    bool done; /* all steps were done */
    enum replay_stop stop;
    int all;     /* number of steps to do */
    int steps;   /* steps done that led to the recorded screen */
    int step;    /* the step of the recording where it stopped; -1: none */
    double like; /* the lowest similarity of a screen so far, from 0 to 1 */
    char why[REPLAY_WHY_MAX];
    bool has_picture;        /* the picture was drawn */
    int popups;              /* number of pop-ups that were dismissed */
    int extra_scrolls;       /* scrolls that the recording does not have */
    struct replay_step *log; /* owned: what was done, in order */
    size_t log_count;
    char *answer; /* owned: the recorded answer in current texts; NULL: none */
};

void replay_end_release(struct replay_end *end);

/*
 * Do all steps of a recording on the phone, which must be at its start. A
 * different screen or a missing target is not a failure: end says so, and the
 * caller releases it. Fails when the phone is lost, the writer fails, or it is
 * cancelled; end is then empty.
 */
MUST_USE bool replay_play(const struct replay_options *options,
                          struct replay_end *end, struct err *err);

#endif
