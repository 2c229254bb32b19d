/* The tools, and the arguments that they take. */
#include "tools/mcp/mcp_tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tasks/task/action_set.h"
#include "tools/mcp/mcp_call.h"

static const struct mcp_tool_set all = {.aliases = true};

static const struct cJSON *find_listed(const struct cJSON *tools,
                                       const char *name)
{
    const struct cJSON *tool = NULL;

    cJSON_ArrayForEach(tool, tools)
    {
        if (!strcmp(cJSON_GetObjectItem(tool, "name")->valuestring, name))
            return tool;
    }
    return NULL;
}

static const struct cJSON *property(const struct cJSON *tool, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(
            cJSON_GetObjectItemCaseSensitive(tool, "inputSchema"),
            "properties"),
        name);
}

/*
 * Questions to the user of the phone have no tool: the client has its own. Some
 * actions are only recorded.
 */
static bool has_no_tool(enum action_kind kind)
{
    return kind == ACTION_ASK || (ACTION_SET_RECORDED & ACTION_BIT(kind));
}

static bool names_key(const struct cJSON *tools, enum action_kind kind)
{
    const struct cJSON *key = property(find_listed(tools, "press_key"), "key");
    const struct cJSON *name = NULL;

    cJSON_ArrayForEach(name, cJSON_GetObjectItem(key, "enum"))
    {
        if (!strcmp(name->valuestring, action_kind_name(kind)))
            return true;
    }
    return false;
}

static void every_action_has_a_tool_with_its_members(void **state)
{
    struct cJSON *tools = json_new_array();

    (void)state;
    mcp_tool_list(all, tools);
    for (int i = 0; i < ACTION_KINDS; i++) {
        enum action_kind kind = (enum action_kind)i;
        const struct cJSON *tool;

        if (has_no_tool(kind)) {
            assert_null(find_listed(tools, mcp_tool_action_name(kind)));
            continue;
        }
        if (action_table_kind(kind)->ends) {
            assert_non_null(find_listed(tools, "finish"));
            continue;
        }
        if (mcp_tool_is_key(kind)) {
            assert_true(names_key(tools, kind));
            continue;
        }
        tool = find_listed(tools, mcp_tool_action_name(kind));
        assert_non_null(tool);
        for (int j = 0; j < ACTION_MEMBERS; j++) {
            if (action_table_members(kind) & ACTION_MEMBER_BIT(j))
                assert_non_null(property(
                    tool, action_table_member((enum action_member)j)->name));
        }
        assert_non_null(property(tool, "screenshot"));
    }
    cJSON_Delete(tools);
}

static void names_are_unique_and_schemas_are_objects(void **state)
{
    struct cJSON *tools = json_new_array();
    const struct cJSON *tool = NULL;

    (void)state;
    mcp_tool_list(all, tools);
    cJSON_ArrayForEach(tool, tools)
    {
        const char *name = cJSON_GetObjectItem(tool, "name")->valuestring;
        const struct cJSON *schema = cJSON_GetObjectItem(tool, "inputSchema");

        assert_ptr_equal(find_listed(tools, name), tool);
        assert_string_equal(cJSON_GetObjectItem(schema, "type")->valuestring,
                            "object");
        /* Many model services refuse alternatives there. */
        assert_null(cJSON_GetObjectItem(schema, "anyOf"));
        assert_null(cJSON_GetObjectItem(schema, "oneOf"));
    }
    cJSON_Delete(tools);
}

static void a_task_changes_which_tools_there_are(void **state)
{
    const struct mcp_tool_set scored = {.task = true};
    struct mcp_tool tool;

    (void)state;
    assert_true(mcp_tool_find(scored, "get_task", &tool));
    assert_false(mcp_tool_find(all, "get_task", &tool));
    assert_true(mcp_tool_find(all, "mobile_open_url", &tool));
    assert_false(mcp_tool_find(scored, "mobile_open_url", &tool));
    assert_false(mcp_tool_find(scored, "mobile_terminate_app", &tool));
    /* Aliases that are not listed work, too. */
    assert_true(mcp_tool_find(scored, "mobile_take_screenshot", &tool));
    assert_false(mcp_tool_find(all, "no_such_tool", &tool));
}

/* ---- arguments ---- */

static bool read_call(const char *name, const char *arguments,
                      struct mcp_call *call, struct err *err)
{
    struct cJSON *tree = arguments ? cJSON_Parse(arguments) : NULL;
    struct mcp_tool tool;
    bool done;

    assert_true(mcp_tool_find(all, name, &tool));
    done = mcp_call_read(&tool, tree, call, err);
    cJSON_Delete(tree);
    return done;
}

