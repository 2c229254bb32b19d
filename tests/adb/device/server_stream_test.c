/* Errors when a phone behind an adb server is lost. */
#include "adb/device/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "adb/services/shell.h"
#include "tests/support/adb/fake_adb_server.h"

#define IN_TIME deadline_in_ms(60000)
#define FEATURES                                                               \
    FAKE_ADB_SERVER_SAYS("host-serial:x:features", "OKAY0008shell_v2")
#define TRANSPORT FAKE_ADB_SERVER_SAYS("host:transport:x", "OKAY")
#define STATE "host-serial:x:get-state"

/* A service that prints a few bytes and then ends without a reason. */
#define ENDS_EARLY(service, text)                                              \
    {                                                                          \
        .request = (service), .bytes = "OKAY" text,                            \
        .length = sizeof("OKAY" text) - 1, .disconnect = true                  \
    }

static struct device *open_device(struct fake_adb_server *peer)
{
    struct server_client server = fake_adb_server_address(peer);
    struct device *device = NULL;
    struct err err = ERR_INIT;

    if (!device_open_server(&server, "x", IN_TIME, &device, &err))
        fail_msg("%s", err.text);
    return device;
}

/*
 * Run a command that ends early, with that answer to a request for the phone's
 * state.
 */
static enum err_code run_early(struct fake_adb_server_answer state, bool exec)
{
    const struct fake_adb_server_answer answers[] = {
        FEATURES,
        TRANSPORT,
        ENDS_EARLY("shell,v2,raw:run", "\1\2\0\0\0hi"),
        ENDS_EARLY("exec:run", "hi"),
        state,
    };
    struct fake_adb_server *peer =
        fake_adb_server_start(answers, sizeof(answers) / sizeof(*answers));
    struct device *device = open_device(peer);
    struct buf output = BUF_INIT(100);
    struct shell_result result;
    struct err err = ERR_INIT;
    bool done = exec ? shell_exec(device, "run", IN_TIME, &output, &err)
                     : shell_run(device, "run", 100, IN_TIME, &result, &err);

    if (done && exec)
        assert_int_equal(output.length, 2);
    else if (done)
        shell_result_release(&result);
    device_close(device);
    fake_adb_server_stop(peer);
    buf_release(&output);
    return done ? ERR_NONE : err.code;
}

#define GONE "FAIL0014device 'x' not found"
#define OFFLINE "FAIL000edevice offline"

static void a_phone_lost_during_a_command_is_lost(void **state)
{
    (void)state;
    for (int exec = 0; exec < 2; exec++) {
        assert_int_equal(run_early((struct fake_adb_server_answer)
                                       FAKE_ADB_SERVER_SAYS(STATE, GONE),
                                   exec),
                         ERR_LOST);
        assert_int_equal(run_early((struct fake_adb_server_answer)
                                       FAKE_ADB_SERVER_SAYS(STATE, OFFLINE),
                                   exec),
                         ERR_LOST);
        assert_int_equal(
            run_early((struct fake_adb_server_answer)FAKE_ADB_SERVER_SAYS(
                          STATE, "OKAY0007offline"),
                      exec),
            ERR_LOST);
    }
}

static void service_that_ends_on_a_connected_phone_has_ended(void **state)
{
    const struct fake_adb_server_answer there =
        FAKE_ADB_SERVER_SAYS(STATE, "OKAY0006device");

    (void)state;
    assert_int_equal(run_early(there, true), ERR_NONE);
    assert_int_equal(run_early(there, false), ERR_CLOSED);
}

static void server_without_a_state_changes_nothing(void **state)
{
    const struct fake_adb_server_answer other =
        FAKE_ADB_SERVER_SAYS("host:version", "OKAY00040029");

    (void)state;
    assert_int_equal(run_early(other, true), ERR_NONE);
}

static void phone_lost_before_the_next_service_is_lost(void **state)
{
    const struct fake_adb_server_answer answers[] = {
        FEATURES,
        FAKE_ADB_SERVER_SAYS("host:transport:x", GONE),
    };
    struct fake_adb_server *peer = fake_adb_server_start(answers, 2);
    struct device *device = open_device(peer);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(
        device_open_service(device, "exec:run", IN_TIME, &stream, &err));
    assert_int_equal(err.code, ERR_LOST);
    device_close(device);
    fake_adb_server_stop(peer);
}

/* The server ends the connection while the service is being opened. */
static enum err_code open_early(const char *bytes, size_t length,
                                struct fake_adb_server_answer state)
{
    const struct fake_adb_server_answer answers[] = {
        FEATURES,
        TRANSPORT,
        {"exec:run", bytes, length, true},
        state,
    };
    struct fake_adb_server *peer = fake_adb_server_start(answers, 4);
    struct device *device = open_device(peer);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    assert_false(
        device_open_service(device, "exec:run", IN_TIME, &stream, &err));
    device_close(device);
    fake_adb_server_stop(peer);
    return err.code;
}

static void phone_lost_while_a_service_opens_is_lost(void **state)
{
    const struct fake_adb_server_answer gone =
        FAKE_ADB_SERVER_SAYS(STATE, GONE);
    const struct fake_adb_server_answer there =
        FAKE_ADB_SERVER_SAYS(STATE, "OKAY0006device");
    static const char refused[] = "FAIL0006closed";

    (void)state;
    assert_int_equal(open_early("", 0, gone), ERR_LOST);
    assert_int_equal(open_early(refused, 14, gone), ERR_LOST);
    assert_int_equal(open_early("", 0, there), ERR_CLOSED);
    assert_int_equal(open_early(refused, 14, there), ERR_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_phone_lost_during_a_command_is_lost),
        cmocka_unit_test(service_that_ends_on_a_connected_phone_has_ended),
        cmocka_unit_test(server_without_a_state_changes_nothing),
        cmocka_unit_test(phone_lost_before_the_next_service_is_lost),
        cmocka_unit_test(phone_lost_while_a_service_opens_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
