#include "tasks/task/task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "tasks/task/action_set.h"
#include "tasks/task/suite.h"
#include "tasks/task/suite_files.h"
#include "tests/support/scratch_folder.h"

static struct suite load_full(void)
{
    struct suite suite;
    struct err err = ERR_INIT;

    if (!suite_load(TESTS_SUITES "/full.json", &suite, &err))
        fail_msg("%s", err.text);
    return suite;
}

static void task_with_all_members_is_read(void **state)
{
    struct suite suite = load_full();
    const struct task *task = suite_find(&suite, "shop.everything");

    (void)state;
    assert_int_equal(suite.count, 3);
    assert_non_null(task);
    suite_release(&suite);
}

static char *format(const struct task *task)
{
    struct cJSON *tree = task_to_json(task);
    struct buf text = BUF_INIT(1 << 20);

    json_format(tree, &text);
    cJSON_Delete(tree);
    return text.data;
}

static void names_of_version_1_are_read_and_written_as_new_ones(void **state)
{
    static const char text[] =
        "[{\"id\":\"a\",\"app\":\"a.b\",\"kind\":\"process\","
        "\"instruction\":\"i\",\"actions\":\"usual\",\"needs\":[{\"say\":"
        "\"n\",\"check\":{\"target\":\"lap\",\"times\":2,\"anew\":\"reset\","
        "\"less\":\"undo\"}}],\"gold\":[{\"do\":\"back\",\"star\":2},"
        "{\"do\":\"complete\"}]}]";
    struct suite suite;
    struct err err = ERR_INIT;
    char *written;

    (void)state;
    if (!suite_parse(text, strlen(text), "old", &suite, &err))
        fail_msg("%s", err.text);
    assert_int_equal(suite.tasks[0].actions, ACTION_SET_DEFAULT);
    assert_true(suite.tasks[0].gold.steps[0].key_step);
    written = format(&suite.tasks[0]);
    assert_non_null(strstr(written, "\"reset_by\":\"reset\""));
    assert_non_null(strstr(written, "\"reduced_by\":\"undo\""));
    assert_non_null(strstr(written, "\"key_step\":2"));
    free(written);
    suite_release(&suite);
}

static void an_old_and_a_new_name_do_not_go_together(void **state)
{
    static const char text[] =
        "[{\"id\":\"a\",\"app\":\"a.b\",\"kind\":\"process\","
        "\"instruction\":\"i\",\"needs\":[\"n\"],\"gold\":[{\"do\":\"back\","
        "\"key_step\":1,\"star\":2}]}]";
    struct suite suite;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(suite_parse(text, strlen(text), "old", &suite, &err));
    assert_non_null(strstr(err.text, "star: given twice"));
}

static struct task resolve(const struct task *task, const char *locale)
{
    struct cJSON *facts = json_new_object();
    struct task_values values = {
        .locale = locale,
        .today_s = INT64_C(1794787200), /* 2026-11-16 */
        .facts = facts,
    };
    struct task resolved;
    struct err err = ERR_INIT;

    json_add_string(facts, "price", "12.50");
    json_add_string(facts, "brand", "A+ (Audio)");
    json_add_string(facts, "limit", "$20");
    if (!task_resolve(task, &values, &resolved, &err))
        fail_msg("%s", err.text);
    cJSON_Delete(facts);
    return resolved;
}

static void written_task_reads_back(void **state)
{
    struct suite suite = load_full();

    (void)state;
    for (size_t i = 0; i < suite.count; i++) {
        char *first = format(&suite.tasks[i]);
        struct buf whole = BUF_INIT(1 << 20);
        struct suite again;
        struct err err = ERR_INIT;
        char *second;

        buf_printf(&whole, "[%s]", first);
        if (!suite_parse(whole.data, whole.length, "again", &again, &err))
            fail_msg("%s: %s", first, err.text);
        second = format(&again.tasks[0]);
        assert_string_equal(first, second);
        suite_release(&again);
        buf_release(&whole);
        free(first);
        free(second);
    }
    suite_release(&suite);
}

static void resolved_task_has_one_language_and_no_placeholders(void **state)
{
    struct suite suite = load_full();
    struct task english = resolve(&suite.tasks[0], "en-US");
    struct task chinese = resolve(&suite.tasks[0], "zh-CN");

    (void)state;
    assert_string_equal(bilingual_text_in(&english.instruction, "en"),
                        "Find headphones below $20, delivered by Wednesday, "
                        "December 16.");
    assert_string_equal(bilingual_text_in(&chinese.instruction, "en"),
                        "找到低于$20、在12月16日前送达的耳机。");
    assert_string_equal(english.needs[3].say.any,
                        "the cheapest of A+ (Audio) is in the cart");
    assert_string_equal(english.needs[3].check->parts[0].target.any,
                        "add to cart|A\\+\\ \\(Audio\\)");
    assert_string_equal(english.needs[3].check->parts[2].is.any,
                        "^[0-9]{1,3}$");
    assert_string_equal(english.set_up.items[1],
                        "echo 2026-11-16 | awk '{print $1}'");
    assert_string_equal(english.gold.steps[1].action.text, "headphones");
    assert_string_equal(chinese.gold.steps[1].action.text, "耳机");
    assert_string_equal(chinese.gold.steps[6].action.text, "12.50");
    assert_true(english.answer.number == 12.5);
    assert_null(english.answer.number_from);
    task_release(&english);
    task_release(&chinese);
    suite_release(&suite);
}

