#include "adb/wire/banner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

#define LONG_VALUE                                                             \
    "0123456789012345678901234567890123456789012345678901234567890123456789"
#define LONG_VALUE_CUT                                                         \
    "012345678901234567890123456789012345678901234567890123456789012"

struct sample {
    const char *text;
    struct banner banner;
};

static const struct sample good[] = {
    {"device::ro.product.name=sdk;ro.product.model=Pixel 7;"
     "ro.product.device=panther;features=shell_v2,cmd",
     {"device", "sdk", "Pixel 7", "panther",
      FEATURE_BIT(FEATURE_SHELL_V2) | FEATURE_BIT(FEATURE_CMD)}},
    {"device::", {.state = "device"}},
    {"host::features=", {.state = "host"}},
    {"recovery::x=y;;=;ro.product.model=", {.state = "recovery"}},
    {"device::ro.product.model=a=b;", {.state = "device", .model = "a=b"}},
    {"device::ro.product.model=\x1b[2J\x7f\n",
     {.state = "device", .model = "?[2J??"}},
    {"device::features=shell_v3,,shell_v2x,ls_v2,unknown",
     {.state = "device", .features = FEATURE_BIT(FEATURE_LS_V2)}},
    {"device::ro.product.name=" LONG_VALUE,
     {.state = "device", .product = LONG_VALUE_CUT}},
    {"sideload::no properties at all", {.state = "sideload"}},
};

static void known_members_of_banners_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        struct banner banner;
        struct err err = ERR_INIT;

        if (!banner_parse(good[i].text, strlen(good[i].text), &banner, &err))
            fail_msg("%s: %s", good[i].text, err.text);
        assert_string_equal(banner.state, good[i].banner.state);
        assert_string_equal(banner.product, good[i].banner.product);
        assert_string_equal(banner.model, good[i].banner.model);
        assert_string_equal(banner.device, good[i].banner.device);
        assert_int_equal(banner.features, good[i].banner.features);
    }
}

static void a_banner_without_a_state_is_refused(void **state)
{
    static const char *const bad[] = {
        "",        ":",
        "::",      "device",
        "device:", "device:x:",
        ":::",     "\0::abc",
        "GET",     "a state that is far too long::",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct banner banner;
        struct err err;

        assert_false(banner_parse(bad[i], strlen(bad[i]), &banner, &err));
        assert_int_equal(err.code, ERR_PROTOCOL);
        assert_string_equal(err.text,
                            "the peer's banner does not begin with STATE::");
    }
}

static void a_banner_may_end_with_a_nul(void **state)
{
    static const char text[] = "device::ro.product.model=M\0;features=cmd";
    struct banner banner;
    struct err err;

    (void)state;
    assert_true(banner_parse(text, sizeof(text), &banner, &err));
    assert_string_equal(banner.model, "M");
    assert_int_equal(banner.features, 0);
}

static void formatted_banner_is_parsed(void **state)
{
    struct banner banner = good[0].banner;
    struct buf text = BUF_INIT(4096);
    struct banner again;
    struct err err;

    (void)state;
    banner.features = FEATURE_BIT(FEATURE_COUNT) - 1;
    banner_format(&banner, &text);
    assert_true(banner_parse(text.data, text.length, &again, &err));
    assert_memory_equal(&again, &banner, sizeof(banner));
    buf_release(&text);
}

static void each_feature_has_a_unique_name(void **state)
{
    (void)state;
    for (int i = 0; i < FEATURE_COUNT; i++) {
        const char *name = feature_name((enum feature)i);

        assert_int_equal(features_parse(name, strlen(name)), FEATURE_BIT(i));
        assert_int_equal(
            features_parse(name, strlen(name) - 1) & FEATURE_BIT(i), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_members_of_banners_are_read),
        cmocka_unit_test(a_banner_without_a_state_is_refused),
        cmocka_unit_test(a_banner_may_end_with_a_nul),
        cmocka_unit_test(formatted_banner_is_parsed),
        cmocka_unit_test(each_feature_has_a_unique_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
