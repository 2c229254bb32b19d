/*
 * Wordings of a suite: those that are accepted become tasks of a valid suite.
 */
#include <stdlib.h>
#include <string.h>

#include "tasks/task/task_wording.h"
#include "tests/fuzz/fuzz.h"

static const char suite_text[] =
    "[{\"id\": \"a.b\", \"app\": \"org.a\", \"kind\": \"state\","
    "  \"instruction\": {\"en\": \"Call {name} on {today:%A}\","
    "                    \"zh\": \"{name}\"},"
    "  \"needs\": [\"it is done\"], \"truth\": \"a.b\","
    "  \"facts\": [\"name\"]},"
    " {\"id\": \"a.c\", \"app\": \"org.a\", \"kind\": \"state\","
    "  \"instruction\": \"Wait\", \"needs\": [\"it is done\"]}]";

static void expand(const struct suite *suite,
                   const struct task_wordings *wordings)
{
    const struct task_wordings_choice choice = {.all = true};
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct suite made;
    struct err err;

    if (!task_wordings_expand(suite, wordings, &choice, &text, &err) ||
        !suite_parse(buf_cstr(&text), text.length, "made.json", &made, &err) ||
        made.count < wordings->count)
        abort();
    suite_release(&made);
    buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct suite suite;
    struct task_wordings wordings;
    struct err err;

    if (!suite_parse(suite_text, strlen(suite_text), "s.json", &suite, &err))
        abort();
    if (task_wordings_parse((const char *)data, size, "w.json", &suite,
                            &wordings, &err)) {
        if (wordings.count)
            expand(&suite, &wordings);
        task_wordings_release(&wordings);
    }
    suite_release(&suite);
    return 0;
}