static void a_suite_is_found_by_path_or_by_name(void **state)
{
    struct err err = ERR_INIT;
    char *path = NULL;

    (void)state;
    assert_int_equal(chdir(TESTS_SUITES), 0);
    assert_true(suite_locate(TESTS_SUITES "/full.json", &path, &err));
    assert_string_equal(path, TESTS_SUITES "/full.json");
    free(path);
    assert_true(suite_locate("full", &path, &err));
    assert_string_equal(path, "full.json");
    free(path);
    assert_false(suite_locate("nowhere", &path, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "there is no suite nowhere"));
    assert_true(suite_locate("../suites", &path, &err));
    assert_string_equal(path, "../suites");
    free(path);
    assert_false(suite_locate("../task", &path, &err)); /* without suites */
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

static void write_file(const char *path, const char *text)
{
    struct err err;

    assert_true(file_save(path, 0644, text, strlen(text), &err));
}

#define TASK(id)                                                               \
    "[{\"id\": \"" id "\", \"app\": \"a.b\", \"kind\": \"state\", "            \
    "\"instruction\": \"Do it.\", \"needs\": [\"it is done\"]}]"

static void a_folder_of_suites_is_one_suite(void **state)
{
    struct suite suite;
    struct err err = ERR_INIT;
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    char *folder;

    (void)state;
    assert_int_equal(chdir(scratch_folder_path()), 0);
    assert_int_equal(mkdir("daily", 0777), 0);
    write_file("daily/mail.json", TASK("mail.read"));
    write_file("daily/maps.json", TASK("maps.near"));
    write_file("daily/maps.ways.json", "[]");
    write_file("daily/notes.txt", "no suite");
    assert_true(suite_open("daily", &suite, &err));
    assert_string_equal(suite.name, "daily");
    assert_int_equal(suite.count, 2);
    assert_string_equal(suite.tasks[0].id, "mail.read");
    assert_string_equal(suite.tasks[1].id, "maps.near");
    folder = suite_files_folder(suite.path);
    assert_string_equal(folder, "daily");
    free(folder);
    suite_release(&suite);

    write_file("daily/maps.json", "[{}]");
    assert_false(suite_files_load("daily", &text, &err));
    assert_non_null(strstr(err.text, "daily/maps.json: task 1"));
    write_file("daily/maps.json", TASK("mail.read"));
    assert_false(suite_load("daily", &suite, &err));
    assert_non_null(strstr(err.text, "another task has it already"));
    buf_release(&text);
}

#define QUESTION "{\"say\": \"with a mask\", \"check\": {\"did\": \"mask\"}}"
#define SHARING(name)                                                          \
    "{\"checklists\": {\"editing\": [" QUESTION "]}, \"tasks\": [{\"id\": "    \
    "\"a\", \"app\": \"a.b\", \"kind\": \"process\", \"instruction\": "        \
    "\"Do it.\", \"needs\": [\"it is done\"], \"checklist\": \"" name "\"}]}"

/* Also where the file is one of a folder. */
static void tasks_share_a_checklist_by_its_name(void **state)
{
    struct suite suite;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(chdir(scratch_folder_path()), 0);
    assert_int_equal(mkdir("shared", 0777), 0);
    write_file("shared/edit.json", SHARING("editing"));
    write_file("shared/mail.json", TASK("mail.read"));
    assert_true(suite_load("shared", &suite, &err));
    assert_int_equal(suite.tasks[0].checklist_count, 1);
    assert_string_equal(
        bilingual_text_in(&suite.tasks[0].checklist[0].say, "en"),
        "with a mask");
    assert_int_equal(suite.tasks[1].checklist_count, 0);
    suite_release(&suite);

    write_file("shared/edit.json", SHARING("editin"));
    assert_false(suite_load("shared/edit.json", &suite, &err));
    assert_string_equal(
        err.text, "shared/edit.json: task \"a\": checklist: "
                  "\"checklists\" of the suite has no \"editin\"; did you "
                  "mean \"editing\"?");
    assert_false(suite_load("shared", &suite, &err));
}

/* A small file must not become a large one in memory. */
static void copies_of_a_checklist_are_limited(void **state)
{
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct suite suite;
    struct err err = ERR_INIT;

    (void)state;
    buf_text(&text, "{\"checklists\": {\"long\": [0");
    for (int i = 0; i < 10000; i++)
        buf_text(&text, ",0");
    buf_text(&text, "]}, \"tasks\": [{\"checklist\": \"long\"}");
    for (int i = 0; i < 1000; i++)
        buf_text(&text, ",{\"checklist\": \"long\"}");
    buf_text(&text, "]}");
    assert_false(
        suite_parse(buf_cstr(&text), text.length, "s.json", &suite, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "s.json: checklists: with a copy"));
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(task_with_all_members_is_read),
        cmocka_unit_test(names_of_version_1_are_read_and_written_as_new_ones),
        cmocka_unit_test(an_old_and_a_new_name_do_not_go_together),
        cmocka_unit_test(written_task_reads_back),
        cmocka_unit_test(resolved_task_has_one_language_and_no_placeholders),
        cmocka_unit_test(a_suite_is_found_by_path_or_by_name),
        cmocka_unit_test(a_folder_of_suites_is_one_suite),
        cmocka_unit_test(tasks_share_a_checklist_by_its_name),
        cmocka_unit_test(copies_of_a_checklist_are_limited),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
