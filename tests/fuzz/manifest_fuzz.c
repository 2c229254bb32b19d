/*
 * Manifests in their binary form, alone and in an archive: what is read of
 * them ends within its fields.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/phone/manifest.h"

static void check(const struct manifest *manifest)
{
    const struct package *package = &manifest->package;

    fuzz_expect(strlen(package->name) < sizeof(package->name));
    fuzz_expect(strlen(package->activity) < sizeof(package->activity));
    fuzz_expect(package->filter_count <= PACKAGE_FILTERS_MAX);
    fuzz_expect(package->permission_count <= PACKAGE_PERMISSIONS_MAX);
    fuzz_expect(!strchr(package->name, '/'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct manifest manifest;
    struct err err;

    if (manifest_read(data, size, &manifest, &err))
        check(&manifest);
    if (manifest_read_apk(data, size, &manifest, &err))
        check(&manifest);
    return 0;
}
