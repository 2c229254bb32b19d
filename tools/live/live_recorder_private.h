/* What the files of the live recorder share. */
#ifndef TOOLS_LIVE_LIVE_RECORDER_PRIVATE_H
#define TOOLS_LIVE_LIVE_RECORDER_PRIVATE_H

#include <pthread.h>

#include "tools/live/live_recorder.h"

/* Where the steps come from. */
struct live_steps {
    const struct live_steps_ops *ops;
};

struct live_steps_ops {
    /*
     * Record what is complete; then no step is recorded until resume, which
     * must be called also after a failure. Blocks.
     */
    bool (*hold)(struct live_steps *steps, struct err *err);
    /* undone: the last step was taken back. */
    void (*resume)(struct live_steps *steps, bool undone);
    /* Record what is left, with finish also the last screen. No steps come
     * afterwards, and the recorder may be closed. Blocks. */
    bool (*end)(struct live_steps *steps, bool finish, struct err *err);
    /* Free it; it has ended. */
    void (*close)(struct live_steps *steps);
};

struct live_recorder {
    struct live_recorder_options options;
    struct record_phone *phone; /* owned */
    struct recorder *recorder;  /* owned */
    struct live_steps *steps;   /* owned; NULL: not opened yet */

    pthread_mutex_t state; /* guards all below; is not held for long */
    bool ready;
    struct err failure;
};

void live_recorder_set_ready(struct live_recorder *live, bool ready);
/* Nothing more is recorded; the first reason is kept. */
void live_recorder_note_failure(struct live_recorder *live,
                                const struct err *err);

/*
 * Begin to record: the phone and the recorder of live are open. steps_page_open
 * sees the commands of the view and is never NULL; steps_hand_open listens to
 * the phone's touch screen and refuses the commands of the view. It fails as
 * phone_view_borrow and hand_session_open.
 */
struct live_steps *steps_page_open(struct live_recorder *live);
MUST_USE bool steps_hand_open(struct live_recorder *live,
                              struct live_steps **steps, struct err *err);

#endif
