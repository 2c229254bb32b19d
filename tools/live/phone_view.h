/*
 * One phone that people look at and touch. It is independent of HTTP.
 *
 *     screen source ──▶ newest picture with the age of each tile,
 *                       or the video packets since the last key frame
 *                                │
 *                                ▼ encoded once for all watchers
 *     watcher ◀── on_packet, phone_watcher_take ──▶ phone_watcher_seen
 *
 *     phone_view_send ──▶ epoch and frame checked ──▶ queue ──▶ the phone
 *
 * A view has four threads: its screen source, the encoder, and one each for
 * commands that act on the phone and for those that read it. No function here
 * blocks longer than for a lock, except phone_view_open (it starts threads),
 * phone_view_close and phone_watcher_close. All of them are safe from any
 * thread; the callbacks are called from the view's threads, must not block, and
 * must not close the view or a watcher.
 *
 * Nothing changes on the screen: no packets. A watcher that is slow, or
 * stopped, gets the newest picture next, whatever it missed.
 */
#ifndef TOOLS_LIVE_PHONE_VIEW_H
#define TOOLS_LIVE_PHONE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/deadline.h"
#include "base/err.h"
#include "base/log.h"
#include "runner/device/control_lease.h"
#include "tools/live/live_packet.h"

struct cancel;
struct device;
struct phone;
struct phone_view;
struct phone_watcher;
struct view_command;

/* ---- the view ---- */

/* The ways to get the screen. */
enum live_rung {
    LIVE_RUNG_AUTO, /* the best that works, as measured (rung_cost.h) */
    LIVE_RUNG_BUILTIN,
    LIVE_RUNG_SCRCPY,
    LIVE_RUNG_SCREENRECORD,
    LIVE_RUNG_SCREENCAP,
    LIVE_RUNGS,
};

/* "auto", "builtin", "scrcpy", "screenrecord", "screencap". */
const char *live_rung_name(enum live_rung rung);
MUST_USE bool live_rung_parse(const char *name, enum live_rung *rung);

struct live_rung_status {
    bool usable;     /* as far as is known */
    char why[256];   /* why it is not, or was left: the text of an err */
    double fps;      /* frames per second while the screen moved; 0: unknown */
    int first_ms;    /* until the first picture; -1: not measured */
    uint64_t frames; /* that fps comes from */
};

/* The rest of a recorder is called after so long without a command. */
#define PHONE_VIEW_REST_MS 320

struct phone_view_options {
    /* A built-in phone of this process, borrowed; or NULL, then `open`. */
    struct phone *phone;
    /*
     * Connect to the phone, and again whenever it was lost: the view closes the
     * device. Called by a thread of the view; may block until `by` or until
     * cancel fires.
     */
    bool (*open)(void *context, const struct cancel *cancel, struct deadline by,
                 struct device **device, struct err *err);
    void *open_context;
    const char *scrcpy_server; /* file; NULL: where scrcpy installs it */
    enum live_rung rung;       /* the rung to use */
    /* What an earlier view of the phone has measured, LIVE_RUNGS of them;
     * copied. NULL: nothing. */
    const struct live_rung_status *measured;
    struct control_lease *lease; /* borrowed; NULL: the view has its own */
    int rest_ms; /* instead of PHONE_VIEW_REST_MS, not less; 0: that */
    /* The status may have changed; may be NULL. */
    void (*on_status)(void *context);
    void *status_context;
    const struct log *log; /* borrowed; may be NULL */
};

/*
 * Start to view a phone. Returns before there is a picture: failures of the
 * phone are part of the status. Fails when no thread can be started.
 */
MUST_USE bool phone_view_open(const struct phone_view_options *options,
                              struct phone_view **view, struct err *err);

/*
 * End it; NULL is fine. Blocks until its threads have ended and every pending
 * command was answered with ERR_CANCELLED. Its watchers must have been closed;
 * a built-in phone must still be there.
 */
void phone_view_close(struct phone_view *view);

struct phone_view_status {
    bool connected;
    char why[256];         /* why it is not; "": it is, or is being connected */
    enum live_rung rung;   /* in use; AUTO: none yet */
    enum live_rung wanted; /* as chosen */
    struct live_rung_status rungs[LIVE_RUNGS]; /* AUTO is not used */
    enum control_holder holder;
    uint32_t epoch;
    int width; /* of the screen; 0: no picture yet */
    int height;
    double fps; /* in the last second */
    uint32_t frame;
};

void phone_view_status(struct phone_view *view,
                       struct phone_view_status *status);

/*
 * Use this rung from now on. Fails with ERR_UNSUPPORTED and the reason if this
 * phone does not have it; one that fails later says so in the status, and the
 * next one is used.
 */
MUST_USE bool phone_view_choose(struct phone_view *view, enum live_rung rung,
                                struct err *err);

/* Who drives it. After a change of it call phone_view_note_control. */
struct control_lease *phone_view_lease(struct phone_view *view);
void phone_view_note_control(struct phone_view *view);

/* ---- watching ---- */

/*
 * Watch the phone in a picture that is about width pixels wide (the screen is
 * reduced by 2, 4 or 8 while it stays at least that wide; 0: never reduced).
 * on_packet is called when phone_watcher_take has something; the first time as
 * soon as there is a picture. Never NULL.
 */
struct phone_watcher *phone_view_watch(struct phone_view *view, int width,
                                       void (*on_packet)(void *context),
                                       void *context);

/* Stop watching. on_packet is not called afterwards. NULL is fine. */
void phone_watcher_close(struct phone_watcher *watcher);

/*
 * The next packet, which the caller frees; NULL: none now, on_packet will be
 * called.
 */
struct live_packet *phone_watcher_take(struct phone_watcher *watcher);

