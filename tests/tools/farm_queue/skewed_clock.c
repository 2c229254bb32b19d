/*
 * Preloaded into a worker: its clock is SKEW_SECONDS ahead (or behind). Linux
 * has no namespaces for the time of the day.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Called by the names of the C library, which declares them otherwise. */
int skewed_gettime(clockid_t id,
                   struct timespec *time) __asm__("clock_gettime");
int skewed_timeofday(struct timeval *restrict time,
                     void *restrict zone) __asm__("gettimeofday");
time_t skewed_time(time_t *out) __asm__("time");

int skewed_gettime(clockid_t id, struct timespec *time)
{
    const char *skew = getenv("SKEW_SECONDS");

    if (syscall(SYS_clock_gettime, id, time))
        return -1;
    if (skew && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        time->tv_sec += strtol(skew, NULL, 10);
    return 0;
}

int skewed_timeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    if (skewed_gettime(CLOCK_REALTIME, &now))
        return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t skewed_time(time_t *out)
{
    struct timespec now;

    if (skewed_gettime(CLOCK_REALTIME, &now))
        return -1;
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
