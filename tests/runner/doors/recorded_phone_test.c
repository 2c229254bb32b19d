/* A recorded phone in front of a built-in one. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/server/server_phone.h"
#include "base/bytes.h"
#include "base/picture/jpeg.h"
#include "base/picture/png.h"
#include "runner/doors/door_screen.h"
#include "runner/doors/recorded_phone.h"
#include "tests/runner/test_phone.h"

/* What was reported; everything is done one after the other. */
struct test_recorder {
    struct door_recorder recorder;
    struct extent size;
    bool refuses;
    struct buf actions; /* "click 5 6;type hi;" */
    struct buf changes; /* "1 system x;" */
    struct buf screen;
    enum door_format format;
    size_t screens;
    struct buf xml;
};

struct recorded {
    struct test_phone built_in;
    struct test_recorder recorder;
    /* The user's own adb server, where the phone is behind one. */
    struct device *server_device;
    struct server_phone *served;
    struct adb_server_phone served_shown;
    struct adb_server *server;
    struct device *behind;

    struct server_phone *server_phone;
    struct recorded_phone *phone;
    struct adb_server_phone shown;
};

static bool test_recorder_act(struct door_recorder *door,
                              const struct action *action, bool continues,
                              char why[DOOR_RECORDER_WHY_MAX])
{
    struct test_recorder *recorder = (struct test_recorder *)door;
    struct buf *text = &recorder->actions;

    buf_printf(text, "%s%s", continues ? "+" : "",
               action_kind_name(action->kind));
    if (action->has_from)
        buf_printf(text, " %d %d", action->from.x, action->from.y);
    if (action->text)
        buf_printf(text, " %s", action->text);
    buf_text(text, ";");
    snprintf(why, DOOR_RECORDER_WHY_MAX, "not allowed");
    return !recorder->refuses;
}

static void test_recorder_change(struct door_recorder *door,
                                 enum door_change change, const char *name)
{
    buf_printf(&((struct test_recorder *)door)->changes, "%d %s;", (int)change,
               name);
}

static struct touch_display test_recorder_display(struct door_recorder *door)
{
    return (struct touch_display){.size = ((struct test_recorder *)door)->size};
}

static void take(struct buf *to, struct buf *from)
{
    buf_clear(to);
    buf_append(to, from->data, from->length);
}

static void test_recorder_note_screen(struct door_recorder *door,
                                      enum door_format format, struct buf *data)
{
    struct test_recorder *recorder = (struct test_recorder *)door;

    take(&recorder->screen, data);
    recorder->format = format;
    recorder->screens++;
}

static void test_recorder_note_tree(struct door_recorder *door, struct buf *xml)
{
    take(&((struct test_recorder *)door)->xml, xml);
}

/* Let the recorder use the phone through an adb server. */
static struct device *put_behind_server(struct recorded *recorded)
{
    struct server_client server = {.host = "127.0.0.1"};
    struct err err = ERR_INIT;
    uint16_t port = phone_port(recorded->built_in.phone);

    if (!device_open_tcp("127.0.0.1", port, NULL, SOON,
                         &recorded->server_device, &err) ||
        !server_phone_open(recorded->server_device, NULL, NULL,
                           &recorded->served, &err))
        fail_msg("%s", err.text);
    recorded->served_shown = server_phone_show(recorded->served);
    if (!adb_server_start(
            &(struct adb_server_options){.phones = &recorded->served_shown,
                                         .phone_count = 1},
            &recorded->server, &err) ||
        !adb_server_listen(recorded->server, "127.0.0.1", 0, &server.port,
                           &err) ||
        !device_open_server(&server, recorded->served_shown.serial, SOON,
                            &recorded->behind, &err))
        fail_msg("%s", err.text);
    return recorded->behind;
}

