#include "runner/parse/action_builder.h"

#include <math.h>

#include "runner/parse/coords.h"

#define INDEX_MAX 1000000

const char *const action_builder_index_names[] = {
    "index", "idx", "elementid", "elementindex", "id",
    "mark",  "tag", "number",    "targetindex",  NULL,
};

/* ---- pixels ---- */

static bool is_fraction(double value)
{
    return value >= 0 && value <= 1 && value != floor(value);
}

/*
 * The convention in use. A family's own is only a default: some models
 * write pixels where others write parts of the picture. A fraction of a pixel
 * makes no sense.
 */
static enum coords coords_of(const struct action_builder *builder,
                             struct call_point place)
{
    const struct reply_parse_options *options = builder->options;
    enum coords coords =
        options->coords_given ? options->coords : builder->family->coords;
    bool within_one =
        place.x >= 0 && place.x <= 1 && place.y >= 0 && place.y <= 1;

    if (coords != COORDS_UNIT && within_one &&
        (is_fraction(place.x) || is_fraction(place.y)))
        return COORDS_UNIT;
    if (options->coords_given)
        return coords;
    if (coords == COORDS_UNIT && !within_one)
        return COORDS_PX;
    if ((coords == COORDS_999 || coords == COORDS_1000) &&
        (place.x > 1000 || place.y > 1000))
        return COORDS_PX;
    return coords;
}

static bool to_device(const struct action_builder *builder,
                      struct call_point place, struct action_point *point,
                      struct err *err)
{
    return coords_to_device(coords_of(builder, place),
                            builder->options->picture, builder->options->screen,
                            place.x, place.y, point, err);
}

bool action_builder_set_from(struct action_builder *builder,
                             struct call_point place, struct err *err)
{
    builder->action.has_from = place.known;
    return !place.known ||
           to_device(builder, place, &builder->action.from, err);
}

bool action_builder_set_to(struct action_builder *builder,
                           struct call_point place, struct err *err)
{
    builder->action.has_to = place.known;
    return !place.known || to_device(builder, place, &builder->action.to, err);
}

struct axis_order action_builder_axis_order(
    const struct action_builder *builder)
{
    return (struct axis_order){builder->family->y_first,
                               builder->family->box_2d_y_first};
}

/* ---- elements ---- */

/*
 * The one number of a value. Words may follow it, as in swipe(5, "up"), but a
 * number among things that are none is half of a point and no element.
 */
static bool single_number(const struct cJSON *value, double *number)
{
    struct number_list numbers = number_list_of(value);
    const struct cJSON *item = value;

    while (cJSON_IsArray(item))
        item = item->child;
    if (numbers.count != 1 || number_list_of(item).count != 1)
        return false;
    *number = numbers.values[0];
    return true;
}

/* An element by its number: index=3, element=3, tap(3). */
void action_builder_find_index(struct action_builder *builder)
{
    const struct cJSON *value =
        action_call_argument(builder->call, action_builder_index_names);
    double number;

    if (!value)
        value = call_point_argument(builder->call);
    if (!value)
        value = builder->call->unnamed;
    if (!value || !single_number(value, &number) || number < 0 ||
        number > INDEX_MAX || number != floor(number))
        return;
    builder->action.has_index = true;
    builder->action.index = (int)number;
}

/* ---- times ---- */

struct call_duration action_builder_duration(
    const struct action_builder *builder)
{
    return call_duration_find(builder->call, builder->family,
                              builder->action.kind);
}

/* Never longer than a run lets an action take. */
bool action_builder_set_time(struct action_builder *builder,
                             struct call_duration duration, struct err *err)
{
    if (!duration.known)
        return true;
    if (!(duration.milliseconds >= 0 &&
          duration.milliseconds <= ACTION_MILLISECONDS_MAX))
        return err_set(err, ERR_INVALID,
                       "%s: the number of seconds is negative or too large",
                       action_kind_name(builder->action.kind));
    builder->action.milliseconds = (int)duration.milliseconds;
    return true;
}
