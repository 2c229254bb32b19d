#include "adb/trust/pairing.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "adb/trust/pairing_cipher.h"
#include "adb/trust/pairing_frame.h"
#include "adb/trust/spake2.h"
#include "adb/trust/tls.h"
#include "tests/support/adb/test_key.h"

#define SOON deadline_in_ms(60000)
#define CODE "592781"
#define GUID "adb-1A2B3C4D-xYzAbC"
#define INFO_SIZE 8192

/* A computer, a phone, and an attacker. */
struct fixture {
    struct key *phone;
    struct key *mine;
    struct key *other;
    struct keyring keys;
};

static int setup(void **state)
{
    static struct fixture fixture;
    struct err err;

    *state = &fixture;
    if (!test_key_read("phone", &fixture.phone, &err) ||
        !test_key_read("mine", &fixture.mine, &err) ||
        !test_key_read("other", &fixture.other, &err))
        return -1;
    fixture.keys = (struct keyring){{fixture.mine}, 1};
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    key_close(fixture->phone);
    key_close(fixture->mine);
    key_close(fixture->other);
    return 0;
}

static void make_pipe(struct transport **one, struct transport **other)
{
    int ends[2];
    struct err err;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    assert_true(tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, one, &err));
    assert_true(
        tcp_wrap(ends[1], (struct tcp_keepalive){0}, NULL, other, &err));
}

/* ---- both sides as specified ---- */

struct phone {
    const struct fixture *fixture;
    struct transport *transport;
    const char *code;
    const char *guid;
    struct buf line;
    atomic_bool stored;
    bool paired;
    struct err err;
    pthread_t thread;
};

/* Slowly: the host must not get its answer earlier. */
static void store_line(void *context, const char *line)
{
    struct phone *phone = context;

    usleep(20000);
    buf_text(&phone->line, line);
    atomic_store(&phone->stored, true);
}

static void *phone_main(void *context)
{
    struct phone *phone = context;

    phone->paired =
        pairing_device(phone->transport, phone->code, phone->fixture->phone,
                       phone->guid, SOON, store_line, phone, &phone->err);
    return NULL;
}

static void phone_start(struct phone *phone, const struct fixture *fixture,
                        const char *code, struct transport **host)
{
    *phone = (struct phone){.fixture = fixture,
                            .code = code,
                            .guid = GUID,
                            .line = BUF_INIT(INFO_SIZE)};
    make_pipe(host, &phone->transport);
    assert_int_equal(pthread_create(&phone->thread, NULL, phone_main, phone),
                     0);
}

static void phone_stop(struct phone *phone)
{
    pthread_join(phone->thread, NULL);
}

static void right_code_exchanges_the_identities(void **state)
{
    const struct fixture *fixture = *state;
    struct buf line = BUF_INIT(INFO_SIZE);
    char guid[PAIRING_GUID_SIZE];
    struct transport *host;
    struct phone phone;
    struct err err = ERR_INIT;

    phone_start(&phone, fixture, CODE, &host);
    if (!pairing_host(host, CODE, &fixture->keys, SOON, guid, &err))
        fail_msg("%s", err.text);
    assert_true(atomic_load(&phone.stored)); /* it may connect at once */
    phone_stop(&phone);
    assert_true(phone.paired);
    assert_string_equal(guid, GUID);
    assert_true(key_public_text(fixture->mine, &line, &err));
    assert_string_equal(buf_cstr(&phone.line), buf_cstr(&line));
    buf_release(&line);
    buf_release(&phone.line);
}

static void a_wrong_code_is_named_on_both_sides(void **state)
{
    const struct fixture *fixture = *state;
    char guid[PAIRING_GUID_SIZE];
    struct transport *host;
    struct phone phone;
    struct err err = ERR_INIT;

    phone_start(&phone, fixture, CODE, &host);
    assert_false(
        pairing_host(host, "592782", &fixture->keys, SOON, guid, &err));
    phone_stop(&phone);
    assert_false(phone.paired);
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(err.text, "wrong code"));
    assert_int_equal(phone.err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(phone.err.text, "wrong code"));
    assert_int_equal(phone.line.length, 0);
}

