/*
 * What goes wrong on this phone, on demand. There are none by default.
 *
 * Whoever does something that may go wrong asks faults_strike first. Whether a
 * fault strikes depends on its number, the seed, and how often it was asked
 * before, and on nothing else: the same services in the same order meet the
 * same faults, whatever happens beside them. Each that strikes leaves a line:
 *
 *     [ 3603.250] fault 2 drop:service=sync,after=4096 at sync:
 *
 * with the seconds that the phone was on. Safe from any thread.
 */
#ifndef PHONE_FAULTS_H
#define PHONE_FAULTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "tools/phone/fault.h"
#include "tools/phone/virtual_clock.h"

/* Lines that are kept. */
#define FAULTS_LOG_MAX 256U
#define FAULTS_LINE_SIZE 320

/* One of the list: a fault, and what became of it so far. */
struct faults_entry {
    struct fault fault;
    uint64_t number;
    uint64_t asked; /* how often it could have struck */
    uint64_t struck;
    uint64_t random; /* its own, so that others do not disturb it */
};

/* Where hosts come in. Faults that name no service do not strike there. */
#define FAULTS_CONNECTION "connection"

/* A fault has struck; line has no end. */
typedef void faults_tell_fn(void *context, const char *line);

struct faults {
    struct virtual_clock *clock; /* borrowed */
    uint64_t seed;
    faults_tell_fn *tell; /* may be NULL; called one at a time */
    void *tell_context;
    struct cancel stop; /* ends all delays */

    pthread_mutex_t lock; /* guards all below */
    struct faults_entry entries[FAULTS_MAX];
    size_t count;
    uint64_t last_number;
    char (*lines)[FAULTS_LINE_SIZE]; /* owned; a ring; NULL until it is used */
    uint64_t line_count;
};

MUST_USE bool faults_init(struct faults *faults, struct virtual_clock *clock,
                          uint64_t seed, struct err *err);
void faults_release(struct faults *faults);

/* From now on nobody is delayed. */
void faults_stop(struct faults *faults);

/* Add what fault_parse understands. On failure there is nothing new. */
MUST_USE bool faults_add(struct faults *faults, const char *text, size_t length,
                         struct err *err);

/* The number of the fault that was added last. */
uint64_t faults_last(struct faults *faults);

/* Take one out by its number, or all. */
MUST_USE bool faults_remove(struct faults *faults, uint64_t number);
void faults_clear(struct faults *faults);

/* Append a line for each fault, or each that struck. */
void faults_list(struct faults *faults, struct buf *text);
void faults_log(struct faults *faults, struct buf *text);

/*
 * Does a fault of this kind strike now, at place, such as "shell:ls"? It is
 * then *struck, and in the log.
 */
MUST_USE bool faults_strike(struct faults *faults, enum fault_kind kind,
                            const char *place, struct fault *struck);

/* Let so much time pass on the phone's clock, and wait as long. */
void faults_delay(struct faults *faults, int64_t ms);

/* The list, and how far each of it is. The log stays. */
void faults_save(struct faults *faults, struct buf *out);
void faults_load(struct faults *faults, struct parcel *in);

#endif
