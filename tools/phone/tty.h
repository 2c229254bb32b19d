/*
 * A terminal's line discipline: what is typed is shown, can be corrected, and
 * is handed on line by line. No computer's terminal has a part in it.
 */
#ifndef PHONE_TTY_H
#define PHONE_TTY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* As long as a line can be on Linux. */
#define TTY_LINE_MAX ((size_t)4095)

enum tty_escape {
    TTY_PLAIN,
    TTY_ESCAPE,   /* behind ESC */
    TTY_SEQUENCE, /* behind ESC and '[' or 'O': up to a letter */
};

struct tty {
    struct buf line; /* under way */
    enum tty_escape escape;
};

#define TTY_INIT                                                               \
    {                                                                          \
        .line = BUF_INIT(TTY_LINE_MAX)                                         \
    }

void tty_release(struct tty *tty);

/* What a key did, besides what it added to ready and echo. */
enum tty_event {
    TTY_NOTHING,
    TTY_INTERRUPT, /* ^C: what was typed is forgotten */
    TTY_END,       /* ^D at the beginning of a line */
};

/* One byte that was typed. */
enum tty_event tty_type(struct tty *tty, char byte, struct buf *ready,
                        struct buf *echo);

/* What is printed, as the terminal gets it: CR LF for LF. */
void tty_print(const char *data, size_t size, struct buf *out);

#endif
