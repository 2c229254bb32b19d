#include "runner/prompt/prompt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/parse/reply_parts.h"

#define NAME_MAX_BYTES 24 /* of a name in braces */

/* ---- points ---- */

/* Convert a pixel of the phone to the model's coordinates. */
static double from_device(int pixel, int side, double edge)
{
    double value = side > 0 ? pixel * edge / side : pixel;

    return edge <= 1 ? round(value * 1000) / 1000 : round(value);
}

static void put_point(const struct prompt *prompt, struct action_point point,
                      struct buf *into)
{
    struct extent screen = prompt->view->seen->screen;
    double right;
    double bottom;

    coords_edges(prompt->profile->coords, prompt->picture, &right, &bottom);
    buf_printf(into, "%g, %g", from_device(point.x, screen.width, right),
               from_device(point.y, screen.height, bottom));
}

/* ---- actions ---- */

/* In a plain notation that any model understands. */
static const char *verb_of(enum action_kind kind)
{
    static const char *const verbs[ACTION_KINDS] = {
        [ACTION_CLICK] = "Click",
        [ACTION_LONG_PRESS] = "LongPress",
        [ACTION_DOUBLE_TAP] = "DoubleTap",
        [ACTION_SWIPE] = "Swipe",
        [ACTION_DRAG] = "Drag",
        [ACTION_SCROLL] = "Scroll",
        [ACTION_TYPE] = "Type",
        [ACTION_CLEAR] = "Clear",
        [ACTION_ENTER] = "Enter",
        [ACTION_BACK] = "Back",
        [ACTION_HOME] = "Home",
        [ACTION_RECENTS] = "Recents",
        [ACTION_PINCH] = "Pinch",
        [ACTION_KEY] = "PressKey",
        [ACTION_OPEN_APP] = "OpenApp",
        [ACTION_RAW] = "Raw",
        [ACTION_WAIT] = "Wait",
        [ACTION_ASK] = "Ask",
        [ACTION_ANSWER] = "Answer",
        [ACTION_COMPLETE] = "Complete",
        [ACTION_FAIL] = "Fail",
    };

    return verbs[kind];
}

static void put_separator(struct buf *into, bool *first)
{
    if (!*first)
        buf_text(into, ", ");
    *first = false;
}

void prompt_action(const struct prompt *prompt, const struct action *action,
                   struct buf *into)
{
    bool first = true;

    buf_printf(into, "%s(", verb_of(action->kind));
    if (action->has_index) {
        put_separator(into, &first);
        buf_printf(into, "%d", action->index);
    } else if (action->has_from) {
        put_separator(into, &first);
        put_point(prompt, action->from, into);
    }
    if (action->has_to) {
        put_separator(into, &first);
        put_point(prompt, action->to, into);
    }
    if (action->direction != DIRECTION_NONE) {
        put_separator(into, &first);
        buf_printf(into, "\"%s\"", action_direction_name(action->direction));
    }
    if (action->text) {
        put_separator(into, &first);
        buf_byte(into, '"');
        buf_text(into, action->text);
        buf_byte(into, '"');
    }
    buf_byte(into, ')');
    if (action->submit)
        buf_text(into, ", Enter()");
}

/* ---- placeholders ---- */

/* A past step, for its line in the history. */
struct past_step {
    const struct agent_past *past;
    size_t number; /* from 1 */
};

static void fill(const struct prompt *prompt, const struct past_step *step,
                 const char *text, struct buf *into);

static void put_history(const struct prompt *prompt,
                        const struct past_step *step, struct buf *into)
{
    const struct profile_history *history = &prompt->profile->history;
    size_t from = 0;

    (void)step;
    if (history->lines >= 0 && prompt->first > (size_t)history->lines)
        from = prompt->first - (size_t)history->lines;
    if (from == prompt->first) {
        buf_text(into, history->none ? history->none : "");
        return;
    }
    for (size_t i = from; i < prompt->first; i++) {
        const struct past_step past = {&prompt->view->past[i], i + 1};

        if (i > from)
            buf_byte(into, '\n');
        fill(prompt, &past, history->line ? history->line : "{action}", into);
    }
}

static void put_instruction(const struct prompt *prompt,
                            const struct past_step *step, struct buf *into)
{
    (void)step;
    buf_text(into, prompt->view->instruction);
}

static void put_notice(const struct prompt *prompt,
                       const struct past_step *step, struct buf *into)
{
    const char *notice = step ? step->past->notice : prompt->view->notice;

    buf_text(into, notice ? notice : "");
}

static void put_actions(const struct prompt *prompt,
                        const struct past_step *step, struct buf *into)
{
    bool first = true;

    (void)step;
    for (int i = 0; i < ACTION_KINDS; i++) {
        if (!prompt->profile->actions[i] ||
            !(prompt->view->actions & (UINT32_C(1) << i)))
            continue;
        if (!first)
            buf_byte(into, '\n');
        buf_text(into, prompt->profile->actions[i]);
        first = false;
    }
}