/*
 * The frame of a packet was painted. At most LIVE_UNSEEN_MAX packets (of a
 * video LIVE_UNSEEN_VIDEO_MAX) are on their way at a time; without this call
 * the watcher gets no more. A frame that was not taken yet is ignored.
 */
void phone_watcher_seen(struct phone_watcher *watcher, uint32_t frame);

#define LIVE_UNSEEN_MAX 2
#define LIVE_UNSEEN_VIDEO_MAX 8

/* ---- commands ---- */

enum view_command_kind {
    /* These act: they need the current epoch. */
    VIEW_TOUCH,
    VIEW_KEY,    /* press and release */
    VIEW_TEXT,   /* type text, of any script */
    VIEW_PASTE,  /* the same, as one piece */
    VIEW_ROTATE, /* a quarter turn */
    VIEW_LOCK,   /* the power key */
    /* Run text as a command line of the phone's shell; others act meanwhile. */
    VIEW_SHELL,
    /* These only read. */
    VIEW_TREE,       /* answer: JSON, see phone_view_send */
    VIEW_DESCRIBE,   /* a tap at x, y */
    VIEW_SCREENSHOT, /* answer: a PNG, lossless */
    VIEW_DUMP,       /* answer: uiautomator's XML, unchanged */
};

enum view_touch {
    VIEW_DOWN,
    VIEW_MOVE,
    VIEW_UP,
    VIEW_CANCEL,
};

/* The largest text, and the largest answer of a shell command. */
#define VIEW_TEXT_MAX ((size_t)64 << 10)
#define VIEW_SHELL_MAX ((size_t)1 << 20)
#define VIEW_POINTERS 10

struct view_command {
    enum view_command_kind kind;
    uint32_t epoch;
    /* of VIEW_TOUCH, and x, y of VIEW_DESCRIBE */
    uint32_t frame;    /* the frame that the finger saw */
    int width, height; /* of the screen in that frame */
    int pointer;       /* 0 to VIEW_POINTERS - 1 */
    enum view_touch touch;
    int x, y;         /* in pixels of the phone */
    int ms;           /* when, on any clock that all touches share */
    int key;          /* of VIEW_KEY: see base/keycode.h */
    const char *text; /* of VIEW_TEXT, VIEW_PASTE, VIEW_SHELL; copied */
};

/* The result of a command. */
struct view_answer {
    bool done;
    struct err err;   /* why not */
    struct buf bytes; /* see phone_view_send */
    int status;       /* of VIEW_SHELL: the exit status */
};

/*
 * Called exactly once per accepted command, by a thread of the view. The
 * answer is freed afterwards; its bytes may be moved out of it.
 */
typedef void view_answer_fn(void *context, struct view_answer *answer);

/*
 * Send a command; answer (may be NULL) gets the result later. Commands that act
 * are carried out in their order, and so are those that read.
 *
 * Fails at once, without calling answer: with ERR_REFUSED for an epoch that is
 * not the current one, or a finger that came down on a frame that is not the
 * newest where the screen has changed at that place since ("the screen has
 * changed"); with ERR_INVALID for a value out of range; with ERR_LIMIT while
 * too many commands wait. Of a finger whose "down" was refused, the following
 * touches are refused, too.
 *
 * The bytes of answers:
 *   VIEW_SHELL       what the command printed, at most VIEW_SHELL_MAX
 *   VIEW_SCREENSHOT  a PNG
 *   VIEW_DUMP        XML
 *   VIEW_TREE        [{"index": 0, "parent": -1, "bounds": [l, t, r, b],
 *                    "class": "", "text": "", "desc": "", "id": "",
 *                    "clickable": true, "checked": false, "words": ""}, ...];
 *                    words: what the converter would say of a tap there
 *   VIEW_DESCRIBE    {"words": "tapped ...", "selector": {...} or null}
 */
MUST_USE bool phone_view_send(struct phone_view *view,
                              const struct view_command *command,
                              view_answer_fn *answer, void *context,
                              struct err *err);

/* ---- recording ---- */

/*
 * Sees each command that acts, in their order, on the thread that carries them
 * out. These functions may block; the commands behind wait.
 */
struct view_recorder {
    /*
     * Before a command; false: it is not carried out, and err says why. A move
     * that was left out for a later one is not seen.
     */
    bool (*before)(void *context, const struct view_command *command,
                   struct err *err);
    /* After a command that before has let through; done: it succeeded. */
    void (*after)(void *context, const struct view_command *command, bool done);
    /*
     * No command has come for the view's rest_ms; true: call it again after
     * the same time.
     */
    bool (*rest)(void *context);
    void *context;
};

/*
 * Let a recorder, which is copied, see all commands from now on; NULL: none.
 * Blocks while the one before is called, which it never is afterwards.
 */
void phone_view_record(struct phone_view *view,
                       const struct view_recorder *recorder);

/*
 * Between these two calls no command that acts is carried out, and the recorder
 * is not called. Blocks until the command of now is done and its recorder has
 * seen that. Not from a recorder's functions.
 */
void phone_view_hold(struct phone_view *view);
void phone_view_resume(struct phone_view *view);

/*
 * Use the connection to a phone over ADB beside the view. The caller closes the
 * device, also when the phone was lost (then all its calls fail with ERR_LOST),
 * before the view is closed. Fails with ERR_BUSY while the phone is not
 * connected.
 */
MUST_USE bool phone_view_borrow(struct phone_view *view, struct device **device,
                                struct err *err);

/*
 * Carry out a command that reads, on the calling thread, which blocks. The
 * caller releases the answer's bytes, which have a limit already.
 */
void phone_view_read(struct phone_view *view,
                     const struct view_command *command,
                     struct view_answer *answer);

#endif
