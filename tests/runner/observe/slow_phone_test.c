/* Observing a phone that is slow, or whose app starts behind a black window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/picture/picture.h"
#include "base/picture/png.h"
#include "runner/observe/observer.h"
#include "tests/support/adb/fake_shell.h"

#define SOON deadline_in_ms(120000)
#define WIDTH 400
#define HEIGHT 800

/*
 * Takes as many black pictures as the file "black" says; from the second in the
 * file "change" on, pictures are lighter.
 */
static const char screencap[] =
    "[ \"$1\" = -p ] || exit 1\n"
    "read black < black\n"
    "if [ $black -gt 0 ]; then\n"
    "  echo $((black - 1)) > black; cat black.png\n"
    "elif read change < change && [ $(date +%s) -ge $change ]; then\n"
    "  cat light.png\n"
    "else\n"
    "  cat grey.png\n"
    "fi\n";

static void save_picture(const struct fake_shell *shell, const char *name,
                         uint8_t grey)
{
    struct picture picture = PICTURE_INIT;
    struct buf png = BUF_INIT((size_t)16 << 20);
    char path[128];
    struct err err = ERR_INIT;

    assert_true(picture_resize(&picture, WIDTH, HEIGHT, &err));
    memset(picture.pixels, grey, picture.stride * HEIGHT);
    if (!png_encode(&picture, PNG_FAST, &png, &err))
        fail_msg("%s", err.text);
    snprintf(path, sizeof(path), "%s/%s", shell->folder, name);
    assert_true(file_save(path, 0600, png.data, png.length, &err));
    buf_release(&png);
    picture_release(&picture);
}

static void start(struct fake_shell *shell)
{
    fake_shell_start(shell);
    fake_shell_add(shell, "screencap", screencap);
    fake_shell_add(shell, "getprop", "echo");
    fake_shell_add(shell, "wm",
                   "cat latency | while read s; do sleep $s; done");
    fake_shell_add(shell, "dumpsys", "[ $1 = power ] || cat windows");
    fake_shell_write(shell, "black", "0\n");
    fake_shell_write(shell, "change", "9999999999\n");
    fake_shell_write(shell, "latency", "");
    fake_shell_write(shell, "windows", "");
    save_picture(shell, "black.png", 0);
    save_picture(shell, "grey.png", 0x80);
    save_picture(shell, "light.png", 0xe0);
}

static struct observer *open_observer(const struct fake_shell *shell)
{
    const struct observer_options options = {.cache = NULL};
    struct observer *observer = NULL;
    struct err err = ERR_INIT;

    if (!observer_open(shell->device, &options, SOON, &observer, &err))
        fail_msg("%s", err.text);
    return observer;
}

static void capture(struct observer *observer, struct observation *seen)
{
    struct err err = ERR_INIT;

    if (!observer_capture(observer, SOON, seen, &err))
        fail_msg("%s", err.text);
}

static bool shows(const struct fake_shell *shell,
                  const struct observation *seen, const char *name)
{
    struct buf png = BUF_INIT((size_t)16 << 20);
    char path[128];
    struct err err = ERR_INIT;
    bool same;

    snprintf(path, sizeof(path), "%s/%s", shell->folder, name);
    assert_true(file_load(path, &png, &err));
    same = png.length == seen->png.length &&
           !memcmp(png.data, seen->png.data, png.length);
    buf_release(&png);
    return same;
}

static void black_start_window_is_captured_again(void **state)
{
    struct fake_shell shell;
    struct observer *observer;
    struct observation seen;

    (void)state;
    start(&shell);
    observer = open_observer(&shell);
    observation_init(&seen);
    fake_shell_write(&shell, "black", "4\n");
    capture(observer, &seen);
    assert_false(seen.black);
    assert_true(shows(&shell, &seen, "grey.png"));
    assert_string_equal(seen.doubt, "");
    observation_release(&seen);
    observer_close(observer);
    fake_shell_stop(&shell);
}

static void a_protected_window_is_reported_at_once(void **state)
{
    struct fake_shell shell;
    struct observer *observer;
    struct observation seen;

    (void)state;
    start(&shell);
    observer = open_observer(&shell);
    observation_init(&seen);
    fake_shell_write(&shell, "windows", "  fl=#1810500 SECURE\n");
    fake_shell_write(&shell, "black", "1000000\n");
    capture(observer, &seen);
    assert_true(seen.black);
    assert_non_null(strstr(seen.doubt, "protected"));
    /* A few pictures to settle, and none after the reason was known. */
    assert_true(strtol(fake_shell_read(&shell, "black"), NULL, 10) > 999990);
    observation_release(&seen);
    observer_close(observer);
    fake_shell_stop(&shell);
}

/*
 * On a phone that needs seconds for a command, an effect after seconds is
 * waited for.
 */
static void a_slow_phone_is_given_more_time(void **state)
{
    struct fake_shell shell;
    struct observer *observer;
    struct observation seen;
    char when[32];

    (void)state;
    start(&shell);
    fake_shell_write(&shell, "latency", "1.1\n");
    observer = open_observer(&shell);
    observation_init(&seen);
    assert_true(observer_latency_ms(observer) >= 2000);
    capture(observer, &seen);
    snprintf(when, sizeof(when), "%lld\n", (long long)time(NULL) + 3);
    fake_shell_write(&shell, "change", when);
    observer_note_action(observer);
    capture(observer, &seen);
    assert_true(shows(&shell, &seen, "light.png"));
    observation_release(&seen);
    observer_close(observer);
    fake_shell_stop(&shell);
}

/* Three attempts of five seconds do not fit, so the second one counts. */
static void a_screen_that_always_changes_is_observed_in_time(void **state)
{
    struct fake_shell shell;
    struct observer *observer;
    struct observation seen;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    fake_shell_add(&shell, "uiautomator",
                   "sleep 5; read change < change\n"
                   "[ $change = 0 ] && change=9999999999 || change=0\n"
                   "echo $change > change\n"
                   "echo '<hierarchy></hierarchy>'\n");
    observer = open_observer(&shell);
    observation_init(&seen);
    if (!observer_observe(observer, deadline_in_ms(15000), &seen, &err))
        fail_msg("%s", err.text);
    assert_true(seen.changed);
    assert_non_null(strstr(seen.doubt, "changed while its tree was read"));
    observation_release(&seen);
    observer_close(observer);
    fake_shell_stop(&shell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(black_start_window_is_captured_again),
        cmocka_unit_test(a_protected_window_is_reported_at_once),
        cmocka_unit_test(a_slow_phone_is_given_more_time),
        cmocka_unit_test(a_screen_that_always_changes_is_observed_in_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
