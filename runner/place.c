#include "runner/place.h"

#include <string.h>

#include "base/macros.h"

#define NUMBER_DEPTH 6

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
    NULL,
};

static const char *const place_names[] = {
    "point",    "coordinate", "coordinates", "coord",  "coords",
    "position", "pos",        "location",    "center", "element",
    "box",      "bbox",       "bbox2d",      "box2d",  "point2d",
    "target",   "at",         "clickpoint",  "path",   NULL,
};

static const char *const end_names[] = {
    "endbox",   "endpoint",    "endcoordinate", "endcoordinates",
    "endcoord", "endposition", "tocoord",       "tocoordinate",
    "topoint",  "coordinate2", "point2",        "end",
    "to",       "targetbox",   "destination",   "liftpoint",
    NULL,
};

static void add_number(struct numbers *numbers, double value)
{
    if (numbers->count < NUMBERS_MAX)
        numbers->values[numbers->count++] = value;
}

/* Text that is made of nothing but numbers and the marks around them. */
static bool is_numeric(const char *text)
{
    bool in_tag = false;

    for (; *text; text++) {
        in_tag = (in_tag || *text == '<') && *text != '>';
        if (!in_tag && !strchr("0123456789.,;:-+()[]{}<> \t\r\n|%", *text) &&
            (unsigned char)*text < 0x80)
            return false;
    }
    return true;
}

static void collect_text(const char *text, struct numbers *numbers)
{
    double found[NUMBERS_MAX];
    size_t count;

    if (!is_numeric(text))
        return;
    count = reader_numbers((struct span){text, strlen(text)}, found,
                           ARRAY_LEN(found));
    for (size_t i = 0; i < count; i++)
        add_number(numbers, found[i]);
}

static void collect(const struct cJSON *value, int depth,
                    struct numbers *numbers)
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

struct numbers numbers_of(const struct cJSON *value)
{
    struct numbers numbers = {.count = 0};

    collect(value, 0, &numbers);
    return numbers;
}

struct numbers numbers_unnamed(const struct said *said)
{
    struct numbers numbers = {.count = 0};

    return said->unnamed ? numbers_of(said->unnamed) : numbers;
}

/* Numbers first to first + 1, or the centre of a box. */
static struct place place_at(const struct numbers *numbers, size_t first,
                             bool y_first)
{
    struct place place = {.known = true};

    place.x = numbers->values[first];
    place.y = numbers->values[first + 1];
    if (numbers->count == 4 && first == 0) {
        place.x = (place.x + numbers->values[2]) / 2;
        place.y = (place.y + numbers->values[3]) / 2;
    }
    if (y_first) {
        double swapped = place.x;

        place.x = place.y;
        place.y = swapped;
    }
    return place;
}

bool number_argument(const struct said *said, const char *name, double *number)
{
    const char *const names[] = {name, NULL};
    const struct cJSON *value = said_argument(said, names);
    struct numbers numbers = numbers_of(value);

    if (!value || numbers.count != 1)
        return false;
    *number = numbers.values[0];
    return true;
}

/* x and y as two arguments. */
static bool pair(const struct said *said, const char *const names[][2],
                 struct place *place)
{
    for (size_t i = 0; names[i][0]; i++) {
        if (number_argument(said, names[i][0], &place->x) &&
            number_argument(said, names[i][1], &place->y)) {
            place->known = true;
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
static void take_numbers(const struct numbers *numbers, bool two, bool y_first,
                         struct place *from, struct place *to)
{
    if (two && numbers->count >= 4) {
        struct numbers ends = *numbers;
        /* A fifth number says how long it takes; more are points between. */
        size_t last = numbers->count == 5 ? 2 : numbers->count - 2;

        ends.count = 0;
        *from = place_at(&ends, 0, y_first);
        *to = place_at(&ends, last, y_first);
    } else if (numbers->count == 2 || numbers->count == 4) {
        *from = place_at(numbers, 0, y_first);
    }
}

/* Where it is done, and for a way (two) also where that ends. */
void place_find_way(const struct said *said, bool y_first, bool two,
                    struct place *from, struct place *to)
{
    const struct cJSON *start = said_argument(said, start_names);
    const struct cJSON *place = said_argument(said, place_names);
    const struct cJSON *end = said_argument(said, end_names);
    struct numbers numbers = numbers_of(start ? start : place);
    /* [ymin, xmin, ymax, xmax], as Gemini writes it. */
    bool box_2d = !start && place && !strcmp(place->string, "box_2d");

    if (!pair(said, start_pairs, from)) {
        take_numbers(&numbers, two && !end, y_first || box_2d, from, to);
        if (!from->known) {
            numbers = numbers_unnamed(said);
            take_numbers(&numbers, two, y_first, from, to);
        }
    }
    if (pair(said, end_pairs, to))
        return;
    numbers = numbers_of(end ? end : start ? place : NULL);
    if (numbers.count == 2 || numbers.count == 4)
        *to = place_at(&numbers, 0, y_first);
}

/* The four corners of x1, y1, x2, y2 that are meant as a box. */
void place_find(const struct said *said, bool y_first, struct place *place)
{
    struct place corner = {.known = false};
    struct place other = {.known = false};

    if (pair(said, end_pairs, &other) && pair(said, start_pairs, &corner)) {
        *place = (struct place){true, (corner.x + other.x) / 2,
                                (corner.y + other.y) / 2};
        return;
    }
    place_find_way(said, y_first, false, place, &corner);
}

const struct cJSON *place_argument(const struct said *said)
{
    return said_argument(said, place_names);
}

void place_drop_nowhere(struct place *place)
{
    if (place->x < 0 && place->y < 0)
        place->known = false;
}