static void arguments_become_the_same_action_under_all_names(void **state)
{
    static const struct {
        const char *tool;
        const char *arguments;
        const char *action;
    } rows[] = {
        {"tap", "{\"x\":540,\"y\":1200}",
         "{\"action\":\"click\",\"x\":540,\"y\":1200}"},
        {"tap", "{\"x\":\"540\",\"y\":1200.4}",
         "{\"action\":\"click\",\"x\":540,\"y\":1200}"},
        {"tap", "{\"index\":7,\"screenshot\":true}",
         "{\"action\":\"click\",\"index\":7}"},
        {"mobile_click_on_screen_at_coordinates",
         "{\"device\":\"a\",\"x\":5,\"y\":6}",
         "{\"action\":\"click\",\"x\":5,\"y\":6}"},
        {"mobile_click_on_screen_at_coordinates", "{\"ref\":\"@e12\"}",
         "{\"action\":\"click\",\"index\":12}"},
        {"mobile_double_tap_on_screen", "{\"x\":5,\"y\":6}",
         "{\"action\":\"double_tap\",\"x\":5,\"y\":6}"},
        {"mobile_long_press_on_screen_at_coordinates",
         "{\"x\":5,\"y\":6,\"duration\":900}",
         "{\"action\":\"long_press\",\"x\":5,\"y\":6,\"milliseconds\":900}"},
        {"swipe", "{\"direction\":\"up\"}",
         "{\"action\":\"swipe\",\"direction\":\"up\"}"},
        {"mobile_swipe_on_screen", "{\"direction\":\"left\",\"x\":9,\"y\":8}",
         "{\"action\":\"swipe\",\"x\":9,\"y\":8,\"direction\":\"left\"}"},
        {"drag", "{\"x\":1,\"y\":2,\"x2\":3,\"y2\":4}",
         "{\"action\":\"drag\",\"x\":1,\"y\":2,\"x2\":3,\"y2\":4}"},
        {"scroll", "{\"direction\":\"down\",\"index\":3}",
         "{\"action\":\"scroll\",\"direction\":\"down\",\"index\":3}"},
        {"type", "{\"text\":\"你好\",\"submit\":true}",
         "{\"action\":\"type\",\"text\":\"你好\",\"submit\":true}"},
        {"mobile_type_keys", "{\"text\":\"a b\",\"submit\":false}",
         "{\"action\":\"type\",\"text\":\"a b\"}"},
        {"clear", NULL, "{\"action\":\"clear\"}"},
        {"press_key", "{\"key\":\"recents\"}", "{\"action\":\"recents\"}"},
        {"mobile_press_button", "{\"button\":\"BACK\"}",
         "{\"action\":\"back\"}"},
        {"mobile_press_button", "{\"button\":\"VOLUME_UP\"}",
         "{\"action\":\"key\",\"text\":\"VOLUME_UP\"}"},
        {"key", "{\"text\":\"DEL*3\"}",
         "{\"action\":\"key\",\"text\":\"DEL*3\"}"},
        {"open_app", "{\"text\":\"Clock\"}",
         "{\"action\":\"open_app\",\"text\":\"Clock\"}"},
        {"mobile_launch_app", "{\"packageName\":\"com.a.b\"}",
         "{\"action\":\"open_app\",\"text\":\"com.a.b\"}"},
        {"wait", "{\"milliseconds\":300}",
         "{\"action\":\"wait\",\"milliseconds\":300}"},
        {"finish", "{\"answer\":\"7\"}",
         "{\"action\":\"complete\",\"text\":\"7\"}"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct mcp_call call;
        struct cJSON *tree = json_new_object();
        struct buf text = BUF_INIT(1024);
        struct err err = ERR_INIT;

        if (!read_call(rows[i].tool, rows[i].arguments, &call, &err))
            fail_msg("%s %s: %s", rows[i].tool, rows[i].arguments, err.text);
        action_to_json(&call.action, tree);
        json_format(tree, &text);
        assert_string_equal(buf_cstr(&text), rows[i].action);
        mcp_call_release(&call);
        buf_release(&text);
        cJSON_Delete(tree);
    }
}

static void wrong_arguments_are_refused_with_a_reason(void **state)
{
    static const struct {
        const char *tool;
        const char *arguments;
        const char *reason;
    } rows[] = {
        {"tap", NULL, "click needs x and y, or index"},
        {"tap", "{\"x\":5}", "x and y go together"},
        {"tap", "{\"x\":\"a\",\"y\":1}", "x: expected an integer"},
        {"tap", "{\"x\":1e9,\"y\":1}", "x"},
        {"tap", "[1,2]", "expected an object"},
        {"swipe", "{}", "swipe needs x, y, x2 and y2, or direction"},
        {"swipe", "{\"direction\":\"sideways\"}", "there is no \"sideways\""},
        {"type", "{}", "type needs text"},
        {"press_key", "{\"key\":\"power\"}", "there is no key \"power\""},
        {"press_key", "{\"key\":\"click\"}", "there is no key"},
        {"mobile_press_button", "{\"button\":\"LAUNCH\"}", "there is no key"},
        {"mobile_click_on_screen_at_coordinates", "{\"ref\":\"@x\"}", "ref"},
        {"screenshot", "{\"format\":\"gif\"}", "jpeg or png"},
        {"screenshot", "{\"max_size\":9}", "max_size"},
        {"mobile_take_screenshot", "{\"scale\":7}", "scale"},
        {"mobile_terminate_app", "{\"packageName\":\"a;reboot\"}",
         "packageName"},
        {"mobile_terminate_app", "{\"packageName\":\"$(id)\"}", "packageName"},
        {"mobile_open_url", "{\"url\":\"file:///data\"}", "http or https"},
        {"mobile_open_url", "{\"url\":\"http://a b\"}", "http or https"},
        {"wait", "{\"milliseconds\":99999999}", "milliseconds"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct mcp_call call;
        struct err err = ERR_INIT;

        if (read_call(rows[i].tool, rows[i].arguments, &call, &err))
            fail_msg("%s %s was accepted", rows[i].tool, rows[i].arguments);
        if (!strstr(err.text, rows[i].reason))
            fail_msg("%s %s: %s", rows[i].tool, rows[i].arguments, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_action_has_a_tool_with_its_members),
        cmocka_unit_test(names_are_unique_and_schemas_are_objects),
        cmocka_unit_test(a_task_changes_which_tools_there_are),
        cmocka_unit_test(arguments_become_the_same_action_under_all_names),
        cmocka_unit_test(wrong_arguments_are_refused_with_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
