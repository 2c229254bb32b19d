#include "tests/tools/cli/run/solver_model.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"

#define ITEMS_MAX 128
#define NAME_SIZE 96
#define TEXT_MAX ((size_t)8 << 20)
#define DARK 96 /* a background is dark below this */

/* One line of the list: 7 button 'Sort' (90, 300)-(540, 420) */
struct item {
    char role[24];
    char name[NAME_SIZE];
    double x; /* its center, in the model's coordinates */
    double y;
};

/* The content of one request. */
struct view {
    struct buf text; /* all texts, the newest last */
    struct item items[ITEMS_MAX];
    size_t count;
    bool dark; /* the picture is */
    bool seen; /* there is one */
};

/* The task to solve. */
struct solver_action {
    enum {
        SOLVER_CLICK,
        SOLVER_TYPE,
        SOLVER_ENTER,
        SOLVER_COMPLETE,
        SOLVER_LOST
    } kind;
    double x;
    double y;
    char text[NAME_SIZE];
};

/* ---- reading ---- */

/* The background colour below the status bar. */
static bool is_dark(const char *letters)
{
    size_t length = strlen(letters);
    unsigned char *bytes = mem_new(length, 1);
    int size =
        EVP_DecodeBlock(bytes, (const unsigned char *)letters, (int)length);
    struct picture picture = PICTURE_INIT;
    struct err err;
    bool dark = false;

    if (size > 0 && picture_file_decode(bytes, (size_t)size, &picture, &err))
        dark = picture_row(&picture, picture.height / 20)[4] < DARK;
    picture_release(&picture);
    free(bytes);
    return dark;
}

static void read_value(const struct cJSON *value, struct view *view)
{
    const struct cJSON *child;
    const char *text = cJSON_IsString(value) ? value->valuestring : NULL;

    if (text && !strncmp(text, "data:image/png;base64,", 22)) {
        view->dark = is_dark(text + 22);
        view->seen = true;
    } else if (text && !strncmp(text, "iVBORw0KGgo", 11)) {
        view->dark = is_dark(text);
        view->seen = true;
    } else if (text) {
        buf_text(&view->text, text);
        buf_byte(&view->text, '\n');
    }
    cJSON_ArrayForEach(child, value) read_value(child, view);
}

/* Parse (90, 300)-(540, 420). */
static bool read_box(const char *text, double box[4])
{
    for (size_t i = 0; i < 4; i++) {
        char *end;

        text += strspn(text, "(), -");
        box[i] = strtod(text, &end);
        if (end == text)
            return false;
        text = end;
    }
    return true;
}

static void read_line(const char *line, struct view *view)
{
    struct item *item = &view->items[view->count];
    const char *quote = strchr(line, '\'');
    const char *end = NULL;
    double box[4];

    for (const char *at = line; (at = strstr(at, "' (")); at++)
        end = at;
    if (!quote || !end || end <= quote || !read_box(end + 2, box))
        return;
    snprintf(item->role, sizeof(item->role), "%.*s", (int)(quote - line), line);
    snprintf(item->name, sizeof(item->name), "%.*s", (int)(end - quote - 1),
             quote + 1);
    item->x = (box[0] + box[2]) / 2;
    item->y = (box[1] + box[3]) / 2;
    view->count += view->count + 1 < ITEMS_MAX;
}

static void read_items(struct view *view)
{
    static const char marker[] = "in place of a point:\n";
    char *list = NULL;

    for (char *at = view->text.data; at && (at = strstr(at, marker));)
        list = at += sizeof(marker) - 1;
    while (list && *list) {
        char *end = strchrnul(list, '\n');
        bool last = !*end;

        *end = '\0';
        read_line(list, view);
        list = last ? NULL : end + 1;
    }
}

/* ---- deciding ---- */

static const struct item *find(const struct view *view, const char *name)
{
    const struct item *found = NULL;

    for (size_t i = 0; i < view->count; i++) {
        /* Controls come before plain texts. */
        if (!strcmp(view->items[i].name, name) &&
            (!found || strstr(found->role, "text")))
            found = &view->items[i];
    }
    return found;
}

static struct solver_action click(const struct item *item)
{
    struct solver_action action = {.kind = SOLVER_LOST};

    if (item) {
        action.kind = SOLVER_CLICK;
        action.x = item->x;
        action.y = item->y;
    }
    return action;
}