static void put_elements(const struct prompt *prompt,
                         const struct past_step *step, struct buf *into)
{
    const struct element_list *elements = prompt->view->elements;

    (void)step;
    for (size_t i = 0; elements && i < elements->count; i++) {
        const struct screen_element *element = &elements->items[i];
        struct action_point from = {element->box.left, element->box.top};
        struct action_point to = {element->box.right, element->box.bottom};

        buf_printf(into, "%s%zu %s '%s' (", i ? "\n" : "", i + 1, element->role,
                   element->name.text);
        put_point(prompt, from, into);
        buf_text(into, ")-(");
        put_point(prompt, to, into);
        buf_byte(into, ')');
    }
}

static void put_width(const struct prompt *prompt, const struct past_step *step,
                      struct buf *into)
{
    (void)step;
    buf_printf(into, "%d", prompt->picture.width);
}

static void put_height(const struct prompt *prompt,
                       const struct past_step *step, struct buf *into)
{
    (void)step;
    buf_printf(into, "%d", prompt->picture.height);
}

static void put_app(const struct prompt *prompt, const struct past_step *step,
                    struct buf *into)
{
    (void)step;
    buf_text(into, prompt->view->seen->package);
}

static void put_number(const struct prompt *prompt,
                       const struct past_step *step, struct buf *into)
{
    buf_printf(into, "%zu",
               step ? step->number : (size_t)prompt->view->step + 1);
}

static void put_steps_left(const struct prompt *prompt,
                           const struct past_step *step, struct buf *into)
{
    (void)step;
    buf_printf(into, "%d", prompt->view->steps_left);
}

static void put_action(const struct prompt *prompt,
                       const struct past_step *step, struct buf *into)
{
    if (!step)
        return;
    prompt_action(prompt, &step->past->action, into);
    if (step->past->notice)
        buf_printf(into, " (not carried out: %.200s)", step->past->notice);
}

static void put_reply(const struct prompt *prompt, const struct past_step *step,
                      struct buf *into)
{
    (void)prompt;
    if (step && step->past->reply)
        buf_text(into, step->past->reply);
}

/* The reply without its thoughts. */
static void put_said(const struct prompt *prompt, const struct past_step *step,
                     struct buf *into)
{
    struct text_span text;
    struct reply_parts reply;

    (void)prompt;
    if (!step || !step->past->reply)
        return;
    reply_init(&reply, text_span_of(step->past->reply));
    text = text_span_trim(
        (struct text_span){buf_cstr(&reply.body), reply.body.length});
    buf_append(into, text.text, text.length);
    reply_release(&reply);
}

static const struct prompt_value {
    const char *name;
    void (*put)(const struct prompt *prompt, const struct past_step *step,
                struct buf *into);
} values[] = {
    {"instruction", put_instruction},
    {"history", put_history},
    {"notice", put_notice},
    {"actions", put_actions},
    {"elements", put_elements},
    {"width", put_width},
    {"height", put_height},
    {"app", put_app},
    {"number", put_number},
    {"steps_left", put_steps_left},
    {"action", put_action},
    {"reply", put_reply},
    {"said", put_said},
};

/* The placeholder in braces at text, or NULL. */
static const struct prompt_value *value_at(const char *text)
{
    size_t length = strcspn(text + 1, "{}");

    if (text[length + 1] != '}' || length > NAME_MAX_BYTES)
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        if (strlen(values[i].name) == length &&
            !memcmp(values[i].name, text + 1, length))
            return &values[i];
    }
    return NULL;
}

static void fill(const struct prompt *prompt, const struct past_step *step,
                 const char *text, struct buf *into)
{
    while (*text) {
        size_t plain = strcspn(text, "{");
        const struct prompt_value *value;

        buf_append(into, text, plain);
        text += plain;
        if (!*text)
            return;
        value = value_at(text);
        if (value) {
            value->put(prompt, step, into);
            text += strlen(value->name) + 2;
        } else {
            buf_byte(into, *text++);
        }
    }
}

void prompt_fill(const struct prompt *prompt, const char *text,
                 struct buf *into)
{
    if (text)
        fill(prompt, NULL, text, into);
}

bool prompt_has(const char *text, const char *name)
{
    while (text && (text = strchr(text, '{'))) {
        const struct prompt_value *value = value_at(text);

        if (value && !strcmp(value->name, name))
            return true;
        text++;
    }
    return false;
}

/* ---- tools ---- */

static void fill_numbers(struct cJSON *value, struct extent picture)
{
    struct cJSON *child;

    cJSON_ArrayForEach(child, value)
    {
        int number;

        fill_numbers(child, picture);
        if (!cJSON_IsString(child))
            continue;
        if (!strcmp(child->valuestring, "{width}"))
            number = picture.width;
        else if (!strcmp(child->valuestring, "{height}"))
            number = picture.height;
        else
            continue;
        cJSON_free(child->valuestring);
        child->valuestring = NULL;
        child->type = cJSON_Number;
        cJSON_SetNumberValue(child, number);
    }
}

char *prompt_tools(const struct profile *profile, struct extent picture)
{
    struct buf text = BUF_INIT(PROFILE_FILE_MAX);
    struct cJSON *tree = NULL;
    struct err err;

    if (!profile->tools ||
        !json_parse(profile->tools, strlen(profile->tools), &tree, &err))
        return NULL;
    fill_numbers(tree, picture);
    json_format(tree, &text);
    cJSON_Delete(tree);
    return text.data;
}
