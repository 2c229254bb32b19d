/* Our client of scrcpy's server, with the built-in phone as that server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adb/scrcpy/h264_stream.h"
#include "adb/scrcpy/scrcpy_client.h"
#include "base/file.h"
#include "base/keycode.h"
#include "base/picture/png.h"
#include "tests/support/adb/shell_helper.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/phone/video/video_decoder.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)

/* Longer than any change of the screen takes to be sent. */
#define QUIET_MS 300

/* A text file with a version is a server of that version on this phone. */
static const char *const versions[] = {"2.1", "3.3.4", "4.0", "4.1"};

#define CLIENTS_MAX 2 /* open at a time */

struct scrcpy_test {
    struct phone *phone;
    struct device *device;
    struct scrcpy_client *clients[CLIENTS_MAX]; /* NULL: closed */
    struct video_decoder *decoder;
    struct picture seen; /* the last frame */
};

static struct phone_fonts *fonts;

static int set_up(void **state)
{
    const struct phone_options options = {.seed = 7, .fonts = fonts};
    struct scrcpy_test *test = calloc(1, sizeof(*test));
    struct err err = ERR_INIT;

    assert_non_null(test);
    if (!phone_start(&options, &test->phone, &err))
        fail_msg("%s", err.text);
    test->device = shell_helper_connect(phone_port(test->phone));
    test->decoder = video_decoder_new();
    test->seen = (struct picture)PICTURE_INIT;
    *state = test;
    return 0;
}

static int tear_down(void **state)
{
    struct scrcpy_test *test = *state;

    for (size_t i = 0; i < CLIENTS_MAX; i++)
        scrcpy_client_close(test->clients[i]);
    picture_release(&test->seen);
    video_decoder_free(test->decoder);
    device_close(test->device);
    phone_stop(test->phone);
    free(test);
    return 0;
}

/* The server's file of a version. */
static const char *server_file(const char *version)
{
    static char path[64];
    struct err err = ERR_INIT;

    snprintf(path, sizeof(path), "scrcpy-server-%s", version);
    if (!file_save(path, 0644, version, strlen(version), &err))
        fail_msg("%s", err.text);
    return path;
}

/* Open a client, which the fixture closes unless the test does. */
static struct scrcpy_client *open_with(struct scrcpy_test *test,
                                       struct scrcpy_settings settings,
                                       const char *version)
{
    struct scrcpy_client **client = test->clients;
    struct err err = ERR_INIT;

    while (*client) {
        client++;
        assert_true(client < test->clients + CLIENTS_MAX);
    }
    settings.server_path = server_file(version);
    if (!scrcpy_client_open(test->device, &settings, SOON, client, &err))
        fail_msg("%s", err.text);
    return *client;
}

static void close_client(struct scrcpy_test *test, struct scrcpy_client *client)
{
    for (size_t i = 0; i < CLIENTS_MAX; i++) {
        if (test->clients[i] == client)
            test->clients[i] = NULL;
    }
    scrcpy_client_close(client);
}

static struct scrcpy_client *open_client(struct scrcpy_test *test,
                                         const char *version)
{
    return open_with(test, (struct scrcpy_settings){0}, version);
}

/* Read and decode one packet. */
static struct video_packet next(struct scrcpy_test *test,
                                struct scrcpy_client *client)
{
    struct video_packet packet;
    struct err err = ERR_INIT;

    if (!scrcpy_client_next(client, SOON, &packet, &err))
        fail_msg("%s", err.text);
    video_decoder_decode(test->decoder, &packet, &test->seen);
    return packet;
}

/* Decode everything until the screen has been quiet for a while. */
static size_t watch(struct scrcpy_test *test, struct scrcpy_client *client)
{
    struct video_packet packet;
    struct err err = ERR_INIT;
    size_t count = 0;

    while (
        scrcpy_client_next(client, deadline_in_ms(QUIET_MS), &packet, &err)) {
        video_decoder_decode(test->decoder, &packet, &test->seen);
        count++;
    }
    assert_int_equal(err.code, ERR_TIMEOUT);
    return count;
}

