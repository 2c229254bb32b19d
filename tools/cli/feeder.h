/*
 * The user's side of a shell: what is typed, and the window's size, go to the
 * phone from a thread of their own while the session's owner reads.
 */
#ifndef TOOLS_CLI_FEEDER_H
#define TOOLS_CLI_FEEDER_H

#include <pthread.h>
#include <stdbool.h>

#include "adb/shell.h"
#include "base/cancel.h"

struct feeder {
    struct shell *shell; /* borrowed */
    int fd;              /* borrowed; standard input, or -1: there is none */
    bool terminal;       /* follow its size; Enter ~ . hangs up */
    struct deadline by;

    pthread_t thread;
    struct cancel stop;
    int resized; /* owned; a signalfd for SIGWINCH, or -1 */
};

/* Begin with the fields above the thread. feeder must stay where it is. */
MUST_USE bool feeder_start(struct feeder *feeder, struct err *err);

/*
 * End the thread and, with it, the session: a write that the phone does not
 * take is interrupted.
 */
void feeder_stop(struct feeder *feeder);

#endif
