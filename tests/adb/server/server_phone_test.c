/* Phones as an adb server shows them. */
#include "adb/server/server_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/adb/fake_adb_server.h"

#define SOON deadline_in_ms(60000)

/* What a phone behind an adb server is shown as. */
struct behind {
    struct fake_adb_server *server;
    struct device *device;
    struct server_phone *phone;
};

static struct adb_server_phone show(
    struct behind *behind, const struct fake_adb_server_answer *answers,
    size_t count)
{
    struct server_client address;
    struct err err = ERR_INIT;

    behind->server = fake_adb_server_start(answers, count);
    address = fake_adb_server_address(behind->server);
    if (!device_open_server(&address, "x", SOON, &behind->device, &err) ||
        !server_phone_open(behind->device, NULL, NULL, &behind->phone, &err))
        fail_msg("%s", err.text);
    return server_phone_show(behind->phone);
}

static void hide(struct behind *behind)
{
    server_phone_close(behind->phone);
    device_close(behind->device);
    fake_adb_server_stop(behind->server);
}

static void a_phone_on_usb_has_its_place(void **state)
{
    static const struct fake_adb_server_answer answers[] = {
        FAKE_ADB_SERVER_SAYS("host-serial:x:features", "OKAY0008shell_v2"),
        FAKE_ADB_SERVER_SAYS("host-serial:x:get-devpath", "OKAY0007usb:1-2"),
    };
    struct behind behind;
    struct adb_server_phone shown = show(&behind, answers, 2);

    (void)state;
    assert_true(shown.usb);
    assert_string_equal(shown.devpath, "usb:1-2");
    hide(&behind);
}

static void a_phone_on_the_network_has_none(void **state)
{
    static const struct fake_adb_server_answer answers[] = {
        FAKE_ADB_SERVER_SAYS("host-serial:x:features", "OKAY0008shell_v2"),
        FAKE_ADB_SERVER_SAYS("host-serial:x:get-devpath", "OKAY0007unknown"),
    };
    struct behind behind;
    struct adb_server_phone shown = show(&behind, answers, 2);

    (void)state;
    assert_false(shown.usb);
    assert_null(shown.devpath);
    hide(&behind);
}

static void a_server_may_not_say(void **state)
{
    static const struct fake_adb_server_answer answers[] = {
        FAKE_ADB_SERVER_SAYS("host-serial:x:features", "OKAY0008shell_v2"),
    };
    struct behind behind;
    struct adb_server_phone shown = show(&behind, answers, 1);

    (void)state;
    assert_false(shown.usb);
    hide(&behind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_phone_on_usb_has_its_place),
        cmocka_unit_test(a_phone_on_the_network_has_none),
        cmocka_unit_test(a_server_may_not_say),
    };

    return cmocka_run_group_tests_name("server_phone", tests, NULL, NULL);
}
