/*
 * What an APK says of itself: the AndroidManifest.xml in it, which is XML in a
 * binary form (ResourceTypes.h of Android).
 *
 * APKs come from anywhere: nothing in them is trusted, and no more is read
 * than fits.
 */
#ifndef PHONE_MANIFEST_H
#define PHONE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/packages.h"

struct manifest {
    struct package package; /* name, label, version, activities, ... */
    bool test_only;
};

/* Read an APK. Fails with ERR_INVALID and a reason. */
MUST_USE bool manifest_read_apk(const uint8_t *apk, size_t size,
                                struct manifest *manifest, struct err *err);

/* Read the binary XML alone. */
MUST_USE bool manifest_read(const uint8_t *xml, size_t size,
                            struct manifest *manifest, struct err *err);

#endif
