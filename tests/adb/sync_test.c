/* Sync sessions against a device that says what it was told to. */
#include "adb/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/sync_session.h"
#include "base/bytes.h"
#include "tests/support/script_stream.h"

#define V2_FEATURES                                                            \
    (FEATURE_BIT(FEATURE_STAT_V2) | FEATURE_BIT(FEATURE_LS_V2) |               \
     FEATURE_BIT(FEATURE_SENDRECV_V2) | FEATURE_BIT(FEATURE_SENDRECV_V2_LZ4))

/* A session, what its device says, and a file of ours. */
struct talk {
    struct buf says;
    struct script_stream script;
    struct sync *sync;
    int fd;
};

/* Say four letters and a number. */
static void say(struct talk *talk, const char *id, uint32_t value)
{
    buf_append(&talk->says, id, 4);
    buf_u32le(&talk->says, value);
}

/* The same, with a text of which the number is the length. */
static void say_text(struct talk *talk, const char *id, const char *text)
{
    say(talk, id, (uint32_t)strlen(text));
    buf_text(&talk->says, text);
}

static void say_dent(struct talk *talk, uint32_t mode, const char *name,
                     size_t length)
{
    say(talk, "DENT", mode);
    buf_u32le(&talk->says, 5);
    buf_u32le(&talk->says, 1000);
    buf_u32le(&talk->says, (uint32_t)length);
    buf_append(&talk->says, name, length);
}

static void say_end_of_list(struct talk *talk)
{
    say(talk, "DONE", 0);
    for (int i = 0; i < 3; i++)
        buf_u32le(&talk->says, 0);
}

static void say_stat(struct talk *talk, uint32_t mode)
{
    say(talk, "STAT", mode);
    buf_u32le(&talk->says, 5);
    buf_u32le(&talk->says, 1000);
}

static void say_stat2(struct talk *talk, const char *id, uint32_t number,
                      uint32_t mode)
{
    uint8_t rest[SYNC_STAT2_SIZE - SYNC_HEADER_SIZE] = {0};

    say(talk, id, number);
    put_u32le(rest + 16, mode);
    buf_append(&talk->says, rest, sizeof(rest));
}

static int set_up(void **state)
{
    struct talk *talk = calloc(1, sizeof(*talk));

    talk->says = (struct buf)BUF_INIT((size_t)64 << 20);
    talk->fd = memfd_create("file", MFD_CLOEXEC);
    *state = talk;
    return talk->fd < 0;
}

static int tear_down(void **state)
{
    struct talk *talk = *state;

    sync_close(talk->sync);
    buf_release(&talk->says);
    close(talk->fd);
    free(talk);
    return 0;
}

/* Begin again with the first length bytes of what there is to say. */
static void begin(struct talk *talk, feature_set features,
                  const struct sync_options *options, size_t length,
                  size_t piece)
{
    struct err err;

    sync_close(talk->sync);
    talk->sync = NULL;
    script_stream_init(&talk->script, buf_cstr(&talk->says), length, piece);
    assert_true(sync_over_stream(&talk->script.stream, features, options,
                                 &talk->sync, &err));
    assert_int_equal(lseek(talk->fd, 0, SEEK_SET), 0);
}

static void begin_v1(struct talk *talk)
{
    begin(talk, 0, NULL, talk->says.length, SIZE_MAX);
}

static void begin_v2(struct talk *talk)
{
    begin(talk, V2_FEATURES, NULL, talk->says.length, SIZE_MAX);
}

static void assert_code(bool done, const struct err *err, enum err_code code)
{
    assert_false(done);
    if (err->code != code)
        fail_msg("%s instead of %s: %s", err_code_name(err->code),
                 err_code_name(code), err->text);
}

static void put_file(struct talk *talk, const char *text)
{
    assert_int_equal(ftruncate(talk->fd, 0), 0);
    assert_int_equal(pwrite(talk->fd, text, strlen(text), 0), strlen(text));
    assert_int_equal(lseek(talk->fd, 0, SEEK_SET), 0);
}

static void assert_file(struct talk *talk, const char *text)
{
    char found[256];
    ssize_t length = pread(talk->fd, found, sizeof(found) - 1, 0);

    assert_true(length >= 0);
    found[length] = '\0';
    assert_string_equal(found, text);
}

/* The operations, each on a path of its own. */

