/*
 * A fault that is injected on demand, and its two notations.
 *
 *     drop:service=sync,after=4096,chance=0.1;dump:how=null-root,times=2
 *
 * is the short form: faults separated by ";", each a kind and its fields. "\"
 * makes the next character ordinary. The same in JSON:
 *
 *     [{"fault": "drop", "service": "sync", "after": 4096, "chance": 0.1},
 *      {"fault": "dump", "how": "null-root", "times": 2}]
 */
#ifndef TOOLS_PHONE_FAULTS_FAULT_H
#define TOOLS_PHONE_FAULTS_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/macros.h"

enum phone_fault_kind {
    FAULT_DROP,       /* close the connection */
    FAULT_CUT,        /* close the service's stream */
    FAULT_STALL,      /* stay silent until the host disconnects */
    FAULT_DELAY,      /* delay the start of a service */
    FAULT_OFFLINE,    /* close all connections, and refuse the next ones */
    FAULT_PNG,        /* truncate the picture of screencap */
    FAULT_DUMP,       /* uiautomator fails */
    FAULT_SWALLOW,    /* typed text is lost */
    FAULT_SLOW,       /* the screen shows the effect of an input later */
    FAULT_ROTATE,     /* rotate the phone */
    FAULT_POPUP,      /* show a window above the app */
    FAULT_PERMISSION, /* the same, asking for a permission */
    FAULT_BATTERY,    /* the same: the battery is low */
    FAULT_CALL,       /* the same: an incoming call */
    FAULT_UPDATE,     /* the same: the app wants to be updated */
    FAULT_KINDS,
};

/* How uiautomator fails. */
enum phone_fault_how {
    FAULT_NULL_ROOT,
    FAULT_NO_IDLE,
    FAULT_KILLED,
    FAULT_STALE, /* reports success, but leaves the file unchanged */
    FAULT_HOWS,
};

#define FAULT_SERVICE_SIZE 64
#define FAULT_TEXT_SIZE 128
#define FAULT_CERTAIN 1000000 /* probability 1, in millionths */
#define FAULT_ALWAYS 0        /* no limit of times */

struct phone_fault {
    enum phone_fault_kind kind;
    char service[FAULT_SERVICE_SIZE]; /* a glob for the start of a service's
                                         name */
    int64_t chance;                   /* in millionths */
    int64_t skip;                     /* times that it is skipped first */
    int64_t times;                    /* limit of times after that */
    int64_t after;                    /* bytes; -1: not given */
    int64_t ms;
    int64_t hosts; /* connections to refuse */
    int64_t turns; /* quarters */
    enum phone_fault_how how;
    char text[FAULT_TEXT_SIZE];
};

/* Limit of faults in one text. */
#define FAULTS_MAX 64U

/*
 * Parse either form into faults, which has room for most. Fails with
 * ERR_INVALID, the position and the valid values.
 */
MUST_USE bool fault_parse(const char *text, size_t length,
                          struct phone_fault *faults, size_t most,
                          size_t *count, struct err *err);

/* Append the short form. */
void fault_format(const struct phone_fault *fault, struct buf *text);

#endif
