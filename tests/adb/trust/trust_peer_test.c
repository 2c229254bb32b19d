/* Stock adb 34.0.5 authenticates to our device role, in each way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/adb/auth_phone.h"
#include "tests/support/adb/chroot_adb.h"
#include "tests/support/adb/tcp_listener.h"

/* Run adb, whose output must contain a text, or must not. */
static void look_at_adb(const char *arguments, const char *text, bool expected)
{
    struct buf output = BUF_INIT(65536);

    chroot_adb(arguments, &output);
    if ((strstr(buf_cstr(&output), text) != NULL) != expected)
        fail_msg("adb %s: %s", arguments, buf_cstr(&output));
    buf_release(&output);
}

static void pair(struct auth_phone *phone, const char *code, bool expected)
{
    struct tcp_listener *listener =
        tcp_listener_start(0, auth_phone_pair, phone);
    char arguments[64];

    snprintf(arguments, sizeof(arguments), "pair 127.0.0.1:%u %s",
             (unsigned)tcp_listener_port(listener), code);
    look_at_adb(arguments, "Successfully paired to 127.0.0.1", expected);
    tcp_listener_stop(listener);
}

/* Connect, use a shell if we are accepted, and disconnect. */
static void connect_and_use(struct auth_phone *phone, bool expected)
{
    struct tcp_listener *listener =
        tcp_listener_start(0, auth_phone_serve, phone);
    unsigned port = tcp_listener_port(listener);
    char arguments[64];

    snprintf(arguments, sizeof(arguments), "connect 127.0.0.1:%u", port);
    look_at_adb(arguments, "127.0.0.1", true);
    look_at_adb(expected ? "wait-for-device shell who" : "shell who", "loop",
                expected);
    snprintf(arguments, sizeof(arguments), "disconnect 127.0.0.1:%u", port);
    look_at_adb(arguments, "127.0.0.1", true);
    tcp_listener_stop(listener);
}

static void adb_pairs_by_the_right_code_and_then_connects_over_tls(void **state)
{
    struct auth_phone phone;

    (void)state;
    auth_phone_init(&phone, AUTH_TLS);
    pair(&phone, AUTH_PHONE_CODE, true);
    if (phone.pairing.code)
        fail_msg("%s", phone.pairing.text);
    assert_int_equal(phone.known.count, 1);
    /* Several times, since adb starts TLS in one of two orders. */
    for (int i = 0; i < 5; i++)
        connect_and_use(&phone, true);
    auth_phone_release(&phone);
}

static void adb_does_not_pair_by_a_wrong_code(void **state)
{
    struct auth_phone phone;

    (void)state;
    auth_phone_init(&phone, AUTH_TLS);
    pair(&phone, "592780", false);
    assert_int_equal(phone.pairing.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(phone.pairing.text, "wrong code"));
    assert_int_equal(phone.known.count, 0);
    connect_and_use(&phone, false);
    auth_phone_release(&phone);
}

static void unknown_key_of_adb_is_decided_by_the_user(void **state)
{
    struct auth_phone phone;

    (void)state;
    auth_phone_init(&phone, AUTH_SIGNATURE);
    connect_and_use(&phone, false);
    assert_true(phone.asked > 0);
    phone.owner_accepts = true;
    connect_and_use(&phone, true);
    /* It is known now: no prompt is shown. */
    phone.asked = 0;
    connect_and_use(&phone, true);
    assert_int_equal(phone.asked, 0);
    auth_phone_release(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            adb_pairs_by_the_right_code_and_then_connects_over_tls),
        cmocka_unit_test(adb_does_not_pair_by_a_wrong_code),
        cmocka_unit_test(unknown_key_of_adb_is_decided_by_the_user),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    struct buf output = BUF_INIT(65536);

    chroot_adb("kill-server", &output);
    buf_release(&output);
    return failed;
}
