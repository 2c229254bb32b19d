/*
 * The clock by which changes on a phone are timed. A real phone's time passes
 * like this computer's. The time of a built-in phone is virtual
 * by default: it moves with each screenshot and each `sleep` in its shell, and
 * nothing else, so that the same seed and actions give the same bytes.
 */
#ifndef RUNNER_DEVICE_PHONE_CLOCK_H
#define RUNNER_DEVICE_PHONE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"
#include "runner/device/device_info.h"

struct phone_clock;

struct phone_clock_ops {
    /* Milliseconds since some moment. */
    int64_t (*now_ms)(const struct phone_clock *clock);
    /* Wait between two looks at the phone; see phone_clock_pause. */
    bool (*pause)(const struct phone_clock *clock, int64_t ms,
                  struct deadline by, const struct cancel *cancel,
                  struct err *err);
    /* Let time pass; see phone_clock_wait. */
    bool (*wait)(struct phone_clock *clock, struct device *device, int64_t ms,
                 struct deadline by, const struct cancel *cancel,
                 struct err *err);
    bool passes;      /* also while the phone is not used */
    int64_t quiet_ms; /* so long a screen must not change to be settled */
    /* Two commands of a double tap: what is between them, and at the end. */
    const char *between_taps;
    const char *after_taps;
};

struct phone_clock {
    const struct phone_clock_ops *ops;
    int64_t virtual_ms; /* of a virtual one: how far it has moved */
};

/* Choose the clock of the phone that is described. */
void phone_clock_init(struct phone_clock *clock,
                      const struct device_info *info);

int64_t phone_clock_now_ms(const struct phone_clock *clock);

/* So many screenshots were taken so far. */
void phone_clock_set_captures(struct phone_clock *clock, int64_t count);

/*
 * Wait before the phone is looked at again; returns at once where time moves
 * by looking. Fails with ERR_CANCELLED. That `by` passes is no failure.
 */
MUST_USE bool phone_clock_pause(const struct phone_clock *clock, int64_t ms,
                                struct deadline by, const struct cancel *cancel,
                                struct err *err);

/*
 * Let this much time pass on the phone. Fails with ERR_CANCELLED, ERR_TIMEOUT
 * when `by` passes first, and as shell_run.
 */
MUST_USE bool phone_clock_wait(struct phone_clock *clock, struct device *device,
                               int64_t ms, struct deadline by,
                               const struct cancel *cancel, struct err *err);

#endif
