/* screenrecord as a script: it ends, hangs, or fails. */
#include "adb/scrcpy/screenrecord_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/adb/fake_shell.h"

#define SOON deadline_in_ms(60000)

/* The configuration of 1080x2400, a key frame and another frame, for printf. */
#define CONFIG                                                                 \
    "\\000\\000\\000\\001\\147\\102\\300\\063\\214\\215\\100\\042\\000\\226"   \
    "\\362\\363\\120\\020\\020\\020\\170\\104\\043\\120\\000\\000\\000\\001"   \
    "\\150\\316\\074\\200"
#define KEY "\\000\\000\\000\\001\\145\\210\\204\\000\\041"
#define DELTA "\\000\\000\\000\\001\\101\\232\\020\\021"

#define KEY_LENGTH 9
#define DELTA_LENGTH 8

#define IF_HELP "case $1 in --help) echo \"$HELP\"; exit;; esac\n"

static const struct screenrecord_settings defaults = {.bit_rate = 0};

static struct screenrecord_client *open_client(struct fake_shell *shell)
{
    struct screenrecord_client *client = NULL;
    struct err err = ERR_INIT;

    if (!screenrecord_client_open(shell->device, &defaults, SOON, &client,
                                  &err))
        fail_msg("%s", err.text);
    return client;
}

static void expect_packet(struct screenrecord_client *client,
                          enum video_packet_kind kind, size_t length)
{
    struct video_packet packet;
    struct err err = ERR_INIT;

    if (!screenrecord_client_next(client, SOON, &packet, &err))
        fail_msg("%s", err.text);
    assert_int_equal(packet.kind, kind);
    assert_int_equal(packet.size.width, 1080);
    assert_int_equal(packet.size.height, 2400);
    if (length)
        assert_int_equal(packet.length, length);
}

/* Waits until the test creates the file "go", which is then removed. */
#define AWAIT "until rm go 2>/dev/null; do sleep 0.01; done\n"

static void it_is_started_again_at_its_limit(void **state)
{
    struct screenrecord_client *client;
    struct fake_shell shell;

    (void)state;
    fake_shell_start(&shell);
    fake_shell_add(&shell, "screenrecord",
                   IF_HELP "echo \"$*\" >>runs\nprintf '" CONFIG KEY DELTA "'");
    client = open_client(&shell);
    for (int i = 0; i < 5; i++) {
        expect_packet(client, VIDEO_CONFIG, 0);
        expect_packet(client, VIDEO_KEY, KEY_LENGTH);
        expect_packet(client, VIDEO_DELTA, DELTA_LENGTH);
    }
    assert_null(strstr(fake_shell_read(&shell, "runs"), "--time-limit"));
    screenrecord_client_close(client);
    fake_shell_stop(&shell);
}

static void the_limit_is_removed_where_that_is_possible(void **state)
{
    struct screenrecord_client *client;
    struct fake_shell shell;

    (void)state;
    fake_shell_start(&shell);
    fake_shell_add(
        &shell, "screenrecord",
        "HELP='Default is 180. Set to 0 to remove the time limit.'\n" IF_HELP
        "echo \"$*\" >>runs\nprintf '" CONFIG KEY "'");
    client = open_client(&shell);
    expect_packet(client, VIDEO_CONFIG, 0);
    assert_non_null(
        strstr(fake_shell_read(&shell, "runs"), "--time-limit 0 -"));
    screenrecord_client_close(client);
    fake_shell_stop(&shell);
}

static void a_phone_that_cannot_record_is_unsupported(void **state)
{
    struct screenrecord_client *client;
    struct video_packet packet;
    struct fake_shell shell;
    struct err err = ERR_INIT;

    (void)state;
    fake_shell_start(&shell);
    fake_shell_add(&shell, "screenrecord",
                   IF_HELP "echo 'ERROR: unable to create encoder'");
    client = open_client(&shell);
    assert_false(screenrecord_client_next(client, SOON, &packet, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "unable to create encoder"));
    screenrecord_client_close(client);
    fake_shell_stop(&shell);
}

static void an_interrupt_ends_a_waiting_call(void **state)
{
    struct screenrecord_client *client;
    struct video_packet packet;
    struct fake_shell shell;
    struct err err = ERR_INIT;

    (void)state;
    fake_shell_start(&shell);
    fake_shell_add(&shell, "screenrecord", IF_HELP AWAIT);
    client = open_client(&shell);
    screenrecord_client_interrupt(client);
    assert_false(screenrecord_client_next(client, SOON, &packet, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    fake_shell_write(&shell, "go", "");
    screenrecord_client_close(client);
    fake_shell_stop(&shell);
}

#define RUNS 3
#define RUN_NS INT64_C(500000000) /* between two starts */

static void runs_that_end_at_once_do_not_follow_each_other_at_once(void **state)
{
    const int64_t began = clock_ns();
    struct screenrecord_client *client;
    struct fake_shell shell;

    (void)state;
    fake_shell_start(&shell);
    fake_shell_add(&shell, "screenrecord", IF_HELP "printf '" CONFIG "'");
    client = open_client(&shell);
    for (int i = 0; i < RUNS; i++)
        expect_packet(client, VIDEO_CONFIG, 0);
    assert_true(clock_ns() - began >= (RUNS - 1) * RUN_NS);
    screenrecord_client_close(client);
    fake_shell_stop(&shell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_started_again_at_its_limit),
        cmocka_unit_test(the_limit_is_removed_where_that_is_possible),
        cmocka_unit_test(a_phone_that_cannot_record_is_unsupported),
        cmocka_unit_test(an_interrupt_ends_a_waiting_call),
        cmocka_unit_test(
            runs_that_end_at_once_do_not_follow_each_other_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
