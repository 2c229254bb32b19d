#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void an_empty_buffer_is_empty_text(void **state)
{
    struct buf buf = BUF_INIT(10);

    (void)state;
    assert_string_equal(buf_cstr(&buf), "");
    buf_append(&buf, NULL, 0);
    assert_string_equal(buf_cstr(&buf), "");
    buf_release(&buf);
    buf_release(&buf);
    assert_int_equal(buf.limit, 10);
}

static void appending_builds_text(void **state)
{
    struct buf buf = BUF_INIT(1000);

    (void)state;
    buf_text(&buf, "a");
    buf_byte(&buf, 'b');
    buf_printf(&buf, "%s-%d", "c", 42);
    buf_append(&buf, "de", 1);
    assert_string_equal(buf_cstr(&buf), "abc-42d");
    assert_int_equal(buf.length, 7);
    buf_release(&buf);
}

static void numbers_are_little_endian(void **state)
{
    struct buf buf = BUF_INIT(4);

    (void)state;
    buf_u32le(&buf, 0x01020304);
    assert_memory_equal(buf.data, "\4\3\2\1", 4);
    buf_release(&buf);
}

static void the_limit_can_be_reached_but_not_passed(void **state)
{
    struct buf buf = BUF_INIT(4);

    (void)state;
    buf_text(&buf, "abcd");
    assert_false(buf.overflow);
    buf_byte(&buf, 'e');
    assert_true(buf.overflow);
    assert_string_equal(buf_cstr(&buf), "abcd");
    buf_release(&buf);
}

static void bytes_beyond_the_limit_are_dropped_and_all_after_them(void **state)
{
    struct buf buf = BUF_INIT(4);

    (void)state;
    buf_text(&buf, "ab");
    buf_printf(&buf, "%s", "cde");
    buf_byte(&buf, 'f');
    assert_true(buf.overflow);
    assert_string_equal(buf_cstr(&buf), "ab");
    buf_clear(&buf);
    assert_false(buf.overflow);
    buf_text(&buf, "wxyz");
    assert_string_equal(buf_cstr(&buf), "wxyz");
    buf_release(&buf);
}

static void buffer_with_limit_0_takes_nothing(void **state)
{
    struct buf buf = BUF_INIT(0);

    (void)state;
    buf_text(&buf, "");
    assert_false(buf.overflow);
    buf_byte(&buf, 'a');
    assert_true(buf.overflow);
    buf_release(&buf);
}

static void memory_never_exceeds_the_limit(void **state)
{
    struct buf buf = BUF_INIT(100);

    (void)state;
    for (int i = 0; i < 100; i++)
        buf_byte(&buf, 'x');
    assert_false(buf.overflow);
    assert_int_equal(buf.capacity, 101);
    buf_release(&buf);
}

static void a_limit_lowered_below_the_content_overflows(void **state)
{
    struct buf buf = BUF_INIT(100);

    (void)state;
    buf_text(&buf, "abcdef");
    buf.limit = 3;
    buf_byte(&buf, 'g');
    assert_true(buf.overflow);
    assert_string_equal(buf_cstr(&buf), "abcdef");
    buf_release(&buf);
}

static void a_length_that_wraps_around_overflows(void **state)
{
    struct buf buf = BUF_INIT(SIZE_MAX);

    (void)state;
    buf_text(&buf, "abc");
    assert_null(buf_reserve(&buf, SIZE_MAX - 3));
    assert_true(buf.overflow);
    buf_clear(&buf);
    assert_null(buf_reserve(&buf, PTRDIFF_MAX));
    buf_release(&buf);
}

static void reserved_room_counts_only_when_committed(void **state)
{
    struct buf buf = BUF_INIT(100);
    char *room = buf_reserve(&buf, 10);

    (void)state;
    assert_non_null(room);
    assert_string_equal(buf_cstr(&buf), "");
    memcpy(room, "abcdefghij", 10);
    buf_commit(&buf, 3);
    assert_string_equal(buf_cstr(&buf), "abc");
    assert_int_equal(buf.length, 3);
    buf_release(&buf);
}

static void consume_removes_from_the_front(void **state)
{
    struct buf buf = BUF_INIT(100);

    (void)state;
    buf_text(&buf, "abcdef");
    buf_consume(&buf, 0);
    buf_consume(&buf, 2);
    assert_string_equal(buf_cstr(&buf), "cdef");
    buf_consume(&buf, 4);
    assert_string_equal(buf_cstr(&buf), "");
    assert_int_equal(buf.length, 0);
    buf_release(&buf);
}

static void truncate_removes_from_the_end(void **state)
{
    struct buf buf = BUF_INIT(3);

    (void)state;
    buf_text(&buf, "abc");
    buf_byte(&buf, 'd');
    buf_truncate(&buf, 1);
    assert_false(buf.overflow);
    assert_string_equal(buf_cstr(&buf), "a");
    buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_is_empty_text),
        cmocka_unit_test(appending_builds_text),
        cmocka_unit_test(numbers_are_little_endian),
        cmocka_unit_test(the_limit_can_be_reached_but_not_passed),
        cmocka_unit_test(bytes_beyond_the_limit_are_dropped_and_all_after_them),
        cmocka_unit_test(buffer_with_limit_0_takes_nothing),
        cmocka_unit_test(memory_never_exceeds_the_limit),
        cmocka_unit_test(a_limit_lowered_below_the_content_overflows),
        cmocka_unit_test(a_length_that_wraps_around_overflows),
        cmocka_unit_test(reserved_room_counts_only_when_committed),
        cmocka_unit_test(consume_removes_from_the_front),
        cmocka_unit_test(truncate_removes_from_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
