/*
 * Suites: a parsed one can be resolved in both languages, and reads back the
 * same after writing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tests/fuzz/fuzz.h"

static void format(const struct task *task, struct buf *text)
{
    struct cJSON *tree = task_to_json(task);

    buf_text(text, "[");
    json_format(tree, text);
    buf_text(text, "]");
    cJSON_Delete(tree);
}

static void read_again(const struct task *task)
{
    struct buf first = BUF_INIT(TASK_FILE_MAX);
    struct buf second = BUF_INIT(TASK_FILE_MAX);
    struct suite again;
    struct err err;

    format(task, &first);
    if (!suite_parse(buf_cstr(&first), first.length, "again", &again, &err))
        abort();
    format(&again.tasks[0], &second);
    if (first.length != second.length ||
        memcmp(first.data, second.data, first.length) != 0)
        abort();
    suite_release(&again);
    buf_release(&first);
    buf_release(&second);
}

static void ask(const struct task *task, const char *locale)
{
    const struct task_values values = {.locale = locale, .today_s = 951782400};
    struct task asked;
    struct err err;

    if (!task_resolve(task, &values, &asked, &err))
        return; /* it uses facts */
    if (!bilingual_text_in(&asked.instruction, locale))
        abort();
    task_release(&asked);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct suite suite;
    struct err err;

    if (!suite_parse((const char *)data, size, "s.json", &suite, &err))
        return 0;
    for (size_t i = 0; i < suite.count; i++) {
        read_again(&suite.tasks[i]);
        ask(&suite.tasks[i], "en");
        ask(&suite.tasks[i], "zh-CN");
    }
    suite_release(&suite);
    return 0;
}