static int enter_with(void **state, bool has_server)
{
    static const struct door_recorder_ops ops = {
        .act = test_recorder_act,
        .change = test_recorder_change,
        .display = test_recorder_display,
        .note_screen = test_recorder_note_screen,
        .note_tree = test_recorder_note_tree,
    };
    struct recorded *recorded = calloc(1, sizeof(*recorded));
    struct device *device;
    struct phone_size size;
    struct adb_server_phone shown;
    struct err err = ERR_INIT;

    assert_non_null(recorded);
    test_phone_start(&recorded->built_in, &(struct phone_options){.seed = 1});
    size = phone_screen_size(recorded->built_in.phone);
    recorded->recorder = (struct test_recorder){
        .recorder = {.ops = &ops},
        .size = {size.width, size.height},
        .actions = BUF_INIT(1 << 16),
        .changes = BUF_INIT(1 << 16),
        .screen = BUF_INIT((size_t)64 << 20),
        .xml = BUF_INIT((size_t)16 << 20),
    };
    device =
        has_server ? put_behind_server(recorded) : recorded->built_in.device;
    if (!server_phone_open(device, NULL, NULL, &recorded->server_phone, &err))
        fail_msg("%s", err.text);
    shown = server_phone_show(recorded->server_phone);
    recorded->phone = recorded_phone_open(&shown, &recorded->recorder.recorder);
    server_phone_set_wrap(recorded->server_phone, recorded_phone_wrap,
                          recorded->phone);
    recorded->shown = recorded_phone_show(recorded->phone);
    *state = recorded;
    return 0;
}

static int enter(void **state)
{
    return enter_with(state, false);
}

static int enter_behind_server(void **state)
{
    return enter_with(state, true);
}

static int leave(void **state)
{
    struct recorded *recorded = *state;

    server_phone_close(recorded->server_phone);
    recorded_phone_close(recorded->phone);
    device_close(recorded->behind);
    adb_server_stop(recorded->server);
    server_phone_close(recorded->served);
    device_close(recorded->server_device);
    test_phone_stop(&recorded->built_in);
    buf_release(&recorded->recorder.actions);
    buf_release(&recorded->recorder.changes);
    buf_release(&recorded->recorder.screen);
    buf_release(&recorded->recorder.xml);
    free(recorded);
    return 0;
}

static struct stream *open_service(struct recorded *recorded,
                                   const char *service)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    if (!recorded->shown.ops->open(recorded->shown.context, service, SOON,
                                   &stream, &err))
        fail_msg("%s: %s", service, err.text);
    return stream;
}

/* Run a service to its end; it is still open when this returns. */
static struct stream *read_service(struct recorded *recorded,
                                   const char *service, struct buf *text)
{
    struct stream *stream = open_service(recorded, service);
    struct err err = ERR_INIT;

    buf_clear(text);
    if (!stream_read_all(stream, SOON, text, &err))
        fail_msg("%s: %s", service, err.text);
    return stream;
}

static void run_service(struct recorded *recorded, const char *service)
{
    struct buf text = BUF_INIT((size_t)64 << 20);

    stream_close(read_service(recorded, service, &text));
    buf_release(&text);
}

static void expect_actions(struct recorded *recorded, const char *expected)
{
    assert_string_equal(buf_cstr(&recorded->recorder.actions), expected);
    buf_clear(&recorded->recorder.actions);
}

/* ---- reverse forwards ---- */

/* A program on the phone, and the agent that it has connected to. */
struct connected {
    struct stream *program;
    int agent;
};

static int accept_one(int listener)
{
    struct pollfd waiting = {.fd = listener, .events = POLLIN};
    int fd;

    assert_int_equal(poll(&waiting, 1, 60000), 1);
    fd = accept(listener, NULL, NULL);
    assert_true(fd >= 0);
    return fd;
}

static struct connected connect_through_reverse(struct recorded *recorded,
                                                const char *remote)
{
    struct local_endpoint endpoint = {.kind = LOCAL_ENDPOINT_TCP,
                                      .host = "localhost"};
    struct connected connected = {.program = NULL};
    char request[128];
    struct err err = ERR_INIT;
    int listener;

    assert_true(local_endpoint_listen(&endpoint, &listener, &err));
    snprintf(request, sizeof(request), "reverse:forward:%s;tcp:%u", remote,
             (unsigned)endpoint.port);
    run_service(recorded, request);
    if (!device_open_service(recorded->built_in.device, remote, SOON,
                             &connected.program, &err))
        fail_msg("%s", err.text);
    connected.agent = accept_one(listener);
    local_endpoint_unlisten(&endpoint, listener);
    return connected;
}

/* The control message that types a text. */
static void put_text_message(struct buf *message, const char *text)
{
    uint8_t front[5] = {1};

    put_u32be(front + 1, (uint32_t)strlen(text));
    buf_append(message, front, sizeof(front));
    buf_text(message, text);
}

