/*
 * Announcements of avahi, a real responder, over real multicast: see
 * tests/peers/with-avahi.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adb/discover/mdns.h"

static void both_services_are_found(void **state)
{
    const struct mdns all = {.responder = NULL};
    struct mdns_service service;
    struct err err = ERR_INIT;

    (void)state;
    if (!mdns_find(&all, MDNS_SECURE, "adb-1A2B3C-xYz", deadline_in_ms(60000),
                   &service, &err))
        fail_msg("%s", err.text);
    assert_string_equal(service.host, "10.9.0.2");
    assert_int_equal(service.port, 38273);
    if (!mdns_find(&all, MDNS_PAIRING, NULL, deadline_in_ms(60000), &service,
                   &err))
        fail_msg("%s", err.text);
    assert_string_equal(service.host, "10.9.0.2");
    assert_int_equal(service.port, 41234);
}

static void unannounced_service_is_not_found(void **state)
{
    const struct mdns all = {.responder = NULL};
    struct mdns_service service;
    struct err err;

    (void)state;
    assert_false(
        mdns_find(&all, MDNS_PLAIN, NULL, deadline_in_ms(500), &service, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_services_are_found),
        cmocka_unit_test(unannounced_service_is_not_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