static double compare(struct scrcpy_test *test)
{
    struct buf png = BUF_INIT((size_t)64 << 20);
    struct picture screen = PICTURE_INIT;
    struct err err = ERR_INIT;
    double psnr = 0;

    if (!phone_screenshot(test->phone, &png, &err) ||
        !png_decode(png.data, png.length, &screen, &err))
        fail_msg("%s", err.text);
    if (screen.width == test->seen.width && screen.height == test->seen.height)
        psnr = picture_psnr(&test->seen, &screen);
    picture_release(&screen);
    buf_release(&png);
    return psnr;
}

/* Decode until the video shows what the screen does. */
static void expect_same_picture(struct scrcpy_test *test,
                                struct scrcpy_client *client)
{
    struct deadline by = SOON;
    double psnr = compare(test);

    while (psnr < 30 && !deadline_passed(by)) {
        watch(test, client);
        psnr = compare(test);
    }
    if (psnr < 30)
        fail_msg("the video differs from the screen: %.1f dB", psnr);
}

/* Wait for the first frame. */
static void watch_first(struct scrcpy_test *test, struct scrcpy_client *client)
{
    while (next(test, client).kind != VIDEO_KEY)
        continue;
    expect_same_picture(test, client);
}

/* Does the tree contain this text? */
static bool shows(struct scrcpy_test *test, const char *text)
{
    struct buf xml = BUF_INIT((size_t)8 << 20);
    bool found;

    phone_tree(test->phone, &xml);
    found = strstr(buf_cstr(&xml), text);
    buf_release(&xml);
    return found;
}

/* Watch until it does. */
static void expect_tree(struct scrcpy_test *test, struct scrcpy_client *client,
                        const char *text)
{
    struct deadline by = SOON;

    while (!shows(test, text) && !deadline_passed(by))
        watch(test, client);
    if (!shows(test, text))
        fail_msg("the phone does not show %s", text);
}

static bool is_in_front(struct scrcpy_test *test, const char *package)
{
    struct phone_component front;

    phone_front(test->phone, &front);
    return !strcmp(front.package, package);
}

/* Watch until this app is no longer in front. */
static void expect_other_app(struct scrcpy_test *test,
                             struct scrcpy_client *client, const char *package)
{
    struct deadline by = SOON;

    while (is_in_front(test, package) && !deadline_passed(by))
        watch(test, client);
    if (is_in_front(test, package))
        fail_msg("%s is still in front", package);
}

/* "[left,top][right,bottom]" */
static void read_box(const char *text, long box[4])
{
    for (size_t i = 0; i < 4; i++) {
        char *end;

        text += strspn(text, "[],");
        box[i] = strtol(text, &end, 10);
        assert_true(end > text);
        text = end;
    }
}

/* The center of the element that has this text in its description. */
static struct scrcpy_position place_of(struct scrcpy_test *test,
                                       const char *text, struct extent size)
{
    struct buf xml = BUF_INIT((size_t)8 << 20);
    const char *found;
    long box[4];

    phone_tree(test->phone, &xml);
    found = strstr(buf_cstr(&xml), text);
    found = found ? strstr(found, "bounds=\"") : NULL;
    if (!found)
        fail_msg("the phone does not show %s", text);
    read_box(found + strlen("bounds=\""), box);
    buf_release(&xml);
    return (struct scrcpy_position){
        .x = (int32_t)(box[0] + box[2]) / 2,
        .y = (int32_t)(box[1] + box[3]) / 2,
        .width = (uint16_t)size.width,
        .height = (uint16_t)size.height,
    };
}

static void touch(struct scrcpy_client *client, enum scrcpy_action action,
                  struct scrcpy_position at)
{
    struct err err = ERR_INIT;

    if (!scrcpy_client_touch(client, action, SCRCPY_POINTER_FINGER, at, 1, SOON,
                             &err))
        fail_msg("%s", err.text);
}

static void tap(struct scrcpy_client *client, struct scrcpy_position at)
{
    touch(client, SCRCPY_DOWN, at);
    touch(client, SCRCPY_UP, at);
}

static const struct extent whole_screen = {1080, 2400};

/* ---- video ---- */

