/*
 * One step's deed, whoever did it: an agent, a person, a script or gold.
 *
 * As JSON an action is an object with "action" and those of "x", "y", "x2",
 * "y2", "direction", "index", "text", "submit" and "milliseconds" that it has.
 */
#ifndef TASKS_ACTION_H
#define TASKS_ACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"

enum action_kind {
    ACTION_CLICK,
    ACTION_LONG_PRESS,
    ACTION_DOUBLE_TAP,
    ACTION_SWIPE, /* from one point to another, or into a direction */
    ACTION_DRAG,  /* the same, but what is held moves along */
    ACTION_SCROLL,
    ACTION_TYPE,
    ACTION_ENTER,
    ACTION_BACK,
    ACTION_HOME,
    ACTION_RECENTS,
    ACTION_OPEN_APP,
    ACTION_WAIT,
    ACTION_ASK,    /* the person whose phone it is */
    ACTION_ANSWER, /* what the task asks for */
    ACTION_COMPLETE,
    ACTION_FAIL, /* the agent gives up */
    ACTION_KINDS,
};

/* Of a swipe, where the finger goes; of a scroll, where the reader goes. */
enum action_direction {
    DIRECTION_NONE,
    DIRECTION_UP,
    DIRECTION_DOWN,
    DIRECTION_LEFT,
    DIRECTION_RIGHT,
    ACTION_DIRECTIONS,
};

struct action_point {
    int x; /* device pixels */
    int y;
};

struct action {
    enum action_kind kind;
    bool has_from;
    bool has_to;
    struct action_point from; /* or where, if there is one point only */
    struct action_point to;
    enum action_direction direction;
    bool has_index;
    int index;        /* of a mark on the picture, or of a listed element */
    bool submit;      /* press Enter when the text is typed */
    int milliseconds; /* of WAIT, or of a finger's way; 0: the usual */
    char *text;       /* owned; NULL for none */
};

#define ACTION_MILLISECONDS_MAX (10 * 60 * 1000)
#define ACTION_TEXT_MAX ((size_t)64 * 1024)

void action_release(struct action *action);

/* As in JSON: "click", "long_press". */
const char *action_kind_name(enum action_kind kind);
MUST_USE bool action_kind_find(const char *name, enum action_kind *kind);

/* "" for DIRECTION_NONE. */
const char *action_direction_name(enum action_direction direction);
MUST_USE bool action_direction_find(const char *name,
                                    enum action_direction *direction);

/* The same deed, whatever time it took. */
bool action_equal(const struct action *a, const struct action *b);

/* Add its members to an object. */
void action_to_json(const struct action *action, struct cJSON *into);

/*
 * Read one; the caller releases it. Other members are left alone. Fails with
 * ERR_INVALID, names the member, and leaves action untouched.
 */
MUST_USE bool action_from_json(const struct json *json, struct action *action,
                               struct err *err);

#endif
