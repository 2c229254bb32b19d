/* A built-in phone that people look at and touch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "tests/tools/live/view_client.h"
#include "tools/phone/phone.h"

#define LONG_MS 60000 /* only ends a hang */
#define QUIET_MS 400  /* in which nothing more comes */

struct viewed_phone {
    struct phone *phone;
    struct phone_view *view;
    uint32_t epoch;
    struct view_client clients[2];
};

static struct phone_fonts *fonts;

static int open_fonts(void **state)
{
    struct err err;

    (void)state;
    return fonts_open(&fonts, &err) ? 0 : -1;
}

static int close_fonts(void **state)
{
    (void)state;
    fonts_close(fonts);
    return 0;
}

/* Commands are refused until then. */
static void wait_until_connected(struct phone_view *view)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct phone_view_status status;

    do {
        assert_false(deadline_passed(by));
        nanosleep(&pause, NULL);
        phone_view_status(view, &status);
    } while (!status.connected);
}

static int set_up(void **state)
{
    struct viewed_phone *viewed = calloc(1, sizeof(*viewed));
    const struct phone_options options = {
        .fonts = fonts, .seed = 3, .realtime = true, .unreachable = true};
    struct phone_view_options view = {.rung = LIVE_RUNG_AUTO};
    struct err err;

    assert_non_null(viewed);
    assert_true(phone_start(&options, &viewed->phone, &err));
    view.phone = viewed->phone;
    assert_true(phone_view_open(&view, &viewed->view, &err));
    viewed->epoch =
        control_lease_take(phone_view_lease(viewed->view), CONTROL_PERSON);
    phone_view_note_control(viewed->view);
    wait_until_connected(viewed->view);
    *state = viewed;
    return 0;
}

static int tear_down(void **state)
{
    struct viewed_phone *viewed = *state;

    for (size_t i = 0; i < ARRAY_LEN(viewed->clients); i++)
        view_client_close(&viewed->clients[i]);
    phone_view_close(viewed->view);
    phone_stop(viewed->phone);
    free(viewed);
    return 0;
}

/* Paint until the client shows the screen, without loss. */
static void await_screen(struct viewed_phone *viewed,
                         struct view_client *client)
{
    const struct deadline by = deadline_in_ms(LONG_MS);
    const struct view_command shot = {.kind = VIEW_SCREENSHOT};
    struct buf png = BUF_INIT((size_t)64 << 20);
    struct err err;

    do {
        if (deadline_passed(by))
            fail_msg("the client does not show the screen");
        view_client_paint_all(client);
        assert_true(view_command_run(viewed->view, &shot, &png, &err));
    } while (!view_client_shows(client, &png));
    buf_release(&png);
}

/* The fixture's client, which shows the screen. */
static struct view_client *open_client(struct viewed_phone *viewed)
{
    struct view_client *client = &viewed->clients[0];

    if (client->view)
        client++;
    view_client_open(client, viewed->view, 0);
    await_screen(viewed, client);
    return client;
}

static void run_shell(struct viewed_phone *viewed, const char *command)
{
    struct buf out = BUF_INIT((size_t)1 << 20);
    struct buf errors = BUF_INIT((size_t)1 << 20);

    phone_run(viewed->phone, command, &out, &errors);
    buf_release(&out);
    buf_release(&errors);
}

/* ---- looking ---- */

static void first_packet_has_the_whole_screen(void **state)
{
    struct viewed_phone *viewed = *state;
    struct view_client *client = &viewed->clients[0];

    view_client_open(client, viewed->view, 0);
    assert_true(view_client_paint(client, LONG_MS));
    assert_int_equal(client->canvas.width, 1080);
    assert_int_equal(client->canvas.height, 2400);
    await_screen(viewed, client);
}

