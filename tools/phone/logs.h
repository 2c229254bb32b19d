/* The phone's log: the last lines that anything wrote, for logcat. */
#ifndef PHONE_LOGS_H
#define PHONE_LOGS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/parcel.h"

#define LOGS_LINES_MAX 1024U

struct logs_line {
    int64_t time; /* nanoseconds since 1970 */
    unsigned pid;
    unsigned tid;
    char level; /* V, D, I, W, E, F */
    char tag[24];
    char text[200];
};

/* Safe from any thread. */
struct logs {
    pthread_mutex_t lock;    /* guards all below */
    struct logs_line *lines; /* owned; a ring */
    uint64_t first;          /* the number of the oldest that was not cleared */
    uint64_t next;           /* the number of the next one */
};

void logs_init(struct logs *logs);
void logs_release(struct logs *logs);

PRINTF_LIKE(6, 7)
void logs_write(struct logs *logs, int64_t time, unsigned pid, char level,
                const char *tag, const char *fmt, ...);

/* The number of the next line to be written. */
uint64_t logs_end(struct logs *logs);

/*
 * The line of that number, or the oldest after it that is still there, whose
 * number is then *number. False when there is none yet.
 */
MUST_USE bool logs_read(struct logs *logs, uint64_t *number,
                        struct logs_line *line);

void logs_clear(struct logs *logs);

void logs_save(struct logs *logs, struct buf *out);
void logs_load(struct logs *logs, struct parcel *in);

#endif
