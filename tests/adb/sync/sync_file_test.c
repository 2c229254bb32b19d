/* Files to and from a scripted device. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/adb/sync_script.h"

static void file_has_the_content_of_its_data(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add_file(script);
    sync_script_begin_v1(script);
    assert_true(
        sync_receive(script->sync, "/p", script->fd, 0, DEADLINE_NEVER, &err));
    sync_script_assert_file(script, "hello world");
}

static void failure_in_the_middle_of_a_file_is_reported(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add_text(script, "DATA", "half");
    sync_script_add_text(script, "FAIL", "read failed");
    sync_script_begin_v2(script);
    assert_err_code(
        sync_receive(script->sync, "/p", script->fd, 0, DEADLINE_NEVER, &err),
        &err, ERR_REMOTE);
    assert_string_equal(err.text, "pulling /p: read failed");
}

static void announced_4_gib_are_refused(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add(script, "DATA", UINT32_MAX);
    sync_script_begin_v1(script);
    assert_err_code(
        sync_receive(script->sync, "/p", script->fd, 0, DEADLINE_NEVER, &err),
        &err, ERR_PROTOCOL);
}

static void compressed_bytes_that_end_early_or_late_are_refused(void **state)
{
    static const char frame[] = "\x04\x22\x4d\x18\x40\x40\xc0\0\0\0\0";
    const struct sync_options options = {.compression = SYNC_LZ4};
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add(script, "DATA", 11);
    buf_append(&script->bytes, frame, 11);
    sync_script_add(script, "DONE", 0);
    sync_script_begin(script, SYNC_SCRIPT_V2_FEATURES, &options,
                      script->bytes.length, SIZE_MAX);
    assert_true(
        sync_receive(script->sync, "/p", script->fd, 0, DEADLINE_NEVER, &err));
    sync_script_assert_file(script, "");

    buf_clear(&script->bytes);
    sync_script_add(script, "DATA", 10);
    buf_append(&script->bytes, frame, 10);
    sync_script_add(script, "DONE", 0);
    sync_script_begin(script, SYNC_SCRIPT_V2_FEATURES, &options,
                      script->bytes.length, SIZE_MAX);
    assert_err_code(
        sync_receive(script->sync, "/p", script->fd, 0, DEADLINE_NEVER, &err),
        &err, ERR_PROTOCOL);

    buf_clear(&script->bytes);
    sync_script_add(script, "DATA", 12);
    buf_append(&script->bytes, frame, 12);
    sync_script_add(script, "DONE", 0);
    sync_script_begin(script, SYNC_SCRIPT_V2_FEATURES, &options,
                      script->bytes.length, SIZE_MAX);
    assert_err_code(
        sync_receive(script->sync, "/p", script->fd, 0, DEADLINE_NEVER, &err),
        &err, ERR_PROTOCOL);
}

static void unknown_compression_is_refused_at_once(void **state)
{
    const struct sync_options options = {.compression = SYNC_BROTLI};
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    scripted_stream_init(&script->device, "", 0, 1);
    assert_err_code(sync_over_stream(&script->device.stream,
                                     SYNC_SCRIPT_V2_FEATURES, &options,
                                     &script->sync, &err),
                    &err, ERR_UNSUPPORTED);
}

static void failure_belongs_to_the_oldest_pending_file(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add_okay(script);
    sync_script_add_text(script, "FAIL", "disk full");
    sync_script_begin(script, SYNC_SCRIPT_V2_FEATURES, NULL,
                      script->bytes.length, 8);
    for (int i = 0; i < 4; i++) {
        char path[8];

        snprintf(path, sizeof(path), "/%d", i);
        sync_script_write_file(script, "text");
        assert_true(sync_send_ahead(script->sync, script->fd, path, 0100644, 0,
                                    4, DEADLINE_NEVER, &err));
    }
    assert_err_code(sync_settle(script->sync, DEADLINE_NEVER, &err), &err,
                    ERR_REMOTE);
    assert_string_equal(err.text, "pushing /1: disk full");
}

static void any_number_of_files_can_be_sent_ahead(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    for (int i = 0; i < 3 * SYNC_PENDING_MAX; i++)
        sync_script_add_okay(script);
    sync_script_begin(script, SYNC_SCRIPT_V2_FEATURES, NULL,
                      script->bytes.length, 8);
    for (int i = 0; i < 3 * SYNC_PENDING_MAX; i++)
        assert_true(sync_send_link(script->sync, "target", "/link", 0,
                                   DEADLINE_NEVER, &err));
    assert_true(sync_settle(script->sync, DEADLINE_NEVER, &err));
    assert_int_equal(script->device.next, script->bytes.length);
}

static void an_early_failure_ends_the_sending(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add_text(script, "FAIL", "disk full");
    sync_script_begin_v2(script);
    assert_int_equal(ftruncate(script->fd, (off_t)64 << 20), 0);
    assert_err_code(sync_send(script->sync, script->fd, "/p", 0100644, 1000, 0,
                              DEADLINE_NEVER, &err),
                    &err, ERR_REMOTE);
    assert_true(lseek(script->fd, 0, SEEK_CUR) < (off_t)4 << 20);
}

static void a_file_confirmed_too_early_is_refused(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add_okay(script);
    sync_script_begin_v2(script);
    assert_int_equal(ftruncate(script->fd, (off_t)4 << 20), 0);
    assert_err_code(sync_send(script->sync, script->fd, "/p", 0100644, 1000, 0,
                              DEADLINE_NEVER, &err),
                    &err, ERR_PROTOCOL);
}

static void unreadable_local_file_is_reported(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;
    int folder = open("/", O_RDONLY | O_CLOEXEC);

    sync_script_begin_v2(script);
    assert_err_code(sync_send(script->sync, folder, "/p", 0100644, 0, 0,
                              DEADLINE_NEVER, &err),
                    &err, ERR_IO);
    assert_non_null(strstr(err.text, "reading the local file"));
    close(folder);
}

static bool stop(void *context, const char *path, uint64_t moved,
                 uint64_t total)
{
    (void)path;
    (void)total;
    *(uint64_t *)context = moved;
    return false;
}

static void progress_callback_can_stop_a_transfer(void **state)
{
    struct sync_script *script = *state;
    uint64_t moved = 0;
    const struct sync_options options = {.progress = stop, .context = &moved};
    struct err err = ERR_INIT;

    sync_script_add_file(script);
    sync_script_begin(script, 0, &options, script->bytes.length, SIZE_MAX);
    assert_err_code(
        sync_receive(script->sync, "/p", script->fd, 0, DEADLINE_NEVER, &err),
        &err, ERR_CANCELLED);
    assert_int_equal(moved, 11);
    sync_script_begin(script, 0, &options, 0, SIZE_MAX);
    sync_script_write_file(script, "four");
    assert_err_code(sync_send(script->sync, script->fd, "/p", 0100644, 1000, 0,
                              DEADLINE_NEVER, &err),
                    &err, ERR_CANCELLED);
    assert_int_equal(moved, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sync_script_test(file_has_the_content_of_its_data),
        sync_script_test(failure_in_the_middle_of_a_file_is_reported),
        sync_script_test(announced_4_gib_are_refused),
        sync_script_test(compressed_bytes_that_end_early_or_late_are_refused),
        sync_script_test(unknown_compression_is_refused_at_once),
        sync_script_test(failure_belongs_to_the_oldest_pending_file),
        sync_script_test(any_number_of_files_can_be_sent_ahead),
        sync_script_test(an_early_failure_ends_the_sending),
        sync_script_test(a_file_confirmed_too_early_is_refused),
        sync_script_test(unreadable_local_file_is_reported),
        sync_script_test(progress_callback_can_stop_a_transfer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
