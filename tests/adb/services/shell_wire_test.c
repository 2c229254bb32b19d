#include "adb/services/shell_wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

/* All pieces of one kind, joined. */
struct seen {
    struct buf out;
    struct buf errors;
    int status; /* -1: none came */
};

static void setup_seen(struct seen *seen)
{
    *seen = (struct seen){
        .out = BUF_INIT(4096), .errors = BUF_INIT(4096), .status = -1};
}

static void release_seen(struct seen *seen)
{
    buf_release(&seen->out);
    buf_release(&seen->errors);
}

static void note(struct seen *seen, const struct shell_wire_piece *piece)
{
    if (piece->id == SHELL_WIRE_EXIT && piece->length)
        seen->status = piece->data[0];
    else if (piece->id == SHELL_WIRE_STDERR)
        buf_append(&seen->errors, piece->data, piece->length);
    else
        buf_append(&seen->out, piece->data, piece->length);
}

/* Feed bytes in reads of step bytes. */
static bool feed(const struct buf *bytes, size_t step, struct seen *seen,
                 struct err *err)
{
    struct shell_wire wire = {.left = 0};
    const uint8_t *data = (const uint8_t *)bytes->data;

    for (size_t at = 0; at < bytes->length; at += step) {
        size_t end = at + step < bytes->length ? at + step : bytes->length;

        for (size_t next = at; next < end;) {
            struct shell_wire_piece piece;
            size_t used;

            if (!shell_wire_next(&wire, data + next, end - next, &used, &piece,
                                 err))
                return false;
            note(seen, &piece);
            next += used;
        }
    }
    return true;
}

static void packets_are_parsed_in_any_pieces(void **state)
{
    struct buf bytes = BUF_INIT(4096);

    (void)state;
    shell_wire_put(&bytes, SHELL_WIRE_STDOUT, "hello ", 6);
    shell_wire_put(&bytes, SHELL_WIRE_STDERR, "oh no", 5);
    shell_wire_put(&bytes, SHELL_WIRE_STDOUT, "", 0);
    shell_wire_put(&bytes, SHELL_WIRE_STDOUT, "world", 5);
    shell_wire_put(&bytes, SHELL_WIRE_EXIT, "\x2a", 1);
    for (size_t step = 1; step <= bytes.length; step++) {
        struct seen seen;
        struct err err = ERR_INIT;

        setup_seen(&seen);
        assert_true(feed(&bytes, step, &seen, &err));
        assert_string_equal(buf_cstr(&seen.out), "hello world");
        assert_string_equal(buf_cstr(&seen.errors), "oh no");
        assert_int_equal(seen.status, 42);
        release_seen(&seen);
    }
    buf_release(&bytes);
}

static void announced_4_gib_allocate_nothing(void **state)
{
    static const uint8_t bytes[] = "\x01\xff\xff\xff\xff"
                                   "abc";
    struct shell_wire wire = {.left = 0};
    struct shell_wire_piece piece;
    struct err err = ERR_INIT;
    size_t used;

    (void)state;
    assert_true(shell_wire_next(&wire, bytes, 8, &used, &piece, &err));
    assert_int_equal(used, 8);
    assert_int_equal(piece.length, 3);
    assert_ptr_equal(piece.data, bytes + 5);
    assert_int_equal(wire.left, UINT32_MAX - 3);
}

static void assert_refused(const char *bytes, size_t length, const char *word)
{
    struct buf packet = BUF_INIT(64);
    struct seen seen;
    struct err err = ERR_INIT;

    setup_seen(&seen);
    buf_append(&packet, bytes, length);
    assert_false(feed(&packet, length, &seen, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_non_null(strstr(err.text, word));
    release_seen(&seen);
    buf_release(&packet);
}

static void unknown_ids_are_refused(void **state)
{
    (void)state;
    assert_refused("\x00\x01\x00\x00\x00a", 6, "id 0");
    assert_refused("\x04\x00\x00\x00\x00", 5, "id 4");
    assert_refused("\x05\x01\x00\x00\x00a", 6, "id 5");
    assert_refused("\xff\x01\x00\x00\x00a", 6, "id 255");
}

static void a_status_must_be_one_byte(void **state)
{
    (void)state;
    assert_refused("\x03\x00\x00\x00\x00", 5, "0 bytes");
    assert_refused("\x03\x04\x00\x00\x00\x00\x00\x00\x00", 9, "4 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_parsed_in_any_pieces),
        cmocka_unit_test(announced_4_gib_allocate_nothing),
        cmocka_unit_test(unknown_ids_are_refused),
        cmocka_unit_test(a_status_must_be_one_byte),
    };

    return cmocka_run_group_tests_name("shell_wire", tests, NULL, NULL);
}