static struct solver_action do_settings(const struct view *view)
{
    if (find(view, "Dark theme") && view->dark)
        return (struct solver_action){.kind = SOLVER_COMPLETE};
    return click(
        find(view, find(view, "Dark theme") ? "Dark theme" : "Display"));
}

/* The number before a unit: 10 'm'. */
static int number_before(const struct view *view, const char *unit)
{
    for (size_t i = 1; i < view->count; i++) {
        if (!strcmp(view->items[i].name, unit))
            return (int)strtol(view->items[i - 1].name, NULL, 10);
    }
    return -1;
}

static struct solver_action do_timer(const struct view *view)
{
    const struct item *more = find(view, "+1:00");

    if (more && !find(view, "11:00"))
        return click(more);
    if (more)
        return find(view, "Pause")
                   ? click(find(view, "Pause"))
                   : (struct solver_action){.kind = SOLVER_COMPLETE};
    if (!find(view, "1"))
        return click(find(view, "Timer"));
    if (number_before(view, "m") == 10)
        return click(find(view, "Start"));
    if (number_before(view, "s") == 10)
        return click(find(view, "00"));
    return click(find(view, number_before(view, "s") == 1 ? "0" : "1"));
}

static bool is_sorted(const struct view *view)
{
    double last = 0;

    for (size_t i = 0; i < view->count; i++) {
        double price;

        if (view->items[i].name[0] != '$')
            continue;
        price = strtod(view->items[i].name + 1, NULL);
        if (price < last)
            return false;
        last = price;
    }
    return true;
}

static const struct item *find_product(const struct view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        if (strcasestr(view->items[i].name, "headphones") &&
            strcmp(view->items[i].name, "headphones") != 0)
            return &view->items[i];
    }
    return NULL;
}

static struct solver_action do_shop(const struct view *view)
{
    struct solver_action action = {.kind = SOLVER_TYPE, .text = "headphones"};

    if (find(view, "Buy now"))
        return (struct solver_action){.kind = SOLVER_COMPLETE};
    if (find(view, "Price: low to high"))
        return click(find(view, "Price: low to high"));
    if (find(view, "Sort"))
        return click(is_sorted(view) ? find_product(view) : find(view, "Sort"));
    if (find(view, "Recommended for you"))
        return click(find(view, "Search products"));
    if (find(view, "headphones"))
        action.kind = SOLVER_ENTER;
    return action;
}

static struct solver_action decide(const struct view *view)
{
    const char *text = buf_cstr(&view->text);

    if (strstr(text, "dark theme, and leave"))
        return do_settings(view);
    if (strstr(text, "timer of 10 minutes"))
        return do_timer(view);
    if (strstr(text, "Search the shop for headphones"))
        return do_shop(view);
    return (struct solver_action){.kind = SOLVER_LOST};
}

/* ---- replying ---- */

static void speak_plainly(const struct solver_action *action, struct buf *reply)
{
    switch (action->kind) {
    case SOLVER_CLICK:
        buf_printf(reply, "Action: Click(%.0f, %.0f)", action->x, action->y);
        return;
    case SOLVER_TYPE:
        buf_printf(reply, "Action: Type(\"%s\")", action->text);
        return;
    case SOLVER_ENTER:
        buf_text(reply, "Action: Enter()");
        return;
    case SOLVER_COMPLETE:
        buf_text(reply, "Action: Complete()");
        return;
    case SOLVER_LOST:
        buf_text(reply, "Action: Fail(\"what is this?\")");
        return;
    }
}

static void speak_as_tars(const struct solver_action *action, struct buf *reply)
{
    buf_text(reply, "Thought: I go on.\nAction: ");
    if (action->kind == SOLVER_CLICK)
        buf_printf(reply, "click(start_box='(%.0f,%.0f)')", action->x,
                   action->y);
    else if (action->kind == SOLVER_TYPE)
        buf_printf(reply, "type(content='%s')", action->text);
    else if (action->kind == SOLVER_ENTER)
        buf_text(reply, "press_enter()");
    else
        buf_text(reply, "finished(content='')");
}

static void speak_as_qwen(const struct solver_action *action, struct buf *reply)
{
    buf_text(reply,
             "Thought: I go on.\nAction: \"next\"\n<tool_call>\n{\"name\""
             ": \"mobile_use\", \"arguments\": {\"action\": ");
    if (action->kind == SOLVER_CLICK)
        buf_printf(reply, "\"click\", \"coordinate\": [%.0f, %.0f]", action->x,
                   action->y);
    else if (action->kind == SOLVER_TYPE)
        buf_printf(reply, "\"type\", \"text\": \"%s\"", action->text);
    else if (action->kind == SOLVER_ENTER)
        buf_text(reply, "\"system_button\", \"button\": \"Enter\"");
    else
        buf_text(reply, "\"terminate\", \"status\": \"success\"");
    buf_text(reply, "}}\n</tool_call>");
}

