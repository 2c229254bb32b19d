#include "adb/discover/mdns.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/adb/mdns_peer.h"

#define SECURE "._adb-tls-connect._tcp.local"
#define PAIRING "._adb-tls-pairing._tcp.local"

static const struct mdns_peer_service phones[] = {
    {"adb-1A2B-xYz" SECURE, "Android.local", "192.168.1.20", 38273},
    {"adb-1A2B-xYz" PAIRING, "Android.local", NULL, 41001},
    {"emulator"
     "._ADB._tcp.LOCAL",
     "here.local", "127.0.0.1", 5555},
    {"printer._ipp._tcp.local", "printer.local", "192.168.1.30", 631},
    {"nowhere" SECURE, "lost.local", NULL, 40000},
    {"portless" SECURE, "Android.local", NULL, 0},
};

static struct mdns_services take(const char *message, size_t size)
{
    static struct mdns_answers answers;
    struct mdns_services joined = {.count = 0};

    answers = (struct mdns_answers){.host_count = 0};
    mdns_take(&answers, message, size);
    mdns_join(&answers, &joined);
    return joined;
}

static struct mdns_services join(const struct mdns_peer_service *services,
                                 size_t count)
{
    struct buf message = BUF_INIT(65536);
    struct mdns_services joined;

    mdns_peer_answer(services, count, &message);
    joined = take(message.data, message.length);
    buf_release(&message);
    return joined;
}

static void only_phones_that_can_be_reached_are_found(void **state)
{
    struct mdns_services services = join(phones, ARRAY_LEN(phones));

    (void)state;
    assert_int_equal(services.count, 3);
    assert_int_equal(services.items[0].kind, MDNS_SECURE);
    assert_string_equal(services.items[0].instance, "adb-1A2B-xYz");
    assert_string_equal(services.items[0].host, "192.168.1.20");
    assert_int_equal(services.items[0].port, 38273);
    assert_int_equal(services.items[1].kind, MDNS_PAIRING);
    assert_string_equal(services.items[1].host, "192.168.1.20");
    assert_int_equal(services.items[1].port, 41001);
    assert_int_equal(services.items[2].kind, MDNS_PLAIN);
    assert_string_equal(services.items[2].instance, "emulator");
}

static void more_phones_than_fit_are_cut(void **state)
{
    struct mdns_peer_service crowd[2 * MDNS_MAX];
    char names[2 * MDNS_MAX][64];
    struct mdns_services services;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(crowd); i++) {
        snprintf(names[i], sizeof(names[i]), "adb-%zu" SECURE, i);
        crowd[i] = (struct mdns_peer_service){names[i], "a.local", "10.0.0.1",
                                              (uint16_t)(1000 + i)};
    }
    services = join(crowd, ARRAY_LEN(crowd));
    assert_int_equal(services.count, MDNS_MAX);
}

static void the_same_phone_twice_counts_once(void **state)
{
    const struct mdns_peer_service twice[] = {phones[0], phones[0]};

    (void)state;
    assert_int_equal(join(twice, 2).count, 1);
}

/* A separate copy, so that a read beyond its end is detected. */
static struct mdns_services take_part(const struct buf *message, size_t size)
{
    char *part = mem_new(size + 1, 1);
    struct mdns_services services;

    memmove(part + 1, message->data, size);
    services = take(part + 1, size);
    free(part);
    return services;
}

static void truncated_answer_gives_only_true_records(void **state)
{
    struct mdns_services whole = join(phones, ARRAY_LEN(phones));
    struct buf message = BUF_INIT(65536);

    (void)state;
    mdns_peer_answer(phones, ARRAY_LEN(phones), &message);
    for (size_t size = 0; size < message.length; size++) {
        struct mdns_services found = take_part(&message, size);

        assert_true(found.count <= whole.count);
        for (size_t i = 0; i < found.count; i++)
            assert_memory_equal(&found.items[i], &whole.items[i],
                                sizeof(found.items[i]));
    }
    buf_release(&message);
}

