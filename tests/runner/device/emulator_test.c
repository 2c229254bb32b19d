/* Snapshots of emulators, simulated by the built-in phone's console. */
#include "runner/device/emulator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/discover/discover.h"
#include "adb/services/shell.h"
#include "base/file.h"
#include "base/macros.h"
#include "runner/device/device_source.h"
#include "tests/support/adb/send_all.h"
#include "tests/support/adb/tcp_listener.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(30000)
#define TOKEN "0123456789abcdef"
#define PORT_FIRST 21000
#define PORT_LAST 31000

struct world {
    struct phone *phone;
    char folder[64]; /* the user's home, and the folder of the snapshots */
    char token[96];
    char snapshot[96];
    char serial[32];
};

static void save_token(const struct world *world, const char *token)
{
    struct err err = ERR_INIT;

    if (!file_save(world->token, 0600, token, strlen(token), &err))
        fail_msg("%s", err.text);
}

/* An emulator's ADB listens one port above its console. */
static bool start_at(struct world *world, uint16_t console)
{
    const struct phone_options options = {
        .port = (uint16_t)(console + 1),
        .console = true,
        .console_port = console,
        .console_token = world->token,
        .snapshots = world->folder,
    };
    struct err err = ERR_INIT;

    snprintf(world->serial, sizeof(world->serial), "emulator-%u", console);
    return phone_start(&options, &world->phone, &err);
}

static int switch_on(void **state)
{
    static struct world world;
    uint16_t console = (uint16_t)(PORT_FIRST + getpid() % 5000 * 2);

    world = (struct world){.folder = "/tmp/proctor-emulator-XXXXXX"};
    if (!mkdtemp(world.folder) || setenv("HOME", world.folder, 1))
        return -1;
    snprintf(world.token, sizeof(world.token),
             "%s/.emulator_console_auth_token", world.folder);
    snprintf(world.snapshot, sizeof(world.snapshot), "%s/clean.snapshot",
             world.folder);
    save_token(&world, TOKEN "\n");
    *state = &world;
    while (!start_at(&world, console)) {
        console = (uint16_t)(console + 2);
        if (console > PORT_LAST)
            return -1;
    }
    return 0;
}

static int switch_off(void **state)
{
    struct world *world = *state;

    phone_stop(world->phone);
    unlink(world->token);
    unlink(world->snapshot);
    return rmdir(world->folder);
}

static void save_clean(const struct world *world)
{
    struct err err = ERR_INIT;

    if (!phone_save(world->phone, world->snapshot, &err))
        fail_msg("%s", err.text);
}

/* ---- leases, as in a run ---- */

static void expect_printed(struct device *device, const char *command,
                           const char *printed)
{
    struct shell_result result;
    struct err err = ERR_INIT;

    if (!shell_run(device, command, 1 << 16, SOON, &result, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&result.out), printed);
    shell_result_release(&result);
}

static struct device_lease *lease_of(const struct world *world,
                                     struct device_source **source)
{
    static const struct discover discover = {.emulators = true};
    const char *serial = world->serial;
    struct device_lease *lease = NULL;
    struct err err = ERR_INIT;

    *source = device_source_adb(&discover, &serial, 1);
    if (!(*source)->ops->acquire(*source, serial, SOON, &lease, &err))
        fail_msg("%s", err.text);
    return lease;
}

static void emulator_loads_the_snapshot_of_the_task(void **state)
{
    const struct world *world = *state;
    struct device_source *source;
    struct device_lease *lease = lease_of(world, &source);
    struct err err = ERR_INIT;

    expect_printed(lease->device, "settings put system x before", "");
    save_clean(world);
    expect_printed(lease->device, "settings put system x after", "");
    if (!source->ops->refresh(source, lease, "clean", "en", SOON, &err))
        fail_msg("%s", err.text);
    expect_printed(lease->device, "settings get system x", "before\n");
    source->ops->release(source, lease);
    source->ops->close(source);
}

static void snapshots_are_found_by_their_whole_names(void **state)
{
    const struct world *world = *state;
    struct emulator console = {.token = world->token};
    static const struct {
        const char *name;
        bool has;
    } cases[] = {
        {"clean", true},
        {"clea", false},
        {"cleaner", false},
        {"TAG", false},
    };
    struct err err = ERR_INIT;

    assert_true(emulator_console(world->serial, &console.console));
    save_clean(world);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        bool has = !cases[i].has;

        if (!emulator_has_snapshot(&console, cases[i].name, SOON, &has, &err))
            fail_msg("%s", err.text);
        assert_int_equal(has, cases[i].has);
    }
}