static void control_through_a_reverse_is_recorded(void **state)
{
    struct recorded *recorded = *state;
    struct connected connected =
        connect_through_reverse(recorded, "localabstract:scrcpy_0042");
    struct buf message = BUF_INIT(256);
    char arrived[64];
    struct err err = ERR_INIT;

    put_text_message(&message, "hello");
    assert_int_equal(
        send(connected.agent, message.data, message.length, MSG_NOSIGNAL),
        message.length);
    assert_true(stream_read_exact(connected.program, arrived, message.length,
                                  SOON, &err));
    assert_memory_equal(arrived, message.data, message.length);
    expect_actions(recorded, "type hello;");
    assert_true(stream_write(connected.program, "video", 5, SOON, &err));
    assert_int_equal(recv(connected.agent, arrived, 5, MSG_WAITALL), 5);
    close(connected.agent);
    stream_close(connected.program);
    buf_release(&message);
}

static void a_refused_action_does_not_pass_a_reverse(void **state)
{
    struct recorded *recorded = *state;
    struct connected connected =
        connect_through_reverse(recorded, "localabstract:scrcpy");
    struct buf message = BUF_INIT(256);
    struct buf arrived = BUF_INIT(256);
    struct err err = ERR_INIT;

    recorded->recorder.refuses = true;
    put_text_message(&message, "pay");
    assert_int_equal(
        send(connected.agent, message.data, message.length, MSG_NOSIGNAL),
        message.length);
    assert_true(stream_read_all(connected.program, SOON, &arrived, &err));
    assert_int_equal(arrived.length, 0);
    expect_actions(recorded, "type pay;");
    close(connected.agent);
    stream_close(connected.program);
    buf_release(&message);
    buf_release(&arrived);
}

static void count_entry(void *context, const char *remote, const char *local)
{
    (void)remote, (void)local;
    ++*(size_t *)context;
}

static size_t count_reverses(struct recorded *recorded)
{
    size_t count = 0;
    struct err err = ERR_INIT;

    if (!reverse_list(recorded->built_in.device, count_entry, &count, SOON,
                      &err))
        fail_msg("%s", err.text);
    return count;
}

/* The next agent on this phone must not find them. */
static void reverses_of_an_agent_are_removed_at_its_end(void **state)
{
    struct recorded *recorded = *state;

    run_service(recorded, "reverse:forward:localabstract:one;tcp:4000");
    run_service(recorded, "reverse:forward:tcp:0;tcp:4001");
    assert_int_equal(count_reverses(recorded), 2);
    server_phone_close(recorded->server_phone);
    recorded->server_phone = NULL;
    assert_int_equal(count_reverses(recorded), 0);
}

/* Clients find what they have asked for. */
static void a_list_of_reverses_names_what_was_asked_for(void **state)
{
    struct recorded *recorded = *state;
    struct buf text = BUF_INIT(4096);

    run_service(recorded, "reverse:forward:localabstract:one;tcp:4000");
    stream_close(read_service(recorded, "reverse:list-forward", &text));
    if (!strstr(buf_cstr(&text), " localabstract:one tcp:4000\n"))
        fail_msg("%s", buf_cstr(&text));
    buf_release(&text);
}

/* scrcpy removes its forward as soon as its server has connected. */
static void a_connection_outlives_its_reverse(void **state)
{
    struct recorded *recorded = *state;
    struct connected connected =
        connect_through_reverse(recorded, "localabstract:scrcpy_0043");
    struct buf message = BUF_INIT(256);
    char arrived[64];
    struct err err = ERR_INIT;

    run_service(recorded, "reverse:killforward:localabstract:scrcpy_0043");
    put_text_message(&message, "still");
    assert_int_equal(
        send(connected.agent, message.data, message.length, MSG_NOSIGNAL),
        message.length);
    assert_true(stream_read_exact(connected.program, arrived, message.length,
                                  SOON, &err));
    expect_actions(recorded, "type still;");
    close(connected.agent);
    stream_close(connected.program);
    buf_release(&message);
}

/* ---- sendevent ---- */

#define EVENT "sendevent /dev/input/event1 "

