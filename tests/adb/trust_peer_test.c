/* Stock adb 34.0.5 comes to trust our device role, in each way it can. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/pairing.h"
#include "adb/tcp.h"
#include "tests/support/chroot_adb.h"
#include "tests/support/listener.h"
#include "tests/support/loop_device.h"

#define SOON deadline_in_ms(20000)
#define CODE "592781"
#define GUID "adb-1A2B3C4D-xYzAbC"

/* A phone that adb pairs with and connects to. */
struct phone {
    struct key *own;
    struct keyring known;
    struct auth_gate gate;
    bool owner_accepts;
    int asked;
    struct err pairing; /* how the last pairing ended */
};

static void phone_init(struct phone *phone, enum auth_demand demand)
{
    struct err err = ERR_INIT;

    *phone = (struct phone){.known = KEYRING_INIT};
    if (!key_generate(&phone->own, &err))
        fail_msg("%s", err.text);
    phone->gate = (struct auth_gate){
        .demand = demand, .own = phone->own, .known = &phone->known};
}

static void phone_release(struct phone *phone)
{
    keyring_release(&phone->known);
    key_close(phone->own);
}

static void trust(struct phone *phone, const char *line)
{
    struct err err = ERR_INIT;

    assert_true(phone->known.count < KEYRING_MAX);
    if (!key_parse_public(line, strlen(line),
                          &phone->known.keys[phone->known.count], &err))
        fail_msg("%s", err.text);
    phone->known.count++;
}

static bool ask(void *context, const char *line)
{
    struct phone *phone = context;

    phone->asked++;
    if (phone->owner_accepts)
        trust(phone, line);
    return phone->owner_accepts;
}

static void serve_pairing(int fd, void *context)
{
    struct phone *phone = context;
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct transport *transport;

    phone->pairing = (struct err)ERR_INIT;
    if (tcp_wrap(fd, (struct tcp_keepalive){0}, NULL, &transport,
                 &phone->pairing) &&
        pairing_device(transport, CODE, phone->own, GUID, SOON, &line,
                       &phone->pairing))
        trust(phone, buf_cstr(&line));
    buf_release(&line);
}

/* Without shell_v2 in its banner, a device is asked for "shell:...". */
static void serve_adb(int fd, void *context)
{
    static const struct loop_answer answers[] = {
        LOOP_SAYS("shell:who", "loop"),
    };
    struct phone *phone = context;
    const struct loop_device_options options = {
        .answers = answers, .answer_count = 1, .gate = &phone->gate};

    loop_device_stop(loop_device_serve(&options, fd));
}

/* Run adb, which must print something, or must not. */
static void look_at_adb(const char *arguments, const char *text, bool expected)
{
    struct buf output = BUF_INIT(65536);

    chroot_adb(arguments, &output);
    if ((strstr(buf_cstr(&output), text) != NULL) != expected)
        fail_msg("adb %s: %s", arguments, buf_cstr(&output));
    buf_release(&output);
}

static void pair(struct phone *phone, const char *code, bool expected)
{
    struct listener *listener = listener_start(0, serve_pairing, phone);
    char arguments[64];

    snprintf(arguments, sizeof(arguments), "pair 127.0.0.1:%u %s",
             (unsigned)listener_port(listener), code);
    look_at_adb(arguments, "Successfully paired to 127.0.0.1", expected);
    listener_stop(listener);
}

/* Connect, use a shell if we are let in, and hang up. */
static void visit(struct phone *phone, bool expected)
{
    struct listener *listener = listener_start(0, serve_adb, phone);
    unsigned port = listener_port(listener);
    char arguments[64];

    snprintf(arguments, sizeof(arguments), "connect 127.0.0.1:%u", port);
    look_at_adb(arguments, "127.0.0.1", true);
    look_at_adb(expected ? "wait-for-device shell who" : "shell who", "loop",
                expected);
    snprintf(arguments, sizeof(arguments), "disconnect 127.0.0.1:%u", port);
    look_at_adb(arguments, "127.0.0.1", true);
    listener_stop(listener);
}

static void adb_pairs_by_the_right_code_and_then_connects_over_tls(void **state)
{
    struct phone phone;

    (void)state;
    phone_init(&phone, AUTH_TLS);
    pair(&phone, CODE, true);
    if (phone.pairing.code)
        fail_msg("%s", phone.pairing.text);
    assert_int_equal(phone.known.count, 1);
    for (int i = 0; i < 5; i++)
        visit(&phone, true);
    phone_release(&phone);
}

static void adb_does_not_pair_by_a_wrong_code(void **state)
{
    struct phone phone;

    (void)state;
    phone_init(&phone, AUTH_TLS);
    pair(&phone, "592780", false);
    assert_int_equal(phone.pairing.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(phone.pairing.text, "wrong code"));
    assert_int_equal(phone.known.count, 0);
    visit(&phone, false);
    phone_release(&phone);
}

static void an_unknown_key_of_adb_is_up_to_the_owner(void **state)
{
    struct phone phone;

    (void)state;
    phone_init(&phone, AUTH_SIGNATURE);
    phone.gate.ask = ask;
    phone.gate.context = &phone;
    visit(&phone, false);
    assert_true(phone.asked > 0);
    phone.owner_accepts = true;
    visit(&phone, true);
    /* Known now, so nobody is asked again. */
    phone.asked = 0;
    visit(&phone, true);
    assert_int_equal(phone.asked, 0);
    phone_release(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            adb_pairs_by_the_right_code_and_then_connects_over_tls),
        cmocka_unit_test(adb_does_not_pair_by_a_wrong_code),
        cmocka_unit_test(an_unknown_key_of_adb_is_up_to_the_owner),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    struct buf output = BUF_INIT(65536);

    chroot_adb("kill-server", &output);
    buf_release(&output);
    return failed;
}
