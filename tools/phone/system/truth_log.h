/*
 * The ground truth: events that happened in apps, in the apps' own terms, and
 * the current state of the apps. It is for measuring judges; truth_server.h
 * serves it, and it is never available over ADB.
 */
#ifndef TOOLS_PHONE_SYSTEM_TRUTH_LOG_H
#define TOOLS_PHONE_SYSTEM_TRUTH_LOG_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The oldest events are dropped beyond this many bytes. */
#define TRUTH_LOG_EVENTS_MAX ((size_t)4 << 20)
#define TRUTH_LOG_APPS_MAX 64U

/* The oldest states are dropped beyond this many. */
#define TRUTH_LOG_MOMENTS_MAX ((size_t)8 << 20)

/* The state of one app. */
struct truth_log_app {
    char *name;  /* owned, as the next */
    char *state; /* JSON */
};

/* A state that an app had. */
struct truth_log_moment {
    uint64_t after; /* number of the last event before it */
    char *app;      /* owned, as the next */
    char *state;    /* JSON; "null": the app was closed */
};

/* Every call is safe from any thread. */
struct truth_log {
    pthread_mutex_t lock; /* guards everything below */
    struct buf events;    /* one JSON object per line */
    uint64_t first;       /* number of the oldest event that is kept */
    uint64_t next;        /* number of the next event; the first is 1 */
    struct truth_log_app apps[TRUTH_LOG_APPS_MAX]; /* sorted by name */
    size_t app_count;
    struct truth_log_moment *moments; /* owned; the oldest first */
    size_t moment_count;
    size_t moment_room;
    size_t moment_bytes;   /* bytes of all states */
    uint64_t first_moment; /* number of the oldest one that is kept */
    uint64_t generation;
};

void truth_log_init(struct truth_log *truth);
void truth_log_release(struct truth_log *truth);

/* Arguments are a JSON array. Time is in nanoseconds since 1970. */
void truth_log_event(struct truth_log *truth, int64_t time, const char *app,
                     const char *event, const char *arguments);

/* Set the current state of an app, as JSON; NULL: it is closed. */
void truth_log_state(struct truth_log *truth, const char *app,
                     const char *state);

/*
 * Append the events from a number on, one a line, and return the number of the
 * next one:
 *     {"number":3,"time":1736154000100,"event":"shop.sort","args":["price"]}
 */
uint64_t truth_log_print_events(struct truth_log *truth, uint64_t from,
                                struct buf *text);

/*
 * The number of the state that an app had right before the event of that
 * number, or right after it; 0: none is known. States are numbered from 1 on.
 */
uint64_t truth_log_moment_before(struct truth_log *truth, const char *app,
                                 uint64_t number);
uint64_t truth_log_moment_after(struct truth_log *truth, const char *app,
                                uint64_t number);

/*
 * Append the state of that number: JSON, "null" if the app was not open. A
 * number means the same state for as long as the generation is the same.
 */
void truth_log_print_moment(struct truth_log *truth, uint64_t moment,
                            struct buf *text);

/* Changes whenever events or states are dropped or replaced. */
uint64_t truth_log_generation(struct truth_log *truth);

/* Replace all events and states by those of another log. */
void truth_log_copy(struct truth_log *truth, struct truth_log *from);

/* Append the state as one line: {"clock":{...},"shop":{...}} */
void truth_log_print_state(struct truth_log *truth, struct buf *text);

#endif