static void flipped_bit_gives_valid_records_or_none(void **state)
{
    struct buf message = BUF_INIT(65536);

    (void)state;
    mdns_peer_answer(phones, ARRAY_LEN(phones), &message);
    for (size_t bit = 0; bit < 8 * message.length; bit++) {
        const char flip = (char)(1 << bit % 8);
        struct mdns_services found;

        message.data[bit / 8] ^= flip;
        found = take_part(&message, message.length);
        message.data[bit / 8] ^= flip;
        assert_true(found.count <= ARRAY_LEN(phones));
        for (size_t i = 0; i < found.count; i++) {
            struct in_addr address;

            assert_true(found.items[i].kind < MDNS_KIND_COUNT);
            assert_int_not_equal(found.items[i].port, 0);
            assert_int_equal(inet_pton(AF_INET, found.items[i].host, &address),
                             1);
        }
    }
    buf_release(&message);
}

/* ---- over a socket ---- */

struct network {
    struct buf message;
    struct mdns_peer *peer;
    struct mdns mdns;
};

static void network_start(struct network *network,
                          const struct mdns_peer_service *services,
                          size_t count)
{
    *network = (struct network){.message = BUF_INIT(65536)};
    mdns_peer_answer(services, count, &network->message);
    network->peer = mdns_peer_start(&network->message);
    network->mdns.responder = mdns_peer_address(network->peer);
}

static void network_stop(struct network *network)
{
    mdns_peer_stop(network->peer);
    buf_release(&network->message);
}

static void browsing_collects_answers_until_the_deadline(void **state)
{
    struct mdns_services services = {.count = 99};
    struct network network;
    struct err err = ERR_INIT;

    (void)state;
    network_start(&network, phones, ARRAY_LEN(phones));
    if (!mdns_browse(&network.mdns, deadline_in_ms(5000), &services, &err))
        fail_msg("%s", err.text);
    network_stop(&network);
    assert_int_equal(services.count, 3);
}

static void find_requires_a_unique_match(void **state)
{
    const struct mdns_peer_service two[] = {
        {"one" PAIRING, "a.local", "10.0.0.1", 1},
        {"two" PAIRING, "a.local", NULL, 2},
    };
    struct mdns_service found;
    struct network network;
    struct err err;

    (void)state;
    network_start(&network, two, 2);
    assert_true(mdns_find(&network.mdns, MDNS_PAIRING, "two",
                          deadline_in_ms(60000), &found, &err));
    assert_int_equal(found.port, 2);
    assert_false(mdns_find(&network.mdns, MDNS_PAIRING, NULL,
                           deadline_in_ms(60000), &found, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(mdns_find(&network.mdns, MDNS_SECURE, NULL,
                           deadline_in_ms(300), &found, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    network_stop(&network);
}

static void interrupt_ends_browsing(void **state)
{
    struct mdns_services services;
    struct network network;
    struct cancel cancel;
    struct err err;

    (void)state;
    assert_true(cancel_init(&cancel, &err));
    network_start(&network, phones, 1);
    network.mdns.cancel = &cancel;
    cancel_fire(&cancel);
    assert_false(mdns_browse(&network.mdns, DEADLINE_NEVER, &services, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    network_stop(&network);
    cancel_release(&cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_phones_that_can_be_reached_are_found),
        cmocka_unit_test(more_phones_than_fit_are_cut),
        cmocka_unit_test(the_same_phone_twice_counts_once),
        cmocka_unit_test(truncated_answer_gives_only_true_records),
        cmocka_unit_test(flipped_bit_gives_valid_records_or_none),
        cmocka_unit_test(browsing_collects_answers_until_the_deadline),
        cmocka_unit_test(find_requires_a_unique_match),
        cmocka_unit_test(interrupt_ends_browsing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
