/*
 * Another program, run next to us: what we write is its standard input, and
 * what it prints is read, in lines or as a whole.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

#define CHILD_LINE_MAX ((size_t)4 << 20)

struct child {
    pid_t pid; /* its group is its own; 0: there is none */
    int in;    /* owned; we write */
    int out;   /* owned; we read */
    struct buf heard;
};

#define CHILD_INIT                                                             \
    {                                                                          \
        .in = -1, .out = -1, .heard = BUF_INIT(CHILD_LINE_MAX)                 \
    }

struct child_command {
    const char *const *arguments; /* the program's name first, NULL last */
    const char *setting;          /* NAME=VALUE for its environment, or NULL */
    const char *errors; /* file for what it complains; NULL: with its output */
};

/*
 * Start a program, which is looked for in PATH unless its name has a slash.
 * Fails with ERR_NOT_FOUND when there is none, and with ERR_IO.
 */
MUST_USE bool child_start(struct child *child,
                          const struct child_command *command, struct err *err);

/*
 * Write all of data. Fails with ERR_CLOSED when it does not listen any more,
 * ERR_TIMEOUT, ERR_CANCELLED.
 */
MUST_USE bool child_write(struct child *child, const void *data, size_t size,
                          struct deadline by, const struct cancel *cancel,
                          struct err *err);

/*
 * The next line, without its end, appended to line. Fails with ERR_CLOSED at
 * the end of what it says, ERR_LIMIT, ERR_TIMEOUT, ERR_CANCELLED.
 */
MUST_USE bool child_read(struct child *child, struct deadline by,
                         const struct cancel *cancel, struct buf *line,
                         struct err *err);

/*
 * All that is still to come, appended to output. Fails with ERR_LIMIT when
 * that is more than output takes, ERR_TIMEOUT, ERR_CANCELLED.
 */
MUST_USE bool child_read_all(struct child *child, struct deadline by,
                             const struct cancel *cancel, struct buf *output,
                             struct err *err);

/* Nothing more is written: it reads the end of its input. */
void child_end_input(struct child *child);

/*
 * Close its input, give it a moment, and end it and what it started. Returns
 * its status as the shell has it: 128 + N for signal N. An empty one is fine.
 */
int child_stop(struct child *child);

#endif
