#include "adb/trust/auth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/adb/loopback_device.h"
#include "tests/support/adb/tcp_phone.h"
#include "tests/support/adb/test_key.h"

#define SOON deadline_in_ms(60000)

/* Two computers and a phone. */
struct fixture {
    struct key *phone;
    struct key *mine;
    struct key *other;
};

static int setup(void **state)
{
    static struct fixture fixture;
    struct err err;

    *state = &fixture;
    return test_key_read("phone", &fixture.phone, &err) &&
                   test_key_read("mine", &fixture.mine, &err) &&
                   test_key_read("other", &fixture.other, &err)
               ? 0
               : -1;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    key_close(fixture->phone);
    key_close(fixture->mine);
    key_close(fixture->other);
    return 0;
}

/* The phone's user, and the text of the prompt. */
struct owner {
    bool accepts;
    int asked;
};

static bool ask(void *context, const char *public_line)
{
    struct owner *owner = context;

    owner->asked += strlen(public_line) > 700;
    return owner->accepts;
}

static void count_waiting(void *context)
{
    int *count = context;

    ++*count;
}

/* Connect to a phone with that gate, and use it if it accepts us. */
static bool connect_and_use(const struct auth_policy *policy,
                            const struct auth_credentials *credentials,
                            struct err *err)
{
    const struct loopback_device_options device_options = {
        .features = conn_host_features, .policy = policy};
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host", .features = conn_host_features},
        .credentials = credentials,
    };
    struct transport *transport;
    struct loopback_device *device =
        loopback_device_start(&device_options, &transport);
    struct stream *stream;
    struct conn *conn;
    char text[5];
    bool greeted = conn_open(transport, &options, SOON, &conn, err);

    if (greeted) {
        assert_true(conn_open_stream(conn, "say:hello", SOON, &stream, err));
        assert_true(stream_read_exact(stream, text, 5, SOON, err));
        assert_memory_equal(text, "hello", 5);
        stream_close(stream);
        conn_close(conn);
    }
    loopback_device_stop(device);
    return greeted;
}

static void known_key_is_accepted_without_a_prompt(void **state)
{
    struct fixture *fixture = *state;
    struct owner owner = {0};
    int waiting = 0;
    const struct keyring known = {{fixture->mine}, 1};
    const struct keyring keys = {{fixture->other, fixture->mine}, 2};
    const struct auth_policy policy = {.demand = AUTH_SIGNATURE,
                                       .known = &known,
                                       .ask = ask,
                                       .context = &owner};
    const struct auth_credentials credentials = {
        .keys = &keys, .waiting = count_waiting, .context = &waiting};
    struct err err;

    assert_true(connect_and_use(&policy, &credentials, &err));
    assert_int_equal(owner.asked, 0);
    assert_int_equal(waiting, 0);
}

static void no_prompt_is_shown_when_disabled(void **state)
{
    struct fixture *fixture = *state;
    struct owner owner = {.accepts = true};
    const struct keyring known = {{fixture->other}, 1};
    const struct keyring keys = {{fixture->mine}, 1};
    const struct auth_policy policy = {.demand = AUTH_SIGNATURE,
                                       .known = &known,
                                       .ask = ask,
                                       .context = &owner};
    const struct auth_credentials credentials = {.keys = &keys,
                                                 .never_ask = true};
    struct err err;

    assert_false(connect_and_use(&policy, &credentials, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_int_equal(owner.asked, 0);
}

static void unknown_key_is_decided_by_the_user(void **state)
{
    struct fixture *fixture = *state;
    const struct keyring known = {{fixture->other}, 1};
    const struct keyring keys = {{fixture->mine}, 1};

    for (int accepts = 0; accepts < 2; accepts++) {
        struct owner owner = {.accepts = accepts};
        int waiting = 0;
        const struct auth_policy policy = {.demand = AUTH_SIGNATURE,
                                           .known = &known,
                                           .ask = ask,
                                           .context = &owner};
        const struct auth_credentials credentials = {
            .keys = &keys, .waiting = count_waiting, .context = &waiting};
        struct err err;

        assert_int_equal(connect_and_use(&policy, &credentials, &err), accepts);
        assert_int_equal(owner.asked, 1);
        assert_int_equal(waiting, 1);
    }
}

static void prompt_ends_at_the_time_limit(void **state)
{
    struct fixture *fixture = *state;
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_WANTS_KEY);
    const struct keyring keys = {{fixture->mine}, 1};
    const struct auth_credentials credentials = {
        .keys = &keys,
        .timeout_ms = (int64_t)3600 * 1000,
        .limit = deadline_in_ms(500),
    };
    const struct device_options options = {.credentials = &credentials};
    struct device *device = NULL;
    struct err err = ERR_INIT;

    assert_false(device_open_tcp("127.0.0.1", tcp_phone_port(phone), &options,
                                 SOON, &device, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    tcp_phone_stop(phone);
}

static void missing_key_is_reported(void **state)
{
    const struct auth_policy policy = {.demand = AUTH_SIGNATURE};
    struct err err;

    (void)state;
    assert_false(connect_and_use(&policy, NULL, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(err.text, "no key"));
}

static void tls_chooses_the_key_that_the_phone_knows(void **state)
{
    struct fixture *fixture = *state;
    const struct keyring known = {{fixture->mine}, 1};
    const struct keyring keys = {{fixture->other, fixture->mine}, 2};
    const struct auth_policy policy = {
        .demand = AUTH_TLS, .own = fixture->phone, .known = &known};
    const struct auth_credentials credentials = {.keys = &keys};
    struct err err = ERR_INIT;

    if (!connect_and_use(&policy, &credentials, &err))
        fail_msg("%s", err.text);
}

static void tls_with_an_unknown_key_is_reported_with_pairing(void **state)
{
    struct fixture *fixture = *state;
    const struct keyring known = {{fixture->mine}, 1};
    const struct keyring keys = {{fixture->other}, 1};
    const struct auth_policy policy = {
        .demand = AUTH_TLS, .own = fixture->phone, .known = &known};
    const struct auth_credentials credentials = {.keys = &keys};
    struct err err;

    assert_false(connect_and_use(&policy, &credentials, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(err.text, "pair"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_key_is_accepted_without_a_prompt),
        cmocka_unit_test(no_prompt_is_shown_when_disabled),
        cmocka_unit_test(unknown_key_is_decided_by_the_user),
        cmocka_unit_test(prompt_ends_at_the_time_limit),
        cmocka_unit_test(missing_key_is_reported),
        cmocka_unit_test(tls_chooses_the_key_that_the_phone_knows),
        cmocka_unit_test(tls_with_an_unknown_key_is_reported_with_pairing),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
