#include "tools/phone/shell/tty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

/* What is typed, what a reader gets, and what the screen shows. */
struct tty_example {
    const char *typed;
    const char *ready;
    const char *echo;
};

static void keys_edit_the_line(void **state)
{
    static const struct tty_example examples[] = {
        {"ab\r", "ab\n", "ab\r\n"},
        {"ab\n", "ab\n", "ab\r\n"},
        {"ab", "", "ab"},
        {"abc\177\177d\r", "ad\n", "abc\b \b\b \bd\r\n"},
        {"a\b\b\bb\r", "b\n", "a\b \bb\r\n"},
        {"手\177x\r", "x\n", "手\b \bx\r\n"},
        {"abc\025d\r", "d\n", "abc\b \b\b \b\b \bd\r\n"},
        {"a\033[Ab\033OBc\r", "abc\n", "abc\r\n"},
        {"a\tb\001\r", "a\tb\001\n", "a\tb^A\r\n"},
        {"ab\004cd\r", "abcd\n", "abcd\r\n"},
        {"one\rtwo\r", "one\ntwo\n", "one\r\ntwo\r\n"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
        struct phone_tty tty = TTY_INIT;
        struct buf ready = BUF_INIT(1024);
        struct buf echo = BUF_INIT(1024);

        for (const char *at = examples[i].typed; *at; at++)
            assert_int_equal(tty_type(&tty, *at, &ready, &echo), TTY_NOTHING);
        assert_string_equal(buf_cstr(&ready), examples[i].ready);
        assert_string_equal(buf_cstr(&echo), examples[i].echo);
        buf_release(&ready);
        buf_release(&echo);
        tty_release(&tty);
    }
}

static void interrupt_and_end_are_reported(void **state)
{
    struct phone_tty tty = TTY_INIT;
    struct buf ready = BUF_INIT(1024);
    struct buf echo = BUF_INIT(1024);

    (void)state;
    assert_int_equal(tty_type(&tty, 'a', &ready, &echo), TTY_NOTHING);
    assert_int_equal(tty_type(&tty, '\003', &ready, &echo), TTY_INTERRUPT);
    assert_int_equal(tty_type(&tty, '\004', &ready, &echo), TTY_END);
    assert_string_equal(buf_cstr(&ready), "");
    assert_string_equal(buf_cstr(&echo), "a^C\r\n");
    buf_release(&ready);
    buf_release(&echo);
    tty_release(&tty);
}

static void full_line_rings_the_bell(void **state)
{
    struct phone_tty tty = TTY_INIT;
    struct buf ready = BUF_INIT(8192);
    struct buf echo = BUF_INIT(8192);

    (void)state;
    for (size_t i = 0; i < TTY_LINE_MAX + 1; i++)
        (void)tty_type(&tty, 'x', &ready, &echo);
    assert_int_equal(echo.data[echo.length - 1], '\a');
    (void)tty_type(&tty, '\r', &ready, &echo);
    assert_int_equal(ready.length, TTY_LINE_MAX + 1);
    buf_release(&ready);
    buf_release(&echo);
    tty_release(&tty);
}

static void newline_is_printed_with_a_carriage_return(void **state)
{
    struct buf out = BUF_INIT(1024);

    (void)state;
    tty_print("a\nb\n\nc", 6, &out);
    assert_string_equal(buf_cstr(&out), "a\r\nb\r\n\r\nc");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_edit_the_line),
        cmocka_unit_test(interrupt_and_end_are_reported),
        cmocka_unit_test(full_line_rings_the_bell),
        cmocka_unit_test(newline_is_printed_with_a_carriage_return),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
