/*
 * Acting on a phone and reading it, for the commands of a view. A touch is a
 * single event of a finger, with real timing.
 *
 * One thread acts and another one reads at the same time; all calls block, at
 * most until `by`.
 */
#ifndef TOOLS_LIVE_LIVE_CONTROL_H
#define TOOLS_LIVE_LIVE_CONTROL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/deadline.h"
#include "base/err.h"
#include "tools/live/phone_view.h"

struct live_control;
struct scrcpy_client;

struct live_control_ops {
    /* ---- acting ---- */
    bool (*touch)(struct live_control *control,
                  const struct view_command *touch, struct deadline by,
                  struct err *err);
    bool (*key)(struct live_control *control, int key, struct deadline by,
                struct err *err);
    bool (*text)(struct live_control *control, const char *text, bool paste,
                 struct deadline by, struct err *err);
    bool (*rotate)(struct live_control *control, struct deadline by,
                   struct err *err);

    /* ---- reading, and the shell ---- */
    bool (*shell)(struct live_control *control, const char *command,
                  struct deadline by, struct buf *output, int *status,
                  struct err *err);
    /* uiautomator's XML of the screen. */
    bool (*dump)(struct live_control *control, struct deadline by,
                 struct buf *xml, struct err *err);
    bool (*screenshot)(struct live_control *control, struct deadline by,
                       struct buf *png, struct err *err);
    void (*close)(struct live_control *control);
};

/* The first member of every implementation. */
struct live_control {
    const struct live_control_ops *ops;
    struct live_finger {
        bool down; /* it was put on the screen, by this control */
        struct view_command last; /* its last touch */
    } fingers[VIEW_POINTERS];     /* of the thread that acts */
};

/* Of a phone in this process, which is borrowed. Never NULL. */
struct live_control *control_builtin_open(struct phone *phone);

/*
 * Of a phone over ADB; device and cancel are borrowed. Fails as
 * device_info_read.
 */
MUST_USE bool control_adb_open(struct device *device,
                               const struct cancel *cancel, struct deadline by,
                               struct live_control **control, struct err *err);

/*
 * Act through scrcpy's server from now on, or with NULL by the phone's shell
 * again. Of a control by control_adb_open; fingers are lifted the old way
 * first, which blocks for a second at most. Nothing may act meanwhile.
 */
void control_adb_use_scrcpy(struct live_control *control,
                            struct scrcpy_client *client);

/* Take all fingers off the screen; gestures are cancelled where possible. */
void live_control_lift(struct live_control *control, struct deadline by);

/*
 * Carry out a command: one that acts, or one that reads. Fills the answer. A
 * touch that continues or ends one that never began, or that was lifted since,
 * does nothing.
 */
void live_control_run(struct live_control *control,
                      const struct view_command *command,
                      struct view_answer *answer);

#endif
