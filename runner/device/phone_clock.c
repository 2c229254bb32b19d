#include "runner/device/phone_clock.h"

#include <poll.h>
#include <stdio.h>

#include "adb/services/shell.h"

#define OUTPUT_MAX 4096
#define QUIET_MS 250

/* A virtual clock moves by so much with each screenshot. */
#define CAPTURE_MS 100

/* ---- this computer's clock ---- */

static int64_t phone_clock_real_now_ms(const struct phone_clock *clock)
{
    (void)clock;
    return clock_ns() / 1000000;
}

static bool phone_clock_real_pause(const struct phone_clock *clock, int64_t ms,
                                   struct deadline by,
                                   const struct cancel *cancel, struct err *err)
{
    struct pollfd waited = {.fd = cancel_fd(cancel), .events = POLLIN};
    struct deadline until = deadline_sooner(by, deadline_in_ms(ms));

    (void)clock;
    if (ms > 0 && poll(&waited, 1, deadline_left_ms(until)) > 0)
        return err_set(err, ERR_CANCELLED, "stopped");
    return true;
}

static bool phone_clock_real_wait(struct phone_clock *clock,
                                  struct device *device, int64_t ms,
                                  struct deadline by,
                                  const struct cancel *cancel, struct err *err)
{
    (void)device;
    if (!phone_clock_real_pause(clock, ms, by, cancel, err))
        return false;
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT, "timed out");
    return true;
}

/* Starting `input` takes a phone longer than two taps may be apart: both are
 * started at once, the second a little later. */
static const struct phone_clock_ops real_clock = {
    .now_ms = phone_clock_real_now_ms,
    .pause = phone_clock_real_pause,
    .wait = phone_clock_real_wait,
    .passes = true,
    .quiet_ms = QUIET_MS,
    .between_taps = " & sleep 0.12; ",
    .after_taps = "; wait",
};

/* ---- virtual clock ---- */

static int64_t phone_clock_virtual_now_ms(const struct phone_clock *clock)
{
    return clock->virtual_ms;
}

static bool phone_clock_virtual_pause(const struct phone_clock *clock,
                                      int64_t ms, struct deadline by,
                                      const struct cancel *cancel,
                                      struct err *err)
{
    (void)clock, (void)ms, (void)by, (void)cancel, (void)err;
    return true;
}

static bool phone_clock_virtual_wait(struct phone_clock *clock,
                                     struct device *device, int64_t ms,
                                     struct deadline by,
                                     const struct cancel *cancel,
                                     struct err *err)
{
    struct shell_result result;
    char command[48];

    (void)clock, (void)cancel;
    snprintf(command, sizeof(command), "sleep %lld.%03d",
             (long long)(ms / 1000), (int)(ms % 1000));
    if (!shell_run(device, command, OUTPUT_MAX, by, &result, err))
        return false;
    shell_result_release(&result);
    return true;
}

/* Commands take no time there. */
static const struct phone_clock_ops virtual_clock = {
    .now_ms = phone_clock_virtual_now_ms,
    .pause = phone_clock_virtual_pause,
    .wait = phone_clock_virtual_wait,
    .passes = false,
    .quiet_ms = CAPTURE_MS,
    .between_taps = "; ",
    .after_taps = "",
};

/* ---- both clocks ---- */

void phone_clock_init(struct phone_clock *clock, const struct device_info *info)
{
    *clock = (struct phone_clock){.ops = info->virtual_time ? &virtual_clock
                                                            : &real_clock};
}

int64_t phone_clock_now_ms(const struct phone_clock *clock)
{
    return clock->ops->now_ms(clock);
}

void phone_clock_set_captures(struct phone_clock *clock, int64_t count)
{
    clock->virtual_ms = count * CAPTURE_MS;
}

bool phone_clock_pause(const struct phone_clock *clock, int64_t ms,
                       struct deadline by, const struct cancel *cancel,
                       struct err *err)
{
    return clock->ops->pause(clock, ms, by, cancel, err);
}

bool phone_clock_wait(struct phone_clock *clock, struct device *device,
                      int64_t ms, struct deadline by,
                      const struct cancel *cancel, struct err *err)
{
    return clock->ops->wait(clock, device, ms, by, cancel, err);
}
