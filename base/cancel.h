/*
 * A flag that ends blocking calls.
 *
 * A blocking call includes cancel_fd() in its poll set; it is readable once the
 * flag was fired. Firing is safe from any thread and from a signal handler.
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
void cancel_release(struct cancel *cancel); /* CANCEL_INIT is fine */
void cancel_fire(const struct cancel *cancel);

/* NULL is a flag that is never fired: its fd is -1, which poll() ignores. */
bool cancel_fired(const struct cancel *cancel);
int cancel_fd(const struct cancel *cancel);

#endif
