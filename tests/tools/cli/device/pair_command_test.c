/* Pairing and keys of the program, with phones that require them. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "tests/support/adb/auth_phone.h"
#include "tests/support/adb/tcp_listener.h"
#include "tests/support/adb/tcp_phone.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/pty.h"

static char home[] = "/tmp/proctor-pair-XXXXXX";

static int remove_one(const char *path, const struct stat *facts, int kind,
                      struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

/* A separate home: without keys and known hosts. */
static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(home))
        return -1;
    unsetenv("XDG_STATE_HOME");
    unsetenv("ADB_VENDOR_KEYS");
    unsetenv("ANDROID_SERIAL");
    return setenv("HOME", home, 1);
}

static int teardown(void **state)
{
    (void)state;
    return nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Run proctor with the address at the end, and check its messages. */
static void run_at(const struct tcp_listener *listener, const char *input,
                   const char *command, int status, const char *message)
{
    struct command_run run = {0};
    char script[256];

    snprintf(script, sizeof(script), "proctor %s 127.0.0.1:%u", command,
             (unsigned)tcp_listener_port(listener));
    command_run(&run, input, script);
    command_run_expect(&run, status, script, __FILE__, __LINE__);
    SAYS(run.errors, message);
    command_run_release(&run);
}

static void pair(struct auth_phone *phone, const char *input, int status,
                 const char *message)
{
    struct tcp_listener *listener =
        tcp_listener_start(0, auth_phone_pair, phone);

    run_at(listener, input, "pair", status, message);
    tcp_listener_stop(listener);
}

static void connect_to(struct auth_phone *phone, int status,
                       const char *message)
{
    struct tcp_listener *listener =
        tcp_listener_start(0, auth_phone_serve, phone);

    run_at(listener, NULL, "connect", status, message);
    tcp_listener_stop(listener);
}

static void new_key_is_readable_only_by_the_user(void **state)
{
    struct auth_phone phone;
    struct stat facts;
    char path[64];

    (void)state;
    auth_phone_init(&phone, AUTH_TLS);
    pair(&phone, AUTH_PHONE_CODE "\n", 0, "paired with " AUTH_PHONE_GUID);
    auth_phone_release(&phone);
    snprintf(path, sizeof(path), "%s/.android/adbkey", home);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
}

static void paired_phone_accepts_tls(void **state)
{
    struct auth_phone phone;

    (void)state;
    auth_phone_init(&phone, AUTH_TLS);
    connect_to(&phone, 1, "pair with it");
    pair(&phone, AUTH_PHONE_CODE "\n", 0, "paired with " AUTH_PHONE_GUID);
    assert_int_equal(phone.known.count, 1);
    connect_to(&phone, 0, "is remembered");
    auth_phone_release(&phone);
}

static void wrong_code_is_reported(void **state)
{
    struct auth_phone phone;

    (void)state;
    auth_phone_init(&phone, AUTH_TLS);
    pair(&phone, "592780\n", 1, "wrong code");
    pair(&phone, "\n", 2, "no code was given");
    assert_int_equal(phone.known.count, 0);
    auth_phone_release(&phone);
}

static void prompt_on_the_phone_is_announced(void **state)
{
    struct auth_phone phone;

    (void)state;
    auth_phone_init(&phone, AUTH_SIGNATURE);
    phone.owner_accepts = true;
    connect_to(&phone, 0, "unauthorized: accept the prompt on the phone");
    assert_int_equal(phone.asked, 1);
    connect_to(&phone, 0, "is remembered");
    assert_int_equal(phone.asked, 1);
    auth_phone_release(&phone);
}

static void unusable_key_is_reported(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_WANTS_KEY);
    struct command_run run = {0};
    char script[256];

    (void)state;
    snprintf(script, sizeof(script),
             "d=$(mktemp -d); mkdir $d/.android; : >$d/.android/adbkey;"
             " HOME=$d proctor connect 127.0.0.1:%u; s=$?; rm -r $d; exit $s",
             (unsigned)tcp_phone_port(phone));
    RUN(&run, 1, script);
    SAYS(run.errors, ".android/adbkey: the file is empty");
    SAYS(run.errors, "there is no key to show");
    command_run_release(&run);
    tcp_phone_stop(phone);
}

/* With TLS, with signatures, and without any key. */
static void port_for_connecting_is_not_one_for_pairing(void **state)
{
    static const enum auth_demand demands[] = {AUTH_TLS, AUTH_SIGNATURE,
                                               AUTH_NOTHING};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct tcp_listener *listener;
        struct auth_phone phone;

        auth_phone_init(&phone, demands[i]);
        listener = tcp_listener_start(0, auth_phone_serve, &phone);
        run_at(listener, AUTH_PHONE_CODE "\n", "pair", 2,
               "is the one to connect to, not to pair with");
        tcp_listener_stop(listener);
        assert_int_equal(phone.asked, 0);
        auth_phone_release(&phone);
    }
}

/* Without a timeout the prompt waits for a minute. */
static void timeout_applies_to_the_prompt(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_WANTS_KEY);
    int64_t start = clock_ns();
    struct command_run run = {0};
    char script[128];

    (void)state;
    snprintf(script, sizeof(script), "proctor --timeout 3 connect 127.0.0.1:%u",
             (unsigned)tcp_phone_port(phone));
    RUN(&run, 1, script);
    SAYS(run.errors, "the prompt on the phone was not accepted in time");
    assert_true(clock_ns() - start < (int64_t)50 * 1000 * 1000 * 1000);
    command_run_release(&run);
    tcp_phone_stop(phone);
}

/* It is not in a trace either. */
static void typed_code_is_not_shown(void **state)
{
    struct auth_phone phone;
    struct tcp_listener *listener;
    char script[256];
    struct pty pty;

    (void)state;
    auth_phone_init(&phone, AUTH_TLS);
    listener = tcp_listener_start(0, auth_phone_pair, &phone);
    snprintf(script, sizeof(script),
             "PROCTOR_TRACE=all exec " PROCTOR_FOLDER
             "/proctor pair 127.0.0.1:%u",
             (unsigned)tcp_listener_port(listener));
    pty_start(&pty, script);
    pty_expect(&pty, "The code that the phone shows: ");
    pty_type(&pty, AUTH_PHONE_CODE "\r");
    pty_expect(&pty, "paired with");
    assert_int_equal(pty_wait(&pty), 0);
    assert_null(strstr(buf_cstr(&pty.seen), AUTH_PHONE_CODE));
    assert_true(pty_is_restored(&pty));
    pty_release(&pty);
    tcp_listener_stop(listener);
    auth_phone_release(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_key_is_readable_only_by_the_user),
        cmocka_unit_test(paired_phone_accepts_tls),
        cmocka_unit_test(wrong_code_is_reported),
        cmocka_unit_test(prompt_on_the_phone_is_announced),
        cmocka_unit_test(unusable_key_is_reported),
        cmocka_unit_test(port_for_connecting_is_not_one_for_pairing),
        cmocka_unit_test(timeout_applies_to_the_prompt),
        cmocka_unit_test(typed_code_is_not_shown),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
