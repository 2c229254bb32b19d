#include "tools/mcp/mcp_tool.h"

#include <string.h>

#include "base/macros.h"
#include "tasks/task/action_schema.h"
#include "tasks/task/action_set.h"

#define SUMMARY_MAX 1024

/* ---- parameters ---- */

#define END                                                                    \
    {                                                                          \
        .name = NULL                                                           \
    }

static const char *const formats[] = {"jpeg", "png", NULL};
static const char *const element_formats[] = {"text", "json", NULL};
static const char *const directions[] = {"up", "down", "left", "right", NULL};

/* What every tool that acts has beside the members of its action. */
static const struct mcp_parameter with_screenshot = {
    .name = "screenshot",
    .type = MCP_BOOLEAN,
    .summary = "true: the answer has a screenshot of the new screen"};

static const struct mcp_parameter screenshot_parameters[] = {
    {.name = "max_size",
     .type = MCP_INTEGER,
     .summary = "the longer side of the picture, in pixels (1280)"},
    {.name = "format",
     .type = MCP_STRING,
     .choices = formats,
     .summary = "jpeg by default"},
    END,
};

static const struct mcp_parameter finish_parameters[] = {
    {.name = "answer",
     .type = MCP_STRING,
     .summary = "the answer, if the task asks for one; otherwise what was done",
     .member = "text"},
    {.name = "success",
     .type = MCP_BOOLEAN,
     .summary = "false: the task could not be done"},
    END,
};

/* ---- parameters of mobile-mcp ---- */

#define DEVICE                                                                 \
    {                                                                          \
        .name = "device", .type = MCP_STRING,                                  \
        .summary = "the phone, as mobile_list_available_devices names it"      \
    }
#define POINT_PART(name_, required_)                                           \
    {                                                                          \
        .name = #name_, .type = MCP_NUMBER, .required = (required_),           \
        .summary = "in pixels of the screen", .member = #name_                 \
    }

static const struct mcp_parameter device_parameters[] = {DEVICE, END};

static const struct mcp_parameter mobile_screenshot[] = {
    DEVICE,
    {.name = "maxSize",
     .type = MCP_INTEGER,
     .summary = "the longer side of the picture, in pixels (1280)"},
    {.name = "scale",
     .type = MCP_NUMBER,
     .summary = "size of the picture relative to the screen, up to 1"},
    END,
};

static const struct mcp_parameter mobile_elements[] = {
    DEVICE,
    {.name = "format",
     .type = MCP_STRING,
     .choices = element_formats,
     .summary = "text (the default) or json"},
    END,
};

static const struct mcp_parameter mobile_click[] = {
    DEVICE,
    POINT_PART(x, false),
    POINT_PART(y, false),
    {.name = "ref",
     .type = MCP_STRING,
     .summary = "an element of the last list, such as @e5, instead of x and y"},
    END,
};

static const struct mcp_parameter mobile_point[] = {DEVICE, POINT_PART(x, true),
                                                    POINT_PART(y, true), END};

static const struct mcp_parameter mobile_long_press[] = {
    DEVICE,
    POINT_PART(x, true),
    POINT_PART(y, true),
    {.name = "duration",
     .type = MCP_NUMBER,
     .summary = "in milliseconds",
     .member = "milliseconds"},
    END,
};

static const struct mcp_parameter mobile_swipe[] = {
    DEVICE,
    {.name = "direction",
     .type = MCP_STRING,
     .required = true,
     .choices = directions,
     .summary = "the direction of the finger",
     .member = "direction"},
    POINT_PART(x, false),
    POINT_PART(y, false),
    {.name = "distance",
     .type = MCP_NUMBER,
     .summary = "in pixels; only with x and y"},
    END,
};

static const struct mcp_parameter mobile_type[] = {
    DEVICE,
    {.name = "text",
     .type = MCP_STRING,
     .required = true,
     .summary = "the text to type",
     .member = "text"},
    {.name = "submit",
     .type = MCP_BOOLEAN,
     .summary = "true: Enter is pressed after the text",
     .member = "submit"},
    END,
};

static const struct mcp_parameter mobile_button[] = {
    DEVICE,
    {.name = "button",
     .type = MCP_STRING,
     .required = true,
     .summary = "BACK, HOME, ENTER, VOLUME_UP, VOLUME_DOWN, DPAD_UP, …"},
    END,
};

