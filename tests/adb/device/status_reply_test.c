#include "adb/device/status_reply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/adb/scripted_stream.h"

static bool status_of(const char *bytes, size_t length, size_t piece,
                      struct err *err)
{
    struct scripted_stream script;

    scripted_stream_init(&script, bytes, length, piece);
    return status_reply_read_status(&script.stream, DEADLINE_NEVER, err);
}

static void okay_is_read_in_any_pieces(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    for (size_t piece = 1; piece <= 4; piece++)
        assert_true(status_of("OKAY", 4, piece, &err));
}

static void okay_leaves_later_bytes_unread(void **state)
{
    struct scripted_stream script;
    struct err err = ERR_INIT;

    (void)state;
    scripted_stream_init(&script, "OKAYshell output", 16, 16);
    assert_true(status_reply_read_status(&script.stream, DEADLINE_NEVER, &err));
    assert_int_equal(script.next, 4);
}

static void each_failure_of_real_servers_has_its_code(void **state)
{
    static const struct {
        const char *bytes;
        enum err_code code;
        const char *text;
    } cases[] = {
        {"FAIL0006closed", ERR_REFUSED, "adb says: closed"},
        {"FAIL0014device 'a' not found", ERR_NOT_FOUND,
         "adb says: device 'a' not found"},
        {"FAIL001adevice with id 7 not found", ERR_NOT_FOUND,
         "adb says: device with id 7 not found"},
        {"FAIL001Ano devices/emulators found", ERR_NOT_FOUND,
         "adb says: no devices/emulators found"},
        {"FAIL000edevice offline", ERR_LOST, "adb says: device offline"},
        {"FAIL0021device unauthorized.\nTry a dialog", ERR_UNAUTHORIZED,
         "adb says: device unauthorized. Try a dialog"},
        {"FAIL0018device still authorizing", ERR_UNAUTHORIZED,
         "adb says: device still authorizing"},
        {"FAIL0014unknown host service", ERR_REMOTE,
         "adb says: unknown host service"},
        {"FAIL0000", ERR_REMOTE, "adb says: "},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        for (size_t piece = 1; piece < 64; piece += 31) {
            struct err err = ERR_INIT;
            size_t length = strlen(cases[i].bytes);

            assert_false(status_of(cases[i].bytes, length, piece, &err));
            assert_int_equal(err.code, cases[i].code);
            assert_string_equal(err.text, cases[i].text);
        }
    }
}

static void escapes_in_a_failure_never_reach_the_terminal(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_false(status_of("FAIL0007\x1b[2J\a\0x", 15, 15, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_string_equal(err.text, "adb says: ?[2J??x");
}

static void longest_failure_is_cut(void **state)
{
    static char bytes[8 + STATUS_REPLY_BLOCK_MAX];
    struct err err = ERR_INIT;

    (void)state;
    memset(bytes, 'x', sizeof(bytes));
    memcpy(bytes, "FAILffff", 8);
    assert_false(status_of(bytes, sizeof(bytes), 1000, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_int_equal(strlen(err.text), strlen("adb says: ") + 199);
}

static void truncated_answer_is_quoted_in_the_error(void **state)
{
    static const char whole[] = "FAIL000cdevice gone?";
    struct err err = ERR_INIT;

    (void)state;
    assert_false(status_of(whole, 0, 1, &err));
    assert_int_equal(err.code, ERR_CLOSED);
    for (size_t length = 1; length < strlen(whole); length++) {
        err = (struct err)ERR_INIT;
        assert_false(status_of(whole, length, 3, &err));
        assert_int_equal(err.code, ERR_PROTOCOL);
        assert_non_null(strstr(err.text, "\"F"));
    }
    assert_false(status_of(whole, 4, 3, &err));
    assert_string_equal(err.text, "adb closed the connection in the middle of "
                                  "its answer, after 4 bytes: \"FAIL\"");
}

static void invalid_answer_is_quoted_in_the_error(void **state)
{
    static const struct {
        const char *bytes;
        const char *text;
    } cases[] = {
        {"HTTP/1.1 400", "adb sent \"HTTP\" instead of OKAY or FAIL"},
        {"okay", "adb sent \"okay\" instead of OKAY or FAIL"},
        {"\x1b\x01\x7fz", "adb sent \"???z\" instead of OKAY or FAIL"},
        {"FAIL00g0", "adb sent \"00g0\" instead of four hexadecimal digits"},
        {"FAIL -12", "adb sent \" -12\" instead of four hexadecimal digits"},
        {"FAIL0x10", "adb sent \"0x10\" instead of four hexadecimal digits"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = ERR_INIT;

        assert_false(
            status_of(cases[i].bytes, strlen(cases[i].bytes), 99, &err));
        assert_int_equal(err.code, ERR_PROTOCOL);
        assert_string_equal(err.text, cases[i].text);
    }
}

static void block_is_read_without_its_length(void **state)
{
    struct scripted_stream script;
    struct buf block = STATUS_REPLY_BLOCK_INIT;
    struct err err = ERR_INIT;

    (void)state;
    for (size_t piece = 1; piece < 8; piece++) {
        scripted_stream_init(&script, "0003a\0b0000", 11, piece);
        assert_true(status_reply_read_block(&script.stream, DEADLINE_NEVER,
                                            &block, &err));
        assert_int_equal(block.length, 3);
        assert_memory_equal(block.data, "a\0b", 3);
        buf_clear(&block);
        assert_true(status_reply_read_block(&script.stream, DEADLINE_NEVER,
                                            &block, &err));
        assert_int_equal(block.length, 0);
        assert_false(status_reply_read_block(&script.stream, DEADLINE_NEVER,
                                             &block, &err));
        assert_int_equal(err.code, ERR_CLOSED);
    }
    buf_release(&block);
}

static void block_is_resumed_after_a_timeout_at_any_byte(void **state)
{
    static const char bytes[] = "0005hello";

    (void)state;
    for (size_t at = 1; at <= strlen(bytes); at++) {
        struct scripted_stream script;
        struct buf block = STATUS_REPLY_BLOCK_INIT;
        struct err err = ERR_INIT;

        scripted_stream_init(&script, bytes, strlen(bytes), 2);
        script.stall = at;
        assert_false(status_reply_read_block(&script.stream, DEADLINE_NEVER,
                                             &block, &err));
        assert_int_equal(err.code, ERR_TIMEOUT);
        assert_true(status_reply_read_block(&script.stream, DEADLINE_NEVER,
                                            &block, &err));
        assert_string_equal(buf_cstr(&block), "hello");
        buf_release(&block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(okay_is_read_in_any_pieces),
        cmocka_unit_test(okay_leaves_later_bytes_unread),
        cmocka_unit_test(each_failure_of_real_servers_has_its_code),
        cmocka_unit_test(escapes_in_a_failure_never_reach_the_terminal),
        cmocka_unit_test(longest_failure_is_cut),
        cmocka_unit_test(truncated_answer_is_quoted_in_the_error),
        cmocka_unit_test(invalid_answer_is_quoted_in_the_error),
        cmocka_unit_test(block_is_read_without_its_length),
        cmocka_unit_test(block_is_resumed_after_a_timeout_at_any_byte),
    };

    return cmocka_run_group_tests_name("reply", tests, NULL, NULL);
}