static void video_equals_the_screen_in_both_layouts(void **state)
{
    struct scrcpy_test *test = *state;

    for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
        struct scrcpy_client *client = open_client(test, versions[i]);
        struct video_packet packet = next(test, client);
        struct h264_config config;
        struct err err = ERR_INIT;

        assert_string_equal(scrcpy_client_version(client), versions[i]);
        assert_string_not_equal(scrcpy_client_device_name(client), "");
        assert_int_equal(packet.kind, VIDEO_CONFIG);
        assert_true(
            h264_config_parse(packet.data, packet.length, &config, &err));
        assert_int_equal(config.size.width, 1080);
        assert_int_equal(config.size.height, 2400);
        packet = next(test, client);
        assert_int_equal(packet.kind, VIDEO_KEY);
        assert_int_equal(packet.size.width, 1080);
        assert_int_equal(packet.size.height, 2400);
        expect_same_picture(test, client);
        close_client(test, client);
    }
}

static void nothing_is_sent_while_nothing_changes(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client = open_client(test, "3.3.4");
    struct err err = ERR_INIT;

    watch_first(test, client);
    assert_int_equal(watch(test, client), 0);
    if (!scrcpy_client_send(client, SCRCPY_RESET_VIDEO, SOON, &err))
        fail_msg("%s", err.text);
    assert_int_equal(next(test, client).kind, VIDEO_CONFIG);
    assert_int_equal(next(test, client).kind, VIDEO_KEY);
    expect_same_picture(test, client);
}

static void a_smaller_video_keeps_the_shape(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client =
        open_with(test, (struct scrcpy_settings){.max_size = 800}, "4.1");
    struct video_packet packet = next(test, client);

    assert_int_equal(packet.size.width, 360);
    assert_int_equal(packet.size.height, 800);
    next(test, client);
    tap(client, (struct scrcpy_position){180, 790, 360, 800});
}

static void rotation_changes_the_size_in_both_layouts(void **state)
{
    static const char *const both[] = {"3.3.4", "4.1"};
    struct scrcpy_test *test = *state;

    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        struct scrcpy_client *client = open_client(test, both[i]);
        struct video_packet packet = next(test, client);
        struct extent before = packet.size;
        struct err err = ERR_INIT;

        if (!scrcpy_client_send(client, SCRCPY_ROTATE, SOON, &err))
            fail_msg("%s", err.text);
        while (packet.size.width == before.width)
            packet = next(test, client);
        assert_int_equal(packet.kind, VIDEO_CONFIG);
        assert_int_equal(packet.size.width, before.height);
        assert_int_equal(packet.size.height, before.width);
        expect_same_picture(test, client);
        close_client(test, client);
    }
}

/* ---- control ---- */

static void a_tap_opens_an_app_and_the_video_shows_it(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client = open_client(test, "4.1");

    watch_first(test, client);
    tap(client, place_of(test, "\"Settings\"", whole_screen));
    expect_tree(test, client, "com.android.settings");
    expect_same_picture(test, client);
}

static void a_touch_for_another_size_is_ignored(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client = open_client(test, "3.3.4");
    struct extent stale = {2400, 1080};

    watch_first(test, client);
    tap(client, place_of(test, "\"Settings\"", stale));
    assert_int_equal(watch(test, client), 0);
}

/* Wait until a finger presses the screen, or none does. */
static void await_finger(struct scrcpy_test *test, bool down)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const struct deadline by = SOON;
    uint64_t seen = 0;

    while (phone_await_change(test->phone, deadline_in_ms(0), &seen) != down) {
        assert_false(deadline_passed(by));
        nanosleep(&pause, NULL);
        seen = 0;
    }
}

static void a_lift_for_another_size_lifts_the_finger(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client = open_client(test, "4.1");

    watch_first(test, client);
    touch(client, SCRCPY_DOWN, place_of(test, "\"Settings\"", whole_screen));
    await_finger(test, true);
    touch(client, SCRCPY_UP, (struct scrcpy_position){0, 0, 2400, 1080});
    await_finger(test, false);
}

