#include "adb/services/pty_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/adb/scripted_stream.h"

#define SOON deadline_in_ms(60000)
#define SIZE ((size_t)200000)

/* The output of a terminal: CR LF for each LF. */
static void pass_terminal(const char *data, size_t length, struct buf *changed)
{
    for (size_t i = 0; i < length; i++) {
        if (data[i] == '\n')
            buf_byte(changed, '\r');
        buf_byte(changed, data[i]);
    }
}

/* Bytes of few values, so that CR and LF meet in every way. */
static void make_data(char *data, size_t size)
{
    static const char letters[] = "\r\n\rx";
    unsigned state = 1;

    for (size_t i = 0; i < size; i++) {
        state = state * 1103515245U + 12345U;
        data[i] = letters[(state >> 16) % 4];
    }
}

static void every_byte_survives_a_terminal(void **state)
{
    char *data = mem_new(SIZE, 1);
    struct buf changed = BUF_INIT(2 * SIZE);
    size_t length;

    (void)state;
    make_data(data, SIZE);
    pass_terminal(data, SIZE, &changed);
    length = pty_stream_undo(changed.data, changed.length);
    assert_int_equal(length, SIZE);
    assert_memory_equal(changed.data, data, SIZE);
    buf_release(&changed);
    free(data);
}

/* For all pieces of the device's output, and all sizes of reads. */
static void bytes_survive_in_pieces_of_every_size(void **state)
{
    static const size_t reads[] = {1, 2, 7, 4096};
    char data[1000];
    struct buf changed = BUF_INIT(2 * sizeof(data));

    (void)state;
    make_data(data, sizeof(data));
    data[sizeof(data) - 1] = '\r';
    pass_terminal(data, sizeof(data), &changed);
    for (size_t piece = 1; piece < 20; piece++) {
        for (size_t i = 0; i < 4; i++) {
            struct scripted_stream script;
            struct stream *stream;
            char back[sizeof(data) + 1];
            struct err err;
            size_t at = 0;
            size_t got;

            scripted_stream_init(&script, changed.data, changed.length, piece);
            stream = pty_stream_new(&script.stream);
            do {
                size_t room = sizeof(back) - at;

                assert_true(stream_read(stream, back + at,
                                        reads[i] < room ? reads[i] : room, SOON,
                                        &got, &err));
                at += got;
            } while (got && at < sizeof(back));
            assert_int_equal(at, sizeof(data));
            assert_memory_equal(back, data, sizeof(data));
            stream_close(stream);
        }
    }
    buf_release(&changed);
}

static void writing_is_refused(void **state)
{
    struct scripted_stream script;
    struct stream *stream;
    struct err err = ERR_INIT;

    (void)state;
    scripted_stream_init(&script, "", 0, 1);
    stream = pty_stream_new(&script.stream);
    assert_false(stream_write(stream, "x", 1, SOON, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    stream_close(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_survives_a_terminal),
        cmocka_unit_test(bytes_survive_in_pieces_of_every_size),
        cmocka_unit_test(writing_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
