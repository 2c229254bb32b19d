#include "tasks/task/action.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/name_table.h"
#include "tasks/task/action_table.h"

void action_release(struct action *action)
{
    free(action->text);
    *action = (struct action){.kind = ACTION_CLICK};
}

bool action_is_tap(enum action_kind kind)
{
    return action_table_kind(kind)->reach == ACTION_REACH_TAP;
}

bool action_is_gesture(enum action_kind kind)
{
    return action_table_kind(kind)->reach >= ACTION_REACH_GESTURE;
}

bool action_is_on_screen(enum action_kind kind)
{
    return action_table_kind(kind)->reach >= ACTION_REACH_SCREEN;
}

bool action_is_on_phone(enum action_kind kind)
{
    return action_table_kind(kind)->reach >= ACTION_REACH_PHONE;
}

const char *action_kind_name(enum action_kind kind)
{
    return action_table_kind(kind)->name;
}

bool action_kind_find(const char *name, enum action_kind *kind)
{
    for (int i = 0; i < ACTION_KINDS; i++) {
        if (!strcmp(action_kind_name((enum action_kind)i), name)) {
            *kind = (enum action_kind)i;
            return true;
        }
    }
    return false;
}

const char *action_effect_name(enum action_effect effect)
{
    return action_table_member(ACTION_MEMBER_EFFECT)->names[effect];
}

const char *action_direction_name(enum action_direction direction)
{
    return action_table_member(ACTION_MEMBER_DIRECTION)->names[direction];
}

bool action_direction_find(const char *name, enum action_direction *direction)
{
    size_t found =
        name_table_find(action_table_member(ACTION_MEMBER_DIRECTION)->names,
                        ACTION_DIRECTIONS, name);

    if (found < ACTION_DIRECTIONS)
        *direction = (enum action_direction)found;
    return found < ACTION_DIRECTIONS;
}

static bool point_equal(bool has_a, struct action_point a, bool has_b,
                        struct action_point b)
{
    return has_a == has_b && (!has_a || (a.x == b.x && a.y == b.y));
}

bool action_equal(const struct action *a, const struct action *b)
{
    return a->kind == b->kind &&
           point_equal(a->has_from, a->from, b->has_from, b->from) &&
           point_equal(a->has_to, a->to, b->has_to, b->to) &&
           a->direction == b->direction && a->replace == b->replace &&
           a->submit == b->submit && a->effect == b->effect &&
           a->has_index == b->has_index &&
           (!a->has_index || a->index == b->index) && !a->text == !b->text &&
           (!a->text || !strcmp(a->text, b->text));
}

/* ---- as JSON ---- */

/* Where an action keeps its members. */
struct member_place {
    bool *has;   /* whether there is a value; NULL: 0 means none */
    int *number; /* of an integer */
    bool *truth; /* of a boolean */
    char **text; /* of a string */
    enum action_direction *direction; /* of an enum, one of both */
    enum action_effect *effect;
};

static struct member_place number_at(bool *has, int *number)
{
    return (struct member_place){.has = has, .number = number};
}

static struct member_place place_of(struct action *action,
                                    enum action_member member)
{
    switch (member) {
    case ACTION_MEMBER_X:
        return number_at(&action->has_from, &action->from.x);
    case ACTION_MEMBER_Y:
        return number_at(&action->has_from, &action->from.y);
    case ACTION_MEMBER_X2:
        return number_at(&action->has_to, &action->to.x);
    case ACTION_MEMBER_Y2:
        return number_at(&action->has_to, &action->to.y);
    case ACTION_MEMBER_INDEX:
        return number_at(&action->has_index, &action->index);
    case ACTION_MEMBER_MILLISECONDS:
        return number_at(NULL, &action->milliseconds);
    case ACTION_MEMBER_DIRECTION:
        return (struct member_place){.direction = &action->direction};
    case ACTION_MEMBER_EFFECT:
        return (struct member_place){.effect = &action->effect};
    case ACTION_MEMBER_TEXT:
        return (struct member_place){.text = &action->text};
    case ACTION_MEMBER_REPLACE:
        return (struct member_place){.truth = &action->replace};
    case ACTION_MEMBER_SUBMIT:
        return (struct member_place){.truth = &action->submit};
    case ACTION_MEMBERS:
        break;
    }
    return (struct member_place){.has = NULL};
}

static unsigned enum_at(struct member_place place)
{
    if (place.direction)
        return *place.direction;
    return place.effect ? *place.effect : 0;
}

