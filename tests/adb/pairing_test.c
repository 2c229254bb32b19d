#include "adb/pairing.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/pairing_cipher.h"
#include "adb/pairing_frame.h"
#include "adb/spake2.h"
#include "adb/tcp.h"
#include "adb/tls.h"
#include "tests/support/test_key.h"

#define SOON deadline_in_ms(60000)
#define CODE "592781"
#define GUID "adb-1A2B3C4D-xYzAbC"
#define INFO_SIZE 8192

/* A computer, a phone, and somebody else. */
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

/* ---- both sides as they should be ---- */

struct phone {
    const struct fixture *fixture;
    struct transport *transport;
    const char *code;
    const char *guid;
    struct buf line;
    bool paired;
    struct err err;
    pthread_t thread;
};

static void *phone_main(void *context)
{
    struct phone *phone = context;

    phone->paired =
        pairing_device(phone->transport, phone->code, phone->fixture->phone,
                       phone->guid, SOON, &phone->line, &phone->err);
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

static void the_right_code_tells_each_who_the_other_is(void **state)
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

static void a_code_of_no_or_too_many_letters_is_none(void **state)
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

/* ---- somebody in between, who has no key of either ---- */

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

static void somebody_in_between_does_not_get_through(void **state)
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

/* ---- phones that break the rules ---- */

enum malice {
    HANG_UP_AT_ONCE,
    ANOTHER_VERSION,
    ANOTHER_LENGTH,
    NO_POINT,
    OUR_POINT_BACK,
    SPAKE2_TWICE,
    OUR_INFO_BACK,
    FRAME_OF_BEFORE,
    HANG_UP_BEFORE_INFO,
    ENDLESS_GUID,
};

struct villain {
    const struct fixture *fixture;
    enum malice malice;
    struct transport *transport;
    struct pairing_cipher cipher;
    uint8_t
        frame[PAIRING_FRAME_HEADER_SIZE + INFO_SIZE + PAIRING_CIPHER_TAG_SIZE];
    pthread_t thread;
};

static void say(struct villain *villain, uint8_t version, uint8_t kind,
                uint32_t length, const void *payload, size_t size)
{
    const struct pairing_frame frame = {.kind = PAIRING_SPAKE2,
                                        .length = length};
    uint8_t header[PAIRING_FRAME_HEADER_SIZE];
    struct err err;

    pairing_frame_encode(&frame, header);
    header[0] = version;
    header[1] = kind;
    if (!transport_write_all(villain->transport, header, sizeof(header), SOON,
                             &err) ||
        !transport_write_all(villain->transport, payload, size, SOON, &err))
        printf("the host hung up first: %s\n", err.text);
}

/* One frame of the host's, whose payload has size bytes. */
static bool hear(struct villain *villain, size_t size)
{
    struct err err;

    return transport_read_exact(villain->transport, villain->frame,
                                PAIRING_FRAME_HEADER_SIZE + size, SOON, &err);
}

static void start_spake2(struct villain *villain, struct spake2 *spake2)
{
    static const struct spake2_names names = {"adb pair client", 16,
                                              "adb pair server", 16};
    uint8_t password[6 + 64] = CODE;
    struct err err;

    assert_true(tls_export(villain->transport, "adb-label", 10, password + 6,
                           64, &err));
    assert_true(spake2_init(spake2, SPAKE2_BOB, &names, password,
                            sizeof(password), &err));
}

/* Become as trusted as anybody who knows the code. */
static void exchange_points(struct villain *villain)
{
    uint8_t secret[SPAKE2_KEY_SIZE];
    struct spake2 spake2;
    struct err err;

    start_spake2(villain, &spake2);
    say(villain, 1, PAIRING_SPAKE2, 32, spake2.message, 32);
    assert_true(hear(villain, 32));
    assert_true(spake2_finish(
        &spake2, villain->frame + PAIRING_FRAME_HEADER_SIZE, secret, &err));
    assert_true(pairing_cipher_init(&villain->cipher, secret, &err));
}

static void misuse_the_point(struct villain *villain)
{
    static const uint8_t no_point[32] = {2};
    static const uint8_t some[32] = {0x58, 0x66, 0x66};

    if (villain->malice == ANOTHER_VERSION)
        say(villain, 2, PAIRING_SPAKE2, 32, some, 32);
    else if (villain->malice == ANOTHER_LENGTH)
        say(villain, 1, PAIRING_SPAKE2, 0xffffffff, some, 32);
    else if (villain->malice == NO_POINT)
        say(villain, 1, PAIRING_SPAKE2, 32, no_point, 32);
    else if (villain->malice == OUR_POINT_BACK && hear(villain, 32))
        say(villain, 1, PAIRING_SPAKE2, 32,
            villain->frame + PAIRING_FRAME_HEADER_SIZE, 32);
}

/* A GUID that fills all there is, sealed count times: the last is sent. */
static void say_guid(struct villain *villain, int count)
{
    static uint8_t info[INFO_SIZE];
    struct err err;

    memset(info, 'a', sizeof(info));
    info[0] = 1;
    for (int i = 0; i < count; i++)
        assert_true(pairing_cipher_seal(&villain->cipher, info, sizeof(info),
                                        villain->frame, &err));
    say(villain, 1, PAIRING_PEER_INFO, INFO_SIZE + 16, villain->frame,
        INFO_SIZE + 16);
}

static void misuse_the_info(struct villain *villain)
{
    exchange_points(villain);
    if (villain->malice == SPAKE2_TWICE)
        say(villain, 1, PAIRING_SPAKE2, 32, villain->frame, 32);
    else if (villain->malice == OUR_INFO_BACK && hear(villain, INFO_SIZE + 16))
        say(villain, 1, PAIRING_PEER_INFO, INFO_SIZE + 16,
            villain->frame + PAIRING_FRAME_HEADER_SIZE, INFO_SIZE + 16);
    else if (villain->malice == ENDLESS_GUID)
        say_guid(villain, 1);
    else if (villain->malice == FRAME_OF_BEFORE)
        say_guid(villain, 2);
}

static void *villain_main(void *context)
{
    struct villain *villain = context;
    struct err err;

    assert_true(tls_accept(villain->transport, NULL, 0, villain->fixture->other,
                           NULL, SOON, &villain->transport, &err));
    if (villain->malice < SPAKE2_TWICE)
        misuse_the_point(villain);
    else
        misuse_the_info(villain);
    /* Stay until the host has seen enough, or there is nothing to see. */
    while (villain->malice != HANG_UP_AT_ONCE &&
           villain->malice != HANG_UP_BEFORE_INFO && hear(villain, 0))
        ;
    transport_close(villain->transport);
    return NULL;
}

static void a_peer_that_breaks_the_rules_is_told_apart(void **state)
{
    static const struct {
        enum malice malice;
        enum err_code code;
        const char *why;
    } cases[] = {
        {HANG_UP_AT_ONCE, ERR_LOST, "pairing"},
        {ANOTHER_VERSION, ERR_PROTOCOL, "version 2"},
        {ANOTHER_LENGTH, ERR_PROTOCOL, "announced 4294967295 bytes"},
        {NO_POINT, ERR_PROTOCOL, "no point of the curve"},
        {OUR_POINT_BACK, ERR_PROTOCOL, "our own message"},
        {SPAKE2_TWICE, ERR_PROTOCOL, "kind 0 where 1 is due"},
        {OUR_INFO_BACK, ERR_PROTOCOL, "of kind 0 of itself"},
        {FRAME_OF_BEFORE, ERR_UNAUTHORIZED, "wrong code"},
        {HANG_UP_BEFORE_INFO, ERR_UNAUTHORIZED, "hung up"},
        {ENDLESS_GUID, ERR_PROTOCOL, "no end"},
    };
    const struct fixture *fixture = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct villain villain = {.fixture = fixture,
                                  .malice = cases[i].malice};
        char guid[PAIRING_GUID_SIZE];
        struct transport *host;
        struct err err = ERR_INIT;

        make_pipe(&host, &villain.transport);
        assert_int_equal(
            pthread_create(&villain.thread, NULL, villain_main, &villain), 0);
        assert_false(
            pairing_host(host, CODE, &fixture->keys, SOON, guid, &err));
        pthread_join(villain.thread, NULL);
        if (err.code != cases[i].code || !strstr(err.text, cases[i].why))
            fail_msg("case %zu: %s", i, err.text);
    }
}

/* ---- a phone that is slow to listen ---- */

static void *slow_main(void *context)
{
    struct villain *slow = context;
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
    usleep(50000);
    assert_true(hear(slow, INFO_SIZE + 16));
    transport_close(slow->transport);
    return NULL;
}

static void all_that_is_said_arrives_before_hanging_up(void **state)
{
    const struct fixture *fixture = *state;
    struct villain slow = {.fixture = fixture};
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
        cmocka_unit_test(the_right_code_tells_each_who_the_other_is),
        cmocka_unit_test(a_wrong_code_is_named_on_both_sides),
        cmocka_unit_test(a_code_of_no_or_too_many_letters_is_none),
        cmocka_unit_test(somebody_in_between_does_not_get_through),
        cmocka_unit_test(a_peer_that_breaks_the_rules_is_told_apart),
        cmocka_unit_test(all_that_is_said_arrives_before_hanging_up),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
