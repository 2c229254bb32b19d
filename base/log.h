/*
 * The trace log of each component, off by default.
 *
 * main creates one log and passes it down. PROCTOR_TRACE=packet,sync (or "all")
 * turns components on. A trace contains names and sizes, never payloads: what
 * users type and what phones show is not in it.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/macros.h"

enum log_component {
    LOG_PACKET, /* every ADB packet, one line each */
    LOG_CONN,   /* connections and streams: opened, closed, lost */
    LOG_SERVER, /* requests to an adb server */
    LOG_SYNC,   /* file transfers */
    LOG_MODEL,  /* requests to models: sizes, status and time */
    LOG_COMPONENT_COUNT
};

struct log {
    FILE *out;        /* borrowed */
    uint32_t enabled; /* a bit per component */
    int64_t start_ns; /* times are printed relative to this */
};

/* A log that writes to out the components named in spec; NULL or "": none. */
MUST_USE bool log_init(struct log *log, FILE *out, const char *spec,
                       struct err *err);

/* log may be NULL: nothing is enabled then. */
bool log_enabled(const struct log *log, enum log_component component);
PRINTF_LIKE(3, 4)
void log_write(const struct log *log, enum log_component component,
               const char *fmt, ...);

/* Arguments are evaluated only when the component is on. */
#define log_trace(log_, component_, ...)                                       \
    do {                                                                       \
        if (log_enabled((log_), (component_)))                                 \
            log_write((log_), (component_), __VA_ARGS__);                      \
    } while (0)

#endif
