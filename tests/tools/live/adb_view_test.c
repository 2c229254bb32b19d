/* A phone over ADB that people look at and touch; here a built-in one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "base/file.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/live/view_client.h"
#include "tools/phone/phone.h"

#define LONG_MS 60000

struct remote_phone {
    struct phone *phone;
    uint16_t port;
    struct phone_view *view;
    uint32_t epoch;
    struct view_client client;
    struct awaited_answer answers[2]; /* to commands that take long */
};

static struct phone_fonts *fonts;

static int open_fonts(void **state)
{
    struct err err;

    return scratch_folder_enter(state) || !fonts_open(&fonts, &err) ? -1 : 0;
}

static int close_fonts(void **state)
{
    fonts_close(fonts);
    return scratch_folder_leave(state);
}

static bool open_device(void *context, const struct cancel *cancel,
                        struct deadline by, struct device **device,
                        struct err *err)
{
    const struct remote_phone *remote = context;
    const struct device_options options = {.cancel = cancel};

    return device_open_tcp("127.0.0.1", remote->port, &options, by, device,
                           err);
}

static void start_phone(struct remote_phone *remote)
{
    const struct phone_options options = {.fonts = fonts,
                                          .seed = 3,
                                          .realtime = true,
                                          .adb_keyboard = true,
                                          .port = remote->port};
    struct err err;

    assert_true(phone_start(&options, &remote->phone, &err));
    if (!remote->port)
        remote->port = phone_port(remote->phone);
}

static int set_up(void **state)
{
    struct remote_phone *remote = calloc(1, sizeof(*remote));
    const struct phone_view_options options = {
        .open = open_device,
        .open_context = remote,
        .rung = LIVE_RUNG_SCREENCAP,
        .scrcpy_server = "scrcpy-server",
    };
    struct err err;

    assert_non_null(remote);
    start_phone(remote);
    assert_true(phone_view_open(&options, &remote->view, &err));
    remote->epoch =
        control_lease_take(phone_view_lease(remote->view), CONTROL_PERSON);
    *state = remote;
    return 0;
}

/* With it, the phone answers as scrcpy's server of this version. */
static void save_scrcpy_server(const char *version)
{
    struct err err;

    assert_true(
        file_save("scrcpy-server", 0644, version, strlen(version), &err));
}

static int tear_down(void **state)
{
    struct remote_phone *remote = *state;

    view_client_close(&remote->client);
    phone_view_close(remote->view);
    phone_stop(remote->phone);
    free(remote);
    (void)remove("scrcpy-server");
    return 0;
}

/* Paint until the client shows the screen: without loss, or as a video. */
static void await_screen(struct remote_phone *remote)
{
    bool (*const shows)(const struct view_client *, const struct buf *) =
        remote->client.decoder ? view_client_resembles : view_client_shows;
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct buf png = BUF_INIT((size_t)64 << 20);
    struct err err;

    do {
        if (deadline_passed(by))
            fail_msg("the client does not show the screen");
        view_client_paint_all(&remote->client);
        buf_clear(&png);
        assert_true(phone_screenshot(remote->phone, &png, &err));
    } while (!shows(&remote->client, &png));
    buf_release(&png);
}

/* The fixture's client, which shows the screen. */
static struct view_client *open_client(struct remote_phone *remote)
{
    view_client_open(&remote->client, remote->view, 0);
    await_screen(remote);
    return &remote->client;
}

static bool tree_has(struct remote_phone *remote, const char *text)
{
    struct buf xml = BUF_INIT((size_t)16 << 20);
    bool found;

    phone_tree(remote->phone, &xml);
    found = strstr(buf_cstr(&xml), text) != NULL;
    buf_release(&xml);
    return found;
}

