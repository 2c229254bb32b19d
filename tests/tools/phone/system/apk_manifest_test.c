#include "tools/phone/system/apk_manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/system/test_apk.h"

static const struct test_apk sample = {
    .package = "com.example.app",
    .version = "2.0-beta",
    .code = 200,
    .label = "Sample",
    .activity = "Main",
    .keyboard = ".Keys",
    .permission = "android.permission.INTERNET",
    .test_only = true,
};

static void read_sample(const struct test_apk *apk,
                        struct apk_manifest *manifest)
{
    struct buf zip = BUF_INIT(1U << 18U);
    struct err err = ERR_INIT;

    test_apk_write(apk, &zip);
    if (!apk_manifest_read_apk((const uint8_t *)zip.data, zip.length, manifest,
                               &err))
        fail_msg("%s", err.text);
    buf_release(&zip);
}

static void all_members_are_read(void **state)
{
    struct test_apk apk = sample;
    struct apk_manifest manifest;

    (void)state;
    for (int utf8 = 0; utf8 < 2; utf8++) {
        const struct phone_package *package = &manifest.package;

        apk.utf8 = utf8;
        read_sample(&apk, &manifest);
        assert_string_equal(package->name, "com.example.app");
        assert_string_equal(package->version, "2.0-beta");
        assert_int_equal(package->version_code, 200);
        assert_int_equal(package->target_sdk, 33);
        assert_string_equal(package->labels[LOCALE_EN], "Sample");
        assert_string_equal(package->activity, "com.example.app.Main");
        assert_string_equal(package->ime, "com.example.app.Keys");
        assert_string_equal(package->permissions[0].name,
                            "android.permission.INTERNET");
        assert_true(manifest.test_only);
    }
}

/* Whatever is changed or missing, no read is out of bounds. */
static void damaged_manifests_are_refused_or_harmless(void **state)
{
    struct buf xml = BUF_INIT(1U << 18U);
    struct apk_manifest manifest;
    struct err err = ERR_INIT;

    (void)state;
    test_apk_manifest(&sample, &xml);
    for (size_t cut = 0; cut < xml.length; cut++) {
        uint8_t *part = malloc(cut + 1);

        assert_non_null(part);
        memcpy(part, xml.data, cut);
        (void)!apk_manifest_read(part, cut, &manifest, &err);
        free(part);
    }
    for (size_t i = 0; i < xml.length; i++) {
        char kept = xml.data[i];

        xml.data[i] = (char)0xff;
        (void)!apk_manifest_read((const uint8_t *)xml.data, xml.length,
                                 &manifest, &err);
        xml.data[i] = kept;
    }
    buf_release(&xml);
}

static void invalid_package_name_is_refused(void **state)
{
    static const char *const names[] = {"app", ".app", "a..b", "a/../b",
                                        "a.b c"};
    struct apk_manifest manifest;
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct test_apk apk = sample;
        struct buf xml = BUF_INIT(1U << 18U);

        apk.package = names[i];
        test_apk_manifest(&apk, &xml);
        assert_false(apk_manifest_read((const uint8_t *)xml.data, xml.length,
                                       &manifest, &err));
        buf_release(&xml);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_members_are_read),
        cmocka_unit_test(damaged_manifests_are_refused_or_harmless),
        cmocka_unit_test(invalid_package_name_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
