/* The program comes to be trusted by phones that demand it. */
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

#include "tests/cli/command_run.h"
#include "tests/cli/pty.h"
#include "tests/support/listener.h"
#include "tests/support/wary_phone.h"

static char home[] = "/tmp/proctor-pair-XXXXXX";

static int remove_one(const char *path, const struct stat *facts, int kind,
                      struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

/* A home of its own: with no keys, and nothing remembered. */
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

/* Run proctor with the address at the end, and look at its messages. */
static void run_at(const struct listener *listener, const char *input,
                   const char *command, int status, const char *message)
{
    struct command_run run = {0};
    char script[256];

    snprintf(script, sizeof(script), "proctor %s 127.0.0.1:%u", command,
             (unsigned)listener_port(listener));
    command_run(&run, input, script);
    command_run_expect(&run, status, script, __FILE__, __LINE__);
    SAYS(run.errors, message);
    command_run_release(&run);
}

static void pair(struct wary_phone *phone, const char *input, int status,
                 const char *message)
{
    struct listener *listener = listener_start(0, wary_phone_pair, phone);

    run_at(listener, input, "pair", status, message);
    listener_stop(listener);
}

static void connect_to(struct wary_phone *phone, int status,
                       const char *message)
{
    struct listener *listener = listener_start(0, wary_phone_serve, phone);

    run_at(listener, NULL, "connect", status, message);
    listener_stop(listener);
}

static void the_key_is_made_for_its_owner_alone(void **state)
{
    struct wary_phone phone;
    struct stat facts;
    char path[64];

    (void)state;
    wary_phone_init(&phone, AUTH_TLS);
    pair(&phone, WARY_PHONE_CODE "\n", 0, "paired with " WARY_PHONE_GUID);
    wary_phone_release(&phone);
    snprintf(path, sizeof(path), "%s/.android/adbkey", home);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
}

static void a_paired_phone_lets_us_in_over_tls(void **state)
{
    struct wary_phone phone;

    (void)state;
    wary_phone_init(&phone, AUTH_TLS);
    connect_to(&phone, 1, "pair with it");
    pair(&phone, WARY_PHONE_CODE "\n", 0, "paired with " WARY_PHONE_GUID);
    assert_int_equal(phone.known.count, 1);
    connect_to(&phone, 0, "is remembered");
    wary_phone_release(&phone);
}

static void a_wrong_code_is_named(void **state)
{
    struct wary_phone phone;

    (void)state;
    wary_phone_init(&phone, AUTH_TLS);
    pair(&phone, "592780\n", 1, "wrong code");
    pair(&phone, "\n", 2, "no code was given");
    assert_int_equal(phone.known.count, 0);
    wary_phone_release(&phone);
}

static void the_owner_is_asked_and_we_say_that_we_wait(void **state)
{
    struct wary_phone phone;

    (void)state;
    wary_phone_init(&phone, AUTH_SIGNATURE);
    phone.owner_accepts = true;
    connect_to(&phone, 0, "unauthorized: accept the prompt on the phone");
    assert_int_equal(phone.asked, 1);
    connect_to(&phone, 0, "is remembered");
    assert_int_equal(phone.asked, 1);
    wary_phone_release(&phone);
}

/* Nor does it come up in a trace. */
static void a_code_that_is_typed_is_not_shown(void **state)
{
    struct wary_phone phone;
    struct listener *listener;
    char script[256];
    struct pty pty;

    (void)state;
    wary_phone_init(&phone, AUTH_TLS);
    listener = listener_start(0, wary_phone_pair, &phone);
    snprintf(script, sizeof(script),
             "PROCTOR_TRACE=all exec " PROCTOR_FOLDER
             "/proctor pair 127.0.0.1:%u",
             (unsigned)listener_port(listener));
    pty_start(&pty, script);
    pty_expect(&pty, "The code that the phone shows: ");
    pty_type(&pty, WARY_PHONE_CODE "\r");
    pty_expect(&pty, "paired with");
    assert_int_equal(pty_wait(&pty), 0);
    assert_null(strstr(buf_cstr(&pty.seen), WARY_PHONE_CODE));
    assert_true(pty_is_restored(&pty));
    pty_release(&pty);
    listener_stop(listener);
    wary_phone_release(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_key_is_made_for_its_owner_alone),
        cmocka_unit_test(a_paired_phone_lets_us_in_over_tls),
        cmocka_unit_test(a_wrong_code_is_named),
        cmocka_unit_test(the_owner_is_asked_and_we_say_that_we_wait),
        cmocka_unit_test(a_code_that_is_typed_is_not_shown),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