static void late_watcher_gets_the_screen_at_once(void **state)
{
    struct viewed_phone *viewed = *state;
    struct view_client *late = &viewed->clients[1];

    (void)open_client(viewed);
    view_client_open(late, viewed->view, 0);
    assert_true(view_client_paint(late, LONG_MS));
    assert_int_equal(late->packets, 1);
    assert_int_equal(late->lossy, 0);
    await_screen(viewed, late);
}

static void nothing_changes_nothing_is_sent(void **state)
{
    struct viewed_phone *viewed = *state;
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct view_client *client = open_client(viewed);

    while (view_client_paint(client, 1000))
        assert_false(deadline_passed(by));
}

static void change_is_lossless_after_the_motion(void **state)
{
    struct viewed_phone *viewed = *state;
    struct view_client *client = open_client(viewed);

    run_shell(viewed, "am start -n com.android.settings/.Settings");
    assert_true(view_client_paint(client, LONG_MS));
    await_screen(viewed, client);
}

static void reduced_picture_is_complete(void **state)
{
    struct viewed_phone *viewed = *state;
    struct view_client *half = &viewed->clients[0];
    struct view_client *eighth = &viewed->clients[1];

    view_client_open(half, viewed->view, 500);
    assert_true(view_client_paint(half, LONG_MS));
    assert_int_equal(half->reduction, 2);
    assert_int_equal(half->canvas.width, 540);
    assert_int_equal(half->canvas.height, 1200);
    view_client_open(eighth, viewed->view, 100);
    assert_true(view_client_paint(eighth, LONG_MS));
    assert_int_equal(eighth->reduction, 8);
    assert_int_equal(eighth->canvas.width, 135);
}

static void slow_watcher_skips_to_the_newest_frame(void **state)
{
    struct viewed_phone *viewed = *state;
    struct view_client *quick = open_client(viewed);
    struct view_client *slow = open_client(viewed);
    const size_t before = quick->packets;

    for (int i = 0; i <= LIVE_UNSEEN_MAX; i++) {
        run_shell(viewed, i % 2 ? "input keyevent HOME"
                                : "am start -n com.android.settings/.Settings");
        await_screen(viewed, quick);
    }
    assert_true(before + LIVE_UNSEEN_MAX < quick->packets);
    for (int i = 0; i < LIVE_UNSEEN_MAX; i++)
        assert_true(view_client_paint_unseen(slow, LONG_MS));
    assert_false(view_client_paint_unseen(slow, QUIET_MS));
    phone_watcher_seen(slow->watcher, slow->frame);
    await_screen(viewed, slow);
}

/* ---- touching ---- */

static void tap_opens_an_app(void **state)
{
    struct viewed_phone *viewed = *state;
    const struct phone_place place =
        phone_locate(viewed->phone, "launcher.open com.android.settings");
    struct view_client *client = open_client(viewed);
    struct phone_component front;
    struct err err;

    assert_true(place.shown);
    assert_true(view_client_touch(client, viewed->epoch, VIEW_DOWN, place.x,
                                  place.y, &err));
    assert_true(view_client_touch(client, viewed->epoch, VIEW_UP, place.x,
                                  place.y, &err));
    phone_front(viewed->phone, &front);
    assert_string_equal(front.package, "com.android.settings");
    await_screen(viewed, client);
}

static void text_and_rotation_reach_the_phone(void **state)
{
    struct viewed_phone *viewed = *state;
    const struct view_command text = {
        .kind = VIEW_TEXT, .epoch = viewed->epoch, .text = "世界 & co"};
    const struct view_command turn = {.kind = VIEW_ROTATE,
                                      .epoch = viewed->epoch};
    struct buf xml = BUF_INIT((size_t)16 << 20);
    struct phone_place place;
    struct err err;

    run_shell(viewed, "am start -n org.proctor.shop/.MainActivity");
    place = phone_locate(viewed->phone, "shop.start_search");
    assert_true(place.shown);
    phone_touch(viewed->phone, SCREEN_DOWN, place.x, place.y);
    phone_touch(viewed->phone, SCREEN_UP, place.x, place.y);
    assert_true(view_command_run(viewed->view, &text, NULL, &err));
    phone_tree(viewed->phone, &xml);
    assert_non_null(strstr(buf_cstr(&xml), "世界 &amp; co"));
    buf_release(&xml);
    assert_true(view_command_run(viewed->view, &turn, NULL, &err));
    assert_int_equal(phone_screen_size(viewed->phone).width, 2400);
}