static void empty_or_too_long_code_is_refused(void **state)
{
    static const char long_code[] = "12345678901234567890123456789012345678901"
                                    "234567890123456789012345";
    const char *const codes[] = {"", long_code};
    const struct fixture *fixture = *state;
    char guid[PAIRING_GUID_SIZE];

    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        struct transport *host;
        struct phone phone;
        struct err err = ERR_INIT;

        phone_start(&phone, fixture, CODE, &host);
        assert_false(
            pairing_host(host, codes[i], &fixture->keys, SOON, guid, &err));
        phone_stop(&phone);
        assert_int_equal(err.code, ERR_INVALID);
        assert_int_equal(phone.err.code, ERR_LOST);
    }
}

/* ---- an attacker in the middle, without either key ---- */

struct relay {
    struct transport *from;
    struct transport *to;
};

static void *relay_main(void *context)
{
    const struct relay *relay = context;
    char data[4096];
    struct err err;
    size_t got;

    while (
        relay->from->ops->read(relay->from, data, sizeof(data), &got, &err)) {
        if (got ? !transport_write_all(relay->to, data, got, SOON, &err)
                : !relay->from->ops->wait(relay->from, TRANSPORT_READ, SOON,
                                          &err))
            break;
    }
    relay->to->ops->shut(relay->to);
    return NULL;
}

struct middle {
    const struct key *own;
    struct transport *to_host;
    struct transport *to_phone;
    pthread_t thread;
};

static void *middle_main(void *context)
{
    struct middle *middle = context;
    struct keyring keys = {{(struct key *)(uintptr_t)middle->own}, 1};
    struct relay there = {0};
    struct relay back = {0};
    struct err err = ERR_INIT;
    pthread_t thread;

    assert_true(tls_accept(middle->to_host, NULL, 0, middle->own, NULL, SOON,
                           &there.from, &err));
    assert_true(tls_connect(middle->to_phone, &keys, SOON, &there.to, &err));
    back = (struct relay){.from = there.to, .to = there.from};
    assert_int_equal(pthread_create(&thread, NULL, relay_main, &back), 0);
    relay_main(&there);
    pthread_join(thread, NULL);
    transport_close(there.from);
    transport_close(there.to);
    return NULL;
}

static void attacker_in_the_middle_fails(void **state)
{
    const struct fixture *fixture = *state;
    struct middle middle = {.own = fixture->other};
    char guid[PAIRING_GUID_SIZE];
    struct transport *host;
    struct phone phone;
    struct err err = ERR_INIT;

    phone_start(&phone, fixture, CODE, &middle.to_phone);
    make_pipe(&host, &middle.to_host);
    assert_int_equal(pthread_create(&middle.thread, NULL, middle_main, &middle),
                     0);
    assert_false(pairing_host(host, CODE, &fixture->keys, SOON, guid, &err));
    phone_stop(&phone);
    pthread_join(middle.thread, NULL);
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_int_equal(phone.err.code, ERR_UNAUTHORIZED);
}

/* ---- phones that violate the protocol ---- */

enum attack {
    CLOSE_AT_ONCE,
    ANOTHER_VERSION,
    ANOTHER_LENGTH,
    NO_POINT,
    OUR_POINT_BACK,
    SPAKE2_TWICE,
    OUR_INFO_BACK,
    FRAME_OF_BEFORE,
    CLOSE_BEFORE_INFO,
    ENDLESS_GUID,
};

struct attacker {
    const struct fixture *fixture;
    enum attack attack;
    struct transport *transport;
    struct pairing_cipher cipher;
    uint8_t
        frame[PAIRING_FRAME_HEADER_SIZE + INFO_SIZE + PAIRING_CIPHER_TAG_SIZE];
    pthread_t thread;
};

static void say(struct attacker *attacker, uint8_t version, uint8_t kind,
                uint32_t length, const void *payload, size_t size)
{
    const struct pairing_frame frame = {.kind = PAIRING_SPAKE2,
                                        .length = length};
    uint8_t header[PAIRING_FRAME_HEADER_SIZE];
    struct err err;

    pairing_frame_encode(&frame, header);
    header[0] = version;
    header[1] = kind;
    if (!transport_write_all(attacker->transport, header, sizeof(header), SOON,
                             &err) ||
        !transport_write_all(attacker->transport, payload, size, SOON, &err))
        printf("the host disconnected first: %s\n", err.text);
}

