#include "tools/mcp/mcp_call.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/key_press.h"
#include "base/mem.h"
#include "tasks/task/action_schema.h"

#define SIZE_MIN_PIXELS 64
#define SIZE_MAX_PIXELS 4096
#define DISTANCE_MAX 100000

void mcp_call_release(struct mcp_call *call)
{
    action_release(&call->action);
    free(call->device);
    free(call->package);
    free(call->url);
    free(call->said);
    *call = (struct mcp_call){.said = NULL};
}

/* ---- numbers ---- */

/* Models write numbers as text, and pixels with a fraction. */
static bool read_number(const struct cJSON *value, double *number)
{
    char *end;

    if (cJSON_IsNumber(value)) {
        *number = value->valuedouble;
    } else if (cJSON_IsString(value)) {
        *number = strtod(value->valuestring, &end);
        if (end == value->valuestring || *end)
            return false;
    } else {
        return false;
    }
    return isfinite(*number) && fabs(*number) <= (double)JSON_INT_MAX;
}

/* Other values are added as they are, and refused with the rest. */
static void add_rounded(struct cJSON *into, const char *name,
                        const struct cJSON *value)
{
    double number;

    cJSON_AddItemToObject(into, name,
                          read_number(value, &number)
                              ? cJSON_CreateNumber(round(number))
                              : cJSON_Duplicate(value, true));
}

/* ---- actions ---- */

/* What an action calls this argument of the tool; NULL: it has none. */
static const char *member_name(const struct mcp_tool *tool, const char *name)
{
    for (size_t i = 0; tool->parameters && tool->parameters[i].name; i++) {
        if (!strcmp(tool->parameters[i].name, name))
            return tool->parameters[i].member;
    }
    return tool->parameters ? NULL : name;
}

/* The arguments as the members of an action of this kind. */
static struct cJSON *members_of(const struct mcp_tool *tool,
                                enum action_kind kind,
                                const struct cJSON *arguments)
{
    struct cJSON *members = json_new_object();
    const struct cJSON *argument = NULL;

    json_add_string(members, "action", action_kind_name(kind));
    for (int i = 0; i < ACTION_MEMBERS; i++) {
        const struct action_member_info *info =
            action_table_member((enum action_member)i);

        if (!(action_table_members(kind) & ACTION_MEMBER_BIT(i)))
            continue;
        cJSON_ArrayForEach(argument, arguments)
        {
            const char *name = member_name(tool, argument->string);

            if (!name || strcmp(name, info->name) != 0 ||
                cJSON_GetObjectItemCaseSensitive(members, name))
                continue;
            if (info->type == ACTION_MEMBER_INTEGER)
                add_rounded(members, name, argument);
            else
                cJSON_AddItemToObject(members, name,
                                      cJSON_Duplicate(argument, true));
        }
    }
    return members;
}

static bool read_action(const struct mcp_tool *tool, enum action_kind kind,
                        const struct cJSON *arguments, struct action *action,
                        struct err *err)
{
    struct cJSON *members = members_of(tool, kind, arguments);
    const struct json root = JSON_ROOT(members);
    bool done = action_from_json(&root, action, err);

    cJSON_Delete(members);
    return done;
}

/* "@e5", as mobile-mcp names elements. */
static bool read_ref(const struct json *arguments, struct action *action,
                     struct err *err)
{
    const char *ref = NULL;
    char *end;
    long number;

    if (!json_opt_string(arguments, "ref", &ref, err))
        return false;
    if (!ref)
        return true;
    ref += strncmp(ref, "@e", 2) ? 0 : 2;
    number = strtol(ref, &end, 10);
    if (end == ref || *end || number < 1 || number > 1000000)
        return err_set(err, ERR_INVALID, "ref: give one such as @e5");
    action->has_from = false;
    action->has_index = true;
    action->index = (int)number;
    return true;
}

/* ---- keys ---- */

static bool find_key(const char *name, enum action_kind *kind)
{
    for (int i = 0; i < ACTION_KINDS; i++) {
        if (mcp_tool_is_key((enum action_kind)i) &&
            !strcasecmp(action_kind_name((enum action_kind)i), name)) {
            *kind = (enum action_kind)i;
            return true;
        }
    }
    return false;
}

/* mobile-mcp has one tool for all keys. */
static bool read_key(const struct mcp_tool *tool, const struct json *arguments,
                     struct action *action, struct err *err)
{
    const char *name = NULL;
    struct key_press press;

    if (!json_get_string(arguments, tool->alias ? "button" : "key", &name, err))
        return false;
    if (find_key(name, &action->kind))
        return true;
    if (!tool->alias || !key_press_parse(name, &press, err))
        return err_set(err, ERR_INVALID, "there is no key \"%.40s\"", name);
    action->kind = ACTION_KEY;
    action->text = mem_dup(name);
    return true;
}

/* ---- other arguments ---- */

/* Letters, digits, '.' and '_': nothing that a shell would interpret. */
static bool is_package(const char *text)
{
    size_t length = strlen(text);

    if (!length || length >= MCP_PACKAGE_MAX || !isalpha((unsigned char)*text))
        return false;
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text) && *text != '.' && *text != '_')
            return false;
    }
    return true;
}

static bool is_web_address(const char *text)
{
    if (strlen(text) > MCP_URL_MAX ||
        (strncmp(text, "http://", 7) != 0 && strncmp(text, "https://", 8) != 0))
        return false;
    for (; *text; text++) {
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return false;
    }
    return true;
}

