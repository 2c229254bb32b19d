/*
 * One switch that ends whatever is blocked on it.
 *
 * Whoever waits puts cancel_fd() into its poll set; it stays readable once
 * fired. Firing is safe from any thread and from a signal handler.
 */
#ifndef BASE_CANCEL_H
#define BASE_CANCEL_H

#include <stdbool.h>

#include "base/err.h"

struct cancel {
    int fd; /* owned; an eventfd */
};

#define CANCEL_INIT                                                            \
    {                                                                          \
        .fd = -1                                                               \
    }

MUST_USE bool cancel_init(struct cancel *cancel, struct err *err);
void cancel_release(struct cancel *cancel); /* also one that is CANCEL_INIT */
void cancel_fire(const struct cancel *cancel);

/* NULL is a switch that is never fired: its fd is -1, which poll() skips. */
bool cancel_fired(const struct cancel *cancel);
int cancel_fd(const struct cancel *cancel);

#endif