static const struct mcp_parameter mobile_launch[] = {
    DEVICE,
    {.name = "packageName",
     .type = MCP_STRING,
     .required = true,
     .summary = "the package of the app",
     .member = "text"},
    END,
};

static const struct mcp_parameter mobile_terminate[] = {
    DEVICE,
    {.name = "packageName",
     .type = MCP_STRING,
     .required = true,
     .summary = "the package of the app"},
    END,
};

static const struct mcp_parameter mobile_url[] = {
    DEVICE,
    {.name = "url",
     .type = MCP_STRING,
     .required = true,
     .summary = "an http or https address"},
    END,
};

/* ---- the tools ---- */

/* Before and after those of the table of actions. */
static const struct mcp_tool first_tools[] = {
    {.name = "list_phones",
     .title = "List phones",
     .kind = MCP_TOOL_LIST_PHONES,
     .summary = "The phone that this server uses: its name, model and Android "
                "version."},
    {.name = "get_task",
     .title = "Get the task",
     .kind = MCP_TOOL_GET_TASK,
     .only_task = true,
     .summary = "What is to be done on the phone, how many steps are left, and "
                "which actions are allowed. Call it first."},
    {.name = "screenshot",
     .title = "Screenshot",
     .kind = MCP_TOOL_SCREENSHOT,
     .parameters = screenshot_parameters,
     .summary = "A picture of the screen. It is usually smaller than the "
                "screen; the answer says how to convert its positions."},
    {.name = "list_elements",
     .title = "List elements",
     .kind = MCP_TOOL_LIST_ELEMENTS,
     .summary = "The elements of the screen with their numbers, roles, names "
                "and places. Other tools take the number as index."},
    {.name = "list_apps",
     .title = "List apps",
     .kind = MCP_TOOL_LIST_APPS,
     .summary = "The packages of the apps that are installed."},
};

static const struct mcp_tool press_key = {.name = "press_key",
                                          .title = "Press a key",
                                          .kind = MCP_TOOL_PRESS_KEY,
                                          .summary =
                                              "Press one of the phone's keys."};

static const struct mcp_tool finish = {
    .name = "finish",
    .title = "Finish",
    .kind = MCP_TOOL_FINISH,
    .parameters = finish_parameters,
    .summary = "The task is over: it is done, or cannot be done. Give the "
               "answer if the task asks for one."};

