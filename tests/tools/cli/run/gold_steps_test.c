/*
 * The descriptions of every step of every gold on the built-in phone, in both
 * languages, compared with gold_steps.txt. After a change of descriptions or of
 * the phone's apps, PROCTOR_WRITE_GOLDENS=1 writes it again; read the
 * difference before you commit it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "process_provider/summarize/episode_process.h"
#include "tasks/trajectory/episode_folders.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define TEXT_MAX ((size_t)1 << 20)

static void add_episode(const char *folder, const char *locale,
                        struct buf *lines)
{
    const struct picture_access no_pictures = {.by = DEADLINE_NEVER};
    struct trajectory trajectory;
    struct episode_process process;
    struct err err = ERR_INIT;

    if (!trajectory_load(folder, &trajectory, &err))
        fail_msg("%s", err.text);
    episode_process_make(&trajectory, PROCESS_OFFLINE, &no_pictures, &process);
    buf_printf(lines, "%s %s\n", trajectory.head.task, locale);
    for (size_t i = 0; i < process.count; i++) {
        buf_printf(lines, "    %s\n", process.steps[i].description);
        assert_int_equal(process.steps[i].doubt.code, ERR_NONE);
    }
    buf_byte(lines, '\n');
    episode_process_release(&process);
    trajectory_release(&trajectory);
}

static void add_language(const char *locale, struct buf *lines)
{
    struct text_list folders = {.count = 0};
    struct command_run run = {0};
    struct err err = ERR_INIT;
    char script[256];

    snprintf(script, sizeof(script),
             "proctor run phone --agent gold --device phone:2 --seed 1 "
             "--locale %s --out %s",
             locale, locale);
    RUN(&run, 0, script);
    command_run_release(&run);
    if (!episode_folders_find(locale, &folders, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < folders.count; i++)
        add_episode(folders.items[i], locale, lines);
    text_list_release(&folders);
}

/* The first line that differs is enough. */
static void assert_same(const char *expected, const char *lines)
{
    unsigned number = 1;

    while (*expected && *lines) {
        size_t length = strcspn(lines, "\n");
        size_t wanted = strcspn(expected, "\n");

        if (length != wanted || strncmp(lines, expected, length) != 0)
            fail_msg("gold_steps.txt, line %u:\n%.*s\n  is now\n%.*s\n"
                     "PROCTOR_WRITE_GOLDENS=1 writes the file again",
                     number, (int)wanted, expected, (int)length, lines);
        number++;
        lines += length + (lines[length] != '\0');
        expected += wanted + (expected[wanted] != '\0');
    }
    assert_string_equal(expected, lines);
}

static void descriptions_of_all_golds_are_unchanged(void **state)
{
    struct buf lines = BUF_INIT(TEXT_MAX);
    struct buf expected = BUF_INIT(TEXT_MAX);
    struct err err = ERR_INIT;

    (void)state;
    add_language("en", &lines);
    add_language("zh", &lines);
    assert_false(lines.overflow);
    if (getenv("PROCTOR_WRITE_GOLDENS")) {
        assert_true(
            file_save(GOLD_STEPS, 0666, buf_cstr(&lines), lines.length, &err));
    } else {
        if (!file_load(GOLD_STEPS, &expected, &err))
            fail_msg("%s", err.text);
        assert_same(buf_cstr(&expected), buf_cstr(&lines));
    }
    buf_release(&lines);
    buf_release(&expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(descriptions_of_all_golds_are_unchanged,
                                        scratch_folder_enter,
                                        scratch_folder_leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
