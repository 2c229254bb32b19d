/* The table of actions, and everything that is derived from it. */
#include "tasks/task/action_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "tasks/task/action_schema.h"
#include "tasks/task/action_set.h"

static void every_kind_has_a_complete_row(void **state)
{
    (void)state;
    for (int i = 0; i < ACTION_KINDS; i++) {
        const struct action_info *info = action_table_kind((enum action_kind)i);

        assert_non_null(info->name);
        assert_non_null(info->summary);
        assert_int_equal(!info->either[0], !info->either[1]);
        assert_int_equal(info->required & info->optional, 0);
    }
    for (int i = 0; i < ACTION_MEMBERS; i++) {
        const struct action_member_info *info =
            action_table_member((enum action_member)i);

        assert_non_null(info->name);
        assert_non_null(info->summary);
        assert_true(info->min <= info->max);
    }
}

static void every_member_belongs_to_an_action(void **state)
{
    uint32_t all = 0;

    (void)state;
    for (int i = 0; i < ACTION_KINDS; i++)
        all |= action_table_members((enum action_kind)i);
    assert_int_equal(all, ACTION_MEMBER_BIT(ACTION_MEMBERS) - 1);
}

static void add_value(struct cJSON *object, enum action_member member)
{
    const struct action_member_info *info = action_table_member(member);

    switch (info->type) {
    case ACTION_MEMBER_INTEGER:
        json_add_int(object, info->name, 7);
        break;
    case ACTION_MEMBER_STRING:
        json_add_string(object, info->name, "abc");
        break;
    case ACTION_MEMBER_BOOLEAN:
        json_add_bool(object, info->name, true);
        break;
    case ACTION_MEMBER_ENUM:
        json_add_string(object, info->name, info->names[info->max]);
        break;
    }
}

/* Format the tree, and free it. */
static void format(struct cJSON *tree, struct buf *text)
{
    json_format(tree, text);
    cJSON_Delete(tree);
}

static void read_text(const struct buf *text, struct action *action)
{
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    struct err err = ERR_INIT;

    assert_true(json_parse(buf_cstr(text), text->length, &tree, &err));
    root.value = tree;
    if (!action_from_json(&root, action, &err))
        fail_msg("%s: %s", buf_cstr(text), err.text);
    cJSON_Delete(tree);
}

/* Each kind with all its members is written as it was read. */
static void every_member_of_every_kind_is_read_and_written(void **state)
{
    (void)state;
    for (int i = 0; i < ACTION_KINDS; i++) {
        struct cJSON *tree = json_new_object();
        struct buf given = BUF_INIT(1024);
        struct buf written = BUF_INIT(1024);
        struct action action = {.kind = ACTION_CLICK};

        json_add_string(tree, "action", action_kind_name((enum action_kind)i));
        for (int j = 0; j < ACTION_MEMBERS; j++) {
            if (action_table_members((enum action_kind)i) &
                ACTION_MEMBER_BIT(j))
                add_value(tree, (enum action_member)j);
        }
        format(tree, &given);
        read_text(&given, &action);
        assert_int_equal(action.kind, i);
        tree = json_new_object();
        action_to_json(&action, tree);
        format(tree, &written);
        assert_string_equal(buf_cstr(&given), buf_cstr(&written));
        action_release(&action);
        buf_release(&given);
        buf_release(&written);
    }
}

static void the_documentation_holds_the_table(void **state)
{
    struct buf page = BUF_INIT(1 << 20);
    struct buf table = BUF_INIT(1 << 16);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_load(TESTS_DOCS "/format.md", &page, &err));
    action_table_markdown(&table);
    if (!strstr(buf_cstr(&page), buf_cstr(&table)))
        fail_msg("docs/format.md lacks this table:\n%s", buf_cstr(&table));
    buf_release(&page);
    buf_release(&table);
}

static const struct cJSON *member(const struct cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static void schemas_list_every_action_and_its_members(void **state)
{
    struct cJSON *root = json_new_object();
    const struct cJSON *list;

    (void)state;
    action_schema_add_set(root, "actions", ACTION_SET_ALL);
    list = member(root, "actions");
    assert_int_equal(cJSON_GetArraySize(list), ACTION_PINCH);
    for (int i = 0; i < ACTION_PINCH; i++) {
        const struct cJSON *item = cJSON_GetArrayItem(list, i);
        const struct cJSON *schema = member(item, "arguments");

        assert_string_equal(member(item, "action")->valuestring,
                            action_kind_name((enum action_kind)i));
        for (int j = 0; j < ACTION_MEMBERS; j++) {
            const char *name = action_table_member((enum action_member)j)->name;
            bool there = (action_table_members((enum action_kind)i) &
                          ACTION_MEMBER_BIT(j)) != 0;

            assert_int_equal(member(member(schema, "properties"), name) != NULL,
                             there);
        }
    }
    cJSON_Delete(root);
}

static void alternatives_are_described_in_words(void **state)
{
    struct buf text = BUF_INIT(512);

    (void)state;
    action_schema_summary(ACTION_SWIPE, &text);
    assert_string_equal(buf_cstr(&text),
                        "Move a finger from one point to another, or in a "
                        "direction. Give x, y, x2 and y2, or direction.");
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_complete_row),
        cmocka_unit_test(every_member_belongs_to_an_action),
        cmocka_unit_test(every_member_of_every_kind_is_read_and_written),
        cmocka_unit_test(the_documentation_holds_the_table),
        cmocka_unit_test(schemas_list_every_action_and_its_members),
        cmocka_unit_test(alternatives_are_described_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
