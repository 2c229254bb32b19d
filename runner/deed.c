#include "runner/deed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "runner/place.h"

/* Two points of a gesture that are this close are one; 1 is the screen. */
#define TAP_DISTANCE 0.04

/* What GUI-R1 writes where there is no text. */
#define NO_TEXT "no input text"

static const char *const index_names[] = {
    "index", "idx", "elementid", "elementindex", "id",
    "mark",  "tag", "number",    "targetindex",  NULL,
};

static const char *const direction_names[] = {
    "direction", "scrolldirection", "swipedirection", "dir", "to", NULL,
};

static const char *const text_names[] = {
    "text",   "content",  "inputtext", "typedtext",   "typecontent", "message",
    "value",  "appname",  "app",       "packagename", "package",     "question",
    "answer", "response", "query",     "input",       "keys",        "string",
    "name",   "reason",   NULL,
};

static const char *const key_names[] = {
    "button", "key", "keys", "text", "keycode", "value", "keyname", NULL,
};

static const char *const status_names[] = {
    "status",
    "goalstatus",
    "value",
    NULL,
};

static const char *const submit_names[] = {
    "pressenter", "enter", "submit", "andenter", NULL,
};

static const char *const time_names[] = {
    "seconds", "time", "duration", "value", "milliseconds", NULL,
};

/* What is being made. */
struct deed {
    const struct said *said;
    const struct family *family;
    const struct parse_options *options;
    struct action action;
};

/* ---- pixels ---- */

static bool is_fraction(double value)
{
    return value >= 0 && value <= 1 && value != floor(value);
}

/*
 * The convention in use. A family's own is only usual: some of its members
 * write pixels where others write parts of the picture. A fraction of a pixel
 * is meant by nobody.
 */
static enum coords coords_of(const struct deed *deed, struct place place)
{
    const struct parse_options *options = deed->options;
    enum coords coords =
        options->coords_told ? options->coords : deed->family->coords;
    bool within_one =
        place.x >= 0 && place.x <= 1 && place.y >= 0 && place.y <= 1;

    if (coords != COORDS_UNIT && within_one &&
        (is_fraction(place.x) || is_fraction(place.y)))
        return COORDS_UNIT;
    if (options->coords_told)
        return coords;
    if (coords == COORDS_UNIT && !within_one)
        return COORDS_PX;
    if ((coords == COORDS_999 || coords == COORDS_1000) &&
        (place.x > 1000 || place.y > 1000))
        return COORDS_PX;
    return coords;
}

static bool to_device(const struct deed *deed, struct place place,
                      struct action_point *point, struct err *err)
{
    return coords_to_device(coords_of(deed, place), deed->options->picture,
                            deed->options->screen, place.x, place.y, point,
                            err);
}

static bool set_from(struct deed *deed, struct place place, struct err *err)
{
    deed->action.has_from = place.known;
    return !place.known || to_device(deed, place, &deed->action.from, err);
}

static bool set_to(struct deed *deed, struct place place, struct err *err)
{
    deed->action.has_to = place.known;
    return !place.known || to_device(deed, place, &deed->action.to, err);
}

/* ---- marks, directions, texts ---- */

/* An element by its number: index=3, element=3, tap(3). */
static void find_index(struct deed *deed)
{
    const struct cJSON *value = said_argument(deed->said, index_names);
    struct numbers numbers = numbers_of(value);

    if (!value) {
        value = place_argument(deed->said);
        numbers = value ? numbers_of(value) : numbers_unnamed(deed->said);
    }
    if (numbers.count != 1 || numbers.values[0] < 0 ||
        numbers.values[0] > 1e6 ||
        numbers.values[0] != floor(numbers.values[0]))
        return;
    deed->action.has_index = true;
    deed->action.index = (int)numbers.values[0];
}

static bool direction_of(const struct cJSON *value,
                         enum action_direction *direction)
{
    const struct cJSON *item = NULL;

