#include "tasks/task/action.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/json_write.h"
#include "base/keycode.h"
#include "base/macros.h"
#include "tasks/task/action_key.h"

static struct action read_action(const char *text)
{
    struct action action = {.kind = ACTION_CLICK};
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;
    struct json root = JSON_NONE;

    assert_true(json_parse(text, strlen(text), &tree, &err));
    root.value = tree;
    if (!action_from_json(&root, &action, &err))
        fail_msg("%s: %s", text, err.text);
    cJSON_Delete(tree);
    return action;
}

static void refuse(const char *text, const char *reason)
{
    struct action action = {.kind = ACTION_CLICK};
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;
    struct json root = JSON_NONE;

    assert_true(json_parse(text, strlen(text), &tree, &err));
    root.value = tree;
    assert_false(action_from_json(&root, &action, &err));
    assert_non_null(strstr(err.text, reason));
    assert_null(action.text);
    cJSON_Delete(tree);
}

static void written_action_reads_back(void **state)
{
    static const char *const texts[] = {
        "{\"action\":\"click\",\"x\":0,\"y\":2399}",
        "{\"action\":\"drag\",\"x\":5,\"y\":6,\"x2\":7,\"y2\":8}",
        "{\"action\":\"wait\",\"milliseconds\":300}",
        "{\"action\":\"scroll\",\"direction\":\"down\"}",
        "{\"action\":\"click\",\"index\":0}",
        "{\"action\":\"type\",\"text\":\"鼠标 \\\"x\\\"\",\"submit\":true}",
        "{\"action\":\"type\",\"text\":\"a\",\"replace\":true}",
        "{\"action\":\"clear\",\"x\":5,\"y\":6}",
        "{\"action\":\"key\",\"text\":\"VOLUME_UP\"}",
        "{\"action\":\"pinch\",\"x\":5,\"y\":6,\"text\":\"in\"}",
        "{\"action\":\"raw\",\"text\":\"pm x\",\"effect\":\"app_data\"}",
        "{\"action\":\"complete\"}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct action action = read_action(texts[i]);
        struct cJSON *tree = json_new_object();
        struct buf text = BUF_INIT(1024);

        action_to_json(&action, tree);
        json_format(tree, &text);
        assert_string_equal(buf_cstr(&text), texts[i]);
        buf_release(&text);
        cJSON_Delete(tree);
        action_release(&action);
    }
}

static void every_kind_has_a_unique_name(void **state)
{
    (void)state;
    for (int i = 0; i < ACTION_KINDS; i++) {
        enum action_kind found = ACTION_KINDS;

        assert_true(
            action_kind_find(action_kind_name((enum action_kind)i), &found));
        assert_int_equal(found, i);
    }
}

static void invalid_members_are_named(void **state)
{
    (void)state;
    refuse("{}", "action");
    refuse("{\"action\":\"fly\"}", "there is no \"fly\"");
    refuse("{\"action\":\"Click\"}", "there is no \"Click\"");
    refuse("{\"action\":\"click\",\"x\":1}", "x and y go together");
    refuse("{\"action\":\"click\",\"x\":1,\"y\":\"2\"}", "y");
    refuse("{\"action\":\"click\",\"x\":1,\"y\":2e9}", "y");
    refuse("{\"action\":\"scroll\",\"direction\":\"north\"}", "north");
    refuse("{\"action\":\"click\",\"index\":-1}", "index");
    refuse("{\"action\":\"raw\",\"effect\":\"good\"}", "good");
    refuse("{\"action\":\"wait\",\"milliseconds\":1e9}", "milliseconds");
}

static void equal_actions_may_have_different_durations(void **state)
{
    struct action a = read_action("{\"action\":\"click\",\"x\":1,\"y\":2}");
    struct action b = read_action(
        "{\"action\":\"click\",\"x\":1,\"y\":2,\"milliseconds\":50}");
    struct action c = read_action("{\"action\":\"click\",\"x\":1,\"y\":3}");
    struct action d = read_action("{\"action\":\"type\",\"text\":\"a\"}");
    struct action e = read_action("{\"action\":\"type\",\"text\":\"b\"}");

    (void)state;
    assert_true(action_equal(&a, &b));
    assert_false(action_equal(&a, &c));
    assert_false(action_equal(&a, &d));
    assert_true(action_equal(&d, &d));
    assert_false(action_equal(&d, &e));
    action_release(&d);
    action_release(&e);
}

static void a_key_is_its_own_action_or_has_its_name(void **state)
{
    struct action back = action_of_key(KEY_BACK);
    struct action louder = action_of_key(KEY_VOLUME_UP);

    (void)state;
    assert_int_equal(back.kind, ACTION_BACK);
    assert_null(back.text);
    assert_int_equal(louder.kind, ACTION_KEY);
    assert_string_equal(louder.text, "VOLUME_UP");
    action_release(&louder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_action_reads_back),
        cmocka_unit_test(every_kind_has_a_unique_name),
        cmocka_unit_test(invalid_members_are_named),
        cmocka_unit_test(equal_actions_may_have_different_durations),
        cmocka_unit_test(a_key_is_its_own_action_or_has_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
