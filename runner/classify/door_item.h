/*
 * The items that an agent's use of a phone over ADB consists of: actions,
 * screenshots, UI trees, and everything else.
 */
#ifndef RUNNER_CLASSIFY_DOOR_ITEM_H
#define RUNNER_CLASSIFY_DOOR_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tasks/task/action.h"

enum door_item_kind {
    DOOR_ACTION,
    DOOR_SCREENSHOT,
    DOOR_TREE,
    DOOR_READ, /* changes nothing that a user can see: not recorded */
    DOOR_RAW,  /* around the UI, or not understood: action is an ACTION_RAW */
};

/* Where the bytes of a screenshot or tree are. */
enum door_delivery {
    DOOR_IN_OUTPUT, /* in what this stream brings from the phone */
    DOOR_IN_FILE,   /* written to a file now, and perhaps read later */
    DOOR_ELSEWHERE, /* piped into another program: they cannot be used */
};

enum door_format {
    DOOR_PNG,
    DOOR_JPEG,
    DOOR_PIXELS,      /* of `screencap` without -p */
    DOOR_FRAMEBUFFER, /* of framebuffer: */
    DOOR_XML,
};

/* A change by an item that can be restored by the name of what changed. */
enum door_change {
    DOOR_CHANGES_NOTHING, /* or what is not known */
    DOOR_SETS,            /* a setting, such as "system user_rotation" */
    DOOR_USES_KEYBOARD,   /* enables or selects one, by its id */
    DOOR_WRITES_FILE,     /* by its path, normalised */
};

struct door_item {
    enum door_item_kind kind;
    enum door_change change;
    char *changed; /* owned; its name; NULL: CHANGES_NOTHING */

    /* Of ACTION and RAW. */
    struct action action; /* owned */
    unsigned number;      /* of the action; counts from 1 */
    /*
     * This is the whole action now, in place of the earlier one with the same
     * number: more of a text, the second tap of a double tap, a finger that was
     * lifted (until then it is a click). It makes no further step.
     */
    bool continues;

    /* Of SCREENSHOT and TREE. */
    enum door_delivery delivery;
    enum door_format format;
    /*
     * Counts from 1. The item that reads a file has the number of the one that
     * wrote it: its screen is that of the earlier time.
     */
    unsigned capture;
    char *file; /* owned; of IN_FILE, its path on the phone */
    bool pty;   /* of IN_OUTPUT: a terminal has put CR before each LF */

    /* The sent bytes as text, shortened, for the record. Never NULL. */
    char *command; /* owned */
};

/* Items in the order in which the phone gets to see them. */
struct door_items {
    struct door_item *items; /* owned */
    size_t count;
    size_t capacity;
};

#define DOOR_ITEMS_INIT                                                        \
    {                                                                          \
        .count = 0                                                             \
    }

/* Longer commands are cut for the record. */
#define DOOR_COMMAND_MAX ((size_t)4 * 1024)

void door_items_release(struct door_items *items);

/* Remove all, keep the memory. */
void door_items_clear(struct door_items *items);

/*
 * Add an item of a kind, with a copy of its command. It is valid until the next
 * one is added.
 */
struct door_item *door_items_add(struct door_items *items,
                                 enum door_item_kind kind, const char *command,
                                 size_t length);

/*
 * A copy of untrusted text that can be recorded: valid UTF-8 without NUL, at
 * most limit bytes. The caller frees it.
 */
char *door_text_copy(const char *text, size_t length, size_t limit);

/* "action", "screenshot", "tree", "read", "raw". */
const char *door_item_kind_name(enum door_item_kind kind);

#endif
