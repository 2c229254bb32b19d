#include "adb/sync/sync_wire.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"

static void assert_bytes(const struct buf *buf, const char *want, size_t size)
{
    assert_false(buf->overflow);
    assert_int_equal(buf->length, size);
    assert_memory_equal(buf->data, want, size);
}

static void a_request_is_id_length_path(void **state)
{
    static const char want[] = "STAT\x02\0\0\0/a";
    struct buf out = BUF_INIT(64);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(sync_wire_request(&out, SYNC_ID_STAT, "/a", &err));
    assert_bytes(&out, want, sizeof(want) - 1);
    buf_release(&out);
}

static void send_carries_the_mode_in_decimal(void **state)
{
    static const char want[] = "SEND\x08\0\0\0/a,33188";
    struct buf out = BUF_INIT(64);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(sync_wire_send(&out, "/a", 0100644, &err));
    assert_bytes(&out, want, sizeof(want) - 1);
    buf_release(&out);
}

static void send2_and_receive2_carry_their_flags_behind_the_path(void **state)
{
    static const char send[] = "SND2\x02\0\0\0/a"
                               "SND2\xa4\x81\0\0\x04\0\0\0";
    static const char receive[] = "RCV2\x02\0\0\0/a"
                                  "RCV2\x02\0\0\0";
    struct buf out = BUF_INIT(64);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(sync_wire_send2(&out, "/a", 0100644, SYNC_FLAG_ZSTD, &err));
    assert_bytes(&out, send, sizeof(send) - 1);
    buf_clear(&out);
    assert_true(sync_wire_receive2(&out, "/a", SYNC_FLAG_LZ4, &err));
    assert_bytes(&out, receive, sizeof(receive) - 1);
    buf_release(&out);
}