static void member_to_json(struct action *action, enum action_member member,
                           struct cJSON *into)
{
    const struct action_member_info *info = action_table_member(member);
    const char *name = info->name;
    struct member_place place = place_of(action, member);
    unsigned value = enum_at(place);

    if (place.number && (place.has ? *place.has : *place.number != 0))
        json_add_int(into, name, *place.number);
    if (place.truth && *place.truth)
        json_add_bool(into, name, true);
    if (place.text)
        json_add_opt_string(into, name, *place.text);
    if (value)
        json_add_string(into, name, info->names[value]);
}

void action_to_json(const struct action *action, struct cJSON *into)
{
    struct action copy = *action; /* which is only read */

    json_add_string(into, "action", action_kind_name(action->kind));
    for (int i = 0; i < ACTION_MEMBERS; i++)
        member_to_json(&copy, (enum action_member)i, into);
}

static bool read_number(const struct json *json,
                        const struct action_member_info *info,
                        struct member_place place, struct err *err)
{
    int64_t number = INT64_MIN;

    if (!json_opt_int(json, info->name, info->min, info->max, &number, err))
        return false;
    if (number == INT64_MIN)
        return true;
    *place.number = (int)number;
    if (place.has)
        *place.has = true;
    return true;
}

static bool read_text(const struct json *json,
                      const struct action_member_info *info, char **text,
                      struct err *err)
{
    const char *given = NULL;

    if (!json_opt_string(json, info->name, &given, err))
        return false;
    if (given && strlen(given) > (size_t)info->max)
        return err_set(err, ERR_LIMIT, "%s: longer than %lld bytes", info->name,
                       (long long)info->max);
    assert(text); /* every string has a place */
    *text = given ? mem_dup(given) : NULL;
    return true;
}

static bool read_enum(const struct json *json,
                      const struct action_member_info *info,
                      struct member_place place, struct err *err)
{
    size_t count = (size_t)info->max + 1;
    const char *given = "";
    size_t found;

    if (!json_opt_string(json, info->name, &given, err))
        return false;
    found = name_table_find(info->names, count, given);
    if (found == count)
        return err_set(err, ERR_INVALID, "%s: there is no \"%s\"", info->name,
                       given);
    if (place.direction)
        *place.direction = (enum action_direction)found;
    else if (place.effect)
        *place.effect = (enum action_effect)found;
    return true;
}

static bool member_from_json(const struct json *json, enum action_member member,
                             struct action *action, struct err *err)
{
    const struct action_member_info *info = action_table_member(member);
    struct member_place place = place_of(action, member);

    switch (info->type) {
    case ACTION_MEMBER_INTEGER:
        return read_number(json, info, place, err);
    case ACTION_MEMBER_STRING:
        return read_text(json, info, place.text, err);
    case ACTION_MEMBER_BOOLEAN:
        return json_opt_bool(json, info->name, place.truth, err);
    case ACTION_MEMBER_ENUM:
        return read_enum(json, info, place, err);
    }
    return false;
}

/* null counts as missing. */
static bool is_given(const struct json *json, const char *name)
{
    const struct cJSON *value =
        cJSON_GetObjectItemCaseSensitive(json->value, name);

    return value && !cJSON_IsNull(value);
}

/* Both or neither. */
static bool is_paired(const struct json *json, enum action_member a,
                      enum action_member b, struct err *err)
{
    const char *x = action_table_member(a)->name;
    const char *y = action_table_member(b)->name;

    return is_given(json, x) == is_given(json, y) ||
           err_set(err, ERR_INVALID, "%s and %s go together", x, y);
}

static bool read_kind(const struct json *json, enum action_kind *kind,
                      struct err *err)
{
    const char *name = NULL;

    return json_get_string(json, "action", &name, err) &&
           (action_kind_find(name, kind) ||
            err_set(err, ERR_INVALID, "action: there is no \"%s\"", name));
}

bool action_from_json(const struct json *json, struct action *action,
                      struct err *err)
{
    struct action read = {.kind = ACTION_CLICK};
    bool done = read_kind(json, &read.kind, err);

    for (int i = 0; done && i < ACTION_MEMBERS; i++)
        done = member_from_json(json, (enum action_member)i, &read, err);
    done = done && is_paired(json, ACTION_MEMBER_X, ACTION_MEMBER_Y, err) &&
           is_paired(json, ACTION_MEMBER_X2, ACTION_MEMBER_Y2, err);
    if (!done) {
        action_release(&read);
        return false;
    }
    *action = read;
    return true;
}
