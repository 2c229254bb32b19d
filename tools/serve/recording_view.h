/*
 * A recording as pages see it: its steps as JSON, with what has changed since a
 * page got it last. It is read from the disk again after each change.
 *
 * Not safe from several threads.
 */
#ifndef TOOLS_SERVE_RECORDING_VIEW_H
#define TOOLS_SERVE_RECORDING_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "runner/recording/recording.h"

struct recording_view {
    struct shown_step {
        char *json;        /* owned */
        char *description; /* owned; what was done */
        bool final;        /* it was made with the screen after it */
        bool undone;       /* then, too */
        uint64_t revision; /* of the view, when json changed */
    } * steps;             /* owned */
    size_t count;
    uint64_t revision;
    uint64_t begun; /* the revision that has none of the steps before it */
    bool finished;  /* it has an end */
};

void recording_view_init(struct recording_view *view);
void recording_view_release(struct recording_view *view);

/*
 * Read the recording in folder, called name in the addresses of its pictures.
 * *changed: is anything different? Blocks for the disk, and to describe new
 * steps. Fails as recording_load; the view is then unchanged.
 */
MUST_USE bool recording_view_read(struct recording_view *view,
                                  const char *folder, const char *name,
                                  bool *changed, struct err *err);

/* Forget the descriptions, so that they are made again: a picture was changed.
 */
void recording_view_forget_descriptions(struct recording_view *view);

/*
 * The revision after which a page that has got `seen` (0: nothing) needs the
 * steps; 0: all of them, since those that it has are not of this recording any
 * more.
 */
uint64_t recording_view_since(const struct recording_view *view, uint64_t seen);

/*
 * Append the steps that changed after a revision (0: all), separated by commas:
 * objects as in docs/serve.md.
 */
void recording_view_write(const struct recording_view *view, uint64_t since,
                          struct buf *json);

#endif
