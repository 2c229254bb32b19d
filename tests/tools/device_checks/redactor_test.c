#include "tools/device_checks/redactor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"

struct pair {
    const char *text;
    const char *clean;
};

static void assert_cleans(struct redactor *redactor, const char *text,
                          const char *expected)
{
    struct buf clean = BUF_INIT(1 << 20);

    redactor_apply(redactor, text, strlen(text), &clean);
    assert_string_equal(buf_cstr(&clean), expected);
    buf_release(&clean);
}

/* Each text is cleaned alone, by a redactor without known secrets. */
static void assert_each_cleans(const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct redactor redactor = REDACTOR_INIT;

        assert_cleans(&redactor, pairs[i].text, pairs[i].clean);
        redactor_release(&redactor);
    }
}

static void serial_is_removed_everywhere(void **state)
{
    static const struct pair pairs[] = {
        {"R58M12ABCDE", "serial-1"},
        {"host:transport:R58M12ABCDE", "host:transport:serial-1"},
        {"usbR58M12ABCDEx", "usbserial-1x"},
        {"r58m12abcde R58M12ABCDE", "serial-1 serial-1"},
        {"R58M12ABCDER58M12ABCDE", "serial-1serial-1"},
        {"a R58M12ABCDE", "a serial-1"},
        {"it was cut: R58M1", "it was cut: serial-1"},
        {"R58M\nR58M12\n", "R58M\nserial-1\n"},
        {"R58M12ABCD-", "R58M12ABCD-"},
        {"/sys/R58M12ABCDE/R58M-", "/sys/serial-1/R58M-"},
    };
    struct redactor redactor = REDACTOR_INIT;

    (void)state;
    redactor_know_serial(&redactor, "R58M12ABCDE");
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        assert_cleans(&redactor, pairs[i].text, pairs[i].clean);
    redactor_release(&redactor);
}

static void short_name_is_removed_only_as_a_whole_word(void **state)
{
    static const struct pair pairs[] = {
        {"ann", "user-1"},
        {"/home/ann/x", "/home/user-1/x"},
        {"a planner, a cannon, Ann.", "a planner, a cannon, user-1."},
    };
    struct redactor redactor = REDACTOR_INIT;

    (void)state;
    redactor_know(&redactor, SECRET_USER, "ann");
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        assert_cleans(&redactor, pairs[i].text, pairs[i].clean);
    redactor_release(&redactor);
}

static void an_address_that_is_a_serial_is_one_and_an_address_alone(
    void **state)
{
    struct redactor redactor = REDACTOR_INIT;

    (void)state;
    redactor_know_serial(&redactor, "10.0.0.7:5555");
    redactor_know_serial(&redactor, "tablet:5555");
    assert_cleans(&redactor, "10.0.0.7:5555 at 10.0.0.7 port 5555, not tablet",
                  "serial-1 at address-1 port 5555, not address-2");
    redactor_release(&redactor);
}

static void usb_port_is_not_a_host(void **state)
{
    struct redactor redactor = REDACTOR_INIT;

    (void)state;
    redactor_know_serial(&redactor, "usb:1-2");
    redactor_know_serial(&redactor, "usb:1");
    assert_cleans(&redactor, "USB, usb:1-2, usb:1", "USB, serial-1, serial-2");
    redactor_release(&redactor);
}

static void common_names_are_kept(void **state)
{
    struct redactor redactor = REDACTOR_INIT;

    (void)state;
    redactor_know(&redactor, SECRET_USER, "root");
    redactor_know(&redactor, SECRET_HOST, "localhost");
    redactor_know(&redactor, SECRET_HOST, "");
    redactor_know(&redactor, SECRET_HOST, NULL);
    assert_cleans(&redactor, "null root node on localhost",
                  "null root node on localhost");
    redactor_release(&redactor);
}

static void host_name_and_user_are_removed(void **state)
{
    struct redactor redactor = REDACTOR_INIT;
    char host[256];

    (void)state;
    setenv("USER", "zaphod", 1);
    assert_int_equal(gethostname(host, sizeof(host)), 0);
    redactor_know_this_computer(&redactor);
    assert_cleans(&redactor, "/home/zaphod/.android", "/home/user-1/.android");
    if (strcmp(host, "localhost") != 0)
        assert_cleans(&redactor, host, "host-1");
    redactor_release(&redactor);
}

static void addresses_are_recognized_by_their_format(void **state)
{
    static const struct pair pairs[] = {
        {"192.168.1.20", "address-1"},
        {"192.168.1.20:5555", "address-1:5555"},
        {"at 10.0.0.1.", "at address-1."},
        {"ip10.0.0.1x", "ipaddress-1x"},
        {"1.10.0.0.7.9", "address-1"},
        {"8.1.0", "8.1.0"},
        {"1.2.3.4567", "1.2.3.4567"},
        {"fe80::1", "address-1"},
        {"[fe80::1%wlan0]:5555", "[address-1]:5555"},
        {"2001:db8:0:1:2:3:4:5,x", "address-1,x"},
        {"::ffff:10.0.0.1", "address-1"},
        {"addr=::1 up", "addr=address-1 up"},
        {"fe80::1.", "address-1."},
        {"fe80:0:0:0:12", "address-1"}, /* truncated */
        {"device::ro.product=x", "device::ro.product=x"},
        {"host::features=a", "host::features=a"},
        {"at 12:34:56", "at 12:34:56"},
        {"tcp:0", "tcp:0"},
    };

    (void)state;
    assert_each_cleans(pairs, ARRAY_LEN(pairs));
}

