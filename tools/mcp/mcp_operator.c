#include "tools/mcp/mcp_operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/base64.h"
#include "base/mem.h"
#include "runner/prompt/model_image.h"

#define PICTURE_SIDE 1280
#define PICTURE_QUALITY 80
#define TEXT_MAX ((size_t)256 * 1024)
#define COMMAND_MAX ((size_t)16 * 1024)
#define OUTPUT_MAX ((size_t)256 * 1024)

/* The state of one call. */
struct mcp_operation {
    struct mcp_operator *op;
    const struct mcp_call *call;
    const struct cancel *cancel;
    struct cJSON *content; /* of the result */
    bool error;
};

void mcp_operator_init(struct mcp_operator *op, struct mcp_phone *phone)
{
    *op = (struct mcp_operator){.phone = phone, .listed = ELEMENT_LIST_INIT};
}

void mcp_operator_release(struct mcp_operator *op)
{
    element_list_release(&op->listed);
}

/* ---- results ---- */

static void add_text(struct cJSON *content, const char *text)
{
    struct cJSON *item = json_add_object(content, NULL);

    json_add_string(item, "type", "text");
    json_add_string(item, "text", text);
}

static void add_image(struct cJSON *content, const struct model_image *image)
{
    struct cJSON *item = json_add_object(content, NULL);
    struct buf letters = BUF_INIT(base64_size(image->length) + 1);

    base64_append(image->bytes, image->length, &letters);
    json_add_string(item, "type", "image");
    json_add_string(item, "data", buf_cstr(&letters));
    json_add_string(item, "mimeType", image->type);
    buf_release(&letters);
}

static struct cJSON *result_of(struct cJSON *content, bool error)
{
    struct cJSON *result = json_new_object();

    cJSON_AddItemToObject(result, "content", content);
    json_add_bool(result, "isError", error);
    return result;
}

struct cJSON *mcp_operator_error(const char *text)
{
    struct cJSON *content = json_new_array();

    add_text(content, text);
    return result_of(content, true);
}

static void fail(struct mcp_operation *operation, const char *text)
{
    operation->error = true;
    add_text(operation->content, text);
}

/* ---- looking ---- */

static bool look(struct mcp_operation *operation,
                 const struct observation **seen, struct err *err)
{
    struct mcp_operator *op = operation->op;

    if (!op->phone->ops->look(op->phone, operation->cancel, seen, err))
        return false;
    op->last_hash = (*seen)->screen_hash;
    return true;
}

static int longer_side(const struct mcp_call *call, struct extent screen)
{
    int side = screen.width > screen.height ? screen.width : screen.height;
    int wanted = call->max_size ? call->max_size : PICTURE_SIDE;

    if (!call->max_size && call->scale > 0)
        wanted = (int)(call->scale * side);
    if (wanted > side)
        return side;
    return wanted > 0 ? wanted : 1;
}

static void add_scale(struct mcp_operation *operation, struct extent picture,
                      struct extent screen)
{
    char text[256];

    if (picture.width == screen.width)
        snprintf(text, sizeof(text),
                 "The picture is as large as the screen: %dx%d pixels.",
                 screen.width, screen.height);
    else
        snprintf(text, sizeof(text),
                 "The picture has %dx%d pixels, the screen %dx%d. Tools take "
                 "pixels of the screen: multiply positions in the picture by "
                 "%.4f.",
                 picture.width, picture.height, screen.width, screen.height,
                 (double)screen.width / picture.width);
    add_text(operation->content, text);
}

static bool add_screenshot(struct mcp_operation *operation,
                           const struct observation *seen, struct err *err)
{
    const struct mcp_call *call = operation->call;
    const struct profile_picture wanted = {
        .max_side = longer_side(call, seen->screen),
        .format = call->png ? PROFILE_PNG : PROFILE_JPEG,
        .quality = PICTURE_QUALITY,
    };
    struct model_image image = MODEL_IMAGE_INIT;

    if (!model_image_make(NULL, &wanted, &seen->png, seen->screen, NULL, &image,
                          err))
        return false;
    add_scale(operation, image.size, seen->screen);
    add_image(operation->content, &image);
    model_image_release(&image);
    return true;
}

static bool take_screenshot(struct mcp_operation *operation, struct err *err)
{
    const struct observation *seen;

    return look(operation, &seen, err) && add_screenshot(operation, seen, err);
}

