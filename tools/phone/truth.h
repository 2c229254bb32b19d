/*
 * What really happens on the phone: each thing that was done in an app, in the
 * app's own words, and the state that the apps are in. It is for judges that
 * are to be measured; truth_server.h tells it, and ADB never does.
 */
#ifndef PHONE_TRUTH_H
#define PHONE_TRUTH_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The oldest events are forgotten beyond this many bytes of all. */
#define TRUTH_EVENTS_MAX ((size_t)4 << 20)
#define TRUTH_APPS_MAX 64U

/* And the oldest states beyond this many. */
#define TRUTH_MOMENTS_MAX ((size_t)8 << 20)

/* The state of one app. */
struct truth_app {
    char *name;  /* owned, as the next */
    char *state; /* JSON */
};

/* A state that an app came to be in. */
struct truth_moment {
    uint64_t after; /* the number of the last event before it */
    char *app;      /* owned, as the next */
    char *state;    /* JSON; "null": it was closed */
};

/* Every call is safe from any thread. */
struct truth {
    pthread_mutex_t lock; /* guards all below */
    struct buf events;    /* one JSON object a line */
    uint64_t first;       /* the number of the oldest one that is kept */
    uint64_t next;        /* the number of the next one; they begin at 1 */
    struct truth_app apps[TRUTH_APPS_MAX]; /* sorted by name */
    size_t app_count;
    struct truth_moment *moments; /* owned; the oldest first */
    size_t moment_count;
    size_t moment_room;
    size_t moment_bytes; /* of all states */
};

void truth_init(struct truth *truth);
void truth_release(struct truth *truth);

/* Arguments are a JSON array. Time is in nanoseconds since 1970. */
void truth_event(struct truth *truth, int64_t time, const char *app,
                 const char *event, const char *arguments);

/* The state that an app is in now, as JSON; NULL: it is not there any more. */
void truth_state(struct truth *truth, const char *app, const char *state);

/*
 * Append the events from a number on, one a line:
 *     {"number":3,"time":1736154000100,"event":"shop.sort","args":["price"]}
 */
void truth_print_events(struct truth *truth, uint64_t from, struct buf *text);

/*
 * Append the state that an app was in right before the event of that number,
 * or right after it: JSON, "null" when it was not open.
 */
void truth_print_before(struct truth *truth, const char *app, uint64_t number,
                        struct buf *text);
void truth_print_after(struct truth *truth, const char *app, uint64_t number,
                       struct buf *text);

/* Append the state as one line: {"clock":{...},"shop":{...}} */
void truth_print_state(struct truth *truth, struct buf *text);

#endif