static void local_host_names_are_recognized_by_their_format(void **state)
{
    static const struct pair pairs[] = {
        {"adb-R58M12ABCDE-a1b2c3._adb-tls-connect._tcp", "host-1"},
        {"adb-R58M12ABCDE-a1b2c3._adb-tls-connect._tcp.local.", "host-1"},
        {"adb-R58M12ABCDE-a1b2c3 (2)._adb-tls-pairing._tcp",
         "host-1 (2)host-2"},
        {"Android-3.local:5555", "host-1:5555"},
        {"pixel.fritz.box", "host-1"},
        {"alice@laptop", "user-1"},
        {"key alice.b@laptop.example.org.", "key user-1"},
        {"/data/local/tmp", "/data/local/tmp"},
        {"_adb-tls-connect is a service", "_adb-tls-connect is a service"},
        {"@ 5", "@ 5"},
    };

    (void)state;
    assert_each_cleans(pairs, ARRAY_LEN(pairs));
}

static void numbers_and_keys_are_recognized_by_their_format(void **state)
{
    static const struct pair pairs[] = {
        {"02:00:5e:10:00:ff", "mac-1"},
        {"02-00-5E-10-00-FF", "mac-1"},
        {"02005e1000ff", "id-1"},
        {"android_id=9774d56d682e549c", "android_id=id-1"},
        {"id9774d56d682e549cx", "iid-1x"}, /* 'd' is a hexadecimal digit */
        {"490154203237518", "id-1"},
        {"123e4567-e89b-12d3-a456-426614174000", "id-1"},
        {"QAAAAIeNxDfjbXnBxGGYbSNeP9cbQFfFwWlJ8vHnQ3GJ0+aB", "key-1"},
        {"16777216 bytes", "16777216 bytes"},
        {"defaced facade", "defaced facade"},
        {"/system/framework/framework-res.apk",
         "/system/framework/framework-res.apk"},
    };

    (void)state;
    assert_each_cleans(pairs, ARRAY_LEN(pairs));
}

static void same_secret_has_the_same_placeholder(void **state)
{
    struct redactor redactor = REDACTOR_INIT;

    (void)state;
    assert_cleans(&redactor, "10.0.0.1 10.0.0.2 10.0.0.1",
                  "address-1 address-2 address-1");
    assert_cleans(&redactor, "FE80::A fe80::a 10.0.0.2",
                  "address-3 address-3 address-2");
    redactor_release(&redactor);
}

static void secrets_beyond_the_limit_are_still_removed(void **state)
{
    struct redactor redactor = REDACTOR_INIT;
    char text[32];

    (void)state;
    for (int i = 0; i < REDACTOR_SECRETS_MAX; i++) {
        char expected[32];

        snprintf(text, sizeof(text), "10.1.%d.%d", i / 256, i % 256);
        snprintf(expected, sizeof(expected), "address-%d", i + 1);
        assert_cleans(&redactor, text, expected);
    }
    assert_cleans(&redactor, "10.2.0.0 10.1.0.0", "address-? address-1");
    redactor_release(&redactor);
}

static void invalid_utf8_is_kept(void **state)
{
    static const char bytes[] = "\0\xff 10.0.0.1\0\xc3";
    static const char expected[] = "\0\xff address-1\0\xc3";
    struct redactor redactor = REDACTOR_INIT;
    struct buf clean = BUF_INIT(64);

    (void)state;
    redactor_apply(&redactor, bytes, sizeof(bytes) - 1, &clean);
    assert_int_equal(clean.length, sizeof(expected) - 1);
    assert_memory_equal(clean.data, expected, sizeof(expected) - 1);
    redactor_apply(&redactor, "", 0, &clean);
    buf_release(&clean);
    redactor_release(&redactor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_is_removed_everywhere),
        cmocka_unit_test(short_name_is_removed_only_as_a_whole_word),
        cmocka_unit_test(
            an_address_that_is_a_serial_is_one_and_an_address_alone),
        cmocka_unit_test(usb_port_is_not_a_host),
        cmocka_unit_test(common_names_are_kept),
        cmocka_unit_test(host_name_and_user_are_removed),
        cmocka_unit_test(addresses_are_recognized_by_their_format),
        cmocka_unit_test(local_host_names_are_recognized_by_their_format),
        cmocka_unit_test(numbers_and_keys_are_recognized_by_their_format),
        cmocka_unit_test(same_secret_has_the_same_placeholder),
        cmocka_unit_test(secrets_beyond_the_limit_are_still_removed),
        cmocka_unit_test(invalid_utf8_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
