#include "adb/server/server_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

static void requests_name_a_phone_and_a_command(void **state)
{
    static const struct {
        const char *text;
        enum server_request_kind kind;
        enum server_scope scope;
        const char *serial;
        const char *command;
    } table[] = {
        {"host:version", SERVER_REQUEST_HOST, SERVER_SCOPE_ANY, "", "version"},
        {"host-usb:x", SERVER_REQUEST_HOST, SERVER_SCOPE_USB, "", "x"},
        {"host-local:", SERVER_REQUEST_HOST, SERVER_SCOPE_LOCAL, "", ""},
        {"host-serial:a:b:c", SERVER_REQUEST_HOST, SERVER_SCOPE_SERIAL, "a",
         "b:c"},
        {"host-serial:1.2.3.4:5555:features", SERVER_REQUEST_HOST,
         SERVER_SCOPE_SERIAL, "1.2.3.4:5555", "features"},
        {"host-serial:[::1]:5555:x", SERVER_REQUEST_HOST, SERVER_SCOPE_SERIAL,
         "[::1]:5555", "x"},
        {"host-serial:tcp:h:1:forward:tcp:1;tcp:2", SERVER_REQUEST_HOST,
         SERVER_SCOPE_SERIAL, "tcp:h:1", "forward:tcp:1;tcp:2"},
        {"host-serial:usb:1-2:x", SERVER_REQUEST_HOST, SERVER_SCOPE_SERIAL,
         "usb:1-2", "x"},
        {"host-serial:emulator-5554:forward:tcp:80;tcp:80", SERVER_REQUEST_HOST,
         SERVER_SCOPE_SERIAL, "emulator-5554", "forward:tcp:80;tcp:80"},
        {"host-transport-id:12:x", SERVER_REQUEST_HOST, SERVER_SCOPE_ID, "",
         "x"},
        {"shell:ls", SERVER_REQUEST_SERVICE, SERVER_SCOPE_ANY, "", "shell:ls"},
        {"", SERVER_REQUEST_SERVICE, SERVER_SCOPE_ANY, "", ""},
        {"host-serial:x", SERVER_REQUEST_INVALID, SERVER_SCOPE_ANY, "", "x"},
        {"host-serial::x", SERVER_REQUEST_INVALID, SERVER_SCOPE_ANY, "", ":x"},
        {"host-transport-id:0:x", SERVER_REQUEST_INVALID, SERVER_SCOPE_ANY, "",
         "0:x"},
        {"host-transport-id:99999999999999999999:x", SERVER_REQUEST_INVALID,
         SERVER_SCOPE_ANY, "", "99999999999999999999:x"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        struct server_request request = server_request_parse(table[i].text);

        assert_int_equal(request.kind, table[i].kind);
        assert_int_equal(request.target.scope, table[i].scope);
        assert_string_equal(request.target.serial, table[i].serial);
        assert_string_equal(request.command, table[i].command);
    }
}

static void transports_are_selected_in_all_forms(void **state)
{
    static const struct {
        const char *command;
        enum server_scope scope;
        bool with_id;
    } table[] = {
        {"transport-any", SERVER_SCOPE_ANY, false},
        {"transport-usb", SERVER_SCOPE_USB, false},
        {"transport-local", SERVER_SCOPE_LOCAL, false},
        {"transport:x:1", SERVER_SCOPE_SERIAL, false},
        {"transport-id:3", SERVER_SCOPE_ID, false},
        {"tport:any", SERVER_SCOPE_ANY, true},
        {"tport:serial:x", SERVER_SCOPE_SERIAL, true},
    };
    static const char *const others[] = {
        "transport",   "transport:",      "transport-id:", "transport-id:x",
        "tport:",      "tport:serial:",   "tport:x",       "transport-x",
        "transports:", "transport-id:1x",
    };
    struct server_target target;
    bool with_id;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        assert_true(server_request_parse_transport(table[i].command, &target,
                                                   &with_id));
        assert_int_equal(target.scope, table[i].scope);
        assert_int_equal(with_id, table[i].with_id);
    }
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_false(
            server_request_parse_transport(others[i], &target, &with_id));
}

static void waits_name_a_state_and_perhaps_a_transport(void **state)
{
    static const struct {
        const char *command;
        enum server_scope scope;
        enum server_wait wait;
    } table[] = {
        {"wait-for-device", SERVER_SCOPE_ANY, SERVER_WAIT_DEVICE},
        {"wait-for-any-device", SERVER_SCOPE_ANY, SERVER_WAIT_DEVICE},
        {"wait-for-usb-any", SERVER_SCOPE_USB, SERVER_WAIT_ANY},
        {"wait-for-local-disconnect", SERVER_SCOPE_LOCAL,
         SERVER_WAIT_DISCONNECT},
        {"wait-for-any-recovery", SERVER_SCOPE_ANY, SERVER_WAIT_OTHER},
    };
    static const char *const others[] = {
        "wait-for-",
        "wait-for-x-device",
        "wait-for-any-x",
        "wait-for",
        "wait-for-a-very-long-kind-device",
    };
    enum server_wait wait;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        struct server_target target = {.scope = SERVER_SCOPE_ANY};

        assert_true(
            server_request_parse_wait(table[i].command, &target, &wait));
        assert_int_equal(target.scope, table[i].scope);
        assert_int_equal(wait, table[i].wait);
    }
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        struct server_target target = {.scope = SERVER_SCOPE_ANY};

        assert_false(server_request_parse_wait(others[i], &target, &wait));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_name_a_phone_and_a_command),
        cmocka_unit_test(transports_are_selected_in_all_forms),
        cmocka_unit_test(waits_name_a_state_and_perhaps_a_transport),
    };

    return cmocka_run_group_tests_name("server_request", tests, NULL, NULL);
}
