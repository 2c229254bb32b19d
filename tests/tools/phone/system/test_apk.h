/* Small APKs: a manifest in its binary form, in an archive. */
#ifndef TESTS_TOOLS_PHONE_SYSTEM_TEST_APK_H
#define TESTS_TOOLS_PHONE_SYSTEM_TEST_APK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* NULL for what the manifest does not have. */
struct test_apk {
    const char *package;
    const char *version;
    int32_t code;
    const char *label;
    const char *activity; /* that launchers start */
    const char *viewer;   /* of data with the scheme "test" */
    const char *keyboard; /* a service */
    const char *permission;
    const char *runner; /* of tests */
    const char *tested; /* the package that they run in */
    bool test_only;
    bool utf8; /* how its texts are stored */
};

/* Append the binary XML alone, or the APK. */
void test_apk_manifest(const struct test_apk *apk, struct buf *xml);
void test_apk_write(const struct test_apk *apk, struct buf *zip);

#endif