static void add_point(struct cJSON *input, const struct solver_action *action)
{
    struct cJSON *point = json_add_array(input, "coordinate");

    json_add_int(point, NULL, (int64_t)(action->x + 0.5));
    json_add_int(point, NULL, (int64_t)(action->y + 0.5));
}

/* A tool call in the format of Anthropic's service. */
static struct cJSON *speak_as_claude(const struct solver_action *action,
                                     int number)
{
    struct cJSON *root = json_new_object();
    struct cJSON *block =
        json_add_object(json_add_array(root, "content"), NULL);
    struct cJSON *input;
    char id[32];

    snprintf(id, sizeof(id), "toolu_%d", number);
    json_add_string(block, "type", "tool_use");
    json_add_string(block, "id", id);
    json_add_string(block, "name",
                    action->kind >= SOLVER_COMPLETE ? "phone" : "computer");
    input = json_add_object(block, "input");
    if (action->kind == SOLVER_CLICK) {
        json_add_string(input, "action", "left_click");
        add_point(input, action);
    } else if (action->kind == SOLVER_TYPE) {
        json_add_string(input, "action", "type");
        json_add_string(input, "text", action->text);
    } else if (action->kind == SOLVER_ENTER) {
        json_add_string(input, "action", "key");
        json_add_string(input, "text", "Return");
    } else {
        json_add_string(input, "action", "complete");
    }
    json_add_string(root, "model", "claude-solver-1");
    json_add_string(root, "stop_reason", "tool_use");
    return root;
}

/* The reply also contains the key it was given, which must not be stored. */
static struct cJSON *speak_in_chat(const char *model,
                                   const struct solver_action *action,
                                   const char *key)
{
    struct cJSON *root = json_new_object();
    struct cJSON *choice =
        json_add_object(json_add_array(root, "choices"), NULL);
    struct cJSON *message = json_add_object(choice, "message");
    struct buf reply = BUF_INIT(TEXT_MAX);
    struct cJSON *usage;

    buf_printf(&reply, "You said %s.\n", key ? key : "nothing");
    if (strstr(model, "tars"))
        speak_as_tars(action, &reply);
    else if (strstr(model, "qwen"))
        speak_as_qwen(action, &reply);
    else
        speak_plainly(action, &reply);
    json_add_string(message, "role", "assistant");
    json_add_string(message, "content", buf_cstr(&reply));
    json_add_string(choice, "finish_reason", "stop");
    json_add_string(root, "model", model);
    usage = json_add_object(root, "usage");
    json_add_int(usage, "prompt_tokens", 1000);
    json_add_int(usage, "completion_tokens", 20);
    buf_release(&reply);
    return root;
}

void solver_model_answer(void *context, const struct model_question *question,
                         struct model_answer *answer)
{
    struct solver_model *solver_model = context;
    struct view view = {.text = BUF_INIT(TEXT_MAX)};
    struct cJSON *root = NULL;
    struct cJSON *reply;
    struct err err = ERR_INIT;
    struct solver_action action;
    const struct cJSON *model;
    const char *key = model_question_header(question, "Authorization");

    if (!json_parse(question->body, question->size, &root, &err)) {
        answer->status = 400;
        return;
    }
    read_value(root, &view);
    model = cJSON_GetObjectItemCaseSensitive(root, "model");
    read_items(&view);
    action = decide(&view);
    pthread_mutex_lock(&solver_model->lock);
    solver_model->pictures += view.seen;
    if (action.kind == SOLVER_LOST && !solver_model->problem[0])
        snprintf(solver_model->problem, sizeof(solver_model->problem),
                 "%zu items: %.200s", view.count,
                 view.count ? view.items[0].name : "");
    pthread_mutex_unlock(&solver_model->lock);
    reply = strstr(question->path, "/messages")
                ? speak_as_claude(&action, question->number)
                : speak_in_chat(cJSON_GetStringValue(model), &action, key);
    answer->body = cJSON_PrintUnformatted(reply);
    cJSON_Delete(reply);
    cJSON_Delete(root);
    buf_release(&view.text);
}