/* Touch as a person does: again, if the picture was an old one. */
static void tap(struct remote_phone *remote, struct view_client *client, int x,
                int y)
{
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct err err;

    while (!view_client_touch(client, remote->epoch, VIEW_DOWN, x, y, &err)) {
        if (err.code != ERR_REFUSED || deadline_passed(by))
            fail_msg("%s", err.text);
        view_client_paint_all(client);
    }
    if (!view_client_touch(client, remote->epoch, VIEW_UP, x, y, &err))
        fail_msg("%s", err.text);
}

static void screenshots_show_the_screen(void **state)
{
    struct remote_phone *remote = *state;
    struct phone_view_status status;

    (void)open_client(remote);
    phone_view_status(remote->view, &status);
    assert_true(status.connected);
    assert_int_equal(status.rung, LIVE_RUNG_SCREENCAP);
    assert_true(status.rungs[LIVE_RUNG_SCREENCAP].first_ms >= 0);
    assert_int_equal(status.width, 1080);
}

static void tap_and_text_of_any_script_reach_the_phone(void **state)
{
    struct remote_phone *remote = *state;
    const struct view_command open = {
        .kind = VIEW_SHELL,
        .epoch = remote->epoch,
        .text = "am start -n org.proctor.shop/.MainActivity"};
    const struct view_command text = {
        .kind = VIEW_TEXT, .epoch = remote->epoch, .text = "h\"i' $(id) 世界"};
    struct phone_place place;
    struct view_client *client = open_client(remote);
    struct err err;

    assert_true(view_command_run(remote->view, &open, NULL, &err));
    await_screen(remote);
    place = phone_locate(remote->phone, "shop.start_search");
    assert_true(place.shown);
    tap(remote, client, place.x, place.y);
    assert_true(view_command_run(remote->view, &text, NULL, &err));
    assert_true(tree_has(remote, "text='h\"i&apos; $(id) 世界'"));
}

/* Wait until the phone is connected, or is not any more. */
static void await_connection(struct remote_phone *remote, bool connected,
                             struct phone_view_status *status)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const struct deadline by = deadline_in_ms(LONG_MS);

    phone_view_status(remote->view, status);
    while (status->connected != connected) {
        assert_false(deadline_passed(by));
        nanosleep(&pause, NULL);
        phone_view_status(remote->view, status);
    }
}

static void lost_phone_comes_back(void **state)
{
    struct remote_phone *remote = *state;
    struct view_client *client = open_client(remote);
    struct phone_view_status status;

    phone_stop(remote->phone);
    remote->phone = NULL;
    await_connection(remote, false, &status);
    assert_string_not_equal(status.why, "");
    start_phone(remote);
    phone_run(remote->phone, "am start -n com.android.settings/.Settings",
              &(struct buf)BUF_INIT(0), &(struct buf)BUF_INIT(0));
    assert_true(view_client_paint(client, LONG_MS));
    await_screen(remote);
    await_connection(remote, true, &status);
}