    if (cJSON_IsString(value))
        return verb_direction(span_text(value->valuestring), direction);
    cJSON_ArrayForEach(item, value)
    {
        if (direction_of(item, direction))
            return true;
    }
    return false;
}

/* How far the content moves: below zero is up or left. */
static bool find_amount(const struct deed *deed, const char *const *names,
                        double *amount)
{
    for (size_t i = 0; names[i]; i++) {
        if (number_argument(deed->said, names[i], amount) && *amount != 0)
            return true;
    }
    return false;
}

static void find_direction(struct deed *deed)
{
    static const char *const down[] = {"scrolly", "deltay", "dy", NULL};
    static const char *const right[] = {"scrollx", "deltax", "dx", NULL};
    static const char *const clicks[] = {"clicks", "amount", NULL};
    enum action_direction *direction = &deed->action.direction;
    struct numbers unnamed = numbers_unnamed(deed->said);
    double amount;

    *direction = deed->said->verb->direction;
    if (*direction != DIRECTION_NONE ||
        direction_of(said_argument(deed->said, direction_names), direction) ||
        direction_of(deed->said->unnamed, direction) ||
        direction_of(said_argument(deed->said, text_names), direction))
        return;
    if (find_amount(deed, down, &amount))
        *direction = amount > 0 ? DIRECTION_DOWN : DIRECTION_UP;
    else if (find_amount(deed, right, &amount))
        *direction = amount > 0 ? DIRECTION_RIGHT : DIRECTION_LEFT;
    else if (find_amount(deed, clicks, &amount) ||
             (unnamed.count == 1 && (amount = unnamed.values[0]) != 0))
        *direction = amount > 0 ? DIRECTION_UP : DIRECTION_DOWN;
}

/* A text that an argument holds: words, or a number or list of words. */
static char *text_of(const struct cJSON *value)
{
    struct buf text = BUF_INIT(ACTION_TEXT_MAX);
    const struct cJSON *item = NULL;
    char *copy;

    if (cJSON_IsString(value))
        return mem_dup(value->valuestring);
    if (cJSON_IsNumber(value))
        buf_printf(&text, "%.15g", value->valuedouble);
    cJSON_ArrayForEach(item, value)
    {
        if (cJSON_IsString(item))
            buf_printf(&text, "%s%s", text.length ? "+" : "",
                       item->valuestring);
    }
    copy = text.length ? mem_dup(buf_cstr(&text)) : NULL;
    buf_release(&text);
    return copy;
}

static bool is_no_text(const char *text)
{
    return !strcmp(text, NO_TEXT);
}

/* Has the call arguments with names, so that they are no plain text? */
static bool has_named(const struct said *said)
{
    return said->scope_count && cJSON_GetArraySize(said->scopes[0]) > 1;
}

/* The one string of a list, beside which there are only numbers. */
static const struct cJSON *only_string(const struct cJSON *list)
{
    const struct cJSON *found = NULL;
    const struct cJSON *item = NULL;

    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsNumber(item) && (found || !cJSON_IsString(item)))
            return NULL;
        found = cJSON_IsString(item) ? item : found;
    }
    return found;
}

/* Type("a"), Type(a, b), TYPE [a b]: what stands there without a name. */
static char *unnamed_text(const struct said *said)
{
    const struct cJSON *only = said->unnamed;

    if (cJSON_IsArray(only))
        only = only_string(only);
    if (cJSON_IsString(only))
        return mem_dup(only->valuestring);
    if (said->raw && said->raw[0] && !has_named(said))
        return mem_dup(said->raw);
    return NULL;
}

/* A verb's own name is no text. */
static bool names_verb(const struct cJSON *value)
{
    return !strcmp(value->string, "name") && cJSON_IsString(value) &&
           verb_find(span_text(value->valuestring));
}

