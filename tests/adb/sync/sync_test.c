/* Operations of a sync session with a scripted device. */
#include "adb/sync/sync.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/support/adb/sync_script.h"

/* ---- each operation, on a separate path ---- */

static bool ask_stat(struct sync_script *script, struct deadline by,
                     struct err *err)
{
    struct sync_stat stat;

    return sync_stat(script->sync, "/p", false, by, &stat, err);
}

static bool take_any(void *context, const char *name,
                     const struct sync_stat *stat)
{
    (void)context;
    (void)name;
    (void)stat;
    return true;
}

static bool ask_list(struct sync_script *script, struct deadline by,
                     struct err *err)
{
    return sync_list(script->sync, "/p", take_any, NULL, by, err);
}

static bool ask_receive(struct sync_script *script, struct deadline by,
                        struct err *err)
{
    return sync_receive(script->sync, "/p", script->fd, 0, by, err);
}

static bool ask_send(struct sync_script *script, struct deadline by,
                     struct err *err)
{
    return sync_send(script->sync, script->fd, "/p", 0100644, 1000, 0, by, err);
}

static void add_link(struct sync_script *script)
{
    sync_script_add_stat(script, 0120777);
}

static const struct {
    bool (*ask)(struct sync_script *script, struct deadline by,
                struct err *err);
    void (*add)(struct sync_script *script);
    bool looks_first; /* without waiting, for an early failure */
} operations[] = {
    {ask_stat, add_link, false},
    {ask_list, sync_script_add_list, false},
    {ask_receive, sync_script_add_file, false},
    {ask_send, sync_script_add_okay, true},
};

static void each_operation_succeeds_in_any_pieces(void **state)
{
    struct sync_script *script = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        buf_clear(&script->bytes);
        operations[i].add(script);
        for (size_t piece = 1; piece <= script->bytes.length; piece++) {
            struct err err = ERR_INIT;

            sync_script_begin(script, 0, NULL, script->bytes.length, piece);
            assert_true(operations[i].ask(script, DEADLINE_NEVER, &err));
        }
    }
}

static void each_operation_truncated_at_any_byte_is_closed(void **state)
{
    struct sync_script *script = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        buf_clear(&script->bytes);
        operations[i].add(script);
        for (size_t cut = 0; cut < script->bytes.length; cut++) {
            struct err err = ERR_INIT;

            sync_script_begin(script, 0, NULL, cut, SIZE_MAX);
            assert_err_code(operations[i].ask(script, DEADLINE_NEVER, &err),
                            &err, ERR_CLOSED);
            assert_non_null(strstr(err.text, " /p: "));
        }
    }
}

static void each_operation_stalled_at_any_byte_times_out(void **state)
{
    struct sync_script *script = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        buf_clear(&script->bytes);
        operations[i].add(script);
        for (size_t at = operations[i].looks_first; at < script->bytes.length;
             at++) {
            struct err err = ERR_INIT;

            sync_script_begin(script, 0, NULL, script->bytes.length, SIZE_MAX);
            script->device.stall = at + 1;
            assert_err_code(operations[i].ask(script, DEADLINE_NEVER, &err),
                            &err, ERR_TIMEOUT);
        }
    }
}

static void no_operation_crashes_on_a_corrupt_byte(void **state)
{
    struct sync_script *script = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        buf_clear(&script->bytes);
        operations[i].add(script);
        for (size_t at = 0; at < script->bytes.length; at++) {
            struct err err = ERR_INIT;

            script->bytes.data[at] ^= (char)0xff;
            sync_script_begin(script, 0, NULL, script->bytes.length, SIZE_MAX);
            if (!operations[i].ask(script, DEADLINE_NEVER, &err))
                assert_true(err.code == ERR_PROTOCOL || err.code == ERR_CLOSED);
            script->bytes.data[at] ^= (char)0xff;
        }
    }
}

static void endless_bytes_end_at_the_deadline(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add_file(script);
    sync_script_begin_v1(script);
    assert_err_code(ask_receive(script, deadline_in_ms(-1), &err), &err,
                    ERR_TIMEOUT);
}

static void failure_has_the_cleaned_message_of_the_device(void **state)
{
    struct sync_script *script = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        struct err err = ERR_INIT;

        buf_clear(&script->bytes);
        sync_script_add_text(script, "FAIL", "no\x1b[2Jway");
        sync_script_begin_v1(script);
        assert_err_code(operations[i].ask(script, DEADLINE_NEVER, &err), &err,
                        ERR_REMOTE);
        assert_non_null(strstr(err.text, " /p: no?[2Jway"));
    }
}