static bool ask_stat(struct talk *talk, struct deadline by, struct err *err)
{
    struct sync_stat stat;

    return sync_stat(talk->sync, "/p", false, by, &stat, err);
}

static bool take_any(void *context, const char *name,
                     const struct sync_stat *stat)
{
    (void)context;
    (void)name;
    (void)stat;
    return true;
}

static bool ask_list(struct talk *talk, struct deadline by, struct err *err)
{
    return sync_list(talk->sync, "/p", take_any, NULL, by, err);
}

static bool ask_receive(struct talk *talk, struct deadline by, struct err *err)
{
    return sync_receive(talk->sync, "/p", talk->fd, 0, by, err);
}

static bool ask_send(struct talk *talk, struct deadline by, struct err *err)
{
    return sync_send(talk->sync, talk->fd, "/p", 0100644, 1000, 0, by, err);
}

static void say_list(struct talk *talk)
{
    say_dent(talk, 0100644, "a", 1);
    say_dent(talk, 0040755, "b", 1);
    say_end_of_list(talk);
}

static void say_file(struct talk *talk)
{
    say_text(talk, "DATA", "hello ");
    say_text(talk, "DATA", "");
    say_text(talk, "DATA", "world");
    say(talk, "DONE", 0);
}

static void say_link(struct talk *talk)
{
    say_stat(talk, 0120777);
}

static void say_okay(struct talk *talk)
{
    say(talk, "OKAY", 0);
}

static const struct {
    bool (*ask)(struct talk *talk, struct deadline by, struct err *err);
    void (*say)(struct talk *talk);
    bool looks_first; /* without waiting, for an early failure */
} operations[] = {
    {ask_stat, say_link, false},
    {ask_list, say_list, false},
    {ask_receive, say_file, false},
    {ask_send, say_okay, true},
};

static void whatever_the_pieces_each_operation_succeeds(void **state)
{
    struct talk *talk = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        buf_clear(&talk->says);
        operations[i].say(talk);
        for (size_t piece = 1; piece <= talk->says.length; piece++) {
            struct err err = ERR_INIT;

            begin(talk, 0, NULL, talk->says.length, piece);
            assert_true(operations[i].ask(talk, DEADLINE_NEVER, &err));
        }
    }
}

static void cut_at_any_byte_each_operation_says_closed(void **state)
{
    struct talk *talk = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        buf_clear(&talk->says);
        operations[i].say(talk);
        for (size_t cut = 0; cut < talk->says.length; cut++) {
            struct err err = ERR_INIT;

            begin(talk, 0, NULL, cut, SIZE_MAX);
            assert_code(operations[i].ask(talk, DEADLINE_NEVER, &err), &err,
                        ERR_CLOSED);
            assert_non_null(strstr(err.text, " /p: "));
        }
    }
}

static void stalled_at_any_byte_each_operation_times_out(void **state)
{
    struct talk *talk = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        buf_clear(&talk->says);
        operations[i].say(talk);
        for (size_t at = operations[i].looks_first; at < talk->says.length;
             at++) {
            struct err err = ERR_INIT;

            begin(talk, 0, NULL, talk->says.length, SIZE_MAX);
            talk->script.stall = at + 1;
            assert_code(operations[i].ask(talk, DEADLINE_NEVER, &err), &err,
                        ERR_TIMEOUT);
        }
    }
}

static void corrupt_at_any_byte_no_operation_crashes(void **state)
{
    struct talk *talk = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        buf_clear(&talk->says);
        operations[i].say(talk);
        for (size_t at = 0; at < talk->says.length; at++) {
            struct err err = ERR_INIT;

            talk->says.data[at] ^= (char)0xff;
            begin(talk, 0, NULL, talk->says.length, SIZE_MAX);
            if (!operations[i].ask(talk, DEADLINE_NEVER, &err))
                assert_true(err.code == ERR_PROTOCOL || err.code == ERR_CLOSED);
            talk->says.data[at] ^= (char)0xff;
        }
    }
}

static void bytes_that_never_stop_do_not_outlast_the_deadline(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say_file(talk);
    begin_v1(talk);
    assert_code(ask_receive(talk, deadline_in_ms(-1), &err), &err, ERR_TIMEOUT);
}