static bool read_package(const struct json *arguments, char **package,
                         struct err *err)
{
    const char *given = NULL;

    if (!json_get_string(arguments, "packageName", &given, err))
        return false;
    if (!is_package(given))
        return err_set(err, ERR_INVALID,
                       "packageName: give one such as com.android.settings");
    *package = mem_dup(given);
    return true;
}

static bool read_url(const struct json *arguments, char **url, struct err *err)
{
    const char *given = NULL;

    if (!json_get_string(arguments, "url", &given, err))
        return false;
    if (!is_web_address(given))
        return err_set(err, ERR_INVALID, "url: give an http or https address");
    *url = mem_dup(given);
    return true;
}

static bool read_picture(const struct json *arguments, bool alias,
                         struct mcp_call *call, struct err *err)
{
    const char *format = "jpeg";
    int64_t size = 0;

    if (!json_opt_int(arguments, alias ? "maxSize" : "max_size",
                      SIZE_MIN_PIXELS, SIZE_MAX_PIXELS, &size, err) ||
        (alias && !json_opt_number(arguments, "scale", &call->scale, err)) ||
        (!alias && !json_opt_string(arguments, "format", &format, err)))
        return false;
    if (call->scale < 0 || call->scale > 1)
        return err_set(err, ERR_INVALID, "scale: give a number up to 1");
    call->png = !strcmp(format, "png");
    call->max_size = (int)size;
    return call->png || !strcmp(format, "jpeg") ||
           err_set(err, ERR_INVALID, "format: give jpeg or png");
}

static bool read_format(const struct json *arguments, bool *as_json,
                        struct err *err)
{
    const char *format = "text";

    if (!json_opt_string(arguments, "format", &format, err))
        return false;
    *as_json = !strcmp(format, "json");
    return *as_json || !strcmp(format, "text") ||
           err_set(err, ERR_INVALID, "format: give text or json");
}

static bool read_finish(const struct mcp_tool *tool,
                        const struct json *arguments, struct mcp_call *call,
                        struct err *err)
{
    bool success = true;

    if (!json_opt_bool(arguments, "success", &success, err) ||
        !read_action(tool, ACTION_COMPLETE, arguments->value, &call->action,
                     err))
        return false;
    call->failed = !success;
    return true;
}

static bool read_distance(const struct json *arguments, int *distance,
                          struct err *err)
{
    double given = 0;

    if (!json_opt_number(arguments, "distance", &given, err))
        return false;
    if (!(given >= 0 && given <= DISTANCE_MAX))
        return err_set(err, ERR_INVALID, "distance: give pixels");
    *distance = (int)given;
    return true;
}

static bool read_act(const struct mcp_tool *tool, const struct json *arguments,
                     struct mcp_call *call, struct err *err)
{
    return read_action(tool, tool->action, arguments->value, &call->action,
                       err) &&
           (!tool->alias || (read_ref(arguments, &call->action, err) &&
                             read_distance(arguments, &call->distance, err))) &&
           action_check(&call->action, err) &&
           json_opt_bool(arguments, "screenshot", &call->screenshot, err);
}

static bool read_own(const struct mcp_tool *tool, const struct json *arguments,
                     struct mcp_call *call, struct err *err)
{
    switch (tool->kind) {
    case MCP_TOOL_ACTION:
        return read_act(tool, arguments, call, err);
    case MCP_TOOL_PRESS_KEY:
        return read_key(tool, arguments, &call->action, err) &&
               json_opt_bool(arguments, "screenshot", &call->screenshot, err);
    case MCP_TOOL_FINISH:
        return read_finish(tool, arguments, call, err);
    case MCP_TOOL_SCREENSHOT:
        return read_picture(arguments, tool->alias, call, err);
    case MCP_TOOL_LIST_ELEMENTS:
        return read_format(arguments, &call->json, err);
    case MCP_TOOL_TERMINATE:
        return read_package(arguments, &call->package, err);
    case MCP_TOOL_OPEN_URL:
        return read_url(arguments, &call->url, err);
    case MCP_TOOL_LIST_PHONES:
    case MCP_TOOL_GET_TASK:
    case MCP_TOOL_LIST_APPS:
    case MCP_TOOL_SCREEN_SIZE:
    case MCP_TOOL_ORIENTATION:
    case MCP_TOOL_FRONT_APP:
        break;
    }
    return true;
}

/* "tap {"index":3}" */
static char *call_text(const struct mcp_tool *tool,
                       const struct cJSON *arguments)
{
    struct buf text = BUF_INIT(MCP_CALL_SAID_MAX);
    char *copy;

    buf_printf(&text, "%s ", tool->name);
    json_format(arguments, &text);
    copy = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return copy;
}

bool mcp_call_read(const struct mcp_tool *tool, const struct cJSON *arguments,
                   struct mcp_call *call, struct err *err)
{
    struct mcp_call read = {.tool = *tool};
    struct cJSON *none = arguments ? NULL : json_new_object();
    const struct json root = JSON_ROOT(arguments ? arguments : none);
    bool done = json_as_object(&root, err) &&
                json_opt_copy(&root, "device", &read.device, err) &&
                read_own(tool, &root, &read, err);

    if (done) {
        read.said = call_text(tool, root.value);
        *call = read;
    } else {
        mcp_call_release(&read);
    }
    cJSON_Delete(none);
    return done;
}