/* ---- stat and list ---- */

static void stat_errors_differ_from_a_missing_file(void **state)
{
    struct sync_script *script = *state;
    struct sync_stat stat = {.mode = 1};
    struct err err = ERR_INIT;

    sync_script_add_stat2(script, "STA2", ENOENT, 0100644);
    sync_script_add_stat2(script, "LST2", 0, 0100600);
    sync_script_add_stat2(script, "STA2", EACCES, 0);
    sync_script_begin_v2(script);
    assert_true(
        sync_stat(script->sync, "/p", true, DEADLINE_NEVER, &stat, &err));
    assert_int_equal(stat.mode, 0);
    assert_true(
        sync_stat(script->sync, "/p", false, DEADLINE_NEVER, &stat, &err));
    assert_int_equal(stat.mode, 0100600);
    assert_err_code(
        sync_stat(script->sync, "/p", true, DEADLINE_NEVER, &stat, &err), &err,
        ERR_REMOTE);
    assert_string_equal(err.text, "looking at /p: Permission denied");
    assert_int_equal(stat.mode, 0100600);
}

static void version_1_follows_links_to_directories(void **state)
{
    struct sync_script *script = *state;
    struct sync_stat stat;
    struct err err = ERR_INIT;

    sync_script_add_stat(script, 0120777);
    sync_script_add_stat(script, 0040755); /* of "/p/." */
    sync_script_add_stat(script, 0120777);
    sync_script_add_stat(script, 0);
    sync_script_begin_v1(script);
    assert_true(
        sync_stat(script->sync, "/p", true, DEADLINE_NEVER, &stat, &err));
    assert_true(S_ISDIR(stat.mode));
    assert_true(
        sync_stat(script->sync, "/p", true, DEADLINE_NEVER, &stat, &err));
    assert_true(S_ISREG(stat.mode));
    assert_int_equal(stat.size, 0);
}

static void names_with_slashes_or_nuls_are_refused(void **state)
{
    static const struct {
        const char *name;
        size_t length;
    } cases[] = {{"../x", 4}, {"/", 1}, {"a\0b", 3}, {"\0", 1}, {"", 0}};
    struct sync_script *script = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = ERR_INIT;

        buf_clear(&script->bytes);
        sync_script_add_entry(script, 0100644, cases[i].name, cases[i].length);
        sync_script_end_list(script);
        sync_script_begin_v1(script);
        assert_err_code(ask_list(script, DEADLINE_NEVER, &err), &err,
                        ERR_PROTOCOL);
    }
}

static bool take_one(void *context, const char *name,
                     const struct sync_stat *stat)
{
    (void)stat;
    snprintf(context, 32, "%.31s", name);
    return false;
}

static void listing_stops_when_the_callback_says_so(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;
    char name[32];

    sync_script_add_list(script);
    sync_script_begin_v1(script);
    assert_true(
        sync_list(script->sync, "/p", take_one, name, DEADLINE_NEVER, &err));
    assert_string_equal(name, "a");
}

static void an_endless_listing_ends(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    for (int i = 0; i <= SYNC_ENTRIES_MAX; i++)
        sync_script_add_entry(script, 0100644, "a", 1);
    sync_script_begin_v1(script);
    assert_err_code(ask_list(script, DEADLINE_NEVER, &err), &err, ERR_LIMIT);
}

static void single_stream_has_ended_after_a_failure(void **state)
{
    struct sync_script *script = *state;
    struct err err = ERR_INIT;

    sync_script_add_text(script, "FAIL", "no");
    sync_script_add_okay(script);
    sync_script_begin_v1(script);
    assert_err_code(ask_stat(script, DEADLINE_NEVER, &err), &err, ERR_REMOTE);
    assert_err_code(ask_send(script, DEADLINE_NEVER, &err), &err, ERR_CLOSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sync_script_test(each_operation_succeeds_in_any_pieces),
        sync_script_test(each_operation_truncated_at_any_byte_is_closed),
        sync_script_test(each_operation_stalled_at_any_byte_times_out),
        sync_script_test(no_operation_crashes_on_a_corrupt_byte),
        sync_script_test(endless_bytes_end_at_the_deadline),
        sync_script_test(failure_has_the_cleaned_message_of_the_device),
        sync_script_test(stat_errors_differ_from_a_missing_file),
        sync_script_test(version_1_follows_links_to_directories),
        sync_script_test(names_with_slashes_or_nuls_are_refused),
        sync_script_test(listing_stops_when_the_callback_says_so),
        sync_script_test(an_endless_listing_ends),
        sync_script_test(single_stream_has_ended_after_a_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
