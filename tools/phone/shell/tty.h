/*
 * A terminal's line discipline: echoes typed text, allows corrections and
 * delivers whole lines. It uses no terminal of the computer.
 */
#ifndef TOOLS_PHONE_SHELL_TTY_H
#define TOOLS_PHONE_SHELL_TTY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The length of a line on Linux. */
#define TTY_LINE_MAX ((size_t)4095)

enum tty_escape {
    TTY_PLAIN,
    TTY_ESCAPE,   /* after ESC */
    TTY_SEQUENCE, /* after ESC and '[' or 'O': ends with a letter */
};

struct phone_tty {
    struct buf line; /* the current line */
    enum tty_escape escape;
};

#define TTY_INIT                                                               \
    {                                                                          \
        .line = BUF_INIT(TTY_LINE_MAX)                                         \
    }

void tty_release(struct phone_tty *tty);

/* The effect of a key, apart from what it added to ready and echo. */
enum tty_event {
    TTY_NOTHING,
    TTY_INTERRUPT, /* ^C: the line is discarded */
    TTY_END,       /* ^D at the start of a line */
};

/* Process one typed byte. */
enum tty_event tty_type(struct phone_tty *tty, char byte, struct buf *ready,
                        struct buf *echo);

/* Append printed bytes as the terminal gets them: CR LF for LF. */
void tty_print(const char *data, size_t size, struct buf *out);

#endif