static void text_in_chinese_is_pasted(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client = open_client(test, "3.3.4");
    struct buf clipboard = BUF_INIT(1024);
    struct err err = ERR_INIT;

    shell_helper_expect(test->device,
                        "am start -n com.android.settings/.Settings >/dev/null",
                        "");
    expect_tree(test, client, "Search");
    tap(client, place_of(test, "\"Search", whole_screen));
    expect_tree(test, client, "search_src_text");
    if (!scrcpy_client_text(client, "wifi ", SOON, &err) ||
        !scrcpy_client_text(client, "你好,世界", SOON, &err) ||
        !scrcpy_client_get_clipboard(client, SOON, &clipboard, &err))
        fail_msg("%s", err.text);
    expect_tree(test, client, "wifi 你好,世界");
    assert_string_equal(buf_cstr(&clipboard), "你好,世界");
    buf_release(&clipboard);
}

static void keys_and_panels_act_on_the_phone(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client =
        open_with(test, (struct scrcpy_settings){.max_fps = 30}, "2.1");
    struct err err = ERR_INIT;

    shell_helper_expect(test->device,
                        "am start -n com.android.settings/.Settings >/dev/null",
                        "");
    expect_tree(test, client, "com.android.settings");
    if (!scrcpy_client_send(client, SCRCPY_EXPAND_NOTIFICATIONS, SOON, &err))
        fail_msg("%s", err.text);
    expect_tree(test, client, "com.android.systemui");
    if (!scrcpy_client_send(client, SCRCPY_COLLAPSE_PANELS, SOON, &err) ||
        !scrcpy_client_press(client, KEY_HOME, SOON, &err))
        fail_msg("%s", err.text);
    expect_other_app(test, client, "com.android.settings");
    assert_false(scrcpy_client_send(client, SCRCPY_RESET_VIDEO, SOON, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
}

static void a_wheel_scrolls_a_list(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client = open_client(test, "3.3.4");
    const struct scrcpy_position at = {540, 1600, 1080, 2400};
    struct buf before = BUF_INIT((size_t)8 << 20);
    struct deadline by = SOON;
    struct err err = ERR_INIT;

    shell_helper_expect(test->device, "monkey -p org.proctor.eats 1 >/dev/null",
                        "");
    expect_tree(test, client, "scrollable=\"true\"");
    watch_first(test, client);
    phone_tree(test->phone, &before);
    if (!scrcpy_client_scroll(client, at, 0, -1, SOON, &err))
        fail_msg("%s", err.text);
    while (shows(test, buf_cstr(&before)) && !deadline_passed(by))
        watch(test, client);
    assert_false(deadline_passed(by));
    buf_release(&before);
}

static void control_works_without_video(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client =
        open_with(test, (struct scrcpy_settings){.no_video = true}, "3.3.4");
    struct video_packet packet;
    struct buf text = BUF_INIT(64);
    struct err err = ERR_INIT;

    if (!scrcpy_client_set_clipboard(client, "kept", false, SOON, &err) ||
        !scrcpy_client_get_clipboard(client, SOON, &text, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&text), "kept");
    assert_false(scrcpy_client_next(client, SOON, &packet, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    buf_release(&text);
}

static void several_clients_watch_and_touch_one_phone(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *first = open_client(test, "3.3.4");
    struct scrcpy_client *second = open_client(test, "4.1");

    watch_first(test, first);
    tap(second, place_of(test, "\"Settings\"", whole_screen));
    expect_tree(test, first, "com.android.settings");
    expect_same_picture(test, first);
    close_client(test, first);
    watch_first(test, second);
}

/* ---- failures ---- */

static void expect_no_client(struct scrcpy_test *test,
                             const struct scrcpy_settings *settings,
                             enum err_code code, const char *text)
{
    struct scrcpy_client *client = NULL;
    struct err err = ERR_INIT;

    assert_false(
        scrcpy_client_open(test->device, settings, SOON, &client, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, text))
        fail_msg("\"%s\" does not contain \"%s\"", err.text, text);
}

static void failures_name_their_cause(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_settings settings = {.server_path = server_file("3.3.4"),
                                       .version = "4.1"};

    expect_no_client(test, &settings, ERR_REMOTE,
                     "The server version (3.3.4) does not match the client "
                     "(4.1)");
    settings.version = NULL;
    settings.server_path = "missing";
    expect_no_client(test, &settings, ERR_NOT_FOUND, "missing");
    settings.server_path = server_file("3.3.4");
    settings.version = "1.25";
    expect_no_client(test, &settings, ERR_UNSUPPORTED, "1.25");
    shell_helper_expect(test->device, "ls /data/local/tmp", "");
}

static void a_lost_phone_ends_the_video(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client = open_client(test, "3.3.4");
    struct video_packet packet;
    struct err err = ERR_INIT;

    watch(test, client);
    phone_stop(test->phone);
    test->phone = NULL;
    while (scrcpy_client_next(client, SOON, &packet, &err))
        continue;
    assert_int_equal(err.code, ERR_LOST);
    assert_false(scrcpy_client_press(client, KEY_HOME, SOON, &err));
}

static void the_server_ends_with_its_client_and_removes_its_file(void **state)
{
    struct scrcpy_test *test = *state;
    struct deadline by = SOON;
    bool gone = false;

    close_client(test, open_client(test, "3.3.4"));
    while (!gone && !deadline_passed(by)) {
        struct shell_result result;
        struct err err = ERR_INIT;

        if (!shell_run(test->device, "ls /data/local/tmp", 4096, SOON, &result,
                       &err))
            fail_msg("%s", err.text);
        gone = !result.out.length;
        shell_result_release(&result);
    }
    assert_true(gone);
}

static void an_interrupt_ends_a_waiting_call(void **state)
{
    struct scrcpy_test *test = *state;
    struct scrcpy_client *client = open_client(test, "3.3.4");
    struct video_packet packet;
    struct err err = ERR_INIT;

    watch(test, client);
    scrcpy_client_interrupt(client);
    assert_false(scrcpy_client_next(client, SOON, &packet, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
}

static void android_before_5_is_unsupported(void **state)
{
    const struct phone_options options = {.fonts = fonts,
                                          .android = ANDROID_4_4};
    struct scrcpy_test test = {.phone = NULL};
    const struct scrcpy_settings settings = {.server_path =
                                                 server_file("3.3.4")};
    struct err err = ERR_INIT;

    (void)state;
    if (!phone_start(&options, &test.phone, &err))
        fail_msg("%s", err.text);
    test.device = shell_helper_connect(phone_port(test.phone));
    expect_no_client(&test, &settings, ERR_UNSUPPORTED, "Android 5");
    device_close(test.device);
    phone_stop(test.phone);
}

static int open_group(void **state)
{
    struct err err = ERR_INIT;

    return scratch_folder_enter(state) || !fonts_open(&fonts, &err);
}

static int close_group(void **state)
{
    fonts_close(fonts);
    return scratch_folder_leave(state);
}

#define ON_PHONE(test_)                                                        \
    cmocka_unit_test_setup_teardown(test_, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_PHONE(video_equals_the_screen_in_both_layouts),
        ON_PHONE(nothing_is_sent_while_nothing_changes),
        ON_PHONE(a_smaller_video_keeps_the_shape),
        ON_PHONE(rotation_changes_the_size_in_both_layouts),
        ON_PHONE(a_tap_opens_an_app_and_the_video_shows_it),
        ON_PHONE(a_touch_for_another_size_is_ignored),
        ON_PHONE(a_lift_for_another_size_lifts_the_finger),
        ON_PHONE(text_in_chinese_is_pasted),
        ON_PHONE(keys_and_panels_act_on_the_phone),
        ON_PHONE(a_wheel_scrolls_a_list),
        ON_PHONE(control_works_without_video),
        ON_PHONE(several_clients_watch_and_touch_one_phone),
        ON_PHONE(failures_name_their_cause),
        ON_PHONE(a_lost_phone_ends_the_video),
        ON_PHONE(the_server_ends_with_its_client_and_removes_its_file),
        ON_PHONE(an_interrupt_ends_a_waiting_call),
        cmocka_unit_test(android_before_5_is_unsupported),
    };

    return cmocka_run_group_tests(tests, open_group, close_group);
}
