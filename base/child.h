/*
 * A child process: we write to its standard input and read its output, line by
 * line or all at once.
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
#define CHILD_SHARED 3
#define CHILD_SHARED_TEXT "3"

struct child {
    pid_t pid; /* also its process group; 0: none */
    int in;    /* owned; we write */
    int out;   /* owned; we read */
    int err;   /* owned; the same for its errors, if they are separate; -1
                  otherwise */
    struct buf received;
};

#define CHILD_INIT                                                             \
    {                                                                          \
        .in = -1, .out = -1, .err = -1, .received = BUF_INIT(CHILD_LINE_MAX)   \
    }

struct child_command {
    const char *const *arguments; /* the program's name first, NULL last */
    /* each NAME=VALUE for its environment, NULL last; NULL: none */
    const char *const *settings;
    /* file for its stderr; NULL: together with its stdout */
    const char *errors;
    bool separate_errors; /* its stderr is read from child.err instead */
    int shared; /* a descriptor that it gets as CHILD_SHARED; 0: none */
};

/*
 * Start a program, which is searched in PATH unless its name contains a slash.
 * Fails with ERR_NOT_FOUND when it does not exist, and with ERR_IO.
 */
MUST_USE bool child_start(struct child *child,
                          const struct child_command *command, struct err *err);

/*
 * Write all of data. Fails with ERR_CLOSED when the child has closed its input,
 * ERR_TIMEOUT, ERR_CANCELLED.
 */
MUST_USE bool child_write(struct child *child, const void *data, size_t size,
                          struct deadline by, const struct cancel *cancel,
                          struct err *err);

/*
 * Append the next line to line, without its line end. Fails with ERR_CLOSED at
 * the end of the output, ERR_LIMIT, ERR_TIMEOUT, ERR_CANCELLED.
 */
MUST_USE bool child_read(struct child *child, struct deadline by,
                         const struct cancel *cancel, struct buf *line,
                         struct err *err);

/*
 * Append the rest of the output to output. Fails with ERR_LIMIT when it does
 * not fit, ERR_TIMEOUT, ERR_CANCELLED.
 */
MUST_USE bool child_read_all(struct child *child, struct deadline by,
                             const struct cancel *cancel, struct buf *output,
                             struct err *err);

/* Close its standard input. */
void child_end_input(struct child *child);

/*
 * Close its input, wait a moment, and kill it and its process group. Returns
 * its exit status as a shell does: 128 + N for signal N. An empty one is fine.
 */
int child_stop(struct child *child);

#endif
