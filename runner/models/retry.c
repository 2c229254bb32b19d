#include "runner/models/retry.h"

#include <curl/curl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/macros.h"

#define SECOND 1e9
#define VALUE_SIZE 64
#define FLOOR_MAX_NS ((int64_t)24 * 3600 * 1000000000)

bool retry_status(long status)
{
    return status == 408 || status == 409 || status == 425 || status == 429 ||
           (status >= 500 && status <= 599);
}

bool retry_code(enum err_code code)
{
    return code == ERR_UNREACHABLE || code == ERR_CLOSED ||
           code == ERR_TIMEOUT || code == ERR_PROTOCOL;
}

static int64_t within(double ns)
{
    if (!(ns > 0))
        return 0;
    return ns < (double)FLOOR_MAX_NS ? (int64_t)ns : FLOOR_MAX_NS;
}

/* The unit at text, in nanoseconds, and its length; 0: none. */
static double unit_at(const char *text, size_t *length)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ms", 1e6},   {"us", 1e3},          {"µs", 1e3},
                 {"ns", 1},     {"h", 3600 * SECOND}, {"m", 60 * SECOND},
                 {"s", SECOND}, {"d", 86400 * SECOND}};

    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        *length = strlen(units[i].name);
        if (!strncmp(text, units[i].name, *length))
            return units[i].ns;
    }
    *length = 0;
    return 0;
}

bool retry_duration(const char *text, int64_t *ns)
{
    double sum = 0;

    if (!*text)
        return false;
    while (*text) {
        size_t digits = strspn(text, "0123456789.");
        char *end;
        double number = strtod(text, &end);
        size_t length;
        double unit;

        if (!digits || end != text + digits)
            return false;
        unit = unit_at(end, &length);
        if (unit == 0 && *end)
            return false;
        sum += number * (unit > 0 ? unit : SECOND);
        text = end + length;
    }
    *ns = within(sum);
    return true;
}

/* "Z", or "+02:00": how many seconds ahead of UTC. */
static bool read_zone(const char *text, double *seconds)
{
    char *end;
    long hours;

    *seconds = 0;
    if (*text == 'Z')
        return true;
    if (*text != '+' && *text != '-')
        return false;
    hours = strtol(text + 1, &end, 10);
    if (*end != ':')
        return false;
    *seconds =
        60.0 * (60.0 * (double)hours + (double)strtol(end + 1, NULL, 10));
    if (*text == '-')
        *seconds = -*seconds;
    return true;
}

/* 2026-11-16T12:00:00Z, also with a fraction or another zone. */
static bool read_moment(const char *text, double *seconds)
{
    struct tm parts = {.tm_isdst = 0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &parts);
    double fraction = 0;
    double zone;

    if (!end)
        return false;
    if (*end == '.') {
        char *after;

        fraction = strtod(end, &after);
        end = after;
    }
    if (!read_zone(end, &zone))
        return false;
    *seconds = (double)timegm(&parts) + fraction - zone;
    return true;
}

/* Retry-After: seconds or a date; and retry-after-ms. */
static int64_t asked_for(const struct http_reply *reply,
                         const struct clock_ops *clock_ops)
{
    char value[VALUE_SIZE];
    int64_t ns = 0;
    time_t date;

    if (http_header(reply, "retry-after-ms", value, sizeof(value)))
        return within(strtod(value, NULL) * 1e6);
    if (!http_header(reply, "retry-after", value, sizeof(value)))
        return 0;
    if (retry_duration(value, &ns))
        return ns;
    date = curl_getdate(value, NULL);
    if (date < 0)
        return 0;
    return within((double)(date - clock_ops->date_s(clock_ops->context)) *
                  SECOND);
}

/* The time until a used-up rate limit is reset; 0: it is not used up. */
static int64_t budget_floor(const struct http_reply *reply,
                            const struct clock_ops *clock_ops,
                            const char *remaining, const char *reset)
{
    char value[VALUE_SIZE];
    double moment;
    int64_t ns;

    if (!http_header(reply, remaining, value, sizeof(value)) ||
        strtod(value, NULL) > 0 ||
        !http_header(reply, reset, value, sizeof(value)))
        return 0;
    if (retry_duration(value, &ns))
        return ns;
    if (!read_moment(value, &moment))
        return 0;
    return within((moment - (double)clock_ops->date_s(clock_ops->context)) *
                  SECOND);
}

int64_t retry_floor_ns(const struct http_reply *reply,
                       const struct clock_ops *clock_ops)
{
    static const char *const budgets[][2] = {
        {"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
        {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
        {"anthropic-ratelimit-requests-remaining",
         "anthropic-ratelimit-requests-reset"},
        {"anthropic-ratelimit-tokens-remaining",
         "anthropic-ratelimit-tokens-reset"},
        {"anthropic-ratelimit-input-tokens-remaining",
         "anthropic-ratelimit-input-tokens-reset"},
        {"anthropic-ratelimit-output-tokens-remaining",
         "anthropic-ratelimit-output-tokens-reset"},
    };
    int64_t floor = asked_for(reply, clock_ops);

    for (size_t i = 0; i < ARRAY_LEN(budgets); i++) {
        int64_t other =
            budget_floor(reply, clock_ops, budgets[i][0], budgets[i][1]);

        floor = other > floor ? other : floor;
    }
    return floor;
}

int64_t retry_wait_ns(const struct retry_rules *rules, int tries,
                      int64_t floor_ns, double chance)
{
    double ms = ldexp((double)rules->first_ms, tries - 1);
    int64_t ns;

    if (ms > (double)rules->longest_ms)
        ms = (double)rules->longest_ms;
    ns = (int64_t)(ms * 1e6 * (1 - chance / 2));
    return ns > floor_ns ? ns : floor_ns;
}
