#include "runner/parse/call_duration.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runner/parse/call_point.h"

/* How long: in seconds, in milliseconds, or without a unit. */
static const char *const second_names[] = {
    "seconds", "secs", "sec", "durationseconds", "timeseconds", NULL,
};

static const char *const millisecond_names[] = {
    "milliseconds", "ms", "durationms", "timems", "millis", NULL,
};

static const char *const time_names[] = {
    "time", "duration", "value", "interval", "timeout", NULL,
};

/* A value of a moving finger is how far it goes, or where to. */
static const char *const move_time_names[] = {"time", "duration", NULL};

/* A finger is held for seconds, and a wait takes minutes at most. */
#define FINGER_SECONDS_MAX 20
#define WAIT_SECONDS_MAX (ACTION_MILLISECONDS_MAX / 1000)

/* Milliseconds of a unit; 0 if it is none. */
static double unit_milliseconds(const char *unit)
{
    static const struct {
        const char *name;
        double milliseconds;
    } units[] = {
        {"ms", 1},         {"millisecond", 1}, {"milliseconds", 1},
        {"毫秒", 1},       {"s", 1000},        {"sec", 1000},
        {"secs", 1000},    {"second", 1000},   {"seconds", 1000},
        {"秒", 1000},      {"秒钟", 1000},     {"min", 60000},
        {"minute", 60000}, {"minutes", 60000}, {"分钟", 60000},
    };

    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        if (!strcasecmp(unit, units[i].name))
            return units[i].milliseconds;
    }
    return 0;
}

double call_duration_without_unit(const struct action_call *call,
                                  const struct model_family *family,
                                  enum action_kind kind, double number)
{
    double most = kind == ACTION_WAIT ? WAIT_SECONDS_MAX : FINGER_SECONDS_MAX;

    return family->counts_milliseconds ||
                   !strcmp(call->verb->name, "duration") || number > most
               ? number
               : number * 1000;
}

/* "2", "2 seconds", "500ms". */
static struct call_duration text_duration(const struct action_call *call,
                                          const struct model_family *family,
                                          enum action_kind kind,
                                          const char *text)
{
    struct call_duration duration = {.known = false};
    const char *unit;
    char *end;
    double number = strtod(text, &end);

    if (end == text)
        return duration;
    for (unit = end; *unit == ' '; unit++)
        continue;
    duration.known = !*unit || unit_milliseconds(unit) > 0;
    duration.milliseconds =
        *unit ? number * unit_milliseconds(unit)
              : call_duration_without_unit(call, family, kind, number);
    return duration;
}

struct call_duration call_duration_find(const struct action_call *call,
                                        const struct model_family *family,
                                        enum action_kind kind)
{
    const struct cJSON *seconds = action_call_argument(call, second_names);
    const struct cJSON *milliseconds =
        action_call_argument(call, millisecond_names);
    bool moves = action_is_gesture(kind) && !action_is_tap(kind);
    const struct cJSON *other =
        action_call_argument(call, moves ? move_time_names : time_names);
    struct number_list numbers =
        number_list_of(seconds ? seconds : milliseconds);

    if (numbers.count == 1)
        return (struct call_duration){true,
                                      numbers.values[0] * (seconds ? 1000 : 1)};
    if (!other && kind == ACTION_WAIT)
        other = call->unnamed;
    if (other && cJSON_IsArray(other) && cJSON_GetArraySize(other) == 1)
        other = other->child;
    if (!other)
        return (struct call_duration){.known = false};
    if (cJSON_IsNumber(other))
        return (struct call_duration){
            true,
            call_duration_without_unit(call, family, kind, other->valuedouble)};
    if (cJSON_IsString(other))
        return text_duration(call, family, kind, other->valuestring);
    return (struct call_duration){.known = false};
}

bool call_duration_is_absurd(const struct action_call *call)
{
    return number_list_of(action_call_argument(call, time_names)).absurd ||
           number_list_of(action_call_argument(call, second_names)).absurd ||
           number_list_of(action_call_argument(call, millisecond_names)).absurd;
}
