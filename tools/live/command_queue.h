/*
 * Commands that wait for a phone: a thread carries them out in their order.
 * Moves of a finger that wait behind each other become one.
 */
#ifndef TOOLS_LIVE_COMMAND_QUEUE_H
#define TOOLS_LIVE_COMMAND_QUEUE_H

#include <stdbool.h>

#include "base/err.h"
#include "tools/live/phone_view.h"

#define COMMAND_QUEUE_MAX 256

/* The largest answer. */
#define COMMAND_ANSWER_MAX ((size_t)96 << 20)

struct command_queue;

/* Carries out a command; fills the answer, of which err is that of a failure.
 */
typedef void command_queue_run_fn(void *context,
                                  const struct view_command *command,
                                  struct view_answer *answer);

/*
 * No command has come for rest_ms; true: call it again after the same time.
 */
typedef bool command_queue_rest_fn(void *context);

struct command_queue_options {
    command_queue_run_fn *run;
    command_queue_rest_fn *rest; /* by the same thread as run; may be NULL */
    int rest_ms;
    void *context;
};

/* Fails when no thread can be started. */
MUST_USE bool command_queue_start(const struct command_queue_options *options,
                                  struct command_queue **queue,
                                  struct err *err);

/*
 * End the thread after the command that it runs; the others are answered with
 * ERR_CANCELLED. NULL is fine.
 */
void command_queue_stop(struct command_queue *queue);

/*
 * Add a command; its text is copied. Fails with ERR_LIMIT when too many wait,
 * but for one that lifts each finger, and with ERR_CANCELLED after the stop.
 */
MUST_USE bool command_queue_push(struct command_queue *queue,
                                 const struct view_command *command,
                                 view_answer_fn *answer, void *context,
                                 struct err *err);

#endif
