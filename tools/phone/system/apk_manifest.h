/*
 * The manifest of an APK: AndroidManifest.xml, in Android's binary XML
 * (ResourceTypes.h). APKs are untrusted; what exceeds the limits is ignored.
 */
#ifndef TOOLS_PHONE_SYSTEM_APK_MANIFEST_H
#define TOOLS_PHONE_SYSTEM_APK_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/system/packages.h"

struct apk_manifest {
    struct phone_package package; /* name, label, version, activities, ... */
    bool test_only;
};

/* Read an APK. Fails with ERR_INVALID and a reason. */
MUST_USE bool apk_manifest_read_apk(const uint8_t *apk, size_t size,
                                    struct apk_manifest *manifest,
                                    struct err *err);

/* Parse the binary XML alone. */
MUST_USE bool apk_manifest_read(const uint8_t *xml, size_t size,
                                struct apk_manifest *manifest, struct err *err);

#endif
