/* docs/tasks.md: its examples load, and it documents every member. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json_write.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tasks/task/task_struct_json.h"

#define FENCE "```json\n"

static struct buf page = BUF_INIT(1 << 20);

static int load_page(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    return !file_load(TESTS_DOCS "/tasks.md", &page, &err);
}

static int release_page(void **state)
{
    (void)state;
    buf_release(&page);
    return 0;
}

/* The members of an example, in a task with all other required members. */
static struct cJSON *complete(const struct cJSON *piece)
{
    static const char text[] = "{\"id\":\"a\",\"app\":\"org.a\",\"kind\":"
                               "\"process\",\"instruction\":\"Do.\","
                               "\"needs\":[\"it is done\"]}";
    struct cJSON *task = cJSON_Parse(text);
    struct cJSON *tasks = json_new_array();
    const struct cJSON *member = NULL;

    cJSON_ArrayForEach(member, piece)
    {
        cJSON_DeleteItemFromObjectCaseSensitive(task, member->string);
        cJSON_AddItemToObject(task, member->string,
                              cJSON_Duplicate(member, true));
    }
    cJSON_AddItemToArray(tasks, task);
    return tasks;
}

static void assert_loads(const char *example, size_t length)
{
    struct buf text = BUF_INIT(1 << 20);
    struct cJSON *tree = NULL;
    struct cJSON *whole;
    struct suite suite;
    struct err err = ERR_INIT;

    if (!json_parse(example, length, &tree, &err))
        fail_msg("%s: %.*s", err.text, (int)length, example);
    whole = cJSON_IsArray(tree) ? cJSON_Duplicate(tree, true) : complete(tree);
    json_format(whole, &text);
    if (!suite_parse(buf_cstr(&text), text.length, "tasks.md", &suite, &err))
        fail_msg("%s: %.*s", err.text, (int)length, example);
    suite_release(&suite);
    cJSON_Delete(tree);
    cJSON_Delete(whole);
    buf_release(&text);
}

static void every_example_loads(void **state)
{
    const char *at = buf_cstr(&page);
    int count = 0;

    (void)state;
    while ((at = strstr(at, FENCE))) {
        const char *begin = at + strlen(FENCE);
        const char *end = strstr(begin, "```");

        assert_non_null(end);
        assert_loads(begin, (size_t)(end - begin));
        at = end + 3;
        count++;
    }
    assert_true(count >= 12);
}

static void the_first_example_has_five_members(void **state)
{
    const char *begin = strstr(buf_cstr(&page), FENCE) + strlen(FENCE);
    const char *end = strstr(begin, "```");
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(json_parse(begin, (size_t)(end - begin), &tree, &err));
    assert_int_equal(cJSON_GetArraySize(tree->child), 5);
    cJSON_Delete(tree);
}

/* Recursive tables are visited once. */
static void assert_documented(const struct struct_json *struct_json,
                              const struct struct_json **seen, size_t *count)
{
    for (size_t i = 0; i < *count; i++) {
        if (seen[i] == struct_json)
            return;
    }
    assert_true(*count < 32);
    seen[(*count)++] = struct_json;
    for (size_t i = 0; i < struct_json->count; i++) {
        const struct json_member *member = &struct_json->members[i];
        char name[64];

        snprintf(name, sizeof(name), "`%s`", member->name);
        if (!strstr(buf_cstr(&page), name)) {
            snprintf(name, sizeof(name), "\"%s\"", member->name);
            if (!strstr(buf_cstr(&page), name))
                fail_msg("tasks.md does not tell of %s", name);
        }
        if (member->struct_json)
            assert_documented(member->struct_json, seen, count);
    }
}

static void every_member_is_documented(void **state)
{
    const struct struct_json *seen[32];
    size_t count = 0;

    (void)state;
    assert_documented(&task_struct_json, seen, &count);
    assert_true(count >= 10);
}

static void every_action_is_documented(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ACTION_KINDS; i++) {
        char name[64];

        snprintf(name, sizeof(name), "`%s`",
                 action_kind_name((enum action_kind)i));
        if (!strstr(buf_cstr(&page), name))
            fail_msg("tasks.md does not tell of %s", name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_loads),
        cmocka_unit_test(the_first_example_has_five_members),
        cmocka_unit_test(every_member_is_documented),
        cmocka_unit_test(every_action_is_documented),
    };

    return cmocka_run_group_tests(tests, load_page, release_page);
}
