/* Finding the ADB interface of a device. */
#include "adb/transport/usb_descriptors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/macros.h"

#define DEVICE                                                                 \
    18, 1, 0, 2, 0xef, 2, 1, 64, 0xd1, 0x18, 0xe7, 0x4e, 0, 1, 1, 2, 3, 1
#define CONFIGURATION(value_) 9, 2, 0, 0, 2, value_, 0, 0x80, 250
#define INTERFACE(number_, setting_, class_, subclass_, protocol_)             \
    9, 4, number_, setting_, 2, class_, subclass_, protocol_, 0
#define ADB(number_, setting_) INTERFACE(number_, setting_, 0xff, 0x42, 1)
#define OTHER(number_) INTERFACE(number_, 0, 0xff, 0xff, 0)
#define DEBUG_PORT(number_) INTERFACE(number_, 0, 0xdc, 2, 1)
#define BULK(address_, size_) 7, 5, address_, 2, (size_)&0xff, (size_) >> 8, 0
#define INTERRUPT(address_) 7, 5, address_, 3, 8, 0, 10

struct sample {
    const char *name;
    uint8_t bytes[128];
    uint8_t configuration;
    struct usb_interface found; /* in is 0: none */
};

static const struct sample samples[] = {
    {"behind another interface",
     {DEVICE, CONFIGURATION(1), OTHER(0), BULK(1, 512), BULK(0x81, 512),
      ADB(1, 0), BULK(2, 512), BULK(0x83, 512)},
     1,
     {1, 0, 0x83, 2, 512, 512}},
    {"through a debug port",
     {DEVICE, CONFIGURATION(1), DEBUG_PORT(0), BULK(0x81, 1024), BULK(1, 1024)},
     1,
     {0, 0, 0x81, 1, 1024, 1024}},
    {"in another setting only",
     {DEVICE, CONFIGURATION(1), ADB(0, 0), ADB(0, 1), BULK(1, 64),
      BULK(0x82, 64)},
     1,
     {0, 1, 0x82, 1, 64, 64}},
    {"beside endpoints of other kinds",
     {DEVICE, CONFIGURATION(1), ADB(0, 0), INTERRUPT(0x81), BULK(0x82, 512),
      BULK(0x84, 64), BULK(3, 512)},
     1,
     {0, 0, 0x82, 3, 512, 512}},
    {"in the configuration that is not active",
     {DEVICE, CONFIGURATION(1), ADB(0, 0), BULK(1, 512), BULK(0x81, 512),
      CONFIGURATION(2), OTHER(0)},
     2,
     {0}},
    {"with one way only",
     {DEVICE, CONFIGURATION(1), ADB(0, 0), BULK(0x81, 512)},
     1,
     {0}},
    {"with ends in two interfaces",
     {DEVICE, CONFIGURATION(1), ADB(0, 0), BULK(0x81, 512), ADB(1, 0),
      BULK(1, 512)},
     1,
     {0}},
    {"with packets of no size",
     {DEVICE, CONFIGURATION(1), ADB(0, 0), BULK(0x81, 0), BULK(1, 512)},
     1,
     {0}},
    {"with packets of an odd size",
     {DEVICE, CONFIGURATION(1), ADB(0, 0), BULK(0x81, 500), BULK(1, 512)},
     1,
     {0}},
    {"on no device at all", {0}, 1, {0}},
};

static void the_interface_of_the_active_configuration_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        const struct sample *sample = &samples[i];
        struct usb_interface found = {0};
        bool any = usb_descriptors_find(sample->bytes, sizeof(sample->bytes),
                                        sample->configuration, &found);

        if (any != (sample->found.in != 0))
            fail_msg("ADB %s is %s", sample->name, any ? "found" : "missed");
        assert_memory_equal(&found, &sample->found, sizeof(found));
    }
}

static void truncated_descriptors_are_not_read_beyond(void **state)
{
    static const uint8_t whole[] = {
        DEVICE, CONFIGURATION(1), ADB(0, 0), BULK(1, 512), BULK(0x81, 512),
    };
    struct usb_interface found;

    (void)state;
    for (size_t length = 0; length < sizeof(whole); length++)
        assert_false(usb_descriptors_find(whole, length, 1, &found));
    assert_true(usb_descriptors_find(whole, sizeof(whole), 1, &found));
}

static void vendor_and_product_are_read(void **state)
{
    static const uint8_t bytes[] = {DEVICE};
    uint16_t vendor;
    uint16_t product;

    (void)state;
    usb_descriptors_ids(bytes, sizeof(bytes), &vendor, &product);
    assert_int_equal(vendor, 0x18d1);
    assert_int_equal(product, 0x4ee7);
    usb_descriptors_ids(bytes, sizeof(bytes) - 1, &vendor, &product);
    assert_int_equal(vendor, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interface_of_the_active_configuration_is_found),
        cmocka_unit_test(truncated_descriptors_are_not_read_beyond),
        cmocka_unit_test(vendor_and_product_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
