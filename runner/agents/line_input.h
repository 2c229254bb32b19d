/* Lines that a person types. */
#ifndef RUNNER_AGENTS_LINE_INPUT_H
#define RUNNER_AGENTS_LINE_INPUT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

#define LINE_INPUT_MAX ((size_t)64 * 1024) /* bytes of a line */

struct line_input {
    int fd;           /* borrowed */
    struct buf typed; /* input without a complete line */
    bool ended;       /* there is no more input */
};

#define LINE_INPUT(fd_)                                                        \
    {                                                                          \
        .fd = (fd_), .typed = BUF_INIT(LINE_INPUT_MAX)                         \
    }

void line_input_release(struct line_input *input);

/*
 * The next line, which the caller frees; NULL: the input has ended. Blocks
 * until there is one. Fails with ERR_TIMEOUT, ERR_CANCELLED, ERR_LIMIT for a
 * line that is too long, and as read.
 */
MUST_USE bool line_input_next(struct line_input *input, struct deadline by,
                              const struct cancel *cancel, char **line,
                              struct err *err);

/*
 * For callers that wait for other things, too: read what is there without
 * blocking. *line is NULL when it is not complete; input->ended says whether
 * there will be more.
 */
MUST_USE bool line_input_poll(struct line_input *input, char **line,
                              struct err *err);

#endif