/* The built-in phone's touch screen counts to 32767 on both axes. */
static void events_of_the_touch_screen_are_points_of_the_display(void **state)
{
    struct recorded *recorded = *state;
    struct extent size = recorded->recorder.size;
    char expected[64];

    run_service(recorded, "shell:" EVENT "3 57 1; " EVENT "3 53 16384; " EVENT
                          "3 54 24576; " EVENT "0 0 0; " EVENT
                          "3 57 4294967295; " EVENT "0 0 0");
    snprintf(expected, sizeof(expected), "click %d %d;+click %d %d;",
             size.width / 2, size.height * 3 / 4, size.width / 2,
             size.height * 3 / 4);
    expect_actions(recorded, expected);
}

/* ---- screenshots ---- */

static void decode_seen(struct recorded *recorded, struct picture *picture)
{
    struct test_recorder *recorder = &recorded->recorder;
    struct err err = ERR_INIT;

    assert_int_equal(recorder->screens, 1);
    recorder->screens = 0;
    if (!door_screen_convert(recorder->format, &recorder->screen, &err) ||
        !png_decode(recorder->screen.data, recorder->screen.length, picture,
                    &err))
        fail_msg("%s", err.text);
}

static void screenshots_in_every_format_are_reported(void **state)
{
    static const char *const services[] = {
        "exec:screencap -p",
        "exec:screencap",
        "shell,v2,raw:screencap",
        "framebuffer:",
    };
    struct recorded *recorded = *state;
    struct picture first = PICTURE_INIT;
    struct picture next = PICTURE_INIT;
    struct buf text = BUF_INIT((size_t)64 << 20);

    for (size_t i = 0; i < ARRAY_LEN(services); i++) {
        struct stream *stream = read_service(recorded, services[i], &text);

        decode_seen(recorded, i ? &next : &first);
        stream_close(stream);
        assert_int_equal(recorded->recorder.screens, 0);
        if (!i)
            continue;
        assert_int_equal(next.width, first.width);
        assert_int_equal(next.height, first.height);
        for (uint32_t y = 0; y < first.height; y++)
            assert_memory_equal(picture_row(&next, y), picture_row(&first, y),
                                (size_t)first.width * PICTURE_PIXEL);
    }
    picture_release(&first);
    picture_release(&next);
    buf_release(&text);
}

static void a_file_is_the_screen_of_the_time_it_was_made(void **state)
{
    struct recorded *recorded = *state;
    struct picture picture = PICTURE_INIT;

    run_service(recorded, "shell:screencap /sdcard/one.raw");
    assert_int_equal(recorded->recorder.screens, 0);
    run_service(recorded, "exec:cat /sdcard/one.raw");
    decode_seen(recorded, &picture);
    run_service(recorded, "shell:input tap 5 5");
    run_service(recorded, "exec:cat /sdcard/one.raw");
    assert_int_equal(recorded->recorder.screens, 0);
    run_service(recorded, "shell:uiautomator dump");
    assert_int_equal(recorded->recorder.xml.length, 0);
    run_service(recorded, "shell:cat /sdcard/window_dump.xml");
    assert_true(recorded->recorder.xml.length > 0);
    picture_release(&picture);
}

/* ---- changes ---- */

static void push_request(struct recorded *recorded, const char *path)
{
    struct stream *stream = open_service(recorded, "sync:");
    uint8_t header[8] = "SEND";
    struct err err = ERR_INIT;

    put_u32le(header + 4, (uint32_t)strlen(path));
    if (!stream_write(stream, header, sizeof(header), SOON, &err) ||
        !stream_write(stream, path, strlen(path), SOON, &err))
        fail_msg("%s", err.text);
    stream_close(stream);
}

