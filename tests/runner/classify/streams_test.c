/* Streams: what is typed into shells, files over sync, and what comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "adb/sync/sync_wire.h"
#include "base/bytes.h"
#include "base/macros.h"
#include "tests/runner/classify/door_session.h"

/* A small but complete PNG: signature, IHDR, IDAT and IEND, without sums. */
static const char png[] = "\x89PNG\r\n\x1a\n"
                          "\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0sums"
                          "\0\0\0\x04IDAT\n\r\n\0sums"
                          "\0\0\0\0IENDsums";
#define PNG_SIZE (sizeof(png) - 1)

static const char tree[] = "<?xml version='1.0'?><hierarchy rotation=\"0\">"
                           "<node text=\"a\"/></hierarchy>";

/* ---- shells ---- */

static void typed_lines_are_commands(void **state)
{
    static const char typed[] = "cd /sdcard\ninput tap 1 2\nfor i in 1 2; do\n"
                                "input keyevent 4\ndone\n\ninput text half";
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "shell:");
    for (size_t i = 0; i < strlen(typed); i++)
        door_session_send(&session, stream, typed + i, 1);
    door_session_expect(&session, "read ; click 1 2 ; back ; back");
    door_session_end(&session, stream);
    door_session_expect(&session, "type [half]");
    door_session_release(&session);
}

static void a_terminal_edits_its_line(void **state)
{
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "shell,pty:");
    door_session_send(&session, stream, "input tap 1 23\x7f\r", 16);
    door_session_send(&session, stream, "rm -rf /sdcard\x03", 15);
    door_session_send(&session, stream, "input tap 300 4\r", 16);
    door_session_expect(&session, "click 1 2 ; click 300 4");
    door_session_end(&session, stream);
    door_session_release(&session);
}

static void packets_of_shell_v2_hold_lines(void **state)
{
    static const char packets[] = "\5\3\0\0\0abc"
                                  "\0\6\0\0\0input "
                                  "\0\x08\0\0\0tap 5 6\n";
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "shell,v2,TERM=xterm:");
    for (size_t i = 0; i + 1 < sizeof(packets); i++)
        door_session_send(&session, stream, packets + i, 1);
    door_session_expect(&session, "click 5 6");
    door_session_end(&session, stream);
    door_session_release(&session);
}

static void a_shell_as_a_command_reads_its_input(void **state)
{
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "exec:sh");
    door_session_expect(&session, "read");
    door_session_send(&session, stream, "input tap 5 6\n", 14);
    door_session_expect(&session, "click 5 6");
    door_session_end(&session, stream);
    stream = door_session_open(&session, "shell:input tap 700 8");
    assert_false(door_stream_wants_input(stream));
    door_session_expect(&session, "click 700 8");
    door_session_end(&session, stream);
    door_session_release(&session);
}

static void a_script_in_a_here_document_is_read(void **state)
{
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "shell:sh <<E\ninput tap 5 6\nE\n");
    door_session_expect(&session, "click 5 6");
    door_session_end(&session, stream);
    door_session_release(&session);
}

/* ---- output ---- */

static void a_screenshot_is_taken_from_the_output(void **state)
{
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "exec:screencap -p");
    door_session_expect(&session, "screenshot png output #1");
    door_session_answer(&session, stream, png, PNG_SIZE);
    door_session_expect_capture(&session, 1, png, PNG_SIZE);
    assert_false(door_stream_wants_output(stream));
    door_session_end(&session, stream);
    door_session_release(&session);
}

static void packets_and_messages_around_a_tree_are_left_out(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    struct buf packet = BUF_INIT(4096);

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session,
                               "shell,v2,raw:uiautomator dump /sdcard/u.xml; "
                               "cat /sdcard/u.xml");
    buf_append(&packet, "\2\3\0\0\0<?x", 8); /* stderr */
    buf_append(&packet, "\1\5\0\0\0UI.. ", 10);
    buf_byte(&packet, 1);
    buf_u32le(&packet, (uint32_t)strlen(tree));
    buf_text(&packet, tree);
    buf_append(&packet, "\3\1\0\0\0\0", 6);
    door_session_answer(&session, stream, packet.data, packet.length);
    door_session_expect_capture(&session, 1, tree, strlen(tree));
    door_session_end(&session, stream);
    buf_release(&packet);
    door_session_release(&session);
}

static void what_a_terminal_damaged_is_repaired(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    struct buf damaged = BUF_INIT(4096);

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "shell:screencap -p");
    for (size_t i = 0; i < PNG_SIZE; i++) {
        if (png[i] == '\n')
            buf_byte(&damaged, '\r');
        buf_byte(&damaged, png[i]);
    }
    door_session_answer(&session, stream, damaged.data, damaged.length);
    assert_int_equal(session.captures.count, 0);
    door_session_end(&session, stream);
    door_session_expect_capture(&session, 1, png, PNG_SIZE);
    buf_release(&damaged);
    door_session_release(&session);
}

static void a_framebuffer_has_its_length_in_front(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    uint8_t frame[56 + 8] = {2};

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "framebuffer:");
    put_u32le(frame + 12, 8);
    door_session_answer(&session, stream, frame, sizeof(frame));
    door_session_expect_capture(&session, 1, (const char *)frame,
                                sizeof(frame));
    door_session_end(&session, stream);
    door_session_release(&session);
}