static const struct mcp_tool aliases[] = {
    {.name = "mobile_list_available_devices",
     .title = "List devices",
     .kind = MCP_TOOL_LIST_PHONES,
     .alias = true,
     .summary = "As list_phones."},
    {.name = "mobile_list_apps",
     .title = "List apps",
     .kind = MCP_TOOL_LIST_APPS,
     .alias = true,
     .parameters = device_parameters,
     .summary = "As list_apps."},
    {.name = "mobile_get_foreground_app",
     .title = "Get foreground app",
     .kind = MCP_TOOL_FRONT_APP,
     .alias = true,
     .parameters = device_parameters,
     .summary = "The package of the app in front."},
    {.name = "mobile_launch_app",
     .title = "Launch app",
     .kind = MCP_TOOL_ACTION,
     .action = ACTION_OPEN_APP,
     .alias = true,
     .parameters = mobile_launch,
     .summary = "As open_app."},
    {.name = "mobile_terminate_app",
     .title = "Terminate app",
     .kind = MCP_TOOL_TERMINATE,
     .alias = true,
     .never_task = true,
     .parameters = mobile_terminate,
     .summary = "Stop an app."},
    {.name = "mobile_get_screen_size",
     .title = "Get screen size",
     .kind = MCP_TOOL_SCREEN_SIZE,
     .alias = true,
     .parameters = device_parameters,
     .summary = "The size of the screen in pixels."},
    {.name = "mobile_get_orientation",
     .title = "Get orientation",
     .kind = MCP_TOOL_ORIENTATION,
     .alias = true,
     .parameters = device_parameters,
     .summary = "portrait or landscape."},
    {.name = "mobile_click_on_screen_at_coordinates",
     .title = "Click screen",
     .kind = MCP_TOOL_ACTION,
     .action = ACTION_CLICK,
     .alias = true,
     .parameters = mobile_click,
     .summary = "As tap."},
    {.name = "mobile_double_tap_on_screen",
     .title = "Double tap screen",
     .kind = MCP_TOOL_ACTION,
     .action = ACTION_DOUBLE_TAP,
     .alias = true,
     .parameters = mobile_point,
     .summary = "As double_tap."},
    {.name = "mobile_long_press_on_screen_at_coordinates",
     .title = "Long press screen",
     .kind = MCP_TOOL_ACTION,
     .action = ACTION_LONG_PRESS,
     .alias = true,
     .parameters = mobile_long_press,
     .summary = "As long_press."},
    {.name = "mobile_list_elements_on_screen",
     .title = "List screen elements",
     .kind = MCP_TOOL_LIST_ELEMENTS,
     .alias = true,
     .parameters = mobile_elements,
     .summary = "As list_elements; the ref of an element is @e and its "
                "number."},
    {.name = "mobile_press_button",
     .title = "Press button",
     .kind = MCP_TOOL_PRESS_KEY,
     .alias = true,
     .parameters = mobile_button,
     .summary = "As press_key."},
    {.name = "mobile_open_url",
     .title = "Open URL",
     .kind = MCP_TOOL_OPEN_URL,
     .alias = true,
     .never_task = true,
     .parameters = mobile_url,
     .summary = "Open an address in the browser."},
    {.name = "mobile_swipe_on_screen",
     .title = "Swipe screen",
     .kind = MCP_TOOL_ACTION,
     .action = ACTION_SWIPE,
     .alias = true,
     .parameters = mobile_swipe,
     .summary = "As swipe."},
    {.name = "mobile_type_keys",
     .title = "Type text",
     .kind = MCP_TOOL_ACTION,
     .action = ACTION_TYPE,
     .alias = true,
     .parameters = mobile_type,
     .summary = "As type, into the field with the focus."},
    {.name = "mobile_take_screenshot",
     .title = "Take screenshot",
     .kind = MCP_TOOL_SCREENSHOT,
     .alias = true,
     .parameters = mobile_screenshot,
     .summary = "As screenshot."},
};

/* ---- actions ---- */

bool mcp_tool_is_key(enum action_kind kind)
{
    return action_is_on_phone(kind) && !action_table_members(kind);
}

/* No user answers questions: the client has its own. */
bool mcp_tool_is_action(enum action_kind kind)
{
    return (ACTION_SET_DEFAULT & ACTION_BIT(kind)) &&
           !action_table_kind(kind)->ends && !mcp_tool_is_key(kind);
}

const char *mcp_tool_action_name(enum action_kind kind)
{
    return kind == ACTION_CLICK ? "tap" : action_kind_name(kind);
}

static struct mcp_tool action_tool(enum action_kind kind)
{
    return (struct mcp_tool){
        .name = mcp_tool_action_name(kind),
        .kind = MCP_TOOL_ACTION,
        .action = kind,
    };
}

/* ---- finding ---- */

/* The tool at this place of all there may be; false: there are no more. */
static bool tool_at(size_t place, struct mcp_tool *tool)
{
    if (place < ARRAY_LEN(first_tools)) {
        *tool = first_tools[place];
        return true;
    }
    place -= ARRAY_LEN(first_tools);
    for (int i = 0; i < ACTION_KINDS; i++) {
        if (mcp_tool_is_action((enum action_kind)i) && !place--) {
            *tool = action_tool((enum action_kind)i);
            return true;
        }
    }
    if (place < 2) {
        *tool = place ? finish : press_key;
        return true;
    }
    place -= 2;
    if (place >= ARRAY_LEN(aliases))
        return false;
    *tool = aliases[place];
    return true;
}

static bool is_in(struct mcp_tool_set set, const struct mcp_tool *tool)
{
    return set.task ? !tool->never_task : !tool->only_task;
}

bool mcp_tool_find(struct mcp_tool_set set, const char *name,
                   struct mcp_tool *tool)
{
    struct mcp_tool found;

    for (size_t i = 0; tool_at(i, &found); i++) {
        if (is_in(set, &found) && !strcmp(found.name, name)) {
            *tool = found;
            return true;
        }
    }
    return false;
}

