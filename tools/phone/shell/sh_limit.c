/* timeout: ends a command after some time. */
#include <stdlib.h>
#include <string.h>

#include "tools/phone/core/date_text.h"
#include "tools/phone/shell/sh_private.h"

#define STATUS_TIMED_OUT 124

bool sh_limit_passed(const struct sh *shell)
{
    for (const struct sh_limit *at = shell->limit; at; at = at->outer) {
        if (at->passed)
            return true;
    }
    return false;
}

int64_t sh_limit_cut(struct sh *shell, int64_t nanoseconds)
{
    int64_t now;

    if (!shell->limit)
        return nanoseconds;
    now = virtual_clock_now(shell->session->options.clock);
    for (struct sh_limit *at = shell->limit; at; at = at->outer) {
        int64_t left = at->until > now ? at->until - now : 0;

        if (nanoseconds < left)
            continue;
        nanoseconds = left;
        at->passed = true;
    }
    return nanoseconds;
}

struct deadline sh_limit_deadline(const struct sh *shell, struct deadline by)
{
    for (const struct sh_limit *at = shell->limit; at; at = at->outer)
        by = deadline_sooner(by, at->by);
    return by;
}

void sh_limit_check(struct sh *shell)
{
    for (struct sh_limit *at = shell->limit; at; at = at->outer)
        at->passed = at->passed || deadline_passed(at->by);
}

/* Run the command argv[n] with the arguments after it, with a time limit. */
static int run_limited(struct command_call *call, int64_t nanoseconds, size_t n)
{
    struct sh *shell = call->shell;
    struct virtual_clock *clock = shell->session->options.clock;
    struct sh_limit limit = {
        .until = virtual_clock_now(clock) + nanoseconds,
        .by = {clock_ns() + nanoseconds},
        .outer = shell->limit,
    };
    struct sh sub;
    int status;

    if (!sh_init_sub(&sub, shell, call->ports.errors))
        return 125;
    sub.limit = &limit;
    status = sh_run_words(&sub, call->argv + n, call->argc - n, &call->ports);
    sh_release(&sub);
    return limit.passed ? STATUS_TIMED_OUT : status;
}

int sh_timeout(struct command_call *call)
{
    struct sh *shell = call->shell;
    size_t at = 1;
    int64_t duration;

    /*
     * toybox's options -s SIGNAL, -k DURATION, -i and -v are accepted and
     * ignored.
     */
    for (; at < call->argc && call->argv[at][0] == '-'; at++) {
        if (strchr("sk", call->argv[at][1]) && call->argv[at][1] &&
            !call->argv[at][2])
            at++;
    }
    if (call->argc < at + 2)
        return call_needs(call, 2, 125);
    if (!dates_duration(call->argv[at], &duration)) {
        call_fail(call, "Not a number '%.100s'", call->argv[at]);
        return 125;
    }
    if (!shell->session->options.clock || !duration)
        return sh_run_words(shell, call->argv + at + 1, call->argc - at - 1,
                            &call->ports);
    return run_limited(call, duration, at + 1);
}
