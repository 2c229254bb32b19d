/*
 * Every command of the README, run as it stands there, but for what the test
 * has not: real phones, a model's service, and the time for all twenty tasks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "tests/cli/command_run.h"
#include "tests/support/model_server.h"
#include "tests/support/scratch.h"
#include "tools/phone/phone.h"

#define README_MAX ((size_t)1 << 20)
#define LINE_MAX_LENGTH 1024

struct readme {
    struct buf text;
    struct phone *phone; /* stands in for a real one, and for an emulator */
    struct model_server *models;
    char address[32];
};

/* ---- what stands in ---- */

/* Says that the task is complete, and of any question that it is so. */
static void answer(void *context, const struct model_question *question,
                   struct model_answer *reply)
{
    (void)context, (void)question;
    reply->body =
        mem_dup("{\"model\":\"m-1\",\"choices\":[{\"message\":{\"content\":"
                "\"<think>Done.</think><answer>Complete()</answer>\"},"
                "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":12,"
                "\"completion_tokens\":3}}");
}

static int start(void **state)
{
    const struct phone_options options = {.adb_keyboard = true};
    struct readme *readme = mem_new(1, sizeof(*readme));
    struct err err;
    char url[64];

    readme->text = (struct buf)BUF_INIT(README_MAX);
    if (!file_load(README, &readme->text, &err) ||
        !phone_start(&options, &readme->phone, &err) || scratch_enter(state))
        return -1;
    readme->models = model_server_start(answer, NULL);
    snprintf(readme->address, sizeof(readme->address), "127.0.0.1:%u",
             phone_port(readme->phone));
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/v1",
             model_server_port(readme->models));
    setenv("OPENAI_BASE_URL", url, 1);
    setenv("HOME", scratch_path(), 1);
    setenv("XDG_STATE_HOME", scratch_path(), 1);
    setenv("ANDROID_ADB_SERVER_PORT", "1", 1); /* nobody's */
    *state = readme;
    return 0;
}

static int stop(void **state)
{
    struct readme *readme = *state;

    model_server_stop(readme->models);
    phone_stop(readme->phone);
    buf_release(&readme->text);
    free(readme);
    return scratch_leave(state);
}

/* ---- its examples ---- */

/* The text between a fence of that language and its end; then what follows. */
static const char *next_example(const char *from, const char *language,
                                struct buf *example)
{
    char fence[32];
    const char *start;
    const char *end;

    snprintf(fence, sizeof(fence), "\n```%s\n", language);
    start = strstr(from, fence);
    if (!start)
        return NULL;
    start += strlen(fence);
    end = strstr(start, "```");
    assert_non_null(end);
    buf_clear(example);
    buf_append(example, start, (size_t)(end - start));
    return end;
}

static void save_example(const struct readme *readme, const char *language,
                         const char *name)
{
    struct buf example = BUF_INIT(README_MAX);
    struct err err;

    assert_non_null(next_example(buf_cstr(&readme->text), language, &example));
    assert_true(file_save(name, 0666, example.data, example.length, &err));
    buf_release(&example);
}

/* What the test says in place of what stands there. */
static void translate(const struct readme *readme, const char *line,
                      char result[LINE_MAX_LENGTH])
{
    const char *const table[][2] = {
        {"192.168.1.20:5555", readme->address},
        {"emulator-5554", readme->address},
        {"run phone ", "run phone --task settings.dark --steps 3 "},
        {"run mine.json ", "run mine.json --steps 2 "},
        {"--task shop.cheapest --locale", "--task settings.timeout --locale"},
    };
    struct buf text = BUF_INIT(LINE_MAX_LENGTH - 1);

    while (*line) {
        bool found = false;

        for (size_t i = 0; !found && i < ARRAY_LEN(table); i++) {
            size_t length = strlen(table[i][0]);

            found = !strncmp(line, table[i][0], length);
            if (found) {
                buf_text(&text, table[i][1]);
                line += length;
            }
        }
        if (!found)
            buf_byte(&text, *line++);
    }
    assert_false(text.overflow);
    snprintf(result, LINE_MAX_LENGTH, "%s", buf_cstr(&text));
    buf_release(&text);
}

/* The set-up scripts: one runs this very test, the other is tried by its own.
 */
static bool is_script(const char *line)
{
    return !strncmp(line, "tools/", 6);
}

static void run_line(const struct readme *readme, const char *line)
{
    struct command_run run = {0};
    char script[LINE_MAX_LENGTH];

    if (is_script(line))
        return;
    if (!strncmp(line, "export ", 7)) {
        setenv("OPENAI_API_KEY", "sk-test-Xq7Lp2Vn9Rk4Tz8W", 1);
        return;
    }
    translate(readme, line, script);
    RUN(&run, 0, script);
    command_run_release(&run);
}

static void every_command_does_what_it_says(void **state)
{
    const struct readme *readme = *state;
    const char *at = buf_cstr(&readme->text);
    struct buf example = BUF_INIT(README_MAX);
    size_t count = 0;

    save_example(readme, "python", "agent.py");
    save_example(readme, "json", "mine.json");
    while ((at = next_example(at, "sh", &example))) {
        char *rest = example.data;
        const char *line;

        while ((line = strsep(&rest, "\n"))) {
            if (*line) {
                run_line(readme, line);
                count++;
            }
        }
    }
    assert_true(count > 15);
    buf_release(&example);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_does_what_it_says),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