static void a_failure_is_told_in_the_devices_cleaned_words(void **state)
{
    struct talk *talk = *state;

    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        struct err err = ERR_INIT;

        buf_clear(&talk->says);
        say_text(talk, "FAIL", "no\x1b[2Jway");
        begin_v1(talk);
        assert_code(operations[i].ask(talk, DEADLINE_NEVER, &err), &err,
                    ERR_REMOTE);
        assert_non_null(strstr(err.text, " /p: no?[2Jway"));
    }
}

static void a_file_is_what_its_data_held(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say_file(talk);
    begin_v1(talk);
    assert_true(ask_receive(talk, DEADLINE_NEVER, &err));
    assert_file(talk, "hello world");
}

static void a_failure_in_the_middle_of_a_file_is_told(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say_text(talk, "DATA", "half");
    say_text(talk, "FAIL", "read failed");
    begin_v2(talk);
    assert_code(ask_receive(talk, DEADLINE_NEVER, &err), &err, ERR_REMOTE);
    assert_string_equal(err.text, "pulling /p: read failed");
}

static void announcing_4_gib_is_cut_off(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say(talk, "DATA", UINT32_MAX);
    begin_v1(talk);
    assert_code(ask_receive(talk, DEADLINE_NEVER, &err), &err, ERR_PROTOCOL);
}

static void packed_bytes_that_end_early_or_late_are_refused(void **state)
{
    static const char frame[] = "\x04\x22\x4d\x18\x40\x40\xc0\0\0\0\0";
    const struct sync_options options = {.compression = SYNC_LZ4};
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say(talk, "DATA", 11);
    buf_append(&talk->says, frame, 11);
    say(talk, "DONE", 0);
    begin(talk, V2_FEATURES, &options, talk->says.length, SIZE_MAX);
    assert_true(ask_receive(talk, DEADLINE_NEVER, &err));
    assert_file(talk, "");

    buf_clear(&talk->says);
    say(talk, "DATA", 10);
    buf_append(&talk->says, frame, 10);
    say(talk, "DONE", 0);
    begin(talk, V2_FEATURES, &options, talk->says.length, SIZE_MAX);
    assert_code(ask_receive(talk, DEADLINE_NEVER, &err), &err, ERR_PROTOCOL);

    buf_clear(&talk->says);
    say(talk, "DATA", 12);
    buf_append(&talk->says, frame, 12);
    say(talk, "DONE", 0);
    begin(talk, V2_FEATURES, &options, talk->says.length, SIZE_MAX);
    assert_code(ask_receive(talk, DEADLINE_NEVER, &err), &err, ERR_PROTOCOL);
}

static void unknown_compression_is_refused_at_once(void **state)
{
    const struct sync_options options = {.compression = SYNC_BROTLI};
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    script_stream_init(&talk->script, "", 0, 1);
    assert_code(sync_over_stream(&talk->script.stream, V2_FEATURES, &options,
                                 &talk->sync, &err),
                &err, ERR_UNSUPPORTED);
}

static void stat_errors_are_told_apart_from_absence(void **state)
{
    struct talk *talk = *state;
    struct sync_stat stat = {.mode = 1};
    struct err err = ERR_INIT;

    say_stat2(talk, "STA2", ENOENT, 0100644);
    say_stat2(talk, "LST2", 0, 0100600);
    say_stat2(talk, "STA2", EACCES, 0);
    begin_v2(talk);
    assert_true(sync_stat(talk->sync, "/p", true, DEADLINE_NEVER, &stat, &err));
    assert_int_equal(stat.mode, 0);
    assert_true(
        sync_stat(talk->sync, "/p", false, DEADLINE_NEVER, &stat, &err));
    assert_int_equal(stat.mode, 0100600);
    assert_code(sync_stat(talk->sync, "/p", true, DEADLINE_NEVER, &stat, &err),
                &err, ERR_REMOTE);
    assert_string_equal(err.text, "looking at /p: Permission denied");
    assert_int_equal(stat.mode, 0100600);
}

static void version_1_follows_links_to_directories(void **state)
{
    struct talk *talk = *state;
    struct sync_stat stat;
    struct err err = ERR_INIT;

    say_stat(talk, 0120777);
    say_stat(talk, 0040755); /* of "/p/." */
    say_stat(talk, 0120777);
    say_stat(talk, 0);
    begin_v1(talk);
    assert_true(sync_stat(talk->sync, "/p", true, DEADLINE_NEVER, &stat, &err));
    assert_true(S_ISDIR(stat.mode));
    assert_true(sync_stat(talk->sync, "/p", true, DEADLINE_NEVER, &stat, &err));
    assert_true(S_ISREG(stat.mode));
    assert_int_equal(stat.size, 0);
}

