/* Right and wrong ways to do a task. */
#include "tasks/task/task_way.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tasks/task/suite.h"

static const char suite_text[] =
    "[{\"id\": \"a.b\", \"app\": \"org.a\", \"kind\": \"process\","
    "  \"instruction\": \"do it\", \"needs\": [\"it is done\"],"
    "  \"gold\": [{\"do\": \"click\", \"at\": {\"text\": \"One\"}},"
    "             {\"do\": \"type\", \"text\": \"two\"},"
    "             {\"do\": \"enter\"}, {\"do\": \"complete\"}]}]";

static bool parse(const char *text, struct suite *suite, struct task_ways *ways,
                  struct err *err)
{
    assert_true(
        suite_parse(suite_text, strlen(suite_text), "s.json", suite, err));
    return task_ways_parse(text, strlen(text), "w.json", suite, ways, err);
}

static void numbers_stand_for_steps_of_the_gold(void **state)
{
    const char *text = "[{\"task\": \"a.b\", \"ways\": ["
                       " {\"name\": \"other\", \"class\": \"variant\","
                       "  \"steps\": [2, {\"do\": \"back\"}, \"1-3\"]},"
                       " {\"name\": \"less\", \"class\": \"skipped\","
                       "  \"breaks\": \"typed\", \"steps\": [1, \"3-4\"]}]}]";
    static const enum action_kind kinds[] = {
        ACTION_TYPE, ACTION_BACK, ACTION_CLICK, ACTION_TYPE, ACTION_ENTER};
    struct suite suite;
    struct task_ways ways;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(parse(text, &suite, &ways, &err));
    assert_int_equal(ways.count, 2);
    assert_ptr_equal(ways.items[0].task, &suite.tasks[0]);
    assert_int_equal(ways.items[0].class_, TASK_WAY_VARIANT);
    assert_int_equal(ways.items[0].steps.count, ARRAY_LEN(kinds));
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        assert_int_equal(ways.items[0].steps.steps[i].action.kind, kinds[i]);
    assert_string_equal(ways.items[0].steps.steps[0].action.text, "two");
    assert_string_equal(ways.items[1].breaks, "typed");
    task_ways_release(&ways);
    suite_release(&suite);
}

static void mistakes_are_reported_with_their_position(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"{}", "expected an array"},
        {"[{\"task\": \"a.c\", \"ways\": []}]", "no task \"a.c\""},
        {"[{\"task\": \"a.b\"}]", "ways"},
        {"[{\"task\": \"a.b\", \"ways\": [{\"name\": \"x\","
         "\"class\": \"variant\", \"steps\": [5]}]}]",
         "steps[0]"},
        {"[{\"task\": \"a.b\", \"ways\": [{\"name\": \"x\","
         "\"class\": \"variant\", \"steps\": [1, \"3-2\"]}]}]",
         "steps[1]"},
        {"[{\"task\": \"a.b\", \"ways\": [{\"name\": \"x\","
         "\"class\": \"variant\", \"steps\": [\"1-4\", {\"do\": "
         "\"clock\"}]}]}]",
         "ways[0].steps[1]"},
        {"[{\"task\": \"a.b\", \"ways\": [{\"name\": \"x\","
         "\"class\": \"cousine\", \"steps\": [1]}]}]",
         "variant"},
        {"[{\"task\": \"a.b\", \"ways\": [{\"name\": \"x\","
         "\"class\": \"gold\", \"steps\": [1]}]}]",
         "every task"},
        {"[{\"task\": \"a.b\", \"ways\": [{\"name\": \"x\","
         "\"class\": \"variant\", \"breaks\": \"y\", \"steps\": [1]}]}]",
         "breaks nothing"},
        {"[{\"task\": \"a.b\", \"ways\": [{\"name\": \"x\", \"brakes\": \"y\","
         "\"class\": \"luck\", \"steps\": [1]}]}]",
         "breaks"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct suite suite;
        struct task_ways ways = {.count = 7};
        struct err err = ERR_INIT;

        assert_false(parse(cases[i].text, &suite, &ways, &err));
        if (!strstr(err.text, "w.json") || !strstr(err.text, cases[i].says))
            fail_msg("%zu: %s", i, err.text);
        assert_int_equal(ways.count, 7);
        suite_release(&suite);
    }
}

static void classes_have_names(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TASK_WAY_CLASSES; i++) {
        enum task_way_class found = TASK_WAY_CLASSES;

        assert_true(task_way_class_find(
            task_way_class_name((enum task_way_class)i), &found));
        assert_int_equal(found, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stand_for_steps_of_the_gold),
        cmocka_unit_test(mistakes_are_reported_with_their_position),
        cmocka_unit_test(classes_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