/* ---- elements ---- */

static void write_elements(const struct element_list *elements,
                           const char *prefix, struct buf *text)
{
    for (size_t i = 0; i < elements->count; i++) {
        const struct screen_element *element = &elements->items[i];

        buf_printf(text, "%s%s%zu %s%s'%s' (%d,%d)-(%d,%d)%s%s", i ? "\n" : "",
                   prefix, i + 1, element->role, element->role[0] ? " " : "",
                   element->name.text, element->box.left, element->box.top,
                   element->box.right, element->box.bottom,
                   element->flags & NODE_CHECKED ? " checked" : "",
                   element->flags & NODE_FOCUSED ? " focused" : "");
    }
}

static void write_elements_json(const struct element_list *elements,
                                struct buf *text)
{
    struct cJSON *array = json_new_array();

    for (size_t i = 0; i < elements->count; i++) {
        const struct screen_element *element = &elements->items[i];
        const struct box box = element->box;
        struct cJSON *item = json_add_object(array, NULL);
        struct cJSON *place;
        char ref[16];

        snprintf(ref, sizeof(ref), "@e%zu", i + 1);
        json_add_string(item, "ref", ref);
        json_add_string(item, "type", element->role);
        json_add_string(item, "text", element->name.text);
        place = json_add_object(item, "coordinates");
        json_add_int(place, "x", box.left);
        json_add_int(place, "y", box.top);
        json_add_int(place, "width", box.right - box.left);
        json_add_int(place, "height", box.bottom - box.top);
    }
    json_format(array, text);
    cJSON_Delete(array);
}

static bool list_elements(struct mcp_operation *operation, struct err *err)
{
    struct mcp_operator *op = operation->op;
    const struct observation *seen;
    struct buf text = BUF_INIT(TEXT_MAX);

    if (!look(operation, &seen, err))
        return false;
    if (!seen->has_tree)
        return err_set(err, ERR_UNSUPPORTED,
                       "the phone gives no UI tree of this screen: take a "
                       "screenshot");
    element_list_release(&op->listed);
    element_list_build(&seen->tree, &op->listed);
    op->listed_hash = seen->screen_hash;
    if (operation->call->json)
        write_elements_json(&op->listed, &text);
    else
        write_elements(&op->listed, operation->call->tool.alias ? "@e" : "",
                       &text);
    add_text(operation->content,
             text.length ? buf_cstr(&text) : "no elements are on the screen");
    buf_release(&text);
    return true;
}

/* The point of an element by its number in the list that the client has. */
static bool resolve_index(const struct mcp_operator *op, struct action *action,
                          struct err *err)
{
    if (!action->has_index || action->has_from)
        return true;
    if (!op->listed.count)
        return err_set(err, ERR_INVALID,
                       "index: list the elements of the screen first");
    if (op->last_hash != op->listed_hash)
        return err_set(err, ERR_INVALID,
                       "index: the screen has changed since its elements were "
                       "listed; list them again");
    action->has_from =
        element_list_point(&op->listed, action->index, &action->from);
    return action->has_from || err_set(err, ERR_INVALID,
                                       "there is no element %d: the list has "
                                       "%zu",
                                       action->index, op->listed.count);
}

/* ---- acting ---- */

/* A distance makes the direction a second point. */
static void resolve_distance(int distance, struct action *action)
{
    static const struct action_point ways[ACTION_DIRECTIONS] = {
        [DIRECTION_UP] = {0, -1},
        [DIRECTION_DOWN] = {0, 1},
        [DIRECTION_LEFT] = {-1, 0},
        [DIRECTION_RIGHT] = {1, 0},
    };
    const struct action_point way = ways[action->direction];

    if (!distance || !action->has_from || action->has_to)
        return;
    action->has_to = true;
    action->to.x = action->from.x + way.x * distance;
    action->to.y = action->from.y + way.y * distance;
    action->direction = DIRECTION_NONE;
}

