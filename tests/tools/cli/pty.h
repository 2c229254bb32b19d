/* A terminal to run a program in. */
#ifndef TESTS_TOOLS_CLI_PTY_H
#define TESTS_TOOLS_CLI_PTY_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#include "base/buf.h"

struct pty {
    int master;
    int slave; /* kept open, so that its settings outlive the program */
    struct termios before;
    pid_t pid;
    struct buf seen; /* everything that was on the screen */
    size_t matched;  /* what pty_expect has checked already */
};

/* Start "/bin/sh -c script" in a terminal of 24 rows and 80 columns. */
void pty_start(struct pty *pty, const char *script);

/* Press keys. */
void pty_type(struct pty *pty, const char *keys);

/* Wait until text appears; fail the test if it does not. */
void pty_expect(struct pty *pty, const char *text);

void pty_resize(struct pty *pty, unsigned short rows, unsigned short columns);

/* Is the terminal in raw mode? Waits a moment for it. */
bool pty_is_raw(const struct pty *pty);

/* Wait for the end: the exit code, or 128 + the signal. */
int pty_wait(struct pty *pty);

/* Are all settings as before? */
bool pty_is_restored(const struct pty *pty);

void pty_release(struct pty *pty);

#endif