static void rung_of_another_phone_is_refused(void **state)
{
    struct remote_phone *remote = *state;
    struct err err;

    assert_false(phone_view_choose(remote->view, LIVE_RUNG_BUILTIN, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_true(phone_view_choose(remote->view, LIVE_RUNG_AUTO, &err));
}

static void rung_that_fails_says_why_and_another_one_is_used(void **state)
{
    struct remote_phone *remote = *state;
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct view_client *client = &remote->client;
    struct phone_view_status status;
    struct err err;

    view_client_open(client, remote->view, 0);
    assert_true(view_client_paint(client, LONG_MS));
    assert_true(phone_view_choose(remote->view, LIVE_RUNG_SCRCPY, &err));
    do {
        assert_false(deadline_passed(by));
        (void)view_client_paint(client, 10);
        phone_view_status(remote->view, &status);
    } while (!*status.rungs[LIVE_RUNG_SCRCPY].why ||
             status.rung == LIVE_RUNG_AUTO);
    assert_false(status.rungs[LIVE_RUNG_SCRCPY].usable);
    assert_non_null(
        strstr(status.rungs[LIVE_RUNG_SCRCPY].why, "scrcpy-server"));
    assert_int_equal(status.wanted, LIVE_RUNG_SCRCPY);
    assert_int_not_equal(status.rung, LIVE_RUNG_SCRCPY);
}

/* Watch by a rung of video, which is used where this one is wanted. */
static void watch_video(struct remote_phone *remote, enum live_rung wanted,
                        enum live_rung rung)
{
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct phone_view_status status;
    struct err err;

    assert_true(phone_view_choose(remote->view, wanted, &err));
    view_client_open(&remote->client, remote->view, 0);
    do {
        assert_false(deadline_passed(by));
        (void)view_client_paint(&remote->client, 100);
        phone_view_status(remote->view, &status);
    } while (status.rung != rung || !remote->client.decoder);
    await_screen(remote);
    phone_view_status(remote->view, &status);
    assert_true(status.rungs[rung].first_ms >= 0);
}

static void scrcpy_shows_the_screen_and_takes_input(void **state)
{
    struct remote_phone *remote = *state;
    struct phone_place place;
    struct phone_component front;
    struct err err;

    save_scrcpy_server("3.3.4");
    watch_video(remote, LIVE_RUNG_SCRCPY, LIVE_RUNG_SCRCPY);
    place =
        phone_locate(remote->phone, "launcher.open com.android.calculator2");
    assert_true(place.shown);
    tap(remote, &remote->client, place.x, place.y);
    do {
        assert_true(view_client_paint(&remote->client, LONG_MS));
        phone_front(remote->phone, &front);
    } while (strcmp(front.package, "com.android.calculator2") != 0);
    assert_true(phone_view_choose(remote->view, LIVE_RUNG_SCREENCAP, &err));
}

static void screenrecord_shows_the_screen(void **state)
{
    watch_video(*state, LIVE_RUNG_SCREENRECORD, LIVE_RUNG_SCREENRECORD);
}

/* View the phone again, with what an earlier view has measured. */
static void view_again(struct remote_phone *remote, int scrcpy_first_ms)
{
    const struct live_rung_status measured[LIVE_RUNGS] = {
        [LIVE_RUNG_SCRCPY] = {.first_ms = scrcpy_first_ms},
        [LIVE_RUNG_SCREENRECORD] = {.first_ms = 100},
        [LIVE_RUNG_SCREENCAP] = {.first_ms = 100}};
    const struct phone_view_options options = {
        .open = open_device,
        .open_context = remote,
        .scrcpy_server = "scrcpy-server",
        .measured = measured,
    };
    struct err err;

    save_scrcpy_server("4.0");
    phone_view_close(remote->view);
    assert_true(phone_view_open(&options, &remote->view, &err));
}

static void best_rung_is_chosen(void **state)
{
    view_again(*state, 900);
    watch_video(*state, LIVE_RUNG_AUTO, LIVE_RUNG_SCRCPY);
}

static void slow_rung_is_not_used_again(void **state)
{
    view_again(*state, 9000);
    watch_video(*state, LIVE_RUNG_AUTO, LIVE_RUNG_SCREENRECORD);
}

/* Wait until a rung is in use, or is not any more. */
static void await_rung(struct remote_phone *remote, enum live_rung rung,
                       bool used)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct phone_view_status status;

    for (;;) {
        phone_view_status(remote->view, &status);
        if (status.connected && (status.rung == rung) == used)
            return;
        assert_false(deadline_passed(by));
        nanosleep(&pause, NULL);
    }
}

static void choice_while_a_source_starts_is_not_lost(void **state)
{
    struct remote_phone *remote = *state;
    struct err err;

    save_scrcpy_server("3.3.4");
    await_rung(remote, LIVE_RUNG_SCREENCAP, true);
    assert_true(phone_view_choose(remote->view, LIVE_RUNG_SCRCPY, &err));
    await_rung(remote, LIVE_RUNG_SCREENCAP, false);
    assert_true(phone_view_choose(remote->view, LIVE_RUNG_SCREENRECORD, &err));
    await_rung(remote, LIVE_RUNG_SCREENRECORD, true);
}

static void wanted_rung_of_another_phone_is_not_used(void **state)
{
    struct remote_phone *remote = *state;
    const struct phone_view_options options = {
        .open = open_device,
        .open_context = remote,
        .rung = LIVE_RUNG_BUILTIN,
        .scrcpy_server = "scrcpy-server",
    };
    struct err err;

    phone_view_close(remote->view);
    remote->view = NULL;
    assert_true(phone_view_open(&options, &remote->view, &err));
    view_client_open(&remote->client, remote->view, 0);
    assert_true(view_client_paint(&remote->client, LONG_MS));
}

/* Does a finger press the screen? */
static bool is_touched(struct phone *phone)
{
    uint64_t seen = 0;

    return phone_await_change(phone, deadline_in_ms(0), &seen);
}

static void finger_is_lifted_when_the_rung_changes(void **state)
{
    struct remote_phone *remote = *state;
    struct view_command drag = {.kind = VIEW_TOUCH,
                                .epoch = remote->epoch,
                                .touch = VIEW_DOWN,
                                .x = 540,
                                .y = 1200};
    struct view_client *client = open_client(remote);
    struct err err;

    save_scrcpy_server("3.3.4");
    drag.frame = client->frame;
    drag.width = (int)client->canvas.width;
    drag.height = (int)client->canvas.height;
    assert_true(view_command_run(remote->view, &drag, NULL, &err));
    drag.touch = VIEW_MOVE;
    drag.ms = 2000;
    drag.y = 1000;
    assert_true(view_command_run(remote->view, &drag, NULL, &err));
    assert_true(is_touched(remote->phone));
    assert_true(phone_view_choose(remote->view, LIVE_RUNG_SCRCPY, &err));
    await_rung(remote, LIVE_RUNG_SCRCPY, true);
    assert_false(is_touched(remote->phone));
    drag.touch = VIEW_UP;
    assert_true(view_command_run(remote->view, &drag, NULL, &err));
}

static void screenshot_and_tree_are_read(void **state)
{
    struct remote_phone *remote = *state;
    const struct view_command shot = {.kind = VIEW_SCREENSHOT};
    const struct view_command tree = {.kind = VIEW_TREE};
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct buf bytes = BUF_INIT((size_t)64 << 20);
    struct err err;

    view_client_open(&remote->client, remote->view, 0);
    do {
        assert_false(deadline_passed(by));
        view_client_paint_all(&remote->client);
        assert_true(view_command_run(remote->view, &shot, &bytes, &err));
    } while (!view_client_shows(&remote->client, &bytes));
    assert_true(view_command_run(remote->view, &tree, &bytes, &err));
    assert_non_null(strstr(buf_cstr(&bytes), "\"words\":\"tapped "));
    buf_release(&bytes);
}

/* ---- shell commands that take long ---- */

/* It creates one file when it begins, and runs until there is another. */
#define LONG_COMMAND                                                           \
    "touch /sdcard/begun; while [ ! -e /sdcard/end ]; do sleep 0.1; done; "    \
    "echo ended"

/* Its exit status. */
static int run_shell(struct remote_phone *remote, const char *command)
{
    struct buf out = BUF_INIT(4096);
    struct buf errors = BUF_INIT(4096);
    int status = phone_run(remote->phone, command, &out, &errors);

    buf_release(&out);
    buf_release(&errors);
    return status;
}

static void wait_until_begun(struct remote_phone *remote)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const struct deadline by = deadline_in_ms(LONG_MS);

    while (run_shell(remote, "[ -e /sdcard/begun ]") != 0) {
        assert_false(deadline_passed(by));
        nanosleep(&pause, NULL);
    }
}

