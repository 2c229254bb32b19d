/*
 * The faults to inject on this phone. There are none by default.
 *
 * Code in which a fault is possible calls faults_strike first. Whether a fault
 * strikes depends only on its number, the seed, and the number of calls before:
 * the same services in the same order meet the same faults, whatever else
 * happens. Each strike is logged:
 *
 *     [ 3603.250] fault 2 drop:service=sync,after=4096 at sync:
 *
 * with the phone's uptime in seconds. Safe from any thread.
 */
#ifndef TOOLS_PHONE_FAULTS_FAULTS_H
#define TOOLS_PHONE_FAULTS_FAULTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "tools/phone/core/virtual_clock.h"
#include "tools/phone/faults/fault.h"

/* Lines that the log keeps. */
#define FAULTS_LOG_MAX 256U
#define FAULTS_LINE_SIZE 320

/* A fault of the list, with its counters. */
struct faults_entry {
    struct phone_fault fault;
    uint64_t number;
    uint64_t asked; /* how often it could have struck */
    uint64_t struck;
    uint64_t random; /* random state of this fault alone */
};

/* New connections. Faults that name no service do not strike here. */
#define FAULTS_CONNECTION "connection"

/* Called for a fault that struck; line has no newline. */
typedef void faults_tell_fn(void *context, const char *line);

struct phone_faults {
    struct virtual_clock *clock; /* borrowed */
    uint64_t seed;
    faults_tell_fn *tell; /* may be NULL; never called by two threads at once */
    void *tell_context;
    struct cancel stop; /* ends all delays */

    pthread_mutex_t lock; /* guards everything below */
    struct faults_entry entries[FAULTS_MAX];
    size_t count;
    uint64_t last_number;
    char (*lines)[FAULTS_LINE_SIZE]; /* owned; a ring; NULL until the first line
                                      */
    uint64_t line_count;
};

MUST_USE bool faults_init(struct phone_faults *faults,
                          struct virtual_clock *clock, uint64_t seed,
                          struct err *err);
void faults_release(struct phone_faults *faults);

/* End all delays, now and in future. */
void faults_stop(struct phone_faults *faults);

/* Add faults in the syntax of fault_parse. On failure nothing is added. */
MUST_USE bool faults_add(struct phone_faults *faults, const char *text,
                         size_t length, struct err *err);

/* The number of the fault added last. */
uint64_t faults_last(struct phone_faults *faults);

/* Remove one by its number, or all. */
MUST_USE bool faults_remove(struct phone_faults *faults, uint64_t number);
void faults_clear(struct phone_faults *faults);

/* Append a line for each fault, or each logged strike. */
void faults_list(struct phone_faults *faults, struct buf *text);
void faults_log(struct phone_faults *faults, struct buf *text);

/*
 * Does a fault of this kind strike now, at place (such as "shell:ls")? Then it
 * is copied to *struck and logged.
 */
MUST_USE bool faults_strike(struct phone_faults *faults,
                            enum phone_fault_kind kind, const char *place,
                            struct phone_fault *struck);

/* Let that much time pass on the phone's clock, and wait as long. */
void faults_delay(struct phone_faults *faults, int64_t ms);

/* Saves the list and its counters; the log is not saved. */
void faults_save(struct phone_faults *faults, struct buf *out);
void faults_load(struct phone_faults *faults, struct saved_state *in);

#endif