static void path_that_is_too_long_is_refused(void **state)
{
    char path[SYNC_PATH_MAX + 2];
    struct buf out = BUF_INIT(8192);
    struct err err = ERR_INIT;

    (void)state;
    memset(path, 'x', sizeof(path));
    path[SYNC_PATH_MAX] = '\0';
    assert_true(sync_wire_request(&out, SYNC_ID_RECV, path, &err));
    assert_true(sync_wire_send2(&out, path, 0, SYNC_FLAG_NONE, &err));
    buf_clear(&out);
    /* Version 1 has the mode in the same 1024 bytes. */
    assert_false(sync_wire_send(&out, path, 0100644, &err));
    assert_int_equal(err.code, ERR_INVALID);
    path[SYNC_PATH_MAX] = 'x';
    path[SYNC_PATH_MAX + 1] = '\0';
    err = (struct err)ERR_INIT;
    assert_false(sync_wire_request(&out, SYNC_ID_RECV, path, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(sync_wire_request(&out, SYNC_ID_RECV, "", &err));
    assert_false(sync_wire_send(&out, "", 0, &err));
    assert_int_equal(out.length, 0);
    buf_release(&out);
}

static void unexpected_replies_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        uint32_t value;
        unsigned expected;
        bool good;
    } cases[] = {
        {"DATA", 65536, SYNC_ID_BIT(SYNC_ID_DATA), true},
        {"DATA", 65537, SYNC_ID_BIT(SYNC_ID_DATA), false},
        {"DATA", UINT32_MAX, SYNC_ID_BIT(SYNC_ID_DATA), false},
        {"DONE", UINT32_MAX, SYNC_ID_BIT(SYNC_ID_DONE), true},
        {"FAIL", 65536, SYNC_ID_BIT(SYNC_ID_FAIL), true},
        {"FAIL", UINT32_MAX, SYNC_ID_BIT(SYNC_ID_FAIL), false},
        {"OKAY", 0, SYNC_ID_BIT(SYNC_ID_OKAY), true},
        {"OKAY", 0, SYNC_ID_BIT(SYNC_ID_DATA), false},
        {"data", 1, SYNC_ID_BIT(SYNC_ID_DATA), false},
        {"\0\0\0", 0, ~0U, false},
        {"\x1b[2J", 0, ~0U, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sync_header header = {.value = 1};
        struct err err = ERR_INIT;
        uint8_t bytes[SYNC_HEADER_SIZE];

        memcpy(bytes, cases[i].bytes, 4);
        put_u32le(bytes + 4, cases[i].value);
        assert_int_equal(
            sync_wire_read(bytes, cases[i].expected, &header, &err),
            cases[i].good);
        assert_int_equal(err.code, cases[i].good ? ERR_NONE : ERR_PROTOCOL);
        if (cases[i].good)
            assert_int_equal(header.value, cases[i].value);
        assert_null(strchr(err.text, '\x1b'));
    }
}

static void every_id_is_encoded_and_decoded(void **state)
{
    (void)state;
    for (int id = 0; id < SYNC_ID_COUNT; id++) {
        uint8_t bytes[SYNC_HEADER_SIZE];
        struct sync_header header;
        struct err err = ERR_INIT;

        sync_wire_put(bytes, (enum sync_id)id, 7);
        assert_true(sync_wire_read(bytes, ~0U, &header, &err));
        assert_int_equal(header.id, id);
        assert_int_equal(header.value, 7);
    }
}

static void stat_has_mode_size_and_time(void **state)
{
    static const uint8_t bytes[] = "STAT\xa4\x81\0\0\x39\x30\0\0\0\xca\x9a\x3b";
    struct sync_stat stat;

    (void)state;
    sync_wire_stat(bytes, &stat);
    assert_int_equal(stat.mode, 0100644);
    assert_int_equal(stat.size, 12345);
    assert_int_equal(stat.mtime, 1000000000);
}

static void put_stat2(uint8_t bytes[SYNC_STAT2_SIZE], uint32_t number)
{
    memset(bytes, 0, SYNC_STAT2_SIZE);
    memcpy(bytes, "STA2", 4);
    put_u32le(bytes + 4, number);
    put_u32le(bytes + 24, 0100600);
    put_u32le(bytes + 32, 2000);
    put_u32le(bytes + 36, 1015);
    put_u32le(bytes + 44, 1); /* 4 GiB */
    put_u32le(bytes + 56, 1000000000);
}

static void stat2_has_64_bit_sizes_and_owners(void **state)
{
    uint8_t bytes[SYNC_STAT2_SIZE];
    struct sync_stat stat;
    uint32_t number;

    (void)state;
    put_stat2(bytes, 0);
    sync_wire_stat2(bytes, &stat, &number);
    assert_int_equal(number, 0);
    assert_int_equal(stat.mode, 0100600);
    assert_int_equal(stat.uid, 2000);
    assert_int_equal(stat.gid, 1015);
    assert_true(stat.size == UINT64_C(1) << 32);
    assert_int_equal(stat.mtime, 1000000000);
}

static void stat2_with_an_error_has_no_mode(void **state)
{
    uint8_t bytes[SYNC_STAT2_SIZE];
    struct sync_stat stat;
    uint32_t number;

    (void)state;
    put_stat2(bytes, EACCES);
    sync_wire_stat2(bytes, &stat, &number);
    assert_int_equal(number, EACCES);
    assert_int_equal(stat.mode, 0);
}

static void names_in_lists_are_bounded(void **state)
{
    static const struct {
        uint32_t length;
        bool good;
    } cases[] = {{0, false},   {1, true},     {255, true},
                 {1024, true}, {1025, false}, {UINT32_MAX, false}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint8_t v1[SYNC_DENT_SIZE] = "DENT";
        uint8_t v2[SYNC_DENT2_SIZE] = "DNT2";
        struct err err = ERR_INIT;
        struct sync_stat stat;
        uint32_t length = 0;

        put_u32le(v1 + 16, cases[i].length);
        put_u32le(v2 + 72, cases[i].length);
        assert_int_equal(sync_wire_dent(v1, &stat, &length, &err),
                         cases[i].good);
        assert_int_equal(sync_wire_dent2(v2, &stat, &length, &err),
                         cases[i].good);
        assert_int_equal(length, cases[i].good ? cases[i].length : 0);
        assert_int_equal(err.code, cases[i].good ? ERR_NONE : ERR_PROTOCOL);
    }
}

static void a_name_has_no_slash_and_no_nul(void **state)
{
    (void)state;
    assert_true(sync_wire_is_name("a", 1));
    assert_true(sync_wire_is_name("..", 2));
    assert_true(sync_wire_is_name("\xff\n", 2));
    assert_false(sync_wire_is_name("", 0));
    assert_false(sync_wire_is_name("/", 1));
    assert_false(sync_wire_is_name("../x", 4));
    assert_false(sync_wire_is_name("a\0b", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_id_length_path),
        cmocka_unit_test(send_carries_the_mode_in_decimal),
        cmocka_unit_test(send2_and_receive2_carry_their_flags_behind_the_path),
        cmocka_unit_test(path_that_is_too_long_is_refused),
        cmocka_unit_test(unexpected_replies_are_refused),
        cmocka_unit_test(every_id_is_encoded_and_decoded),
        cmocka_unit_test(stat_has_mode_size_and_time),
        cmocka_unit_test(stat2_has_64_bit_sizes_and_owners),
        cmocka_unit_test(stat2_with_an_error_has_no_mode),
        cmocka_unit_test(names_in_lists_are_bounded),
        cmocka_unit_test(a_name_has_no_slash_and_no_nul),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
