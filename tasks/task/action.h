/*
 * The action of one step, by an agent, a person, a script or gold.
 *
 * As JSON an action is an object with "action" and the members that it has;
 * tasks/task/action_table.h lists both.
 */
#ifndef TASKS_TASK_ACTION_H
#define TASKS_TASK_ACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"

enum action_kind {
    ACTION_CLICK,
    ACTION_LONG_PRESS,
    ACTION_DOUBLE_TAP,
    ACTION_SWIPE, /* from one point to another, or in a direction */
    ACTION_DRAG,  /* the same, but the pressed item moves along */
    ACTION_SCROLL,
    ACTION_TYPE,
    ACTION_CLEAR, /* into the focused field, or the one at the point */
    ACTION_ENTER,
    ACTION_BACK,
    ACTION_HOME,
    ACTION_RECENTS,
    ACTION_KEY, /* any other key; text: see base/key_press.h */
    ACTION_OPEN_APP,
    ACTION_WAIT,
    ACTION_ASK,    /* the user of the phone */
    ACTION_ANSWER, /* the answer that the task asks for */
    ACTION_COMPLETE,
    ACTION_FAIL, /* the agent gives up */
    /* Only recorded, of agents that drive the phone themselves: */
    ACTION_PINCH, /* two fingers around a point; text: "in" or "out" */
    ACTION_RAW,   /* a command around the UI, or not understood; text: it */
    ACTION_KINDS,
};

/* Of a swipe, the direction of the finger; of a scroll, that of the reader. */
enum action_direction {
    DIRECTION_NONE,
    DIRECTION_UP,
    DIRECTION_DOWN,
    DIRECTION_LEFT,
    DIRECTION_RIGHT,
    ACTION_DIRECTIONS,
};

/* What a raw command does to the phone, as far as it is known. */
enum action_effect {
    EFFECT_UNKNOWN,
    EFFECT_SETTING,    /* settings, services and modes of the system */
    EFFECT_APP_DATA,   /* content of apps: providers, databases, pm clear */
    EFFECT_PERMISSION, /* grants, app operations */
    EFFECT_PACKAGE,    /* apps installed, removed, enabled, disabled */
    EFFECT_APP_STOP,
    EFFECT_DEEP_LINK, /* a page of an app, without the way to it */
    EFFECT_INTENT,    /* broadcasts and services */
    EFFECT_KEYBOARD,  /* the input method */
    EFFECT_CLIPBOARD,
    EFFECT_FILE,    /* files of the phone's user */
    EFFECT_ELEMENT, /* an element of the screen, by a selector */
    EFFECT_PROGRAM, /* a program that acts alone */
    ACTION_EFFECTS,
};

struct action_point {
    int x; /* device pixels */
    int y;
};

struct action {
    enum action_kind kind;
    bool has_from;
    bool has_to;
    struct action_point from; /* instead of a second point */
    struct action_point to;
    enum action_direction direction;
    bool has_index;
    int index;        /* of a mark on the picture, or of a listed element */
    bool replace;     /* the text replaces the content of the field */
    bool submit;      /* press Enter after typing */
    int milliseconds; /* of WAIT, or of a gesture; 0: the default */
    enum action_effect effect; /* of RAW */
    /*
     * Only recorded, of TYPE: text is a mask, since the real one was typed into
     * a password field. Such an action cannot be carried out.
     */
    bool secret;
    char *text; /* owned; NULL for none */
};

#define ACTION_MILLISECONDS_MAX (10 * 60 * 1000)
#define ACTION_TEXT_MAX ((size_t)64 * 1024)

void action_release(struct action *action);

/*
 * Classes of actions, each inside the next:
 *
 *     tap            click, long press, double tap
 *     gesture        a tap, swipe, drag or scroll: a finger on the screen
 *     on the screen  a gesture, or text and Enter for the focused field
 *     on the phone   all of these, keys, opening an app, raw commands
 *
 * Waiting, asking, answering and ending are in none of them.
 */
bool action_is_tap(enum action_kind kind);
bool action_is_gesture(enum action_kind kind);
bool action_is_on_screen(enum action_kind kind);
bool action_is_on_phone(enum action_kind kind);

/* As in JSON: "click", "long_press". */
const char *action_kind_name(enum action_kind kind);
MUST_USE bool action_kind_find(const char *name, enum action_kind *kind);

/* As in JSON: "app_data"; "" for EFFECT_UNKNOWN. */
const char *action_effect_name(enum action_effect effect);

/* "" for DIRECTION_NONE. */
const char *action_direction_name(enum action_direction direction);
MUST_USE bool action_direction_find(const char *name,
                                    enum action_direction *direction);

/* The same action, ignoring its duration. */
bool action_equal(const struct action *a, const struct action *b);

/* Add its members to an object. */
void action_to_json(const struct action *action, struct cJSON *into);

/*
 * Read an action; the caller releases it. Other members are ignored. Fails with
 * ERR_INVALID, names the member, and leaves action untouched.
 */
MUST_USE bool action_from_json(const struct json *json, struct action *action,
                               struct err *err);

#endif