static void changes_that_can_be_restored_are_reported(void **state)
{
    static const struct {
        const char *service;
        const char *changes;
    } table[] = {
        {"shell:settings put system user_rotation 1",
         "1 system user_rotation;"},
        {"shell:settings --user 0 delete global a", "1 global a;"},
        {"shell:cmd settings put secure b c", "1 secure b;"},
        {"exec:k=d; settings put system $k e; settings get system f",
         "1 system d;"},
        {"shell:settings put system $(cat f) g", ""},
        {"shell:settings reset global untrusted_defaults", ""},
        {"shell:ime enable a/.B; ime set a/.B; ime list -s", "2 a/.B;2 a/.B;"},
        {"shell:screencap -p /sdcard/one.png", "3 /sdcard/one.png;"},
        {"shell:cd /data/local/tmp && uiautomator dump two.xml",
         "3 /data/local/tmp/two.xml;"},
        {"exec:screencap -p", ""},
        {"shell:input tap 1 1", ""},
    };
    struct recorded *recorded = *state;
    struct buf *changes = &recorded->recorder.changes;

    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        print_message("%s\n", table[i].service);
        run_service(recorded, table[i].service);
        assert_string_equal(buf_cstr(changes), table[i].changes);
        buf_clear(changes);
    }
    push_request(recorded, "/data/local/tmp/a.jar,33188");
    push_request(recorded, "/storage/emulated/0/b/c.png,33188");
    assert_string_equal(buf_cstr(changes),
                        "3 /data/local/tmp/a.jar;3 /sdcard/b/c.png;");
}

static void what_is_refused_changes_nothing(void **state)
{
    struct recorded *recorded = *state;

    recorded->recorder.refuses = true;
    run_service(recorded, "shell:settings put system user_rotation 1");
    assert_string_equal(buf_cstr(&recorded->recorder.changes), "");
}

/* ---- conversion ---- */

static void a_jpeg_is_known_by_its_content(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct picture again = PICTURE_INIT;
    struct buf data = BUF_INIT(1 << 20);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(picture_resize(&picture, 16, 8, &err));
    memset(picture.pixels, 0x80, picture.stride * picture.height);
    assert_true(jpeg_encode(&picture, 90, &data, &err));
    assert_true(door_screen_convert(DOOR_PIXELS, &data, &err));
    assert_true(png_decode(data.data, data.length, &again, &err));
    assert_int_equal(again.width, 16);
    assert_int_equal(again.height, 8);
    picture_release(&picture);
    picture_release(&again);
    buf_release(&data);
}

static void what_is_no_picture_stays_as_it_is(void **state)
{
    static const enum door_format formats[] = {DOOR_PNG, DOOR_JPEG, DOOR_PIXELS,
                                               DOOR_FRAMEBUFFER};
    static const char *const texts[] = {"", "\x01", "\xff\xd8\xff", "\x02\0\0",
                                        "Error: no permission"};
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        for (size_t k = 0; k < ARRAY_LEN(texts); k++) {
            struct buf data = BUF_INIT(64);

            buf_text(&data, texts[k]);
            assert_false(door_screen_convert(formats[i], &data, &err));
            assert_string_equal(buf_cstr(&data), texts[k]);
            buf_release(&data);
        }
    }
}

#define WITH_PHONE(test_) cmocka_unit_test_setup_teardown(test_, enter, leave)
#define BEHIND_SERVER(test_)                                                   \
    {                                                                          \
#test_ " behind a server", test_, enter_behind_server, leave, NULL     \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PHONE(control_through_a_reverse_is_recorded),
        WITH_PHONE(a_refused_action_does_not_pass_a_reverse),
        WITH_PHONE(reverses_of_an_agent_are_removed_at_its_end),
        WITH_PHONE(a_list_of_reverses_names_what_was_asked_for),
        WITH_PHONE(a_connection_outlives_its_reverse),
        BEHIND_SERVER(control_through_a_reverse_is_recorded),
        BEHIND_SERVER(a_refused_action_does_not_pass_a_reverse),
        BEHIND_SERVER(reverses_of_an_agent_are_removed_at_its_end),
        BEHIND_SERVER(a_list_of_reverses_names_what_was_asked_for),
        BEHIND_SERVER(a_connection_outlives_its_reverse),
        WITH_PHONE(events_of_the_touch_screen_are_points_of_the_display),
        WITH_PHONE(screenshots_in_every_format_are_reported),
        WITH_PHONE(a_file_is_the_screen_of_the_time_it_was_made),
        WITH_PHONE(changes_that_can_be_restored_are_reported),
        WITH_PHONE(what_is_refused_changes_nothing),
        cmocka_unit_test(a_jpeg_is_known_by_its_content),
        cmocka_unit_test(what_is_no_picture_stays_as_it_is),
    };

    return cmocka_run_group_tests_name("recorded_phone", tests, NULL, NULL);
}
