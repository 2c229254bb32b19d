/* Other wordings of the instructions of tasks. */
#include "tasks/task/task_wording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"

/* 60 bytes */
#define LONG_ID "a.abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdef"

static const char suite_text[] =
    "[{\"id\": \"a.b\", \"app\": \"org.a\", \"kind\": \"state\","
    "  \"instruction\": {\"en\": \"Call {name} on {today:%A}\","
    "                    \"zh\": \"打给{name}\"},"
    "  \"needs\": [\"it is done\"], \"truth\": \"a.b\","
    "  \"facts\": [\"name\", \"other\"]},"
    " {\"id\": \"a.c\", \"app\": \"org.a\", \"kind\": \"state\","
    "  \"instruction\": \"Wait\", \"needs\": [\"it is done\"]},"
    " {\"id\": \"" LONG_ID "\", \"app\": \"org.a\", \"kind\": \"state\","
    "  \"instruction\": \"Wait\", \"needs\": [\"it is done\"]}]";

static const char wordings_text[] =
    "[{\"task\": \"a.b\", \"wordings\": ["
    " {\"style\": \"polite\", \"say\": {\"en\": \"On {today}, please call "
    "{name}\", \"zh\": \"请打给{name}\"}},"
    " {\"style\": \"terse\", \"say\": {\"en\": \"{name}, {today}: {{\", "
    "\"zh\": \"{name}\"}}]}]";

static bool parse(const char *text, struct suite *suite,
                  struct task_wordings *wordings, struct err *err)
{
    assert_true(
        suite_parse(suite_text, strlen(suite_text), "s.json", suite, err));
    return task_wordings_parse(text, strlen(text), "w.json", suite, wordings,
                               err);
}

static void wordings_belong_to_a_task_and_a_style(void **state)
{
    struct suite suite;
    struct task_wordings wordings;
    struct err err = ERR_INIT;

    (void)state;
    if (!parse(wordings_text, &suite, &wordings, &err))
        fail_msg("%s", err.text);
    assert_int_equal(wordings.count, 2);
    assert_ptr_equal(wordings.items[1].task, &suite.tasks[0]);
    assert_int_equal(wordings.items[1].style, WORDING_TERSE);
    assert_string_equal(wordings.items[1].say.zh, "{name}");
    task_wordings_release(&wordings);
    suite_release(&suite);
}

#define WORDING(style, say)                                                    \
    "[{\"task\": \"a.b\", \"wordings\": [{\"style\": \"" style                 \
    "\", \"say\": " say "}]}]"