/* One frame of the host, whose payload has size bytes. */
static bool receive(struct attacker *attacker, size_t size)
{
    struct err err;

    return transport_read_exact(attacker->transport, attacker->frame,
                                PAIRING_FRAME_HEADER_SIZE + size, SOON, &err);
}

static void start_spake2(struct attacker *attacker, struct spake2 *spake2)
{
    static const struct spake2_names names = {"adb pair client", 16,
                                              "adb pair server", 16};
    uint8_t password[6 + 64] = CODE;
    struct err err;

    assert_true(tls_export(attacker->transport, "adb-label", 10, password + 6,
                           64, &err));
    assert_true(spake2_init(spake2, SPAKE2_BOB, &names, password,
                            sizeof(password), &err));
}

/* Complete the key exchange, as any side that knows the code. */
static void exchange_points(struct attacker *attacker)
{
    uint8_t secret[SPAKE2_KEY_SIZE];
    struct spake2 spake2;
    struct err err;

    start_spake2(attacker, &spake2);
    say(attacker, 1, PAIRING_SPAKE2, 32, spake2.message, 32);
    assert_true(receive(attacker, 32));
    assert_true(spake2_finish(
        &spake2, attacker->frame + PAIRING_FRAME_HEADER_SIZE, secret, &err));
    assert_true(pairing_cipher_init(&attacker->cipher, secret, &err));
}

static void misuse_the_point(struct attacker *attacker)
{
    static const uint8_t no_point[32] = {2};
    static const uint8_t some[32] = {0x58, 0x66, 0x66};

    if (attacker->attack == ANOTHER_VERSION)
        say(attacker, 2, PAIRING_SPAKE2, 32, some, 32);
    else if (attacker->attack == ANOTHER_LENGTH)
        say(attacker, 1, PAIRING_SPAKE2, 0xffffffff, some, 32);
    else if (attacker->attack == NO_POINT)
        say(attacker, 1, PAIRING_SPAKE2, 32, no_point, 32);
    else if (attacker->attack == OUR_POINT_BACK && receive(attacker, 32))
        say(attacker, 1, PAIRING_SPAKE2, 32,
            attacker->frame + PAIRING_FRAME_HEADER_SIZE, 32);
}

/* A GUID that fills its field, sealed count times: the last is sent. */
static void say_guid(struct attacker *attacker, int count)
{
    static uint8_t info[INFO_SIZE];
    struct err err;

    memset(info, 'a', sizeof(info));
    info[0] = 1;
    for (int i = 0; i < count; i++)
        assert_true(pairing_cipher_seal(&attacker->cipher, info, sizeof(info),
                                        attacker->frame, &err));
    say(attacker, 1, PAIRING_PEER_INFO, INFO_SIZE + 16, attacker->frame,
        INFO_SIZE + 16);
}

static void misuse_the_info(struct attacker *attacker)
{
    exchange_points(attacker);
    if (attacker->attack == SPAKE2_TWICE)
        say(attacker, 1, PAIRING_SPAKE2, 32, attacker->frame, 32);
    else if (attacker->attack == OUR_INFO_BACK &&
             receive(attacker, INFO_SIZE + 16))
        say(attacker, 1, PAIRING_PEER_INFO, INFO_SIZE + 16,
            attacker->frame + PAIRING_FRAME_HEADER_SIZE, INFO_SIZE + 16);
    else if (attacker->attack == ENDLESS_GUID)
        say_guid(attacker, 1);
    else if (attacker->attack == FRAME_OF_BEFORE)
        say_guid(attacker, 2);
}

static void *villain_main(void *context)
{
    struct attacker *attacker = context;
    struct err err;

    assert_true(tls_accept(attacker->transport, NULL, 0,
                           attacker->fixture->other, NULL, SOON,
                           &attacker->transport, &err));
    if (attacker->attack < SPAKE2_TWICE)
        misuse_the_point(attacker);
    else
        misuse_the_info(attacker);
    /* Stay connected until the host has read enough. */
    while (attacker->attack != CLOSE_AT_ONCE &&
           attacker->attack != CLOSE_BEFORE_INFO && receive(attacker, 0))
        ;
    transport_close(attacker->transport);
    return NULL;
}