/* ---- sync ---- */

static void put_request(struct buf *out, enum sync_id id, const char *path)
{
    struct err err = ERR_INIT;

    assert_true(sync_wire_request(out, id, path, &err));
}

static void put_data(struct buf *out, const char *data, size_t length)
{
    sync_wire_header(out, SYNC_ID_DATA, (uint32_t)length);
    buf_append(out, data, length);
}

static void a_pulled_screenshot_is_the_one_that_was_taken(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    struct buf sent = BUF_INIT(4096);
    struct buf answered = BUF_INIT(4096);

    (void)state;
    door_session_init(&session);
    door_session_end(
        &session,
        door_session_open(&session, "shell:screencap -p /sdcard/a.png"));
    door_session_expect(&session, "screenshot png file /sdcard/a.png #1");
    door_session_end(&session,
                     door_session_open(&session, "shell:input tap 1 2"));
    door_session_expect(&session, "click 1 2");
    stream = door_session_open(&session, "sync:");
    put_request(&sent, SYNC_ID_STAT, "/sdcard/a.png");
    put_request(&sent, SYNC_ID_RECV, "/sdcard/other.bin");
    put_request(&sent, SYNC_ID_RECV, "/storage/emulated/0/a.png");
    for (size_t i = 0; i < sent.length; i++)
        door_session_send(&session, stream, sent.data + i, 1);
    door_session_expect(&session, "read ; screenshot png output #1");
    sync_wire_header(&answered, SYNC_ID_STAT, 0100644);
    buf_append(&answered, "12345678", 8);
    put_data(&answered, "other", 5);
    sync_wire_header(&answered, SYNC_ID_DONE, 0);
    put_data(&answered, png, 10);
    put_data(&answered, png + 10, PNG_SIZE - 10);
    sync_wire_header(&answered, SYNC_ID_DONE, 0);
    door_session_answer(&session, stream, answered.data, answered.length);
    door_session_expect_capture(&session, 1, png, PNG_SIZE);
    door_session_end(&session, stream);
    buf_release(&sent);
    buf_release(&answered);
    door_session_release(&session);
}

static void a_pushed_file_is_raw_unless_it_is_temporary(void **state)
{
    struct door_session session;
    struct door_stream *stream;
    struct buf sent = BUF_INIT(4096);
    struct err err = ERR_INIT;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "sync:");
    assert_true(sync_wire_send(&sent, "/data/local/tmp/yadb", 0100644, &err));
    put_data(&sent, "RECV\1\0\0\0x", 9);
    sync_wire_header(&sent, SYNC_ID_DONE, 5);
    assert_true(sync_wire_send2(&sent, "/sdcard/Download/a.vcf", 0100644,
                                SYNC_FLAG_NONE, &err));
    put_data(&sent, "x", 1);
    sync_wire_header(&sent, SYNC_ID_DONE, 5);
    sync_wire_header(&sent, SYNC_ID_QUIT, 0);
    door_session_send(&session, stream, sent.data, sent.length);
    assert_string_equal(session.items.items[1].action.text,
                        "push /sdcard/Download/a.vcf");
    door_session_expect(&session, "read ; raw file");
    door_session_end(&session, stream);
    buf_release(&sent);
    door_session_release(&session);
}

static void broken_requests_are_raw_once(void **state)
{
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "sync:");
    door_session_send(&session, stream, "NOPE\1\0\0\0xNOPE\1\0\0\0x", 18);
    door_session_expect(&session, "raw file");
    assert_false(door_stream_wants_output(stream));
    door_session_end(&session, stream);
    door_session_release(&session);
}

static void other_streams_are_raw_when_something_is_sent(void **state)
{
    struct door_session session;
    struct door_stream *stream;

    (void)state;
    door_session_init(&session);
    stream = door_session_open(&session, "localabstract:minitouch");
    door_session_expect(&session, "");
    door_session_send(&session, stream, "d 0 5 5 50\nc\n", 13);
    door_session_send(&session, stream, "u 0\nc\n", 6);
    door_session_expect(&session, "raw");
    door_session_end(&session, stream);
    door_session_end(&session, door_session_open(&session, "remount:"));
    door_session_end(&session, door_session_open(&session, "never:known"));
    door_session_expect(&session, "raw setting ; raw");
    door_session_release(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_lines_are_commands),
        cmocka_unit_test(a_terminal_edits_its_line),
        cmocka_unit_test(packets_of_shell_v2_hold_lines),
        cmocka_unit_test(a_shell_as_a_command_reads_its_input),
        cmocka_unit_test(a_script_in_a_here_document_is_read),
        cmocka_unit_test(a_screenshot_is_taken_from_the_output),
        cmocka_unit_test(packets_and_messages_around_a_tree_are_left_out),
        cmocka_unit_test(what_a_terminal_damaged_is_repaired),
        cmocka_unit_test(a_framebuffer_has_its_length_in_front),
        cmocka_unit_test(a_pulled_screenshot_is_the_one_that_was_taken),
        cmocka_unit_test(a_pushed_file_is_raw_unless_it_is_temporary),
        cmocka_unit_test(broken_requests_are_raw_once),
        cmocka_unit_test(other_streams_are_raw_when_something_is_sent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
