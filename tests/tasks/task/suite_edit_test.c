#include "tasks/task/suite_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tasks/task/suite.h"

static const struct task_validated seen = {
    .date = "2026-11-18", .version = "3", .device = "A \"phone\""};

#define VALIDATED                                                              \
    "{\"date\":\"2026-11-18\",\"version\":\"3\",\"device\":\"A "               \
    "\\\"phone\\\"\"}"

static void edit(const char *text, const char *id, struct buf *out)
{
    struct buf all = BUF_INIT(100000);
    struct err err = ERR_INIT;

    buf_text(&all, text);
    (void)buf_cstr(&all);
    if (!suite_edit_validated(&all, id, &seen, out, &err))
        fail_msg("%s", err.text);
    buf_release(&all);
}

static void validated_is_added_after_the_id(void **state)
{
    static const char text[] = "{\n"
                               "  \"comment\": \"tasks: [{\\\"id\\\"\",\n"
                               "  \"tasks\": [\n"
                               "    {\"id\": \"a\"},\n"
                               "    {\n"
                               "      \"id\": \"b\",\n"
                               "      \"level\": \"L1\"\n"
                               "    }\n"
                               "  ]\n"
                               "}\n";
    static const char expected[] = "{\n"
                                   "  \"comment\": \"tasks: [{\\\"id\\\"\",\n"
                                   "  \"tasks\": [\n"
                                   "    {\"id\": \"a\"},\n"
                                   "    {\n"
                                   "      \"id\": \"b\",\n"
                                   "      \"validated\": " VALIDATED ",\n"
                                   "      \"level\": \"L1\"\n"
                                   "    }\n"
                                   "  ]\n"
                                   "}\n";
    struct buf out = BUF_INIT(100000);

    (void)state;
    edit(text, "b", &out);
    assert_string_equal(buf_cstr(&out), expected);
    buf_release(&out);
}

static void validated_is_replaced(void **state)
{
    struct buf out = BUF_INIT(100000);

    (void)state;
    edit("[{\"needs\": [{\"id\": \"b\", \"x\": [1, 2.5, null]}], \"id\": "
         "\"a\"}, {\"validated\": {\"date\": \"2020-01-01\"} , \"id\":\"b\"}]",
         "b", &out);
    assert_string_equal(
        buf_cstr(&out),
        "[{\"needs\": [{\"id\": \"b\", \"x\": [1, 2.5, null]}], \"id\": "
        "\"a\"}, {\"validated\": " VALIDATED " , \"id\":\"b\"}]");
    buf_release(&out);
}

static void unknown_task_is_refused(void **state)
{
    struct buf text = BUF_INIT(1000);
    struct buf out = BUF_INIT(1000);
    struct err err = ERR_INIT;

    (void)state;
    buf_text(&text, "[{\"id\": \"a\"}]");
    (void)buf_cstr(&text);
    assert_false(suite_edit_validated(&text, "b", &seen, &out, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_int_equal(out.length, 0);
    buf_release(&text);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validated_is_added_after_the_id),
        cmocka_unit_test(validated_is_replaced),
        cmocka_unit_test(unknown_task_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