static void find_text(struct deed *deed)
{
    const struct cJSON *value = said_argument(deed->said, text_names);

    if (value && !names_verb(value))
        deed->action.text = text_of(value);
    if (!deed->action.text)
        deed->action.text = unnamed_text(deed->said);
}

static bool is_true(const struct cJSON *value)
{
    return cJSON_IsTrue(value) ||
           (cJSON_IsNumber(value) && value->valuedouble != 0) ||
           (cJSON_IsString(value) && (!strcmp(value->valuestring, "true") ||
                                      !strcmp(value->valuestring, "True")));
}

/* A newline at the end of what is typed means Enter. */
static void find_submit(struct deed *deed)
{
    size_t length = strlen(deed->action.text);

    deed->action.submit = deed->family->typing_submits ||
                          is_true(said_argument(deed->said, submit_names));
    if (length && deed->action.text[length - 1] == '\n') {
        deed->action.text[length - 1] = '\0';
        deed->action.submit = true;
    }
}

static void find_time(struct deed *deed)
{
    const struct cJSON *value = said_argument(deed->said, time_names);
    struct numbers numbers = numbers_of(value);
    double milliseconds;

    if (!numbers.count)
        numbers = numbers_unnamed(deed->said);
    if (numbers.count != 1)
        return;
    milliseconds = numbers.values[0] *
                   (value && !strcmp(value->string, "milliseconds") ? 1 : 1000);
    if (milliseconds >= 0 && milliseconds <= ACTION_MILLISECONDS_MAX)
        deed->action.milliseconds = (int)milliseconds;
}

/* ---- one function per form ---- */

static bool lacks(const struct deed *deed, const char *what, struct err *err)
{
    return err_set(err, ERR_INVALID, "%s lacks %s",
                   action_kind_name(deed->action.kind), what);
}

/* A direction, or else the points that it leads from and to. */
static void find_way(struct deed *deed, struct place *from, struct place *to)
{
    find_direction(deed);
    place_find_way(deed->said, deed->family->y_first,
                   deed->action.direction == DIRECTION_NONE, from, to);
    place_drop_nowhere(from);
}

static bool make_point(struct deed *deed, struct err *err)
{
    struct place from = {.known = false};
    struct place to = {.known = false};

    place_find(deed->said, deed->family->y_first, &from);
    if (!from.known)
        find_index(deed);
    if (!from.known && !deed->action.has_index)
        return lacks(deed, "a point: two numbers, a box or an index", err);

    /* {"POINT": [1, 2], "to": "up"} is a swipe that begins there. */
    if (said_argument(deed->said, (const char *const[]){"to", NULL})) {
        deed->action.kind = ACTION_SWIPE;
        place_find_way(deed->said, deed->family->y_first, true, &from, &to);
        if (!to.known)
            find_direction(deed);
    }
    return set_from(deed, from, err) && set_to(deed, to, err);
}

static bool make_path(struct deed *deed, struct err *err)
{
    struct place from = {.known = false};
    struct place to = {.known = false};

    find_way(deed, &from, &to);
    if (from.known && to.known)
        deed->action.direction = DIRECTION_NONE;
    else if (deed->action.direction == DIRECTION_NONE)
        return lacks(deed, "two points or a direction", err);
    if (!from.known)
        find_index(deed);
    return set_from(deed, from, err) && set_to(deed, to, err);
}

static bool make_scroll(struct deed *deed, struct err *err)
{
    struct place from = {.known = false};
    struct place to = {.known = false};

    find_way(deed, &from, &to);
    if (deed->action.direction == DIRECTION_NONE) {
        if (!from.known || !to.known)
            return lacks(deed, "a direction", err);
        deed->action.kind = ACTION_SWIPE;
        return set_from(deed, from, err) && set_to(deed, to, err);
    }
    if (!from.known && said_argument(deed->said, index_names))
        find_index(deed);
    return set_from(deed, from, err);
}

