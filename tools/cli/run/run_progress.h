/*
 * How far a run is: on a terminal a table that is drawn again and again, a
 * line per phone; elsewhere a line for each attempt that ended. Both go to
 * standard error, and the results themselves to standard output.
 */
#ifndef TOOLS_CLI_RUN_RUN_PROGRESS_H
#define TOOLS_CLI_RUN_RUN_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/cancel.h"
#include "runner/run/run.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"

#define RUN_PROGRESS_TEXT 96

/* What one phone is at. */
struct run_row {
    char phone[RUN_PROGRESS_TEXT];
    char task[RUN_PROGRESS_TEXT]; /* "": none */
    char trouble[RUN_PROGRESS_TEXT];
    char note[RUN_PROGRESS_TEXT]; /* what the agent waits for; "" */
    int repeat;
    int attempt;
    struct episode_state state;
    int64_t at_ns; /* when it was so */
};

struct run_progress {
    struct cli_context *cli;
    bool live;            /* there is a terminal to draw on */
    struct run_row *rows; /* owned */
    size_t count;
    struct work_queue_state work;
    bool work_known; /* work is known */
    int64_t start_ns;
    unsigned drawn;       /* lines on the terminal now */
    struct err error;     /* of writing results; ERR_NONE: none */
    pthread_mutex_t lock; /* guards all of it */
    pthread_t ticker;     /* lets the time pass */
    bool ticking;
    struct cancel stop;
};

/*
 * Begin; the serials are those of the phones, in the run's order. table: the
 * terminal is free for the table, as no agent asks a person there.
 */
MUST_USE bool run_progress_start(struct run_progress *progress,
                                 struct cli_context *cli,
                                 const struct run_phone *phones, size_t count,
                                 bool table, struct err *err);

/* Take the table away. */
void run_progress_stop(struct run_progress *progress);

/* The state of the work has changed without a result. */
void run_progress_note(struct run_progress *progress,
                       const struct work_queue_state *state);

/* What the run is to call. */
struct run_watcher run_progress_watcher(struct run_progress *progress);

/*
 * The table at that time, in lines of less than width columns and at most so
 * many lines.
 */
void run_progress_format(const struct run_progress *progress, int64_t now_ns,
                         struct text_page *page, unsigned lines);

#endif
