/*
 * How far a transfer is: one line on a terminal, drawn again and again.
 * Nothing is drawn where standard error is no terminal.
 */
#ifndef TOOLS_CLI_TERMINAL_TRANSFER_PROGRESS_H
#define TOOLS_CLI_TERMINAL_TRANSFER_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"

#define TRANSFER_PROGRESS_PATH_MAX 1100

struct transfer_progress {
    const struct cancel *cancel; /* borrowed */
    bool shown;                  /* there is a terminal */
    bool drawn;                  /* a line is on the terminal now */
    int64_t start_ns;            /* of the whole transfer */
    int64_t drawn_ns;
    char path[TRANSFER_PROGRESS_PATH_MAX]; /* of the current file */
    uint64_t moved;                        /* of that file */
    uint64_t total;
    uint64_t before; /* bytes of the files before it */
};

void transfer_progress_init(struct transfer_progress *progress, bool wanted,
                            const struct cancel *cancel);

/* A sync_progress_fn: context is the progress. */
bool transfer_progress_update(void *context, const char *path, uint64_t moved,
                              uint64_t total);

/* Take the line away. */
void transfer_progress_clear(struct transfer_progress *progress);

/* Seconds since the beginning. */
double transfer_progress_seconds(const struct transfer_progress *progress);

/*
 * One line of less than width columns, after this many seconds:
 *
 *     clip.mp4   57% [===========>         ]  12.3 MiB  35.2 MiB/s  3 s left
 */
void transfer_progress_format(const struct transfer_progress *progress,
                              double seconds, size_t width, struct buf *line);

#endif