/* Does a finger press the screen? */
static bool is_touched(struct phone *phone)
{
    uint64_t seen = 0;

    return phone_await_change(phone, deadline_in_ms(0), &seen);
}

static void finger_is_lifted_when_control_passes_on(void **state)
{
    struct viewed_phone *viewed = *state;
    const struct view_command key = {.kind = VIEW_KEY, .key = KEY_VOLUME_UP};
    struct view_command after = key;
    struct view_client *client = open_client(viewed);
    struct err err;

    assert_true(
        view_client_touch(client, viewed->epoch, VIEW_DOWN, 540, 1200, &err));
    assert_true(is_touched(viewed->phone));
    after.epoch =
        control_lease_take(phone_view_lease(viewed->view), CONTROL_AGENT);
    phone_view_note_control(viewed->view);
    assert_true(view_command_run(viewed->view, &after, NULL, &err));
    assert_false(is_touched(viewed->phone));
    assert_false(
        view_client_touch(client, viewed->epoch, VIEW_UP, 540, 1200, &err));
}

static void touch_middle(struct viewed_phone *viewed)
{
    struct err err;

    assert_true(view_client_touch(open_client(viewed), viewed->epoch, VIEW_DOWN,
                                  540, 1200, &err));
}

/* Another one takes over; what waited before its key has then been run. */
static void press_as_agent(struct viewed_phone *viewed)
{
    const struct view_command key = {
        .kind = VIEW_KEY,
        .key = KEY_VOLUME_UP,
        .epoch =
            control_lease_take(phone_view_lease(viewed->view), CONTROL_AGENT)};
    struct err err;

    assert_true(view_command_run(viewed->view, &key, NULL, &err));
}

static void finger_is_lifted_when_control_is_given_back(void **state)
{
    struct viewed_phone *viewed = *state;

    touch_middle(viewed);
    control_lease_give_back(phone_view_lease(viewed->view), viewed->epoch);
    phone_view_note_control(viewed->view);
    press_as_agent(viewed);
    assert_false(is_touched(viewed->phone));
}

static const struct view_command lift = {
    .kind = VIEW_TOUCH, .touch = VIEW_UP, .x = 540, .y = 1200};

static void finger_whose_lift_came_too_late_is_lifted(void **state)
{
    struct viewed_phone *viewed = *state;
    struct control_lease *lease = phone_view_lease(viewed->view);
    struct view_command up = lift;
    struct err err;

    touch_middle(viewed);
    up.epoch = viewed->epoch;
    assert_true(control_lease_enter(lease, viewed->epoch, &err));
    assert_true(phone_view_send(viewed->view, &up, NULL, NULL, &err));
    (void)control_lease_take(lease, CONTROL_AGENT);
    phone_view_note_control(viewed->view);
    control_lease_leave(lease);
    press_as_agent(viewed);
    assert_false(is_touched(viewed->phone));
}

static void finger_can_be_lifted_although_too_much_waits(void **state)
{
    struct viewed_phone *viewed = *state;
    struct control_lease *lease = phone_view_lease(viewed->view);
    const struct view_command key = {
        .kind = VIEW_KEY, .epoch = viewed->epoch, .key = KEY_VOLUME_UP};
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct view_command up = lift;
    struct err err;

    touch_middle(viewed);
    up.epoch = viewed->epoch;
    assert_true(control_lease_enter(lease, viewed->epoch, &err));
    while (phone_view_send(viewed->view, &key, NULL, NULL, &err))
        continue;
    assert_int_equal(err.code, ERR_LIMIT);
    assert_true(phone_view_send(viewed->view, &up, NULL, NULL, &err));
    assert_false(phone_view_send(viewed->view, &up, NULL, NULL, &err));
    control_lease_leave(lease);
    while (is_touched(viewed->phone))
        assert_false(deadline_passed(by));
}

