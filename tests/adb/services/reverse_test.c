#include "adb/services/reverse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/services/local_endpoint.h"
#include "adb/services/pump.h"
#include "base/macros.h"
#include "tests/support/adb/loopback_device.h"

#define SOON deadline_in_ms(60000)
#define CLIENTS 16

/* A server on this computer that sends a greeting to every client. */
struct greeter {
    struct local_endpoint endpoint;
    int listener;
    char local[32];   /* the endpoint as text */
    char request[96]; /* the registration at the device */
};

static void greeter_start(struct greeter *greeter)
{
    struct err err;

    assert_true(local_endpoint_parse("tcp:0", &greeter->endpoint, &err));
    assert_true(
        local_endpoint_listen(&greeter->endpoint, &greeter->listener, &err));
    snprintf(greeter->local, sizeof(greeter->local), "tcp:%u",
             (unsigned)greeter->endpoint.port);
    snprintf(greeter->request, sizeof(greeter->request),
             "reverse:forward:tcp:0;%s", greeter->local);
}

static void greeter_stop(struct greeter *greeter)
{
    local_endpoint_unlisten(&greeter->endpoint, greeter->listener);
}

struct fixture {
    struct greeter greeter;
    struct loopback_answer answers[7];
    struct loopback_device *loop;
    struct device *device;
    struct reverse *reverse;
};

static int setup(void **state)
{
    static struct fixture fixture;
    const struct loopback_answer answers[] = {
        LOOPBACK_SAYS(fixture.greeter.request, "OKAY00045555"),
        LOOPBACK_SAYS("reverse:forward:norebind:tcp:1;tcp:2",
                      "FAIL0013cannot rebind: busy"),
        LOOPBACK_SAYS("reverse:forward:tcp:1;tcp:2", "OKAY"),
        LOOPBACK_SAYS("reverse:killforward:tcp:1", "OKAY"),
        LOOPBACK_SAYS("reverse:killforward:tcp:9", "FAIL0009not found"),
        LOOPBACK_SAYS("reverse:killforward-all", "OKAY"),
        LOOPBACK_SAYS("reverse:list-forward",
                      "0036host-1 tcp:5 tcp:6\nnonsense\n"
                      "x localabstract:\x1b[ tcp:7\n\n"),
    };
    struct loopback_device_options options = {.features = conn_host_features};
    struct err err;

    greeter_start(&fixture.greeter);
    memcpy(fixture.answers, answers, sizeof(answers));
    options.answers = fixture.answers;
    options.answer_count = ARRAY_LEN(fixture.answers);
    fixture.device = loopback_device_phone(&options, &fixture.loop);
    *state = &fixture;
    return !reverse_start(fixture.device, NULL, &fixture.reverse, &err);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    reverse_stop(fixture->reverse);
    device_close(fixture->device);
    loopback_device_stop(fixture->loop);
    greeter_stop(&fixture->greeter);
    return 0;
}

/* Let the device open spec on the host; returns what it received. */
static void device_opens(struct fixture *fixture, const char *spec,
                         struct stream **stream)
{
    struct err err = ERR_INIT;
    char service[96];

    snprintf(service, sizeof(service), "open:%s", spec);
    if (!device_open_service(fixture->device, service, SOON, stream, &err))
        fail_msg("%s", err.text);
}

static void assert_refused(struct fixture *fixture, const char *spec)
{
    struct buf received = BUF_INIT(64);
    struct stream *stream;
    struct err err = ERR_INIT;

    device_opens(fixture, spec, &stream);
    assert_true(stream_read_all(stream, SOON, &received, &err));
    assert_string_equal(buf_cstr(&received), "refused");
    stream_close(stream);
    buf_release(&received);
}

static void add_greeter(struct fixture *fixture)
{
    struct err err = ERR_INIT;
    uint16_t port;

    if (!reverse_add(fixture->reverse, "tcp:0", fixture->greeter.local, true,
                     SOON, &port, &err))
        fail_msg("%s", err.text);
    assert_int_equal(port, 5555);
}

