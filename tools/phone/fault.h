/*
 * One thing that goes wrong on demand, and how it is written down.
 *
 *     drop:service=sync,after=4096,chance=0.1;dump:how=null-root,times=2
 *
 * is the short form: faults with ";" between them, each a kind and what is
 * known about it. "\" makes the next character ordinary. A JSON text says the
 * same:
 *
 *     [{"fault": "drop", "service": "sync", "after": 4096, "chance": 0.1},
 *      {"fault": "dump", "how": "null-root", "times": 2}]
 */
#ifndef PHONE_FAULT_H
#define PHONE_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/macros.h"

enum fault_kind {
    FAULT_DROP,       /* hang up on the host */
    FAULT_CUT,        /* end the service's stream */
    FAULT_STALL,      /* say nothing more, until the host hangs up */
    FAULT_DELAY,      /* begin later */
    FAULT_OFFLINE,    /* hang up on all hosts, and turn the next ones away */
    FAULT_PNG,        /* screencap's picture ends early */
    FAULT_DUMP,       /* uiautomator fails */
    FAULT_SLOW,       /* the screen shows later what an input did */
    FAULT_ROTATE,     /* the phone is turned */
    FAULT_POPUP,      /* something comes over the app */
    FAULT_PERMISSION, /* likewise, and asks for a permission */
    FAULT_KINDS,
};

/* What uiautomator does instead of dumping. */
enum fault_how {
    FAULT_NULL_ROOT,
    FAULT_NO_IDLE,
    FAULT_KILLED,
    FAULT_STALE, /* says that it did, and leaves the file as it was */
    FAULT_HOWS,
};

#define FAULT_SERVICE_SIZE 64
#define FAULT_TEXT_SIZE 128
#define FAULT_CERTAIN 1000000 /* a chance of 1, in millionths */
#define FAULT_ALWAYS 0        /* times without an end */

struct fault {
    enum fault_kind kind;
    char service[FAULT_SERVICE_SIZE]; /* how what it strikes begins, a glob */
    int64_t chance;                   /* in millionths */
    int64_t skip;                     /* so many times it does not strike */
    int64_t times;                    /* then as often at most */
    int64_t after;                    /* bytes; -1: not told */
    int64_t ms;
    int64_t hosts; /* that are turned away */
    int64_t turns; /* quarters */
    enum fault_how how;
    char text[FAULT_TEXT_SIZE];
};

/* The most that one text may hold. */
#define FAULTS_MAX 64U

/*
 * Read either form into faults, which has room for most. Fails with
 * ERR_INVALID, and says where and what would be right.
 */
MUST_USE bool fault_parse(const char *text, size_t length, struct fault *faults,
                          size_t most, size_t *count, struct err *err);

/* Append the short form. */
void fault_format(const struct fault *fault, struct buf *text);

#endif