static void protocol_violations_are_reported(void **state)
{
    static const struct {
        enum attack attack;
        enum err_code code;
        const char *why;
    } cases[] = {
        {CLOSE_AT_ONCE, ERR_LOST, "pairing"},
        {ANOTHER_VERSION, ERR_PROTOCOL, "version 2"},
        {ANOTHER_LENGTH, ERR_PROTOCOL, "announced 4294967295 bytes"},
        {NO_POINT, ERR_PROTOCOL, "not a point on the curve"},
        {OUR_POINT_BACK, ERR_PROTOCOL, "our own message"},
        {SPAKE2_TWICE, ERR_PROTOCOL, "kind 0 instead of 1"},
        {OUR_INFO_BACK, ERR_PROTOCOL, "information of kind 0"},
        {FRAME_OF_BEFORE, ERR_UNAUTHORIZED, "wrong code"},
        {CLOSE_BEFORE_INFO, ERR_UNAUTHORIZED, "closed the connection"},
        {ENDLESS_GUID, ERR_PROTOCOL, "not terminated"},
    };
    const struct fixture *fixture = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct attacker attacker = {.fixture = fixture,
                                    .attack = cases[i].attack};
        char guid[PAIRING_GUID_SIZE];
        struct transport *host;
        struct err err = ERR_INIT;

        make_pipe(&host, &attacker.transport);
        assert_int_equal(
            pthread_create(&attacker.thread, NULL, villain_main, &attacker), 0);
        assert_false(
            pairing_host(host, CODE, &fixture->keys, SOON, guid, &err));
        pthread_join(attacker.thread, NULL);
        if (err.code != cases[i].code || !strstr(err.text, cases[i].why))
            fail_msg("case %zu: %s", i, err.text);
    }
}

/* ---- a phone that reads slowly ---- */

static void *slow_main(void *context)
{
    struct attacker *slow = context;
    struct err err;

    assert_true(tls_accept(slow->transport, NULL, 0, slow->fixture->other, NULL,
                           SOON, &slow->transport, &err));
    exchange_points(slow);
    memset(slow->frame, 0, INFO_SIZE);
    memcpy(slow->frame, "\1" GUID, sizeof("\1" GUID));
    assert_true(pairing_cipher_seal(&slow->cipher, slow->frame, INFO_SIZE,
                                    slow->frame, &err));
    say(slow, 1, PAIRING_PEER_INFO, INFO_SIZE + 16, slow->frame,
        INFO_SIZE + 16);
    usleep(50000); /* a host that does not wait would have closed by now */
    assert_true(receive(slow, INFO_SIZE + 16));
    transport_close(slow->transport);
    return NULL;
}

static void everything_sent_arrives_before_the_close(void **state)
{
    const struct fixture *fixture = *state;
    struct attacker slow = {.fixture = fixture};
    const int least = 1;
    char guid[PAIRING_GUID_SIZE];
    struct transport *host;
    struct err err = ERR_INIT;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    assert_int_equal(
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &least, sizeof(least)), 0);
    assert_true(
        tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, &host, &err));
    assert_true(tcp_wrap(ends[1], (struct tcp_keepalive){0}, NULL,
                         &slow.transport, &err));
    assert_int_equal(pthread_create(&slow.thread, NULL, slow_main, &slow), 0);
    if (!pairing_host(host, CODE, &fixture->keys, SOON, guid, &err))
        fail_msg("%s", err.text);
    pthread_join(slow.thread, NULL);
    assert_string_equal(guid, GUID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_code_exchanges_the_identities),
        cmocka_unit_test(a_wrong_code_is_named_on_both_sides),
        cmocka_unit_test(empty_or_too_long_code_is_refused),
        cmocka_unit_test(attacker_in_the_middle_fails),
        cmocka_unit_test(protocol_violations_are_reported),
        cmocka_unit_test(everything_sent_arrives_before_the_close),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
