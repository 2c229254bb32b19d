#include "adb/auth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/loop_device.h"
#include "tests/support/test_key.h"

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

/* The phone's owner, and what the prompt showed. */
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

/* Greet a phone with that gate, and use it if it lets us in. */
static bool visit(const struct auth_gate *gate,
                  const struct auth_credentials *credentials, struct err *err)
{
    const struct loop_device_options device_options = {
        .features = conn_host_features, .gate = gate};
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host", .features = conn_host_features},
        .credentials = credentials,
    };
    struct transport *transport;
    struct loop_device *device = loop_device_start(&device_options, &transport);
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
    loop_device_stop(device);
    return greeted;
}

static void a_known_key_is_let_in_without_a_prompt(void **state)
{
    struct fixture *fixture = *state;
    struct owner owner = {0};
    int waiting = 0;
    const struct keyring known = {{fixture->mine}, 1};
    const struct keyring keys = {{fixture->other, fixture->mine}, 2};
    const struct auth_gate gate = {.demand = AUTH_SIGNATURE,
                                   .known = &known,
                                   .ask = ask,
                                   .context = &owner};
    const struct auth_credentials credentials = {
        .keys = &keys, .waiting = count_waiting, .context = &waiting};
    struct err err;

    assert_true(visit(&gate, &credentials, &err));
    assert_int_equal(owner.asked, 0);
    assert_int_equal(waiting, 0);
}

static void an_owner_who_is_not_to_be_asked_is_not(void **state)
{
    struct fixture *fixture = *state;
    struct owner owner = {.accepts = true};
    const struct keyring known = {{fixture->other}, 1};
    const struct keyring keys = {{fixture->mine}, 1};
    const struct auth_gate gate = {.demand = AUTH_SIGNATURE,
                                   .known = &known,
                                   .ask = ask,
                                   .context = &owner};
    const struct auth_credentials credentials = {.keys = &keys,
                                                 .never_ask = true};
    struct err err;

    assert_false(visit(&gate, &credentials, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_int_equal(owner.asked, 0);
}

static void an_unknown_key_is_up_to_the_owner(void **state)
{
    struct fixture *fixture = *state;
    const struct keyring known = {{fixture->other}, 1};
    const struct keyring keys = {{fixture->mine}, 1};

    for (int accepts = 0; accepts < 2; accepts++) {
        struct owner owner = {.accepts = accepts};
        int waiting = 0;
        const struct auth_gate gate = {.demand = AUTH_SIGNATURE,
                                       .known = &known,
                                       .ask = ask,
                                       .context = &owner};
        const struct auth_credentials credentials = {
            .keys = &keys, .waiting = count_waiting, .context = &waiting};
        struct err err;

        assert_int_equal(visit(&gate, &credentials, &err), accepts);
        assert_int_equal(owner.asked, 1);
        assert_int_equal(waiting, 1);
    }
}

static void without_a_key_the_message_says_so(void **state)
{
    const struct auth_gate gate = {.demand = AUTH_SIGNATURE};
    struct err err;

    (void)state;
    assert_false(visit(&gate, NULL, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(err.text, "no key"));
}

static void tls_chooses_the_key_that_the_phone_knows(void **state)
{
    struct fixture *fixture = *state;
    const struct keyring known = {{fixture->mine}, 1};
    const struct keyring keys = {{fixture->other, fixture->mine}, 2};
    const struct auth_gate gate = {
        .demand = AUTH_TLS, .own = fixture->phone, .known = &known};
    const struct auth_credentials credentials = {.keys = &keys};
    struct err err = ERR_INIT;

    if (!visit(&gate, &credentials, &err))
        fail_msg("%s", err.text);
}

static void tls_with_an_unknown_key_says_to_pair(void **state)
{
    struct fixture *fixture = *state;
    const struct keyring known = {{fixture->mine}, 1};
    const struct keyring keys = {{fixture->other}, 1};
    const struct auth_gate gate = {
        .demand = AUTH_TLS, .own = fixture->phone, .known = &known};
    const struct auth_credentials credentials = {.keys = &keys};
    struct err err;

    assert_false(visit(&gate, &credentials, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(err.text, "pair"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_key_is_let_in_without_a_prompt),
        cmocka_unit_test(an_owner_who_is_not_to_be_asked_is_not),
        cmocka_unit_test(an_unknown_key_is_up_to_the_owner),
        cmocka_unit_test(without_a_key_the_message_says_so),
        cmocka_unit_test(tls_chooses_the_key_that_the_phone_knows),
        cmocka_unit_test(tls_with_an_unknown_key_says_to_pair),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