static void values_out_of_range_are_refused(void **state)
{
    struct viewed_phone *viewed = *state;
    const struct view_command wrong[] = {
        {.kind = VIEW_KEY, .key = -1},
        {.kind = VIEW_KEY, .key = KEY_LAST + 1},
        {.kind = VIEW_TOUCH, .pointer = -1},
        {.kind = VIEW_TOUCH, .pointer = VIEW_POINTERS},
        {.kind = VIEW_TEXT},
    };
    struct err err;

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_false(
            phone_view_send(viewed->view, &wrong[i], NULL, NULL, &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
}

static void touch_on_a_changed_place_is_refused(void **state)
{
    struct viewed_phone *viewed = *state;
    struct view_client *early = open_client(viewed);
    struct view_client *quick = open_client(viewed);
    struct err err;

    run_shell(viewed, "am start -n com.android.settings/.Settings");
    await_screen(viewed, quick);
    assert_false(
        view_client_touch(early, viewed->epoch, VIEW_DOWN, 540, 1200, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_string_equal(err.text, "the screen has changed");
    assert_false(
        view_client_touch(early, viewed->epoch, VIEW_UP, 540, 1200, &err));
    assert_true(
        view_client_touch(quick, viewed->epoch, VIEW_DOWN, 540, 1200, &err));
    assert_true(
        view_client_touch(quick, viewed->epoch, VIEW_CANCEL, 540, 1200, &err));
}

static void old_epoch_is_refused(void **state)
{
    struct viewed_phone *viewed = *state;
    const struct view_command key = {
        .kind = VIEW_KEY, .epoch = viewed->epoch, .key = KEY_HOME};
    uint32_t next;
    struct err err;

    assert_true(view_command_run(viewed->view, &key, NULL, &err));
    next = control_lease_take(phone_view_lease(viewed->view), CONTROL_AGENT);
    assert_true(next > viewed->epoch);
    assert_false(view_command_run(viewed->view, &key, NULL, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_non_null(strstr(err.text, "agent"));
    control_lease_give_back(phone_view_lease(viewed->view), next);
    assert_false(view_command_run(viewed->view, &key, NULL, &err));
}

/* ---- reading ---- */

static void tree_and_description_are_json(void **state)
{
    struct viewed_phone *viewed = *state;
    const struct view_command tree = {.kind = VIEW_TREE};
    const struct view_command describe = {
        .kind = VIEW_DESCRIBE, .x = 540, .y = 500};
    struct buf json = BUF_INIT((size_t)16 << 20);
    struct err err;

    run_shell(viewed, "am start -n com.android.settings/.Settings");
    assert_true(view_command_run(viewed->view, &tree, &json, &err));
    assert_non_null(strstr(buf_cstr(&json), "\"bounds\":["));
    assert_non_null(strstr(buf_cstr(&json), "\"words\":\"tapped "));
    assert_true(view_command_run(viewed->view, &describe, &json, &err));
    assert_non_null(strstr(buf_cstr(&json), "\"words\":\"tapped "));
    assert_non_null(strstr(buf_cstr(&json), "\"selector\":{"));
    buf_release(&json);
}

static void shell_needs_control_and_says_its_status(void **state)
{
    struct viewed_phone *viewed = *state;
    struct view_command shell = {.kind = VIEW_SHELL,
                                 .text = "echo out; echo err >&2"};
    struct buf out = BUF_INIT((size_t)1 << 20);
    struct err err;

    assert_false(view_command_run(viewed->view, &shell, NULL, &err));
    shell.epoch = viewed->epoch;
    assert_true(view_command_run(viewed->view, &shell, &out, &err));
    assert_string_equal(buf_cstr(&out), "out\nerr\n");
    buf_release(&out);
}

/* ---- recording ---- */

/* What a recorder has seen, as letters; it lets no text through. */
struct noted {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char letters[32];
    size_t count;
};

static void note(struct noted *noted, char letter)
{
    pthread_mutex_lock(&noted->lock);
    assert_in_range(noted->count, 0, sizeof(noted->letters) - 2);
    noted->letters[noted->count++] = letter;
    pthread_cond_broadcast(&noted->changed);
    pthread_mutex_unlock(&noted->lock);
}

static bool noted_before(void *context, const struct view_command *command,
                         struct err *err)
{
    note(context, command->kind == VIEW_TOUCH ? 't' : 'b');
    return command->kind != VIEW_TEXT ||
           err_set(err, ERR_UNSUPPORTED, "no text");
}

static void noted_after(void *context, const struct view_command *command,
                        bool done)
{
    (void)command;
    note(context, done ? 'a' : '-');
}

static bool noted_rest(void *context)
{
    note(context, 'r');
    return false;
}

static void await_letter(struct noted *noted, char letter)
{
    pthread_mutex_lock(&noted->lock);
    while (!strchr(noted->letters, letter))
        pthread_cond_wait(&noted->changed, &noted->lock);
    pthread_mutex_unlock(&noted->lock);
}

static void recorder_sees_each_command_and_when_none_comes(void **state)
{
    struct viewed_phone *viewed = *state;
    struct noted noted = {.lock = PTHREAD_MUTEX_INITIALIZER,
                          .changed = PTHREAD_COND_INITIALIZER};
    const struct view_recorder recorder = {noted_before, noted_after,
                                           noted_rest, &noted};
    const struct view_command home = {
        .kind = VIEW_KEY, .key = KEY_HOME, .epoch = viewed->epoch};
    const struct view_command text = {
        .kind = VIEW_TEXT, .text = "a", .epoch = viewed->epoch};
    const struct view_command tree = {.kind = VIEW_TREE};
    struct buf json = BUF_INIT((size_t)16 << 20);
    struct err err;

    phone_view_record(viewed->view, &recorder);
    assert_true(view_command_run(viewed->view, &home, NULL, &err));
    await_letter(&noted, 'r');
    assert_string_equal(noted.letters, "bar");
    assert_false(view_command_run(viewed->view, &text, NULL, &err));
    assert_string_equal(err.text, "no text");
    assert_true(view_command_run(viewed->view, &tree, &json, &err));
    phone_view_record(viewed->view, NULL);
    assert_true(view_command_run(viewed->view, &home, NULL, &err));
    assert_non_null(strstr(noted.letters, "barb"));
    assert_null(strchr(noted.letters + 3, 'a'));
    buf_release(&json);
}

#define VIEW_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VIEW_TEST(first_packet_has_the_whole_screen),
        VIEW_TEST(late_watcher_gets_the_screen_at_once),
        VIEW_TEST(nothing_changes_nothing_is_sent),
        VIEW_TEST(change_is_lossless_after_the_motion),
        VIEW_TEST(reduced_picture_is_complete),
        VIEW_TEST(slow_watcher_skips_to_the_newest_frame),
        VIEW_TEST(tap_opens_an_app),
        VIEW_TEST(text_and_rotation_reach_the_phone),
        VIEW_TEST(finger_is_lifted_when_control_passes_on),
        VIEW_TEST(finger_is_lifted_when_control_is_given_back),
        VIEW_TEST(finger_whose_lift_came_too_late_is_lifted),
        VIEW_TEST(finger_can_be_lifted_although_too_much_waits),
        VIEW_TEST(values_out_of_range_are_refused),
        VIEW_TEST(touch_on_a_changed_place_is_refused),
        VIEW_TEST(old_epoch_is_refused),
        VIEW_TEST(tree_and_description_are_json),
        VIEW_TEST(shell_needs_control_and_says_its_status),
        VIEW_TEST(recorder_sees_each_command_and_when_none_comes),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
