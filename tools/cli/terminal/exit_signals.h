/*
 * Interrupts from outside: SIGINT, SIGTERM and SIGHUP fire a cancel.
 *
 * A separate thread waits for them, so that no code runs inside a signal
 * handler and nothing needs to be global.
 */
#ifndef TOOLS_CLI_TERMINAL_EXIT_SIGNALS_H
#define TOOLS_CLI_TERMINAL_EXIT_SIGNALS_H

#include <pthread.h>
#include <signal.h>

#include "base/cancel.h"
#include "base/err.h"

struct exit_signals {
    sigset_t set;
    pthread_t thread;
    struct cancel stop;          /* ends the thread */
    const struct cancel *cancel; /* borrowed; what they fire */
};

/*
 * From now on these signals fire cancel, unless they were ignored when we
 * were started. A program that has not ended two
 * seconds later ends with the next one. Call it before any other thread
 * starts. SIGPIPE is ignored: writing to a closed pipe is an error like others.
 * SIGWINCH is blocked everywhere, so that a signalfd can have it.
 */
MUST_USE bool exit_signals_start(struct exit_signals *signals,
                                 const struct cancel *cancel, struct err *err);
void exit_signals_stop(struct exit_signals *signals);

#endif
