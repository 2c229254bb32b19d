/* proctor env: the same bytes from every process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define REQUESTS_MAX ((size_t)64 * 1024)

/* An episode of each kind of app, with its trees and some of its pictures. */
static void write_requests(const char *path)
{
    static const char *const tasks[] = {"shop.review", "eats.order",
                                        "clock.alarm"};
    static const char *const actions[] = {
        "\"click\",\"x\":540,\"y\":700",
        "\"scroll\",\"direction\":\"down\"",
        "\"click\",\"x\":400,\"y\":1500",
        "\"type\",\"text\":\"noodles\",\"submit\":true",
        "\"back\"",
        "\"open_app\",\"text\":\"settings\"",
        "\"answer\",\"text\":\"42\"",
    };
    struct buf lines = BUF_INIT(REQUESTS_MAX);
    struct err err = ERR_INIT;

    for (size_t task = 0; task < ARRAY_LEN(tasks); task++) {
        buf_printf(&lines,
                   "{\"method\":\"reset\",\"env\":\"e\",\"task\":\"%s\","
                   "\"seed\":%zu,\"tree\":\"xml\"}\n",
                   tasks[task], 40 + task);
        for (size_t i = 0; i < ARRAY_LEN(actions); i++)
            buf_printf(&lines,
                       "{\"method\":\"step\",\"env\":\"e\",\"action\":{"
                       "\"action\":%s},\"screen\":\"%s\"}\n",
                       actions[i], i % 3 ? "none" : "base64");
    }
    assert_true(file_save(path, 0600, lines.data, lines.length, &err));
    buf_release(&lines);
}

static void two_processes_answer_with_the_same_bytes(void **state)
{
    struct command_run run = {0};

    (void)state;
    write_requests("requests");
    RUN(&run, 0, "proctor env --threads 1 <requests >first");
    RUN(&run, 0, "proctor env --threads 3 <requests >second");
    RUN(&run, 0, "cmp first second");
    RUN(&run, 0, "grep -c '\"observation\":' first");
    SAYS(run.out, "24\n");
    RUN(&run, 0, "grep -c '\"screen\":\"iVBOR' first");
    SAYS(run.out, "9\n");
    RUN(&run, 1, "grep '\"error\":' first");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes_answer_with_the_same_bytes),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
