#include "tools/run_socket/run_frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MAX 100

static void a_message_is_read_as_it_was_written(void **state)
{
    const struct run_frame sent = {RUN_FRAME_BINARY, "a\0b", 3};
    struct buf bytes = BUF_INIT(MAX);
    struct run_frame frame;
    struct err err;
    size_t used;

    (void)state;
    run_frame_write(&sent, &bytes);
    run_frame_write(&(struct run_frame){RUN_FRAME_TEXT, "", 0}, &bytes);
    assert_int_equal(bytes.length, 2 * RUN_FRAME_HEADER + 3);
    assert_memory_equal(bytes.data, "\0\0\0\3\2a\0b", 8);
    assert_true(
        run_frame_read(bytes.data, bytes.length, MAX, &frame, &used, &err));
    assert_int_equal(used, 8);
    assert_int_equal(frame.kind, RUN_FRAME_BINARY);
    assert_int_equal(frame.length, 3);
    assert_memory_equal(frame.data, "a\0b", 3);
    assert_true(run_frame_read(bytes.data + used, bytes.length - used, MAX,
                               &frame, &used, &err));
    assert_int_equal(used, RUN_FRAME_HEADER);
    assert_int_equal(frame.length, 0);
    buf_release(&bytes);
}

static void a_part_of_a_message_is_not_complete(void **state)
{
    static const char bytes[] = "\0\0\0\3\1abc";
    struct run_frame frame;
    struct err err;
    size_t used;

    (void)state;
    for (size_t length = 0; length < 8; length++) {
        assert_true(run_frame_read(bytes, length, MAX, &frame, &used, &err));
        assert_int_equal(used, 0);
    }
}

static void a_long_message_is_refused_by_its_header(void **state)
{
    static const char bytes[] = "\xff\xff\xff\xff\1";
    struct run_frame frame;
    struct err err;
    size_t used;

    (void)state;
    assert_false(
        run_frame_read(bytes, RUN_FRAME_HEADER, MAX, &frame, &used, &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

static void an_unknown_kind_is_refused(void **state)
{
    static const char bytes[] = "\0\0\0\0\3";
    struct run_frame frame;
    struct err err;
    size_t used;

    (void)state;
    assert_false(
        run_frame_read(bytes, RUN_FRAME_HEADER, MAX, &frame, &used, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_read_as_it_was_written),
        cmocka_unit_test(a_part_of_a_message_is_not_complete),
        cmocka_unit_test(a_long_message_is_refused_by_its_header),
        cmocka_unit_test(an_unknown_kind_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
