/*
 * The recorder behind a door: it learns what an agent does on a phone before
 * the phone does. The runner implements it for an episode.
 *
 * All functions may be called from any thread, also at the same time.
 */
#ifndef RUNNER_DOORS_DOOR_RECORDER_H
#define RUNNER_DOORS_DOOR_RECORDER_H

#include <stdbool.h>

#include "base/buf.h"
#include "runner/classify/door_classifier.h"

#define DOOR_RECORDER_WHY_MAX 256

struct door_recorder;

struct door_recorder_ops {
    /*
     * An action is about to reach the phone. Blocks while the screen before it
     * is recorded. continues: it replaces the last one, of which it is the
     * longer form, such as a text with one more letter. False: it must not
     * reach the phone, and why has the reason.
     */
    bool (*act)(struct door_recorder *recorder, const struct action *action,
                bool continues, char why[DOOR_RECORDER_WHY_MAX]);
    /*
     * Something is about to be changed that can be restored by its name, which
     * is untrusted. Blocks while its old value is recorded. NULL: not wanted.
     */
    void (*change)(struct door_recorder *recorder, enum door_change change,
                   const char *name);
    /* The last recorded screen; it changes when the phone turns. */
    struct touch_display (*display)(struct door_recorder *recorder);
    /*
     * The agent has read the screen: bytes in this format, as they came from
     * the phone. They become the recorder's own; data is then empty.
     */
    void (*note_screen)(struct door_recorder *recorder, enum door_format format,
                        struct buf *data);
    /* The agent has read the UI tree, as uiautomator wrote it. As above. */
    void (*note_tree)(struct door_recorder *recorder, struct buf *xml);
};

/* The first member of every implementation. */
struct door_recorder {
    const struct door_recorder_ops *ops;
};

#endif