static bool make_text(struct deed *deed, struct err *err)
{
    struct place from = {.known = false};
    struct place to = {.known = false};

    find_text(deed);
    if (!deed->action.text || is_no_text(deed->action.text))
        return lacks(deed, "its text", err);
    if (deed->action.kind != ACTION_TYPE)
        return true;
    find_submit(deed);
    place_find_way(deed->said, deed->family->y_first, false, &from, &to);
    place_drop_nowhere(&from);
    if (!from.known && said_argument(deed->said, index_names))
        find_index(deed);
    return set_from(deed, from, err);
}

static bool make_words(struct deed *deed)
{
    find_text(deed);
    if (deed->action.text &&
        (is_no_text(deed->action.text) || !deed->action.text[0])) {
        free(deed->action.text);
        deed->action.text = NULL;
    }
    return true;
}

static bool make_plain(struct deed *deed)
{
    if (deed->action.kind == ACTION_WAIT)
        find_time(deed);
    return true;
}

/* press(540, 1200) presses the screen, press("enter") a key. */
static bool make_key(struct deed *deed, struct err *err)
{
    char *name = text_of(said_argument(deed->said, key_names));
    bool known;

    if (!name)
        name = unnamed_text(deed->said);
    if (!name) {
        deed->action.kind = ACTION_CLICK;
        return make_point(deed, err);
    }
    known = verb_key(span_text(name), &deed->action.kind);
    if (!known && numbers_unnamed(deed->said).count >= 2) {
        free(name);
        deed->action.kind = ACTION_CLICK;
        return make_point(deed, err);
    }
    if (!known)
        (void)err_set(err, ERR_INVALID, "there is no key \"%.40s\"", name);
    free(name);
    return known;
}

static bool is_status(const char *text, enum action_kind *kind)
{
    return verb_status(span_text(text), kind);
}

/* terminate(status="failure"), or finish("all done"). */
static bool make_status(struct deed *deed)
{
    char *status = text_of(said_argument(deed->said, status_names));
    enum action_kind kind = deed->action.kind;

    make_words(deed);
    if (deed->action.text && is_status(deed->action.text, &kind)) {
        free(deed->action.text);
        deed->action.text = NULL;
    }
    if (status)
        (void)is_status(status, &kind);
    deed->action.kind = kind;
    free(status);
    return true;
}

static bool make_gesture(struct deed *deed, struct err *err)
{
    struct place from = {.known = false};
    struct place to = {.known = false};

    place_find_way(deed->said, deed->family->y_first, true, &from, &to);
    if (!from.known || !to.known)
        return lacks(deed, "two points", err);
    if (hypot(from.x - to.x, from.y - to.y) <= TAP_DISTANCE) {
        deed->action.kind = ACTION_CLICK;
        to.known = false;
    }
    return set_from(deed, from, err) && set_to(deed, to, err);
}

static bool make(struct deed *deed, struct err *err)
{
    switch (deed->said->verb->form) {
    case VERB_POINT:
        return make_point(deed, err);
    case VERB_PATH:
        return make_path(deed, err);
    case VERB_SCROLL:
        return make_scroll(deed, err);
    case VERB_TEXT:
        return make_text(deed, err);
    case VERB_WORDS:
        return make_words(deed);
    case VERB_PLAIN:
        return make_plain(deed);
    case VERB_KEY:
        return make_key(deed, err);
    case VERB_STATUS:
        return make_status(deed);
    case VERB_GESTURE:
        return make_gesture(deed, err);
    }
    return false;
}

bool deed_make(const struct said *said, const struct family *family,
               const struct parse_options *options, struct action *action,
               struct err *err)
{
    struct deed deed = {.said = said, .family = family, .options = options};

    deed.action.kind = said->verb->kind;
    if (!make(&deed, err)) {
        action_release(&deed.action);
        return false;
    }
    *action = deed.action;
    return true;
}
