#include "runner/models/concurrency_limit.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A waiting request, on the stack of its thread. */
struct concurrency_waiter {
    int fd; /* an eventfd; readable: check again */
    struct concurrency_waiter *next;
};

void concurrency_limit_init(struct concurrency_limit *limit, int max_parallel)
{
    *limit = (struct concurrency_limit){.width = max_parallel,
                                        .max_parallel = max_parallel};
    pthread_mutex_init(&limit->lock, NULL);
}

void concurrency_limit_release(struct concurrency_limit *limit)
{
    pthread_mutex_destroy(&limit->lock);
}

static void wake_first(struct concurrency_limit *limit)
{
    if (limit->first)
        (void)eventfd_write(limit->first->fd, 1);
}

static void enqueue(struct concurrency_limit *limit,
                    struct concurrency_waiter *waiter)
{
    struct concurrency_waiter **end = &limit->first;

    while (*end)
        end = &(*end)->next;
    *end = waiter;
}

/* Another one may be allowed, too. */
static void dequeue(struct concurrency_limit *limit,
                    struct concurrency_waiter *waiter)
{
    struct concurrency_waiter **at = &limit->first;

    while (*at && *at != waiter)
        at = &(*at)->next;
    if (*at)
        *at = waiter->next;
    wake_first(limit);
}

static bool wait_for_place(const struct concurrency_waiter *waiter,
                           struct deadline by, const struct cancel *cancel,
                           struct err *err)
{
    struct pollfd fds[2] = {{.fd = waiter->fd, .events = POLLIN},
                            {.fd = cancel_fd(cancel), .events = POLLIN}};
    int left = deadline_left_ms(by);
    eventfd_t count;

    if (poll(fds, 2, left) < 0 && errno != EINTR)
        return err_errno(err, errno, "waiting for other requests");
    if (cancel_fired(cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT,
                       "too many parallel requests: timed out");
    (void)eventfd_read(waiter->fd, &count);
    return true;
}

static bool fail_shut(int64_t ns, struct err *err)
{
    return err_set(err, ERR_TIMEOUT,
                   "the service asks to retry in %lld s, which is too late",
                   (long long)((ns + 999999999) / 1000000000));
}

/* Enter if the limit allows it; waiter is NULL for a new request. */
static bool step_in(struct concurrency_limit *limit,
                    const struct concurrency_waiter *waiter, int64_t now)
{
    bool there = limit->first == waiter && limit->shut_until_ns <= now &&
                 limit->inside < (int)limit->width;

    if (there)
        limit->inside++;
    return there;
}

static bool wait_in_line(struct concurrency_limit *limit,
                         const struct clock_ops *clock_ops,
                         const struct concurrency_waiter *waiter,
                         struct deadline by, const struct cancel *cancel,
                         struct err *err)
{
    for (;;) {
        int64_t shut_until;
        int64_t now = clock_ops->now_ns(clock_ops->context);
        bool done;

        pthread_mutex_lock(&limit->lock);
        shut_until = limit->shut_until_ns;
        done = step_in(limit, waiter, now);
        pthread_mutex_unlock(&limit->lock);
        if (done)
            return true;
        if (shut_until > now) {
            if (shut_until > by.at_ns)
                return fail_shut(shut_until - now, err);
            if (!clock_ops->wait(clock_ops->context, shut_until, cancel, err))
                return false;
        } else if (!wait_for_place(waiter, by, cancel, err)) {
            return false;
        }
    }
}

bool concurrency_limit_enter(struct concurrency_limit *limit,
                             const struct clock_ops *clock_ops,
                             struct deadline by, const struct cancel *cancel,
                             struct err *err)
{
    struct concurrency_waiter waiter = {.fd = -1};
    bool done;

    pthread_mutex_lock(&limit->lock);
    done = step_in(limit, NULL, clock_ops->now_ns(clock_ops->context));
    pthread_mutex_unlock(&limit->lock);
    if (done)
        return true;
    waiter.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (waiter.fd < 0)
        return err_errno(err, errno, "waiting for other requests");
    pthread_mutex_lock(&limit->lock);
    enqueue(limit, &waiter);
    pthread_mutex_unlock(&limit->lock);
    done = wait_in_line(limit, clock_ops, &waiter, by, cancel, err);
    pthread_mutex_lock(&limit->lock);
    dequeue(limit, &waiter);
    pthread_mutex_unlock(&limit->lock);
    close(waiter.fd);
    return done;
}

void concurrency_limit_leave(struct concurrency_limit *limit,
                             const struct clock_ops *clock_ops,
                             enum concurrency_result result, int64_t entered_ns,
                             int64_t shut_ns)
{
    int64_t now = clock_ops->now_ns(clock_ops->context);

    pthread_mutex_lock(&limit->lock);
    limit->inside--;
    if (result == CONCURRENCY_OK && limit->width < limit->max_parallel)
        limit->width += 1 / limit->width;
    /* Requests sent before the last reduction do not count. */
    if (result == CONCURRENCY_OVERLOADED && entered_ns >= limit->narrowed_ns) {
        limit->width = limit->width > 2 ? limit->width / 2 : 1;
        limit->narrowed_ns = now;
    }
    if (shut_ns > 0 && now + shut_ns > limit->shut_until_ns)
        limit->shut_until_ns = now + shut_ns;
    wake_first(limit);
    pthread_mutex_unlock(&limit->lock);
}
