/*
 * A phone as the recorder sees it. Implementations: any phone over ADB
 * (runner/session/record_session.h), and a built-in phone of this process
 * (tools/phone_source/record_builtin.h).
 *
 * One thread at a time uses it.
 */
#ifndef RUNNER_RECORD_RECORD_PHONE_H
#define RUNNER_RECORD_RECORD_PHONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture/picture.h"
#include "tasks/task/action.h"

#define RECORD_NAME_MAX 256
#define RECORD_DOUBT_MAX 256
#define RECORD_XML_MAX ((size_t)16 << 20)
#define RECORD_PNG_MAX ((size_t)64 << 20)

/* The screen and the tree of one moment. */
struct record_screen {
    struct buf png;         /* the phone's own PNG; empty: */
    struct picture picture; /* its pixels, to be encoded */
    struct buf xml;         /* as uiautomator wrote it; empty: none */
    char package[RECORD_NAME_MAX];
    char activity[RECORD_NAME_MAX];
    char doubt[RECORD_DOUBT_MAX]; /* why both may not be of the same moment;
                                     "": nothing is wrong */
    int keyboard_top; /* where the keyboard on the screen begins, in pixels; 0:
                         there is none, or that is not known */
    bool late;        /* the phone has gone on since: its state is not kept */
    int64_t at_ms;    /* as now_ms */
    int64_t settle_ms;
};

void record_screen_init(struct record_screen *screen);
void record_screen_release(struct record_screen *screen);

/* Move: *to, which is initialized, gets what *from has; *from is empty. */
void record_screen_move(struct record_screen *to, struct record_screen *from);

struct record_phone;

/* Why an action may have been carried out differently; "": nothing. */
struct record_done {
    char doubt[RECORD_DOUBT_MAX];
};

struct record_phone_ops {
    /* Milliseconds, on the clock of all times of the recording. */
    int64_t (*now_ms)(struct record_phone *phone);
    /*
     * The screen and tree of now, without waiting for anything: for a finger
     * that comes down. screen is initialized, and its memory may be reused.
     */
    bool (*capture)(struct record_phone *phone, struct record_screen *screen,
                    struct err *err);
    /* The same, when the screen has settled. Blocks until then. */
    bool (*observe)(struct record_phone *phone, struct record_screen *screen,
                    struct err *err);
    /* Carry out an action. NULL: it cannot, a person does. */
    bool (*perform)(struct record_phone *phone, const struct action *action,
                    struct record_done *done, struct err *err);
    /*
     * Keep the state of the phone as number `slot` (RECORD_SLOTS of them), and
     * return to it. NULL: the phone cannot do that.
     */
    bool (*save)(struct record_phone *phone, unsigned slot, struct err *err);
    bool (*restore)(struct record_phone *phone, unsigned slot, struct err *err);
    /* Free it, with all kept states. */
    void (*close)(struct record_phone *phone);
};

#define RECORD_SLOTS 20U

/* The first member of every implementation. */
struct record_phone {
    const struct record_phone_ops *ops;
    char serial[128];
    int width; /* of the screen */
    int height;
    const char *locale; /* NULL: not known */
    bool builtin;       /* a built-in phone, with: */
    int64_t seed;
    int skin;
};

void record_phone_close(struct record_phone *phone); /* NULL is fine */

#endif
