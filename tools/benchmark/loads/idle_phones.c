#include "tools/benchmark/loads/idle_phones.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "adb/device/device.h"
#include "adb/services/screenshot.h"
#include "tools/benchmark/harness/child_process.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone/phone.h"

static double cpu_ms(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
}

/* A screenshot over the wire, as hosts take it. */
static bool look_at(const struct phone *phone, struct err *err)
{
    const struct device_options options = {.log = NULL};
    struct screenshot shot = SCREENSHOT_INIT;
    struct device *device = NULL;
    struct deadline by = deadline_in_ms(30000);
    bool done = device_open_tcp("127.0.0.1", phone_port(phone), &options, by,
                                &device, err) &&
                screenshot_take(device, SCREENSHOT_RAW, by, &shot, err);

    screenshot_release(&shot);
    device_close(device);
    return done;
}

static bool measure(struct phone **phones, const struct phone_options *options,
                    struct idle_phones *found, struct err *err)
{
    double before;

    if (!phone_start(options, &phones[0], err) ||
        !child_process_resident(getpid(), &found->one_mib, err))
        return false;
    for (size_t i = 1; i < IDLE_PHONES; i++) {
        if (!phone_start(options, &phones[i], err))
            return false;
    }
    for (size_t i = 0; i < IDLE_PHONES; i++) {
        if (!look_at(phones[i], err))
            return false;
    }
    before = cpu_ms();
    sleep(1);
    found->many_ms = cpu_ms() - before;
    return child_process_resident(getpid(), &found->many_mib, err);
}

/* In the child, so that its memory can be measured alone. */
static bool measure_here(struct idle_phones *found, struct err *err)
{
    struct phone *phones[IDLE_PHONES] = {NULL};
    struct phone_options options = {.seed = 1};
    bool done = fonts_open(&options.fonts, err) &&
                measure(phones, &options, found, err);

    for (size_t i = 0; i < IDLE_PHONES; i++)
        phone_stop(phones[i]);
    fonts_close(options.fonts);
    return done;
}

bool idle_phones_measure(struct idle_phones *found, struct err *err)
{
    struct idle_phones measured;
    bool done = false;
    int ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
        return err_errno(err, errno, "starting a process");
    if (!pid) {
        done = measure_here(&measured, err) &&
               write(ends[1], &measured, sizeof(measured)) == sizeof(measured);
        _exit(done ? 0 : 1);
    }
    close(ends[1]);
    done = read(ends[0], &measured, sizeof(measured)) == sizeof(measured);
    close(ends[0]);
    waitpid(pid, NULL, 0);
    if (!done)
        return err_set(err, ERR_IO, "%d phones could not be measured",
                       IDLE_PHONES);
    *found = measured;
    return true;
}
