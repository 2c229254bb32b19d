/* Declarations shared by the parts of the classifier. */
#ifndef RUNNER_CLASSIFY_DOOR_PRIVATE_H
#define RUNNER_CLASSIFY_DOOR_PRIVATE_H

#include "runner/classify/door_classifier.h"
#include "runner/classify/door_files.h"
#include "runner/classify/door_merge.h"
#include "runner/classify/door_sendevent.h"
#include "runner/touch/finger_gesture.h"

/* Of one call; more are one raw item. */
#define DOOR_ITEMS_MAX 2048

struct door_classifier {
    struct door_options options;
    struct door_counts counts;
    unsigned captures; /* numbers given to screenshots and trees */
    struct door_merge merge;
    struct door_files files;
    struct finger_gesture motion; /* of input motionevent */
    struct door_sendevent events;
    struct touch_devices touch;
    bool has_touch;  /* touch was asked for */
    char *clipboard; /* owned; what a paste would type; NULL: not known */
};

/* One command, call or message, and where its items go. */
struct door_context {
    struct door_classifier *classifier;
    struct door_items *items;
    int64_t now;
    const char *command; /* as it was sent */
    size_t length;
    bool uncertain;     /* it may not run: an action of it is raw */
    bool piped;         /* its output goes into another program */
    bool discarded;     /* its output goes to /dev/null */
    bool pty;           /* its output comes through a terminal */
    const char *output; /* the file that its output goes to; NULL: none */
};

/* ---- door_record.c: adding items ---- */

/* The action's text becomes the record's. */
void door_record_action(struct door_context *context, struct action action);
void door_record_raw(struct door_context *context, enum action_effect effect);
void door_record_read(struct door_context *context);

/* A finger is on the screen; up: it was lifted, and action is what it did. */
void door_record_touch(struct door_context *context, struct action action,
                       bool up);

/* The newest item changes that; name is untrusted. */
void door_record_change(struct door_context *context, enum door_change change,
                        const char *name);

/* A screenshot or tree; file is NULL when it comes in the output. */
void door_record_capture(struct door_context *context, enum door_item_kind kind,
                         enum door_format format, const char *file);

/* A file with a screenshot or tree is read into the output. */
void door_record_file_read(struct door_context *context,
                           const struct door_file *file);

/* ---- shared by several ---- */

/* Actions of these kinds, with a copy of text (NULL for none). */
struct action door_action_at(enum action_kind kind, int x, int y);
struct action door_action_with(enum action_kind kind, const char *text);

/* The press of one key: typed text, Back, or a key by its name. */
void door_record_key(struct door_context *context, int code, int milliseconds);

/* Keys that are pressed together. */
void door_record_keys(struct door_context *context, const int *codes,
                      size_t count);

/* Text for the focused field. */
void door_record_text(struct door_context *context, const char *text);

/* From a point to another one in a time: tap, long press, swipe or drag. */
void door_record_path(struct door_context *context, struct action_point from,
                      struct action_point to, int milliseconds, bool drags);

#endif