static void shell_command_keeps_no_touch_waiting(void **state)
{
    struct remote_phone *remote = *state;
    const struct view_command shell = {
        .kind = VIEW_SHELL, .epoch = remote->epoch, .text = LONG_COMMAND};
    const struct phone_place place =
        phone_locate(remote->phone, "launcher.open com.android.settings");
    struct awaited_answer *awaited = &remote->answers[0];
    struct view_client *client = open_client(remote);
    struct phone_component front;
    struct buf out = BUF_INIT(4096);
    struct err err;

    assert_true(view_command_send(remote->view, &shell, awaited, &err));
    wait_until_begun(remote);
    tap(remote, client, place.x, place.y);
    phone_front(remote->phone, &front);
    assert_string_equal(front.package, "com.android.settings");
    assert_false(view_command_is_answered(awaited));
    assert_int_equal(run_shell(remote, "touch /sdcard/end"), 0);
    assert_true(view_command_await(awaited, &out, &err));
    assert_string_equal(buf_cstr(&out), "ended\n");
    buf_release(&out);
}

/* The epoch is compared again when its turn comes. */
static void waiting_shell_command_is_refused_when_control_passes_on(
    void **state)
{
    struct remote_phone *remote = *state;
    const struct view_command first = {
        .kind = VIEW_SHELL, .epoch = remote->epoch, .text = LONG_COMMAND};
    const struct view_command second = {.kind = VIEW_SHELL,
                                        .epoch = remote->epoch,
                                        .text = "touch /sdcard/second"};
    struct awaited_answer *answers = remote->answers;
    struct err err;

    (void)open_client(remote);
    assert_true(view_command_send(remote->view, &first, &answers[0], &err));
    assert_true(view_command_send(remote->view, &second, &answers[1], &err));
    wait_until_begun(remote);
    (void)control_lease_take(phone_view_lease(remote->view), CONTROL_AGENT);
    assert_int_equal(run_shell(remote, "touch /sdcard/end"), 0);
    assert_true(view_command_await(&answers[0], NULL, &err));
    assert_false(view_command_await(&answers[1], NULL, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_int_not_equal(run_shell(remote, "[ -e /sdcard/second ]"), 0);
}

static void rung_changes_while_a_shell_command_runs(void **state)
{
    struct remote_phone *remote = *state;
    const struct view_command shell = {
        .kind = VIEW_SHELL, .epoch = remote->epoch, .text = LONG_COMMAND};
    struct awaited_answer *awaited = &remote->answers[0];
    struct err err;

    save_scrcpy_server("3.3.4");
    await_rung(remote, LIVE_RUNG_SCREENCAP, true);
    assert_true(view_command_send(remote->view, &shell, awaited, &err));
    wait_until_begun(remote);
    assert_true(phone_view_choose(remote->view, LIVE_RUNG_SCRCPY, &err));
    await_rung(remote, LIVE_RUNG_SCRCPY, true);
    assert_false(view_command_is_answered(awaited));
    assert_int_equal(run_shell(remote, "touch /sdcard/end"), 0);
    assert_true(view_command_await(awaited, NULL, &err));
}

#define VIEW_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VIEW_TEST(screenshots_show_the_screen),
        VIEW_TEST(tap_and_text_of_any_script_reach_the_phone),
        VIEW_TEST(lost_phone_comes_back),
        VIEW_TEST(rung_of_another_phone_is_refused),
        VIEW_TEST(rung_that_fails_says_why_and_another_one_is_used),
        VIEW_TEST(scrcpy_shows_the_screen_and_takes_input),
        VIEW_TEST(screenrecord_shows_the_screen),
        VIEW_TEST(best_rung_is_chosen),
        VIEW_TEST(slow_rung_is_not_used_again),
        VIEW_TEST(choice_while_a_source_starts_is_not_lost),
        VIEW_TEST(wanted_rung_of_another_phone_is_not_used),
        VIEW_TEST(finger_is_lifted_when_the_rung_changes),
        VIEW_TEST(rung_changes_while_a_shell_command_runs),
        VIEW_TEST(screenshot_and_tree_are_read),
        VIEW_TEST(shell_command_keeps_no_touch_waiting),
        VIEW_TEST(waiting_shell_command_is_refused_when_control_passes_on),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
