/*
 * Binary manifests, alone and in an archive: all reads stay within the fields.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/phone/system/apk_manifest.h"

static void check(const struct apk_manifest *manifest)
{
    const struct phone_package *package = &manifest->package;

    fuzz_expect(strlen(package->name) < sizeof(package->name));
    fuzz_expect(strlen(package->activity) < sizeof(package->activity));
    fuzz_expect(package->filter_count <= PACKAGE_FILTERS_MAX);
    fuzz_expect(package->permission_count <= PACKAGE_PERMISSIONS_MAX);
    fuzz_expect(!strchr(package->name, '/'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct apk_manifest manifest;
    struct err err;

    if (apk_manifest_read(data, size, &manifest, &err))
        check(&manifest);
    if (apk_manifest_read_apk(data, size, &manifest, &err))
        check(&manifest);
    return 0;
}
