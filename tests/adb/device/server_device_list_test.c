#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adb/device/server_client.h"
#include "base/file.h"

static struct server_device_list parse(const char *text)
{
    struct server_device_list devices = {0};

    server_device_list_parse(text, strlen(text), &devices);
    return devices;
}

static void usb_phone_has_all_properties(void **state)
{
    struct server_device_list devices =
        parse("6563c026               device usb:1-4 product:courbet_tr "
              "model:M2101K9AG device:courbet transport_id:5\n");

    (void)state;
    assert_int_equal(devices.count, 1);
    assert_string_equal(devices.items[0].serial, "6563c026");
    assert_string_equal(devices.items[0].state, "device");
    assert_string_equal(devices.items[0].product, "courbet_tr");
    assert_string_equal(devices.items[0].model, "M2101K9AG");
    assert_string_equal(devices.items[0].device, "courbet");
    assert_int_equal(devices.items[0].transport_id, 5);
    server_device_list_release(&devices);
    assert_null(devices.items);
}

static void each_line_of_a_server_is_parsed(void **state)
{
    static const struct {
        const char *line;
        const char *serial;
        const char *state;
        uint64_t transport_id;
    } cases[] = {
        {"a\tdevice", "a", "device", 0},
        {"a offline transport_id:12", "a", "offline", 12},
        {"192.168.1.20:5555      unauthorized transport_id:3\r",
         "192.168.1.20:5555", "unauthorized", 3},
        {"[fe80::1]:5555 connecting", "[fe80::1]:5555", "connecting", 0},
        {"adb-1A2B-xYz._adb-tls-connect._tcp device",
         "adb-1A2B-xYz._adb-tls-connect._tcp", "device", 0},
        {"adb-X (2)._adb-tls-connect._tcp device product:p model:m device:d "
         "transport_id:4",
         "adb-X (2)._adb-tls-connect._tcp", "device", 4},
        {"adb-X (2)._adb-tls-connect._tcp\tunauthorized",
         "adb-X (2)._adb-tls-connect._tcp", "unauthorized", 0},
        {"my device              device product:p transport_id:5", "my device",
         "device", 5},
        {"my offline phone       offline", "my offline phone", "offline", 0},
        {"device                 device", "device", "device", 0},
        {"a  b                   no permissions; see [http://x] usb:1-2",
         "a  b", "no permissions", 0},
        {"a hibernating transport_id:6", "a", "hibernating", 6},
        {"(no serial number)     no permissions (missing udev rules? user is "
         "in the plugdev group); see [http://developer.android.com/tools/"
         "device.html] usb:1-2 transport_id:3",
         "(no serial number)", "no permissions", 3},
        {"a device transport_id:18446744073709551615", "a", "device",
         UINT64_MAX},
        {"a device transport_id:18446744073709551616", "a", "device", 0},
        {"a device transport_id:-1", "a", "device", 0},
        {"a device transport_id:", "a", "device", 0},
        {"a a-state-longer-than-any-server-has", "a", "a-state-longer-than-any",
         0},
        {"a \x1b[2J", "a", "?[2J", 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct server_device_list devices = parse(cases[i].line);

        assert_int_equal(devices.count, 1);
        assert_string_equal(devices.items[0].serial, cases[i].serial);
        assert_string_equal(devices.items[0].state, cases[i].state);
        assert_true(devices.items[0].transport_id == cases[i].transport_id);
        server_device_list_release(&devices);
    }
}

static void other_lines_are_skipped(void **state)
{
    static const char *const lines[] = {
        "",
        "\n\n \t\r\n",
        "alone\n",
        "List of devices attached\n",
        "* daemon not running; starting now at tcp:5037\n",
        "\x1b[2J device\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct server_device_list devices = parse(lines[i]);

        assert_int_equal(devices.count, 0);
        assert_null(devices.items);
    }
}

static void serial_that_is_too_long_for_a_request_is_skipped(void **state)
{
    char line[160];
    struct server_device_list devices;

    (void)state;
    memset(line, 'x', sizeof(line));
    snprintf(line + 128, sizeof(line) - 128, " device\nb device\n");
    devices = parse(line);
    assert_int_equal(devices.count, 1);
    assert_string_equal(devices.items[0].serial, "b");
    server_device_list_release(&devices);
    devices = parse(line + 1);
    assert_int_equal(devices.count, 2);
    server_device_list_release(&devices);
}

static void endless_list_is_cut(void **state)
{
    struct buf text = BUF_INIT(1 << 20);
    struct server_device_list devices;

    (void)state;
    for (int i = 0; i < 10000; i++)
        buf_printf(&text, "phone-%d device\n", i);
    devices = parse(buf_cstr(&text));
    assert_int_equal(devices.count, SERVER_DEVICE_LIST_MAX);
    assert_string_equal(devices.items[255].serial, "phone-255");
    server_device_list_release(&devices);
    buf_release(&text);
}

static void output_of_real_adb_is_parsed(void **state)
{
    struct buf text = BUF_INIT(1 << 16);
    struct server_device_list devices;
    struct err err = ERR_INIT;

    (void)state;
    if (!file_load(TEST_FIXTURES "/device-outputs/"
                                 "cebe123+lumisky-v4__adb_devices.txt",
                   &text, &err))
        skip();
    devices = parse(buf_cstr(&text));
    assert_int_equal(devices.count, 1);
    assert_string_equal(devices.items[0].serial, "6563c026");
    assert_string_equal(devices.items[0].model, "M2101K9AG");
    server_device_list_release(&devices);
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usb_phone_has_all_properties),
        cmocka_unit_test(each_line_of_a_server_is_parsed),
        cmocka_unit_test(other_lines_are_skipped),
        cmocka_unit_test(serial_that_is_too_long_for_a_request_is_skipped),
        cmocka_unit_test(endless_list_is_cut),
        cmocka_unit_test(output_of_real_adb_is_parsed),
    };

    return cmocka_run_group_tests_name("server_devices", tests, NULL, NULL);
}
