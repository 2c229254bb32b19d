/*
 * The link of a view to its phone: connects, and again when the phone was lost;
 * chooses the way to its screen; carries out commands.
 *
 *               connected                    the rung fails
 *     CONNECTING ────────▶ source of a rung ───────────────▶ the next rung
 *         ▲                     │                                 │
 *         └──── phone lost ─────┴──────────── none is left ───────┘
 *
 * A thread does all of this; the functions are safe from any thread.
 */
#ifndef TOOLS_LIVE_VIEW_LINK_H
#define TOOLS_LIVE_VIEW_LINK_H

#include <stdbool.h>

#include "base/err.h"
#include "tools/live/phone_view.h"
#include "tools/live/watched_screen.h"

struct device;
struct view_link;

/*
 * Start it; screen is borrowed and gets what the source delivers. Fails when no
 * thread can be started.
 */
MUST_USE bool view_link_start(const struct phone_view_options *options,
                              struct watched_screen *screen,
                              struct view_link **link, struct err *err);

/*
 * End what it waits for, so that view_link_run returns soon, and always, with
 * ERR_CANCELLED.
 */
void view_link_cancel(struct view_link *link);

/* Stop it and free it; nothing else may use it. NULL is fine. */
void view_link_stop(struct view_link *link);

/* Fill in connected, why, rung, wanted and rungs. */
void view_link_status(struct view_link *link, struct phone_view_status *status);

/* See phone_view_choose. */
MUST_USE bool view_link_choose(struct view_link *link, enum live_rung rung,
                               struct err *err);

/* See phone_view_borrow. */
MUST_USE bool view_link_borrow(struct view_link *link, struct device **device,
                               struct err *err);

/* Carry out a command on the calling thread; fails with ERR_LOST. */
void view_link_run(struct view_link *link, const struct view_command *command,
                   struct view_answer *answer);

/* The source has failed; a watcher needs a key frame. Neither blocks. */
void view_link_note_failure(struct view_link *link, const struct err *err);
void view_link_want_key(struct view_link *link);

#endif
