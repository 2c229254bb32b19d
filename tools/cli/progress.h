/*
 * How far a transfer is: one line on a terminal, drawn again and again.
 * Nothing is drawn where standard error is no terminal.
 */
#ifndef TOOLS_CLI_PROGRESS_H
#define TOOLS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"

#define PROGRESS_PATH_MAX 1100

struct progress {
    const struct cancel *cancel; /* borrowed */
    bool shown;                  /* there is a terminal */
    bool drawn;                  /* a line stands there now */
    int64_t start_ns;            /* of the whole transfer */
    int64_t drawn_ns;
    char path[PROGRESS_PATH_MAX]; /* of the file under way */
    uint64_t moved;               /* of that file */
    uint64_t total;
    uint64_t before; /* bytes of the files before it */
};

void progress_init(struct progress *progress, bool wanted,
                   const struct cancel *cancel);

/* A sync_progress_fn: context is the progress. */
bool progress_update(void *context, const char *path, uint64_t moved,
                     uint64_t total);

/* Take the line away. */
void progress_clear(struct progress *progress);

/* Seconds since the beginning. */
double progress_seconds(const struct progress *progress);

/*
 * One line of less than width columns, after so many seconds:
 *
 *     clip.mp4   57% [===========>         ]  12.3 MiB  35.2 MiB/s  3 s left
 */
void progress_format(const struct progress *progress, double seconds,
                     size_t width, struct buf *line);

#endif