/* ---- schemas ---- */

static void add_parameter(struct cJSON *properties,
                          const struct mcp_parameter *parameter)
{
    static const char *const types[] = {
        [MCP_INTEGER] = "integer",
        [MCP_NUMBER] = "number",
        [MCP_STRING] = "string",
        [MCP_BOOLEAN] = "boolean",
    };
    struct cJSON *schema = json_add_object(properties, parameter->name);
    struct cJSON *choices;

    json_add_string(schema, "type", types[parameter->type]);
    json_add_string(schema, "description", parameter->summary);
    if (!parameter->choices)
        return;
    choices = json_add_array(schema, "enum");
    for (size_t i = 0; parameter->choices[i]; i++)
        json_add_string(choices, NULL, parameter->choices[i]);
}

static void add_parameters(struct cJSON *tool_json,
                           const struct mcp_parameter *parameters)
{
    struct cJSON *schema = json_add_object(tool_json, "inputSchema");
    struct cJSON *properties, *required = NULL;

    json_add_string(schema, "type", "object");
    properties = json_add_object(schema, "properties");
    for (size_t i = 0; parameters && parameters[i].name; i++) {
        add_parameter(properties, &parameters[i]);
        if (!parameters[i].required)
            continue;
        if (!required)
            required = json_add_array(schema, "required");
        json_add_string(required, NULL, parameters[i].name);
    }
}

static struct cJSON *properties_of(struct cJSON *tool_json)
{
    return cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(tool_json, "inputSchema"),
        "properties");
}

/* press_key has the names of the actions that are keys. */
static void add_keys(struct cJSON *tool_json)
{
    struct cJSON *schema = json_add_object(tool_json, "inputSchema");
    struct cJSON *key, *names;

    json_add_string(schema, "type", "object");
    key = json_add_object(json_add_object(schema, "properties"), "key");
    json_add_string(key, "type", "string");
    names = json_add_array(key, "enum");
    for (int i = 0; i < ACTION_KINDS; i++) {
        if (mcp_tool_is_key((enum action_kind)i))
            json_add_string(names, NULL, action_kind_name((enum action_kind)i));
    }
    json_add_string(json_add_array(schema, "required"), NULL, "key");
}

static bool acts(const struct mcp_tool *tool)
{
    return tool->kind == MCP_TOOL_ACTION || tool->kind == MCP_TOOL_PRESS_KEY;
}

static void add_schema(struct cJSON *tool_json, const struct mcp_tool *tool)
{
    if (!acts(tool) || tool->alias) {
        add_parameters(tool_json, tool->parameters);
        return;
    }
    if (tool->kind == MCP_TOOL_ACTION)
        action_schema_add(tool_json, "inputSchema", tool->action);
    else
        add_keys(tool_json);
    add_parameter(properties_of(tool_json), &with_screenshot);
}

/* ---- listing ---- */

/* Hints for clients that ask their user before a tool changes something. */
static void add_annotations(struct cJSON *tool_json,
                            const struct mcp_tool *tool)
{
    struct cJSON *hints = json_add_object(tool_json, "annotations");

    json_add_bool(hints, "readOnlyHint", tool->kind < MCP_TOOL_ACTION);
    json_add_bool(hints, "openWorldHint", tool->kind >= MCP_TOOL_ACTION);
}

static void add_tool(struct cJSON *array, const struct mcp_tool *tool)
{
    struct cJSON *item = json_add_object(array, NULL);
    struct buf summary = BUF_INIT(SUMMARY_MAX);

    json_add_string(item, "name", tool->name);
    json_add_opt_string(item, "title", tool->title);
    if (tool->summary)
        buf_text(&summary, tool->summary);
    else
        action_schema_summary(tool->action, &summary);
    json_add_string(item, "description", buf_cstr(&summary));
    add_schema(item, tool);
    add_annotations(item, tool);
    buf_release(&summary);
}

void mcp_tool_list(struct mcp_tool_set set, struct cJSON *array)
{
    struct mcp_tool tool;

    for (size_t i = 0; tool_at(i, &tool); i++) {
        if (is_in(set, &tool) && (set.aliases || !tool.alias))
            add_tool(array, &tool);
    }
}
