/*
 * Secrets that must not be seen: wherever one of them stands in a text, the
 * text is changed. Services quote keys in their errors, and models whatever
 * they were sent.
 */
#ifndef RUNNER_MASK_H
#define RUNNER_MASK_H

#include <pthread.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define MASK_SECRETS_MAX 16
#define MASK_SHORTEST 4 /* what is shorter would change innocent texts */

struct mask {
    pthread_mutex_t lock;            /* guards all below */
    char *secrets[MASK_SECRETS_MAX]; /* owned */
    size_t count;
};

void mask_init(struct mask *mask);
void mask_release(struct mask *mask);

/* Remember a secret; NULL and what is too short are none. Any thread may, as
 * it may use what is below. */
void mask_add(struct mask *mask, const char *secret);

/* Put stars in the place of each secret, in the same number of bytes. */
void mask_text(struct mask *mask, char *text, size_t length);
void mask_buf(struct mask *mask, struct buf *text);
void mask_err(struct mask *mask, struct err *err);

#endif
