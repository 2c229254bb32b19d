/* Directories to and from a scripted device. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/adb/loopback_device.h"
#include "tests/support/adb/sync_script.h"

static void an_endless_tree_ends(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;
    char folder[] = "/tmp/sync_test.XXXXXX";

    assert_non_null(mkdtemp(folder));
    sync_script_add_stat(script, 0040755);
    for (int i = 0; i <= SYNC_DEPTH_MAX; i++) {
        sync_script_add_entry(script, 0040755, "d", 1);
        sync_script_end_list(script);
    }
    sync_script_begin_v1(script);
    assert_err_code(
        sync_pull(script->sync, "/p", folder, DEADLINE_NEVER, NULL, &err), &err,
        ERR_LIMIT);
    assert_int_equal(rmdir(folder), 0); /* nothing was created before */
}

/* It may lead to a directory that contains it: the device does not say. */
static void version_1_leaves_out_a_link_to_a_directory(void **state)
{
    struct sync_script *script = *state;
    struct sync_totals totals;
    struct err err = ERR_INIT;
    char folder[] = "/tmp/sync_test.XXXXXX";
    char made[64];

    assert_non_null(mkdtemp(folder));
    sync_script_add_stat(script, 0040755);
    for (int i = 0; i <= SYNC_DEPTH_MAX; i++) {
        sync_script_add_entry(script, 0120777, "link", 4);
        sync_script_end_list(script);
        sync_script_add_stat(script, 0120777); /* of "link" */
        sync_script_add_stat(script, 0040755); /* of "link/." */
    }
    sync_script_begin_v1(script);
    assert_true(
        sync_pull(script->sync, "/p", folder, DEADLINE_NEVER, &totals, &err));
    assert_int_equal(totals.files, 0);
    assert_int_equal(totals.skipped, 1);
    assert_int_equal(totals.unread, 1);
    snprintf(made, sizeof(made), "%s/p", folder);
    assert_int_equal(rmdir(made), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* Bits that the umask removes are not restored. */
static void pulled_files_and_directories_honour_the_umask(void **state)
{
    static const struct {
        const char *path;
        mode_t mode;
    } expected[] = {{"p/d/file", 0640}, {"p/d", 0550}, {"p", 0750}};
    struct sync_script *script = *state;
    struct err err = ERR_INIT;
    char folder[] = "/tmp/sync_test.XXXXXX";
    mode_t before = umask(027);
    char made[64];

    assert_non_null(mkdtemp(folder));
    sync_script_add_stat(script, 0040777);
    sync_script_add_entry(script, 0040555, "d", 1);
    sync_script_end_list(script);
    sync_script_add_entry(script, 0100666, "file", 4);
    sync_script_end_list(script);
    sync_script_add_file(script);
    sync_script_begin_v1(script);
    assert_true(
        sync_pull(script->sync, "/p", folder, DEADLINE_NEVER, NULL, &err));
    umask(before);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        struct stat found;

        snprintf(made, sizeof(made), "%s/%s", folder, expected[i].path);
        assert_int_equal(stat(made, &found), 0);
        assert_int_equal(found.st_mode & 07777, expected[i].mode);
    }
    snprintf(made, sizeof(made), "%s/p/d", folder);
    assert_int_equal(chmod(made, 0700), 0);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        snprintf(made, sizeof(made), "%s/%s", folder, expected[i].path);
        assert_int_equal(remove(made), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void dot_entries_in_a_tree_are_ignored(void **state)
{
    struct sync_script *script = *state;
    struct sync_totals totals;
    struct err err = ERR_INIT;
    char folder[] = "/tmp/sync_test.XXXXXX";
    char made[64];

    assert_non_null(mkdtemp(folder));
    sync_script_add_stat(script, 0040755);
    sync_script_add_entry(script, 0040755, ".", 1);
    sync_script_add_entry(script, 0040755, "..", 2);
    sync_script_add_entry(script, 0120777, "link", 4);
    sync_script_add_entry(script, 0020666, "null", 4);
    sync_script_add_entry(script, 0100600, "file", 4);
    sync_script_end_list(script);
    sync_script_add_file(script);
    sync_script_begin_v1(script);
    assert_true(
        sync_pull(script->sync, "/p", folder, DEADLINE_NEVER, &totals, &err));
    assert_int_equal(totals.files, 1);
    assert_int_equal(totals.bytes, 11);
    assert_int_equal(totals.skipped, 2);
    assert_int_equal(totals.unread, 1);
    snprintf(made, sizeof(made), "%s/p/file", folder);
    assert_int_equal(unlink(made), 0);
    snprintf(made, sizeof(made), "%s/p", folder);
    assert_int_equal(rmdir(made), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* As Android 4.4 does. */
static void session_that_ends_after_each_file_is_reopened(void **state)
{
    const struct loopback_answer answer = {
        .service = "sync:",
        /* SEND "/f,33188", DATA, DONE: each has a header of eight bytes. */
        .takes = 8 + strlen("/f,33188") + 8 + strlen("hello") + 8,
        .bytes = "OKAY\0\0\0\0",
        .length = 8,
    };
    const struct loopback_device_options options = {.answers = &answer,
                                                    .answer_count = 1};
    struct loopback_device *loopback;
    struct device *device = loopback_device_phone(&options, &loopback);
    struct sync_script *script = *state;
    struct sync *sync = NULL;
    struct err err = ERR_INIT;

    assert_int_equal(write(script->fd, "hello", 5), 5);
    assert_true(sync_open(device, NULL, DEADLINE_NEVER, &sync, &err));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lseek(script->fd, 0, SEEK_SET), 0);
        if (!sync_send(sync, script->fd, "/f", 0100644, 0, 5, DEADLINE_NEVER,
                       &err))
            fail_msg("%s", err.text);
    }
    sync_close(sync);
    device_close(device);
    loopback_device_stop(loopback);
}

/* Push an empty directory to path; shell is the expected command. */
static void push_empty_directory(const char *path, const char *shell)
{
    const struct loopback_answer answers[] = {
        {.service = "sync:",
         .takes = 8 + strlen(path),
         .bytes = "STAT\0\0\0\0\0\0\0\0\0\0\0\0",
         .length = 16},
        LOOPBACK_SAYS(shell, "__proctor_status:0\n"),
    };
    const struct loopback_device_options options = {.answers = answers,
                                                    .answer_count = 2};
    struct loopback_device *loopback;
    struct device *device = loopback_device_phone(&options, &loopback);
    char folder[] = "/tmp/sync_test.XXXXXX";
    struct sync *sync = NULL;
    struct err err = ERR_INIT;

    assert_non_null(mkdtemp(folder));
    assert_true(sync_open(device, NULL, DEADLINE_NEVER, &sync, &err));
    if (!sync_push(sync, folder, path, DEADLINE_NEVER, NULL, &err))
        fail_msg("%s", err.text);
    sync_close(sync);
    device_close(device);
    loopback_device_stop(loopback);
    assert_int_equal(rmdir(folder), 0);
}

static void empty_directories_are_made_without_ending_options(void **state)
{
    (void)state;
    push_empty_directory("/d",
                         "shell:( mkdir -p '/d'\n); echo __proctor_status:$?");
    push_empty_directory(
        "-d", "shell:( mkdir -p ./'-d'\n); echo __proctor_status:$?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sync_script_test(an_endless_tree_ends),
        sync_script_test(version_1_leaves_out_a_link_to_a_directory),
        sync_script_test(pulled_files_and_directories_honour_the_umask),
        sync_script_test(dot_entries_in_a_tree_are_ignored),
        sync_script_test(session_that_ends_after_each_file_is_reopened),
        sync_script_test(empty_directories_are_made_without_ending_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