static bool carry_out(struct mcp_operation *operation,
                      const struct action *action, struct err *err)
{
    struct mcp_operator *op = operation->op;
    struct mcp_outcome outcome = {.text = BUF_INIT(TEXT_MAX)};
    bool done = op->phone->ops->act(op->phone, action, operation->call->said,
                                    operation->cancel, &outcome, err);

    if (done) {
        add_text(operation->content, buf_cstr(&outcome.text));
        operation->error =
            outcome.refused ||
            (outcome.over && !action_table_kind(action->kind)->ends);
        op->last_hash = outcome.seen ? outcome.seen->screen_hash : 0;
    }
    buf_release(&outcome.text);
    return done && (!operation->call->screenshot || !outcome.seen ||
                    add_screenshot(operation, outcome.seen, err));
}

static bool act(struct mcp_operation *operation, struct err *err)
{
    struct action action = operation->call->action; /* its text is borrowed */

    resolve_distance(operation->call->distance, &action);
    return resolve_index(operation->op, &action, err) &&
           carry_out(operation, &action, err);
}

/* The allowed actions are known once the screen was seen. */
static bool takes_answer(struct mcp_operation *operation, bool *takes,
                         struct err *err)
{
    struct mcp_phone *phone = operation->op->phone;
    const struct observation *seen;

    *takes = false;
    if (!phone->ops->answers)
        return true;
    if (!look(operation, &seen, err))
        return false;
    *takes = phone->ops->answers(phone);
    return true;
}

static bool finish(struct mcp_operation *operation, struct err *err)
{
    struct action action = operation->call->action;
    bool takes;

    if (!takes_answer(operation, &takes, err))
        return false;
    if (operation->call->failed)
        action.kind = ACTION_FAIL;
    else if (action.text && takes)
        action.kind = ACTION_ANSWER;
    return carry_out(operation, &action, err);
}

/* ---- facts ---- */

/* The phone of an episode is known once it was seen. */
static bool list_phones(struct mcp_operation *operation, struct err *err)
{
    const struct mcp_phone *phone = operation->op->phone;
    const struct observation *seen;
    struct cJSON *root, *item;
    struct buf text = BUF_INIT(TEXT_MAX);

    if (!phone->serial[0] && !look(operation, &seen, err))
        return false;
    root = json_new_object();
    item = json_add_object(json_add_array(root, "devices"), NULL);
    json_add_string(item, "id", phone->serial);
    json_add_string(item, "name", phone->facts.model);
    json_add_string(item, "platform", "android");
    json_add_string(item, "type", phone->facts.builtin ? "emulator" : "real");
    json_add_string(item, "version", phone->facts.android);
    json_add_string(item, "state", "online");
    json_add_bool(item, "guarded", phone->guarded);
    json_format(root, &text);
    add_text(operation->content, buf_cstr(&text));
    buf_release(&text);
    cJSON_Delete(root);
    return true;
}

static bool get_task(struct mcp_operation *operation, struct err *err)
{
    struct mcp_phone *phone = operation->op->phone;
    struct buf text = BUF_INIT(TEXT_MAX);
    bool done = phone->ops->task(phone, operation->cancel, &text, err);

    if (done)
        add_text(operation->content, buf_cstr(&text));
    buf_release(&text);
    return done;
}

static bool command(struct mcp_operation *operation, const char *line,
                    struct buf *output, struct err *err)
{
    struct mcp_phone *phone = operation->op->phone;

