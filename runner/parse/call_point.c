#include "runner/parse/call_point.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"

#define NUMBER_DEPTH 6

/* No coordinate, element or duration is larger. */
#define NUMBER_MAX 1e7

static const char *const start_names[] = {
    "startbox",
    "startpoint",
    "startcoordinate",
    "startcoordinates",
    "startcoord",
    "startposition",
    "fromcoord",
    "fromcoordinate",
    "frompoint",
    "start",
    "from",
    "point1",
    "coordinate1",
    "touchpoint",
    "touchxy",
    NULL,
};

static const char *const place_names[] = {
    "point",  "coordinate", "coordinates", "coord",   "coords", "position",
    "pos",    "location",   "center",      "element", "box",    "bbox",
    "bbox2d", "box2d",      "point2d",     "target",  "at",     "clickpoint",
    "path",   "bounds",     "boundingbox", "rect",    NULL,
};

static const char *const end_names[] = {
    "endbox",   "endpoint",    "endcoordinate", "endcoordinates",
    "endcoord", "endposition", "tocoord",       "tocoordinate",
    "topoint",  "coordinate2", "point2",        "end",
    "to",       "targetbox",   "destination",   "liftpoint",
    "liftxy",   NULL,
};

static void add_number(struct number_list *numbers, double value)
{
    if (!isfinite(value) || fabs(value) > NUMBER_MAX)
        numbers->absurd = true;
    if (numbers->count < NUMBER_LIST_MAX)
        numbers->values[numbers->count++] = value;
}

/* The 'e' of "1e5". */
static bool is_exponent(const char *text, const char *at)
{
    return (*at == 'e' || *at == 'E') && at > text &&
           isdigit((unsigned char)at[-1]) &&
           (isdigit((unsigned char)at[1]) || at[1] == '-' || at[1] == '+');
}

/* A text with only numbers and punctuation around them. */
static bool is_numeric(const char *text)
{
    bool in_tag = false;

    for (const char *at = text; *at; at++) {
        in_tag = (in_tag || *at == '<') && *at != '>';
        if (!in_tag && !strchr("0123456789.,;:-+()[]{}<> \t\r\n|%", *at) &&
            !is_exponent(text, at) && (unsigned char)*at < 0x80)
            return false;
    }
    return true;
}

/* Texts that programs write for a missing number. */
static bool is_not_finite(const char *text)
{
    static const char *const words[] = {"nan", "inf", "infinity"};

    if (*text == '-' || *text == '+')
        text++;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (!strcasecmp(text, words[i]))
            return true;
    }
    return false;
}

static void collect_text(const char *text, struct number_list *numbers)
{
    double found[NUMBER_LIST_MAX];
    size_t count;

    numbers->absurd = numbers->absurd || is_not_finite(text);
    if (!is_numeric(text))
        return;
    count = loose_value_find_numbers((struct text_span){text, strlen(text)},
                                     NULL, found, ARRAY_LEN(found));
    for (size_t i = 0; i < count; i++)
        add_number(numbers, found[i]);
}

static void collect(const struct cJSON *value, int depth,
                    struct number_list *numbers)
{
    const struct cJSON *item = NULL;

    if (cJSON_IsNumber(value)) {
        add_number(numbers, value->valuedouble);
    } else if (cJSON_IsString(value)) {
        collect_text(value->valuestring, numbers);
    } else if (depth < NUMBER_DEPTH) {
        cJSON_ArrayForEach(item, value) collect(item, depth + 1, numbers);
    }
}

struct number_list number_list_of(const struct cJSON *value)
{
    struct number_list numbers = {.count = 0};

    collect(value, 0, &numbers);
    return numbers;
}

struct number_list number_list_of_unnamed(const struct action_call *call)
{
    struct number_list numbers = {.count = 0};

    return call->unnamed ? number_list_of(call->unnamed) : numbers;
}

/* Numbers first to first + 1, or the centre of a box. */
static struct call_point place_at(const struct number_list *numbers,
                                  size_t first, bool y_first)
{
    struct call_point point = {.known = true};

    point.x = numbers->values[first];
    point.y = numbers->values[first + 1];
    if (numbers->count == 4 && first == 0) {
        point.x = (point.x + numbers->values[2]) / 2;
        point.y = (point.y + numbers->values[3]) / 2;
    }
    if (y_first) {
        double swapped = point.x;

        point.x = point.y;
        point.y = swapped;
    }
    return point;
}

bool call_number_argument(const struct action_call *call, const char *name,
                          double *number)
{
    const char *const names[] = {name, NULL};
    const struct cJSON *value = action_call_argument(call, names);
    struct number_list numbers = number_list_of(value);

    if (!value || numbers.count != 1)
        return false;
    *number = numbers.values[0];
    return true;
}

/* x and y as two arguments. */
static bool pair(const struct action_call *call, const char *const names[][2],
                 struct call_point *point)
{
    for (size_t i = 0; names[i][0]; i++) {
        if (call_number_argument(call, names[i][0], &point->x) &&
            call_number_argument(call, names[i][1], &point->y)) {
            point->known = true;
            return true;
        }
    }
    return false;
}

