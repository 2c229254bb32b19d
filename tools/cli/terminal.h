/* The user's terminal while a phone's shell or a question has it. */
#ifndef TOOLS_CLI_TERMINAL_H
#define TOOLS_CLI_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

#include "base/err.h"

struct terminal {
    int fd; /* borrowed; -1: there is nothing to restore */
    struct termios saved;
};

#define TERMINAL_INIT                                                          \
    {                                                                          \
        .fd = -1                                                               \
    }

/* Hand every key to us as it is typed: no echo, no lines, no signals. */
MUST_USE bool terminal_make_raw(struct terminal *terminal, int fd,
                                struct err *err);

/* Show nothing of what is typed; lines and signals stay. */
MUST_USE bool terminal_hide_typing(struct terminal *terminal, int fd,
                                   struct err *err);

/* As it was before. May be called twice. */
void terminal_restore(struct terminal *terminal);

/* false: it has no size. */
bool terminal_size(int fd, unsigned *rows, unsigned *columns);

#endif