    return phone->ops->command(phone, line, operation->cancel, output, err);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "package:NAME" on each line. */
static void write_packages(const char *output, struct buf *text)
{
    struct text_list names = {.items = NULL};

    for (const char *line = output; *line;) {
        size_t length = strcspn(line, "\r\n");
        char name[MCP_PACKAGE_MAX];

        if (!strncmp(line, "package:", 8) && length > 8 &&
            length - 8 < sizeof(name)) {
            memcpy(name, line + 8, length - 8);
            name[length - 8] = '\0';
            text_list_add(&names, name);
        }
        line += length;
        line += strspn(line, "\r\n");
    }
    if (names.count)
        qsort(names.items, names.count, sizeof(*names.items), compare_names);
    for (size_t i = 0; i < names.count; i++)
        buf_printf(text, "%s%s", i ? "\n" : "", names.items[i]);
    text_list_release(&names);
}

static bool list_apps(struct mcp_operation *operation, struct err *err)
{
    struct buf output = BUF_INIT(OUTPUT_MAX);
    struct buf text = BUF_INIT(OUTPUT_MAX);
    bool done = command(operation, "pm list packages", &output, err);

    if (done) {
        write_packages(buf_cstr(&output), &text);
        add_text(operation->content, buf_cstr(&text));
    }
    buf_release(&output);
    buf_release(&text);
    return done;
}

static bool tell_screen(struct mcp_operation *operation, struct err *err)
{
    const struct observation *seen;
    char text[OBSERVATION_NAME_MAX + 64];

    if (!look(operation, &seen, err))
        return false;
    if (operation->call->tool.kind == MCP_TOOL_SCREEN_SIZE)
        snprintf(text, sizeof(text), "Screen size is %dx%d pixels",
                 seen->screen.width, seen->screen.height);
    else if (operation->call->tool.kind == MCP_TOOL_ORIENTATION)
        snprintf(text, sizeof(text), "Current device orientation is %s",
                 seen->screen.width > seen->screen.height ? "landscape"
                                                          : "portrait");
    else
        snprintf(text, sizeof(text), "Foreground app: %s",
                 seen->package[0] ? seen->package : "unknown");
    add_text(operation->content, text);
    return true;
}

/* ---- commands ---- */

/* On the user's own phone the guard cannot know what would happen. */
static bool may_command(const struct mcp_operation *operation, struct err *err)
{
    return !operation->op->phone->guarded ||
           err_set(err, ERR_DENIED, "%s is not allowed on the user's own phone",
                   operation->call->tool.name);
}

static bool run_quoted(struct mcp_operation *operation, const char *line,
                       const char *word, const char *done_text, struct err *err)
{
    struct buf text = BUF_INIT(COMMAND_MAX);
    struct buf output = BUF_INIT(OUTPUT_MAX);
    bool done;

    buf_printf(&text, "%s ", line);
    shell_quote(&text, word);
    done = may_command(operation, err) &&
           command(operation, buf_cstr(&text), &output, err);
    if (done) {
        buf_clear(&text);
        buf_printf(&text, "%s %s", done_text, word);
        add_text(operation->content, buf_cstr(&text));
    }
    buf_release(&text);
    buf_release(&output);
    return done;
}

/* ---- all of them ---- */

static bool operate(struct mcp_operation *operation, struct err *err)
{
    switch (operation->call->tool.kind) {
    case MCP_TOOL_LIST_PHONES:
        return list_phones(operation, err);
    case MCP_TOOL_GET_TASK:
        return get_task(operation, err);
    case MCP_TOOL_SCREENSHOT:
        return take_screenshot(operation, err);
    case MCP_TOOL_LIST_ELEMENTS:
        return list_elements(operation, err);
    case MCP_TOOL_LIST_APPS:
        return list_apps(operation, err);
    case MCP_TOOL_SCREEN_SIZE:
    case MCP_TOOL_ORIENTATION:
    case MCP_TOOL_FRONT_APP:
        return tell_screen(operation, err);
    case MCP_TOOL_ACTION:
    case MCP_TOOL_PRESS_KEY:
        return act(operation, err);
    case MCP_TOOL_TERMINATE:
        return run_quoted(operation, "am force-stop", operation->call->package,
                          "stopped", err);
    case MCP_TOOL_OPEN_URL:
        return run_quoted(operation,
                          "am start -a android.intent.action.VIEW -d",
                          operation->call->url, "opened", err);
    case MCP_TOOL_FINISH:
        return finish(operation, err);
    }
    return false;
}

/* Clients of mobile-mcp name the phone in each call. */
static bool check_device(const struct mcp_operation *operation, struct err *err)
{
    const char *device = operation->call->device;
    const char *serial = operation->op->phone->serial;

    return !device || !serial[0] || !strcmp(device, serial) ||
           err_set(err, ERR_NOT_FOUND,
                   "there is no phone \"%.60s\"; this server uses \"%s\"",
                   device, serial);
}

struct cJSON *mcp_operator_call(struct mcp_operator *op,
                                const struct mcp_call *call,
                                const struct cancel *cancel)
{
    struct mcp_operation operation = {
        .op = op,
        .call = call,
        .cancel = cancel,
        .content = json_new_array(),
    };
    struct err err = ERR_INIT;

    if (!check_device(&operation, &err) || !operate(&operation, &err)) {
        if (err.code == ERR_CANCELLED) {
            cJSON_Delete(operation.content);
            return NULL;
        }
        fail(&operation, err.text);
    }
    return result_of(operation.content, operation.error);
}