static void names_with_slashes_or_nuls_are_refused(void **state)
{
    static const struct {
        const char *name;
        size_t length;
    } cases[] = {{"../x", 4}, {"/", 1}, {"a\0b", 3}, {"\0", 1}, {"", 0}};
    struct talk *talk = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = ERR_INIT;

        buf_clear(&talk->says);
        say_dent(talk, 0100644, cases[i].name, cases[i].length);
        say_end_of_list(talk);
        begin_v1(talk);
        assert_code(ask_list(talk, DEADLINE_NEVER, &err), &err, ERR_PROTOCOL);
    }
}

static bool take_one(void *context, const char *name,
                     const struct sync_stat *stat)
{
    (void)stat;
    snprintf(context, 32, "%.31s", name);
    return false;
}

static void a_listing_stops_when_told(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;
    char name[32];

    say_list(talk);
    begin_v1(talk);
    assert_true(
        sync_list(talk->sync, "/p", take_one, name, DEADLINE_NEVER, &err));
    assert_string_equal(name, "a");
}

static void an_endless_listing_ends(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    for (int i = 0; i <= SYNC_ENTRIES_MAX; i++)
        say_dent(talk, 0100644, "a", 1);
    begin_v1(talk);
    assert_code(ask_list(talk, DEADLINE_NEVER, &err), &err, ERR_LIMIT);
}

static void an_endless_tree_ends(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;
    char folder[] = "/tmp/sync_test.XXXXXX";

    assert_non_null(mkdtemp(folder));
    say_stat(talk, 0040755);
    for (int i = 0; i <= SYNC_DEPTH_MAX; i++) {
        say_dent(talk, 0040755, "d", 1);
        say_end_of_list(talk);
    }
    begin_v1(talk);
    assert_code(sync_pull(talk->sync, "/p", folder, DEADLINE_NEVER, NULL, &err),
                &err, ERR_LIMIT);
    assert_int_equal(rmdir(folder), 0); /* nothing was made before */
}

