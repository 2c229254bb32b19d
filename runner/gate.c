#include "runner/gate.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* One that waits for a place; in its thread's frame. */
struct gate_waiter {
    int fd; /* an eventfd; readable: look again */
    struct gate_waiter *next;
};

void gate_init(struct gate *gate, int widest)
{
    *gate = (struct gate){.width = widest, .widest = widest};
    pthread_mutex_init(&gate->lock, NULL);
}

void gate_release(struct gate *gate)
{
    pthread_mutex_destroy(&gate->lock);
}

static void wake_first(struct gate *gate)
{
    if (gate->first)
        (void)eventfd_write(gate->first->fd, 1);
}

static void enqueue(struct gate *gate, struct gate_waiter *waiter)
{
    struct gate_waiter **end = &gate->first;

    while (*end)
        end = &(*end)->next;
    *end = waiter;
}

/* The next one may find a place, too. */
static void dequeue(struct gate *gate, struct gate_waiter *waiter)
{
    struct gate_waiter **at = &gate->first;

    while (*at && *at != waiter)
        at = &(*at)->next;
    if (*at)
        *at = waiter->next;
    wake_first(gate);
}

static bool wait_for_place(const struct gate_waiter *waiter, struct deadline by,
                           const struct cancel *cancel, struct err *err)
{
    struct pollfd fds[2] = {{.fd = waiter->fd, .events = POLLIN},
                            {.fd = cancel_fd(cancel), .events = POLLIN}};
    int left = deadline_left_ms(by);
    eventfd_t count;

    if (poll(fds, 2, left) < 0 && errno != EINTR)
        return err_errno(err, errno, "wait for a place");
    if (cancel_fired(cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT,
                       "too many others ask: no place in time");
    (void)eventfd_read(waiter->fd, &count);
    return true;
}

static bool fail_shut(int64_t ns, struct err *err)
{
    return err_set(err, ERR_TIMEOUT,
                   "the service wants to be asked again in %lld s, and there "
                   "is less time",
                   (long long)((ns + 999999999) / 1000000000));
}

/* Take a place if there is one; waiter is NULL for who is not in line. */
static bool step_in(struct gate *gate, const struct gate_waiter *waiter,
                    int64_t now)
{
    bool there = gate->first == waiter && gate->shut_until_ns <= now &&
                 gate->inside < (int)gate->width;

    if (there)
        gate->inside++;
    return there;
}

static bool wait_in_line(struct gate *gate, const struct pace *pace,
                         const struct gate_waiter *waiter, struct deadline by,
                         const struct cancel *cancel, struct err *err)
{
    for (;;) {
        int64_t shut_until;
        int64_t now = pace->now_ns(pace->context);
        bool done;

        pthread_mutex_lock(&gate->lock);
        shut_until = gate->shut_until_ns;
        done = step_in(gate, waiter, now);
        pthread_mutex_unlock(&gate->lock);
        if (done)
            return true;
        if (shut_until > now) {
            if (shut_until > by.at_ns)
                return fail_shut(shut_until - now, err);
            if (!pace->wait(pace->context, shut_until, cancel, err))
                return false;
        } else if (!wait_for_place(waiter, by, cancel, err)) {
            return false;
        }
    }
}

bool gate_enter(struct gate *gate, const struct pace *pace, struct deadline by,
                const struct cancel *cancel, struct err *err)
{
    struct gate_waiter waiter = {.fd = -1};
    bool done;

    pthread_mutex_lock(&gate->lock);
    done = step_in(gate, NULL, pace->now_ns(pace->context));
    pthread_mutex_unlock(&gate->lock);
    if (done)
        return true;
    waiter.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (waiter.fd < 0)
        return err_errno(err, errno, "wait for a place");
    pthread_mutex_lock(&gate->lock);
    enqueue(gate, &waiter);
    pthread_mutex_unlock(&gate->lock);
    done = wait_in_line(gate, pace, &waiter, by, cancel, err);
    pthread_mutex_lock(&gate->lock);
    dequeue(gate, &waiter);
    pthread_mutex_unlock(&gate->lock);
    close(waiter.fd);
    return done;
}

void gate_leave(struct gate *gate, const struct pace *pace,
                enum gate_result result, int64_t entered_ns, int64_t shut_ns)
{
    int64_t now = pace->now_ns(pace->context);

    pthread_mutex_lock(&gate->lock);
    gate->inside--;
    if (result == GATE_WELL && gate->width < gate->widest)
        gate->width += 1 / gate->width;
    /* Those that were sent before the last narrowing prove nothing more. */
    if (result == GATE_TOO_MUCH && entered_ns >= gate->narrowed_ns) {
        gate->width = gate->width > 2 ? gate->width / 2 : 1;
        gate->narrowed_ns = now;
    }
    if (shut_ns > 0 && now + shut_ns > gate->shut_until_ns)
        gate->shut_until_ns = now + shut_ns;
    wake_first(gate);
    pthread_mutex_unlock(&gate->lock);
}