static void an_emulator_is_not_touched_where_the_snapshot_is_missing(
    void **state)
{
    const struct world *world = *state;
    struct device_source *source;
    struct device_lease *lease = lease_of(world, &source);
    struct err err = ERR_INIT;

    assert_false(source->ops->refresh(source, lease, "gone", NULL, SOON, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "there is no snapshot \"gone\""));
    assert_false(source->ops->refresh(source, lease, NULL, NULL, SOON, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    expect_printed(lease->device, "echo here", "here\n");
    source->ops->release(source, lease);
    source->ops->close(source);
}

static void other_phones_have_no_snapshots(void **state)
{
    static const char *const serials[] = {"127.0.0.1:5555", "R58M123", "usb:1"};
    uint16_t port = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(serials); i++)
        assert_false(emulator_console(serials[i], &port));
    assert_true(emulator_console("emulator-5554", &port));
    assert_int_equal(port, 5554);
}

/* ---- the token ---- */

static bool load(const struct world *world, const char *name, struct err *err)
{
    const struct emulator emulator = {
        .console = phone_console_port(world->phone), .token = world->token};

    return emulator_load_snapshot(&emulator, name, SOON, err);
}

static void a_wrong_token_loads_nothing(void **state)
{
    const struct world *world = *state;
    struct err err = ERR_INIT;

    save_clean(world);
    save_token(world, "another\n");
    assert_false(load(world, "clean", &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    unlink(world->token);
    assert_false(load(world, "clean", &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    save_token(world, TOKEN);
    if (!load(world, "clean", &err))
        fail_msg("%s", err.text);
}

static void snapshot_name_must_be_one_word(void **state)
{
    static const char *const names[] = {"", "a b", "a\nkill", "a\r\nkill",
                                        "a\tb"};
    const struct world *world = *state;
    struct err err = ERR_INIT;

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_false(load(world, names[i], &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
}

/* ---- other servers ---- */

/* Send it, read a line of the client if there is one, and disconnect. */
static void babble(int fd, void *context)
{
    const char *words = context;
    char received[512];

    if (send_all(fd, words, strlen(words)))
        (void)!read(fd, received, sizeof(received));
    close(fd);
}

static void expect_failure(const char *words, enum err_code code,
                           const char *part)
{
    struct tcp_listener *listener =
        tcp_listener_start(0, babble, (void *)(uintptr_t)words);
    const struct emulator emulator = {.console = tcp_listener_port(listener),
                                      .token = "/nowhere"};
    struct err err = ERR_INIT;

    assert_false(emulator_load_snapshot(&emulator, "a", SOON, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, part))
        fail_msg("%s", err.text);
    tcp_listener_stop(listener);
}

static void server_that_is_no_console_is_reported(void **state)
{
    static char flood[100000];

    (void)state;
    memset(flood, 'x', sizeof(flood) - 1);
    expect_failure(flood, ERR_PROTOCOL, "not an emulator's console");
    expect_failure("OK\r\n", ERR_PROTOCOL, "closed the connection");
    expect_failure("Not OK\r\nOK\r\nKO: \033[2Jno\r\n", ERR_REMOTE,
                   "says: ?[2Jno");
    expect_failure("Android Console: Authentication required\r\nOK\r\n",
                   ERR_UNAUTHORIZED, "/nowhere");
}

static void silent_console_times_out(void **state)
{
    static char nothing[] = "";
    struct tcp_listener *listener = tcp_listener_start(0, babble, nothing);
    const struct emulator emulator = {.console = tcp_listener_port(listener),
                                      .token = "/nowhere"};
    struct err err = ERR_INIT;

    (void)state;
    assert_false(
        emulator_load_snapshot(&emulator, "a", deadline_in_ms(50), &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    tcp_listener_stop(listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emulator_loads_the_snapshot_of_the_task),
        cmocka_unit_test(
            an_emulator_is_not_touched_where_the_snapshot_is_missing),
        cmocka_unit_test(snapshots_are_found_by_their_whole_names),
        cmocka_unit_test(other_phones_have_no_snapshots),
        cmocka_unit_test(a_wrong_token_loads_nothing),
        cmocka_unit_test(snapshot_name_must_be_one_word),
        cmocka_unit_test(server_that_is_no_console_is_reported),
        cmocka_unit_test(silent_console_times_out),
    };

    return cmocka_run_group_tests_name("emulator", tests, switch_on,
                                       switch_off);
}
