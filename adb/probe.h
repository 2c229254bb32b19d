/*
 * A short knock at an address: does a phone answer there, and who is it?
 *
 * Each probe has a thread, so that many cost no more time than the slowest.
 */
#ifndef ADB_PROBE_H
#define ADB_PROBE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "adb/banner.h"
#include "adb/tcp.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/log.h"

struct probe {
    char host[TCP_HOST_MAX];
    uint16_t port;
    const struct cancel *cancel; /* borrowed; may be NULL */
    const struct log *log;       /* borrowed; may be NULL */
    struct deadline by;

    pthread_t thread;
    bool running;

    bool answered; /* what came of it, after probe_stop */
    struct banner banner;
    struct err err;
};

/* Begin with the fields above the thread. probe must stay where it is. */
void probe_start(struct probe *probe);

/* Wait for what comes of it, which by bounds. */
void probe_stop(struct probe *probe);

#endif