static void mistakes_are_reported_with_task_and_style(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"{}", "expected an array"},
        {"[{\"task\": \"a.d\", \"wordings\": []}]", "no task \"a.d\""},
        {"[{\"task\": \"a.b\"}]", "wordings"},
        {WORDING("polit", "{\"en\": \"a\"}"), "polite"},
        {WORDING("terse", "\"{name} {today}\""),
         "task \"a.b\", terse: the instruction has no text for any language"},
        {WORDING("terse", "{\"en\": \"{name} {today}\"}"),
         "the text in Chinese is missing"},
        {WORDING("terse", "{\"en\": \"{name}\", \"zh\": \"{name}\"}"),
         "{today} is in the instruction, but not here"},
        {WORDING("terse", "{\"en\": \"{name} {today}\", \"zh\": \"\xe6\x89"
                          "\x93\"}"),
         "{name} is in the instruction, but not here"},
        {WORDING("terse", "{\"en\": \"{name} {today}\", \"zh\": \"{name} "
                          "{other}\"}"),
         "{other} is not in the instruction"},
        {WORDING("terse", "{\"en\": \"{name} {today\", \"zh\": \"{name}\"}"),
         "does not end"},
        {WORDING("terse", "{\"en\": \"{name} {today:%Q}\", \"zh\": "
                          "\"{name}\"}"),
         "%Q"},
        {"[{\"task\": \"a.c\", \"wordings\": [{\"style\": \"terse\", "
         "\"say\": \"Wait\"}, {\"style\": \"terse\", \"say\": \"Wait\"}]}]",
         "task \"a.c\", terse: there are two of this style"},
        {"[{\"task\": \"" LONG_ID "\", \"wordings\": [{\"style\": "
         "\"terse\", \"say\": \"Wait\"}]}]",
         "terse: the task's id is 2 bytes too long"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct suite suite;
        struct task_wordings wordings;
        struct err err = ERR_INIT;

        if (parse(cases[i].text, &suite, &wordings, &err))
            fail_msg("accepted: %s", cases[i].text);
        assert_int_equal(err.code, ERR_INVALID);
        if (!strstr(err.text, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", err.text, cases[i].says);
        suite_release(&suite);
    }
}

/* The suite of the chosen wordings; the caller releases it. */
static void expand(const char *style, const char *id, struct suite *made)
{
    struct task_wordings_choice choice = {.ids = &id, .id_count = id != NULL};
    struct suite suite;
    struct task_wordings wordings;
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct err err = ERR_INIT;

    if (!parse(wordings_text, &suite, &wordings, &err) ||
        !task_wordings_choose(style, &choice, &err) ||
        !task_wordings_expand(&suite, &wordings, &choice, &text, &err) ||
        !suite_parse(buf_cstr(&text), text.length, "made.json", made, &err))
        fail_msg("%s", err.text);
    buf_release(&text);
    task_wordings_release(&wordings);
    suite_release(&suite);
}

static void wordings_become_tasks(void **state)
{
    struct suite made;

    (void)state;
    expand("all", NULL, &made);
    assert_int_equal(made.count, 3); /* a.c has no other wording */
    assert_string_equal(made.tasks[0].id, "a.b");
    assert_null(made.tasks[0].rewording.of);
    assert_string_equal(made.tasks[1].id, "a.b.polite");
    assert_string_equal(made.tasks[1].rewording.of, "a.b");
    assert_string_equal(made.tasks[1].truth, "a.b");
    suite_release(&made);

    expand("terse", "a.b", &made);
    assert_int_equal(made.count, 1);
    assert_int_equal(made.tasks[0].rewording.style, WORDING_TERSE);
    assert_string_equal(made.tasks[0].instruction.en, "{name}, {today}: {{");
    suite_release(&made);

    expand("1", NULL, &made);
    assert_string_equal(made.tasks[0].id, "a.b.polite");
    suite_release(&made);
}

static void choices_without_a_wording_are_refused(void **state)
{
    static const struct {
        const char *style;
        const char *id;
        const char *says;
    } cases[] = {
        {"polit", NULL, "did you mean \"polite\"?"},
        {"11", NULL, "a number from 1 to 10"},
        {"", NULL, "expected all"},
        {"chatty", NULL, "no such wording"},
        {"all", "a.c", "no such wording"},
        {"all", "a.x", "no task \"a.x\""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct task_wordings_choice choice = {.ids = &cases[i].id,
                                              .id_count = cases[i].id != NULL};
        struct suite suite;
        struct task_wordings wordings;
        struct buf text = BUF_INIT(TASK_FILE_MAX);
        struct err err = ERR_INIT;

        assert_true(parse(wordings_text, &suite, &wordings, &err));
        if (task_wordings_choose(cases[i].style, &choice, &err) &&
            task_wordings_expand(&suite, &wordings, &choice, &text, &err))
            fail_msg("accepted: %s", cases[i].style);
        if (!strstr(err.text, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", err.text, cases[i].says);
        buf_release(&text);
        task_wordings_release(&wordings);
        suite_release(&suite);
    }
}

static void a_suite_that_becomes_too_large_is_refused(void **state)
{
    const struct task_wordings_choice choice = {.all = true};
    struct suite suite;
    struct task_wordings wordings;
    struct buf text = BUF_INIT(64);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(parse(wordings_text, &suite, &wordings, &err));
    assert_false(task_wordings_expand(&suite, &wordings, &choice, &text, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    buf_release(&text);
    task_wordings_release(&wordings);
    suite_release(&suite);
}

static void save(const char *path, const char *text)
{
    struct err err;

    assert_true(file_save(path, 0666, text, strlen(text), &err));
}

#define OF_C "[{\"task\": \"a.c\", \"wordings\": [{\"style\": "

static void a_style_is_given_once_in_all_files(void **state)
{
    struct suite suite;
    struct task_wordings wordings;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(chdir(scratch_folder_path()), 0);
    assert_int_equal(mkdir("two", 0777), 0);
    save("two/a.json", suite_text);
    save("two/b.json",
         "[{\"id\": \"b.b\", \"app\": \"org.b\", \"kind\": \"state\", "
         "\"instruction\": \"Go\", \"needs\": [\"it is done\"]}]");
    save("two/a.wordings.json", OF_C "\"terse\", \"say\": \"Wait!\"}]}]");
    save("two/b.wordings.json", OF_C "\"polite\", \"say\": \"Do wait\"}]}]");
    assert_true(suite_load("two", &suite, &err));
    if (!task_wordings_load(&suite, &wordings, &err))
        fail_msg("%s", err.text);
    assert_int_equal(wordings.count, 2);
    task_wordings_release(&wordings);

    save("two/b.wordings.json", OF_C "\"terse\", \"say\": \"Do wait\"}]}]");
    assert_false(task_wordings_load(&suite, &wordings, &err));
    assert_string_equal(err.text, "two/b.wordings.json: task \"a.c\", terse: "
                                  "there are two of this style");
    suite_release(&suite);
}

static void rewording_is_named_after_its_task(void **state)
{
    static const char *const wrong[] = {
        "{\"of\": \"a.c\", \"style\": \"terse\"}",
        "{\"of\": \"a.b\", \"style\": \"polite\"}",
        "{\"of\": \"a.b\"}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct buf text = BUF_INIT(TASK_FILE_MAX);
        struct suite suite;
        struct err err = ERR_INIT;

        buf_printf(&text,
                   "[{\"id\": \"a.b.terse\", \"app\": \"org.a\", \"kind\": "
                   "\"state\", \"instruction\": \"Go\", \"needs\": [\"it is "
                   "done\"], \"rewording\": %s}]",
                   wrong[i]);
        assert_false(
            suite_parse(buf_cstr(&text), text.length, "s.json", &suite, &err));
        assert_non_null(strstr(err.text, "rewording"));
        buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wordings_belong_to_a_task_and_a_style),
        cmocka_unit_test(mistakes_are_reported_with_task_and_style),
        cmocka_unit_test(wordings_become_tasks),
        cmocka_unit_test(choices_without_a_wording_are_refused),
        cmocka_unit_test(a_suite_that_becomes_too_large_is_refused),
        cmocka_unit_test(a_style_is_given_once_in_all_files),
        cmocka_unit_test(rewording_is_named_after_its_task),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
