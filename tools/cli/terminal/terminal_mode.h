/* The user's terminal while a phone's shell or a question has it. */
#ifndef TOOLS_CLI_TERMINAL_TERMINAL_MODE_H
#define TOOLS_CLI_TERMINAL_TERMINAL_MODE_H

#include <stdbool.h>
#include <termios.h>

#include "base/err.h"

struct terminal_mode {
    int fd; /* borrowed; -1: there is nothing to restore */
    struct termios saved;
};

#define TERMINAL_MODE_INIT                                                     \
    {                                                                          \
        .fd = -1                                                               \
    }

/* Hand every key to us as it is typed: no echo, no lines, no signals. */
MUST_USE bool terminal_mode_make_raw(struct terminal_mode *terminal, int fd,
                                     struct err *err);

/* Do not echo what is typed; line editing and signals stay on. */
MUST_USE bool terminal_mode_hide_typing(struct terminal_mode *terminal, int fd,
                                        struct err *err);

/* Restore the saved mode. May be called twice. */
void terminal_mode_restore(struct terminal_mode *terminal);

/* false: it has no size. */
bool terminal_mode_size(int fd, unsigned *rows, unsigned *columns);

#endif
