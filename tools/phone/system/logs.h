/* The phone's log: the last lines, for logcat. */
#ifndef TOOLS_PHONE_SYSTEM_LOGS_H
#define TOOLS_PHONE_SYSTEM_LOGS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/core/saved_state.h"

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
struct phone_logs {
    pthread_mutex_t lock;    /* guards everything below */
    struct logs_line *lines; /* owned; a ring */
    uint64_t first;          /* number of the oldest line that is not cleared */
    uint64_t next;           /* number of the next line */
};

void logs_init(struct phone_logs *logs);
void logs_release(struct phone_logs *logs);

PRINTF_LIKE(6, 7)
void logs_write(struct phone_logs *logs, int64_t time, unsigned pid, char level,
                const char *tag, const char *fmt, ...);

/* The number of the next line to be written. */
uint64_t logs_end(struct phone_logs *logs);

/*
 * The line with that number, or the oldest existing one after it; *number is
 * then its number. False if there is none yet.
 */
MUST_USE bool logs_read(struct phone_logs *logs, uint64_t *number,
                        struct logs_line *line);

void logs_clear(struct phone_logs *logs);

void logs_save(struct phone_logs *logs, struct buf *out);
void logs_load(struct phone_logs *logs, struct saved_state *in);

#endif