/* A client on the device is greeted by the server, which then ends. */
static void greet(struct fixture *fixture)
{
    struct buf received = BUF_INIT(64);
    struct stream *stream;
    struct err err = ERR_INIT;
    int fd;

    device_opens(fixture, fixture->greeter.local, &stream);
    do {
        fd = accept(fixture->greeter.listener, NULL, NULL);
    } while (fd < 0);
    assert_int_equal(send(fd, "hello", 5, 0), 5);
    close(fd);
    assert_true(stream_read_all(stream, SOON, &received, &err));
    assert_string_equal(buf_cstr(&received), "hello");
    stream_close(stream);
    buf_release(&received);
}

static void a_registered_target_is_reached(void **state)
{
    struct fixture *fixture = *state;

    add_greeter(fixture);
    greet(fixture);
}

/* A client of a forward would have PUMP_LINGER_MS for an answer each time. */
static void the_end_of_a_server_is_passed_on_at_once(void **state)
{
    struct fixture *fixture = *state;
    int64_t began_ns = clock_ns();

    add_greeter(fixture);
    for (int i = 0; i < CLIENTS; i++)
        greet(fixture);
    assert_true((clock_ns() - began_ns) / 1000000 <
                CLIENTS * PUMP_LINGER_MS / 2);
}

static void unregistered_target_is_not_opened(void **state)
{
    struct fixture *fixture = *state;
    char longer[64];

    assert_refused(fixture, fixture->greeter.local);
    add_greeter(fixture);
    snprintf(longer, sizeof(longer), "%s0", fixture->greeter.local);
    assert_refused(fixture, longer);
    assert_refused(fixture, "tcp:22");
    assert_refused(fixture, "tcp:5555");
    assert_refused(fixture, "localfilesystem:/run/secret");
    assert_refused(fixture, "shell:id");
}

static void removed_target_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    add_greeter(fixture);
    assert_true(reverse_remove_all(fixture->reverse, SOON, &err));
    assert_refused(fixture, fixture->greeter.local);
}

static void a_target_the_device_did_not_register_is_not_opened(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    assert_false(reverse_add(fixture->reverse, "tcp:1", "tcp:2", false, SOON,
                             NULL, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "cannot rebind: busy"));
    assert_refused(fixture, "tcp:2");
}

static void registered_target_without_a_listener_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    /* Nothing listens on port 2 of the loopback. */
    assert_true(reverse_add(fixture->reverse, "tcp:1", "tcp:2", true, SOON,
                            NULL, &err));
    assert_refused(fixture, "tcp:2");
}

static void removal_returns_the_devices_message(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    assert_true(reverse_remove(fixture->reverse, "tcp:1", SOON, &err));
    assert_false(reverse_remove(fixture->reverse, "tcp:9", SOON, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "not found"));
}

static void note_entry(void *context, const char *remote, const char *local)
{
    buf_printf(context, "%s>%s ", remote, local);
}

static void the_list_is_read_and_cleaned(void **state)
{
    struct fixture *fixture = *state;
    struct buf seen = BUF_INIT(256);
    struct err err = ERR_INIT;

    if (!reverse_list(fixture->device, note_entry, &seen, SOON, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&seen), "tcp:5>tcp:6 localabstract:?[>tcp:7 ");
    buf_release(&seen);
}

static void invalid_endpoints_are_refused_before_the_request(void **state)
{
    static const char *const pairs[][2] = {
        {"tcp:1", "tcp:0"},   {"tcp:1", "nonsense"},
        {"", "tcp:1"},        {"8080", "tcp:8080"},
        {"tcp:1;x", "tcp:2"}, {"tcp:1", "localabstract:a;b"},
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        struct err err = ERR_INIT;

        assert_false(reverse_add(fixture->reverse, pairs[i][0], pairs[i][1],
                                 true, SOON, NULL, &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
}

int main(void)
{
#define WITH_DEVICE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(a_registered_target_is_reached),
        WITH_DEVICE(the_end_of_a_server_is_passed_on_at_once),
        WITH_DEVICE(unregistered_target_is_not_opened),
        WITH_DEVICE(removed_target_is_refused),
        WITH_DEVICE(a_target_the_device_did_not_register_is_not_opened),
        WITH_DEVICE(registered_target_without_a_listener_is_refused),
        WITH_DEVICE(removal_returns_the_devices_message),
        WITH_DEVICE(the_list_is_read_and_cleaned),
        WITH_DEVICE(invalid_endpoints_are_refused_before_the_request),
    };

    return cmocka_run_group_tests_name("reverse", tests, NULL, NULL);
}