static void dots_in_a_tree_lead_nowhere(void **state)
{
    struct talk *talk = *state;
    struct sync_totals totals;
    struct err err = ERR_INIT;
    char folder[] = "/tmp/sync_test.XXXXXX";
    char made[64];

    assert_non_null(mkdtemp(folder));
    say_stat(talk, 0040755);
    say_dent(talk, 0040755, ".", 1);
    say_dent(talk, 0040755, "..", 2);
    say_dent(talk, 0120777, "link", 4);
    say_dent(talk, 0020666, "null", 4);
    say_dent(talk, 0100600, "file", 4);
    say_end_of_list(talk);
    say_file(talk);
    begin_v1(talk);
    assert_true(
        sync_pull(talk->sync, "/p", folder, DEADLINE_NEVER, &totals, &err));
    assert_int_equal(totals.files, 1);
    assert_int_equal(totals.bytes, 11);
    assert_int_equal(totals.skipped, 2);
    snprintf(made, sizeof(made), "%s/p/file", folder);
    assert_int_equal(unlink(made), 0);
    snprintf(made, sizeof(made), "%s/p", folder);
    assert_int_equal(rmdir(made), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void the_oldest_file_under_way_is_the_one_that_failed(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say_okay(talk);
    say_text(talk, "FAIL", "disk full");
    begin(talk, V2_FEATURES, NULL, talk->says.length, 8);
    for (int i = 0; i < 4; i++) {
        char path[8];

        snprintf(path, sizeof(path), "/%d", i);
        put_file(talk, "text");
        assert_true(sync_send_ahead(talk->sync, talk->fd, path, 0100644, 0, 4,
                                    DEADLINE_NEVER, &err));
    }
    assert_code(sync_settle(talk->sync, DEADLINE_NEVER, &err), &err,
                ERR_REMOTE);
    assert_string_equal(err.text, "pushing /1: disk full");
}

static void any_number_of_files_can_be_sent_ahead(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    for (int i = 0; i < 3 * SYNC_PENDING_MAX; i++)
        say_okay(talk);
    begin(talk, V2_FEATURES, NULL, talk->says.length, 8);
    for (int i = 0; i < 3 * SYNC_PENDING_MAX; i++)
        assert_true(sync_send_link(talk->sync, "target", "/link", 0,
                                   DEADLINE_NEVER, &err));
    assert_true(sync_settle(talk->sync, DEADLINE_NEVER, &err));
    assert_int_equal(talk->script.next, talk->says.length);
}

static void an_early_failure_ends_the_sending(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say_text(talk, "FAIL", "disk full");
    begin_v2(talk);
    assert_int_equal(ftruncate(talk->fd, (off_t)64 << 20), 0);
    assert_code(ask_send(talk, DEADLINE_NEVER, &err), &err, ERR_REMOTE);
    assert_true(lseek(talk->fd, 0, SEEK_CUR) < (off_t)4 << 20);
}

static void a_file_confirmed_too_early_is_refused(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say_okay(talk);
    begin_v2(talk);
    assert_int_equal(ftruncate(talk->fd, (off_t)4 << 20), 0);
    assert_code(ask_send(talk, DEADLINE_NEVER, &err), &err, ERR_PROTOCOL);
}

static void a_local_file_that_cannot_be_read_is_told(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;
    int folder = open("/", O_RDONLY | O_CLOEXEC);

    begin_v2(talk);
    assert_code(sync_send(talk->sync, folder, "/p", 0100644, 0, 0,
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

static void the_listener_can_stop_a_transfer(void **state)
{
    struct talk *talk = *state;
    uint64_t moved = 0;
    const struct sync_options options = {.progress = stop, .context = &moved};
    struct err err = ERR_INIT;

    say_file(talk);
    begin(talk, 0, &options, talk->says.length, SIZE_MAX);
    assert_code(ask_receive(talk, DEADLINE_NEVER, &err), &err, ERR_CANCELLED);
    assert_int_equal(moved, 11);
    begin(talk, 0, &options, 0, SIZE_MAX);
    put_file(talk, "four");
    assert_code(ask_send(talk, DEADLINE_NEVER, &err), &err, ERR_CANCELLED);
    assert_int_equal(moved, 4);
}

static void after_a_failure_a_lone_stream_has_ended(void **state)
{
    struct talk *talk = *state;
    struct err err = ERR_INIT;

    say_text(talk, "FAIL", "no");
    say_okay(talk);
    begin_v1(talk);
    assert_code(ask_stat(talk, DEADLINE_NEVER, &err), &err, ERR_REMOTE);
    assert_code(ask_send(talk, DEADLINE_NEVER, &err), &err, ERR_CLOSED);
}

#define sync_unit_test(test)                                                   \
    cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        sync_unit_test(whatever_the_pieces_each_operation_succeeds),
        sync_unit_test(cut_at_any_byte_each_operation_says_closed),
        sync_unit_test(stalled_at_any_byte_each_operation_times_out),
        sync_unit_test(corrupt_at_any_byte_no_operation_crashes),
        sync_unit_test(bytes_that_never_stop_do_not_outlast_the_deadline),
        sync_unit_test(a_failure_is_told_in_the_devices_cleaned_words),
        sync_unit_test(a_file_is_what_its_data_held),
        sync_unit_test(a_failure_in_the_middle_of_a_file_is_told),
        sync_unit_test(announcing_4_gib_is_cut_off),
        sync_unit_test(packed_bytes_that_end_early_or_late_are_refused),
        sync_unit_test(unknown_compression_is_refused_at_once),
        sync_unit_test(stat_errors_are_told_apart_from_absence),
        sync_unit_test(version_1_follows_links_to_directories),
        sync_unit_test(names_with_slashes_or_nuls_are_refused),
        sync_unit_test(a_listing_stops_when_told),
        sync_unit_test(an_endless_listing_ends),
        sync_unit_test(an_endless_tree_ends),
        sync_unit_test(dots_in_a_tree_lead_nowhere),
        sync_unit_test(the_oldest_file_under_way_is_the_one_that_failed),
        sync_unit_test(any_number_of_files_can_be_sent_ahead),
        sync_unit_test(an_early_failure_ends_the_sending),
        sync_unit_test(a_file_confirmed_too_early_is_refused),
        sync_unit_test(a_local_file_that_cannot_be_read_is_told),
        sync_unit_test(the_listener_can_stop_a_transfer),
        sync_unit_test(after_a_failure_a_lone_stream_has_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