static const char *const start_pairs[][2] = {
    {"startx", "starty"}, {"fromx", "fromy"}, {"x1", "y1"},
    {"sx", "sy"},         {"x", "y"},         {NULL, NULL},
};

static const char *const end_pairs[][2] = {
    {"endx", "endy"}, {"tox", "toy"}, {"destinationx", "destinationy"},
    {"x2", "y2"},     {"ex", "ey"},   {NULL, NULL},
};

/* Four numbers that are one box each, or two ends of a way. */
static void take_numbers(const struct number_list *numbers, bool two,
                         bool y_first, struct call_point *from,
                         struct call_point *to)
{
    if (two && numbers->count >= 4) {
        struct number_list ends = *numbers;
        /* A fifth number says how long it takes; more are points between. */
        size_t last = numbers->count == 5 ? 2 : numbers->count - 2;

        ends.count = 0;
        *from = place_at(&ends, 0, y_first);
        *to = place_at(&ends, last, y_first);
    } else if (numbers->count == 2 || numbers->count == 4) {
        *from = place_at(numbers, 0, y_first);
    }
}

/* In which order the numbers of an argument stand. */
static bool is_y_first(const struct cJSON *argument, struct axis_order order)
{
    return order.y_first || (order.box_2d_y_first && argument &&
                             !strcmp(argument->string, "box_2d"));
}

/* (coordinates: 540, 600), (box=(1, 2), (3, 4)): a name for the first half. */
static void join_unnamed(const struct action_call *call, const char *name,
                         struct number_list *numbers)
{
    struct number_list unnamed = number_list_of_unnamed(call);

    if (numbers->count == 1 && unnamed.count == 1) {
        add_number(numbers, unnamed.values[0]);
    } else if (numbers->count == 2 && unnamed.count == 2 &&
               strstr(name, "box")) {
        add_number(numbers, unnamed.values[0]);
        add_number(numbers, unnamed.values[1]);
    }
}

/* Where it is done, by arguments with names. */
static void find_named(const struct action_call *call, struct axis_order order,
                       bool two, struct call_point *from, struct call_point *to)
{
    const struct cJSON *start = action_call_argument(call, start_names);
    const struct cJSON *point = action_call_argument(call, place_names);
    const struct cJSON *end = action_call_argument(call, end_names);
    struct number_list numbers = number_list_of(start ? start : point);

    if (pair(call, start_pairs, from))
        return;
    start = start ? start : point;
    if (!start)
        return;
    join_unnamed(call, start->string, &numbers);
    take_numbers(&numbers, two && !end, is_y_first(start, order), from, to);
}

static void find_end(const struct action_call *call, struct axis_order order,
                     struct call_point *to)
{
    const struct cJSON *start = action_call_argument(call, start_names);
    const struct cJSON *point = action_call_argument(call, place_names);
    const struct cJSON *end = action_call_argument(call, end_names);
    struct number_list numbers;

    if (pair(call, end_pairs, to))
        return;
    end = end ? end : start ? point : NULL;
    numbers = number_list_of(end);
    if (numbers.count == 2 || numbers.count == 4)
        *to = place_at(&numbers, 0, is_y_first(end, order));
}

void call_point_find_path(const struct action_call *call,
                          struct axis_order order, bool two,
                          struct call_point *from, struct call_point *to)
{
    find_named(call, order, two, from, to);
    if (!from->known) {
        struct number_list numbers = number_list_of_unnamed(call);

        take_numbers(&numbers, two, order.y_first, from, to);
    }
    find_end(call, order, to);
}

void call_point_find_named(const struct action_call *call,
                           struct axis_order order, struct call_point *point)
{
    struct call_point ignored = {.known = false};

    find_named(call, order, false, point, &ignored);
}

/* The four corners of x1, y1, x2, y2 that are meant as a box. */
void call_point_find(const struct action_call *call, struct axis_order order,
                     struct call_point *point)
{
    struct call_point corner = {.known = false};
    struct call_point other = {.known = false};

    if (pair(call, end_pairs, &other) && pair(call, start_pairs, &corner)) {
        *point = (struct call_point){true, (corner.x + other.x) / 2,
                                     (corner.y + other.y) / 2};
        return;
    }
    call_point_find_path(call, order, false, point, &corner);
}

static bool pair_is_absurd(const struct action_call *call,
                           const char *const names[][2])
{
    for (size_t i = 0; names[i][0]; i++) {
        for (size_t axis = 0; axis < 2; axis++) {
            const char *const name[] = {names[i][axis], NULL};

            if (number_list_of(action_call_argument(call, name)).absurd)
                return true;
        }
    }
    return false;
}

bool call_point_is_absurd(const struct action_call *call)
{
    return number_list_of(action_call_argument(call, start_names)).absurd ||
           number_list_of(action_call_argument(call, place_names)).absurd ||
           number_list_of(action_call_argument(call, end_names)).absurd ||
           pair_is_absurd(call, start_pairs) || pair_is_absurd(call, end_pairs);
}

const struct cJSON *call_point_argument(const struct action_call *call)
{
    return action_call_argument(call, place_names);
}

void call_point_drop_placeholder(struct call_point *point)
{
    if (point->x < 0 && point->y < 0)
        point->known = false;
}
